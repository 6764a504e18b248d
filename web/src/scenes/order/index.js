// Word order: the same words in two orders through the same attention. Without positions the output
// of a word cannot tell the orders apart; with a code, or with a causal mask, it can. ALiBi that looks
// both ways cannot tell a sentence from its mirror image.
import { rowOf } from '../../kit/numbers.js'
import { matchWords, splitWords, wordId } from '../../state/words.js'
import { sentencesOf, showDifference, waysOf } from './common.js'
import { mountOrder } from './view.js'
import { besideWords } from '../../kit/positions.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../kit/codes.js').Matrix} Matrix
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('./common.js').WayName} WayName
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
 * @property {Partial<Record<WayName, Way>>} ways those that waysOf names
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
  /** @type {WayName[]} */
  const names = waysOf(state)
  const ways = await Promise.all(
    names.map((way) => attendBoth(codes, causalOf(state, way), a, b, way)),
  )
  return {
    scene: 'order',
    state,
    a,
    b,
    partner,
    ways: Object.fromEntries(
      names.map((way, i) => [way, asWay(ways[i].both, partner, ways[i].error)]),
    ),
  }
}

/**
 * NoPE is shown both ways, whatever the switch says.
 * @param {State} state
 * @param {WayName} way
 */
function causalOf(state, way) {
  return state.mode === 'nope' ? { ...state, causal: way === 'nope' } : state
}

/**
 * The first seat of a sentence that the table has no row for, as the kernel reports it.
 * @param {import('../../kit/codes.js').Learned} learned
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
 * @param {WayName} way
 * @returns {Promise<{ both?: Attended[], error?: { position: number, tMax: number } }>}
 */
async function attendBoth(codes, state, a, b, way) {
  const { dModel, heads, seed, causal } = state
  const longest = Math.max(a.length, b.length)
  /** @type {Matrix | undefined} */
  let rows
  if (way === 'sinusoidal') {
    rows = await codes.sinusoidal({ ...state, length: Math.max(longest, state.length) })
  } else if (way === 'learned') {
    const learned = await codes.learned(state)
    const error = await missingRow(learned, longest)
    if (error) return { error }
    rows = learned.values
  }
  const beside = await besideWords(codes.engine, way, state)
  const attend = async (/** @type {string[]} */ words) =>
    codes.engine.attention({
      tokens: Uint32Array.from(words, wordId),
      dModel,
      heads,
      seed,
      causal,
      codes: rows && firstRows(rows, words.length),
      ...(await beside(words.length)),
    })
  return { both: await Promise.all([attend(a), attend(b)]) }
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
  const { mode } = model.state
  const seat = Math.min(state.position, a.length - 1)
  const lead = t('order.say.lead', { word: a[seat] })
  const error = ways.learned?.error
  const failing = error !== undefined && mode === 'learned'
  const wall = error ? [t('order.say.wall', { rows: error.tMax, position: error.position })] : []
  const none = ways.none?.differences[seat]
  if (none === undefined) {
    return { lead, body: [t('order.say.only'), ...wall].join(' '), failing }
  }
  const said = waysOf(model.state).flatMap((way) => {
    const value = ways[way]?.differences[seat]
    if (value === undefined) return []
    return t(sayKey(model, way, value === 0), { value: showDifference(value) })
  })
  return { lead, body: [...said, ...wall].join(' '), failing }
}

/**
 * @param {OrderModel} model
 * @param {WayName} way
 * @param {boolean} same
 * @returns {TextKey}
 */
function sayKey({ state, a, b }, way, same) {
  const { causal, mode } = state
  if (way === 'none') {
    if (causal && mode !== 'nope') return same ? 'order.say.causal.same' : 'order.say.causal'
    return same ? 'order.say.blind' : 'order.say.other'
  }
  if (way === 'nope') return same ? 'order.say.nope.same' : 'order.say.nope'
  if (way === 'alibi' && same) {
    const mirror = !causal && a.join(' ') === [...b].reverse().join(' ')
    return mirror ? 'order.say.alibi.mirror' : 'order.say.alibi.same'
  }
  return way === 't5' && causal ? 'order.say.t5.causal' : `order.say.${way}`
}

export const order = Object.freeze({
  id: 'order',
  fields: ['heads', 'dModel', 'tMax', 'seed', 'steps', 'base'],
  compute,
  say,
  mount: mountOrder,
})
