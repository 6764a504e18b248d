/**
 * Where each bar of bars.js ought to end: a short line across it.
 */
import { pixelGrid } from './core/canvas.js'
import { positionScale } from './core/scale.js'

/** @typedef {import('./core/canvas.js').Theme} Theme */
/** @typedef {import('./core/canvas.js').Ctx} Ctx */
/** @typedef {import('./core/canvas.js').Rect} Rect */

/**
 * @param {Ctx} ctx
 * @param {{ plot: Rect, data: ArrayLike<number>, limit: number, colour: string, theme: Theme }} options
 *   plot: of barsPlot; limit: the same as that of the bars
 */
export function drawTargets(ctx, { plot, data, limit, colour, theme }) {
  const grid = pixelGrid(ctx)
  const scale = positionScale({ start: 0, end: data.length, x0: plot.x, x1: plot.x + plot.width })
  const middle = plot.y + plot.height / 2
  const line = grid.line(2.5 * theme.lineWeight)
  const edge = grid.line(theme.lineWeight)
  for (let i = 0; i < data.length; i++) {
    const y = grid.y(middle - (data[i] / limit) * (plot.height / 2) - line / 2)
    const left = grid.x(scale.left(i))
    const width = Math.max(grid.pixel, grid.x(scale.right(i)) - left)
    // An edge of the ground's colour, or the line would be lost on its own bar.
    ctx.fillStyle = theme.panel
    if (width > 4) ctx.fillRect(left, y - edge, width, line + 2 * edge)
    ctx.fillStyle = colour
    ctx.fillRect(left, y, width, line)
  }
}
