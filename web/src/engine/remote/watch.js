// Notices that somebody has been silent too long, on this thread's own waking time: a page that was
// suspended, hidden or busy counts only the moments in which it could have heard something.

const tickMs = 100

export class Watch {
  /** May be changed at any time. */
  limitMs
  #onQuiet
  #onSilence
  #silentMs = 0
  #tickedAt = 0
  #asked = false
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer

  /**
   * @param {number} limitMs
   * @param {() => void} onSilence called once, then the watch is off
   * @param {() => void} [onQuiet] called once a silence at half the limit: a moment to ask
   */
  constructor(limitMs, onSilence, onQuiet = () => {}) {
    this.limitMs = limitMs
    this.#onSilence = onSilence
    this.#onQuiet = onQuiet
  }

  /** Begins a silence, unless one is being watched already. */
  start() {
    if (this.#timer !== undefined) return
    this.heard()
    this.#tickedAt = performance.now()
    this.#timer = setInterval(() => this.#tick(), tickMs)
  }

  stop() {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** The silence is over. */
  heard() {
    this.#silentMs = 0
    this.#asked = false
  }

  #tick() {
    const now = performance.now()
    // A late tick means that this thread slept, and what was said meanwhile is still in its queue.
    this.#silentMs += Math.min(now - this.#tickedAt, tickMs * 1.5)
    this.#tickedAt = now
    if (this.#silentMs >= this.limitMs) {
      this.stop()
      this.#onSilence()
    } else if (this.#silentMs >= this.limitMs / 2 && !this.#asked) {
      this.#asked = true
      this.#onQuiet()
    }
  }
}
