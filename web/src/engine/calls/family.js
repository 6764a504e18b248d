// The calls about RoPE and its scalings, ALiBi, T5 bias, randomized positions and the precision of
// angles; a part of the table in calls.js, where `check` and `run` are explained.

import * as check from './check.js'
import { unwrap } from '../core.js'
import * as limits from './limits.js'
import { askRope, checkRope, frequenciesOf, ropeKeys } from './rope_options.js'

/** @typedef {import('../core.js').Core} Core */
/** @typedef {import('./rope_options.js').RopeArguments} RopeArguments */
/** @typedef {import('./rope_options.js').RopeFrequencies} RopeFrequencies */
/** @typedef {import('./slices.js').Pace} Pace */
/**
 * @template R
 * @typedef {import('./slices.js').Sliced<R>} Sliced
 */

/** @typedef {'interleaved' | 'half-split'} RopeLayout pairs (2j, 2j + 1) or (j, j + rotaryDim / 2) */
/** @type {RopeLayout[]} */
const layouts = ['interleaved', 'half-split']

/** @typedef {'float32' | 'bfloat16' | 'float16'} NumberFormat */
/** @type {NumberFormat[]} */
const formats = ['float32', 'bfloat16', 'float16']

/** @typedef {{ data: Float32Array, shape: [heads: number, queries: number, keys: number] }} Bias */

/** Units of work in a first slice: a few milliseconds on the slowest machine. */
const firstElements = 2 ** 16
const firstSines = 2 ** 13
/** Elements that cross into WebAssembly at a time; its memory never shrinks. */
const mostElements = 2 ** 20

const ropeFrequencies = {
  /** @param {unknown} options */
  check: (options) => checkRope(check.fields(options, ropeKeys)),
  /**
   * @param {Core} core
   * @param {RopeArguments} args
   * @returns {RopeFrequencies}
   */
  run: frequenciesOf,
}

const ropeCoverage = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, [...ropeKeys, 'trainedLength', 'trainedFurther', 'window'])
    const most = limits.maxPosition
    const { trainedLength, trainedFurther = 0, window = most } = read
    return {
      ...checkRope(read),
      trainedLength: check.integer('trainedLength', trainedLength, 1, most),
      trainedFurther: check.integer('trainedFurther', trainedFurther, 0, most),
      window: check.integer('window', window, 1, most),
    }
  },
  /**
   * @param {Core} core
   * @param {RopeArguments} args
   * @returns {import('./rope_options.js').RopeCoverage}
   */
  run: (core, args) => askRope(core, 'ropeCoverage', args),
}

const rotateKeys = /** @type {const} */ ([
  ...ropeKeys,
  'vectors',
  'positions',
  'layout',
  'applyAttentionFactor',
])

const ropeRotate = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, rotateKeys)
    const rope = checkRope(read)
    const positions = check.integers('positions', read.positions, {
      min: 0,
      max: limits.maxPosition,
      maxLength: Math.floor(limits.maxMatrixSize / rope.headDim),
    })
    const vectors = check.numbers('vectors', read.vectors, {
      min: -limits.maxEntry,
      max: limits.maxEntry,
      length: positions.length * rope.headDim,
    })
    const layout =
      read.layout === undefined ? layouts[0] : check.choice('layout', read.layout, layouts)
    const applyAttentionFactor =
      read.applyAttentionFactor === undefined
        ? false
        : check.boolean('applyAttentionFactor', read.applyAttentionFactor)
    return { rope, vectors, positions, layout, applyAttentionFactor }
  },
  /**
   * @param {Core} core
   * @param {{ rope: RopeArguments, vectors: Float64Array, positions: Float64Array,
   *   layout: RopeLayout, applyAttentionFactor: boolean }} args
   * @param {Pace} pace
   * @returns {Sliced<{ data: Float32Array, shape: [rows: number, columns: number] }>}
   */
  *run(core, { rope, vectors, positions, layout, applyAttentionFactor }, pace) {
    const { inverseFrequencies, attentionFactor } = frequenciesOf(core, rope)
    const magnitude = applyAttentionFactor ? attentionFactor : 1
    const rows = positions.length
    const columns = rope.headDim
    const data = new Float32Array(rows * columns)
    for (let row = 0; row < rows;) {
      const end = row + pace.take(rows - row, firstSines / columns, mostElements / columns)
      const answer = core.ropeRotate({
        inverseFrequencies,
        layout,
        headDim: columns,
        magnitude,
        vectors: vectors.subarray(row * columns, end * columns),
        positions: positions.subarray(row, end),
      })
      data.set(unwrap(answer).data, row * columns)
      row = end
      if (row < rows) yield { done: row, total: rows }
    }
    return { data, shape: [rows, columns] }
  },
}

const alibiSlopes = {
  /** @param {unknown} options */
  check(options) {
    const { heads } = check.fields(options, ['heads'])
    return { heads: check.integer('heads', heads, 1, limits.maxHeads) }
  },
  /**
   * @param {Core} core
   * @param {{ heads: number }} args
   * @returns {Float64Array}
   */
  run: (core, { heads }) => unwrap(core.alibiSlopes({ heads })).data,
}

/** @typedef {{ heads: number, queries: number, keys: number }} BiasShape */

/**
 * @param {Record<'heads' | 'queries' | 'keys', unknown>} read
 * @returns {BiasShape}
 */
function checkBiasShape(read) {
  const heads = check.integer('heads', read.heads, 1, limits.maxHeads)
  const queries = check.integer('queries', read.queries, 0, limits.maxPosition)
  const most = Math.floor(limits.maxMatrixSize / (heads * Math.max(queries, 1)))
  const given = ['heads', 'queries']
  const keys = check.integer('keys', read.keys, 0, Math.min(most, limits.maxPosition), given)
  return { heads, queries, keys }
}

/**
 * @template {BiasShape} A
 * @param {A} args
 * @param {Pace} pace
 * @param {(piece: A & { first: number, count: number }) => import('../core.js').CoreAnswer} compute
 * @returns {Sliced<Bias>}
 */
function* biasInPieces(args, pace, compute) {
  const { heads, queries, keys } = args
  const total = heads * queries * keys
  const data = new Float32Array(total)
  for (let first = 0; first < total;) {
    const count = pace.take(total - first, firstElements, mostElements)
    data.set(unwrap(compute({ ...args, first, count })).data, first)
    first += count
    if (first < total) yield { done: first, total }
  }
  return { data, shape: [heads, queries, keys] }
}

const alibiBias = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['heads', 'queries', 'keys', 'causal'])
    const causal = read.causal === undefined ? true : check.boolean('causal', read.causal)
    return { ...checkBiasShape(read), causal }
  },
  /**
   * @param {Core} core
   * @param {BiasShape & { causal: boolean }} args
   * @param {Pace} pace
   * @returns {Sliced<Bias>}
   */
  run: (core, args, pace) => biasInPieces(args, pace, (piece) => core.alibiBias(piece)),
}

/** @typedef {{ bidirectional: boolean, numBuckets: number, maxDistance: number }} Buckets */

/**
 * @param {Record<keyof Buckets, unknown>} read
 * @returns {Buckets}
 */
function checkBuckets(read) {
  const bidirectional =
    read.bidirectional === undefined ? true : check.boolean('bidirectional', read.bidirectional)
  const numBuckets =
    read.numBuckets === undefined
      ? 32
      : check.integer('numBuckets', read.numBuckets, bidirectional ? 4 : 2, limits.maxDim)
  // The first half of the buckets of a side hold one distance each, so the last must lie beyond.
  const least = Math.floor(numBuckets / (bidirectional ? 4 : 2)) + 1
  const maxDistance = check.integer(
    'maxDistance',
    read.maxDistance === undefined ? 128 : read.maxDistance,
    least,
    limits.maxPosition,
    ['numBuckets'],
  )
  return { bidirectional, numBuckets, maxDistance }
}

const t5Buckets = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['offsets', 'bidirectional', 'numBuckets', 'maxDistance'])
    const offsets = check.integers('offsets', read.offsets, {
      min: -limits.maxPosition,
      max: limits.maxPosition,
    })
    return { ...checkBuckets(read), offsets }
  },
  /**
   * @param {Core} core
   * @param {Buckets & { offsets: Float64Array }} args
   * @param {Pace} pace
   * @returns {Sliced<Int32Array>}
   */
  *run(core, args, pace) {
    const total = args.offsets.length
    const buckets = new Int32Array(total)
    for (let from = 0; from < total;) {
      const end = from + pace.take(total - from, firstSines, mostElements)
      const answer = core.t5Buckets({ ...args, offsets: args.offsets.subarray(from, end) })
      buckets.set(unwrap(answer).data, from)
      from = end
      if (from < total) yield { done: from, total }
    }
    return buckets
  },
}

const t5BiasKeys = /** @type {const} */ ([
  'values',
  'heads',
  'queries',
  'keys',
  'bidirectional',
  'numBuckets',
  'maxDistance',
])

const t5Bias = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, t5BiasKeys)
    const shape = checkBiasShape(read)
    const buckets = checkBuckets(read)
    const values = check.numbers('values', read.values, {
      min: -limits.maxEntry,
      max: limits.maxEntry,
      length: buckets.numBuckets * shape.heads,
    })
    return { ...buckets, ...shape, values }
  },
  /**
   * @param {Core} core
   * @param {Buckets & BiasShape & { values: Float64Array }} args
   * @param {Pace} pace
   * @returns {Sliced<Bias>}
   */
  run: (core, args, pace) => biasInPieces(args, pace, (piece) => core.t5Bias(piece)),
}

const randomizedPositions = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['length', 'maxPosition', 'seed'])
    const maxPosition = check.integer('maxPosition', read.maxPosition, 0, limits.maxPosition)
    const most = Math.min(maxPosition + 1, limits.maxRandomizedLength)
    const length = check.integer('length', read.length, 0, most, ['maxPosition'])
    const seed = read.seed === undefined ? 42 : check.integer('seed', read.seed, 0, limits.maxSeed)
    return { length, maxPosition, seed }
  },
  /**
   * @param {Core} core
   * @param {{ length: number, maxPosition: number, seed: number }} args
   * @returns {Int32Array}
   */
  run: (core, args) => unwrap(core.randomizedPositions(args)).data,
}

const precisionKeys = /** @type {const} */ ([...ropeKeys, 'format', 'positions', 'searchEnd'])

/**
 * @typedef {object} PositionPrecision
 * @property {Float64Array} maxErrors for each position, the largest error of a cosine over all
 *   pairs; NaN where an angle has no room in the format
 * @property {number | null} firstCollision the smallest position whose angles all equal those of
 *   the next one; null where there is none below `searchEnd`
 */

const positionPrecision = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, precisionKeys)
    const rope = checkRope(read)
    const format = check.choice('format', read.format, formats)
    const positions = check.integers('positions', read.positions, {
      min: 0,
      max: limits.maxPosition,
      maxLength: Math.floor(limits.maxMatrixSize / rope.headDim),
    })
    const { maxPosition } = limits
    const searchEnd =
      read.searchEnd === undefined
        ? maxPosition
        : check.integer('searchEnd', read.searchEnd, 0, maxPosition)
    return { rope, format, positions, searchEnd }
  },
  /**
   * @param {Core} core
   * @param {{ rope: RopeArguments, format: NumberFormat, positions: Float64Array,
   *   searchEnd: number }} args
   * @param {Pace} pace
   * @returns {Sliced<PositionPrecision>}
   */
  *run(core, { rope, format, positions, searchEnd }, pace) {
    const { inverseFrequencies } = frequenciesOf(core, rope)
    const total = positions.length + searchEnd
    const maxErrors = new Float64Array(positions.length)
    for (let from = 0; from < positions.length;) {
      const count = pace.take(positions.length - from, firstSines / rope.headDim, mostElements)
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
  },
}

export const familyCalls = {
  ropeFrequencies,
  ropeCoverage,
  ropeRotate,
  alibiSlopes,
  alibiBias,
  t5Buckets,
  t5Bias,
  randomizedPositions,
  positionPrecision,
}
