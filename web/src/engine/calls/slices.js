// Long work in short pieces. A sliced call is a generator that does one piece, yields how far it
// is, and goes on when asked to; a Pace tells it how large a piece may be, from how long the pieces
// before took. Results never depend on where the pieces begin and end.

/** @import { Sliced } from '../types.js' */

/** Units of work in a first slice: a few milliseconds on the slowest machine. */
export const firstElements = 2 ** 16
export const firstSines = 2 ** 13
/** Elements that cross into WebAssembly at a time; its memory never shrinks. */
export const mostElements = 2 ** 20

/**
 * Work that is done piece by piece.
 * @param {number} total units
 * @param {import('../types.js').Pace} pace
 * @param {number} first units of the first piece
 * @param {number} most units of any
 * @param {(from: number, count: number) => void} work
 * @returns {Sliced<void>}
 */
export function* pieces(total, pace, first, most, work) {
  for (let from = 0; from < total;) {
    const count = pace.take(total - from, first, most)
    work(from, count)
    from += count
    if (from < total) yield { done: from, total }
  }
}

export class Pace {
  #aim
  #size = 0
  #began = 0

  /** @param {number} [aim] milliseconds a piece; Infinity: everything in one piece */
  constructor(aim = Infinity) {
    this.#aim = aim
  }

  /**
   * To be called once a piece, before its work.
   * @param {number} remaining units of work
   * @param {number} first units of the first piece, small enough for any machine
   * @param {number} [most] units that a piece may have even when nobody waits, to bound memory
   * @returns {number} from 1 to `remaining`, or 0 when nothing remains
   */
  take(remaining, first, most = Infinity) {
    if (this.#aim === Infinity) return Math.min(remaining, Math.max(1, Math.floor(most)))
    if (this.#size === 0) this.#size = Math.max(1, first)
    this.#size = Math.min(this.#size, Math.max(1, most))
    return Math.min(remaining, Math.max(1, Math.floor(this.#size)))
  }

  /** Before a piece: starts the clock, because between pieces other work may run. */
  begin() {
    this.#began = performance.now()
  }

  /** After a piece. */
  end() {
    const ratio = this.#aim / Math.max(performance.now() - this.#began, 0.05)
    // Grows with care: a machine that was idle for one piece may be busy in the next.
    this.#size *= Math.min(4, Math.max(1 / 64, ratio))
  }
}

/** @param {unknown} value @returns {value is Sliced} */
export function isSliced(value) {
  return typeof (/** @type {any} */ (value)?.next) === 'function'
}

/**
 * @template R
 * @param {Sliced<R> | R} work
 * @returns {R} the result, computed at once
 */
export function runNow(work) {
  if (!isSliced(work)) return work
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** @type {(() => void) | undefined} */
let wake
/** @type {MessagePort | undefined} */
let alarm

/**
 * @returns {Promise<void>} resolved in a later task, so that messages, input and drawing come first.
 *   Not a timer: browsers stretch nested timers to 4 ms and those of hidden pages to seconds.
 */
export function breathe() {
  return new Promise((resolve) => {
    const { setImmediate } = /** @type {any} */ (globalThis)
    if (setImmediate) {
      setImmediate(resolve)
      return
    }
    const before = wake
    wake = () => {
      before?.()
      resolve()
    }
    if (!alarm) {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => {
        const ring = wake
        wake = undefined
        ring?.()
      }
      alarm = channel.port2
    }
    if (!before) alarm.postMessage(null)
  })
}
