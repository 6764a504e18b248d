// Every call of the engine, once: how its arguments are checked and how it is run. The engine on
// this thread, the worker and the connection to the worker all use this table.
//
// `check` throws EngineError `invalid-argument` and otherwise returns plain data that can be posted
// to a worker. `run` takes that data; long work is a generator (see slices.js).

import * as check from './check.js'
import { unwrap } from './core.js'
import { invalidArgument } from './errors.js'
import { familyCalls } from './family.js'
import * as limits from './limits.js'

/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./core.js').CoreAnswer} CoreAnswer */
/** @typedef {import('./slices.js').Pace} Pace */

/**
 * @template A, R
 * @typedef {object} Call
 * @property {(...args: any[]) => A} check
 * @property {(core: Core, args: A, pace: Pace) => R | import('./slices.js').Sliced<R>} run
 */

/**
 * @template {Float32Array | Float64Array} T
 * @typedef {{ data: T, shape: [rows: number, columns: number] }} Matrix row-major
 */

/** Units of work in a first slice: a few milliseconds on the slowest machine. */
const firstElements = 2 ** 16
const firstSines = 2 ** 13
/** Elements copied into WebAssembly at a time, so that its memory, which never shrinks, stays small. */
const mostElements = 2 ** 20

/**
 * @param {string} name
 * @param {number} value
 * @param {number} min
 * @param {number} limit of the product
 * @param {number} other factor
 * @param {string} otherName
 */
function checkProduct(name, value, min, limit, other, otherName) {
  const note = `${name} * ${otherName} is at most ${limit}`
  check.integer(name, value, min, Math.floor(limit / other), { note })
}

const sinusoidal = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['length', 'dModel', 'base', 'start'])
    const length = check.integer('length', read.length, 0, limits.maxPosition + 1)
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
    const base = read.base === undefined ? 10000 : check.number('base', read.base, { min: 1 })
    const start =
      read.start === undefined ? 0 : check.integer('start', read.start, 0, limits.maxPosition)
    checkProduct('length', length, 0, limits.maxMatrixSize, dModel, 'dModel')
    check.integer('start', start, 0, limits.maxPosition + 1 - Math.max(length, 1), {
      note: `the last position is at most ${limits.maxPosition}`,
    })
    return { length, dModel, base, start }
  },
  /**
   * @param {Core} core
   * @param {{ length: number, dModel: number, base: number, start: number }} args
   * @param {Pace} pace
   * @returns {import('./slices.js').Sliced<Matrix<Float32Array>>}
   */
  *run(core, { length, dModel, base, start }, pace) {
    /** @type {[number, number]} */
    const shape = [length, dModel]
    const first = pace.take(length, firstElements / dModel)
    let { data } = unwrap(core.sinusoidal(first, dModel, base, start))
    if (first === length) return { data, shape }

    const whole = new Float32Array(length * dModel)
    whole.set(data)
    for (let row = first; row < length;) {
      yield { done: row, total: length }
      const rows = pace.take(length - row, firstElements / dModel)
      data = unwrap(core.sinusoidal(rows, dModel, base, start + row)).data
      whole.set(data, row * dModel)
      row += rows
    }
    return { data: whole, shape }
  },
}

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
   * @returns {Matrix<Float64Array> & { error: number }}
   */
  run(core, { dModel, base, offset }) {
    const answer = unwrap(core.blockRotation(dModel, base, offset))
    return { ...matrixOf(answer), error: answer.error }
  },
}

const attention = {
  /** @param {unknown} options */
  check(options) {
    const keys = /** @type {const} */ (['tokens', 'dModel', 'heads', 'seed', 'causal', 'codes'])
    const read = check.fields(options, keys)
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
      throw invalidArgument('heads', heads, `an integer that divides dModel, which is ${dModel}`, {
        type: 'integer',
        min: 1,
        max: dModel,
        divides: dModel,
      })
    }
    const seed = read.seed === undefined ? 7 : check.integer('seed', read.seed, 0, limits.maxSeed)
    const causal = read.causal === undefined ? false : check.boolean('causal', read.causal)
    const size = tokens.length
    const codes =
      read.codes === undefined
        ? null
        : check.matrix('codes', read.codes, {
            minRows: size,
            maxRows: size,
            minColumns: dModel,
            maxColumns: dModel,
            min: -limits.maxAttentionCode,
            max: limits.maxAttentionCode,
          }).data
    return { tokens, dModel, heads, seed, causal, codes }
  },
  /**
   * @param {Core} core
   * @param {{ tokens: Uint32Array, dModel: number, heads: number, seed: number, causal: boolean,
   *   codes: Float64Array | null }} args
   */
  run(core, { tokens, dModel, heads, seed, causal, codes }) {
    const answer = unwrap(core.attention(tokens, dModel, heads, seed, causal, codes))
    /** @type {[number, number, number]} */
    const shape = [heads, tokens.length, tokens.length]
    return {
      output: /** @type {Matrix<Float64Array>} */ (matrixOf(answer.output)),
      input: /** @type {Matrix<Float64Array>} */ (matrixOf(answer.input)),
      weights: { data: /** @type {Float64Array} */ (answer.weights), shape },
    }
  },
}

/**
 * @param {{ data?: any, rows?: number, columns?: number }} answer
 * @returns {Matrix<any>}
 */
export function matrixOf({ data, rows = 0, columns = 0 }) {
  return { data, shape: [rows, columns] }
}

/** The calls of the engine by name, those that make tables excepted. */
export const calls = {
  sinusoidal,
  similarity,
  offsetProfile,
  blockRotation,
  attention,
  ...familyCalls,
}
