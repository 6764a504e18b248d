// The same attention over both sentences, without positions and with the code in focus.
import { rowOf } from '../../kit/numbers.js'
import { besideWords } from '../../kit/positions.js'
import { matchWords, splitWords, wordId } from '../../state/words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../kit/codes.js').Matrix} Matrix
 * @typedef {{ position: number, tMax: number }} Missing a row that a table does not have
 */

/** `none` has no positions; `nope` has none either, but a causal mask. */
/** @typedef {'none' | State['mode']} WayName */

/**
 * @typedef {object} Attended
 * @property {Matrix} output n x dModel
 * @property {{ data: Float64Array, shape: [number, number, number] }} weights (heads, n, n), row = query
 */

/**
 * The two codes that are added to the input stand together.
 * @param {State} state
 * @returns {WayName[]}
 */
export const waysOf = ({ mode }) =>
  mode === 'sinusoidal' || mode === 'learned' ? ['none', 'sinusoidal', 'learned'] : ['none', mode]

/** What the reader wrote, else the example of the language. @param {State} state @param {any} t */
export const sentencesOf = (state, t) => ({
  a: state.sentenceA || t('order.exampleA'),
  b: state.sentenceB || t('order.exampleB'),
})

/** @param {Codes} codes @param {State} state @param {any} t */
export async function attendBoth(codes, state, t) {
  const sentences = sentencesOf(state, t)
  const [a, b] = [sentences.a, sentences.b].map(splitWords)
  /** Seat in B of each word of A. */
  const partner = matchWords(a, b)
  const ways = await Promise.all(
    waysOf(state).map(async (way) => {
      const { both = [], error } = await attend(codes, causalOf(state, way), [a, b], way)
      const differences = await differencesOf(codes.engine, both, partner)
      return /** @type {const} */ ([way, { a: both[0], b: both[1], differences, error }])
    }),
  )
  return { a, b, partner, ways: Object.fromEntries(ways) }
}

/** NoPE is shown both ways, whatever the switch says. @param {State} state @param {WayName} way */
const causalOf = (state, way) =>
  state.mode === 'nope' ? { ...state, causal: way === 'nope' } : state

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {string[][]} sentences
 * @param {WayName} way
 * @returns {Promise<{ both?: Attended[], error?: Missing }>}
 */
async function attend(codes, state, sentences, way) {
  const { dModel, heads, seed, causal } = state
  const longest = Math.max(...sentences.map((words) => words.length))
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
  const both = sentences.map(async (words) =>
    codes.engine.attention({
      ...{ dModel, heads, seed, causal },
      tokens: Uint32Array.from(words, wordId),
      codes: rows && {
        data: rows.data.slice(0, words.length * dModel),
        shape: [words.length, dModel],
      },
      ...(await beside(words.length)),
    }),
  )
  return { both: await Promise.all(both) }
}

/**
 * The first seat of a sentence that the table has no row for, as the kernel reports it.
 * @param {import('../../kit/codes.js').Learned} learned
 * @param {number} length
 * @returns {Promise<Missing | undefined>}
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
 * @param {Codes['engine']} engine
 * @param {Attended[]} both
 * @param {(number | undefined)[]} partner seat in the second sentence of each word of the first
 * @returns {Promise<(number | undefined)[]>} of each word's two outputs, the largest difference
 */
async function differencesOf(engine, both, partner) {
  const met = partner.flatMap((seat, from) => (seat === undefined ? [] : [{ from, seat }]))
  if (both.length === 0 || met.length === 0) return partner.map(() => undefined)
  const gathered = (/** @type {number[][]} */ rows) => ({
    data: rows.flat(),
    shape: /** @type {[number, number]} */ ([rows.length, rows[0].length]),
  })
  const largest = await engine.numbers.rowDifferences({
    one: gathered(met.map(({ from }) => [...rowOf(both[0].output, from)])),
    other: gathered(met.map(({ seat }) => [...rowOf(both[1].output, seat)])),
  })
  return partner.map((_, from) => largest[met.findIndex((pair) => pair.from === from)])
}
