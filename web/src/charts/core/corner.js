/** On a square of positions by positions: where training ends, along and down. */
import { pixelGrid, wallLine } from './canvas.js'

/** @import { Ctx, Rect, Theme } from './canvas.js' */

/**
 * Two ink lines with edges of the ground's colour. Nothing is drawn where all or none of it was trained.
 * @param {Ctx} ctx
 * @param {{ rect: Rect, count: number, trained: number, theme: Theme }} options  count: positions of a
 *   side; trained: how many of them training has seen
 */
export function drawCorner(ctx, { rect, count, trained, theme }) {
  if (!(trained > 0 && trained < count)) return
  const grid = pixelGrid(ctx)
  const share = trained / count
  const y = rect.y + rect.height * share
  const width = grid.line(2 * theme.lineWeight)
  const edge = grid.line(1)
  const top = grid.y(y - width / 2)
  ctx.fillStyle = theme.panel
  ctx.fillRect(rect.x, top - edge, rect.width, width + 2 * edge)
  wallLine(ctx, {
    x: rect.x + rect.width * share,
    y0: rect.y,
    y1: rect.y + rect.height,
    theme,
  })
  ctx.fillStyle = theme.ink
  ctx.fillRect(rect.x, top, rect.width, width)
}
