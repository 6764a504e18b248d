// Wavelengths: the kernel's frequencies under every scaling, and which angles training never showed.
import { ROPE_TYPES } from '../state/fields.js'
import { keep } from './keep.js'

/** @typedef {import('../state/state.js').State} State */

/** Times the training length that the table tells. */
export const TIMES = Object.freeze([2, 4, 8])

/**
 * What a scaling makes of the pairs when a sequence is so long.
 * @typedef {object} Stretched
 * @property {number} length
 * @property {Float64Array} wavelengths
 * @property {Float64Array} unseenFrom the position from which a pair stands at angles that training
 *   never showed; Infinity where it comes to none within the length
 * @property {number} unseen how many pairs do
 * @property {number} attentionFactor
 * @property {number} step of the fastest pair between neighbours, 1 as in training
 * @property {Float64Array} kept frequency of each pair, 1 as in training
 */

/**
 * @typedef {object} WavelengthsModel
 * @property {'wavelengths'} scene
 * @property {State} state
 * @property {number} length that is looked at
 * @property {Float64Array} wavelengths of the training
 * @property {boolean[]} turned
 * @property {Record<string, Stretched>} types at that length
 * @property {Record<string, Stretched[]>} further at 2, 4 and 8 times the training length
 */

/** What depends on the length of the sequence. */
const MOVING = ['dynamic', 'longrope']

/**
 * @param {import('./codes.js').Codes} codes
 * @param {State} state
 * @param {import('./keep.js').Kept} [kept]
 * @returns {Promise<WavelengthsModel>}
 */
export async function compute({ engine }, state, kept = {}) {
  const { ropePairs, ropeBase, ropeFactor, trainedLength, reach } = state
  const length = Math.round(trainedLength * reach)
  const rope = { headDim: 2 * ropePairs, theta: ropeBase }
  const base = await keep(kept, 'default', [ropePairs, ropeBase], async () =>
    engine.ropeFrequencies(rope),
  )
  const trained = base.inverseFrequencies
  const wavelengths = trained.map((/** @type {number} */ speed) => (2 * Math.PI) / speed)
  const turned = Array.from(wavelengths, (positions) => positions <= trainedLength)
  /** @param {string} type @param {number} at */
  const ask = (type, at) => {
    if (type === 'default') return base
    const moving = MOVING.includes(type)
    const key = [ropePairs, ropeBase, ropeFactor, trainedLength, moving && at]
    const slot = moving ? type + (TIMES.indexOf(at / trainedLength) + 1 || 'here') : type
    return keep(kept, slot, key, async () =>
      engine.ropeFrequencies({ ...rope, length: at, scaling: scalingOf(type, state, turned) }),
    )
  }
  /** @param {string} type @param {number} at @returns {Promise<Stretched>} */
  const stretch = async (type, at) => compare(trained, turned, await ask(type, at), state, at)
  const lengths = [length, ...TIMES.map((times) => times * trainedLength)]
  const answers = await Promise.all(
    ROPE_TYPES.map((type) => Promise.all(lengths.map((at) => stretch(type, at)))),
  )
  /** @type {WavelengthsModel} */
  const model = {
    scene: 'wavelengths',
    state,
    length,
    wavelengths,
    turned,
    types: {},
    further: {},
  }
  ROPE_TYPES.forEach((type, i) => {
    const [here, ...further] = answers[i]
    model.types[type] = here
    model.further[type] = further
  })
  return model
}

/**
 * The `rope_scaling` of a config.json.
 * @param {string} type
 * @param {State} state
 * @param {boolean[]} turned
 */
function scalingOf(type, { ropeFactor, trainedLength }, turned) {
  /** @type {import('../engine/rope_options.js').RopeScaling} */
  const scaling = {
    rope_type: type,
    factor: ropeFactor,
    original_max_position_embeddings: trainedLength,
  }
  if (type === 'llama3') return { ...scaling, low_freq_factor: 1, high_freq_factor: 4 }
  if (type !== 'longrope') return scaling
  // A list for demonstration; a published one is found by search. It rises evenly from 1, and reaches
  // the factor at the first pair that has not turned in training.
  const all = turned.indexOf(false)
  const last = Math.max(1, all < 0 ? turned.length - 1 : all)
  const rise = turned.map((_, pair) => 1 + (ropeFactor - 1) * Math.min(1, pair / last))
  return { ...scaling, short_factor: turned.map(() => 1), long_factor: rise }
}

/**
 * @param {Float64Array} trained
 * @param {boolean[]} turned
 * @param {import('../engine/rope_options.js').RopeFrequencies} frequencies
 * @param {State} state
 * @param {number} length
 * @returns {Stretched}
 */
function compare(trained, turned, { inverseFrequencies, attentionFactor }, state, length) {
  const kept = inverseFrequencies.map((speed, pair) => speed / trained[pair])
  const unseenFrom = kept.map((ratio, pair) => {
    // A pair that has turned has shown all its angles. Rounding is no angle that was never seen.
    const from = turned[pair] ? Infinity : state.trainedLength / ratio
    return from < length * (1 - 1e-9) ? from : Infinity
  })
  return {
    length,
    wavelengths: inverseFrequencies.map((speed) => (2 * Math.PI) / speed),
    unseenFrom,
    unseen: unseenFrom.filter(Number.isFinite).length,
    attentionFactor,
    step: kept[0],
    kept,
  }
}
