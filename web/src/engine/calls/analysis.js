// The calls about codes rather than of codes: similarity, rotation, phasors, spread, attention; a
// part of the table in calls.js, where `check` and `run` are explained.

import * as check from './check.js'
import { matrixOf, unwrap } from '../core.js'
import { invalidArgument } from '../errors.js'
import * as limits from './limits.js'

/** @typedef {import('../core.js').Core} Core */
/** @typedef {import('./slices.js').Pace} Pace */
/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('../core.js').Matrix<T>} Matrix
 */

/** Units of work in a first slice: a few milliseconds on the slowest machine. */
const firstElements = 2 ** 16
const firstSines = 2 ** 13
/** Elements copied into WebAssembly at a time, so that its memory, which never shrinks, stays small. */
const mostElements = 2 ** 20

const similarity = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['data', 'shape', 'row', 'measure'])
    const { data, rows, columns } = check.matrix('', read, {
      minRows: 1,
      minColumns: 1,
      maxColumns: limits.maxDim,
    })
    const row = check.integer('row', read.row, 0, rows - 1)
    const measure =
      read.measure === undefined ? 'cosine' : check.choice('measure', read.measure, limits.measures)
    return { data, rows, columns, row, measure }
  },
  /**
   * @param {Core} core
   * @param {{ data: Float64Array, rows: number, columns: number, row: number, measure: string }} args
   * @param {Pace} pace
   * @returns {import('./slices.js').Sliced<Float64Array>}
   */
  *run(core, { data, rows, columns, row, measure }, pace) {
    const result = new Float64Array(rows)
    const compared = data.subarray(row * columns, (row + 1) * columns)
    for (let from = 0; from < rows;) {
      const count = pace.take(rows - from, firstElements / columns, mostElements / columns)
      // The row that all are compared with goes before each piece.
      const piece = new Float64Array((count + 1) * columns)
      piece.set(compared)
      piece.set(data.subarray(from * columns, (from + count) * columns), columns)
      const answer = unwrap(core.similarity(piece, count + 1, columns, 0, measure))
      result.set(answer.data.subarray(1), from)
      // Only the core knows that a row is itself, whose cosine is exactly 1.
      if (row >= from && row < from + count) result[row] = answer.data[0]
      from += count
      if (from < rows) yield { done: from, total: rows }
    }
    return result
  },
}

const offsetProfile = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['dModel', 'base', 'position', 'offsets'])
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
    const base = read.base === undefined ? 10000 : check.number('base', read.base, { min: 1 })
    const position = check.integer('position', read.position, 0, limits.maxPosition)
    const offsets = check.integers('offsets', read.offsets, {
      min: -position,
      max: limits.maxPosition - position,
      maxLength: Math.floor(limits.maxMatrixSize / dModel),
    })
    return { dModel, base, position, offsets: Int32Array.from(offsets) }
  },
  /**
   * @param {Core} core
   * @param {{ dModel: number, base: number, position: number, offsets: Int32Array }} args
   * @param {Pace} pace
   * @returns {import('./slices.js').Sliced<Float64Array>}
   */
  *run(core, { dModel, base, position, offsets }, pace) {
    const result = new Float64Array(offsets.length)
    for (let from = 0; from < offsets.length;) {
      const count = pace.take(offsets.length - from, firstSines / dModel, mostElements)
      const piece = offsets.slice(from, from + count)
      result.set(unwrap(core.offsetProfile(dModel, base, position, piece)).data, from)
      from += count
      if (from < offsets.length) yield { done: from, total: offsets.length }
    }
    return result
  },
}

/**
 * How well it does is measured on rows of the code. An odd dModel ends with a sine that no rotation
 * can carry, because its cosine is not in the code.
 * @typedef {object} RotationError
 * @property {number} error largest difference between R PE(p) and PE(p + offset)
 * @property {number} rotatedDims leading dimensions that the rotation carries
 * @property {number} rotatedError the same as `error` over these alone
 */
/** @typedef {Matrix<Float64Array> & RotationError} Rotation */

const blockRotation = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['dModel', 'base', 'offset'])
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxRotationDim)
    const base = read.base === undefined ? 10000 : check.number('base', read.base, { min: 1 })
    const offset = check.integer('offset', read.offset, -limits.maxPosition, limits.maxPosition)
    return { dModel, base, offset }
  },
  /**
   * @param {Core} core
   * @param {{ dModel: number, base: number, offset: number }} args
   * @returns {Rotation}
   */
  run(core, { dModel, base, offset }) {
    const answer = unwrap(core.blockRotation(dModel, base, offset))
    const { error, rotatedDims, rotatedError } = answer
    return { ...matrixOf(answer), error, rotatedDims, rotatedError }
  },
}

/**
 * The pairs of dimensions as turning hands, fastest first.
 * @typedef {object} Phasors
 * @property {Float64Array} frequency radians a position
 * @property {Float64Array} wavelength positions a turn
 * @property {Float64Array} angle at the position, radians, not reduced to one turn
 * @property {Float64Array} sine PE(position, 2i)
 * @property {Float64Array} cosine PE(position, 2i + 1)
 * @property {boolean} hasLoneSine the last cosine is not in the code: dModel is odd
 */

const pairPhasors = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['dModel', 'base', 'position'])
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
    const base = read.base === undefined ? 10000 : check.number('base', read.base, { min: 1 })
    const position = check.integer('position', read.position, 0, limits.maxPosition)
    return { dModel, base, position }
  },
  /**
   * @param {Core} core
   * @param {{ dModel: number, base: number, position: number }} args
   * @returns {Phasors}
   */
  run(core, { dModel, base, position }) {
    const answer = unwrap(core.pairPhasors(dModel, base, position))
    const { frequency, wavelength, angle, sine, cosine, hasLoneSine } = answer
    return { frequency, wavelength, angle, sine, cosine, hasLoneSine }
  },
}

/**
 * @typedef {object} Spread
 * @property {number} minimum smallest entry
 * @property {number} maximum largest entry
 * @property {{ first: number, second: number, distance: number } | null} closest the two rows that
 *   are nearest to one another; null where there is one row
 */

const rowSpread = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['data', 'shape'])
    const { data, rows, columns } = check.matrix('', read, {
      minRows: 1,
      minColumns: 1,
      maxColumns: limits.maxDim,
    })
    const most = Math.floor(Math.sqrt(limits.maxSpreadWork / columns))
    check.integer('shape[0]', rows, 1, most, ['shape[1]'])
    return { data, rows, columns }
  },
  /**
   * @param {Core} core
   * @param {{ data: Float64Array, rows: number, columns: number }} args
   * @returns {Spread}
   */
  run: (core, { data, rows, columns }) => spreadOf(unwrap(core.rowSpread(data, rows, columns))),
}

const sinusoidalSpread = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['length', 'dModel', 'base', 'start'])
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
    const odd = dModel % 2 === 1
    const most = Math.floor(limits.maxSpreadSize / dModel)
    const length = check.integer(
      'length',
      read.length,
      1,
      odd ? Math.min(most, limits.maxOddSpreadLength) : most,
      ['dModel'],
    )
    const base = read.base === undefined ? 10000 : check.number('base', read.base, { min: 1 })
    const last = limits.maxPosition + 1 - length
    const start = read.start === undefined ? 0 : check.integer('start', read.start, 0, last)
    return { length, dModel, base, start }
  },
  /**
   * @param {Core} core
   * @param {{ length: number, dModel: number, base: number, start: number }} args
   * @returns {Spread}
   */
  run: (core, { length, dModel, base, start }) =>
    spreadOf(unwrap(core.sinusoidalSpread(length, dModel, base, start))),
}

/**
 * @param {Spread} answer
 * @returns {Spread}
 */
const spreadOf = ({ minimum, maximum, closest }) => ({ minimum, maximum, closest })

/**
 * @typedef {object} AttentionResult
 * @property {Matrix<Float64Array>} output
 * @property {Matrix<Float64Array>} input embeddings plus codes
 * @property {{ data: Float64Array, shape: [heads: number, queries: number, keys: number] }} weights
 */

/** Numbers that enter a score. @param {string} name @param {unknown} value @param {object} size */
const scoreNumbers = (name, value, size) =>
  value === undefined
    ? null
    : check.numbers(name, value, {
        ...size,
        min: -limits.maxAttentionEntry,
        max: limits.maxAttentionEntry,
      })

/** A code for each row. @param {unknown} value @param {number} rows @param {number} columns */
const codeRows = (value, rows, columns) =>
  value === undefined
    ? null
    : check.matrix('codes', value, {
        minRows: rows,
        maxRows: rows,
        minColumns: columns,
        maxColumns: columns,
        min: -limits.maxAttentionCode,
        max: limits.maxAttentionCode,
      }).data

const attentionKeys = /** @type {const} */ ([
  'tokens',
  'dModel',
  'heads',
  'seed',
  'causal',
  'codes',
  'inverseFrequencies',
  'bias',
])

const attention = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, attentionKeys)
    const tokens = Uint32Array.from(
      check.integers('tokens', read.tokens, {
        min: 0,
        max: limits.maxSeed,
        minLength: 1,
        maxLength: limits.maxTokens,
      }),
    )
    const dModel =
      read.dModel === undefined
        ? 16
        : check.integer('dModel', read.dModel, 1, limits.maxAttentionDim)
    const heads = read.heads === undefined ? 2 : check.integer('heads', read.heads, 1, dModel)
    if (dModel % heads !== 0) {
      const rule = { type: /** @type {const} */ ('integer'), min: 1, divides: dModel }
      throw invalidArgument('heads', heads, { ...rule, for: ['dModel'] })
    }
    const seed = read.seed === undefined ? 7 : check.integer('seed', read.seed, 0, limits.maxSeed)
    const causal = read.causal === undefined ? false : check.boolean('causal', read.causal)
    const size = tokens.length
    const codes = codeRows(read.codes, size, dModel)
    const inverseFrequencies = scoreNumbers('inverseFrequencies', read.inverseFrequencies, {
      maxLength: Math.floor(dModel / heads / 2),
    })
    const bias = scoreNumbers('bias', read.bias, { length: heads * size * size })
    return { tokens, dModel, heads, seed, causal, codes, inverseFrequencies, bias }
  },
  /**
   * @param {Core} core
   * @param {{ tokens: Uint32Array, dModel: number, heads: number, seed: number, causal: boolean,
   *   codes: Float64Array | null, inverseFrequencies: Float64Array | null,
   *   bias: Float64Array | null }} args
   * @returns {AttentionResult}
   */
  run(core, { tokens, dModel, heads, seed, causal, codes, inverseFrequencies, bias }) {
    const answer = unwrap(
      core.attention(tokens, dModel, heads, seed, causal, codes, inverseFrequencies, bias),
    )
    return {
      output: matrixOf(answer.output),
      input: matrixOf(answer.input),
      weights: { data: answer.weights, shape: [heads, tokens.length, tokens.length] },
    }
  },
}

/**
 * The score of a query with the key `k` positions after it, before the softmax, for each k.
 * @typedef {object} ScoreProfile
 * @property {Float64Array} one of the first word alone
 * @property {Float64Array} mean over all words
 * @property {Float64Array} deviation standard deviation over all words
 */

const scoreKeys = /** @type {const} */ ([
  'dModel',
  'distances',
  'contents',
  'sameWord',
  'seed',
  'position',
  'codes',
  'inverseFrequencies',
  'bias',
])

const scoreProfile = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, scoreKeys)
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxAttentionDim)
    const distances = check.integer('distances', read.distances, 1, limits.maxScoreDistances)
    const most = Math.floor(limits.maxScoreWork / (distances * dModel))
    const contents =
      read.contents === undefined
        ? 64
        : check.integer('contents', read.contents, 1, Math.min(limits.maxScoreContents, most))
    const sameWord = read.sameWord === undefined ? true : check.boolean('sameWord', read.sameWord)
    const seed = read.seed === undefined ? 42 : check.integer('seed', read.seed, 0, limits.maxSeed)
    const position =
      read.position === undefined
        ? 0
        : check.integer('position', read.position, 0, limits.maxPosition)
    const codes = codeRows(read.codes, distances, dModel)
    const inverseFrequencies = scoreNumbers('inverseFrequencies', read.inverseFrequencies, {
      maxLength: Math.floor(dModel / 2),
    })
    const bias = scoreNumbers('bias', read.bias, { length: distances })
    return {
      dModel,
      distances,
      contents,
      sameWord,
      seed,
      position,
      codes,
      inverseFrequencies,
      bias,
    }
  },
  /**
   * @param {Core} core
   * @param {object} args
   * @returns {ScoreProfile}
   */
  run(core, args) {
    const { one, mean, deviation } = unwrap(core.scoreProfile(args))
    return { one, mean, deviation }
  },
}

export const analysisCalls = {
  similarity,
  offsetProfile,
  blockRotation,
  pairPhasors,
  rowSpread,
  sinusoidalSpread,
  attention,
  scoreProfile,
}
