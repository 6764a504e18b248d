// Precision: how errors are written, the numbers as a table and as a matrix.
import { NUMBER_FORMATS } from '../../state/fields.js'
import { formatCount, formatError } from '../../kit/format.js'
import { numberCell } from '../../kit/numbers.js'

/**
 * @typedef {import('./index.js').PrecisionModel} PrecisionModel
 * @typedef {import('../../text/text.js').Translate} Translate
 */

/** The last position of the curves. */
export const FARTHEST = 1e6

/** The reporter's case: head size 32, the first 2,048 positions, float16. */
export const REPORT = Object.freeze({
  ropePairs: 16,
  length: 2048,
  format: /** @type {const} */ ('float16'),
})

/** Steps of the curves in an octave of positions. */
const STEPS = 6

/**
 * Neighbouring positions differ a lot, so that a line through all of them would be a thicket: what is
 * drawn is the largest and the smallest error of each step.
 * @param {readonly number[]} positions
 * @param {Float64Array} errors NaN where the format has no room
 * @returns {{ x: number[], low: number[], high: number[] }}
 */
export function envelope(positions, errors) {
  /** @type {{ x: number[], low: number[], high: number[] }} */
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

/**
 * @param {Translate} t
 * @param {PrecisionModel} model
 * @returns {import('../../kit/figure.js').NumberTable} at doublings of the position, and at the cursor
 */
export function errorTable(t, { state, positions, formats, here }) {
  /** @type {[number, number][]} position and its place among the positions of the curves */
  const rows = []
  for (let position = 1; position <= FARTHEST; position *= 2) {
    // Beyond three digits the nearest position of the curves stands for a power of two.
    const place = positions.findIndex((value) => value >= position)
    if (positions[place] !== state.farPosition) rows.push([positions[place], place])
  }
  rows.push([state.farPosition, -1])
  rows.sort(([a], [b]) => a - b)
  return {
    caption: t('precision.table', { pairs: state.ropePairs }),
    columns: [t('precision.axis.position'), ...NUMBER_FORMATS],
    rows: rows.map(([position, place]) => [
      { value: position, text: formatCount(position) },
      ...NUMBER_FORMATS.map((format) => {
        const error = place < 0 ? here[format] : formats[format].maxErrors[place]
        return numberCell(error, formatError(error))
      }),
    ]),
  }
}

/**
 * @param {PrecisionModel} model
 * @returns {import('../../kit/save_menu.js').NumberMatrix} position and the error in each format, row by row
 */
export function errorMatrix({ positions, formats }) {
  const columns = 1 + NUMBER_FORMATS.length
  const data = new Float64Array(positions.length * columns)
  positions.forEach((position, i) =>
    data.set([position, ...NUMBER_FORMATS.map((name) => formats[name].maxErrors[i])], i * columns),
  )
  return { data, shape: [positions.length, columns] }
}
