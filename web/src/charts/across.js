// What stands across a row of positions: the end of a table, the cursor.
import { hatch, pixelGrid, plateText, setFont, wallLine } from './core/canvas.js'

/**
 * The wall at T_max, and a hatch where the table has no rows.
 * @param {import('./core/canvas.js').Frame} frame
 * @param {import('./core/scale.js').PositionScale} scale
 * @param {import('./core/canvas.js').Rect} rect
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
 * @param {import('./core/canvas.js').Frame} frame
 * @param {import('./core/scale.js').PositionScale} scale
 * @param {import('./core/canvas.js').Rect} rect
 * @param {{ at: number, failed: boolean, weight?: number }} cursor  `at` may be a fraction
 */
export function drawCursorLine({ ctx, theme }, scale, rect, { at, failed, weight = 1 }) {
  if (!(at >= scale.start && at < scale.end)) return
  const grid = pixelGrid(ctx)
  const line = grid.line(weight * theme.lineWeight)
  ctx.fillStyle = failed ? theme.failure : theme.ink
  ctx.fillRect(grid.x(scale.centre(at) - line / 2), rect.y, line, rect.height)
}
