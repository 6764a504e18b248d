// Small reductions over the kernel's numbers for scales of pictures, and their cells in tables.
import { formatNumber } from '../text/text.js'

/**
 * @param {ArrayLike<number>} data
 * @param {number} [least]
 * @returns {number} the largest absolute value, or `least` where that is larger; NaN is passed over
 */
export function largestAbsolute(data, least = 0) {
  let most = least
  for (let i = 0; i < data.length; i += 1) {
    const size = Math.abs(data[i])
    if (size > most) most = size
  }
  return most
}

/**
 * The numbers of a table; words are left out, and where a number is missing stands NaN.
 * @param {import('./figure.js').NumberTable} table
 */
export function tableMatrix({ rows }) {
  const numbers = Array.from(rows, (row) =>
    row.flatMap((cell) => {
      if (typeof cell === 'object') return cell.value
      if (cell === '–') return NaN
      const text = String(cell).replaceAll('\u2212', '-')
      return /^[-\d., ]+$/.test(text) ? text.split(', ').map(Number) : []
    }),
  )
  const shape = [numbers.length, numbers[0]?.length ?? 0]
  return shape[1] > 0 ? { data: numbers.flat(), shape } : undefined
}

/**
 * @param {ArrayLike<number>} row
 * @returns {string} its first values
 */
export function listed(row) {
  const first = Array.from({ length: Math.min(8, row.length) }, (_, i) => formatNumber(row[i]))
  return first.join(', ') + (row.length > first.length ? ', …' : '')
}

/** How many positions on either side of the cursor a table shows. */
const WINDOW = 3

/**
 * @param {number} position
 * @param {number} end
 * @returns {number[]} the positions around the cursor
 */
export function around(position, end) {
  const from = Math.max(0, Math.min(position, end - 1 - WINDOW) - WINDOW)
  const count = Math.min(end - from, 2 * WINDOW + 1)
  return Array.from({ length: count }, (_, i) => from + i)
}

/**
 * A matrix around the cursor, a column a position.
 * @param {import('../text/text.js').Translate} t
 * @param {number[]} positions
 * @param {number} dModel
 * @param {(position: number, dimension: number) => number | undefined} valueAt
 * @returns {import('./figure.js').NumberTable}
 */
export function partTable(t, positions, dModel, valueAt) {
  const [from, to] = [positions[0], positions[positions.length - 1]]
  return {
    caption: t('beyond.table.window', { from, to }),
    columns: [t('beyond.axis.dimension'), ...positions.map(String)],
    rows: Array.from({ length: dModel }, (_, dimension) => [
      dimension,
      ...positions.map((position) => numberCell(valueAt(position, dimension))),
    ]),
  }
}

/**
 * A matrix as the table that is saved: a line a position, as in its .npy.
 * @param {import('../text/text.js').Translate} t
 * @param {import('./codes.js').Matrix} matrix
 * @param {(column: number) => string} [head] of a column
 * @returns {import('./figure.js').NumberTable}
 */
export function wholeTable(t, matrix, head = (i) => `${t('beyond.axis.dimension')} ${i}`) {
  const heads = Array.from({ length: matrix.shape[1] }, (_, i) => head(i))
  return { caption: '', columns: [t('beyond.axis.position'), ...heads], rows: linesOf(matrix) }
}

/** @param {import('./codes.js').Matrix} matrix @returns {Generator<number[]>} */
function* linesOf({ data, shape: [rows, columns] }) {
  for (let row = 0; row < rows; row += 1) {
    yield [row, ...data.subarray(row * columns, (row + 1) * columns)]
  }
}

/**
 * A cell of a table of numbers: shown short, saved in full.
 * @param {number | undefined} value undefined where there is none
 * @param {string} [text] how it is shown; by default to four places
 * @returns {import('../exports/csv.js').Cell}
 */
export function numberCell(value, text) {
  if (value === undefined) return '–'
  return { value, text: text ?? formatNumber(value) }
}

/** ALiBi's slopes are powers of two as a rule. @param {number} slope */
export const slopeText = (slope) => `1/${formatNumber(1 / slope, 0)}`

/**
 * @param {import('./codes.js').Matrix} matrix
 * @param {number} row
 * @returns {Float32Array | Float64Array} empty past the last row
 */
export function rowOf({ data, shape: [, columns] }, row) {
  return data.subarray(row * columns, (row + 1) * columns)
}
