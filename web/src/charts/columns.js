/** One column a position, from the ground up; behind it the outline of what it was before. */
import { pixelGrid } from './core/canvas.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */
/** @import { LinearScale, PositionScale } from './core/scale.js' */

/**
 * @typedef {object} ColumnsOptions
 * @property {Rect} rect
 * @property {PositionScale} xScale
 * @property {LinearScale} yScale  from the ground upwards
 * @property {ArrayLike<number>} data  one value of at least 0 a position
 * @property {ArrayLike<number>} [before]  an outline over the same positions
 * @property {string} colour
 * @property {Theme} theme
 * @property {number | null} [cursor]  a position to point out
 */

/** @param {Ctx} ctx @param {ColumnsOptions} options */
export function drawColumns(ctx, options) {
  const { rect, xScale, yScale, data, before, colour, theme, cursor } = options
  const grid = pixelGrid(ctx)
  const ground = grid.y(rect.y + rect.height)
  const gap = xScale.band >= 4 ? Math.min(4, xScale.band * 0.22) : 0
  /** @param {number} position */
  const edges = (position) => {
    const left = grid.x(xScale.left(position) + gap / 2)
    return [left, Math.max(left + grid.pixel, grid.x(xScale.right(position) - gap / 2))]
  }
  ctx.save()
  if (before) drawBefore(ctx, options, before, grid)
  for (let position = 0; position < data.length; position++) {
    const [left, right] = edges(position)
    const top = grid.y(yScale(data[position]))
    ctx.fillStyle = position === cursor ? theme.ink : colour
    ctx.fillRect(left, top, right - left, ground - top)
  }
  if (cursor != null && cursor < data.length && xScale.band < 3) {
    // Too thin a column to be seen by its colour: a mark that stands on it.
    const x = xScale.centre(cursor)
    const y = grid.y(yScale(data[cursor]))
    const half = 4 * theme.lineWeight
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(x - half, y - 2 * half)
    ctx.lineTo(x + half, y - 2 * half)
    ctx.closePath()
    ctx.fillStyle = theme.ink
    ctx.fill()
  }
  ctx.fillStyle = theme.muted
  ctx.fillRect(rect.x, ground - grid.pixel, rect.width, grid.line(theme.lineWeight))
  ctx.restore()
}

/**
 * A stair over the columns, and a wash below it.
 * @param {Ctx} ctx
 * @param {ColumnsOptions} options
 * @param {ArrayLike<number>} before
 * @param {import('./core/canvas.js').Grid} grid
 */
function drawBefore(ctx, { rect, xScale, yScale, colour, theme }, before, grid) {
  const ground = rect.y + rect.height
  ctx.beginPath()
  for (let position = 0; position < before.length; position++) {
    const y = grid.y(yScale(before[position]))
    ctx.lineTo(xScale.left(position), y)
    ctx.lineTo(xScale.right(position), y)
  }
  ctx.save()
  ctx.lineJoin = 'round'
  ctx.lineWidth = theme.lineWeight
  ctx.strokeStyle = theme.muted
  ctx.stroke()
  ctx.lineTo(xScale.right(before.length - 1), ground)
  ctx.lineTo(xScale.left(0), ground)
  ctx.closePath()
  ctx.globalAlpha *= theme.forced ? 0 : 0.14
  ctx.fillStyle = colour
  ctx.fill()
  ctx.restore()
}
