/**
 * A bar of positions: rows that none of them uses, those that have one, a wall, and what lies beyond.
 */
import { hatch, pixelGrid, plateText, setFont, wallLine } from './core/canvas.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */
/** @import { LinearScale } from './core/scale.js' */

/**
 * @typedef {object} RowsOptions
 * @property {Rect} rect
 * @property {LinearScale} scale   of positions; unused rows lie below zero
 * @property {number} positions    that have a row
 * @property {number} unused       rows before position 0
 * @property {boolean} wall        whether anything ends there
 * @property {number} cursor       the length of the reader's sequence
 * @property {string} colour
 * @property {Theme} theme
 * @property {{ inside: string, beyond: string, cursor: string }} labels
 */

/** @param {Ctx} ctx @param {RowsOptions} options */
export function drawRows(ctx, options) {
  const { rect, scale, positions, unused, wall, cursor, colour, theme, labels } = options
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme)
  const line = grid.line(theme.lineWeight)
  const bar = { y: grid.y(rect.y + px * 2), height: Math.round(rect.height - px * 2) }
  const zero = grid.x(scale(0))
  const end = grid.x(scale(positions))
  const right = rect.x + rect.width
  ctx.save()
  ctx.globalAlpha *= wall ? 0.8 : 0.35
  ctx.fillStyle = colour
  ctx.fillRect(zero, bar.y, end - zero, bar.height)
  ctx.restore()
  if (unused > 0) {
    const width = Math.max(5 * line, zero - grid.x(scale(-unused)))
    hatch(ctx, { x: zero - width, width, ...bar }, theme.muted, { spacing: 5, width: line })
  }
  const beyond = { x: end, width: right - end, ...bar }
  const failing = wall && cursor > positions
  const hatched = failing ? theme.failure : theme.muted
  if (wall) hatch(ctx, beyond, hatched, { spacing: 8, width: line, alpha: failing ? 0.8 : 0.4 })
  ctx.strokeStyle = theme.muted
  ctx.lineWidth = line
  ctx.setLineDash([4 * line, 4 * line])
  ctx.strokeRect(end, bar.y + line / 2, right - end - line, bar.height - line)
  ctx.setLineDash([])
  if (wall) wallLine(ctx, { x: end, y0: bar.y - px * 0.4, y1: bar.y + bar.height, theme })
  const middle = bar.y + bar.height / 2
  for (const [text, from, to] of /** @type {const} */ ([
    [labels.inside, zero, end],
    [labels.beyond, end, right],
  ])) {
    if (ctx.measureText(text).width + px * 2 < to - from) {
      plateText(ctx, text, (from + to) / 2, middle, { theme, colour: theme.ink })
    }
  }
  const x = Math.min(right - line, scale(cursor))
  ctx.fillStyle = theme.ink
  ctx.fillRect(
    grid.x(x - line),
    rect.y + px * 1.2,
    2 * line,
    bar.y + bar.height - rect.y - px * 1.2,
  )
  setFont(ctx, theme, { weight: 600 })
  const half = ctx.measureText(labels.cursor).width / 2 + px / 2
  const centre = Math.max(rect.x + half, Math.min(right - half, x))
  plateText(ctx, labels.cursor, centre, rect.y + px * 0.7, {
    theme,
    colour: theme.ink,
    weight: 600,
  })
}
