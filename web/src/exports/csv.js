// A table as comma-separated values (RFC 4180). Numbers are written in full, so that they read back
// as the same double.

/** @typedef {string | number | { value: number, text: string }} Cell */

/**
 * @param {readonly (readonly Cell[])[]} rows
 * @returns {string} with a byte order mark: without one Excel takes Chinese for something else
 */
export function csvText(rows) {
  return `\ufeff${rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`
}

/** @param {Cell} cell */
function csvCell(cell) {
  if (typeof cell === 'object') return String(cell.value)
  if (cell === '–') return '' // what a table shows where there is no number
  const text = String(cell).replace(/^\u2212(?=[\d.\u221e])/, '-')
  if (/^-?[\d.]+(e[+-]?\d+)?$/i.test(text)) return text
  // A spreadsheet would compute a text that begins like a formula.
  const safe = /^[=+@\t-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
