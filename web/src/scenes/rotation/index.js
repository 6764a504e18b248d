// Rotation: q and k turn by their own positions, pair by pair; their score knows m - n alone. The same
// planes show the sinusoidal code, whose rows a block rotation carries into one another.
import { memo } from '../../kit/memo.js'
import { pairsOf, show, signed } from './common.js'
import { mountRotation } from './view.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {ArrayLike<number>} Numbers
 */

/**
 * @typedef {object} Scored
 * @property {Numbers} q after turning, or PE(m)
 * @property {Numbers} k after turning, or PE(n)
 * @property {number} score
 * @property {Numbers} parts of the score, one a pair
 */

/**
 * @typedef {object} RotationModel
 * @property {'rotation'} scene
 * @property {State} state
 * @property {[number, number][]} pairs the two dimensions of each plane
 * @property {Float64Array} frequencies radians a seat, one a pair
 * @property {Scored} shown
 * @property {{ q: Numbers, k: Numbers } | undefined} still before turning; none of the sinusoidal code
 * @property {{ interleaved: number, split: number, permuted: number } | undefined} scores of the same
 *   numbers in memory, by layout
 * @property {import('../../engine/client.js').Rotation | undefined} rotation of the sinusoidal code
 */

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
 * @param {any} engine
 * @param {Numbers} q
 * @param {Numbers} k
 * @param {[number, number][]} pairs
 * @returns {Promise<Scored>}
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
  const products = await engine.similarity({ data, shape, row: 0, measure: 'dot' })
  return { q, k, score: products[1], parts: products.subarray(2) }
}

/**
 * @param {import('../../kit/codes.js').Codes} codes
 * @param {State} state
 * @param {import('../../kit/memo.js').Memory} [memory]
 * @returns {Promise<RotationModel>}
 */
async function compute({ engine }, state, memory = {}) {
  return state.mode === 'sinusoidal'
    ? computeCode(engine, state, memory)
    : computeRope(engine, state, memory)
}

/** @param {any} engine @param {State} state @param {import('../../kit/memo.js').Memory} memory */
async function computeRope(engine, state, memory) {
  const { position: m, position2: n, base: theta, layout, pairs: count, seed } = state
  const headDim = 2 * count
  const rows = memo(memory, 'vectors', [headDim, seed], () => vectorsOf(engine, headDim, seed))
  const speeds = memo(memory, 'speeds', [headDim, theta], () =>
    engine.ropeFrequencies({ headDim, theta }),
  )
  const [{ q, k }, { inverseFrequencies }] = await Promise.all([rows, speeds])
  const score = async (
    /** @type {Numbers} */ one,
    /** @type {Numbers} */ other,
    /** @type {string} */ ordered,
  ) => {
    const vectors = Float64Array.from([...Array.from(one), ...Array.from(other)])
    const options = { vectors, positions: [m, n], headDim, theta, layout: ordered }
    const { data } = await engine.ropeRotate(options)
    const pairs = pairsOf(count, ordered)
    return scored(engine, data.subarray(0, headDim), data.subarray(headDim), pairs)
  }
  const [interleaved, split, moved] = await Promise.all([
    score(q, k, 'interleaved'),
    score(q, k, 'half-split'),
    score(permuted(q), permuted(k), 'half-split'),
  ])
  /** @type {RotationModel} */
  const model = {
    scene: 'rotation',
    state,
    pairs: pairsOf(count, layout),
    frequencies: inverseFrequencies,
    shown: layout === 'half-split' ? split : interleaved,
    still: { q, k },
    scores: { interleaved: interleaved.score, split: split.score, permuted: moved.score },
    rotation: undefined,
  }
  return model
}

/**
 * Contents of one query and one key: fixed numbers that a seed draws.
 * @param {any} engine
 * @param {number} d
 * @param {number} seed
 */
async function vectorsOf(engine, d, seed) {
  const table = await engine.createTable({ tMax: 2, dModel: d, seed, scale: 1 })
  const { data } = await table.values()
  await table.dispose()
  return { q: data.subarray(0, d), k: data.subarray(d) }
}

/** @param {any} engine @param {State} state @param {import('../../kit/memo.js').Memory} memory */
async function computeCode(engine, state, memory) {
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
  const row = (/** @type {import('../../engine/client.js').Phasors} */ { sine, cosine }) =>
    Float64Array.from({ length: dModel }, (_, i) => (i % 2 === 0 ? sine : cosine)[i >> 1])
  const pairs = pairsOf(count, 'interleaved')
  /** @type {RotationModel} */
  const model = {
    scene: 'rotation',
    state,
    pairs,
    frequencies: from.frequency,
    shown: await scored(engine, row(from), row(to), pairs),
    still: undefined,
    scores: undefined,
    rotation,
  }
  return model
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} _state
 * @param {RotationModel} model
 */
function say(t, _state, { state, shown }) {
  const { position: m, position2: n, mode } = state
  const values = { m, n, offset: signed(m - n), score: show(shown.score) }
  const code = mode === 'sinusoidal'
  const key = code ? 'rotation.say.code' : m === n ? 'rotation.say.same' : 'rotation.say'
  return { lead: t('rotation.lead', values), body: t(key, values), failing: false }
}

export const rotation = Object.freeze({
  id: 'rotation',
  fields: ['pairs', 'base', 'length', 'seed'],
  compute,
  say,
  mount: mountRotation,
})
