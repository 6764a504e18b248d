/**
 * Scale maths of the charts: where a number lies on the picture, which numbers to write beside an
 * axis. Colour scales are in colour_scale.js and are re-exported here.
 */
import { tickIncrement, ticks as roundTicks } from 'd3-array'

export { cssColour, diverging, neutralIndex, paletteSize, valueIndex } from './colour_scale.js'

/**
 * @typedef {object} LinearMethods
 * @property {'linear' | 'log'} kind
 * @property {[number, number]} domain
 * @property {[number, number]} range
 * @property {(pixel: number) => number} invert
 * @property {(count?: number) => number[]} ticks
 */
/** @typedef {((value: number) => number) & LinearMethods} LinearScale */

/**
 * A straight map. A domain of no width maps everything to the middle of the range.
 * @param {readonly [number, number]} domain
 * @param {readonly [number, number]} range
 * @returns {LinearScale}
 */
export function linear(domain, range) {
  const [d0, d1] = domain
  const [r0, r1] = range
  const span = d1 - d0
  /** @param {number} value */
  const scale = (value) => (span === 0 ? (r0 + r1) / 2 : r0 + ((value - d0) / span) * (r1 - r0))
  /** @param {number} pixel */
  const invert = (pixel) => (r1 === r0 ? d0 : d0 + ((pixel - r0) / (r1 - r0)) * span)
  return Object.assign(scale, {
    kind: /** @type {const} */ ('linear'),
    domain: /** @type {[number, number]} */ ([d0, d1]),
    range: /** @type {[number, number]} */ ([r0, r1]),
    invert,
    ticks: (count = 5) => ticks([d0, d1], count),
  })
}

/**
 * Logarithmic to base 10, for wavelengths and errors. Values at or below zero map to the low end, NaN
 * to NaN.
 * @param {readonly [number, number]} domain  both above zero
 * @param {readonly [number, number]} range
 * @returns {LinearScale}
 */
export function logarithmic(domain, range) {
  const low = Math.log10(domain[0])
  const high = Math.log10(domain[1])
  const inner = linear([low, high], range)
  /** @param {number} value */
  const scale = (value) => inner(value <= 0 ? low : Math.log10(value))
  /** @param {number} [count] */
  const decades = (count = 5) => {
    const first = Math.ceil(low - 1e-9)
    const last = Math.floor(high + 1e-9)
    const stride = Math.max(1, Math.ceil((last - first + 1) / Math.max(1, count)))
    const values = []
    for (let power = first; power <= last; power += stride) values.push(10 ** power)
    return values
  }
  return Object.assign(scale, {
    kind: /** @type {const} */ ('log'),
    domain: /** @type {[number, number]} */ ([domain[0], domain[1]]),
    range: /** @type {[number, number]} */ ([range[0], range[1]]),
    /** @param {number} pixel */
    invert: (pixel) => 10 ** inner.invert(pixel),
    ticks: decades,
  })
}

/**
 * Round numbers (1, 2 or 5 times a power of ten) inside a domain, about `count` of them.
 * @param {readonly [number, number]} domain
 * @param {number} [count]
 */
export function ticks(domain, count = 5) {
  if (!Number.isFinite(domain[0]) || !Number.isFinite(domain[1]) || count < 1) return []
  return roundTicks(domain[0], domain[1], count)
}

/**
 * One band of equal width for each whole position.
 * @typedef {object} PositionScale
 * @property {'position'} kind
 * @property {number} start  first position
 * @property {number} end    one past the last position
 * @property {number} count
 * @property {number} x0
 * @property {number} x1
 * @property {number} band   width of one position, CSS px
 * @property {(position: number) => number} left    edge of a band; position may lie outside
 * @property {(position: number) => number} right
 * @property {(position: number) => number} centre
 * @property {(x: number) => number} invert  the position under x, kept inside [start, end - 1]
 * @property {(count?: number) => number[]} ticks  round whole positions inside
 */

/**
 * @param {object} options
 * @param {number} options.start  first position shown
 * @param {number} options.end    one past the last position shown (end - start bands)
 * @param {number} options.x0     left edge of the first band, CSS px (or the top, for dimensions)
 * @param {number} options.x1     right edge of the last band
 * @returns {PositionScale}
 */
export function positionScale({ start, end, x0, x1 }) {
  const count = Math.max(1, end - start)
  const band = (x1 - x0) / count
  /** @param {number} position */
  const left = (position) => x0 + (position - start) * band
  return {
    kind: 'position',
    start,
    end: start + count,
    count,
    x0,
    x1,
    band,
    left,
    right: (position) => left(position + 1),
    centre: (position) => left(position + 0.5),
    invert(x) {
      if (band === 0 || !Number.isFinite(x)) return start
      return Math.min(start + count - 1, Math.max(start, start + Math.floor((x - x0) / band)))
    },
    ticks: (wanted = 10) => wholeTicks(start, start + count - 1, wanted),
  }
}

/**
 * Whole multiples of a round step in [first, last].
 * @param {number} first
 * @param {number} last
 * @param {number} count  about how many
 */
export function wholeTicks(first, last, count) {
  if (!(last > first)) return [first]
  const step = wholeStep(first, last, count)
  const values = []
  for (let value = Math.ceil(first / step) * step; value <= last; value += step) values.push(value)
  return values
}

/**
 * @param {number} first
 * @param {number} last
 * @param {number} count
 * @returns {number} a whole step: 1, 2 or 5 times a power of ten
 */
function wholeStep(first, last, count) {
  const increment = tickIncrement(first, last, Math.max(1, count))
  return increment >= 1 ? increment : 1
}

/**
 * The fewest decimals that write every tick exactly.
 * @param {readonly number[]} values
 * @returns {number} at most 8
 */
export function tickDecimals(values) {
  for (let decimals = 0; decimals < 8; decimals++) {
    const factor = 10 ** decimals
    const exact = values.every((value) => {
      const scaled = value * factor
      return Math.abs(scaled - Math.round(scaled)) <= 1e-6 * Math.max(1, Math.abs(scaled))
    })
    if (exact) return decimals
  }
  return 8
}

/**
 * A number as an axis writes it: true minus sign, no negative zero, powers of ten beyond a million.
 * @param {number} value
 * @param {number} [decimals]
 */
export function formatTick(value, decimals = 0) {
  const size = Math.abs(value)
  if (size >= 1e7 || (size > 0 && size < 10 ** -Math.max(4, decimals))) {
    const text = size.toExponential(0).replace('e+', 'e').replace('e-', 'e−')
    return value < 0 ? `−${text}` : text
  }
  const text = size.toFixed(decimals)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

const raised = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/**
 * A power of ten as a logarithmic axis writes it: plain near one, 10ⁿ further out.
 * @param {number} value
 */
export function formatPower(value) {
  const power = Math.round(Math.log10(value))
  if (Math.abs(value / 10 ** power - 1) > 1e-9) return formatTick(value, value < 10 ? 2 : 0)
  if (power >= -2 && power <= 4) return formatTick(value, Math.max(0, -power))
  const digits = [...String(Math.abs(power))].map((digit) => raised[Number(digit)]).join('')
  return `10${power < 0 ? '⁻' : ''}${digits}`
}
