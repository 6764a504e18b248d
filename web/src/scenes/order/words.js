// Word order: what is written beside the pictures, and the tables of their numbers.
import { numpyMessage } from '../../kit/lookup.js'
import { numberCell, rowOf } from '../../kit/numbers.js'
import { showDifference } from './common.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').OrderModel} OrderModel
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('./common.js').WayName} WayName
 */

/**
 * @param {Translate} t
 * @param {State} state
 * @param {OrderModel} model
 * @param {WayName} way
 * @returns {import('../../kit/figure.js').FigureWords}
 */
export function figureWords(t, state, model, way) {
  const seat = Math.min(state.position, model.a.length - 1)
  const { differences = [], error } = model.ways[way] ?? {}
  const difference = differences[seat]
  const both = way === 'none' && model.state.mode === 'nope'
  const title = t(both ? 'order.both.title' : `order.${way}.title`)
  const list = model.a
    .map((word, i) => {
      const value = differences[i]
      return `${word} ${value === undefined ? '–' : showDifference(value)}`
    })
    .join(', ')
  return {
    name: title,
    note: t(`order.${way}.note`),
    readout: error
      ? numpyMessage(error)
      : difference === undefined
        ? t('order.readout.none', { word: model.a[seat] })
        : t('order.readout', { word: model.a[seat], value: showDifference(difference) }),
    summary: error
      ? t('order.summary.fails', { title, ...error })
      : t('order.summary', { title, a: model.a.join(' '), b: model.b.join(' '), list }),
  }
}

/**
 * The output of the chosen word in both orders, and under it what it attended to.
 * @param {Translate} t
 * @param {State} state
 * @param {OrderModel | undefined} model
 * @param {WayName} way
 * @returns {import('../../kit/figure.js').NumberTable}
 */
export function wordTable(t, state, model, way) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const seat = Math.min(state.position, model.a.length - 1)
  const partner = model.partner[seat]
  const { a, b } = model.ways[way] ?? {}
  const word = model.a[seat]
  const outA = a ? rowOf(a.output, seat) : undefined
  const outB = b && partner !== undefined ? rowOf(b.output, partner) : undefined
  const rows = Array.from({ length: model.state.dModel }, (_, dimension) => [
    dimension,
    everyDigit(outA?.[dimension]),
    everyDigit(outB?.[dimension]),
  ])
  for (let i = 0; i < Math.max(model.a.length, model.b.length); i += 1) {
    rows.push([
      t('order.weight', { a: model.a[i] ?? '–', b: model.b[i] ?? '–' }),
      a && i < model.a.length ? numberCell(meanWeight(a, seat, i)) : '–',
      b && partner !== undefined && i < model.b.length
        ? numberCell(meanWeight(b, partner, i))
        : '–',
    ])
  }
  return {
    caption: t('order.table', { word }),
    columns: [
      t('beyond.axis.dimension'),
      t('order.a', { seat }),
      partner === undefined ? '–' : t('order.b', { seat: partner }),
    ],
    rows,
  }
}

/**
 * The shortest text that reads back as exactly this number.
 * @param {number | undefined} value
 */
function everyDigit(value) {
  return numberCell(value, String(value).replace('-', '−'))
}

/**
 * @param {import('./index.js').Attended} attended
 * @param {number} query
 * @param {number} key
 * @returns {number} over the heads
 */
function meanWeight({ weights: { data, shape } }, query, key) {
  const [heads, n] = shape
  let sum = 0
  for (let head = 0; head < heads; head += 1) sum += data[(head * n + query) * n + key]
  return sum / heads
}

/**
 * The outputs of all words, in order A and then in order B: (2, n, d).
 * @param {OrderModel | undefined} model
 * @param {WayName} way
 */
export function outputMatrix(model, way) {
  const { a, b } = model?.ways[way] ?? {}
  if (!model || !a || !b || model.a.length !== model.b.length) return a && a.output
  return {
    data: [...a.output.data, ...b.output.data],
    shape: [2, ...a.output.shape],
  }
}
