// What computing, drawing and saying of the rotation scene share.
import { formatNumber } from '../../text/text.js'

/** So many decimals of a score lie above the float32 of turned vectors. */
const PLACES = 3

/** @param {number} value */
export const show = (value) => formatNumber(value, PLACES)

/** @param {number} value a whole number, with a real minus sign */
export const signed = (value) => formatNumber(value, 0)

/** Degrees a seat. @param {number} radians */
export const speedOf = (radians) => `${Number(((radians * 180) / Math.PI).toPrecision(3))}°`

/** @param {{ mode: string }} state @returns {string[]} names of the two arrows */
export const namesOf = ({ mode }) => (mode === 'sinusoidal' ? ['m', 'n'] : ['q', 'k'])

/**
 * The dimensions that share a plane.
 * @param {number} count of pairs
 * @param {string} layout
 * @returns {[number, number][]}
 */
export function pairsOf(count, layout) {
  return Array.from({ length: count }, (_, j) =>
    layout === 'half-split' ? [j, j + count] : [2 * j, 2 * j + 1],
  )
}
