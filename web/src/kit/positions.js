// What each encoding puts into attention: added codes, turned queries and keys, or biases of scores.

/**
 * @typedef {import('../engine/client.js').RemoteEngine} RemoteEngine
 * @typedef {import('../state/state.js').State} State
 */

/** As in T5; the numbers of the buckets are learned there, and drawn here. */
export const T5 = Object.freeze({ numBuckets: 32, maxDistance: 128 })

/**
 * @param {RemoteEngine} engine
 * @param {number} size of the vectors that are turned; of an odd one the last stays as it is
 * @param {number} theta
 * @returns {Promise<Float64Array>} nothing to turn where there is no pair
 */
export async function ropeOf(engine, size, theta) {
  if (size < 2) return new Float64Array()
  const { inverseFrequencies } = await engine.ropeFrequencies({ headDim: size - (size % 2), theta })
  return inverseFrequencies
}

/**
 * @param {RemoteEngine} engine
 * @param {{ heads: number, seed: number }} state
 * @returns {Promise<Float64Array>} numBuckets x heads, NumPy's RandomState(seed).randn
 */
export const t5Values = (engine, { heads, seed }) =>
  engine.numbers.normals({ seed, count: T5.numBuckets * heads })

/**
 * What the attention over a sentence is given besides its words.
 * @param {RemoteEngine} engine
 * @param {string} way `none`, `nope`, or a code that enters queries, keys or scores
 * @param {State} state
 * @returns {Promise<(words: number) => Promise<object>>}
 */
export async function besideWords(engine, way, state) {
  const { heads, dModel, base, causal } = state
  if (way === 'rope') {
    const inverseFrequencies = await ropeOf(engine, dModel / heads, base)
    return async () => ({ inverseFrequencies })
  }
  if (way === 'alibi') {
    return async (words) => {
      const shape = { heads, queries: words, keys: words, causal: false }
      return { bias: (await engine.alibiBias(shape)).data }
    }
  }
  if (way === 't5') {
    const values = await t5Values(engine, state)
    return async (words) => {
      const shape = { heads, queries: words, keys: words, bidirectional: !causal }
      const { data } = await engine.t5Bias({ ...shape, ...T5, values })
      // The causal mask itself is the attention's.
      return { bias: data.map((entry) => (entry === -Infinity ? 0 : entry)) }
    }
  }
  return async () => ({})
}
