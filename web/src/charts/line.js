/** Lines over positions or over any number: loss curves, similarities, errors. */
import { numberWidth, pixelGrid, roundRect, setFont, fillNumber } from './core/canvas.js'
import { dashPattern, drawMarker } from './core/markers.js'

export { dashPattern, drawMarker } from './core/markers.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */
/** @import { LinearScale, PositionScale } from './core/scale.js' */
/** @typedef {import('./core/markers.js').Dash} Dash */
/** @typedef {import('./core/markers.js').Marker} Marker */

/**
 * @typedef {object} Series
 * @property {ArrayLike<number>} y   NaN makes a gap
 * @property {ArrayLike<number>} [x] rising; 0, 1, 2... from `start` by default
 * @property {number} [start]
 * @property {string} colour
 * @property {Dash} [dash]
 * @property {Marker} [marker]
 * @property {number} [phase]  0..1: shifts the markers, so that those of lines that lie on one another
 *   all show
 * @property {number} [width]  2 by default, before the theme's line weight
 * @property {string} [label]  written at the end of the line
 * @property {number} [labelAt]  beside this value; otherwise beside the last point
 * @property {{ low: ArrayLike<number>, high: ArrayLike<number> }} [band]  a pale area around the line
 * @property {boolean} [faint]  context, not the matter
 * @property {boolean} [hollow]  pale, with outlined markers: not to be read as a result
 */

/**
 * @typedef {object} LinesOptions
 * @property {Rect} rect  lines are cut off at its edges
 * @property {PositionScale | LinearScale} xScale
 * @property {LinearScale} yScale
 * @property {readonly Series[]} series
 * @property {Theme} theme
 * @property {number} [zero]    a line across at this value
 * @property {number | null} [cursor]  a value of x: a line down, and a dot on every series
 * @property {number} [reach]  px that a line or a marker may stand out of rect, or the extremes would
 *   look cut; 6 by default
 * @property {number} [labelRoom]  px to the right of rect for the labels; none are written without it
 */

/** How pale a hollow line is: its word in the legend stays as it is. */
const HOLLOW = 0.5

/** @param {Ctx} ctx @param {LinesOptions} options */
export function drawLines(ctx, options) {
  const { rect, xScale, yScale, series, theme, zero, cursor, reach = 6 } = options
  const grid = pixelGrid(ctx)
  const rule = grid.line(theme.lineWeight)
  const xOf = xScale.kind === 'position' ? xScale.centre : xScale
  if (zero !== undefined) {
    ctx.fillStyle = theme.rule
    ctx.fillRect(rect.x, grid.y(yScale(zero) - rule / 2), rect.width, rule)
  }
  if (cursor != null) {
    ctx.fillStyle = theme.ink
    ctx.fillRect(grid.x(xOf(cursor) - rule / 2), rect.y, rule, rect.height)
  }
  ctx.save()
  ctx.beginPath()
  ctx.rect(rect.x - reach, rect.y - reach, rect.width + 2 * reach, rect.height + 2 * reach)
  ctx.clip()
  for (const one of series) if (one.band) drawBandArea(ctx, one, xOf, yScale)
  for (const one of series) {
    const points = toPoints(one, xOf, yScale, grid.pixel)
    ctx.save()
    if (one.hollow) ctx.globalAlpha *= HOLLOW
    strokePoints(ctx, one, points, theme)
    if (one.marker && !one.faint) drawMarkers(ctx, one, one.marker, points, theme)
    ctx.restore()
  }
  if (cursor != null) {
    for (const one of series) {
      if (one.faint) continue
      const y = valueAt(one, cursor)
      if (!Number.isFinite(y)) continue
      const marker = one.marker ?? 'circle'
      const { colour, hollow } = one
      drawMarker(ctx, marker, xOf(cursor), yScale(y), { size: 10, colour, theme, hollow })
    }
  }
  ctx.restore()
  if (options.labelRoom) drawEndLabels(ctx, options, xOf, options.labelRoom)
}

/** @param {Series} series @param {number} i */
function xAt({ x, start = 0 }, i) {
  return x ? x[i] : start + i
}

/**
 * The series at a value of x: the nearest point that is there.
 * @param {Series} series
 * @param {number} wanted
 * @returns {number} NaN where the series has nothing
 */
export function valueAt(series, wanted) {
  const { y } = series
  let low = 0
  let high = y.length - 1
  if (high < 0 || wanted < xAt(series, 0) || wanted > xAt(series, high)) return NaN
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (xAt(series, middle) <= wanted) low = middle
    else high = middle
  }
  return wanted - xAt(series, low) <= xAt(series, high) - wanted ? y[low] : y[high]
}

/**
 * Points on the picture. Where many fall on one pixel column only the first, lowest, highest and
 * last are kept: the line looks the same and its peaks are never lost.
 * @param {Series} series
 * @param {(value: number) => number} xOf
 * @param {LinearScale} yOf
 * @param {number} pixel
 * @returns {number[]} x, y, x, y...; NaN, NaN is a gap
 */
function toPoints(series, xOf, yOf, pixel) {
  const { y } = series
  /** @type {number[]} */
  const points = []
  let column = NaN
  let x = 0
  /** @type {number[]} */
  let inColumn = []
  const flush = () => {
    if (inColumn.length <= 4) {
      for (const value of inColumn) points.push(x, value)
    } else {
      const [first] = inColumn
      const last = inColumn[inColumn.length - 1]
      points.push(x, first, x, Math.min(...inColumn), x, Math.max(...inColumn), x, last)
    }
    inColumn = []
  }
  for (let i = 0; i < y.length; i++) {
    const place = xOf(xAt(series, i))
    const value = yOf(y[i])
    if (!Number.isFinite(value) || !Number.isFinite(place)) {
      flush()
      points.push(NaN, NaN)
      column = NaN
      continue
    }
    const here = Math.floor(place / pixel)
    if (here !== column || inColumn.length > 4096) flush()
    column = here
    x = place
    inColumn.push(value)
  }
  flush()
  return points
}

/**
 * @param {Ctx} ctx
 * @param {Series} series
 * @param {readonly number[]} points
 * @param {Theme} theme
 */
function strokePoints(ctx, { colour, dash = 'solid', width = 2, faint = false }, points, theme) {
  ctx.save()
  ctx.beginPath()
  let down = false
  for (let i = 0; i < points.length; i += 2) {
    if (points[i] !== points[i]) {
      down = false
    } else if (down) {
      ctx.lineTo(points[i], points[i + 1])
    } else {
      ctx.moveTo(points[i], points[i + 1])
      // A lone point between gaps is drawn as a dot by the round cap.
      ctx.lineTo(points[i], points[i + 1])
      down = true
    }
  }
  ctx.strokeStyle = colour
  ctx.lineWidth = (faint ? 1 : width) * theme.lineWeight
  ctx.lineJoin = 'round'
  ctx.lineCap = dash === 'solid' ? 'round' : 'butt'
  ctx.setLineDash(dashPattern(dash, ctx.lineWidth))
  if (faint) ctx.globalAlpha *= 0.45
  ctx.stroke()
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {Series} series
 * @param {(value: number) => number} xOf
 * @param {LinearScale} yOf
 */
function drawBandArea(ctx, series, xOf, yOf) {
  const band = series.band
  if (!band || band.low.length === 0) return
  ctx.save()
  ctx.beginPath()
  for (let i = 0; i < band.high.length; i++) ctx.lineTo(xOf(xAt(series, i)), yOf(band.high[i]))
  for (let i = band.low.length - 1; i >= 0; i--) ctx.lineTo(xOf(xAt(series, i)), yOf(band.low[i]))
  ctx.closePath()
  ctx.fillStyle = series.colour
  ctx.globalAlpha *= series.hollow ? 0.07 : 0.16
  ctx.fill()
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {Series} series
 * @param {Marker} marker
 * @param {readonly number[]} points
 * @param {Theme} theme
 */
function drawMarkers(ctx, { colour, hollow, phase = 0 }, marker, points, theme) {
  const gap = Math.max(14, (points[points.length - 2] - points[0]) / 12)
  let next = phase === 0 ? -Infinity : points[0] + phase * gap
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]
    if (!(x >= next)) continue
    drawMarker(ctx, marker, x, points[i + 1], { size: 7, colour, theme, hollow })
    next = x + gap
  }
}

/**
 * Labels at the ends of the lines, pushed apart where they would touch.
 * @param {Ctx} ctx
 * @param {LinesOptions} options
 * @param {(value: number) => number} xOf
 * @param {number} room
 */
function drawEndLabels(ctx, { rect, series, yScale, theme }, xOf, room) {
  const px = setFont(ctx, theme)
  const step = px * 1.3
  const labels = series.flatMap(({ label, labelAt, y, colour, ...rest }) => {
    let last = y.length - 1
    while (last >= 0 && !Number.isFinite(y[last])) last -= 1
    if (!label || last < 0) return []
    const x = Math.min(rect.x + rect.width, xOf(xAt({ y, colour, ...rest }, last)))
    return [
      {
        label,
        colour,
        x,
        y: Math.min(rect.y + rect.height, Math.max(rect.y, yScale(labelAt ?? y[last]))),
      },
    ]
  })
  labels.sort((a, b) => a.y - b.y)
  let low = -Infinity
  for (const one of labels) low = one.y = Math.max(one.y, low + step)
  let high = rect.y + rect.height
  for (const one of labels.reverse()) {
    one.y = Math.min(one.y, high)
    high = one.y - step
  }
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  for (const { label, colour, y } of labels) {
    ctx.fillStyle = colour
    ctx.fillText(label, rect.x + rect.width + 8, y, room - 8)
  }
}

/**
 * A legend: a piece of each line with its marker and its name, wrapped to a width.
 * @param {Ctx} ctx
 * @param {{ x: number, y: number, width: number, theme: Theme,
 *   items: readonly { label: string, colour: string, dash?: Dash, marker?: Marker,
 *     hollow?: boolean }[] }} options
 * @returns {number} height used, CSS px
 */
export function drawLegend(ctx, { x, y, width, theme, items }) {
  const px = setFont(ctx, theme)
  const line = px * 1.6
  const sample = px * 2.6
  let left = x
  let middle = y + line / 2
  ctx.textBaseline = 'middle'
  for (const { label, colour, dash = 'solid', marker, hollow } of items) {
    const needed = sample + 6 + numberWidth(ctx, label)
    if (left > x && left + needed > x + width) {
      left = x
      middle += line
    }
    ctx.save()
    if (hollow) ctx.globalAlpha *= HOLLOW
    ctx.strokeStyle = colour
    ctx.lineWidth = 2 * theme.lineWeight
    ctx.setLineDash(dashPattern(dash, ctx.lineWidth))
    ctx.beginPath()
    ctx.moveTo(left, middle)
    ctx.lineTo(left + sample, middle)
    ctx.stroke()
    if (marker)
      drawMarker(ctx, marker, left + sample / 2, middle, { size: 7, colour, theme, hollow })
    ctx.restore()
    ctx.fillStyle = theme.muted
    fillNumber(ctx, label, left + sample + 6, middle)
    left += needed + px * 1.4
  }
  return middle + line / 2 - y
}

/**
 * A shaded stretch of x, e.g. what was seen in training.
 * @param {Ctx} ctx
 * @param {{ rect: Rect, from: number, to: number, colour: string, alpha?: number }} options  px
 */
export function shadeRange(ctx, { rect, from, to, colour, alpha = 0.1 }) {
  const left = Math.max(rect.x, Math.min(from, to))
  const right = Math.min(rect.x + rect.width, Math.max(from, to))
  if (right <= left) return
  ctx.save()
  ctx.globalAlpha *= alpha
  ctx.fillStyle = colour
  ctx.beginPath()
  roundRect(ctx, left, rect.y, right - left, rect.height, 0)
  ctx.fill()
  ctx.restore()
}
