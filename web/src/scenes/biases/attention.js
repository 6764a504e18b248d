// Biases: what the kernel is asked for. Scores of seeded contents, a bias, and the softmax of both.
import { memo } from '../../kit/memo.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {ArrayLike<number>} Numbers
 */

export const HEADS = 8
/** The longest sentence of the kernel's attention. */
export const LONGEST = 64
/** The figure is told as if the model had been trained on so many tokens. */
export const TRAINED = 8
/** One, two, four and eight times as long. */
export const LENGTHS = [8, 16, 32, 64]
/** How many seeded contents a share is the mean of. */
const CONTENTS = 8

/**
 * @typedef {object} Attended one length; matrices are n x n, row = query
 * @property {number} length
 * @property {Numbers} scores of the first content
 * @property {Numbers} bias -Infinity for a future key
 * @property {Float64Array} plain weights of the first content
 * @property {Float64Array} biased
 * @property {[number, number]} near of the last query's weight, how much lies on the nearest
 *   `TRAINED` keys, without and with the bias: mean over all contents
 */

/** @param {any} engine @param {State} state @param {import('../../kit/memo.js').Memory} memory */
export async function computeBiases(engine, state, memory) {
  const { sided, biasLength, numBuckets, maxDistance } = state
  const causal = sided === 'causal'
  const reach = 2 * LONGEST + 1
  const bucketsOf = (/** @type {Int32Array} */ offsets) =>
    engine.t5Buckets({ offsets, bidirectional: !causal, numBuckets, maxDistance })
  const [now, slopes, lines, buckets, before, ...lengths] = await Promise.all([
    attended(engine, state, memory, biasLength),
    engine.alibiSlopes({ heads: HEADS }),
    memo(memory, 'lines', [causal], async () => {
      // The first of these queries stands in the middle of the keys.
      const shape = { heads: HEADS, queries: LONGEST + 1, keys: reach, causal }
      const { data } = await engine.alibiBias(shape)
      return Array.from({ length: HEADS }, (_, head) => {
        const start = head * shape.queries * reach
        return data.subarray(start, start + reach)
      })
    }),
    bucketsOf(Int32Array.from({ length: reach }, (_, i) => i - LONGEST)),
    bucketsOf(Int32Array.from({ length: maxDistance + 1 }, (_, i) => -i)),
    ...LENGTHS.map((length) => attended(engine, state, memory, length)),
  ])
  return {
    now,
    lengths,
    slopes: Array.from(slopes, Number),
    /** Of each head, at offsets -LONGEST to LONGEST (ALiBi). */
    lines: /** @type {Numbers[]} */ (lines),
    /** At the same offsets (T5). */
    buckets: /** @type {Int32Array} */ (buckets),
    /** The first distance in the last bucket (T5). */
    far: before.indexOf(before[maxDistance]),
  }
}

/**
 * @param {any} engine
 * @param {State} state
 * @param {import('../../kit/memo.js').Memory} memory
 * @param {number} length
 * @returns {Promise<Attended>}
 */
async function attended(engine, state, memory, length) {
  const { mode, sided, seed, biasHead, numBuckets, maxDistance } = state
  const slot = `${length}`
  // Independent normal numbers, as q·k / √d is for words that know nothing of one another.
  const content = memo(memory, 'content', [seed], () =>
    engine.numbers.normals({ seed, count: CONTENTS * LONGEST * LONGEST }),
  )
  const start = [length, sided, seed]
  const code = mode === 't5' ? [mode, biasHead, numBuckets, maxDistance] : [mode, biasHead]
  const all = await content
  const size = length * length
  const softmax = (/** @type {Float32Array | undefined} */ bias) =>
    engine.numbers.scoreSoftmax({
      scores: Float64Array.from(
        { length: CONTENTS * size },
        (_, i) => all[at(Math.floor(i / size), i % size, length)],
      ),
      // The mask itself is the softmax's.
      bias: bias?.map((entry) => (entry === -Infinity ? 0 : entry)),
      ...{ heads: CONTENTS, tokens: length, causal: sided === 'causal', near: TRAINED },
    })
  const plain = memo(memory, `plain${slot}`, start, () => softmax(undefined))
  return memo(memory, `biased${slot}`, [...start, ...code], async () => {
    const bias = await biasOf(engine, state, length)
    const [without, biased] = await Promise.all([plain, softmax(bias)])
    return {
      length,
      scores: Float64Array.from({ length: size }, (_, i) =>
        hidden(sided, i, length) ? -Infinity : all[at(0, i, length)],
      ),
      bias,
      plain: without.weights.subarray(0, size),
      biased: biased.weights.subarray(0, size),
      near: /** @type {[number, number]} */ ([without.nearShare, biased.nearShare]),
    }
  })
}

/** Where entry i of an n x n matrix lies in a content. @param {number} content @param {number} i @param {number} n */
const at = (content, i, n) => (content * LONGEST + Math.floor(i / n)) * LONGEST + (i % n)

/** @param {string} sided @param {number} i @param {number} n */
const hidden = (sided, i, n) => sided === 'causal' && i % n > Math.floor(i / n)

/**
 * The bias of the head in sight, n x n.
 * @param {any} engine
 * @param {State} state
 * @param {number} length
 * @returns {Promise<Float32Array>}
 */
async function biasOf(engine, { mode, sided, biasHead, numBuckets, maxDistance, seed }, length) {
  const shape = { heads: HEADS, queries: length, keys: length }
  const causal = sided === 'causal'
  const size = length * length
  if (mode !== 't5') {
    const { data } = await engine.alibiBias({ ...shape, causal })
    return data.slice((biasHead - 1) * size, biasHead * size)
  }
  // T5 learns these numbers; here they are as they were drawn.
  const values = await engine.numbers.normals({ seed, count: numBuckets * HEADS })
  const options = { ...shape, values, bidirectional: !causal, numBuckets, maxDistance }
  const { data } = await engine.t5Bias(options)
  return data.slice((biasHead - 1) * size, biasHead * size)
}
