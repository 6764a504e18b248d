// What the kernel is asked for: turned vectors or rows of the code, and their scores pair by pair.
import { memo } from '../../kit/memo.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/memo.js').Memory} Memory
 * @typedef {import('../../kit/codes.js').Codes['engine']} Engine
 * @typedef {ArrayLike<number>} Numbers
 */

/**
 * The dimensions that share a plane.
 * @param {number} count of pairs
 * @param {string} layout
 * @returns {[number, number][]}
 */
export function pairsOf(count, layout) {
  return Array.from({ length: count }, (_, j) =>
    layout === 'half-split' ? [j, j + count] : [2 * j, 2 * j + 1],
  )
}

/**
 * From interleaved to half-split: entry 2j goes to j, entry 2j + 1 to j + d/2.
 * @param {Numbers} vector
 */
function permuted(vector) {
  const half = vector.length / 2
  return Float64Array.from(vector, (_, i) => vector[i < half ? 2 * i : 2 * (i - half) + 1])
}

/**
 * The kernel's dot product of two vectors, whole and pair by pair.
 * @param {Engine} engine
 * @param {Numbers} q after turning, or PE(m)
 * @param {Numbers} k after turning, or PE(n)
 * @param {[number, number][]} pairs
 */
async function scored(engine, q, k, pairs) {
  const d = q.length
  const data = new Float64Array((pairs.length + 2) * d)
  data.set(q)
  data.set(k, d)
  pairs.forEach((pair, j) => {
    for (const i of pair) data[(j + 2) * d + i] = k[i]
  })
  const shape = [pairs.length + 2, d]
  /** @type {Float64Array} */
  const products = await engine.similarity({ data, shape, row: 0, measure: 'dot' })
  return { q, k, score: products[1], parts: products.subarray(2) }
}

/** @param {Engine} engine @param {State} state @param {Memory} memory */
export async function computeRope(engine, state, memory) {
  const { position: m, position2: n, base: theta, layout, pairs: count, seed } = state
  const headDim = 2 * count
  // Contents of one query and one key: fixed numbers that a seed draws.
  const drawn = memo(memory, 'vectors', [headDim, seed], async () => {
    const table = await engine.createTable({ tMax: 2, dModel: headDim, seed, scale: 1 })
    const { data } = await table.values()
    await table.dispose()
    return data
  })
  const speeds = memo(memory, 'speeds', [headDim, theta], () =>
    engine.ropeFrequencies({ headDim, theta }),
  )
  const [vectors, { inverseFrequencies: frequencies }] = await Promise.all([drawn, speeds])
  const [q, k] = [vectors.subarray(0, headDim), vectors.subarray(headDim)]
  /** @param {Numbers} one @param {Numbers} other @param {'interleaved' | 'half-split'} ordered */
  const score = async (one, other, ordered) => {
    const both = Float64Array.from([...Array.from(one), ...Array.from(other)])
    const asked = { vectors: both, positions: [m, n], headDim, theta, layout: ordered }
    const { data } = await engine.ropeRotate(asked)
    const pairs = pairsOf(count, ordered)
    return scored(engine, data.subarray(0, headDim), data.subarray(headDim), pairs)
  }
  const [interleaved, split, moved] = await Promise.all([
    score(q, k, 'interleaved'),
    score(q, k, 'half-split'),
    score(permuted(q), permuted(k), 'half-split'),
  ])
  return {
    pairs: pairsOf(count, layout),
    /** Radians a seat, one a pair. */
    frequencies,
    shown: layout === 'half-split' ? split : interleaved,
    /** Before turning. */
    still: { q, k },
    /** Of the same numbers in memory, by layout. */
    scores: { interleaved: interleaved.score, split: split.score, permuted: moved.score },
    rotation: undefined,
  }
}

/** @param {Engine} engine @param {State} state @param {Memory} memory */
export async function computeCode(engine, state, memory) {
  const { position, position2, base, pairs: count } = state
  const dModel = 2 * count
  const offset = position2 - position
  const [from, to, rotation] = await Promise.all([
    engine.pairPhasors({ dModel, base, position }),
    engine.pairPhasors({ dModel, base, position: position2 }),
    memo(memory, 'rotation', [dModel, base, offset], () =>
      engine.blockRotation({ dModel, base, offset }),
    ),
  ])
  const row = (/** @type {import('../../engine/types.js').Phasors} */ { sine, cosine }) =>
    Float64Array.from({ length: dModel }, (_, i) => (i % 2 === 0 ? sine : cosine)[i >> 1])
  const pairs = pairsOf(count, 'interleaved')
  const shown = await scored(engine, row(from), row(to), pairs)
  const frequencies = from.frequency
  return { pairs, frequencies, shown, still: undefined, scores: undefined, rotation }
}
