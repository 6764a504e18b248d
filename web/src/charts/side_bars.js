/**
 * One row of a position code, lying beside a heatmap: a bar across for each dimension, at the height
 * of that dimension's cells.
 */
import { fillNumber, hatch, numberWidth, pixelGrid, setFont } from './core/canvas.js'
import { formatTick, positionScale } from './core/scale.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */

/**
 * @typedef {object} SideBarsOptions
 * @property {Rect} rect  as high as the cells of the heatmap
 * @property {ArrayLike<number> | null} data  one value a dimension; null when there is no row
 * @property {number} limit  the value at the left and the right edge
 * @property {string} colour
 * @property {Theme} theme
 * @property {boolean} [pairs]  odd dimensions (cosines) paler
 * @property {number | null} [cursor]  a dimension to point out, with its value
 * @property {boolean} [failed]  hatch in the failure colour where there is no row
 */

/** @param {Ctx} ctx @param {SideBarsOptions} options */
export function drawSideBars(ctx, options) {
  const { rect, data, limit, colour, theme, pairs = true, cursor, failed } = options
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme, { weight: 700 })
  // Every value of a code needs the same room: the figure must not jump while the cursor moves.
  const room = cursor == null ? 0 : numberWidth(ctx, '−0.0000') + px * 0.8
  const plot = { ...rect, width: Math.max(1, rect.width - room) }
  const line = grid.line(theme.lineWeight)
  const zero = grid.x(plot.x + plot.width / 2)
  const reach = plot.width / 2 - line
  ctx.fillStyle = theme.rule
  for (const x of [plot.x, plot.x + plot.width - line]) {
    ctx.fillRect(grid.x(x), plot.y, line, plot.height)
  }
  if (!data) {
    hatch(ctx, plot, failed ? theme.failure : theme.muted, {
      spacing: 8 * theme.typeScale,
      width: line,
      alpha: failed || theme.forced ? 0.8 : 0.38,
    })
  } else if (data.length > 0) {
    const down = positionScale({ start: 0, end: data.length, x0: plot.y, x1: plot.y + plot.height })
    const gap = down.band > 4 * grid.pixel ? Math.min(4, down.band * 0.24) : 0
    ctx.save()
    const alpha = ctx.globalAlpha
    for (let dimension = 0; dimension < data.length; dimension++) {
      const value = data[dimension]
      if (!Number.isFinite(value)) continue
      const top = grid.y(down.left(dimension) + gap / 2)
      const height = Math.max(grid.pixel, grid.y(down.right(dimension) - gap / 2) - top)
      const end = grid.x(zero + Math.max(-1, Math.min(1, value / limit)) * reach)
      const chosen = dimension === cursor
      ctx.globalAlpha = alpha * (pairs && dimension % 2 === 1 && !chosen ? 0.5 : 1)
      ctx.fillStyle = chosen ? theme.ink : colour
      ctx.fillRect(Math.min(zero, end), top, Math.max(grid.pixel, Math.abs(end - zero)), height)
    }
    ctx.restore()
    if (cursor != null && cursor < data.length) {
      const half = px * 0.6
      const y = Math.max(rect.y + half, Math.min(rect.y + rect.height - half, down.centre(cursor)))
      ctx.fillStyle = theme.ink
      ctx.textBaseline = 'middle'
      fillNumber(ctx, formatTick(data[cursor], 4), rect.x + rect.width, y, 'right')
    }
  }
  ctx.fillStyle = theme.muted
  ctx.fillRect(zero, plot.y, line, plot.height)
}
