// Word order: the same words in two orders through the same attention. Without positions the output
// of a word cannot tell the orders apart; with either code it can.
import { rowOf } from './beyond_words.js'
import { matchWords, splitWords, wordId } from '../state/words.js'
import { sentencesOf, showDifference } from './order_common.js'
import { mountOrder } from './order_view.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./codes.js').Codes} Codes
 * @typedef {import('./codes.js').Matrix} Matrix
 * @typedef {import('../text/text.js').Translate} Translate
 */

/**
 * @typedef {object} Attended
 * @property {Matrix} output n x dModel
 * @property {{ data: Float64Array, shape: [number, number, number] }} weights (heads, n, n), row = query
 */

/**
 * @typedef {object} Way
 * @property {Attended | undefined} a
 * @property {Attended | undefined} b
 * @property {(number | undefined)[]} differences largest absolute difference, one a word of A
 * @property {{ position: number, tMax: number } | undefined} error where the table ran out
 */

/**
 * @typedef {object} OrderModel
 * @property {'order'} scene
 * @property {State} state
 * @property {string[]} a words of sentence A
 * @property {string[]} b
 * @property {(number | undefined)[]} partner seat in B of each word of A
 * @property {Record<'none' | 'sinusoidal' | 'learned', Way>} ways
 */

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {unknown} _memory
 * @param {Translate} t
 * @returns {Promise<OrderModel>}
 */
async function compute(codes, state, _memory, t) {
  const sentences = sentencesOf(state, t)
  const a = splitWords(sentences.a)
  const b = splitWords(sentences.b)
  const partner = matchWords(a, b)
  const longest = Math.max(a.length, b.length)
  const [sinusoidal, learned] = await Promise.all([
    codes.sinusoidal({ ...state, length: Math.max(longest, state.length) }),
    codes.learned(state),
  ])
  const attend = (/** @type {Matrix | undefined} */ rows) => attendBoth(codes, state, a, b, rows)
  const [none, withSinusoid] = await Promise.all([attend(undefined), attend(sinusoidal)])
  const error = await missingRow(learned, longest)
  const withTable = error ? undefined : await attend(learned.values)
  return {
    scene: 'order',
    state,
    a,
    b,
    partner,
    ways: {
      none: asWay(none, partner),
      sinusoidal: asWay(withSinusoid, partner),
      learned: asWay(withTable, partner, error),
    },
  }
}

/**
 * The first seat of a sentence that the table has no row for, as the kernel reports it.
 * @param {import('./codes.js').Learned} learned
 * @param {number} length
 */
async function missingRow(learned, length) {
  if (length <= learned.rows) return undefined
  try {
    await learned.table.lookup(learned.rows, { behaviour: 'raise' })
    return undefined
  } catch (error) {
    const { code, details } = /** @type {{ code?: string, details?: any }} */ (error)
    if (code !== 'position-out-of-range') throw error
    return details
  }
}

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {string[]} a
 * @param {string[]} b
 * @param {Matrix | undefined} rows of the position code; undefined for none
 */
function attendBoth({ engine }, { dModel, heads, seed, causal }, a, b, rows) {
  const attend = (/** @type {string[]} */ words) =>
    engine.attention({
      tokens: Uint32Array.from(words, wordId),
      dModel,
      heads,
      seed,
      causal,
      codes: rows && firstRows(rows, words.length),
    })
  return Promise.all([attend(a), attend(b)])
}

/**
 * @param {Matrix} matrix
 * @param {number} count
 * @returns {Matrix}
 */
function firstRows({ data, shape: [, columns] }, count) {
  return { data: data.slice(0, count * columns), shape: [count, columns] }
}

/**
 * @param {Attended[] | undefined} both
 * @param {(number | undefined)[]} partner
 * @param {{ position: number, tMax: number }} [error]
 * @returns {Way}
 */
function asWay(both, partner, error) {
  const [a, b] = both ?? []
  const differences = partner.map((seat, from) =>
    a && b && seat !== undefined
      ? largestDifference(rowOf(a.output, from), rowOf(b.output, seat))
      : undefined,
  )
  return { a, b, differences, error }
}

/**
 * @param {ArrayLike<number>} one
 * @param {ArrayLike<number>} other
 */
function largestDifference(one, other) {
  let most = 0
  for (let i = 0; i < one.length; i += 1) most = Math.max(most, Math.abs(one[i] - other[i]))
  return most
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {OrderModel} model
 */
function say(t, state, model) {
  const { a, ways } = model
  const seat = Math.min(state.position, a.length - 1)
  const lead = t('order.say.lead', { word: a[seat] })
  const { error, differences } = ways.learned
  const failing = error !== undefined && state.mode === 'learned'
  const wall = error && t('order.say.wall', { rows: error.tMax, position: error.position })
  const [none, sinusoidal] = [ways.none.differences[seat], ways.sinusoidal.differences[seat]]
  if (none === undefined || sinusoidal === undefined) {
    return { lead, body: [t('order.say.only'), wall ?? ''].join(' '), failing }
  }
  const learned = differences[seat]
  const table =
    learned === undefined ? wall : t('order.say.learned', { learned: showDifference(learned) })
  const values = { none: showDifference(none), sinusoidal: showDifference(sinusoidal) }
  return { lead, body: `${t(sayKey(model.state, none === 0), values)} ${table ?? ''}`, failing }
}

/**
 * @param {State} state
 * @param {boolean} same
 */
function sayKey({ causal }, same) {
  if (causal) return same ? 'order.say.causal.same' : 'order.say.causal'
  return same ? 'order.say.blind' : 'order.say.other'
}

export const order = Object.freeze({
  id: 'order',
  fields: ['heads', 'dModel', 'tMax', 'seed', 'steps', 'base'],
  compute,
  say,
  mount: mountOrder,
})
