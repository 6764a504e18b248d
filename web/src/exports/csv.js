// A table as comma-separated values (RFC 4180). Numbers are written in full, so that they read back
// as the same double.

/** @typedef {string | number | { value: number, text: string }} Cell */

/** The page is held up no longer than this at a time, in ms. */
const SLICE = 12

/**
 * @param {Iterable<readonly Cell[]>} rows made only as they are written: there may be a million cells
 * @returns {Promise<string[]>} parts; a byte order mark first: without one Excel takes Chinese for
 *   something else
 */
export async function csvParts(rows) {
  const parts = ['\ufeff']
  let text = ''
  let since = performance.now()
  for (const row of rows) {
    text += `${row.map(csvCell).join(',')}\r\n`
    if (performance.now() - since < SLICE) continue
    parts.push(text)
    text = ''
    await new Promise((resolve) => setTimeout(resolve))
    since = performance.now()
  }
  return [...parts, text]
}

/** @param {Cell} cell */
function csvCell(cell) {
  if (typeof cell === 'number') return String(cell)
  if (typeof cell === 'object') return String(cell.value)
  if (cell === '–') return '' // what a table shows where there is no number
  const text = String(cell).replace(/^\u2212(?=[\d.\u221e])/, '-')
  if (/^-?[\d.]+(e[+-]?\d+)?$/i.test(text)) return text
  // A spreadsheet would compute a text that begins like a formula.
  const safe = /^[=+@\t-]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
