// Distance: what is written beside the pictures, and the tables of their numbers.
import { MODES } from '../../state/fields.js'
import { formatNumber } from '../../text/text.js'
import { numberCell } from '../../kit/numbers.js'

/**
 * @typedef {import('./index.js').OffsetsModel} OffsetsModel
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../kit/figure.js').NumberTable} NumberTable
 */

/** Words, or pairs of words, that the average is over. */
export const CONTENTS = 64
/** Rows of a table: as many as can be read, around the distance in focus. */
const ROWS = 200

/** @param {number | undefined} value */
export const short = (value) => (value === undefined ? '–' : formatNumber(value, 2))

/**
 * @param {OffsetsModel} model
 * @returns {{ heading: (t: Translate) => string, y: ArrayLike<number> }[]} of the first figure
 */
function meanColumns({ lines }) {
  return MODES.map((code) => ({ heading: (t) => t(`mode.${code}`), y: lines[code]?.mean ?? [] }))
}

/** @param {OffsetsModel} model @returns {ReturnType<typeof meanColumns>} of the second figure */
function pairColumns({ state, lines, second }) {
  const from = (/** @type {number} */ position) => (/** @type {Translate} */ t) =>
    t('offsets.from', { position })
  return [
    { heading: from(state.queryAt), y: lines[state.mode]?.one ?? [] },
    { heading: from(state.queryAt2), y: second?.one ?? [] },
  ]
}

/**
 * @param {Translate} t
 * @param {OffsetsModel | undefined} model
 * @param {'means' | 'pair'} figure
 * @returns {NumberTable}
 */
export function scoreTable(t, model, figure) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const columns = figure === 'means' ? meanColumns(model) : pairColumns(model)
  const { length, distance } = model.state
  const from = Math.max(0, Math.min(distance - ROWS / 2, length - ROWS))
  const rows = Array.from({ length: Math.min(ROWS, length) }, (_, i) => [
    from + i,
    ...columns.map(({ y }) => numberCell(y[from + i])),
  ])
  return {
    caption: t(`offsets.${figure}.table`, { from, to: from + rows.length - 1 }),
    columns: [t('offsets.axis'), ...columns.map(({ heading }) => heading(t))],
    rows,
  }
}

/**
 * A row a distance, a column a line; NaN where the table has no row.
 * @param {OffsetsModel} model
 * @param {'means' | 'pair'} figure
 */
export function scoreMatrix(model, figure) {
  const columns = figure === 'means' ? meanColumns(model) : pairColumns(model)
  const { length } = model.state
  const data = Array.from({ length }, (_, k) => columns.map(({ y }) => y[k] ?? NaN)).flat()
  return { data, shape: [length, columns.length] }
}

/**
 * @param {Translate} t
 * @param {OffsetsModel} model
 */
export function figureWords(t, model) {
  const { state, lines, second } = model
  const { mode, distance, length, pairing, queryAt, queryAt2 } = state
  const code = t(`mode.${mode}`)
  const list = MODES.map((one) => `${t(`mode.${one}`)} ${short(lines[one]?.mean[distance])}`)
  const one = formatOrDash(lines[mode]?.one[distance])
  const two = formatOrDash(second?.one[distance])
  const contents = CONTENTS
  const values = { code, distance, length, contents, list: list.join(', '), one, two }
  const seats = { position: queryAt, position2: queryAt2 }
  return {
    means: {
      name: t('offsets.means', { contents }),
      note: t(`offsets.${pairing}`),
      readout: t('offsets.readout', { distance, value: short(lines[mode]?.mean[distance]) }),
      summary: t('offsets.means.summary', values),
    },
    pair: {
      name: t('offsets.pair', { code }),
      note: t('offsets.pair.note', seats),
      summary: t('offsets.pair.summary', { ...values, ...seats }),
    },
  }
}

/** @param {number | undefined} value */
const formatOrDash = (value) => (value === undefined ? '–' : formatNumber(value))
