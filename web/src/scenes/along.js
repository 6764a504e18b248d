// What the figures of one scene share: positions along x at the same place in each of them.
import { positionScale } from '../charts/scale.js'

/** Room left of the first position for numbers and names, in px at type scale 1. */
const GUTTER_LEFT = 46
const GUTTER_RIGHT = 14
/** Frames and walls stand this far out of the cells. */
export const OVERHANG = 4

/**
 * @param {{ width: number, typeScale: number }} picture
 * @param {number} length positions shown
 * @returns {import('../charts/scale.js').PositionScale}
 */
export function positionsAcross({ width, typeScale }, length) {
  const x0 = GUTTER_LEFT * typeScale
  const x1 = Math.max(x0 + 1, width - GUTTER_RIGHT * typeScale)
  return positionScale({ start: 0, end: length, x0, x1 })
}

/**
 * The same scale for a pointer that is over the picture.
 * @param {HTMLElement} picture
 * @param {number} length
 */
export function positionsUnder(picture, length) {
  const { width } = picture.getBoundingClientRect()
  const read = getComputedStyle(picture).getPropertyValue('--type-scale')
  return positionsAcross({ width, typeScale: parseFloat(read) || 1 }, length)
}

/**
 * Where the cells or curves of a figure stand.
 * @param {{ x0: number, x1: number }} scale
 * @param {number} height
 */
export function plotOf({ x0, x1 }, height) {
  return { x: x0, y: OVERHANG, width: x1 - x0, height: Math.max(1, height - 2 * OVERHANG) }
}
