// Lets the cursor walk from seat to seat, so that the waves are drawn while one watches. Without
// motion the end is there at once.
import { withPatch } from '../state/state.js'

/** Time a seat, in ms; long rows go several seats a step, and every row takes about as long. */
const STEP = 90
const MOST_STEPS = 150

/**
 * @param {import('../stage.js').SceneHost} host
 */
export function createPlayer(host) {
  const { el, t, setText } = host
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer
  const face = el('i', { class: 'play-face', 'aria-hidden': 'true' })
  const words = el('span')
  const button = el('button', { type: 'button', class: 'quiet play', onclick: toggle }, face, words)
  setText(words, t('training.play'))

  function stop() {
    clearInterval(timer)
    timer = undefined
    show()
  }

  function show() {
    const playing = timer !== undefined
    button.classList.toggle('playing', playing)
    setText(words, t(playing ? 'training.pause' : 'training.play'))
  }

  function toggle() {
    if (timer !== undefined) {
      stop()
      return
    }
    const { position, length } = host.state()
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      host.accept(withPatch(host.state(), { position: length - 1 }))
      return
    }
    if (position >= length - 1) host.accept(withPatch(host.state(), { position: 0 }))
    timer = setInterval(advance, STEP)
    show()
  }

  function advance() {
    const { position, length } = host.state()
    const step = Math.ceil(length / MOST_STEPS)
    const next = Math.min(length - 1, position + step)
    host.accept(withPatch(host.state(), { position: next }))
    if (next === length - 1) stop()
  }

  return {
    element: el('div', { class: 'player' }, button),
    stop,
    playing: () => timer !== undefined,
    /** @param {import('../state/state.js').State} state */
    sync(state) {
      button.disabled = state.length < 2
    },
  }
}
