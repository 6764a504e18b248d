// Training: what is written beside the pictures, and the tables of their numbers.
import { formatNumber } from '../../text/text.js'
import { formatPercent } from '../../kit/format.js'
import {
  around,
  largestAbsolute,
  numberCell,
  partTable,
  rowOf,
  wholeTable,
} from '../../kit/numbers.js'
import { shareWalked } from './run.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').TrainingModel} TrainingModel
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../kit/figure.js').NumberTable} NumberTable
 */

/** The loss curve has up to thousands of points; its table about so many. */
const CURVE_ROWS = 40

const EMPTY = { caption: '', columns: [], rows: [] }

/**
 * The cursor may stand past the table, which is another scene's matter: then its last row is shown.
 * @param {State} state
 * @param {TrainingModel | undefined} model
 */
export function rowShown(state, model) {
  return Math.min(state.position, (model?.state ?? state).tMax - 1)
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {TrainingModel} model
 * @param {number} limit of the value colours
 * @param {{ position: number, dimension: number } | undefined} hover
 * @returns {Record<'map' | 'distance' | 'loss' | 'row', import('../../kit/figure.js').FigureWords>}
 */
export function figureWords(t, state, model, limit, hover) {
  const position = rowShown(state, model)
  const { tMax, dModel: d } = model.state
  const table = tableShown(model, state)
  const dimension = Math.min(state.dimension, d - 1)
  const at = hover ?? { position, dimension }
  const distance = distancesShown(model, state)[position]
  const values = {
    position,
    tMax,
    d,
    steps: model.steps,
    last: tMax - 1,
    loss: model.loss.toFixed(6),
    start: model.startLoss.toFixed(6),
    walked: formatPercent(t, shareWalked(model)),
    distance: formatNumber(distance),
    startDistance: formatNumber(model.startDistances[position]),
    largest: formatNumber(largestAbsolute(distancesShown(model, state))),
  }
  /** @param {ArrayLike<number>} row */
  const list = (row) => Array.from(row, (value) => formatNumber(value)).slice(0, 8)
  const shownRow = rowOf(table, position)
  return {
    map: {
      name: t(`training.map.${state.shown}`, values),
      limit,
      readout: t('beyond.readout', {
        ...at,
        value: formatNumber(rowOf(table, at.position)[at.dimension]),
      }),
      summary: t('training.summary.map', {
        ...values,
        name: t(`training.map.${state.shown}`, values),
        values: list(shownRow).join(', '),
      }),
    },
    distance: {
      name: t('training.distance'),
      note: t('training.distance.note'),
      readout: t('training.distance.readout', values),
      summary: t('training.summary.distance', values),
    },
    loss: {
      name: t('training.loss'),
      readout: t('training.loss.readout', values),
      summary: t('training.summary.loss', values),
    },
    row: {
      name: t(`training.row.${state.shown}`, values),
      summary: t('training.summary.row', {
        ...values,
        values: list(shownRow).join(', '),
        target: list(rowOf(model.target, position)).join(', '),
      }),
    },
  }
}

/**
 * Why this is a miniature, with the numbers of the moment.
 * @param {Translate} t
 * @param {TrainingModel} model
 * @returns {string[]} three paragraphs
 */
export function miniatureWords(t, model) {
  const { tMax, rate, dModel: d } = model.state
  const values = {
    tMax,
    rate,
    d,
    steps: model.steps,
    walked: formatPercent(t, shareWalked(model)),
  }
  return [
    t('training.miniature.what'),
    t('training.miniature.why', values),
    t('training.miniature.real'),
  ]
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {TrainingModel | undefined} model
 * @param {boolean} [whole]
 * @returns {NumberTable} the rows around the cursor, of the table that is shown
 */
export function windowTable(t, state, model, whole) {
  if (!model) return EMPTY
  if (whole) return wholeTable(t, tableShown(model, state))
  const { tMax, dModel } = model.state
  const table = tableShown(model, state)
  return partTable(t, around(rowShown(state, model), tMax), dModel, (position, dimension) => {
    return rowOf(table, position)[dimension]
  })
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {TrainingModel | undefined} model
 * @returns {NumberTable} one row: at the start, now, and its target
 */
export function rowTable(t, state, model) {
  if (!model) return EMPTY
  const position = rowShown(state, model)
  const tables = [model.start, model.values, model.target]
  return {
    caption: t('training.table.row', { position, steps: model.steps }),
    columns: [
      t('beyond.axis.dimension'),
      t('training.shown.start'),
      t('training.shown.now'),
      t('training.shown.target'),
    ],
    rows: Array.from({ length: model.state.dModel }, (_, dimension) => [
      dimension,
      ...tables.map((table) => numberCell(rowOf(table, position)[dimension])),
    ]),
  }
}

/**
 * @param {Translate} t
 * @param {TrainingModel | undefined} model
 * @returns {NumberTable}
 */
export function distanceTable(t, model) {
  if (!model) return EMPTY
  return {
    caption: t('training.table.distance'),
    columns: [t('beyond.axis.position'), t('training.shown.start'), t('training.shown.now')],
    rows: Array.from(model.distances, (value, position) => [
      position,
      numberCell(model.startDistances[position]),
      numberCell(value),
    ]),
  }
}

/**
 * @param {Translate} t
 * @param {TrainingModel | undefined} model
 * @param {boolean} [whole]
 * @returns {NumberTable}
 */
export function curveTable(t, model, whole) {
  if (!model) return EMPTY
  const { curve, steps, loss } = model
  const before = curve.steps.filter((step) => step < steps).length
  const every = whole ? 1 : Math.max(1, Math.ceil(before / CURVE_ROWS))
  /** @param {number} value */
  const cell = (value) => ({ value, text: value.toFixed(6) })
  /** @type {import('../../exports/csv.js').Cell[][]} */
  const rows = []
  for (let i = 0; i < before; i += every) rows.push([curve.steps[i], cell(curve.losses[i])])
  rows.push([steps, cell(loss)])
  return {
    caption: t('training.table.loss'),
    columns: [t('training.axis.steps'), t('training.loss.mse')],
    rows,
  }
}

/**
 * @param {TrainingModel} model
 * @param {State} state
 */
export function tableShown({ start, values, target }, { shown }) {
  return { start, now: values, target }[shown]
}

/**
 * @param {TrainingModel} model
 * @param {State} state
 * @returns {ArrayLike<number>} the target has no distance to itself
 */
export function distancesShown({ startDistances, distances }, { shown }) {
  if (shown === 'target') return new Float64Array(distances.length)
  return shown === 'start' ? startDistances : distances
}

/**
 * @param {State} state
 * @param {TrainingModel | undefined} model
 * @returns {import('../../kit/save_menu.js').NumberMatrix | undefined} one row: start, now, target
 */
export function rowMatrix(state, model) {
  if (!model) return undefined
  const position = rowShown(state, model)
  const rows = [model.start, model.values, model.target].map((table) => rowOf(table, position))
  return { data: rows.flatMap((row) => [...row]), shape: [3, model.state.dModel] }
}

/**
 * @param {TrainingModel | undefined} model
 * @returns {import('../../kit/save_menu.js').NumberMatrix | undefined} of each row: at the start, now
 */
export function distanceMatrix(model) {
  if (!model) return undefined
  const { startDistances, distances } = model
  return { data: [...startDistances, ...distances], shape: [2, distances.length] }
}

/**
 * @param {TrainingModel | undefined} model
 * @returns {import('../../kit/save_menu.js').NumberMatrix | undefined} steps, and the error after them
 */
export function curveMatrix(model) {
  if (!model) return undefined
  const { steps, losses } = model.curve
  return { data: [...steps, ...losses], shape: [2, steps.length] }
}
