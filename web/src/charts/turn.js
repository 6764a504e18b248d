/**
 * A pair of dimensions before and after a step: two hands of one clock and the angle between them.
 * As in phasor.js, sine is to the right and cosine upwards.
 */
import { drawMarker } from './core/markers.js'

/** @typedef {{ sine: number, cosine: number }} Hand */

/**
 * @param {import('./core/canvas.js').Ctx} ctx
 * @param {{ x: number, y: number, radius: number, from: Hand, to: Hand, angle: number,
 *   colour: string, theme: import('./core/canvas.js').Theme }} options  angle: radians, clockwise
 */
export function drawTurn(ctx, { x, y, radius, from, to, angle, colour, theme }) {
  const line = theme.lineWeight
  const start = Math.atan2(from.sine, from.cosine) - Math.PI / 2
  const whole = Math.abs(angle) >= 2 * Math.PI
  const sweep = angle % (2 * Math.PI)
  ctx.save()
  ctx.fillStyle = theme.panel
  ctx.strokeStyle = theme.rule
  ctx.lineWidth = line
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
  ctx.fill()
  ctx.stroke()
  const alpha = ctx.globalAlpha
  ctx.fillStyle = colour
  ctx.globalAlpha = alpha * 0.22
  ctx.beginPath()
  ctx.moveTo(x, y)
  ctx.arc(x, y, radius * 0.72, start, start + sweep, sweep < 0)
  ctx.closePath()
  ctx.fill()
  if (whole) {
    // Whole turns before the rest.
    ctx.beginPath()
    ctx.arc(x, y, radius * 0.72, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.lineCap = 'round'
  ctx.strokeStyle = colour
  ctx.lineWidth = 2 * line
  for (const [{ sine, cosine }, strength] of /** @type {[Hand, number][]} */ ([
    [from, 0.55],
    [to, 1],
  ])) {
    ctx.globalAlpha = alpha * strength
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(x + sine * radius, y - cosine * radius)
    ctx.stroke()
  }
  ctx.globalAlpha = alpha
  const size = Math.min(8, Math.max(4, radius * 0.3))
  const tip = (/** @type {Hand} */ { sine, cosine }) =>
    /** @type {const} */ ([x + sine * radius, y - cosine * radius])
  drawMarker(ctx, 'ring', ...tip(from), { size, colour, theme })
  drawMarker(ctx, 'circle', ...tip(to), { size, colour, theme })
  ctx.restore()
}
