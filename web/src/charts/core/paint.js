/**
 * Small drawing primitives shared by the charts. Lengths are CSS px; edges are put on device pixels
 * through the transform of the context, so that every chart agrees on where a position begins.
 */

/** @import { Theme } from './theme.js' */
/** @typedef {CanvasRenderingContext2D} Ctx */
/** @typedef {{ x: number, y: number, width: number, height: number }} Rect */

/**
 * @typedef {object} Grid
 * @property {number} ratio  device pixels in a CSS px
 * @property {number} pixel  one device pixel, CSS px
 * @property {(x: number) => number} x  nearest device pixel edge, CSS px
 * @property {(y: number) => number} y
 * @property {(width: number) => number} line  a line width in whole device pixels, at least one
 */

/**
 * An edge that falls on the middle of a pixel would be rounded one way here and the other way by
 * the sampler that enlarges a heatmap; both lean by this much of a pixel in the same direction.
 */
export const lean = 0.0137

/** @param {Ctx} ctx @returns {Grid} */
export function pixelGrid(ctx) {
  const { a, d, e, f } = ctx.getTransform()
  const ratio = a || 1
  const down = d || 1
  return {
    ratio,
    pixel: 1 / ratio,
    x: (x) => (Math.round(x * ratio + e + lean) - e) / ratio,
    y: (y) => (Math.round(y * down + f + lean) - f) / down,
    line: (width) => Math.max(1, Math.round(width * ratio)) / ratio,
  }
}

/**
 * Where to put the middle of a line so that its edges lie on device pixels.
 * @param {number} x
 * @param {number} ratio
 * @param {number} [width]  line width, CSS px
 */
export function crisp(x, ratio, width = 1) {
  const pixels = Math.max(1, Math.round(width * ratio))
  const half = (pixels % 2) / 2
  return (Math.round(x * ratio - half + lean) + half) / ratio
}

/**
 * Adds a rectangle with round corners to the path.
 * @param {Ctx | Path2D} path
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {number} radius
 */
export function roundRect(path, x, y, width, height, radius) {
  const r = Math.max(0, Math.min(radius, width / 2, height / 2))
  path.moveTo(x + r, y)
  path.arcTo(x + width, y, x + width, y + height, r)
  path.arcTo(x + width, y + height, x, y + height, r)
  path.arcTo(x, y + height, x, y, r)
  path.arcTo(x, y, x + width, y, r)
  path.closePath()
}

/**
 * Diagonal lines over a rectangle. They are anchored to the picture, not to the rectangle, so that
 * neighbouring rectangles join without a seam.
 * @param {Ctx} ctx
 * @param {Rect} rect
 * @param {string} colour
 * @param {{ spacing?: number, width?: number, alpha?: number, offset?: number }} [options]
 */
export function hatch(ctx, rect, colour, options = {}) {
  const { spacing = 8, width = 1, alpha = 1, offset = 0 } = options
  const { x, y } = rect
  const right = x + rect.width
  const bottom = y + rect.height
  if (!(right > x) || !(bottom > y)) return
  ctx.save()
  ctx.beginPath()
  ctx.rect(x, y, rect.width, rect.height)
  ctx.clip()
  ctx.beginPath()
  const first = Math.floor((x + y - offset) / spacing) * spacing + offset
  for (let sum = first; sum <= right + bottom; sum += spacing) {
    ctx.moveTo(sum - y + width, y - width)
    ctx.lineTo(sum - bottom - width, bottom + width)
  }
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  ctx.globalAlpha *= alpha
  ctx.stroke()
  ctx.restore()
}

/**
 * Sets the font of the context.
 * @param {Ctx} ctx
 * @param {Theme} theme
 * @param {{ size?: number, weight?: number, mono?: boolean }} [options]  size before the type scale
 * @returns {number} the size in CSS px
 */
export function setFont(ctx, theme, { size = 12.5, weight = 400, mono = false } = {}) {
  const px = Math.max(12.5, size) * theme.typeScale
  ctx.font = `${weight} ${px}px ${mono ? theme.mono : theme.font}`
  return px
}

/** @type {Map<string, { width: number, even: boolean }>} */
const digitWidths = new Map()

/**
 * The advance that every digit gets. A canvas cannot ask a font for its tabular figures, so where
 * digits differ in width they are placed one by one.
 * @param {Ctx} ctx
 */
function digitCell(ctx) {
  // Asked once: a canvas writes its font out anew every time.
  const { font } = ctx
  const known = digitWidths.get(font)
  if (known) return known
  let width = 0
  let least = Infinity
  for (const digit of '0123456789') {
    const advance = ctx.measureText(digit).width
    width = Math.max(width, advance)
    least = Math.min(least, advance)
  }
  const cell = { width, even: width - least < 0.02 }
  if (digitWidths.size > 64) digitWidths.clear()
  digitWidths.set(font, cell)
  return cell
}

/**
 * Width of a text with tabular figures, in the present font.
 * @param {Ctx} ctx
 * @param {string} text
 */
export function numberWidth(ctx, text) {
  const cell = digitCell(ctx)
  if (cell.even) return ctx.measureText(text).width
  let width = 0
  for (const part of text.split(/(\d)/)) {
    width += part.length === 1 && part >= '0' && part <= '9' ? cell.width : textWidth(ctx, part)
  }
  return width
}

/** @param {Ctx} ctx @param {string} text */
function textWidth(ctx, text) {
  return text === '' ? 0 : ctx.measureText(text).width
}

/**
 * Writes a text with tabular figures. Uses the context's font, fill and textBaseline.
 * @param {Ctx} ctx
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {'left' | 'center' | 'right'} [align]
 */
export function fillNumber(ctx, text, x, y, align = 'left') {
  const cell = digitCell(ctx)
  if (cell.even) {
    ctx.textAlign = align
    ctx.fillText(text, x, y)
    return
  }
  const width = numberWidth(ctx, text)
  let at = align === 'left' ? x : align === 'center' ? x - width / 2 : x - width
  for (const part of text.split(/(\d)/)) {
    if (part.length === 1 && part >= '0' && part <= '9') {
      ctx.textAlign = 'center'
      ctx.fillText(part, at + cell.width / 2, y)
      at += cell.width
    } else if (part !== '') {
      ctx.textAlign = 'left'
      ctx.fillText(part, at, y)
      at += ctx.measureText(part).width
    }
  }
}

/**
 * A text on a small plate of the ground's colour, so that it can be read on a hatch.
 * @param {Ctx} ctx
 * @param {string} text
 * @param {number} x  centre
 * @param {number} y  centre
 * @param {{ theme: Theme, colour?: string, size?: number, weight?: number }} options
 */
export function plateText(ctx, text, x, y, { theme, colour = theme.muted, size = 12.5, weight }) {
  const px = setFont(ctx, theme, { size, weight })
  const width = numberWidth(ctx, text) + px
  const height = px * 1.7
  ctx.fillStyle = theme.panel
  ctx.beginPath()
  roundRect(ctx, x - width / 2, y - height / 2, width, height, 4)
  ctx.fill()
  ctx.fillStyle = colour
  ctx.textBaseline = 'middle'
  fillNumber(ctx, text, x, y, 'center')
}

/**
 * The wall at T_max: an ink line with edges of the ground's colour, so that it stands off a heatmap.
 * @param {Ctx} ctx
 * @param {{ x: number, y0: number, y1: number, theme: Theme, edged?: boolean }} options
 */
export function wallLine(ctx, { x, y0, y1, theme, edged = true }) {
  const grid = pixelGrid(ctx)
  const width = grid.line(2 * theme.lineWeight)
  const edge = grid.line(1)
  const left = grid.x(x - width / 2)
  const top = grid.y(y0)
  const height = grid.y(y1) - top
  if (edged) {
    ctx.fillStyle = theme.panel
    ctx.fillRect(left - edge, top, width + 2 * edge, height)
  }
  ctx.fillStyle = theme.ink
  ctx.fillRect(left, top, width, height)
}

/**
 * A frame around a column, outside it, with an edge of the ground's colour on either side.
 * @param {Ctx} ctx
 * @param {{ x0: number, x1: number, y0: number, y1: number, colour: string, theme: Theme }} options
 */
export function columnFrame(ctx, { x0, x1, y0, y1, colour, theme }) {
  const grid = pixelGrid(ctx)
  const width = grid.line(2 * theme.lineWeight)
  const edge = grid.line(1)
  const left = grid.x(x0)
  const right = Math.max(left + grid.line(2), grid.x(x1))
  const top = grid.y(y0)
  const bottom = grid.y(y1)
  ring(ctx, left, top, right, bottom, width + 2 * edge, theme.panel)
  ring(ctx, left - edge, top - edge, right + edge, bottom + edge, width, colour)
}

/**
 * Fills the border of a box, of a given thickness, outside it.
 * @param {Ctx} ctx
 * @param {number} left
 * @param {number} top
 * @param {number} right
 * @param {number} bottom
 * @param {number} thickness
 * @param {string} colour
 */
function ring(ctx, left, top, right, bottom, thickness, colour) {
  const t = thickness
  ctx.fillStyle = colour
  ctx.fillRect(left - t, top - t, right - left + 2 * t, t)
  ctx.fillRect(left - t, bottom, right - left + 2 * t, t)
  ctx.fillRect(left - t, top, t, bottom - top)
  ctx.fillRect(right, top, t, bottom - top)
}
