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

/**
 * @param {any} engine
 * @param {State} state
 * @param {import('../../kit/memo.js').Memory} memory
 */
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
  const content = memo(memory, 'content', [seed], () =>
    drawn(engine, CONTENTS * LONGEST, LONGEST, seed),
  )
  const start = [length, sided, seed]
  const code = mode === 't5' ? [mode, biasHead, numBuckets, maxDistance] : [mode, biasHead]
  const all = await content
  const plain = memo(memory, `plain${slot}`, start, () => softmax(engine, all, null, state, length))
  return memo(memory, `biased${slot}`, [...start, ...code], async () => {
    const bias = await biasOf(engine, state, length)
    const [without, weights] = await Promise.all([plain, softmax(engine, all, bias, state, length)])
    const size = length * length
    return {
      length,
      scores: Float64Array.from({ length: size }, (_, i) =>
        hidden(sided, i, length) ? -Infinity : all[at(0, i, length)],
      ),
      bias,
      plain: without.subarray(0, size),
      biased: weights.subarray(0, size),
      near: /** @type {[number, number]} */ ([without, weights].map((w) => nearShare(w, length))),
    }
  })
}

/**
 * Independent normal numbers, as q·k / √d is for words that know nothing of one another.
 * @param {any} engine
 * @param {number} tMax
 * @param {number} dModel
 * @param {number} seed
 */
async function drawn(engine, tMax, dModel, seed) {
  const table = await engine.createTable({ tMax, dModel, seed, scale: 1 })
  const { data } = await table.values()
  await table.dispose()
  return data
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
  const values = await drawn(engine, numBuckets, HEADS, seed)
  const options = { ...shape, values, bidirectional: !causal, numBuckets, maxDistance }
  const { data } = await engine.t5Bias(options)
  return data.slice((biasHead - 1) * size, biasHead * size)
}

/**
 * The kernel's softmax of scores, a head for each content. Its words are cancelled by their codes:
 * what it attends by is the bias alone, and that is scores and bias together.
 * @param {any} engine
 * @param {Numbers} content
 * @param {Numbers | null} bias
 * @param {State} state
 * @param {number} length
 * @returns {Promise<Float64Array>} (CONTENTS, n, n)
 */
async function softmax(engine, content, bias, { sided }, length) {
  const words = { tokens: new Uint32Array(length), dModel: CONTENTS, heads: CONTENTS, seed: 0 }
  const { input } = await engine.attention({ ...words, tokens: words.tokens.subarray(0, 1) })
  const size = length * length
  const codes = {
    data: Float64Array.from({ length: length * CONTENTS }, (_, i) => -input.data[i % CONTENTS]),
    shape: [length, CONTENTS],
  }
  const sum = new Float64Array(CONTENTS * size)
  for (let head = 0; head < CONTENTS; head += 1) {
    for (let i = 0; i < size; i += 1) {
      const added = bias ? bias[i] : 0
      if (added > -Infinity) sum[head * size + i] = content[at(head, i, length)] + added
    }
  }
  const causal = sided === 'causal'
  const { weights } = await engine.attention({ ...words, causal, codes, bias: sum })
  return weights.data
}

/** @param {Numbers} weights (CONTENTS, n, n) @param {number} n */
function nearShare(weights, n) {
  let sum = 0
  for (let head = 0; head < CONTENTS; head += 1) {
    for (let key = Math.max(0, n - TRAINED); key < n; key += 1) {
      sum += weights[((head + 1) * n - 1) * n + key]
    }
  }
  return sum / CONTENTS
}
