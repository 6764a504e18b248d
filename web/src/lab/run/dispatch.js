// One start of a race: its jobs take entry after entry until none waits. Nothing of it reaches the
// next start.
import { asEngineError } from '../../engine/errors.js'
import { Recorder, trainEntry } from './job.js'

/**
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./pool.js').PooledEngine} PooledEngine
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

/** An entry is taken up by so many engines before it counts as failed. */
const MOST_LOST = 3
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
  /** @type {Map<Entry, Recorder>} */
  #recorders = new Map()
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
    /** @type {PooledEngine | undefined} */
    let engine
    /** @type {Entry | undefined} */
    let entry
    let lost = 0
    while (!signal.aborted && (entry || this.#next())) {
      try {
        engine ??= await this.#pool.acquire()
      } catch (error) {
        // The other jobs may do it; the last one has to say why nothing goes on.
        if (signal.aborted || (!entry && this.#alive > 1)) break
        this.#fail(entry ?? this.#next(), error)
        entry = undefined
        continue
      }
      // On the page's own thread two would not be faster than one.
      if (engine.remote.mode === 'main') this.#here ??= job
      if (engine.remote.mode === 'main' && this.#here !== job && !entry) break
      entry ??= this.#next()
      if (signal.aborted || !entry) break
      entry.status = 'running'
      engine.entry = entry
      lost = (await this.#train(entry, engine, allowed, lost)) ? lost + 1 : 0
      if (lost === 0) entry = undefined
      else engine.broken = true
      if (!engine.broken) continue
      this.#pool.release(engine)
      engine = undefined
    }
    if (engine) this.#pool.release(engine)
    this.#alive -= 1
  }

  /**
   * @param {Entry} entry
   * @param {PooledEngine} engine
   * @param {(done: number) => Promise<number>} allowed
   * @param {number} lost engines so far
   * @returns {Promise<boolean>} whether the engine was lost and the entry is to be taken up again
   */
  async #train(entry, engine, allowed, lost) {
    const { signal } = this.#end
    const recorder = this.#recorders.get(entry) ?? new Recorder(entry)
    this.#recorders.set(entry, recorder)
    try {
      await trainEntry(entry, recorder, engine.remote, {
        plan: this.#plan,
        signal,
        allowed,
        now: this.#now,
        changed: this.#onChange,
      })
      this.#recorders.delete(entry)
      this.#makeRoom()
    } catch (error) {
      if (signal.aborted) return false
      const { code } = asEngineError(error)
      if (code === 'worker-lost' && lost + 1 < MOST_LOST) {
        entry.replaced += 1
        return true
      }
      if (code === 'out-of-memory' || code === 'worker-lost') engine.broken = true
      this.#fail(entry, error)
    }
    return false
  }

  /** @param {Entry | undefined} entry @param {unknown} error */
  #fail(entry, error) {
    if (!entry) return
    const { code, message, details } = asEngineError(error)
    entry.status = 'failed'
    entry.error = { code, message, details }
    this.#recorders.delete(entry)
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
