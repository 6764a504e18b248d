// The race of the length lab: every model of a plan is trained in a worker of its own, as many at
// once as there are jobs. What comes of an entry depends on the plan alone, not on jobs, pauses,
// speed or workers that died.
import { EngineError } from '../../engine/errors.js'
import { entriesOf } from './entry.js'
import { readRun, writeRun } from './file.js'
import { EnginePool } from './pool.js'
import { Pace, Rate, createTeller } from './pace.js'
import { Run } from './dispatch.js'
import { Tester } from './tester.js'

/**
 * @typedef {import('./entry.js').Curve} Curve
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {import('../../engine/types.js').ConnectOptions} ConnectOptions
 * @typedef {import('./file.js').Build} Build
 */

/** @typedef {'idle' | 'running' | 'paused' | 'done' | 'stopped'} RaceStatus */
/** @typedef {'slow' | 'normal' | 'full'} Speed steps to watch, to follow, as many as the machine can */

/**
 * @typedef {object} RaceOptions
 * @property {(options: ConnectOptions) => Promise<any>} connect to an engine with a worker of its own:
 *   `connectEngine`
 * @property {number} jobs how many workers at once
 * @property {() => void} onChange after anything changed, at most once an animation frame
 * @property {(notice: { code: string, failures?: number }) => void} [onNotice] after a worker was
 *   replaced or given up
 * @property {() => number} [now] milliseconds
 */

export class Race {
  /** @type {RaceStatus} */
  status = 'idle'
  /** @type {Plan | undefined} */
  plan
  /** @type {Entry[]} in the order in which they run */
  entries = []
  #options
  #pool
  #pace
  #rate
  #teller
  /** @type {Run | undefined} */
  #run
  /** @type {Build | undefined} what a run from a file ran on */
  #build
  /** @type {Promise<unknown>} until all jobs have come home */
  #home = Promise.resolve()
  /** @type {Tester | undefined} */
  #tester

  /** @param {RaceOptions} options */
  constructor(options) {
    const { connect, onChange, onNotice = () => {}, now = () => performance.now() } = options
    this.#options = { jobs: Math.max(1, options.jobs), now }
    this.#pool = new EnginePool(connect, onNotice)
    this.#pace = new Pace(now)
    this.#rate = new Rate(now)
    this.#teller = createTeller(onChange)
  }

  /**
   * Begins anew, whatever was running before.
   * @param {Plan} plan is copied
   */
  start(plan) {
    this.#leave()
    this.plan = structuredClone(plan)
    this.#build = undefined
    this.entries = entriesOf(this.plan)
    this.status = 'running'
    this.#rate.forget()
    this.#pace.paused = false
    const run = new Run({
      plan: this.plan,
      entries: this.entries,
      pool: this.#pool,
      pace: this.#pace,
      now: this.#options.now,
      onChange: (steps) => {
        if (steps > 0 && this.status === 'running') this.#rate.add(steps)
        this.#teller.changed()
      },
    })
    this.#run = run
    this.#home = run.begin(this.#options.jobs, this.#home).then((over) => this.#finish(run, over))
    this.#teller.changed()
  }

  /** Every job halts after the stretch under way. */
  pause() {
    if (this.status !== 'running') return
    this.status = 'paused'
    this.#pace.paused = true
    this.#rate.halt()
    this.#teller.changed()
  }

  resume() {
    if (this.status !== 'paused') return
    this.status = 'running'
    this.#pace.paused = false
    this.#teller.changed()
  }

  /** Ends the run. What is finished stays, what is half done keeps what is known of it. */
  stop() {
    if (this.status !== 'running' && this.status !== 'paused') return
    this.#endRun()
    this.status = 'stopped'
    for (const entry of this.entries) if (entry.status === 'running') entry.status = 'waiting'
    this.#teller.changed()
  }

  /** Pauses, and where it was paused already has each job do one step. */
  stepOnce() {
    if (this.status === 'running') this.pause()
    else if (this.status === 'paused') this.#pace.step()
  }

  get speed() {
    return this.#pace.speed
  }

  /** @param {Speed} speed */
  setSpeed(speed) {
    this.#pace.speed = speed
    this.#rate.forget()
    this.#teller.changed()
  }

  /** Ends all workers; the race cannot be used any more. */
  close() {
    this.#leave()
    this.status = 'stopped'
    this.#pool.close()
    this.#teller.stop()
  }

  /**
   * @returns {{ done: number, total: number, secondsLeft: number | undefined }} in steps; the time is
   *   undefined while nothing is running or too little was measured
   */
  progress() {
    let done = 0
    let total = 0
    for (const { status, step, steps } of this.entries) {
      done += status === 'failed' ? steps : step
      total += steps
    }
    const going = this.status === 'running' || this.status === 'paused'
    return { done, total, secondsLeft: going ? this.#rate.secondsFor(total - done) : undefined }
  }

  /** @returns {Build | undefined} what the numbers come from, once an engine was there */
  get build() {
    return this.#build ?? this.#pool.info
  }

  /**
   * @param {Entry} entry
   * @param {{ sequences?: number } & Record<string, unknown>} [options] of `trainer.evaluate`; by
   *   default as many sequences as the entry's own curve has
   * @returns {Promise<Curve>} of the finished model, or as it stood a while ago; rejects with `aborted`
   *   once a newer wish for the entry has come
   */
  async test(entry, options = {}) {
    const { status, snapshotStep: step, curve } = entry
    const final = status === 'done'
    const asked = { sequences: (final && curve?.sequences) || 64, ...options }
    const answer = await this.#asked().ask(entry, 'evaluate', asked)
    return { final, step, sequences: asked.sequences, ...answer }
  }

  /**
   * @param {Entry} entry
   * @param {Record<string, unknown>} [options] of `trainer.attention`
   * @returns {Promise<any>} of the finished model, or as it stood a while ago; before training, of the
   *   model as it begins
   */
  async attention(entry, options = {}) {
    return this.#asked().ask(entry, 'attention', options)
  }

  /**
   * @returns {string} the run as a file: JSON
   * @throws {EngineError} `bad-run-file`, reason `too-large`
   */
  toFile() {
    if (!this.plan) throw new EngineError('internal', 'There is no run to be saved.')
    return writeRun({ plan: this.plan, entries: this.entries, build: this.build })
  }

  /**
   * @param {string} text of a file
   * @throws {EngineError} `bad-run-file`, details { reason, where }; see run/file.js
   */
  static fromFile(text) {
    return readRun(text)
  }

  /**
   * Shows a run from a file in place of the present one.
   * @param {import('./file.js').SavedRun} run of `fromFile`
   */
  load({ plan, entries, build }) {
    this.#leave()
    this.plan = plan
    this.entries = entries
    this.#build = build
    const over = entries.every(({ status }) => status === 'done' || status === 'failed')
    this.status = over ? 'done' : 'stopped'
    this.#teller.changed()
    this.#restoreTables(entries)
  }

  /** @param {Entry[]} entries whose tables are not part of a file: their models have them */
  async #restoreTables(entries) {
    for (const entry of entries) {
      if (entry.code !== 'learned' || !entry.snapshot) continue
      try {
        const table = await this.#asked().ask(entry, 'table')
        if (this.entries !== entries) return
        entry.table = table
        this.#teller.changed()
      } catch {
        if (this.entries !== entries) return
      }
    }
  }

  #asked() {
    if (!this.plan) throw new EngineError('internal', 'There is no run to be asked.')
    this.#tester ??= new Tester(this.#pool, this.plan)
    return this.#tester
  }

  /** Ends whatever belongs to the present plan. */
  #leave() {
    this.#endRun()
    this.#tester?.close()
    this.#tester = undefined
  }

  #endRun() {
    this.#run?.end()
    this.#run = undefined
    this.#rate.halt()
  }

  /**
   * @param {Run} run whose jobs have all come home
   * @param {boolean} over
   */
  #finish(run, over) {
    // One stays for what is asked of the models; the next run takes the others.
    if (this.#run === run || !this.#run) this.#pool.trim(1)
    if (!over) return
    this.#run = undefined
    this.status = 'done'
    this.#teller.changed()
  }
}
