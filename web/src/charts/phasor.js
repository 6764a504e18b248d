/**
 * A pair of dimensions as the hand of a clock: sine to the right, cosine upwards. At position 0 the
 * hand points to twelve, and it turns clockwise as the position grows.
 */
import { fillNumber, setFont } from './core/canvas.js'
import { drawMarker } from './core/markers.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */

/**
 * @typedef {object} PhasorOptions
 * @property {number} x       centre
 * @property {number} y
 * @property {number} radius  of the circle where sine and cosine meet the limit
 * @property {number} sine
 * @property {number} cosine
 * @property {number} [limit]  1 by default
 * @property {string} colour
 * @property {Theme} theme
 * @property {string} [label]  under the circle
 * @property {boolean} [highlight]
 * @property {boolean} [shadows]  the hand's shadows on both axes, which are the two numbers
 * @property {readonly { sine: number, cosine: number }[]} [trail]  earlier tips, oldest first
 */

/** @param {Ctx} ctx @param {PhasorOptions} options */
export function drawPhasor(ctx, options) {
  const { x, y, radius, sine, cosine, limit = 1, colour, theme, label, highlight, trail } = options
  const line = theme.lineWeight
  ctx.save()
  ctx.lineWidth = line * (highlight ? 2 : 1)
  ctx.fillStyle = theme.panel
  ctx.strokeStyle = highlight ? theme.ink : theme.muted
  ctx.beginPath()
  ctx.arc(x, y, radius, 0, 2 * Math.PI)
  ctx.fill()
  const alpha = ctx.globalAlpha
  if (!highlight) ctx.globalAlpha = alpha * 0.5
  ctx.stroke()
  ctx.globalAlpha = alpha
  ctx.strokeStyle = theme.rule
  ctx.lineWidth = line
  ctx.beginPath()
  for (let quarter = 0; quarter < 4; quarter++) {
    const angle = (quarter * Math.PI) / 2
    const inner = radius * (quarter === 3 ? 0.78 : 0.88)
    ctx.moveTo(x + Math.cos(angle) * inner, y + Math.sin(angle) * inner)
    ctx.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius)
  }
  ctx.stroke()
  if (trail) drawTrail(ctx, options, trail)
  if (Number.isFinite(sine) && Number.isFinite(cosine)) {
    const tipX = x + (sine / limit) * radius
    const tipY = y - (cosine / limit) * radius
    if (options.shadows) drawShadows(ctx, options, tipX, tipY)
    ctx.strokeStyle = colour
    ctx.lineWidth = 2 * line
    ctx.lineCap = 'round'
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(tipX, tipY)
    ctx.stroke()
    ctx.fillStyle = colour
    ctx.beginPath()
    ctx.arc(x, y, 1.5 * line, 0, 2 * Math.PI)
    ctx.fill()
    const size = Math.min(8, Math.max(4, radius * 0.3))
    drawMarker(ctx, 'circle', tipX, tipY, { size, colour, theme })
  }
  if (label) {
    const px = setFont(ctx, theme, { weight: highlight ? 700 : 400 })
    ctx.fillStyle = highlight ? theme.ink : theme.muted
    ctx.textBaseline = 'middle'
    fillNumber(ctx, label, x, y + radius + px * 0.85, 'center')
  }
  ctx.restore()
}

/** @param {Ctx} ctx @param {PhasorOptions} options @param {number} tipX @param {number} tipY */
function drawShadows(ctx, { x, y, colour, theme }, tipX, tipY) {
  ctx.save()
  ctx.strokeStyle = theme.muted
  ctx.lineWidth = theme.lineWeight
  ctx.setLineDash([2, 3])
  ctx.beginPath()
  ctx.moveTo(tipX, y)
  ctx.lineTo(tipX, tipY)
  ctx.lineTo(x, tipY)
  ctx.stroke()
  ctx.setLineDash([])
  ctx.strokeStyle = colour
  ctx.globalAlpha *= 0.5
  ctx.lineWidth = 3 * theme.lineWeight
  ctx.beginPath()
  ctx.moveTo(x, y)
  ctx.lineTo(tipX, y)
  ctx.moveTo(x, y)
  ctx.lineTo(x, tipY)
  ctx.stroke()
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {PhasorOptions} options
 * @param {readonly { sine: number, cosine: number }[]} trail
 */
function drawTrail(ctx, { x, y, radius, limit = 1, colour, theme }, trail) {
  ctx.save()
  const alpha = ctx.globalAlpha
  ctx.fillStyle = colour
  trail.forEach(({ sine, cosine }, i) => {
    if (!Number.isFinite(sine) || !Number.isFinite(cosine)) return
    ctx.globalAlpha = alpha * 0.5 * ((i + 1) / trail.length)
    ctx.beginPath()
    const tipX = x + (sine / limit) * radius
    const tipY = y - (cosine / limit) * radius
    ctx.arc(tipX, tipY, 1.75 * theme.lineWeight, 0, 2 * Math.PI)
    ctx.fill()
  })
  ctx.restore()
}

/**
 * Where the circles stand: the columns that make them largest.
 * @param {{ rect: Rect, theme: Theme, label?: unknown }} options
 * @param {number} count
 */
export function phasorPlaces({ rect, theme, label }, count) {
  const text = label ? 12.5 * theme.typeScale * 1.5 : 0
  let best = { columns: 1, radius: 0 }
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns)
    const radius = Math.min(rect.width / columns, rect.height / rows - text) / 2 - 5
    if (radius > best.radius) best = { columns, radius }
  }
  const rows = Math.ceil(count / best.columns)
  const radius = Math.max(1, best.radius)
  return Array.from({ length: count }, (_, i) => ({
    x: rect.x + (((i % best.columns) + 0.5) * rect.width) / best.columns,
    y: rect.y + ((Math.floor(i / best.columns) + 0.5) * rect.height) / rows - text / 2,
    radius,
  }))
}
