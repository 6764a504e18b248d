// One start of a race: its jobs take entry after entry until none waits. Nothing of it reaches the
// next start.
import { asEngineError } from '../../engine/errors.js'
import { Recorder, trainEntry } from './job.js'
import { Lease } from './pool.js'

/**
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./plan.js').Plan} Plan
 */

/**
 * @typedef {object} RunOptions
 * @property {Plan} plan
 * @property {Entry[]} entries of the plan, all waiting
 * @property {import('./pool.js').EnginePool} pool
 * @property {import('./pace.js').Pace} pace
 * @property {() => number} now milliseconds
 * @property {(steps: number) => void} onChange told after anything changed, with the steps done
 */

/** Snapshots of finished models that are kept, in bytes. */
const MOST_KEPT = 128 * 2 ** 20

export class Run {
  #plan
  #entries
  #pool
  #pace
  #now
  #onChange
  #end = new AbortController()
  #alive = 0
  /** @type {number | undefined} the job that works on the page's own thread */
  #here

  /** @param {RunOptions} options */
  constructor({ plan, entries, pool, pace, now, onChange }) {
    this.#plan = plan
    this.#entries = entries
    this.#pool = pool
    this.#pace = pace
    this.#now = now
    this.#onChange = (/** @type {number} */ steps) => this.#end.signal.aborted || onChange(steps)
  }

  /**
   * @param {number} jobs
   * @param {Promise<unknown>} before another race, whose workers may be free after it
   * @returns {Promise<boolean>} once all jobs have come home: whether the run was finished
   */
  async begin(jobs, before) {
    await before
    this.#alive = Math.min(jobs, this.#entries.length)
    await Promise.all(Array.from({ length: this.#alive }, (_, job) => this.#job(job)))
    return !this.#end.signal.aborted
  }

  /** What is half done stays as it is. */
  end() {
    this.#end.abort()
    this.#pace.wake()
  }

  #next() {
    return this.#entries.find(({ status }) => status === 'waiting')
  }

  /** Trains one entry after the other, until none waits. @param {number} job */
  async #job(job) {
    const { signal } = this.#end
    const allowed = this.#pace.job(signal)
    const lease = new Lease(this.#pool)
    while (!signal.aborted && this.#next()) {
      let here
      try {
        here = (await lease.engine()).remote.mode === 'main'
      } catch (error) {
        // The other jobs may do it; the last one has to say why nothing goes on.
        if (signal.aborted || this.#alive > 1) break
        this.#fail(this.#next(), error)
        continue
      }
      // On the page's own thread two would not be faster than one.
      if (here) this.#here ??= job
      if (here && this.#here !== job) break
      const entry = this.#next()
      if (signal.aborted || !entry) break
      entry.status = 'running'
      await this.#train(entry, lease, allowed, job)
    }
    lease.release()
    this.#alive -= 1
  }

  /**
   * @param {Entry} entry
   * @param {Lease} lease
   * @param {(done: number) => Promise<number>} allowed
   * @param {number} job
   */
  async #train(entry, lease, allowed, job) {
    const { signal } = this.#end
    const recorder = new Recorder(entry)
    const course = { plan: this.#plan, signal, allowed, now: this.#now, changed: this.#onChange }
    const again = () => {
      entry.replaced += 1
    }
    try {
      await lease.use(
        async (engine) => {
          engine.entry = entry
          if (engine.remote.mode === 'main') this.#here ??= job
          try {
            await trainEntry(entry, recorder, engine.remote, course)
          } catch (error) {
            // What is left of its memory is no room for the next.
            if (asEngineError(error).code === 'out-of-memory') engine.broken = true
            throw error
          }
        },
        { signal, again },
      )
      this.#makeRoom()
    } catch (error) {
      if (!signal.aborted) this.#fail(entry, error)
    }
  }

  /** @param {Entry | undefined} entry @param {unknown} error */
  #fail(entry, error) {
    if (!entry) return
    const { code, message, details } = asEngineError(error)
    entry.status = 'failed'
    entry.error = { code, message, details }
    this.#onChange(0)
  }

  /** When there are too many models, those of later seeds go first. */
  #makeRoom() {
    const kept = this.#entries.filter(({ status, snapshot }) => status === 'done' && snapshot)
    let bytes = kept.reduce((sum, { snapshot }) => sum + (snapshot?.length ?? 0), 0)
    const { seeds } = this.#plan
    kept.sort((a, b) => seeds.indexOf(b.seed) - seeds.indexOf(a.seed) || b.index - a.index)
    for (const entry of kept) {
      if (bytes <= MOST_KEPT) return
      bytes -= entry.snapshot?.length ?? 0
      entry.snapshot = undefined
    }
  }
}
