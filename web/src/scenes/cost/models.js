// What a table costs, and the published models to compare with. Nothing here is trained or computed by
// the kernel: sizes are products of whole numbers.
import { PRESETS } from '../../state/presets.js'

/** @import { State } from '../../state/state.js' */

/**
 * @typedef {object} Size of a table in a model
 * @property {number} rows
 * @property {number} width
 * @property {number} parameters
 * @property {number} bytes
 * @property {number} model parameters of the whole model
 * @property {number} share parameters / model; above 1 where the table is larger
 */

/**
 * @param {Pick<State, 'costRows' | 'costWidth' | 'costModel' | 'costBytes'>} state
 * @returns {Size}
 */
export function sizeOf({ costRows, costWidth, costModel, costBytes }) {
  const parameters = costRows * costWidth
  // Through a whole number of parameters: 4.4 * 1e6 is not one in binary fractions.
  const model = Math.round(costModel * 1e6)
  return {
    rows: costRows,
    width: costWidth,
    parameters,
    bytes: parameters * Number(costBytes),
    model,
    share: parameters / model,
  }
}

/** Models with a published number of parameters; the sources are in the text `cost.source.…`. */
export const MODELS = Object.freeze(/** @type {const} */ (['tiny', 'bert', 'gpt2', 'gpt3']))

/** @param {typeof MODELS[number]} name @param {string} costBytes @returns {Size} */
export function modelSize(name, costBytes) {
  return sizeOf(/** @type {State} */ ({ ...PRESETS.cost[name], costBytes }))
}

/**
 * @param {State} state
 * @returns {typeof MODELS[number] | undefined} the published model that has exactly these sizes
 */
export function modelNamed(state) {
  return MODELS.find((name) =>
    Object.entries(PRESETS.cost[name]).every(
      ([field, value]) => state[/** @type {keyof State} */ (field)] === value,
    ),
  )
}

/**
 * Where the axis of T_max ends: steps of four, so that the line grows under a moving cursor instead of
 * the axis.
 * @param {number} rows
 */
export function axisEnd(rows) {
  let end = 128
  while (end < rows / 0.75) end *= 4
  return end
}

/**
 * @param {number} value
 * @returns {number} the next round number
 */
export function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8].find((step) => value <= step * power) ?? 10)
}
