// Lets the cursor walk from seat to seat, so that the waves are drawn while one watches. Without
// motion the end is there at once.

/** Time a seat, in ms; long rows go several seats a step, and every row takes about as long. */
const STEP = 90
const MOST_STEPS = 150

/** @param {import('../../kit/types').ViewScope<any, any>} scope */
export function createPlayer(scope) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer
  const { set, refresh, signal } = scope
  signal.addEventListener('abort', stop)

  function stop() {
    clearInterval(timer)
    timer = undefined
    if (!signal.aborted) refresh()
  }

  function toggle() {
    if (timer !== undefined) {
      stop()
      return
    }
    const { position, length } = scope.state
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) {
      set({ position: length - 1 })
      return
    }
    if (position >= length - 1) set({ position: 0 })
    timer = setInterval(advance, STEP)
    refresh()
  }

  function advance() {
    const { position, length } = scope.state
    const next = Math.min(length - 1, position + Math.ceil(length / MOST_STEPS))
    set({ position: next })
    if (next === length - 1) stop()
  }

  return { stop, toggle, playing: () => timer !== undefined }
}
