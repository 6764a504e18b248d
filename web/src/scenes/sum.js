// How a code enters the model: added to the word's vector. What is computed and what is said.
import { rowOf } from './beyond_words.js'
import { formatNumber } from '../text/text.js'
import { mountSum } from './sum_view.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./codes.js').Codes} Codes
 * @typedef {import('../text/text.js').Translate} Translate
 */

/**
 * @typedef {object} Part one vector and its length
 * @property {Float64Array} row
 * @property {number} size Euclidean length
 */

/**
 * @typedef {object} Addition
 * @property {Part} word
 * @property {Part | undefined} code undefined where the table has no row
 * @property {Part | undefined} sum
 */

/**
 * @typedef {object} SumModel
 * @property {'sum'} scene
 * @property {State} state
 * @property {Addition} plain the word's vector as it comes
 * @property {Addition} scaled the word's vector times the square root of d
 */

/**
 * @param {Codes} codes
 * @param {State} state
 * @returns {Promise<SumModel>}
 */
async function compute(codes, state) {
  const { dModel } = state
  const [word, code] = await Promise.all([wordVector(codes, state), codeRow(codes, state)])
  const root = Math.sqrt(dModel)
  const scaledWord = word.map((value) => value * root)
  const rows = [word, scaledWord]
  if (code) rows.push(code, added(word, code), added(scaledWord, code))
  const sizes = await lengths(codes, rows, dModel)
  /** @param {number} i @returns {Part | undefined} */
  const part = (i) => (rows[i] ? { row: rows[i], size: sizes[i] } : undefined)
  /** @param {number} i */
  const addition = (i) => ({
    word: /** @type {Part} */ (part(i)),
    code: part(2),
    sum: part(3 + i),
  })
  return { scene: 'sum', state, plain: addition(0), scaled: addition(1) }
}

/**
 * Drawn from N(0, 1/d), about 1 long whatever d is, as the authors of the Transformer start it
 * (tensor2tensor, layers/modalities.py); torch.nn.Embedding starts from N(0, 1), √d long. That the
 * word is then multiplied by √d stands in Vaswani et al. 2017, section 3.4, without a reason.
 * @param {Codes} codes
 * @param {State} state
 * @returns {Promise<Float64Array>}
 */
async function wordVector({ engine }, { dModel, seed }) {
  const table = await engine.createTable({ tMax: 1, dModel, seed, scale: 1 / Math.sqrt(dModel) })
  const { data } = await table.values()
  await table.dispose()
  return data
}

/**
 * @param {Codes} codes
 * @param {State} state
 * @returns {Promise<Float64Array | undefined>}
 */
async function codeRow(codes, state) {
  const { mode, position } = state
  const matrix =
    mode === 'sinusoidal' ? await codes.sinusoidal(state) : (await codes.learned(state)).values
  const row = rowOf(matrix, position)
  return row.length > 0 ? Float64Array.from(row) : undefined
}

/** @param {Float64Array} one @param {Float64Array} other */
const added = (one, other) => one.map((value, i) => value + other[i])

/**
 * @param {Codes} codes
 * @param {Float64Array[]} rows
 * @param {number} dModel
 * @returns {Promise<number[]>} the kernel's dot product of each row with itself, and its root
 */
async function lengths({ engine }, rows, dModel) {
  const data = new Float64Array(rows.length * dModel)
  rows.forEach((row, i) => data.set(row, i * dModel))
  const shape = /** @type {[number, number]} */ ([rows.length, dModel])
  const squares = await Promise.all(
    rows.map((_, row) => engine.similarity({ data, shape, row, measure: 'dot' })),
  )
  return squares.map((products, row) => Math.sqrt(products[row]))
}

/**
 * @param {Translate} t
 * @param {State} _state
 * @param {SumModel} model
 */
function say(t, _state, { state, plain, scaled }) {
  const { dModel: d, position, tMax, grown } = state
  const lead = t('sum.say.lead', { d })
  const { code } = plain
  if (!code) {
    const last = tMax + grown - 1
    return { lead, body: t('sum.say.none', { position, last }), failing: true }
  }
  const one = (/** @type {number} */ value) => formatNumber(value, 1)
  const body = t('sum.say', {
    word: one(plain.word.size),
    code: one(code.size),
    ratio: one(code.size / plain.word.size),
    root: one(Math.sqrt(d)),
    scaled: one(scaled.word.size),
    after: one(code.size / scaled.word.size),
  })
  return { lead, body, failing: false }
}

export const sum = Object.freeze({
  id: 'sum',
  /** Fields under the figure; the width and the cursor have their own place in it. */
  fields: ['seed', 'base', 'tMax', 'grown', 'steps', 'rate'],
  compute,
  say,
  mount: mountSum,
})
