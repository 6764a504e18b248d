// The length lab: the race of a stage and what the reader was doing with it. It outlives the views, so
// that another language or another scene does not end a training.
import { connectEngine } from '../../engine/client.js'
import { estimate, jobsHere } from './estimate.js'
import { judgeModels } from './lines.js'
import { planOf, samePlan } from './plan.js'
import { Race } from './race.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {'quick' | 'full'} Extent
 */

/**
 * Between two redraws of a running race, in ms: often enough to watch, seldom enough to leave the
 * processor to the training.
 */
const REDRAW = 90

export class LabSession {
  /** The length that is read, where the reader looks at one. @type {number | undefined} */
  cursor
  /** The code of a notice: a worker was replaced, or given up. */
  notice = ''
  /** Seconds that the last run took for each second that was expected. */
  pace = 1
  /** Of the run that stands; one that was loaded from a file has none. @type {Extent | undefined} */
  extent
  /** Complete runs as paper/ reads them, by settings: with and without randomized positions. @type {Map<string, any>} */
  complete = new Map()
  /** @type {Set<() => void>} */
  #listeners = new Set()
  #begun = 0
  #told = 0
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #later

  #engine

  /** @param {import('../../engine/client.js').RemoteEngine} engine */
  constructor(engine) {
    this.#engine = engine
    this.race = new Race({
      connect: connectEngine,
      jobs: jobsHere(),
      onChange: () => this.#changed(),
      onNotice: ({ code }) => {
        this.notice = code
        this.#changed()
      },
    })
  }

  /** @param {() => void} listener @returns {() => void} stops listening */
  listen(listener) {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** @param {State} state @param {Extent} extent */
  start(state, extent) {
    this.extent = extent
    this.notice = ''
    this.#begun = performance.now()
    this.race.start(planOf(state, extent))
  }

  /** @param {Blob} file @throws {EngineError} `bad-run-file` */
  async load(file) {
    const run = Race.fromFile(await file.text())
    await judgeModels(this.#engine, run)
    this.race.load(run)
    this.extent = undefined
    this.notice = ''
  }

  /**
   * Whether what stands was made with these settings. Which of its tasks is looked at changes nothing.
   * @param {State} state
   */
  isOf(state) {
    const { plan } = this.race
    if (!plan) return false
    if (this.extent !== 'quick') return samePlan(planOf(state, 'full'), plan)
    const labShown = /** @type {State['labShown']} */ (plan.tasks[0])
    return samePlan(planOf({ ...state, labShown }, 'quick'), plan)
  }

  #changed() {
    const { plan, status, speed } = this.race
    if (status === 'done' && this.#begun > 0 && plan) {
      this.pace = (performance.now() - this.#begun) / 1000 / estimate(plan)
      this.#begun = 0
    }
    // What was held back says nothing about the machine.
    if (status === 'paused' || status === 'stopped' || speed !== 'full') this.#begun = 0
    const wait = status === 'running' ? this.#told + REDRAW - performance.now() : 0
    if (wait <= 0) this.#tell()
    else this.#later ??= setTimeout(() => this.#tell(), wait)
  }

  #tell() {
    clearTimeout(this.#later)
    this.#later = undefined
    this.#told = performance.now()
    for (const listener of [...this.#listeners]) listener()
  }

  close() {
    clearTimeout(this.#later)
    this.#listeners.clear()
    this.race.close()
  }
}
