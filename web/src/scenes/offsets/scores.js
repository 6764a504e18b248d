// Distance: what the kernel computes, a score for each code and distance.
import { memo } from '../../kit/memo.js'
import { T5, ropeOf, t5Values } from '../../kit/positions.js'
import { MODES } from '../../state/fields.js'

/**
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../state/state.js').State} State
 * @typedef {State['mode']} Code
 */

/** Words, or pairs of words, that the average is over. */
export const CONTENTS = 64
/** The kernel's scores are for small vectors: they are no wider than this. */
const WIDEST = 128

/** What the scores of each code depend on besides the words. @type {Record<Code, (keyof State)[]>} */
const DEPENDS = {
  sinusoidal: ['base'],
  learned: ['tMax', 'grown', 'steps', 'rate', 'scale'],
  rope: ['base'],
  alibi: ['heads'],
  t5: ['heads'],
  nope: [],
}

/**
 * @param {{ codes: Codes, engine: Codes['engine'], state: State,
 *   memory: import('../../kit/memo.js').Memory }} asked
 */
export async function computeScores({ codes, engine, state: wide, memory }) {
  const state = { ...wide, dModel: Math.min(wide.dModel, WIDEST) }
  const { mode, queryAt, queryAt2, heads, length, dModel, seed, pairing } = state
  const { rows, values } = await codes.learned(state)

  /**
   * Shorter where the table ends, undefined where not even the query has a row.
   * @param {Code} code
   * @param {number} position of the query
   */
  async function line(code, position) {
    const distances = code === 'learned' ? Math.min(length, rows - position) : length
    if (distances < 1) return undefined
    const depends = [
      length,
      dModel,
      seed,
      pairing,
      position,
      ...DEPENDS[code].map((of) => state[of]),
    ]
    return memo(memory, code + (position === queryAt ? '' : '2'), depends, async () => {
      const given = await GIVEN[code](engine, state, position, distances, values.data)
      const words = { contents: CONTENTS, sameWord: pairing === 'same', seed }
      return engine.scoreProfile({ dModel, distances, position, ...words, ...given })
    })
  }

  const [slopes, second, ...all] = await Promise.all([
    engine.alibiSlopes({ heads }),
    line(mode, queryAt2),
    ...MODES.map((code) => line(code, queryAt)),
  ])
  const lines = Object.fromEntries(MODES.map((code, i) => [code, all[i]]))
  return {
    state,
    /** From the first query. */
    lines: /** @type {Record<Code, Awaited<ReturnType<typeof line>>>} */ (lines),
    /** Of the code in focus, from the second query. */
    second,
    rows,
    /** Of ALiBi's first head. */
    slope: slopes[0],
  }
}

/**
 * What a code gives the scores: added rows, turns, or a bias at each distance.
 * @type {Record<Code, (engine: Codes['engine'], state: State, position: number, distances: number,
 *   table: Float32Array | Float64Array) => Promise<object>>}
 */
const GIVEN = {
  async sinusoidal(engine, { dModel, base }, start, length) {
    return { codes: await engine.sinusoidal({ length, dModel, base, start }) }
  },
  async learned(_engine, { dModel }, position, distances, table) {
    const data = table.subarray(position * dModel, (position + distances) * dModel)
    return { codes: { data, shape: [distances, dModel] } }
  },
  async rope(engine, { dModel, base }) {
    return { inverseFrequencies: await ropeOf(engine, dModel, base) }
  },
  async alibi(engine, { heads }, _position, keys) {
    // One query, at the last key: read backwards it is a bias by distance.
    const { data } = await engine.alibiBias({ heads, queries: 1, keys, causal: false })
    return { bias: data.slice(0, keys).reverse() }
  },
  async t5(engine, state, _position, distances) {
    const offsets = Int32Array.from({ length: distances }, (_, k) => k)
    const drawn = await t5Values(engine, state)
    const buckets = await engine.t5Buckets({ offsets, ...T5 })
    return { bias: Float64Array.from(buckets, (bucket) => drawn[bucket * state.heads]) }
  },
  nope: async () => ({}),
}
