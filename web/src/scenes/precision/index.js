// Precision: how wrong RoPE's angles are when the whole module is cast to a short format, and where two
// neighbours become one. What is computed and what is said.
import { NUMBER_FORMATS } from '../../state/fields.js'
import { formatCount, formatError } from '../../kit/format.js'
import { mountPrecision } from './view.js'
import { FARTHEST, REPORT } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../../engine/client.js').PositionPrecision} PositionPrecision
 */

/**
 * @typedef {object} PrecisionModel
 * @property {'precision'} scene
 * @property {State} state
 * @property {readonly number[]} positions of the curves, rising
 * @property {Record<string, PositionPrecision>} formats
 * @property {Record<string, number>} here the error at the cursor; NaN: no room in the format
 * @property {number} reported the largest error in the case of gpt-neox #1003
 */

/**
 * Every position of at most three digits that count: the ones a slider stops at. And the report's.
 * @type {readonly number[]}
 */
export const POSITIONS = Object.freeze(
  Array.from({ length: 7 }, (_, power) => 10 ** power)
    .flatMap((unit) =>
      Array.from({ length: unit === 1 ? 999 : 900 }, (_, i) => (unit === 1 ? 1 : 100) + i).map(
        (digits) => digits * (unit === 1 ? 1 : unit),
      ),
    )
    .concat(1857)
    .filter((position) => position <= FARTHEST)
    .sort((a, b) => a - b)
    .filter((position, i, all) => position !== all[i - 1]),
)

/** @type {readonly import('../../engine/client.js').NumberFormat[]} */
const FORMATS = /** @type {any} */ (NUMBER_FORMATS)

/** @typedef {{ key: string, answer: Promise<any>, controller: AbortController }} Answer */

/**
 * The newest wish counts: an older one is stopped.
 * @param {Record<string, Answer | undefined>} answers
 * @param {string} slot
 * @param {string} key
 * @param {(options: { signal: AbortSignal }) => Promise<any>} ask
 */
function latest(answers, slot, key, ask) {
  const before = answers[slot]
  if (before?.key === key) return before.answer
  before?.controller.abort()
  const controller = new AbortController()
  const answer = ask({ signal: controller.signal })
  answers[slot] = { key, answer, controller }
  answer.catch(() => {
    if (answers[slot]?.answer === answer) answers[slot] = undefined
  })
  return answer
}

/**
 * @param {import('../../kit/codes.js').Codes} codes
 * @param {State} state
 * @param {Record<string, Answer | undefined>} [answers]
 * @returns {Promise<PrecisionModel>}
 */
async function compute({ engine }, state, answers = {}) {
  const { ropePairs, ropeBase, farPosition } = state
  const rope = { headDim: 2 * ropePairs, theta: ropeBase }
  const key = `${ropePairs},${ropeBase}`
  const known = POSITIONS.indexOf(farPosition)
  /** @type {PrecisionModel} */
  const model = {
    scene: 'precision',
    state,
    positions: POSITIONS,
    formats: {},
    here: {},
    reported: 0,
  }
  const report = latest(answers, 'report', '', (options) => {
    const positions = Array.from({ length: REPORT.length }, (_, position) => position)
    const { format } = REPORT
    const headDim = 2 * REPORT.ropePairs
    return engine.positionPrecision({ headDim, format, positions, searchEnd: 0 }, options)
  })
  await Promise.all([
    report.then(({ maxErrors }) => (model.reported = Math.max(...maxErrors))),
    ...FORMATS.map(async (format) => {
      const [curve, at] = await Promise.all([
        latest(answers, format, key, (options) =>
          engine.positionPrecision(
            { ...rope, format, positions: POSITIONS, searchEnd: FARTHEST },
            options,
          ),
        ),
        known >= 0
          ? undefined
          : latest(answers, `${format} here`, `${key},${farPosition}`, (options) =>
              engine.positionPrecision(
                { ...rope, format, positions: [farPosition], searchEnd: 0 },
                options,
              ),
            ),
      ])
      model.formats[format] = curve
      model.here[format] = at ? at.maxErrors[0] : curve.maxErrors[known]
    }),
  ])
  return model
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} _state
 * @param {PrecisionModel} model
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, _state, { state, formats, here }) {
  const { farPosition, numberFormat, ropePairs } = state
  const { firstCollision } = formats[numberFormat]
  const first = firstCollision ?? Infinity
  const values = {
    position: formatCount(farPosition),
    format: numberFormat,
    pairs: ropePairs,
    error: formatError(here[numberFormat]),
    first: formatCount(first),
    next: formatCount(first + 1),
  }
  /** @type {TextKey} */
  let key = 'precision.say.never'
  if (Number.isNaN(here[numberFormat])) key = 'precision.say.room'
  else if (farPosition >= first) key = 'precision.say.past'
  else if (firstCollision !== null) key = 'precision.say.before'
  return {
    lead: t('precision.lead', values),
    body: t(key, values),
    failing: farPosition >= first || Number.isNaN(here[numberFormat]),
  }
}

export const precision = Object.freeze({
  id: 'precision',
  /** The cursor has its own place under the figure. */
  fields: ['ropePairs', 'ropeBase'],
  compute,
  say,
  mount: mountPrecision,
})
