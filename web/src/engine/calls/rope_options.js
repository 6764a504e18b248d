// The options that describe RoPE, `scaling` as it stands in a model's config.json.

import * as check from './check.js'
import { unwrap } from '../core.js'
import { invalidArgument } from '../errors.js'
import * as limits from './limits.js'

/**
 * @typedef {object} RopeOptions
 * @property {number} headDim even
 * @property {number} [theta] the base; default `scaling.rope_theta`, else 10000
 * @property {RopeScaling | null} [scaling] `rope_scaling` or `rope_parameters` of a config.json
 * @property {number} [maxPositions] the model's `max_position_embeddings`
 * @property {number} [originalMaxPositions] the pretrained context where it stands outside `scaling`
 * @property {number} [length] the current sequence length; default: the pretrained context. It
 *   matters to `dynamic` and `longrope`
 * @property {number} [partialRotaryFactor] default `scaling.partial_rotary_factor`, else 1
 */

/**
 * Keys that the type does not read are ignored, and null counts as absent: a config.json has both.
 * @typedef {object} RopeScaling
 * @property {string} [rope_type] default, linear, ntk, dynamic, yarn, longrope or llama3
 * @property {string} [type] the older name of `rope_type`
 * @property {number | null} [factor] default `maxPositions` / pretrained context
 * @property {number | null} [original_max_position_embeddings] the pretrained context
 * @property {number | null} [attention_factor] of yarn and longrope, instead of their formulas
 * @property {number | null} [beta_fast] of yarn, default 32
 * @property {number | null} [beta_slow] of yarn, default 1
 * @property {number | null} [mscale] of yarn, counts together with `mscale_all_dim`
 * @property {number | null} [mscale_all_dim] of yarn
 * @property {boolean | null} [truncate] of yarn, default true
 * @property {ArrayLike<number> | null} [short_factor] of longrope, rotaryDim / 2 numbers
 * @property {ArrayLike<number> | null} [long_factor] of longrope
 * @property {number | null} [low_freq_factor] of llama3
 * @property {number | null} [high_freq_factor] of llama3
 * @property {number | null} [rope_theta] where `theta` is not given
 * @property {number | null} [partial_rotary_factor] where `partialRotaryFactor` is not given
 */

/**
 * @typedef {object} RopeFrequencies
 * @property {Float64Array} inverseFrequencies radians a position, rotaryDim / 2 of them
 * @property {number} attentionFactor on every cosine and sine
 * @property {number} scoreFactor on the scores besides: of yarn with `mscale_all_dim`
 * @property {number} rotaryDim floor(headDim * partialRotaryFactor)
 */

/**
 * Which angles training has shown, arrays of a number a pair.
 * @typedef {object} Coverage
 * @property {Float64Array} wavelengths positions a turn
 * @property {Float64Array} plainWavelengths the same without the scaling
 * @property {Float64Array} kept share of a pair's speed that the scaling leaves
 * @property {Float64Array} turns in training; from one on every angle was shown
 * @property {Float64Array} unseenFrom the first distance between query and key at an angle that no
 *   trained distance showed; Infinity where there is none
 * @property {number} turned how many pairs turned at least once in training
 * @property {number} unseen how many come to such an angle within the length
 */
/** @typedef {RopeFrequencies & Coverage} RopeCoverage */

export const ropeKeys = /** @type {const} */ ([
  'headDim',
  'theta',
  'scaling',
  'maxPositions',
  'originalMaxPositions',
  'length',
  'partialRotaryFactor',
])

/**
 * Checked options; a key that was not given is not there.
 * @typedef {{ headDim: number, scaling?: Record<string, any>, [key: string]: any }} RopeArguments
 */

const maxFactor = 1e9
const positive = { above: 0, max: maxFactor }
const atLeastZero = { min: 0, max: maxFactor }
const theta = { min: 1, max: 1e100 }
const share = { above: 0, max: 1 }

/** @type {Record<string, { min?: number, max?: number, above?: number }>} */
const numberBounds = {
  factor: { min: 1, max: maxFactor },
  attention_factor: positive,
  beta_fast: positive,
  beta_slow: positive,
  mscale: atLeastZero,
  mscale_all_dim: atLeastZero,
  low_freq_factor: positive,
  high_freq_factor: positive,
  rope_theta: theta,
  partial_rotary_factor: share,
}
const listBounds = { min: 1 / maxFactor, max: maxFactor, maxLength: limits.maxDim / 2 }

const everyType = ['rope_theta', 'partial_rotary_factor']
const scaled = [...everyType, 'factor']
/** Which numbers a type reads. @type {Record<string, string[]>} */
const numbersOfType = {
  default: everyType,
  linear: scaled,
  ntk: scaled,
  dynamic: scaled,
  yarn: [...scaled, 'attention_factor', 'beta_fast', 'beta_slow', 'mscale', 'mscale_all_dim'],
  longrope: [...scaled, 'attention_factor'],
  llama3: [...scaled, 'low_freq_factor', 'high_freq_factor'],
}
/** @type {Record<string, string[]>} */
const listsOfType = { longrope: ['short_factor', 'long_factor'] }
/** @type {Record<string, string[]>} */
const requiredOfType = { ...listsOfType, llama3: ['low_freq_factor', 'high_freq_factor'] }

const scalingKeys = [
  'rope_type',
  'type',
  'original_max_position_embeddings',
  'truncate',
  ...Object.keys(numberBounds),
  ...Object.values(listsOfType).flat(),
]

/**
 * @param {Record<typeof ropeKeys[number], unknown>} read
 * @returns {RopeArguments}
 */
export function checkRope(read) {
  /** @type {RopeArguments} */
  const args = { headDim: check.integer('headDim', read.headDim, 2, limits.maxDim) }
  if (args.headDim % 2 !== 0) {
    const rule = { type: /** @type {const} */ ('integer'), min: 2, max: limits.maxDim }
    throw invalidArgument('headDim', args.headDim, { ...rule, multipleOf: 2 })
  }
  if (read.theta !== undefined) args.theta = check.number('theta', read.theta, theta)
  if (read.partialRotaryFactor !== undefined) {
    args.partialRotaryFactor = check.number('partialRotaryFactor', read.partialRotaryFactor, share)
  }
  for (const key of /** @type {const} */ (['maxPositions', 'originalMaxPositions', 'length'])) {
    if (read[key] !== undefined) args[key] = check.integer(key, read[key], 1, limits.maxPosition)
  }
  // A config.json without scaling says null.
  if (read.scaling !== undefined && read.scaling !== null) args.scaling = checkScaling(read.scaling)
  return args
}

/**
 * @param {unknown} scaling
 * @returns {Record<string, any>} the keys that its type reads
 */
function checkScaling(scaling) {
  const read = check.fields(scaling, scalingKeys, 'scaling')
  for (const key of scalingKeys) if (read[key] === null) read[key] = undefined
  const typeKey = read.rope_type === undefined && read.type !== undefined ? 'type' : 'rope_type'
  const type = check.choice(typeKey, read[typeKey], Object.keys(numbersOfType))
  const required = requiredOfType[type] ?? []
  /** @param {string} key */
  const isDue = (key) => read[key] !== undefined || required.includes(key)

  /** @type {Record<string, any>} */
  const args = { rope_type: type }
  for (const key of numbersOfType[type].filter(isDue)) {
    args[key] = check.number(key, read[key], numberBounds[key])
  }
  for (const key of (listsOfType[type] ?? []).filter(isDue)) {
    args[key] = check.numbers(key, read[key], listBounds)
  }
  if (type === 'default') return args
  const key = 'original_max_position_embeddings'
  if (isDue(key)) args[key] = check.integer(key, read[key], 1, limits.maxPosition)
  if (type === 'yarn' && isDue('truncate')) args.truncate = check.boolean('truncate', read.truncate)
  return args
}

/**
 * @param {import('../core.js').Core} core
 * @param {'ropeFrequencies' | 'ropeCoverage'} call
 * @param {RopeArguments} args
 */
export function askRope(core, call, args) {
  // The core knows NaN for what is missing and a length for a list: the caller's own value says more.
  const missing = Object.fromEntries(scalingKeys.map((key) => [key, undefined]))
  const result = unwrap(core[call](args), { ...missing, ...args.scaling, ...args })
  delete result.ok
  return result
}

/**
 * @param {import('../core.js').Core} core
 * @param {RopeArguments} args
 * @returns {RopeFrequencies}
 */
export const frequenciesOf = (core, args) => askRope(core, 'ropeFrequencies', args)
