// What the kernel is asked for: errors along the positions, and at the cursor.
import { NUMBER_FORMATS } from '../../state/fields.js'

/** @import { PositionPrecision } from '../../engine/types.js' */

/** The last position of the curves. */
export const FARTHEST = 1e6

/** The reporter's case: head size 32, the first 2,048 positions, float16. */
export const REPORT = Object.freeze({ ropePairs: 16, length: 2048, format: 'float16' })

const THREE_DIGITS = Array.from({ length: 900 }, (_, i) => 100 + i)

/**
 * Every position of at most three digits that count: the ones a slider stops at. And the report's.
 * @type {readonly number[]}
 */
const POSITIONS = Object.freeze(
  Array.from({ length: 999 }, (_, i) => i + 1)
    .concat([10, 100, 1000].flatMap((unit) => THREE_DIGITS.map((digits) => digits * unit)))
    .concat(1857, FARTHEST)
    .sort((a, b) => a - b),
)

/**
 * The newest wish counts: an older one is stopped.
 * @param {Record<string, any>} answers
 * @param {string} slot
 * @param {string} key
 * @param {(options: { signal: AbortSignal }) => Promise<PositionPrecision>} ask
 * @returns {Promise<PositionPrecision>}
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
 * @param {any} engine
 * @param {import('../../state/state.js').State} state
 * @param {Record<string, any>} answers kept from before
 */
export async function computeErrors(engine, state, answers) {
  const { ropePairs, ropeBase, farPosition } = state
  const rope = { headDim: 2 * ropePairs, theta: ropeBase }
  const key = `${ropePairs},${ropeBase}`
  const known = POSITIONS.indexOf(farPosition)
  /** @type {Record<string, PositionPrecision>} */
  const formats = {}
  /** At the cursor; NaN: no room in the format. @type {Record<string, number>} */
  const here = {}
  const report = latest(answers, 'report', '', (options) => {
    const positions = Array.from({ length: REPORT.length }, (_, position) => position)
    const asked = { headDim: 2 * REPORT.ropePairs, format: REPORT.format, positions, searchEnd: 0 }
    return engine.positionPrecision(asked, options)
  })
  await Promise.all(
    NUMBER_FORMATS.map(async (format) => {
      const ask = (/** @type {readonly number[]} */ positions, /** @type {number} */ searchEnd) => {
        const slot = searchEnd ? format : `${format} here`
        return latest(answers, slot, searchEnd ? key : `${key},${farPosition}`, (options) =>
          engine.positionPrecision({ ...rope, format, positions, searchEnd }, options),
        )
      }
      const [curve, at] = await Promise.all([
        ask(POSITIONS, FARTHEST),
        known < 0 ? ask([farPosition], 0) : undefined,
      ])
      formats[format] = curve
      here[format] = at ? at.maxErrors[0] : curve.maxErrors[known]
    }),
  )
  return { positions: POSITIONS, formats, here, reported: Math.max(...(await report).maxErrors) }
}

/** Steps of the curves in an octave of positions. */
const STEPS = 6

/**
 * Neighbouring positions differ a lot, so that a line through all of them would be a thicket: what is
 * drawn is the largest and the smallest error of each step.
 * @param {readonly number[]} positions
 * @param {Float64Array} errors NaN where the format has no room
 */
export function envelope(positions, errors) {
  /** @type {Record<'x' | 'low' | 'high', number[]>} */
  const found = { x: [], low: [], high: [] }
  let before = NaN
  for (let i = 0; i < positions.length && !Number.isNaN(errors[i]); i += 1) {
    const step = Math.floor(Math.log2(positions[i]) * STEPS)
    const last = found.x.length - 1
    if (step === before) {
      found.low[last] = Math.min(found.low[last], errors[i])
      found.high[last] = Math.max(found.high[last], errors[i])
    } else {
      found.x.push(positions[i])
      found.low.push(errors[i])
      found.high.push(errors[i])
    }
    before = step
  }
  return found
}
