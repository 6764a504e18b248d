// What the figures of one scene share: positions along x at the same place in each of them.
import { hatch, pixelGrid, plateText, setFont, wallLine } from '../charts/core/canvas.js'
import { positionScale } from '../charts/core/scale.js'
import { GUTTER, OVERHANG } from './plot.js'

export { OVERHANG }

/**
 * @typedef {import('../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../charts/core/canvas.js').Rect} Rect
 * @typedef {import('../charts/core/scale.js').PositionScale} PositionScale
 */

/**
 * @param {{ width: number, typeScale: number }} picture
 * @param {number} length positions shown
 * @returns {import('../charts/core/scale.js').PositionScale}
 */
export function positionsAcross({ width, typeScale }, length) {
  const x0 = GUTTER.left * typeScale
  const x1 = Math.max(x0 + 1, width - GUTTER.right * typeScale)
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
 * The cell of a heatmap under the pointer; the dimension is the nearest one.
 * @param {HTMLElement} picture
 * @param {{ x: number, y: number }} point
 * @param {number} length
 * @param {number} dModel
 */
export function cellUnder(picture, { x, y }, length, dModel) {
  const down = (y - OVERHANG) / Math.max(1, picture.clientHeight - 2 * OVERHANG)
  return {
    position: positionsUnder(picture, length).invert(x),
    dimension: Math.min(dModel - 1, Math.max(0, Math.floor(down * dModel))),
  }
}

/**
 * Where the cells or curves of a figure stand.
 * @param {{ x0: number, x1: number }} scale
 * @param {number} height
 */
export function plotOf({ x0, x1 }, height) {
  return { x: x0, y: OVERHANG, width: x1 - x0, height: Math.max(1, height - 2 * OVERHANG) }
}

/**
 * The wall at T_max, and a hatch where the table has no rows.
 * @param {Frame} frame
 * @param {PositionScale} scale
 * @param {Rect} rect
 * @param {{ rows: number, tMax: number, label?: string }} table
 */
export function drawTableEnd({ ctx, theme }, scale, rect, { rows, tMax, label }) {
  if (rows < scale.end) {
    const x = scale.left(rows)
    const area = { ...rect, x, width: scale.x1 - x }
    const spacing = 8 * theme.typeScale
    hatch(ctx, area, theme.muted, { alpha: theme.forced ? 1 : 0.38, spacing })
    const px = setFont(ctx, theme)
    if (label && area.width > ctx.measureText(label).width + 2 * px) {
      plateText(ctx, label, x + area.width / 2, rect.y + rect.height / 2, { theme })
    }
  }
  if (tMax < scale.end) {
    wallLine(ctx, { x: scale.left(tMax), y0: rect.y, y1: rect.y + rect.height, theme })
  }
}

/**
 * @param {Frame} frame
 * @param {PositionScale} scale
 * @param {Rect} rect
 * @param {{ at: number, failed: boolean, weight?: number }} cursor  `at` may be a fraction
 */
export function drawCursorLine({ ctx, theme }, scale, rect, { at, failed, weight = 1 }) {
  if (!(at >= scale.start && at < scale.end)) return
  const grid = pixelGrid(ctx)
  const line = grid.line(weight * theme.lineWeight)
  ctx.fillStyle = failed ? theme.failure : theme.ink
  ctx.fillRect(grid.x(scale.centre(at) - line / 2), rect.y, line, rect.height)
}
