// Long work in short pieces. A sliced call is a generator that does one piece, yields how far it
// is, and goes on when asked to; a Pace tells it how large a piece may be, from how long the pieces
// before took. Results never depend on where the pieces begin and end.

/** @typedef {{ done: number, total: number }} Progress */

/**
 * What a sliced call yields. `part` copies what it would return, had it ended here, for a call that
 * returns something of each step and can go on elsewhere from a snapshot.
 * @typedef {Progress & { part?: () => any }} Pause
 */

/**
 * @template R
 * @typedef {Generator<Pause, R, void>} Sliced
 */

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

/**
 * @param {unknown} value
 * @returns {value is Sliced<any>}
 */
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
