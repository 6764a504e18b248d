/** A part of a whole, true to scale; a part too small to be seen is enlarged below it. */
import { fillNumber, numberWidth, pixelGrid, setFont } from './core/canvas.js'

/** @import { Ctx, Grid, Rect, Theme } from './core/canvas.js' */

/** A part below this share of a bar is enlarged. */
const smallest = 0.1

/**
 * @param {number} share
 * @returns {number} how many times to enlarge: 1, or a power of ten
 */
export function lensTimes(share) {
  let times = 1
  while (share > 0 && share * times < smallest && times < 1e12) times *= 10
  return times
}

/**
 * @typedef {object} ShareOptions
 * @property {Rect} rect
 * @property {number} share   of the part in the whole; above 1 when it is the larger one
 * @property {string} colour  of the part
 * @property {Theme} theme
 * @property {{ whole: string, part: string, lens: string }} labels
 */

/** @param {Ctx} ctx @param {ShareOptions} options */
export function drawShare(ctx, { rect, share, colour, theme, labels }) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme)
  const bar = px * 1.9
  const line = px * 1.5
  const times = lensTimes(share)
  const whole = { x: rect.x, y: rect.y + line, width: rect.width, height: bar }
  const most = Math.max(1, share)
  ctx.textBaseline = 'middle'
  ctx.fillStyle = theme.muted
  ctx.textAlign = 'left'
  fillNumber(ctx, labels.whole, rect.x, rect.y + line * 0.45)
  drawBar(ctx, grid, whole, 1 / most, share / most, colour, theme)
  if (times === 1) {
    partLabel(ctx, whole, share / most, labels.part, colour, theme)
    return
  }
  const lens = { ...whole, y: whole.y + bar + px * 2.4 }
  const from = grid.y(whole.y + whole.height)
  const to = grid.y(lens.y)
  ctx.save()
  ctx.beginPath()
  ctx.moveTo(whole.x, from)
  ctx.lineTo(whole.x + Math.max(grid.pixel, whole.width / times), from)
  ctx.lineTo(lens.x + lens.width, to)
  ctx.lineTo(lens.x, to)
  ctx.closePath()
  ctx.globalAlpha *= 0.35
  ctx.fillStyle = theme.rule
  ctx.fill()
  ctx.restore()
  drawBar(ctx, grid, lens, 1, share * times, colour, theme)
  setFont(ctx, theme)
  ctx.fillStyle = theme.muted
  const x = rect.x + rect.width - numberWidth(ctx, labels.lens)
  fillNumber(ctx, labels.lens, Math.max(rect.x, x), lens.y - px * 0.85)
  partLabel(ctx, lens, share * times, labels.part, colour, theme)
}

/**
 * @param {Ctx} ctx
 * @param {Grid} grid
 * @param {Rect} rect
 * @param {number} whole  share of the rect that is the whole
 * @param {number} part   share of the rect that is the part
 * @param {string} colour
 * @param {Theme} theme
 */
function drawBar(ctx, grid, { x, y, width, height }, whole, part, colour, theme) {
  const line = grid.line(theme.lineWeight)
  const top = grid.y(y)
  const size = grid.y(y + height) - top
  const left = grid.x(x)
  const end = grid.x(x + width * whole)
  ctx.save()
  ctx.globalAlpha *= 0.28
  ctx.fillStyle = theme.muted
  ctx.fillRect(left, top, end - left, size)
  ctx.restore()
  ctx.fillStyle = colour
  ctx.fillRect(left, top, Math.max(grid.pixel, grid.x(x + width * part) - left), size)
  ctx.strokeStyle = theme.muted
  ctx.lineWidth = line
  ctx.strokeRect(left + line / 2, top + line / 2, end - left - line, size - line)
}

/**
 * Under the end of the part, in its colour.
 * @param {Ctx} ctx
 * @param {Rect} bar
 * @param {number} part
 * @param {string} text
 * @param {string} colour
 * @param {Theme} theme
 */
function partLabel(ctx, bar, part, text, colour, theme) {
  const px = setFont(ctx, theme, { weight: 700 })
  const half = numberWidth(ctx, text) / 2
  const centre = bar.x + (bar.width * Math.min(1, part)) / 2
  const x = Math.max(bar.x + half, Math.min(bar.x + bar.width - half, centre))
  ctx.fillStyle = colour
  ctx.textBaseline = 'middle'
  fillNumber(ctx, text, x, bar.y + bar.height + px * 0.95, 'center')
}
