// Past T_max: what is written beside the pictures, and the tables of their numbers.
import { formatNumber } from '../../text/text.js'
import { around, numberCell, partTable, rowOf, wholeTable } from '../../kit/numbers.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').BeyondModel} BeyondModel
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../../kit/figure.js').NumberTable} NumberTable
 * @typedef {import('../../kit/figure.js').FigureWords} FigureWords
 */

/** @param {ArrayLike<number>} row */
function listValues(row) {
  const shown = Array.from({ length: Math.min(8, row.length) }, (_, i) => formatNumber(row[i]))
  return shown.join(', ') + (row.length > shown.length ? ', …' : '')
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {BeyondModel} model
 * @param {{ code: string, position: number, dimension: number } | undefined} hover
 * @returns {Record<string, FigureWords>}
 */
export function figureWords(t, state, model, hover) {
  const { position } = state
  const { lookup, learned, sinusoidal } = model
  const { tMax, grown, length, dModel: d } = model.state
  const rows = learned.rows
  const found = lookup.row ? listValues(lookup.row) : t('numbers.none')
  const formula = listValues(rowOf(sinusoidal, Math.min(position, length - 1)))
  const numbers = { position, tMax, length, rows, d, grown, last: tMax - 1 }
  const readout = (/** @type {'sinusoidal' | 'learned'} */ code) => {
    const at = hover?.code === code ? hover : { position, dimension: state.dimension }
    const value = valueAt(model, code, at.position, Math.min(at.dimension, d - 1))
    return value === undefined
      ? t('beyond.readout.none', at)
      : t('beyond.readout', { ...at, value: formatNumber(value) })
  }
  const learnedNote =
    grown > 0 ? t('beyond.learned.grown', numbers) : t('beyond.learned.note', numbers)
  return {
    sinusoidal: {
      name: t('beyond.sinusoidal.title'),
      limit: 1,
      note: t('beyond.sinusoidal.note'),
      readout: readout('sinusoidal'),
      summary: t('beyond.summary.sinusoidal', { ...numbers, values: formula }),
    },
    learned: {
      name: t('beyond.learned.title'),
      limit: learned.limit,
      note: learnedNote,
      readout: readout('learned'),
      summary: t('beyond.summary.learned', { ...numbers, values: found }),
    },
    seats: {
      name: t('beyond.seats'),
      summary: t('beyond.summary.seats', numbers),
    },
    rowSinusoidal: {
      name: t('beyond.row.sinusoidal', numbers),
      summary: t('beyond.summary.row', { ...numbers, values: formula }),
    },
    rowLearned: {
      name: t(cardTitle(model), numbers),
      summary: lookup.row
        ? t('beyond.summary.row', { ...numbers, values: found })
        : t('beyond.summary.norow', numbers),
    },
  }
}

/**
 * @param {BeyondModel} model
 * @returns {TextKey}
 */
function cardTitle({ lookup, state }) {
  if (lookup.dead || (lookup.past && lookup.behaviour === 'assert')) return 'beyond.row.dead'
  if (!lookup.past) {
    return lookup.position < state.tMax ? 'beyond.row.learned' : 'beyond.row.untrained'
  }
  if (lookup.behaviour === 'untrained') return 'beyond.row.untrained'
  return lookup.row ? 'beyond.row.returned' : 'beyond.row.missing'
}

/**
 * @param {BeyondModel} model
 * @param {'sinusoidal' | 'learned'} code
 * @param {number} position
 * @param {number} dimension
 * @returns {number | undefined} undefined where there is no row
 */
function valueAt({ sinusoidal, learned, lookup }, code, position, dimension) {
  if (code === 'learned' && lookup.position === position) return lookup.row?.[dimension]
  return rowOf(code === 'sinusoidal' ? sinusoidal : learned.values, position)[dimension]
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {BeyondModel | undefined} model
 * @param {'sinusoidal' | 'learned'} code
 * @param {boolean} [whole]
 * @returns {NumberTable}
 */
export function windowTable(t, state, model, code, whole) {
  if (!model) return { caption: '', columns: [], rows: [] }
  if (whole) return wholeTable(t, code === 'learned' ? model.learned.values : model.sinusoidal)
  const { length, dModel } = model.state
  return partTable(t, around(state.position, length), dModel, (position, dimension) =>
    valueAt(model, code, position, dimension),
  )
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {BeyondModel | undefined} model
 * @returns {NumberTable} both codes at the cursor
 */
export function rowTable(t, state, model) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const { length, dModel } = model.state
  const position = Math.min(state.position, length - 1)
  const rows = Array.from({ length: dModel }, (_, dimension) => [
    dimension,
    numberCell(valueAt(model, 'sinusoidal', position, dimension)),
    numberCell(valueAt(model, 'learned', position, dimension)),
  ])
  return {
    caption: t('beyond.table.caption', { position }),
    columns: [t('beyond.axis.dimension'), t('mode.sinusoidal'), t('mode.learned')],
    rows,
  }
}

/**
 * Both codes at the cursor as a matrix of two rows; the second is NaN where the lookup failed.
 * @param {State} state
 * @param {BeyondModel | undefined} model
 */
export function rowMatrix(state, model) {
  if (!model) return undefined
  const { length, dModel } = model.state
  const formula = rowOf(model.sinusoidal, Math.min(state.position, length - 1))
  const looked = model.lookup.row ?? new Float64Array(dModel).fill(NaN)
  return { data: [...formula, ...looked], shape: [2, dModel] }
}
