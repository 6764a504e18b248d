// Small calls that figures make about given numbers, as `engine.numbers.<name>(options)`; each is one
// piece of work for the kernel (cpp/bindings/numbers.cpp).
import * as check from './check.js'
import * as limits from './limits.js'
import { matrixOf, unwrap } from '../core.js'

/** @import { Core } from '../core.js' */
/** @typedef {{ data: ArrayLike<number>, shape: [number, number] }} Given row-major */

const positive = { minRows: 1, minColumns: 1, maxColumns: limits.maxDim }
const entries = { min: -limits.maxAttentionEntry, max: limits.maxAttentionEntry }

/** @param {string} name @param {unknown} value @param {{ rows: number, columns: number }} shape */
const beside = (name, value, { rows, columns }) =>
  check.matrix(name, value, {
    ...{ minRows: rows, maxRows: rows, minColumns: columns, maxColumns: columns },
  }).data

export const numberCalls = {
  /** The Euclidean length of each row. */
  rowNorms: {
    check: (/** @type {Given} */ options) =>
      check.matrix('', check.fields(options, ['data', 'shape']), positive),
    /** @param {Core} core @returns {Float64Array} (rows) */
    run: (core, /** @type {object} */ args) => unwrap(core.rowNorms(args)).data,
  },
  /** How far each row is from the same row of another matrix. */
  rowDifferences: {
    check(/** @type {{ one: Given, other: Given }} */ options) {
      const read = check.fields(options, ['one', 'other'])
      const one = check.matrix('one', read.one, positive)
      return { ...one, other: beside('other', read.other, one) }
    },
    /**
     * @param {Core} core
     * @returns {{ distance: Float64Array, largest: Float64Array }} Euclidean, and the largest
     *   absolute difference of two entries
     */
    run(core, /** @type {object} */ args) {
      const { distance, largest } = unwrap(core.rowDifferences(args))
      return { distance, largest }
    },
  },
  /** Where a table stands between its start and what it is trained towards. */
  rowProgress: {
    check(/** @type {{ values: Given, start: Given, target: Given }} */ options) {
      const read = check.fields(options, ['values', 'start', 'target'])
      const values = check.matrix('values', read.values, positive)
      const [start, target] = [read.start, read.target]
      return {
        ...values,
        start: beside('start', start, values),
        target: beside('target', target, values),
      }
    },
    /**
     * @param {Core} core
     * @returns {{ start: Float64Array, now: Float64Array, share: number }} distances of the rows to the
     *   target, and the share of the way over all rows
     */
    run(core, /** @type {object} */ args) {
      const { start, now, share } = unwrap(core.rowProgress(args))
      return { start, now, share }
    },
  },
  /** A code, or none, added to a word's vector: as the word comes, and times the root of dModel. */
  codeAddition: {
    check(/** @type {{ dModel: number, seed: number, code?: ArrayLike<number> }} */ options) {
      const read = check.fields(options, ['dModel', 'seed', 'code'])
      const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
      const seed = check.integer('seed', read.seed, 0, limits.maxSeed)
      const code =
        read.code === undefined ? undefined : check.numbers('code', read.code, { length: dModel })
      return { dModel, seed, code }
    },
    /**
     * @param {Core} core
     * @returns {{ root: number, codeNorm: number, word: Float64Array, sum: Float64Array,
     *   wordNorm: Float64Array, sumNorm: Float64Array, ratio: Float64Array }} rows of both ways; no
     *   sums without a code
     */
    run(core, /** @type {object} */ args) {
      const { ok: _, ...addition } = unwrap(core.codeAddition(args))
      return addition
    },
  },
  /** A sinusoidal code compared with those at offsets from it. */
  offsetSimilarity: {
    check(
      /** @type {{ dModel: number, base: number, position: number, offsets: ArrayLike<number> }} */ options,
    ) {
      const read = check.fields(options, ['dModel', 'base', 'position', 'offsets'])
      const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
      const base = check.number('base', read.base, { min: 1 })
      const position = check.integer('position', read.position, 0, limits.maxPosition)
      const offsets = check.integers('offsets', read.offsets, {
        min: -position,
        max: limits.maxPosition - position,
        maxLength: Math.floor(limits.maxMatrixSize / dModel),
      })
      return { dModel, base, position, offsets }
    },
    /** @param {Core} core @returns {{ dot: Float64Array, cosine: Float64Array }} */
    run(core, /** @type {object} */ args) {
      const { dot, cosine } = unwrap(core.offsetSimilarity(args))
      return { dot, cosine }
    },
  },
  /** The softmax of given scores, with a bias or none. */
  scoreSoftmax: {
    check(
      /** @type {{ scores: ArrayLike<number>, bias?: ArrayLike<number>, heads: number, tokens: number, causal: boolean, near: number }} */ options,
    ) {
      const read = check.fields(options, ['scores', 'bias', 'heads', 'tokens', 'causal', 'near'])
      const heads = check.integer('heads', read.heads, 1, limits.maxHeads)
      const tokens = check.integer('tokens', read.tokens, 1, limits.maxTokens)
      const causal = check.boolean('causal', read.causal)
      const near = check.integer('near', read.near, 1, limits.maxTokens)
      const size = tokens * tokens
      const scores = check.numbers('scores', read.scores, { ...entries, length: heads * size })
      const bias =
        read.bias === undefined
          ? undefined
          : check.numbers('bias', read.bias, { ...entries, length: size })
      return { scores, bias, heads, tokens, causal, near }
    },
    /**
     * @param {Core} core
     * @returns {{ weights: Float64Array, nearShare: number }} (heads, queries, keys), and how much of
     *   the last query's weight lies on the `near` nearest keys, the mean over the heads
     */
    run(core, /** @type {object} */ args) {
      const { data, nearShare } = unwrap(core.scoreSoftmax(args), /** @type {any} */ (args))
      return { weights: data, nearShare }
    },
  },
  /** NumPy's RandomState(seed).randn(count). */
  normals: {
    check(/** @type {{ seed: number, count: number }} */ options) {
      const read = check.fields(options, ['seed', 'count'])
      const seed = check.integer('seed', read.seed, 0, limits.maxSeed)
      return { seed, count: check.integer('count', read.count, 0, limits.maxTableSize) }
    },
    /** @param {Core} core @returns {Float64Array} */
    run: (core, /** @type {object} */ args) => unwrap(core.normals(args)).data,
  },
  /** What `trainTowardSinusoid` pulls the rows towards. */
  trainingTarget: {
    check(/** @type {{ tMax: number, dModel: number, targetScale?: number }} */ options) {
      const read = check.fields(options, ['tMax', 'dModel', 'targetScale'])
      const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
      const most = Math.min(limits.maxPosition, Math.floor(limits.maxTableSize / dModel))
      const tMax = check.integer('tMax', read.tMax, 1, most, ['dModel'])
      const targetScale =
        read.targetScale === undefined
          ? 0.5
          : check.number('targetScale', read.targetScale, { min: -1e100, max: 1e100 })
      return { tMax, dModel, targetScale }
    },
    /** @param {Core} core @returns {import('../core.js').Matrix<Float64Array>} */
    run: (core, /** @type {object} */ args) => matrixOf(unwrap(core.trainingTarget(args))),
  },
}

/** @typedef {typeof numberCalls} NumberCalls */
/** @typedef {{ [K in keyof NumberCalls]: ReturnType<NumberCalls[K]['run']> }} Results */
/**
 * @typedef {{ [K in keyof NumberCalls]: (options: Parameters<NumberCalls[K]['check']>[0]) =>
 *   Results[K] }} Numbers
 */
/**
 * @typedef {{ [K in keyof NumberCalls]: (options: Parameters<NumberCalls[K]['check']>[0],
 *   call?: import('../client.js').CallOptions) => Promise<Results[K]> }} RemoteNumbers
 */

/**
 * The calls as methods.
 * @param {(name: any, options: any, call?: any) => any} perform
 * @returns {any}
 */
export const numbersOf = (perform) =>
  Object.fromEntries(
    Object.keys(numberCalls).map((name) => [
      name,
      (/** @type {unknown} */ options, /** @type {unknown} */ call) => perform(name, options, call),
    ]),
  )
