/**
 * A family of waves, one strip each, fast ones on top: what each dimension of a code does along the
 * positions. A formula is drawn as a curve through its seats, a table as separate stems.
 */
import { fillNumber, pixelGrid, setFont } from './core/canvas.js'
import { dashPattern, drawMarker } from './core/markers.js'

/** @import { Ctx, Grid, Rect, Theme } from './core/canvas.js' */
/** @import { PositionScale } from './core/scale.js' */
/** @import { Dash } from './core/markers.js' */

/**
 * @typedef {object} Wave
 * @property {ArrayLike<number>} values  at whole positions from `start`; NaN where there is no row
 * @property {number} [start]  0 by default
 * @property {{ values: ArrayLike<number>, start: number, step: number }} [curve]  the formula between
 *   the seats, finely sampled; without it stems are drawn
 * @property {string} label    e.g. the dimension
 * @property {string} [colour]
 * @property {Dash} [dash]
 */

/**
 * @typedef {object} WavesOptions
 * @property {Rect} rect  labels are written to the left of it
 * @property {PositionScale} scale
 * @property {readonly Wave[]} waves
 * @property {number} limit   value at the edge of a strip
 * @property {string} colour  identity hue
 * @property {Theme} theme
 * @property {number | null} [cursor]  drawn strongly up to here, faintly beyond; may be a fraction
 * @property {number | null} [highlight]  index of a wave to point out
 * @property {boolean} [failed]  no row at the cursor: its dots are left out
 */

const fainter = 0.32

/** @param {Ctx} ctx @param {WavesOptions} options */
export function drawWaves(ctx, options) {
  const { rect, waves } = options
  if (waves.length === 0) return
  const grid = pixelGrid(ctx)
  const height = rect.height / waves.length
  waves.forEach((wave, index) => {
    const middle = rect.y + (index + 0.5) * height
    drawStrip(ctx, options, grid, wave, index, middle, Math.max(1, height / 2 - 3))
  })
  drawLabels(ctx, options, height)
}

/**
 * @param {Ctx} ctx
 * @param {WavesOptions} options
 * @param {Grid} grid
 * @param {Wave} wave
 * @param {number} index
 * @param {number} middle
 * @param {number} half
 */
function drawStrip(ctx, options, grid, wave, index, middle, half) {
  const { rect, scale, theme, cursor, limit } = options
  const colour = wave.colour ?? options.colour
  const rule = grid.line(1)
  const chosen = options.highlight === index
  /** @param {number} value */
  const yOf = (value) => middle - Math.max(-1, Math.min(1, value / limit)) * half
  const x1 = cursor == null ? rect.x + rect.width : scale.centre(cursor)
  ctx.save()
  ctx.globalAlpha *= 0.65
  ctx.fillStyle = theme.rule
  ctx.fillRect(rect.x, grid.y(middle - rule / 2), rect.width, rule)
  ctx.restore()
  for (const [from, to, alpha] of [
    [x1, rect.x + rect.width, fainter],
    [rect.x, x1, 1],
  ]) {
    ctx.save()
    ctx.globalAlpha *= alpha
    if (wave.curve && to > from) {
      ctx.save()
      ctx.beginPath()
      ctx.rect(from, middle - half - 3, to - from, 2 * half + 6)
      ctx.clip()
      drawCurve(ctx, wave.curve, wave.dash, scale, yOf, colour, theme, chosen)
      ctx.restore()
    }
    const [first, last] =
      alpha === 1 ? [-Infinity, cursor ?? Infinity] : [cursor ?? Infinity, Infinity]
    drawSamples(ctx, wave, { scale, yOf, middle, colour, theme, first, last })
    ctx.restore()
  }
  if (cursor == null || options.failed) return
  // Between two seats only a formula has a value; a table has the seat the cursor is nearest to.
  const at = wave.curve ? cursor : Math.round(cursor)
  const value = sampleAt(wave, at)
  if (Number.isFinite(value)) {
    const size = chosen ? 11 : 8
    drawMarker(ctx, 'circle', scale.centre(at), yOf(value), { size, colour, theme })
  }
}

/** @param {Wave} wave @param {number} position */
function sampleAt({ values, start = 0, curve }, position) {
  if (curve && !Number.isInteger(position)) {
    return curve.values[Math.round((position - curve.start) / curve.step)] ?? NaN
  }
  return values[Math.round(position) - start] ?? NaN
}

/**
 * @param {Ctx} ctx
 * @param {NonNullable<Wave['curve']>} curve
 * @param {Dash | undefined} dash
 * @param {PositionScale} scale
 * @param {(value: number) => number} yOf
 * @param {string} colour
 * @param {Theme} theme
 * @param {boolean} chosen
 */
function drawCurve(ctx, { values, start, step }, dash, scale, yOf, colour, theme, chosen) {
  ctx.beginPath()
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (Number.isFinite(value)) ctx.lineTo(scale.centre(start + i * step), yOf(value))
  }
  ctx.strokeStyle = colour
  ctx.lineWidth = (chosen ? 2.5 : 1.5) * theme.lineWeight
  ctx.lineJoin = 'round'
  ctx.setLineDash(dash ? dashPattern(dash, ctx.lineWidth) : [])
  ctx.stroke()
  ctx.setLineDash([])
}

/**
 * @typedef {object} Strip
 * @property {PositionScale} scale
 * @property {(value: number) => number} yOf
 * @property {number} middle
 * @property {string} colour
 * @property {Theme} theme
 * @property {number} first  positions after first ...
 * @property {number} last   ... up to and with last
 */

/**
 * A dot for each seat; without a curve on a stem.
 * @param {Ctx} ctx
 * @param {Wave} wave
 * @param {Strip} strip
 */
function drawSamples(
  ctx,
  { values, start = 0, curve },
  { scale, yOf, middle, colour, theme, ...strip },
) {
  if (curve && scale.band < 6) return
  const radius = Math.min(2.5, Math.max(0.75, scale.band * 0.22)) * theme.lineWeight
  /** @type {[number, number][]} */
  const dots = []
  for (
    let i = Math.max(0, scale.start - start);
    i < Math.min(values.length, scale.end - start);
    i++
  ) {
    const position = start + i
    if (position <= strip.first || position > strip.last || !Number.isFinite(values[i])) continue
    dots.push([scale.centre(position), yOf(values[i])])
  }
  ctx.fillStyle = colour
  ctx.strokeStyle = colour
  if (!curve) {
    ctx.beginPath()
    for (const [x, y] of dots) {
      ctx.moveTo(x, middle)
      ctx.lineTo(x, y)
    }
    ctx.lineWidth = Math.min(1.5 * theme.lineWeight, Math.max(0.5, scale.band * 0.5))
    ctx.stroke()
    if (scale.band < 4) return
  }
  ctx.beginPath()
  for (const [x, y] of dots) {
    ctx.moveTo(x + radius, y)
    ctx.arc(x, y, radius, 0, 2 * Math.PI)
  }
  ctx.fill()
}

/**
 * Names of the strips, as many as fit.
 * @param {Ctx} ctx
 * @param {WavesOptions} options
 * @param {number} height  of a strip
 */
function drawLabels(ctx, { rect, waves, theme, highlight }, height) {
  const px = setFont(ctx, theme)
  const stride = Math.max(1, Math.ceil((px * 1.25) / height))
  ctx.textBaseline = 'middle'
  waves.forEach(({ label }, index) => {
    const chosen = index === highlight
    const hidden = highlight != null && Math.abs(index - highlight) < stride
    if (!chosen && (index % stride !== 0 || hidden)) return
    setFont(ctx, theme, { weight: chosen ? 700 : 400 })
    ctx.fillStyle = chosen ? theme.ink : theme.muted
    fillNumber(ctx, label, rect.x - 8, rect.y + (index + 0.5) * height, 'right')
  })
}
