// Similarity: what is written beside the pictures, and the tables of their numbers.
import { formatNumber } from '../../text/text.js'
import { numberCell } from '../../kit/numbers.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').SimilarityModel} SimilarityModel
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../../kit/figure.js').NumberTable} NumberTable
 * @typedef {import('../../kit/figure.js').FigureWords} FigureWords
 * @typedef {'sinusoidal' | 'learned'} CodeName
 */

/** A table shows so many positions; of longer rows those around the first cursor. */
const MOST_ROWS = 128

/** @param {number} radians */
const degrees = (radians) => (radians * 180) / Math.PI

/** @param {number | undefined} value none where there is no row, NaN where it is undefined */
export function shown(value) {
  return value === undefined || Number.isNaN(value) ? '–' : formatNumber(value)
}

/** @param {number | undefined} value */
function cell(value) {
  return numberCell(Number.isNaN(value) ? undefined : value)
}

/**
 * The angle that an offset turns each pair by.
 * @param {SimilarityModel} model
 * @returns {number[]} radians, not reduced to one turn; fastest pair first
 */
export function turnAngles({ turns: [{ from, to }], state: { dModel } }) {
  const whole = Math.floor(dModel / 2)
  return Array.from({ length: whole }, (_, pair) => to.angle[pair] - from.angle[pair])
}

/** @param {number} radians */
export function showAngle(radians) {
  const angle = degrees(radians)
  return `${formatNumber(angle, angle < 10 ? 1 : 0)}°`
}

/**
 * An error of rounding, in one figure: `2e-16`.
 * @param {number} value
 */
export function showError(value) {
  if (value === 0) return '0'
  return value < 1e-3 ? value.toExponential(0).replace('-', '−') : formatNumber(value)
}

/**
 * @param {Translate} t
 * @param {SimilarityModel} model
 * @param {{ code: string, position: number } | undefined} hover
 * @param {number[]} pairs whose turns are drawn
 * @returns {Record<'sinusoidal' | 'learned' | 'seats' | 'turns', FigureWords>}
 */
export function figureWords(t, model, hover, pairs) {
  const { position, position2, offset, measure, length, tMax, steps } = model.state
  const angles = turnAngles(model)
  const words = (/** @type {CodeName} */ code) => {
    const { curves, pairs: both } = model[code]
    const to = hover?.code === code ? hover.position : position + offset
    const value = hover?.code === code ? curves[0]?.[measure][to] : both[0]?.[measure]
    const missing = code === 'learned' && position >= model.table.rows ? position : to
    return {
      name: t(`similarity.${code}`),
      note: t(`similarity.${code}.note`, { position, position2, rows: model.table.rows, steps }),
      readout:
        value === undefined
          ? t('similarity.readout.none', { to: missing })
          : t('similarity.readout', {
              from: position,
              to,
              value: Number.isNaN(value) ? t('similarity.undefined') : formatNumber(value),
            }),
      summary: t('similarity.summary', {
        length,
        measure: t(`measure.${measure}`),
        position,
        position2,
        offset,
        one: shown(both[0]?.[measure]),
        two: shown(both[1]?.[measure]),
      }),
    }
  }
  return {
    sinusoidal: words('sinusoidal'),
    learned: words('learned'),
    seats: {
      name: t('beyond.seats'),
      summary: t('similarity.summary.seats', { length, position, position2, last: tMax - 1 }),
    },
    turns: {
      name: t('similarity.turns'),
      summary: t('similarity.summary.turns', {
        count: pairs.length,
        position,
        position2,
        offset,
        angles: pairs.map((pair) => formatNumber(degrees(angles[pair]), 1)).join(', '),
      }),
    },
  }
}

/**
 * @param {Translate} t
 * @param {SimilarityModel | undefined} model
 * @param {CodeName} code
 * @param {boolean} [whole]
 * @returns {NumberTable} both cursors' rows with every other, in both measures
 */
export function curveTable(t, model, code, whole) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const { length, position, position2 } = model.state
  const { curves } = model[code]
  const all = code === 'sinusoidal' ? length : Math.min(length, model.table.rows)
  const most = whole ? all : MOST_ROWS
  const from = Math.max(0, Math.min(position - most / 2, all - most))
  const to = Math.min(all, from + most)
  const columns = [t('beyond.axis.position')]
  for (const row of [position, position2]) {
    for (const measure of /** @type {const} */ (['dot', 'cosine'])) {
      columns.push(t('similarity.column', { row, measure: t(`measure.${measure}`) }))
    }
  }
  return {
    caption:
      from === 0 && to === all
        ? t('similarity.table')
        : t('similarity.table.near', { from, to: to - 1 }),
    columns,
    rows: Array.from({ length: to - from }, (_, i) => [
      from + i,
      ...curves.flatMap((one) => [cell(one?.dot[from + i]), cell(one?.cosine[from + i])]),
    ]),
  }
}

/**
 * @param {SimilarityModel} model
 * @param {CodeName} code
 * @returns {{ data: Float64Array, shape: [number, number] } | undefined} a row for each cursor that has
 *   one, in the measure that is shown
 */
export function curveMatrix(model, code) {
  const lines = model[code].curves.flatMap((one) => (one ? [one[model.state.measure]] : []))
  if (lines.length === 0) return undefined
  const length = lines[0].length
  const data = new Float64Array(lines.length * length)
  lines.forEach((line, i) => data.set(line, i * length))
  return { data, shape: [lines.length, length] }
}

/**
 * @param {Translate} t
 * @param {SimilarityModel | undefined} model
 * @returns {NumberTable} every pair: its turn and its block of the rotation matrix
 */
export function turnTable(t, model) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const { data, shape } = model.rotation
  const columns = shape[1]
  const rows = turnAngles(model).map((angle, pair) => {
    const top = 2 * pair * columns + 2 * pair
    const block = [data[top], data[top + 1], data[top + columns], data[top + columns + 1]]
    return [
      `${2 * pair}, ${2 * pair + 1}`,
      numberCell(degrees(angle)),
      ...block.map((value) => numberCell(value)),
    ]
  })
  return {
    caption: t('similarity.table.turns', { offset: model.state.offset }),
    columns: [
      t('beyond.axis.dimension'),
      t('similarity.column.angle'),
      'R[0, 0]',
      'R[0, 1]',
      'R[1, 0]',
      'R[1, 1]',
    ],
    rows,
  }
}
