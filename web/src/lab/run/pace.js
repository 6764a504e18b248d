// Time in a race: when a job may go on, how long the rest takes, and when the page is told.

/** @import { Speed } from './race.js' */

/** Steps a millisecond of each job; full speed is whatever the machine can. */
const SPEEDS = { slow: 0.02, normal: 0.2, full: Infinity }

/** A job that is held back trains for so long at once, in ms. */
const STRETCH = 100
/** What a job missed longer ago than this, because timers of a hidden page are late, is lost, in ms. */
const CATCH_UP = 1000

/** Holds jobs back: while the race is paused, and to the speed that was chosen. */
export class Pace {
  /** @type {Speed} */
  #speed = 'full'
  #paused = false
  #turns = 0
  /** @type {() => void} */
  #wake = () => {}
  /** @type {Promise<void>} */
  #woken = Promise.resolve()
  #now

  /** @param {() => number} now milliseconds */
  constructor(now) {
    this.#now = now
    this.wake()
  }

  get speed() {
    return this.#speed
  }

  set speed(speed) {
    this.#speed = speed
    this.wake()
  }

  set paused(/** @type {boolean} */ paused) {
    this.#paused = paused
    this.wake()
  }

  /** Every job that is held by a pause may do one step. */
  step() {
    this.#turns += 1
    this.wake()
  }

  /** Whoever waits looks again, at an abort above all. */
  wake() {
    this.#wake()
    this.#woken = new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /**
   * @param {AbortSignal} signal ends the waiting without a word
   * @returns {(done: number) => Promise<number>} for one job: how many steps it may do next, at most,
   *   after those that it did since it asked last
   */
  job(signal) {
    let turns = this.#turns
    let due = this.#now()
    return async (done) => {
      let paid = 0
      while (!signal.aborted) {
        if (this.#paused) {
          paid = done
          if (turns < this.#turns) {
            turns += 1
            return 1
          }
          await this.#woken
          due = this.#now()
          continue
        }
        turns = this.#turns
        const rate = SPEEDS[this.#speed]
        const now = this.#now()
        // What was done slower is no debt at full speed.
        due = rate === Infinity ? now : Math.max(due, now - CATCH_UP) + (done - paid) / rate
        paid = done
        if (due <= now) return Math.max(1, Math.round(rate * STRETCH))
        await this.#sleep(due - now)
      }
      return 0
    }
  }

  /** @param {number} ms at most */
  async #sleep(ms) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer
    const over = new Promise((resolve) => {
      timer = setTimeout(resolve, ms)
    })
    await Promise.race([over, this.#woken])
    clearTimeout(timer)
  }
}

/** Nothing is said of the time left before so much was measured, in ms. */
const MEASURED = 1000

/** Steps a second of all jobs together, pauses left out. */
export class Rate {
  #steps = 0
  #ms = 0
  /** @type {number | undefined} */
  #since
  #now

  /** @param {() => number} now milliseconds */
  constructor(now) {
    this.#now = now
  }

  /** @param {number} steps done */
  add(steps) {
    // What came before the first steps was the start of the workers.
    if (this.#since === undefined) this.#since = this.#now()
    else this.#steps += steps
  }

  /** The time from now on, until the next steps, does not count. */
  halt() {
    if (this.#since !== undefined) this.#ms += this.#now() - this.#since
    this.#since = undefined
  }

  /** What was measured says nothing of what comes. */
  forget() {
    this.#steps = this.#ms = 0
    this.#since = undefined
  }

  /**
   * @param {number} steps
   * @returns {number | undefined} seconds; undefined while too little was measured
   */
  secondsFor(steps) {
    const ms = this.#ms + (this.#since === undefined ? 0 : this.#now() - this.#since)
    if (steps === 0) return 0
    return this.#steps > 0 && ms >= MEASURED ? (steps * ms) / this.#steps / 1000 : undefined
  }
}

/** A hidden page has no animation frames; it is told as often as this, in ms. */
const HIDDEN = 100

/**
 * @param {() => void} tell called at most once an animation frame, or ten times a second where there
 *   are none
 * @returns {{ changed: () => void, stop: () => void }}
 */
export function createTeller(tell) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer
  let frame = 0
  const frames = typeof requestAnimationFrame === 'function'

  function stop() {
    clearTimeout(timer)
    if (frames) cancelAnimationFrame(frame)
    timer = undefined
  }

  function fire() {
    stop()
    tell()
  }

  return {
    changed() {
      if (timer !== undefined) return
      timer = setTimeout(fire, HIDDEN)
      if (frames) frame = requestAnimationFrame(fire)
    },
    stop,
  }
}
