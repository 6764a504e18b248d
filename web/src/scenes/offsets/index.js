// Distance: the score of a query with keys at growing distance, for every encoding on one axis. What
// is computed and what is said.
import { formatNumber } from '../../text/text.js'
import { memo } from '../../kit/memo.js'
import { slopeText } from '../../kit/numbers.js'
import { mountOffsets } from './view.js'
import { CONTENTS } from './words.js'
import { T5, ropeOf, t5Values } from '../../kit/positions.js'
import { MODES } from '../../state/fields.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../kit/codes.js').Learned} Learned
 * @typedef {import('../../engine/client.js').ScoreProfile} ScoreProfile
 * @typedef {import('../../text/text.js').Translate} Translate
 */

/** The kernel's scores are for small vectors: they are no wider than this. */
const WIDEST = 128

/**
 * @typedef {object} OffsetsModel
 * @property {'offsets'} scene
 * @property {State} state
 * @property {Record<State['mode'], ScoreProfile | undefined>} lines from the first query; shorter
 *   where the table ends, undefined where not even the query has a row
 * @property {ScoreProfile | undefined} second of the code in focus, from the second query
 * @property {number} rows of the table
 * @property {number} slope of ALiBi's first head
 */

/**
 * @param {Codes} codes
 * @param {State} wide
 * @param {import('../../kit/memo.js').Memory} [memory]
 * @returns {Promise<OffsetsModel>}
 */
async function compute(codes, wide, memory = {}) {
  const state = { ...wide, dModel: Math.min(wide.dModel, WIDEST) }
  const { mode, queryAt, queryAt2, heads } = state
  const learned = await codes.learned(state)
  const lineOf = (/** @type {State['mode']} */ code, /** @type {number} */ at) =>
    profile(codes, memory, state, learned, code, at)
  const [slopes, second, ...lines] = await Promise.all([
    codes.engine.alibiSlopes({ heads }),
    lineOf(mode, queryAt2),
    ...MODES.map((code) => lineOf(code, queryAt)),
  ])
  return {
    scene: 'offsets',
    state,
    lines: /** @type {any} */ (Object.fromEntries(MODES.map((code, i) => [code, lines[i]]))),
    second,
    rows: learned.rows,
    slope: slopes[0],
  }
}

/**
 * @param {Codes} codes
 * @param {import('../../kit/memo.js').Memory} memory
 * @param {State} state
 * @param {Learned} learned
 * @param {State['mode']} code
 * @param {number} position of the query
 * @returns {Promise<ScoreProfile | undefined>}
 */
async function profile({ engine }, memory, state, learned, code, position) {
  const { length, dModel, base, seed, heads, pairing } = state
  const distances = code === 'learned' ? Math.min(length, learned.rows - position) : length
  if (distances < 1) return undefined
  const depends = [length, dModel, seed, pairing, position]
  if (code === 'sinusoidal' || code === 'rope') depends.push(base)
  if (code === 'alibi' || code === 't5') depends.push(heads)
  if (code === 'learned')
    depends.push(state.tMax, state.grown, state.steps, state.rate, state.scale)
  const slot = code + (position === state.queryAt ? '' : '2')
  return memo(memory, slot, depends, async () =>
    engine.scoreProfile({
      dModel,
      distances,
      contents: CONTENTS,
      sameWord: pairing === 'same',
      seed,
      position,
      ...(await ingredients(engine, state, learned, code, position, distances)),
    }),
  )
}

/**
 * @param {Codes['engine']} engine
 * @param {State} state
 * @param {Learned} learned
 * @param {State['mode']} code
 * @param {number} position
 * @param {number} distances
 */
async function ingredients(engine, state, { values }, code, position, distances) {
  const { dModel, base, heads } = state
  if (code === 'sinusoidal') {
    return { codes: await engine.sinusoidal({ length: distances, dModel, base, start: position }) }
  }
  if (code === 'learned') {
    const data = values.data.subarray(position * dModel, (position + distances) * dModel)
    return { codes: { data, shape: [distances, dModel] } }
  }
  if (code === 'rope') return { inverseFrequencies: await ropeOf(engine, dModel, base) }
  if (code === 'alibi') {
    // One query, at the last key: read backwards it is a bias by distance.
    const { data } = await engine.alibiBias({ heads, queries: 1, keys: distances, causal: false })
    return { bias: data.slice(0, distances).reverse() }
  }
  if (code === 't5') {
    const offsets = Int32Array.from({ length: distances }, (_, k) => k)
    const [drawn, buckets] = await Promise.all([
      t5Values(engine, state),
      engine.t5Buckets({ offsets, ...T5 }),
    ])
    return { bias: Float64Array.from(buckets, (bucket) => drawn[bucket * heads]) }
  }
  return {}
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} _state
 * @param {OffsetsModel} model
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, _state, { state, lines, second, rows, slope }) {
  const { mode, distance, queryAt, queryAt2, pairing, heads } = state
  const lead = t('offsets.say.lead', { code: t(`mode.${mode}`), distance })
  const line = lines[mode]
  const mean = line?.mean[distance]
  if (mode === 'learned' && mean === undefined) {
    const values = { last: rows - 1, distance, position: queryAt }
    const key = queryAt < rows ? 'offsets.say.wall' : 'offsets.say.none'
    return { lead, body: t(key, values), failing: true }
  }
  const zero = formatNumber(line?.mean[0] ?? NaN, 2)
  const values = { zero, mean: formatNumber(mean ?? NaN, 2), heads, slope: slopeText(slope) }
  const key =
    mode === 'rope' && pairing === 'other' ? 'offsets.say.rope.other' : `offsets.say.${mode}`
  const said = [t(/** @type {any} */ (key), values)]
  const from = [line?.one[distance], second?.one[distance]]
  if (mode !== 'nope' && queryAt !== queryAt2 && from.every((value) => value !== undefined)) {
    const [one, two] = from.map((value) => formatNumber(value ?? NaN))
    const pair = { one, two, position: queryAt, position2: queryAt2 }
    said.push(t(one === two ? 'offsets.say.relative' : 'offsets.say.absolute', pair))
  }
  return { lead, body: said.join(' '), failing: false }
}

export const offsets = Object.freeze({
  id: 'offsets',
  /** Distance, queries and words have their own places in the figure. */
  fields: ['length', 'dModel', 'heads', 'base', 'tMax', 'steps', 'seed'],
  compute,
  say,
  mount: mountOffsets,
})
