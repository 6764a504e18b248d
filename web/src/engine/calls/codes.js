// The calls about sinusoidal codes and about given numbers; types.d.ts says what they give.
import { found, matrixOf, unwrap } from '../core.js'
import { invalidArgument } from '../errors.js'
import {
  flag,
  int,
  integer,
  integers,
  ints,
  matrix,
  maybe,
  num,
  nums,
  oneOf,
  taking,
} from './check.js'
import * as limits from './limits.js'
import { firstElements, firstSines, mostElements, pieces } from './slices.js'

/** @import { Calls, Core, Pace } from '../types.js' */
/** @import { Field } from './check.js' */

const dim = int(1, limits.maxDim)
const base = num({ min: 1 }, 10000)
const position = int(0, limits.maxPosition)
const seedOr = (/** @type {number} */ usual) => int(0, limits.maxSeed, usual)
const positive = { minRows: 1, minColumns: 1, maxColumns: limits.maxDim }
const entry = { min: -limits.maxAttentionEntry, max: limits.maxAttentionEntry }

/** Where a position is moved to. */
const offsets = ints(({ dModel, position: from }) => ({
  min: -from,
  max: limits.maxPosition - from,
  maxLength: Math.floor(limits.maxMatrixSize / dModel),
}))
const offsetOptions = taking({ dModel: dim, base, position, offsets })

/** @param {Core} core @param {any} args of offsetOptions @param {Pace} pace */
function* similarityAt(core, args, pace) {
  const { dModel, offsets: all } = args
  const [dot, cosine] = [new Float64Array(all.length), new Float64Array(all.length)]
  yield* pieces(all.length, pace, firstSines / dModel, mostElements, (from, count) => {
    const piece = { ...args, offsets: all.subarray(from, from + count) }
    const answer = unwrap(core.offsetSimilarity(piece))
    dot.set(answer.dot, from)
    cosine.set(answer.cosine, from)
  })
  return { dot, cosine }
}

/** A matrix of a shape that others give. @param {(read: any) => [number, number]} shape @returns {Field} */
const rowsOf =
  (shape, bounds = {}) =>
  (name, value, read) => {
    const [rows, columns] = shape(read)
    const exactly = { minRows: rows, maxRows: rows, minColumns: columns, maxColumns: columns }
    return matrix(name, value, { ...exactly, ...bounds }).data
  }

const codeBounds = { min: -limits.maxAttentionCode, max: limits.maxAttentionCode }

/** @type {Calls} */
export const codeCalls = {
  sinusoidal: {
    check: taking(
      {
        length: int(0, limits.maxPosition + 1),
        dModel: dim,
        base,
        start: int(0, limits.maxPosition, 0),
      },
      {
        also(args) {
          const { length, dModel, start } = args
          const last = limits.maxPosition + 1 - Math.max(length, 1)
          integer('length', length, 0, Math.floor(limits.maxMatrixSize / dModel), ['dModel'])
          integer('start', start, 0, last, ['length'])
          return args
        },
      },
    ),
    *run(core, { length, dModel, base: of, start }, pace) {
      const whole = new Float32Array(length * dModel)
      yield* pieces(length, pace, firstElements / dModel, Infinity, (from, count) => {
        whole.set(unwrap(core.sinusoidal(count, dModel, of, start + from)).data, from * dModel)
      })
      return { data: whole, shape: [length, dModel] }
    },
  },
  similarity: {
    check: taking(
      { row: int(0, ({ rows }) => rows - 1), measure: oneOf(limits.measures, 'cosine') },
      { matrix: positive },
    ),
    *run(core, { data, rows, columns, row, measure }, pace) {
      const result = new Float64Array(rows)
      const compared = data.subarray(row * columns, (row + 1) * columns)
      const most = mostElements / columns
      yield* pieces(rows, pace, firstElements / columns, most, (from, count) => {
        // The row that all are compared with goes before each piece.
        const piece = new Float64Array((count + 1) * columns)
        piece.set(compared)
        piece.set(data.subarray(from * columns, (from + count) * columns), columns)
        const answer = unwrap(core.similarity(piece, count + 1, columns, 0, measure))
        result.set(answer.data.subarray(1), from)
        // Only the core knows that a row is itself, whose cosine is exactly 1.
        if (row >= from && row < from + count) result[row] = answer.data[0]
      })
      return result
    },
  },
  offsetProfile: {
    check: offsetOptions,
    *run(core, args, pace) {
      return (yield* similarityAt(core, args, pace)).dot
    },
  },
  blockRotation: {
    check: taking({
      dModel: int(1, limits.maxRotationDim),
      base,
      offset: int(-limits.maxPosition, limits.maxPosition),
    }),
    run(core, { dModel, base: of, offset }) {
      const answer = unwrap(core.blockRotation(dModel, of, offset))
      const { error, rotatedDims, rotatedError } = answer
      return { ...matrixOf(answer), error, rotatedDims, rotatedError }
    },
  },
  pairPhasors: {
    check: taking({ dModel: dim, base, position }),
    run: (core, { dModel, base: of, position: at }) => found(core.pairPhasors(dModel, of, at)),
  },
  rowSpread: {
    check: taking(
      {},
      {
        matrix: positive,
        also(args) {
          const most = Math.floor(Math.sqrt(limits.maxSpreadWork / args.columns))
          integer('shape[0]', args.rows, 1, most, ['shape[1]'])
          return args
        },
      },
    ),
    run: (core, { data, rows, columns }) => found(core.rowSpread(data, rows, columns)),
  },
  sinusoidalSpread: {
    check: taking({
      dModel: dim,
      length: int(
        1,
        ({ dModel }) => {
          const most = Math.floor(limits.maxSpreadSize / dModel)
          return dModel % 2 === 1 ? Math.min(most, limits.maxOddSpreadLength) : most
        },
        undefined,
        ['dModel'],
      ),
      base,
      start: int(0, ({ length }) => limits.maxPosition + 1 - length, 0),
    }),
    run: (core, { length, dModel, base: of, start }) =>
      found(core.sinusoidalSpread(length, dModel, of, start)),
  },
  attention: {
    check: taking({
      tokens(name, value) {
        const bounds = { min: 0, max: limits.maxSeed, minLength: 1, maxLength: limits.maxTokens }
        return Uint32Array.from(integers(name, value, bounds))
      },
      dModel: int(1, limits.maxAttentionDim, 16),
      heads(name, value = 2, { dModel }) {
        const heads = integer(name, value, 1, dModel)
        if (dModel % heads === 0) return heads
        throw invalidArgument(name, heads, {
          type: 'integer',
          min: 1,
          divides: dModel,
          for: ['dModel'],
        })
      },
      seed: seedOr(7),
      causal: flag(false),
      codes: maybe(rowsOf(({ tokens, dModel }) => [tokens.length, dModel], codeBounds)),
      inverseFrequencies: maybe(
        nums(({ dModel, heads }) => ({ ...entry, maxLength: Math.floor(dModel / heads / 2) })),
      ),
      bias: maybe(nums(({ heads, tokens }) => ({ ...entry, length: heads * tokens.length ** 2 }))),
    }),
    run(core, { tokens, dModel, heads, seed, causal, codes, inverseFrequencies, bias }) {
      const beside = [codes, inverseFrequencies, bias].map((numbers) => numbers ?? null)
      const answer = unwrap(core.attention(tokens, dModel, heads, seed, causal, ...beside))
      return {
        output: matrixOf(answer.output),
        input: matrixOf(answer.input),
        weights: { data: answer.weights, shape: [heads, tokens.length, tokens.length] },
      }
    },
  },
  scoreProfile: {
    check: taking({
      dModel: int(1, limits.maxAttentionDim),
      distances: int(1, limits.maxScoreDistances),
      contents: int(
        1,
        ({ dModel, distances }) =>
          Math.min(limits.maxScoreContents, Math.floor(limits.maxScoreWork / (distances * dModel))),
        64,
      ),
      sameWord: flag(true),
      seed: seedOr(42),
      position: int(0, limits.maxPosition, 0),
      codes: maybe(rowsOf(({ distances, dModel }) => [distances, dModel], codeBounds)),
      inverseFrequencies: maybe(
        nums(({ dModel }) => ({ ...entry, maxLength: Math.floor(dModel / 2) })),
      ),
      bias: maybe(nums(({ distances }) => ({ ...entry, length: distances }))),
    }),
    run: (core, { codes = null, inverseFrequencies = null, bias = null, ...args }) =>
      found(core.scoreProfile({ ...args, codes, inverseFrequencies, bias })),
  },
}

/** Small calls, each one piece of work. @type {Calls} */
export const numberCalls = {
  rowDifferences: {
    check: taking(
      {
        one: (name, value) => matrix(name, value, { ...positive, maxRows: limits.maxTokens }),
        other: rowsOf(({ one: { rows, columns } }) => [rows, columns]),
      },
      { also: ({ one, other }) => ({ ...one, other }) },
    ),
    run: (core, args) => unwrap(core.rowDifferences(args)).data,
  },
  codeAddition: {
    check: taking({
      dModel: dim,
      seed: int(0, limits.maxSeed),
      code: maybe(nums(({ dModel }) => ({ length: dModel }))),
    }),
    run: (core, args) => found(core.codeAddition(args)),
  },
  offsetSimilarity: { check: offsetOptions, run: similarityAt },
  scoreSoftmax: {
    check: taking({
      heads: int(1, limits.maxHeads),
      tokens: int(1, limits.maxTokens),
      causal: flag(),
      near: int(1, limits.maxTokens),
      scores: nums(({ heads, tokens }) => ({ ...entry, length: heads * tokens ** 2 })),
      bias: maybe(nums(({ tokens }) => ({ ...entry, length: tokens ** 2 }))),
    }),
    run(core, args) {
      const { data: weights, nearShare } = unwrap(core.scoreSoftmax(args), args)
      return { weights, nearShare }
    },
  },
  normals: {
    check: taking({ seed: int(0, limits.maxSeed), count: int(0, limits.maxTableSize) }),
    run: (core, args) => unwrap(core.normals(args)).data,
  },
  trainingTarget: {
    check: taking({
      dModel: dim,
      tMax: int(
        1,
        ({ dModel }) => Math.min(limits.maxPosition, Math.floor(limits.maxTableSize / dModel)),
        undefined,
        ['dModel'],
      ),
      targetScale: num({ min: -limits.maxScale, max: limits.maxScale }, 0.5),
    }),
    run: (core, args) => matrixOf(unwrap(core.trainingTarget(args))),
  },
}
