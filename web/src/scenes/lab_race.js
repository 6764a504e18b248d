// The race of the length lab: every model of a plan is trained in a worker of its own, as many at
// once as there are lanes. What comes of an entry depends on the plan alone, not on lanes, pauses,
// speed or workers that died.
import { entriesOf } from './lab_entry.js'

/**
 * @typedef {import('./lab_entry.js').Curve} Curve
 * @typedef {import('./lab_entry.js').Entry} Entry
 * @typedef {import('./lab_plan.js').Plan} Plan
 * @typedef {import('../engine/client.js').ConnectOptions} ConnectOptions
 */

/** @typedef {'idle' | 'running' | 'paused' | 'done' | 'stopped'} RaceStatus */
/** @typedef {'slow' | 'normal' | 'full'} Speed steps to watch, to follow, as many as the machine can */

/**
 * @typedef {object} RaceOptions
 * @property {(options: ConnectOptions) => Promise<any>} connect to an engine with a worker of its own:
 *   `connectEngine`
 * @property {number} lanes how many workers at once
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
  /** @type {Entry[]} */
  entries = []
  /** @type {Speed} */
  speed = 'full'

  #options

  /** @param {RaceOptions} options */
  constructor(options) {
    this.#options = options
  }

  /**
   * Begins anew, whatever was running before.
   * @param {Plan} plan is copied
   */
  start(plan) {
    this.plan = structuredClone(plan)
    this.entries = entriesOf(this.plan)
    this.status = 'running'
    this.#options.onChange()
  }

  /** Every lane halts after the steps under way. */
  pause() {
    if (this.status === 'running') this.status = 'paused'
  }

  resume() {
    if (this.status === 'paused') this.status = 'running'
  }

  /** Ends the run; what is finished stays. */
  stop() {
    if (this.status === 'running' || this.status === 'paused') this.status = 'stopped'
  }
}
