// A real model: the tables of its fields and of its numbers.
import { formatNumber } from '../../text/text.js'
import { formatCount } from '../../kit/format.js'

/**
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('./shown.js').ModelModel} ModelModel
 * @typedef {import('./shown.js').Shown} Shown
 * @typedef {import('../../kit/figure.js').NumberTable} NumberTable
 */

/** Fields with a word of their own; others show the key of the file. */
const WORDED = new Set(
  (
    'family width heads positions promised window rows offset buckets distance every headDim theta ' +
    'partial type original factor mrope'
  ).split(' '),
)

/** What the fields of a link are called in a table. @type {Record<string, string>} */
const NAMES = { mrope_section: 'mrope' }

/**
 * Every resolved field, its value, and where it comes from.
 * @param {Translate} t
 * @param {Shown} shown
 * @returns {[name: string, value: string, from: string][]}
 */
export function fieldRows(t, { reading }) {
  const fields = reading.fields.length > 0 ? reading.fields : linkedFields(reading.resolved)
  return fields.map(({ name, layers, value, from }) => {
    const called = WORDED.has(name) ? t(`model.field.${name}`) : name
    return [layers ? `${called} (${layers})` : called, shownValue(value), originText(t, from)]
  })
}

/** What goes without saying. */
const UNSAID = new Set(['encoding', 'declared', 'ropes', 'layers', 'name', 'bidirectional'])

/**
 * @param {import('../../state/resolved.js').Resolved} resolved
 * @returns {{ name: string, layers?: string, value: any, from: undefined }[]}
 */
function linkedFields(resolved) {
  /** @param {object} values @param {string} [layers] */
  const fieldsOf = (values, layers) =>
    Object.entries(values)
      .filter(([key]) => !UNSAID.has(key))
      .map(([key, value]) => ({ name: NAMES[key] ?? key, layers, value, from: undefined }))
  return [resolved, ...resolved.ropes].flatMap((part) =>
    fieldsOf(part, 'layers' in part ? part.layers : undefined),
  )
}

/** @param {string | number | number[]} value */
function shownValue(value) {
  if (Array.isArray(value)) {
    const few = value.slice(0, 6).join(', ')
    return value.length > 6 ? `${few}, … (${value.length})` : few
  }
  return typeof value === 'number' && value >= 10000 && value < 1e15
    ? formatCount(value)
    : String(value)
}

/**
 * @param {Translate} t
 * @param {import('../../config/source.js').Origin | undefined} from
 */
function originText(t, from) {
  if (from === undefined) return t('model.from.link')
  if ('assumed' in from) return t('model.from.assumed')
  if ('computed' in from) return from.computed
  return from.line === undefined
    ? from.key
    : t('model.from.line', { key: from.key, line: from.line })
}

/**
 * @param {Translate} t
 * @param {ModelModel} model
 * @returns {NumberTable} the numbers of the figure, or the fields where it has none
 */
export function numbersTable(t, model) {
  const { turns, waves, slopes, buckets, shown } = model
  const number = (/** @type {number} */ value, places = 4) => ({
    value,
    text: value >= 1e6 ? value.toExponential(4) : formatNumber(value, places),
  })
  /** @param {string[]} columns @param {import('../../exports/csv.js').Cell[][]} rows */
  const table = (columns, rows) => ({ caption: t('model.table.numbers'), columns, rows })
  const pair = t('model.axis.pair')
  if (turns.length > 0) {
    const columns = turns.flatMap(({ rope }) => {
      const kind = rope.layers ? ` (${rope.layers})` : ''
      const keys = /** @type {const} */ (['frequency', 'wavelength', 'plain'])
      return keys.map((key) => t(`model.table.${key}`) + kind)
    })
    const longest = Math.max(...turns.map(({ wavelengths }) => wavelengths.length))
    /** @param {number} i @returns {import('../../exports/csv.js').Cell[]} */
    const row = (i) => [
      i,
      ...turns.flatMap(
        ({ inverseFrequencies, wavelengths, plainWavelengths }) =>
          /** @type {import('../../exports/csv.js').Cell[]} */ (
            i < wavelengths.length
              ? [
                  number(inverseFrequencies[i], 10),
                  number(wavelengths[i]),
                  number(plainWavelengths[i]),
                ]
              : ['–', '–', '–']
          ),
      ),
    ]
    const rows = Array.from({ length: longest }, (_, i) => row(i))
    return table([pair, ...columns], rows)
  }
  if (waves) {
    const rows = Array.from(waves, (wave, i) => [i, number(wave)])
    return table([pair, t('model.table.wavelength')], rows)
  }
  if (slopes) {
    const rows = Array.from(slopes, (slope, i) => [i, number(slope, 8)])
    return table([t('model.axis.head'), t('model.axis.slope')], rows)
  }
  if (buckets) {
    const rows = Array.from(buckets, (bucket, i) => [i, bucket])
    return table([t('model.axis.distance'), t('model.axis.bucket')], rows)
  }
  return fieldsTable(t, shown)
}

/**
 * @param {Translate} t
 * @param {Shown} shown
 * @returns {NumberTable}
 */
export function fieldsTable(t, shown) {
  return {
    caption: t('model.fields'),
    columns: [t('model.column.field'), t('model.column.value'), t('model.column.from')],
    rows: fieldRows(t, shown),
  }
}

/**
 * The numbers of the figure as a matrix: of RoPE a row for each pair, frequency, wavelength, and the
 * wavelength without the scaling, for each kind of layers.
 * @param {ModelModel} model
 * @returns {import('../../kit/save_menu.js').NumberMatrix | undefined}
 */
export function numbersMatrix({ turns, waves, slopes, buckets }) {
  if (turns.length > 0) {
    const rows = Math.min(...turns.map(({ wavelengths }) => wavelengths.length))
    const columns = turns.flatMap((one) => [
      one.inverseFrequencies,
      one.wavelengths,
      one.plainWavelengths,
    ])
    const data = new Float64Array(rows * columns.length)
    for (let i = 0; i < data.length; i += 1) {
      data[i] = columns[i % columns.length][Math.floor(i / columns.length)]
    }
    return { data, shape: [rows, columns.length] }
  }
  const data = waves ?? slopes ?? buckets
  return data && { data, shape: [data.length] }
}

/**
 * Tab-separated, for a spreadsheet: the fields, and below them the numbers of the figure.
 * @param {Translate} t
 * @param {ModelModel} model
 */
export function copiedText(t, model) {
  const fields = fieldsTable(t, model.shown)
  const numbers = numbersTable(t, model)
  const cell = (/** @type {import('../../exports/csv.js').Cell} */ value) =>
    String(typeof value === 'object' ? value.value : value).replace(/[\t\r\n]/g, ' ')
  const lines = (/** @type {NumberTable} */ { columns, rows }) =>
    [columns, ...rows].map((row) => row.map(cell).join('\t'))
  const same = numbers.caption === fields.caption
  return [...lines(fields), ...(same ? [] : ['', ...lines(numbers)])].join('\n')
}
