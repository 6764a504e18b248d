// The calls about RoPE and its scalings, ALiBi, T5 bias, randomized positions and the precision of
// angles; types.d.ts says what they give. `scaling` is read as it stands in a model's config.json.
import { found, unwrap } from '../core.js'
import { invalidArgument } from '../errors.js'
import * as check from './check.js'
import { flag, int, ints, maybe, num, nums, oneOf, taking } from './check.js'
import * as limits from './limits.js'
import { firstElements, firstSines, mostElements, pieces } from './slices.js'

/** @import { Calls, Core, Pace } from '../types.js' */

const { maxPosition } = limits
const layouts = ['interleaved', 'half-split']
const formats = ['float32', 'bfloat16', 'float16']

// RoPE

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

/** @param {unknown} scaling @returns {Record<string, any>} the keys that its type reads */
function checkScaling(scaling) {
  const read = check.fields(scaling, scalingKeys, 'scaling')
  for (const key of scalingKeys) if (read[key] === null) read[key] = undefined
  const typeKey = read.rope_type === undefined && read.type !== undefined ? 'type' : 'rope_type'
  const type = check.choice(typeKey, read[typeKey], Object.keys(numbersOfType))
  const required = requiredOfType[type] ?? []
  const isDue = (/** @type {string} */ key) => read[key] !== undefined || required.includes(key)

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
  if (isDue(key)) args[key] = check.integer(key, read[key], 1, maxPosition)
  if (type === 'yarn' && isDue('truncate')) args.truncate = check.boolean('truncate', read.truncate)
  return args
}

/** @type {Record<string, import('./check.js').Field>} */
const ropeFields = {
  headDim(name, value) {
    const size = check.integer(name, value, 2, limits.maxDim)
    if (size % 2 === 0) return size
    throw invalidArgument(name, size, {
      type: 'integer',
      min: 2,
      max: limits.maxDim,
      multipleOf: 2,
    })
  },
  theta: maybe(num(theta)),
  partialRotaryFactor: maybe(num(share)),
  maxPositions: maybe(int(1, maxPosition)),
  originalMaxPositions: maybe(int(1, maxPosition)),
  length: maybe(int(1, maxPosition)),
  // A config.json without scaling says null.
  scaling: (_, value) => (value === undefined || value === null ? undefined : checkScaling(value)),
}

/** @param {Core} core @param {'ropeFrequencies' | 'ropeCoverage'} call @param {any} args */
function askRope(core, call, args) {
  // The core knows NaN for what is missing and a length for a list: the caller's own value says more.
  const missing = Object.fromEntries(scalingKeys.map((key) => [key, undefined]))
  return found(core[call](args), { ...missing, ...args.scaling, ...args })
}

/** Of the fields of RoPE and others those of RoPE. @param {any} args */
const ropeOf = (args) =>
  Object.fromEntries(Object.entries(args).filter(([key]) => Object.hasOwn(ropeFields, key)))

// Biases

const manyPositions = ints(({ headDim }) => ({
  min: 0,
  max: maxPosition,
  maxLength: Math.floor(limits.maxMatrixSize / headDim),
}))
/** Of a vector that is turned, or of a bias. */
const entry = { min: -limits.maxEntry, max: limits.maxEntry }

const shapeFields = {
  heads: int(1, limits.maxHeads),
  queries: int(0, maxPosition),
  keys: int(
    0,
    ({ heads, queries }) =>
      Math.min(Math.floor(limits.maxMatrixSize / (heads * Math.max(queries, 1))), maxPosition),
    undefined,
    ['heads', 'queries'],
  ),
}
const bucketFields = {
  bidirectional: flag(true),
  numBuckets: int(({ bidirectional }) => (bidirectional ? 4 : 2), limits.maxDim, 32),
  // The first half of the buckets of a side hold one distance each, so the last must lie beyond: the
  // usual one is checked as well.
  maxDistance: /** @type {import('./check.js').Field} */ (
    (name, value = 128, { bidirectional, numBuckets }) => {
      const least = Math.floor(numBuckets / (bidirectional ? 4 : 2)) + 1
      return check.integer(name, value, least, maxPosition, ['numBuckets'])
    }
  ),
}

/** @param {'alibiBias' | 't5Bias'} call @returns {import('../types.js').Call['run']} */
const biasInPieces = (call) =>
  function* run(core, args, pace) {
    const { heads, queries, keys } = args
    const data = new Float32Array(heads * queries * keys)
    yield* pieces(data.length, pace, firstElements, mostElements, (first, count) => {
      data.set(unwrap(core[call]({ ...args, first, count })).data, first)
    })
    return { data, shape: [heads, queries, keys] }
  }

/** @type {Calls} */
export const familyCalls = {
  ropeFrequencies: {
    check: taking(ropeFields),
    run: (core, args) => askRope(core, 'ropeFrequencies', args),
  },
  ropeCoverage: {
    check: taking({
      ...ropeFields,
      trainedLength: int(1, maxPosition),
      trainedFurther: int(0, maxPosition, 0),
      window: int(1, maxPosition, maxPosition),
    }),
    run: (core, args) => askRope(core, 'ropeCoverage', args),
  },
  ropeRotate: {
    check: taking({
      ...ropeFields,
      positions: manyPositions,
      vectors: nums(({ positions, headDim }) => ({ ...entry, length: positions.length * headDim })),
      layout: oneOf(layouts, layouts[0]),
      applyAttentionFactor: flag(false),
    }),
    *run(core, args, pace) {
      const { vectors, positions, layout, applyAttentionFactor, headDim } = args
      const { inverseFrequencies, attentionFactor } = askRope(core, 'ropeFrequencies', ropeOf(args))
      const magnitude = applyAttentionFactor ? attentionFactor : 1
      const rows = positions.length
      const data = new Float32Array(rows * headDim)
      const most = mostElements / headDim
      yield* pieces(rows, pace, firstSines / headDim, most, (row, count) => {
        const answer = core.ropeRotate({
          ...{ inverseFrequencies, layout, headDim, magnitude },
          vectors: vectors.subarray(row * headDim, (row + count) * headDim),
          positions: positions.subarray(row, row + count),
        })
        data.set(unwrap(answer).data, row * headDim)
      })
      return { data, shape: [rows, headDim] }
    },
  },
  alibiSlopes: {
    check: taking({ heads: int(1, limits.maxHeads) }),
    run: (core, args) => unwrap(core.alibiSlopes(args)).data,
  },
  alibiBias: {
    check: taking({ ...shapeFields, causal: flag(true) }),
    run: biasInPieces('alibiBias'),
  },
  t5Buckets: {
    check: taking({ ...bucketFields, offsets: ints({ min: -maxPosition, max: maxPosition }) }),
    *run(core, args, pace) {
      const { offsets } = args
      const buckets = new Int32Array(offsets.length)
      yield* pieces(offsets.length, pace, firstSines, mostElements, (from, count) => {
        const piece = { ...args, offsets: offsets.subarray(from, from + count) }
        buckets.set(unwrap(core.t5Buckets(piece)).data, from)
      })
      return buckets
    },
  },
  t5Bias: {
    check: taking({
      ...shapeFields,
      ...bucketFields,
      values: nums(({ numBuckets, heads }) => ({ ...entry, length: numBuckets * heads })),
    }),
    run: biasInPieces('t5Bias'),
  },
  randomizedPositions: {
    check: taking({
      maxPosition: int(0, maxPosition),
      length: int(
        0,
        ({ maxPosition: last }) => Math.min(last + 1, limits.maxRandomizedLength),
        undefined,
        ['maxPosition'],
      ),
      seed: int(0, limits.maxSeed, 42),
    }),
    run: (core, args) => unwrap(core.randomizedPositions(args)).data,
  },
  positionPrecision: {
    check: taking({
      ...ropeFields,
      format: oneOf(formats),
      positions: manyPositions,
      searchEnd: int(0, maxPosition, maxPosition),
    }),
    run: precision,
  },
}

/** @param {Core} core @param {any} args @param {Pace} pace @returns {import('../types.js').Sliced} */
function* precision(core, args, pace) {
  const { format, positions, searchEnd, headDim } = args
  const { inverseFrequencies } = askRope(core, 'ropeFrequencies', ropeOf(args))
  const total = positions.length + searchEnd
  const maxErrors = new Float64Array(positions.length)
  for (let from = 0; from < positions.length;) {
    const count = pace.take(positions.length - from, firstSines / headDim, mostElements)
    const piece = positions.subarray(from, from + count)
    const answer = core.positionErrors({ inverseFrequencies, format, positions: piece })
    maxErrors.set(unwrap(answer).data, from)
    from += count
    yield { done: from, total }
  }
  let collision = -1
  for (let from = 0; from < searchEnd && collision < 0;) {
    const end = from + pace.take(searchEnd - from, firstElements, mostElements)
    const answer = core.firstCollision({ inverseFrequencies, format, begin: from, end })
    collision = unwrap(answer).position
    from = end
    yield { done: positions.length + from, total }
  }
  return { maxErrors, firstCollision: collision < 0 ? null : collision }
}
