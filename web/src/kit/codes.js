// The two position codes as a scene needs them, kept while what they depend on stays the same.
import { FIELDS } from '../state/fields.js'

/**
 * @typedef {import('../engine/client.js').RemoteEngine} RemoteEngine
 * @typedef {import('../state/state.js').State} State
 * @typedef {{ data: Float32Array | Float64Array, shape: [number, number] }} Matrix
 */

/**
 * @typedef {object} Learned
 * @property {any} table of the engine, `tMax + grown` rows
 * @property {Matrix} values
 * @property {Uint8Array} gradientRows 1 where training reached the row
 * @property {number | undefined} meanSquaredError after training; undefined with 0 steps
 * @property {number} rows
 * @property {number} [limit] largest absolute value, once a picture has asked for it
 * @property {any} [larger] a copy grown over all positions shown, for the untrained row
 */

/** Names of the state fields that a trained table depends on. */
const TABLE_FIELDS = /** @type {const} */ ([
  'tMax',
  'grown',
  'dModel',
  'seed',
  'steps',
  'rate',
  'scale',
])

/**
 * The training of the table knows one base, that of the paper.
 * @param {import('../text/text.js').Translate} t
 * @param {State} state
 * @param {{ fields: string[] }} scene
 * @returns {string} what to add where the reader may think otherwise
 */
export function baseNote(t, { mode, steps, base }, { fields }) {
  const other = base !== FIELDS.base.initial && fields.includes('base')
  return other && mode === 'learned' && steps > 0 ? ` ${t('learned.base')}` : ''
}

export class Codes {
  #engine
  /** @type {{ key: string, answer: Promise<Matrix> } | undefined} */
  #sinusoidal
  /** @type {{ key: string, answer: Promise<Learned>, controller: AbortController } | undefined} */
  #learned
  /** @type {Map<string, { close: () => void }>} */
  #kept = new Map()

  /** @param {RemoteEngine} engine */
  constructor(engine) {
    this.#engine = engine
  }

  get engine() {
    return this.#engine
  }

  /**
   * What outlives the views of a scene, in whatever language they are: closed with the stage.
   * @template {{ close: () => void }} T
   * @param {string} name
   * @param {() => T} make
   */
  kept(name, make) {
    const known = /** @type {T | undefined} */ (this.#kept.get(name))
    if (known) return known
    const made = make()
    this.#kept.set(name, made)
    return made
  }

  /**
   * @param {State} state
   * @returns {Promise<Matrix>} rows 0 to `length - 1`
   */
  sinusoidal({ length, dModel, base }) {
    const key = [length, dModel, base].join()
    if (this.#sinusoidal?.key !== key) {
      const answer = this.#engine.sinusoidal({ length, dModel, base })
      this.#sinusoidal = { key, answer }
      answer.catch(() => {
        if (this.#sinusoidal?.answer === answer) this.#sinusoidal = undefined
      })
    }
    return this.#sinusoidal.answer
  }

  /**
   * The trained table. Asking for another one stops the training of the one before.
   * @param {State} state
   * @returns {Promise<Learned>}
   */
  learned(state) {
    const key = TABLE_FIELDS.map((name) => state[name]).join()
    if (this.#learned?.key === key) return this.#learned.answer
    this.#drop()
    const controller = new AbortController()
    const answer = this.#train(state, controller.signal)
    this.#learned = { key, answer, controller }
    answer.catch(() => {
      if (this.#learned?.answer === answer) this.#learned = undefined
    })
    return answer
  }

  /** @param {State} state @param {AbortSignal} signal @returns {Promise<Learned>} */
  async #train({ tMax, grown, dModel, seed, steps, rate, scale }, signal) {
    const table = await this.#engine.createTable({ tMax, dModel, seed, scale })
    try {
      let meanSquaredError
      if (steps > 0) {
        const report = await table.trainTowardSinusoid({ steps, learningRate: rate }, { signal })
        meanSquaredError = report.meanSquaredError
      }
      if (grown > 0) await table.grow(tMax + grown)
      const [values, gradientRows] = await Promise.all([table.values(), table.gradientRows()])
      signal.throwIfAborted?.()
      return { table, values, gradientRows, meanSquaredError, rows: tMax + grown }
    } catch (error) {
      await table.dispose()
      throw error
    }
  }

  /**
   * The row of a table that was made as long as the row of seats: trained where training went, its
   * random start beyond.
   * @param {Learned} learned
   * @param {number} position
   * @param {number} length
   * @returns {Promise<Float64Array>}
   */
  async untrainedRow(learned, position, length) {
    if (learned.larger === undefined || learned.larger.length < length) {
      const before = learned.larger
      learned.larger = { length, table: this.#enlarged(learned.table, length) }
      before?.table.then((/** @type {any} */ table) => table.dispose()).catch(() => {})
    }
    const table = await learned.larger.table
    return table.lookup(position, { behaviour: 'raise' })
  }

  /** @param {any} table @param {number} length */
  async #enlarged(table, length) {
    const copy = await this.#engine.restoreTable(await table.snapshot())
    await copy.grow(length)
    return copy
  }

  #drop() {
    const before = this.#learned
    this.#learned = undefined
    if (!before) return
    before.controller.abort()
    before.answer
      .then(async ({ table, larger }) => {
        await table.dispose()
        if (larger) await (await larger.table).dispose()
      })
      .catch(() => {})
  }

  /** Frees what the engine holds for this stage. */
  dispose() {
    this.#drop()
    for (const one of this.#kept.values()) one.close()
    this.#kept.clear()
    this.#sinusoidal = undefined
  }
}
