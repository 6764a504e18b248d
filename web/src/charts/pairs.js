/**
 * The pairs of a rotary code on one logarithmic axis of distances, the fastest on top: each line is
 * the first turn of its pair, from the start to its wavelength. Two walls stand at the length of the
 * training and at the length that is looked at.
 */
import { drawAxisX, drawAxisY, axisXHeight, axisYWidth } from './core/axis.js'
import { fillNumber, hatch, pixelGrid, plateText, setFont, wallLine } from './core/canvas.js'
import { dashPattern } from './core/markers.js'
import { linear, logarithmic } from './core/scale.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */
/** @import { LinearScale } from './core/scale.js' */
/** @import { Dash } from './core/markers.js' */

/**
 * @typedef {object} PairsData
 * @property {ArrayLike<number>} wavelengths  positions a turn, one a pair; Infinity for a pair at rest
 * @property {ArrayLike<number>} turns  of each pair in training
 * @property {ArrayLike<number>} [unseenFrom]  the first distance at which a pair stands at an angle
 *   that training never showed; Infinity where there is none
 * @property {number} trained  positions of the training
 * @property {number} reach    positions looked at
 * @property {readonly PairBand[]} [bands]
 * @property {readonly PairCurve[]} [curves]  other wavelengths of the same pairs, as thin lines
 * @property {number | null} [cursor]  a pair
 */
/** @typedef {{ from: number, to: number, label: string, alpha?: number }} PairBand  pairs, both included */
/** @typedef {{ wavelengths: ArrayLike<number>, colour: string, dash?: Dash }} PairCurve */

/**
 * @typedef {object} PairsLabels
 * @property {string} position  under the axis
 * @property {string} pair      beside the axis
 * @property {string} trained   at the wall of the training
 * @property {string} reach     at the other wall; not written where both are one
 * @property {(value: number) => string} [format]  of numbers under the axis
 */

/**
 * @typedef {object} PairsPlot
 * @property {Rect} rect
 * @property {LinearScale} xScale
 * @property {number} row  height of one pair, CSS px
 * @property {(y: number) => number} pairAt
 */

/**
 * Where everything stands: for drawing, and for a pointer.
 * @param {Ctx} ctx
 * @param {{ width: number, height: number, theme: Theme, data: PairsData, labels: PairsLabels }} options
 * @returns {PairsPlot}
 */
function pairsPlot(ctx, { width, height, theme, data, labels }) {
  const count = data.wavelengths.length
  const top = 22 * theme.typeScale
  const bottom = Math.max(top + 1, height - axisXHeight(theme, { label: labels.position }))
  const scale = linear([0, Math.max(1, count - 1)], [top, bottom])
  const left = axisYWidth(ctx, { scale, theme, label: labels.pair })
  const right = Math.max(left + 1, width - 10 * theme.typeScale)
  let most = Math.max(data.reach, data.trained, 10)
  for (const { wavelengths } of [data, ...(data.curves ?? [])]) {
    for (let i = 0; i < wavelengths.length; i++) {
      if (wavelengths[i] > most && wavelengths[i] < Infinity) most = wavelengths[i]
    }
  }
  const row = (bottom - top) / count
  return {
    rect: { x: left, y: top, width: right - left, height: bottom - top },
    xScale: logarithmic([1, most * 1.2], [left, right]),
    row,
    pairAt: (y) => Math.min(count - 1, Math.max(0, Math.floor((y - top) / row))),
  }
}

/**
 * @param {Ctx} ctx
 * @param {{ width: number, height: number, theme: Theme, data: PairsData, labels: PairsLabels,
 *   colour: string }} options  colour: of the pairs that have turned
 * @returns {PairsPlot}
 */
export function drawPairs(ctx, options) {
  const { width, height, theme, data, labels, colour } = options
  const plot = pairsPlot(ctx, options)
  const { rect, xScale, row } = plot
  const end = rect.x + rect.width
  const bottom = rect.y + rect.height
  const middle = (/** @type {number} */ pair) => rect.y + (pair + 0.5) * row
  const place = (/** @type {number} */ value) => Math.min(end, xScale(value))
  const count = data.wavelengths.length
  drawAxisY(ctx, {
    scale: linear([0, Math.max(1, count - 1)], [middle(0), middle(Math.max(1, count - 1))]),
    theme,
    x: rect.x,
    label: labels.pair,
    ticks: pairTicks(count, rect.height / (22 * theme.typeScale)),
  })
  drawAxisX(ctx, {
    scale: xScale,
    theme,
    y: bottom,
    label: labels.position,
    format: labels.format,
    grid: rect,
    rect: { x: 0, y: bottom, width, height: height - bottom },
  })
  for (const { from, to, alpha = 0.14 } of data.bands ?? []) {
    ctx.save()
    ctx.globalAlpha *= alpha
    ctx.fillStyle = colour
    ctx.fillRect(rect.x, rect.y + from * row, rect.width, (to - from + 1) * row)
    ctx.restore()
  }
  drawUnseen(ctx, data, theme, middle, place, row)
  drawFirstTurns(ctx, options, middle, place, row)
  for (const curve of data.curves ?? []) drawCurve(ctx, curve, theme, middle, place)
  drawWalls(ctx, options, plot)
  for (const { from, to, label } of data.bands ?? []) {
    const px = setFont(ctx, theme)
    const half = ctx.measureText(label).width / 2 + px * 0.5
    const at = rect.y + ((from + to + 1) / 2) * row
    const y = Math.max(rect.y + px, Math.min(bottom - px, at))
    plateText(ctx, label, rect.x + half + 4, y, { theme, colour: theme.ink })
  }
  if (data.cursor != null && data.cursor < count) {
    const line = pixelGrid(ctx).line(theme.lineWeight)
    const half = Math.max(row / 2, 3)
    ctx.strokeStyle = theme.ink
    ctx.lineWidth = line
    ctx.strokeRect(rect.x, middle(data.cursor) - half, rect.width, 2 * half)
  }
  return plot
}

/**
 * @param {Ctx} ctx
 * @param {{ theme: Theme, data: PairsData, colour: string }} options
 * @param {(pair: number) => number} middle
 * @param {(value: number) => number} place
 * @param {number} row
 */
function drawFirstTurns(ctx, { theme, data, colour }, middle, place, row) {
  const radius = Math.max(1.2, Math.min(3.5, row * 0.42)) * theme.lineWeight
  const thick = Math.max(0.6, Math.min(2, row * 0.34)) * theme.lineWeight
  const left = place(1)
  for (let i = 0; i < data.wavelengths.length; i++) {
    const x = place(data.wavelengths[i])
    const y = middle(i)
    const turned = data.turns[i] >= 1
    ctx.fillStyle = ctx.strokeStyle = turned ? colour : theme.muted
    ctx.save()
    ctx.globalAlpha *= turned ? 0.62 : 0.4
    ctx.fillRect(left, y - thick / 2, x - left, thick)
    ctx.restore()
    ctx.beginPath()
    ctx.arc(x, y, radius, 0, 2 * Math.PI)
    if (!turned) {
      // A turn that was never finished ends in a ring.
      ctx.fillStyle = theme.panel
      ctx.lineWidth = Math.min(1.4, radius * 0.6)
      ctx.fill()
      ctx.stroke()
    } else ctx.fill()
  }
}

/**
 * @param {Ctx} ctx
 * @param {PairsData} data
 * @param {Theme} theme
 * @param {(pair: number) => number} middle
 * @param {(value: number) => number} place
 * @param {number} row
 */
function drawUnseen(ctx, { unseenFrom, wavelengths, reach }, theme, middle, place, row) {
  if (!unseenFrom) return
  const thick = Math.max(1.5, row * 0.62)
  for (let i = 0; i < unseenFrom.length; i++) {
    if (!(unseenFrom[i] < reach)) continue
    const x = place(unseenFrom[i])
    // After a whole turn the angles are those of the beginning.
    const until = place(Math.min(reach, wavelengths[i]))
    const area = { x, y: middle(i) - thick / 2, width: until - x, height: thick }
    // With the reader's own palette the hue is gone: then a hatch says it.
    if (theme.forced) hatch(ctx, area, theme.failure, { spacing: 4 })
    else {
      ctx.fillStyle = theme.failure
      ctx.fillRect(area.x, area.y, area.width, area.height)
    }
  }
}

/**
 * @param {Ctx} ctx
 * @param {PairCurve} curve
 * @param {Theme} theme
 * @param {(pair: number) => number} middle
 * @param {(value: number) => number} place
 */
function drawCurve(ctx, { wavelengths, colour, dash = 'solid' }, theme, middle, place) {
  ctx.save()
  ctx.beginPath()
  for (let i = 0; i < wavelengths.length; i++) ctx.lineTo(place(wavelengths[i]), middle(i))
  ctx.strokeStyle = colour
  ctx.lineWidth = 1.5 * theme.lineWeight
  ctx.lineJoin = 'round'
  ctx.setLineDash(dashPattern(dash, ctx.lineWidth))
  ctx.stroke()
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {{ theme: Theme, data: PairsData, labels: PairsLabels }} options
 * @param {PairsPlot} plot
 */
function drawWalls(ctx, { theme, data, labels }, { rect, xScale }) {
  const grid = pixelGrid(ctx)
  const bottom = rect.y + rect.height
  const end = rect.x + rect.width
  const px = setFont(ctx, theme, { weight: 600 })
  const head = rect.y - px * 0.95
  const wall = xScale(data.trained)
  const before = data.reach < data.trained
  const own = ctx.measureText(labels.trained).width
  let left = Math.min(wall + px * 0.5, end) - own
  if (before) left = Math.min(wall, end - own)
  ctx.textBaseline = 'middle'
  if (data.reach !== data.trained) {
    const x = xScale(data.reach)
    const width = ctx.measureText(labels.reach).width
    const at = before ? Math.min(x, left - px) - width : Math.min(x, end - width)
    ctx.save()
    ctx.strokeStyle = theme.ink
    ctx.lineWidth = grid.line(1.5 * theme.lineWeight)
    ctx.setLineDash(dashPattern('dashed', ctx.lineWidth))
    ctx.beginPath()
    ctx.moveTo(x, rect.y - 2)
    ctx.lineTo(x, bottom)
    ctx.stroke()
    ctx.restore()
    ctx.fillStyle = theme.ink
    if (at >= 0) fillNumber(ctx, labels.reach, at, head)
    if (!before) left = Math.min(left, at - px - own)
  }
  wallLine(ctx, { x: wall, y0: rect.y - 2, y1: bottom, theme, edged: false })
  ctx.fillStyle = theme.ink
  setFont(ctx, theme, { weight: 600 })
  ctx.textBaseline = 'middle'
  // Where there is no room for both, the sentence has the number.
  if (left >= 0) fillNumber(ctx, labels.trained, left, head)
}

/**
 * @param {number} count
 * @param {number} most
 * @returns {number[]} the first pair, round ones, the last
 */
function pairTicks(count, most) {
  const last = count - 1
  const step = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512].find((size) => last / size <= most) ?? 1024
  const values = [0]
  for (let pair = step; pair < last - step * 0.5; pair += step) values.push(pair)
  return last > 0 ? [...values, last] : values
}
