// The program beside a figure: follows the figure's state, and can be copied.
import { SNIPPETS } from './snippets.js'

/** How long "copied" is said, in ms. */
const SAID_FOR = 2500

/** @param {Element} element the panel, which follows a figure of the lesson */
export function attachCode(element) {
  const panel = /** @type {HTMLDetailsElement} */ (element)
  const lab = /** @type {HTMLElement & { state: import('../state/state.js').State }} */ (
    panel.parentElement?.querySelector('posenc-lab')
  )
  const text = /** @type {HTMLElement} */ (panel.querySelector('pre'))
  const copied = /** @type {HTMLElement} */ (panel.querySelector('.copied'))
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let saying

  function write() {
    if (panel.open) text.textContent = SNIPPETS[lab.state.scene](lab.state)
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(text.textContent ?? '')
    } catch {
      // Without a clipboard the program is chosen, for the reader's own copy command.
      getSelection()?.selectAllChildren(text)
      text.focus()
      return
    }
    copied.hidden = false
    clearTimeout(saying)
    saying = setTimeout(() => (copied.hidden = true), SAID_FOR)
  }

  panel.addEventListener('toggle', write)
  lab.addEventListener('posenc-change', write)
  lab.addEventListener('posenc-ready', write)
  panel.querySelector('.copy-code')?.addEventListener('click', copy)
}
