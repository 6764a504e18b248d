// The cursor glides to where it is sent, so that the eye can follow it; under the reader's hand, and
// with reduced motion, it is there at once.

const DURATION = 180

/**
 * @param {() => void} redraw
 * @returns {{ at: () => number, send: (target: number, atOnce: boolean) => void, stop: () => void }}
 */
export function createGlide(redraw) {
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let from = NaN
  let target = NaN
  let began = 0
  let request = 0

  /** @param {number} now */
  function step(now) {
    request = 0
    if (progress(now) < 1) request = requestAnimationFrame(step)
    else from = target
    redraw()
  }

  /** @param {number} now */
  const progress = (now) => Math.min(1, Math.max(0, (now - began) / DURATION))

  function at() {
    if (request === 0) return target
    const left = 1 - progress(performance.now())
    return target + (from - target) * left * left * left
  }

  return {
    at,
    send(next, atOnce) {
      if (next === target) return
      const here = at()
      target = next
      cancelAnimationFrame(request)
      request = 0
      if (atOnce || still.matches || Number.isNaN(here) || Math.abs(next - here) <= 1) return
      from = here
      began = performance.now()
      request = requestAnimationFrame(step)
    },
    stop() {
      cancelAnimationFrame(request)
      request = 0
    },
  }
}
