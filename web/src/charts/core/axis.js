/**
 * Axes: round numbers in tabular figures, as many as fit without touching, and a label with a unit.
 */
import { fillNumber, numberWidth, pixelGrid, setFont } from './canvas.js'
import { formatPower, formatTick, tickDecimals } from './scale.js'

/** @import { Ctx, Rect, Theme } from './canvas.js' */
/** @import { LinearScale, PositionScale } from './scale.js' */

/**
 * @typedef {object} AxisOptions
 * @property {PositionScale | LinearScale} scale
 * @property {Theme} theme
 * @property {string} [label]  with its unit, e.g. "position" or "loss"
 * @property {(value: number) => string} [format]
 * @property {readonly number[]} [ticks]  instead of round numbers
 * @property {boolean} [line]  draw a line along the axis
 */

const tickLength = 4
const space = 4
/** What a picture leaves free above and below its rows. */
const overhang = 4

/**
 * Room that drawAxisX needs below its y.
 * @param {Theme} theme
 * @param {{ label?: string }} [options]
 * @returns {number} CSS px
 */
export function axisXHeight(theme, { label } = {}) {
  const line = 12.5 * theme.typeScale * 1.35
  return tickLength + space + line * (label ? 2 : 1) + (label ? 2 : 0)
}

/**
 * Numbers under a figure, from y downwards.
 * @param {Ctx} ctx
 * @param {AxisOptions & { y: number, rect?: Rect, grid?: Rect }} options  y: where the axis lies;
 *   rect: numbers stay inside its width; grid: faint lines across this rectangle
 */
export function drawAxisX(ctx, options) {
  const { scale, theme, y, label, rect, line = false } = options
  const pixels = pixelGrid(ctx)
  const px = setFont(ctx, theme)
  const [x0, x1] = extent(scale)
  const place = placeOf(scale)
  const chosen = chooseTicks(ctx, options, Math.abs(x1 - x0), px)
  const rule = pixels.line(theme.lineWeight)
  const top = pixels.y(y)
  ctx.fillStyle = theme.rule
  if (line) ctx.fillRect(pixels.x(x0), top, pixels.x(x1) - pixels.x(x0), rule)
  for (const { value } of chosen) {
    ctx.fillRect(pixels.x(place(value) - rule / 2), top, rule, tickLength)
  }
  if (options.grid) {
    const { y: gridTop, height } = options.grid
    gridLines(ctx, chosen, (value) => {
      ctx.fillRect(pixels.x(place(value) - pixels.pixel / 2), gridTop, pixels.line(1), height)
    })
  }
  ctx.fillStyle = theme.muted
  ctx.textBaseline = 'top'
  const baseline = top + tickLength + space
  for (const { value, text } of chosen) {
    const half = numberWidth(ctx, text) / 2
    let x = place(value)
    if (rect) x = Math.max(rect.x + half, Math.min(rect.x + rect.width - half, x))
    fillNumber(ctx, text, x, baseline, 'center')
  }
  if (label) {
    ctx.textAlign = 'center'
    ctx.fillText(label, (x0 + x1) / 2, baseline + px * 1.35 + 2, Math.abs(x1 - x0))
  }
}

/**
 * Room that drawAxisY needs to the left of its x.
 * @param {Ctx} ctx
 * @param {AxisOptions} options
 * @returns {number} CSS px
 */
export function axisYWidth(ctx, options) {
  const px = setFont(ctx, options.theme)
  const [y0, y1] = extent(options.scale)
  let widest = 0
  for (const { text } of chooseTicksY(ctx, options, Math.abs(y1 - y0), px)) {
    widest = Math.max(widest, numberWidth(ctx, text))
  }
  return Math.ceil(widest + space * 2 + (options.label ? px * 1.35 : 0))
}

/**
 * Numbers to the left of a figure, ending at x.
 * @param {Ctx} ctx
 * @param {AxisOptions & { x: number, left?: number, grid?: Rect }} options  x: where the axis lies;
 *   left: where the picture begins, 0 by default; grid: faint lines across this rectangle
 */
export function drawAxisY(ctx, options) {
  const { scale, theme, x, label, left = 0, line = false } = options
  const pixels = pixelGrid(ctx)
  const px = setFont(ctx, theme)
  const [y0, y1] = extent(scale)
  const place = placeOf(scale)
  const room = x - space * 2 - left
  const chosen = chooseTicksY(ctx, options, Math.abs(y1 - y0), px, room)
  // The first of many narrow rows lies so near to the edge that half its number would be cut.
  const inset = scale.kind === 'position' ? px / 2 - overhang : 0
  const rule = pixels.line(theme.lineWeight)
  ctx.fillStyle = theme.rule
  if (options.grid) {
    const { x: gridLeft, width } = options.grid
    gridLines(ctx, chosen, (value) => {
      ctx.fillRect(gridLeft, pixels.y(place(value) - pixels.pixel / 2), width, pixels.line(1))
    })
  }
  if (line) {
    const low = Math.min(y0, y1)
    ctx.fillRect(pixels.x(x - rule), pixels.y(low), rule, Math.abs(y1 - y0))
  }
  ctx.fillStyle = theme.muted
  ctx.textBaseline = 'middle'
  let widest = 0
  for (const { value, text } of chosen) {
    widest = Math.max(widest, numberWidth(ctx, text))
    const y = Math.max(y0 + inset, Math.min(y1 - inset, place(value)))
    fillNumber(ctx, text, x - space * 2, inset ? y : place(value), 'right')
  }
  // A label that would run out of the picture or into the numbers is left out.
  const numbers = x - space * 2 - widest
  const middle = Math.max(left + px * 0.62, numbers - space - px * 0.6)
  if (label && middle + px * 0.6 <= numbers) {
    sideLabel(ctx, label, middle, (y0 + y1) / 2, px, Math.abs(y1 - y0))
  }
}

/**
 * Grid lines stay behind the data: never thicker than one pixel, and paler than the axis.
 * @param {Ctx} ctx
 * @param {{ value: number }[]} chosen
 * @param {(value: number) => void} draw
 */
function gridLines(ctx, chosen, draw) {
  ctx.save()
  ctx.globalAlpha *= 0.65
  for (const { value } of chosen) draw(value)
  ctx.restore()
}

/**
 * A label along a vertical axis: Latin turned a quarter, Chinese stacked upright.
 * @param {Ctx} ctx
 * @param {string} label
 * @param {number} x  centre
 * @param {number} y  centre
 * @param {number} px
 * @param {number} room
 */
function sideLabel(ctx, label, x, y, px, room) {
  ctx.textAlign = 'center'
  ctx.textBaseline = 'middle'
  if (/^[\u3000-\u9fff\uff00-\uffef]+$/.test(label)) {
    const step = Math.min(px * 1.15, room / label.length)
    const characters = [...label]
    characters.forEach((character, i) => {
      ctx.fillText(character, x, y + (i - (characters.length - 1) / 2) * step)
    })
    return
  }
  ctx.save()
  ctx.translate(x, y)
  ctx.rotate(-Math.PI / 2)
  ctx.fillText(label, 0, 0, room)
  ctx.restore()
}

/** @param {PositionScale | LinearScale} scale @returns {[number, number]} */
function extent(scale) {
  return scale.kind === 'position' ? [scale.x0, scale.x1] : scale.range
}

/** @param {PositionScale | LinearScale} scale @returns {(value: number) => number} */
function placeOf(scale) {
  return scale.kind === 'position' ? scale.centre : scale
}

/** @param {AxisOptions} options @param {readonly number[]} values */
function withTexts({ format, scale }, values) {
  const decimals = tickDecimals(values)
  const standard = scale.kind === 'log' ? formatPower : formatTick
  return values.map((value) => ({
    value,
    text: format ? format(value) : standard(value, decimals),
  }))
}

/**
 * The densest round numbers whose texts keep a gap.
 * @param {Ctx} ctx
 * @param {AxisOptions} options
 * @param {number} room
 * @param {number} px
 */
function chooseTicks(ctx, options, room, px) {
  const gap = px * 1.1
  if (options.ticks) return thin(ctx, withTexts(options, options.ticks), options.scale, gap)
  for (let count = Math.max(2, Math.min(11, Math.floor(room / (px * 3)))); count >= 1; count--) {
    const chosen = withTexts(options, options.scale.ticks(count))
    if (thin(ctx, chosen, options.scale, gap).length === chosen.length) return chosen
  }
  return withTexts(options, options.scale.ticks(1)).slice(0, 1)
}

/**
 * Leaves out every text that would touch the one before it.
 * @param {Ctx} ctx
 * @param {{ value: number, text: string }[]} chosen
 * @param {PositionScale | LinearScale} scale
 * @param {number} gap
 */
function thin(ctx, chosen, scale, gap) {
  const place = placeOf(scale)
  let end = -Infinity
  return chosen.filter(({ value, text }) => {
    const half = numberWidth(ctx, text) / 2
    const x = place(value)
    if (x - half < end + gap) return false
    end = x + half
    return true
  })
}

/**
 * The densest round numbers that keep a gap and fit beside the axis; as powers where none does.
 * @param {Ctx} ctx
 * @param {AxisOptions} options
 * @param {number} room
 * @param {number} px
 * @param {number} [width] for the widest of them
 */
function chooseTicksY(ctx, options, room, px, width = Infinity) {
  if (options.ticks) return withTexts(options, options.ticks)
  const most = Math.max(1, Math.floor(room / (px * 1.6)))
  /** @type {number[]} */
  let values = []
  for (let count = Math.min(8, most); count >= 1; count--) {
    const ticks = options.scale.ticks(count)
    if (ticks.length > most) continue
    values = ticks
    const chosen = withTexts(options, values)
    if (chosen.every(({ text }) => numberWidth(ctx, text) <= width)) return chosen
  }
  return withTexts({ format: shortest, ...options }, values)
}

/** @param {number} value */
function shortest(value) {
  return value === 0 ? '0' : Number(value.toPrecision(6)).toExponential().replaceAll('-', '−')
}
