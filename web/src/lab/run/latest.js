// Questions to a worker, one at a time: of all that was wished while one was under way, the last is
// asked next. So a slider is answered as fast as the worker can, and nothing piles up.

/**
 * @template Wish, Answer
 * @param {object} options
 * @param {(wish: Wish) => Promise<Answer>} options.ask
 * @param {(answer: Answer, wish: Wish) => void} options.arrived
 * @param {(error: any, wish: Wish) => void} options.failed not called where the question was withdrawn
 */
export function latestWish({ ask, arrived, failed }) {
  let known = ''
  /** @type {{ wish: Wish } | undefined} */
  let next
  let busy = false
  let closed = false
  let frame = 0

  async function turn() {
    frame = 0
    if (busy || closed || !next) return
    const { wish } = next
    next = undefined
    busy = true
    try {
      const answer = await ask(wish)
      if (!closed) arrived(answer, wish)
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error ?? {})
      // What was withdrawn elsewhere may be wished again.
      if (code === 'aborted') known = next ? known : ''
      else if (!closed) failed(error, wish)
    }
    busy = false
    turn()
  }

  return {
    /**
     * @param {string} key the same one for the same wish, which is then not asked again
     * @param {Wish} wish
     */
    wish(key, wish) {
      if (key === known || closed) return
      known = key
      next = { wish }
      if (!busy && frame === 0) frame = requestAnimationFrame(turn)
    },
    /** Nothing is wished any more. */
    forget() {
      known = ''
      next = undefined
    },
    close() {
      closed = true
      next = undefined
      cancelAnimationFrame(frame)
    },
  }
}
