// A table in training that stays alive in the engine: more steps of the same table are trained on from
// where it stands, anything else begins anew. One call at a time, however fast the reader asks.
import { EngineError } from '../../engine/errors.js'
import { FIELDS } from '../../state/fields.js'
import { largestAbsolute, rowDistances } from '../../kit/numbers.js'

/**
 * @typedef {import('../../engine/client.js').RemoteEngine} RemoteEngine
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Matrix} Matrix
 */

/**
 * The table after some steps.
 * @typedef {object} Standing
 * @property {number} steps
 * @property {Matrix} values
 * @property {number} loss mean squared error, from the kernel
 * @property {Float64Array} distances of each row to its target
 * @property {Matrix} start before the first step
 * @property {number} startLoss
 * @property {Float64Array} startDistances
 * @property {Matrix} target
 * @property {number} largest absolute value of the start and the target: training never leaves it
 * @property {Curve} curve of this table, as far as it was ever trained
 */

/** @typedef {Omit<Standing, 'steps' | 'values' | 'loss' | 'distances'>} Base */
/** @typedef {{ steps: number[], losses: number[] }} Curve steps rise */

/** Training ends here. */
export const LAST_STEP = /** @type {import('../../state/fields.js').NumberRule} */ (
  FIELDS.steps.rule
).max

const TABLE_FIELDS = /** @type {const} */ (['tMax', 'dModel', 'seed', 'rate', 'scale'])

/** A jump over many steps leaves a point of the loss curve at every multiple of this. */
const STRIDE = 25

export class TrainingRun {
  #engine
  /** @type {Promise<unknown>} */
  #queue = Promise.resolve()
  #request = 0
  #closed = false
  /** @type {any} */
  #table
  #key = ''
  #steps = 0
  #loss = NaN
  /** @type {Base | undefined} */
  #base
  /** @type {{ key: string, matrix: Matrix } | undefined} */
  #target

  /** @param {RemoteEngine} engine */
  constructor(engine) {
    this.#engine = engine
  }

  /**
   * @param {State} state
   * @returns {Promise<Standing>} rejects with `aborted` once a newer wish has come
   */
  at(state) {
    this.#request += 1
    const request = this.#request
    const turn = this.#queue.then(() => this.#attempt(state, request))
    this.#queue = turn.catch(() => {})
    return turn
  }

  /** Frees the table; later wishes are rejected. */
  close() {
    this.#closed = true
    this.#queue = this.#queue.then(() => this.#drop())
  }

  /**
   * @param {State} state
   * @param {number} request
   * @returns {Promise<Standing>}
   */
  async #attempt(state, request) {
    try {
      return await this.#train(state, request)
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error)
      if (code === 'aborted') throw error
      await this.#drop()
      // The state says everything that a new table needs to come to the same numbers.
      if (code === 'worker-lost') return this.#train(state, request)
      throw error
    }
  }

  /**
   * @param {State} state
   * @param {number} request
   * @returns {Promise<Standing>}
   */
  async #train(state, request) {
    this.#assertWanted(request)
    const key = TABLE_FIELDS.map((name) => state[name]).join()
    if (!this.#table || key !== this.#key || state.steps < this.#steps) {
      await this.#begin(state, key, request)
    }
    while (this.#steps < state.steps) {
      this.#assertWanted(request)
      const steps = Math.min(state.steps - this.#steps, STRIDE - (this.#steps % STRIDE))
      await this.#advance(steps, state.rate)
    }
    this.#assertWanted(request)
    const values = await this.#table.values()
    const base = /** @type {Base} */ (this.#base)
    const distances = rowDistances(values, base.target)
    return { ...base, steps: this.#steps, values, loss: this.#loss, distances }
  }

  /**
   * @param {State} state
   * @param {string} key
   * @param {number} request
   */
  async #begin(state, key, request) {
    const { tMax, dModel, seed, rate, scale } = state
    const before = key === this.#key ? this.#base : undefined
    await this.#drop()
    this.#assertWanted(request)
    this.#table = await this.#engine.createTable({ tMax, dModel, seed, scale })
    this.#key = key
    this.#steps = 0
    if (before) {
      // The same table again, for fewer steps: its start, target and curve are known.
      this.#base = before
      this.#loss = before.startLoss
      return
    }
    const curve = { steps: [], losses: [] }
    this.#base = undefined
    const start = await this.#table.values()
    const target = await this.#targetOf(tMax, dModel)
    const { meanSquaredError } = await this.#table.trainTowardSinusoid({
      steps: 0,
      learningRate: rate,
    })
    this.#base = {
      start,
      startLoss: meanSquaredError,
      startDistances: rowDistances(start, target),
      target,
      largest: largestAbsolute(target.data, largestAbsolute(start.data)),
      curve,
    }
    this.#enter(meanSquaredError)
  }

  /**
   * @param {number} steps
   * @param {number} learningRate
   */
  async #advance(steps, learningRate) {
    const report = await this.#table.trainTowardSinusoid({ steps, learningRate })
    this.#steps = report.steps
    this.#enter(report.meanSquaredError)
  }

  /** @param {number} loss at the present step */
  #enter(loss) {
    this.#loss = loss
    const { steps, losses } = /** @type {Base} */ (this.#base).curve
    if (steps.length > 0 && steps[steps.length - 1] >= this.#steps) return
    steps.push(this.#steps)
    losses.push(loss)
  }

  /**
   * What the rows are pulled towards, exactly as the kernel's training has it: from zeros, one step at
   * a rate of T_max walks the whole way.
   * @param {number} tMax
   * @param {number} dModel
   * @returns {Promise<Matrix>}
   */
  async #targetOf(tMax, dModel) {
    const key = `${tMax} ${dModel}`
    if (this.#target?.key === key) return this.#target.matrix
    const table = await this.#engine.createTable({ tMax, dModel, seed: 0, scale: 0 })
    try {
      await table.trainTowardSinusoid({ steps: 1, learningRate: tMax })
      const matrix = await table.values()
      this.#target = { key, matrix }
      return matrix
    } finally {
      await table.dispose()
    }
  }

  /** @param {number} request */
  #assertWanted(request) {
    if (!this.#closed && request === this.#request) return
    throw new EngineError('aborted', 'A newer state is wanted.', { reason: 'superseded' })
  }

  async #drop() {
    const table = this.#table
    this.#table = undefined
    try {
      await table?.dispose()
    } catch {
      // It went with its worker or its engine.
    }
  }
}

/**
 * How far the rows have come: each step shortens every row's distance by the same factor, so that the
 * share is the same for all of them and the kernel's two errors tell it.
 * @param {{ loss: number, startLoss: number }} model
 * @returns {number} 0 to 1
 */
export function shareWalked({ loss, startLoss }) {
  return startLoss > 0 ? 1 - Math.sqrt(loss / startLoss) : 1
}

/**
 * @param {{ state: State }} model
 * @param {State} state
 * @returns {boolean} whether it is about the same table, whatever the step
 */
export function isOf(model, state) {
  return TABLE_FIELDS.every((name) => Object.is(model.state[name], state[name]))
}
