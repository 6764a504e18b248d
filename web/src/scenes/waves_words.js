// Waves: what is written beside the pictures, and the tables of their numbers.
import { formatNumber } from '../text/text.js'
import { rowOf } from './beyond_words.js'
import { inputMode } from '../state/state.js'
import { around, numberCell, partTable, wholeTable } from './numbers.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./waves.js').WavesModel} WavesModel
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('../text/text.js').TextKey} TextKey
 * @typedef {import('./figure.js').NumberTable} NumberTable
 * @typedef {import('./figure.js').FigureWords} FigureWords
 */

// Making a format is slow, and these are written in every frame.
const DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/**
 * @param {number} wavelength positions a turn
 * @returns {string} three digits, or whole seats in groups of thousands
 */
export function showTurn(wavelength) {
  return (wavelength < 1000 ? DIGITS : WHOLE).format(wavelength)
}

/**
 * The code in focus.
 * @param {State} state
 * @param {Pick<WavesModel, 'sinusoidal' | 'learned'>} model
 */
export function focused({ mode }, { sinusoidal, learned }) {
  return mode === 'sinusoidal' ? sinusoidal : learned.values
}

/** @param {WavesModel} model @returns {number} as many bits as the last seat needs */
export function bitCount({ state: { length } }) {
  return Math.max(1, Math.floor(Math.log2(length - 1)) + 1)
}

/**
 * @param {number} position
 * @param {number} count
 */
function binary(position, count) {
  return position.toString(2).padStart(count, '0')
}

/**
 * @param {ArrayLike<number>} row
 * @param {Translate} t
 */
function listValues(row, t) {
  if (row.length === 0) return t('numbers.none')
  const first = Array.from({ length: Math.min(8, row.length) }, (_, i) => formatNumber(row[i]))
  return first.join(', ') + (row.length > first.length ? ', …' : '')
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {WavesModel} model
 * @param {{ position: number, dimension: number } | undefined} hover over the heatmap
 * @returns {Record<'strips' | 'hands' | 'map' | 'row' | 'counter' | 'lamps' | 'seats', FigureWords>}
 */
export function figureWords(t, state, model, hover) {
  const mode = inputMode(state)
  const { learned, phasors, pairs } = model
  const { length, dModel: d, tMax } = model.state
  const position = Math.min(state.position, length - 1)
  const code = focused(state, model)
  const row = rowOf(code, position)
  const bits = bitCount(model)
  const numbers = { position, length, d, tMax, rows: learned.rows, strips: pairs.length }
  const at = hover ?? { position, dimension: Math.min(state.dimension, d - 1) }
  const value = rowOf(code, at.position)[at.dimension]
  const turn = pairs.map((pair) => showTurn(phasors.wavelength[pair])).join(', ')
  const values = listValues(row, t)
  const last = learned.rows - 1
  return {
    strips: {
      name: t(`waves.strips.${mode}`),
      note: t(`waves.strips.${mode}.note`, { last }),
      summary: t(`waves.summary.strips.${mode}`, { ...numbers, turn, last }),
    },
    hands: {
      name: t('waves.hands'),
      summary: t('waves.summary.hands', { ...numbers, turn }),
    },
    map: {
      name: t(`waves.map.${mode}`),
      limit: mode === 'sinusoidal' ? 1 : learned.limit,
      readout:
        value === undefined
          ? t('beyond.readout.none', at)
          : t('beyond.readout', { ...at, value: formatNumber(value) }),
      summary: t('waves.summary.map', { ...numbers, values }),
    },
    row: {
      name: t(row.length === 0 ? 'waves.row.none' : 'waves.row', numbers),
      summary:
        row.length === 0
          ? t('beyond.summary.norow', numbers)
          : t('beyond.summary.row', { ...numbers, values }),
    },
    counter: {
      name: t('waves.counter'),
      note: t('waves.counter.note'),
      summary: t('waves.summary.counter', { ...numbers, bits, binary: binary(position, bits) }),
    },
    lamps: {
      name: t('waves.lamps', { position, binary: binary(position, bits) }),
      summary: t('waves.summary.lamps', { position, binary: binary(position, bits) }),
    },
    seats: {
      name: t('beyond.seats'),
      summary: t('beyond.summary.seats', {
        position,
        length,
        last: tMax - 1,
        grown: model.state.grown,
      }),
    },
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {WavesModel | undefined} model
 * @returns {NumberTable} every pair of dimensions at the cursor, with its speed
 */
export function pairTable(t, state, model) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const { phasors } = model
  const { dModel, position } = model.state
  const lone = dModel % 2 === 1
  const rows = Array.from(phasors.wavelength, (wavelength, pair) => {
    const alone = lone && pair === phasors.wavelength.length - 1
    return [
      alone ? String(2 * pair) : `${2 * pair}, ${2 * pair + 1}`,
      numberCell(wavelength),
      numberCell(phasors.angle[pair]),
      numberCell(phasors.sine[pair]),
      numberCell(alone ? undefined : phasors.cosine[pair]),
    ]
  })
  return {
    caption: t('waves.table.pairs', { position }),
    columns: [
      t('beyond.axis.dimension'),
      t('waves.column.turn'),
      t('waves.column.angle'),
      'sin',
      'cos',
    ],
    rows,
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {WavesModel | undefined} model
 * @param {boolean} [whole]
 * @returns {NumberTable} the code in focus around the cursor
 */
export function windowTable(t, state, model, whole) {
  if (!model) return { caption: '', columns: [], rows: [] }
  if (whole) return wholeTable(t, focused(state, model))
  const { length, dModel } = model.state
  const code = focused(state, model)
  return partTable(t, around(state.position, length), dModel, (position, dimension) => {
    return rowOf(code, position)[dimension]
  })
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {WavesModel | undefined} model
 * @returns {NumberTable} both codes at the cursor
 */
export function rowTable(t, state, model) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const { length, dModel } = model.state
  const position = Math.min(state.position, length - 1)
  const formula = rowOf(model.sinusoidal, position)
  const table = rowOf(model.learned.values, position)
  return {
    caption: t('beyond.table.caption', { position }),
    columns: [t('beyond.axis.dimension'), t('mode.sinusoidal'), t('mode.learned')],
    rows: Array.from({ length: dModel }, (_, i) => [
      i,
      numberCell(formula[i]),
      numberCell(table[i]),
    ]),
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {WavesModel | undefined} model
 * @param {boolean} [whole]
 * @returns {NumberTable} the binary counter around the cursor
 */
export function bitTable(t, state, model, whole) {
  if (!model) return { caption: '', columns: [], rows: [] }
  if (whole) return wholeTable(t, bitMatrix(model), (bit) => `${t('waves.column.bit')} ${2 ** bit}`)
  const count = bitCount(model)
  const positions = around(state.position, model.state.length)
  return {
    caption: t('waves.table.bits'),
    columns: [t('waves.column.bit'), ...positions.map(String)],
    rows: Array.from({ length: count }, (_, bit) => [
      String(2 ** bit),
      ...positions.map((position) => Math.floor(position / 2 ** bit) % 2),
    ]),
  }
}

/**
 * @param {WavesModel} model
 * @returns {{ data: Float64Array, shape: [number, number] }} sine and cosine of each pair at the cursor
 */
export function handMatrix({ phasors: { sine, cosine } }) {
  const data = new Float64Array(2 * sine.length)
  sine.forEach((value, pair) => data.set([value, cosine[pair]], 2 * pair))
  return { data, shape: [sine.length, 2] }
}

/**
 * @param {State} state
 * @param {WavesModel} model
 * @param {import('./codes.js').Matrix} [of]
 * @returns {import('./codes.js').Matrix | undefined} the row at the cursor
 */
export function rowMatrix(state, model, of = focused(state, model)) {
  const data = rowOf(of, Math.min(state.position, model.state.length - 1))
  return data.length > 0 ? { data, shape: [1, data.length] } : undefined
}

/**
 * @param {WavesModel} model
 * @returns {{ data: Float32Array, shape: [number, number] }} the digits of every seat number, ones first
 */
export function bitMatrix(model) {
  const bits = bitCount(model)
  const { length } = model.state
  const data = new Float32Array(length * bits)
  for (let i = 0; i < data.length; i += 1) {
    data[i] = Math.floor(Math.floor(i / bits) / 2 ** (i % bits)) % 2
  }
  return { data, shape: [length, bits] }
}
