// How large numbers and shares are written.

/** @import { Translate } from '../text/text.js' */

/**
 * @param {number} count
 * @returns {string} with a comma after every three digits, in both languages
 */
export function formatCount(count) {
  return count.toLocaleString('en-US', { maximumFractionDigits: 1 })
}

/**
 * @param {Translate} t
 * @param {number} count
 * @returns {string} three digits and the language's word for the rest
 */
export function formatShort(t, count) {
  return new Intl.NumberFormat(t('unit.locale'), {
    notation: 'compact',
    maximumSignificantDigits: 3,
  }).format(count)
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

/**
 * @param {number} bytes
 * @returns {string} in powers of 1000, three digits
 */
export function formatBytes(bytes) {
  let unit = 0
  let amount = bytes
  while (amount >= 999.5 && unit < BYTE_UNITS.length - 1) {
    amount /= 1000
    unit += 1
  }
  const places = unit === 0 || amount >= 99.95 ? 0 : amount >= 9.995 ? 1 : 2
  return `${amount.toFixed(places)}\u00a0${BYTE_UNITS[unit]}`
}

/**
 * @param {Translate} t
 * @param {number} share
 * @returns {string} two digits; what is not yet everything never reads as everything
 */
export function formatPercent(t, share) {
  return t('unit.percent', { value: percentDigits(100 * share) })
}

/** @param {number} percent */
function percentDigits(percent) {
  if (percent === 0) return '0'
  if (percent >= 1000) return formatCount(Math.round(percent))
  if (percent >= 99 && percent < 100) return String(Math.floor(percent * 10) / 10)
  if (percent >= 9.95) return percent.toFixed(0)
  const digits = Math.max(1, 1 - Math.floor(Math.log10(percent)))
  return percent.toFixed(Math.min(20, digits))
}

/**
 * @param {number} error
 * @returns {string} two digits that count, as a decimal where that is short
 */
export function formatError(error) {
  if (Number.isNaN(error)) return '–'
  if (error === 0) return '0'
  if (error >= 0.001) return error.toPrecision(error >= 0.1 ? 3 : 2)
  const [digits, power] = error.toExponential(1).split('e-')
  return `${digits} × 10${[...power].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('')}`.replace(
    '10',
    '10⁻',
  )
}
