// "Copy link": the view as an address, on the clipboard or, where that is closed, in a text field.
import { el, setText, uniqueId } from '../kit/dom.js'

/** How long the button says that it is done, in ms. */
const SAID_FOR = 2500

export class Share {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #saying

  /**
   * @param {import('../text/text.js').Translate} t
   * @param {() => string | undefined} address of the present view
   */
  constructor(t, address) {
    const id = uniqueId('link')
    const button = el('button', { type: 'button', class: 'quiet copy-link' }, t('share.copy'))
    const said = el('span', { class: 'visually-hidden', role: 'status' })
    const field = el('input', { type: 'text', id, readOnly: true, spellcheck: false })
    const line = el(
      'span',
      { class: 'link-line', hidden: true },
      el('label', { for: id }, t('share.field')),
      field,
    )
    this.element = el('div', { class: 'share', hidden: true }, button, said, line)

    /** @param {string} link */
    const showField = (link) => {
      line.hidden = false
      field.value = link
      field.focus()
      field.select()
    }
    button.addEventListener('click', async () => {
      const link = address()
      if (link === undefined) return
      line.hidden = true
      try {
        await navigator.clipboard.writeText(link)
      } catch {
        // No clipboard on an insecure or sandboxed page, or the reader's answer was no.
        showField(link)
        return
      }
      setText(button, t('share.copied'))
      setText(said, t('share.copied'))
      clearTimeout(this.#saying)
      this.#saying = setTimeout(() => {
        setText(button, t('share.copy'))
        setText(said, '')
      }, SAID_FOR)
    })
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return
      line.hidden = true
      button.focus()
    })
  }

  destroy() {
    clearTimeout(this.#saying)
  }
}
