/**
 * One row of a position code: a bar for each dimension, around zero.
 */
import { fillNumber, hatch, numberWidth, pixelGrid, setFont } from './canvas.js'
import { formatTick, positionScale } from './scale.js'

/** @typedef {import('./canvas.js').Theme} Theme */
/** @typedef {import('./canvas.js').Ctx} Ctx */
/** @typedef {import('./canvas.js').Rect} Rect */
/** @typedef {import('./canvas.js').Grid} Grid */

/**
 * @typedef {object} BarsOptions
 * @property {Rect} rect
 * @property {ArrayLike<number> | null} data  one value a dimension; null when there is no row
 * @property {number} limit   the value at full height
 * @property {string} colour  identity hue
 * @property {Theme} theme
 * @property {boolean} [pairs]  even dimensions solid, odd ones lighter (sine and cosine)
 * @property {number | null} [cursor]  a dimension to point out, with its value
 * @property {boolean} [failed]  hatch in the failure colour where there is no row
 * @property {boolean} [limits]  write +limit and -limit; true by default
 * @property {{ sine?: string, cosine?: string }} [labels]  a small legend of the pair
 * @property {(value: number) => string} [format]
 */

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 */
export function drawBars(ctx, options) {
  const { theme, data, limit, limits = true } = options
  const grid = pixelGrid(ctx)
  const plot = barsPlot(ctx, options)
  const top = grid.y(plot.y)
  const bottom = grid.y(plot.y + plot.height)
  const line = grid.line(theme.lineWeight)
  const zero = grid.y(plot.y + plot.height / 2)
  if (limits) drawLimits(ctx, options, plot)
  if (!data) {
    hatch(ctx, plot, options.failed ? theme.failure : theme.muted, {
      spacing: 8 * theme.typeScale,
      width: line,
      alpha: options.failed ? 0.7 : 0.38,
    })
  }
  ctx.fillStyle = theme.rule
  ctx.fillRect(plot.x, top, plot.width, line)
  ctx.fillRect(plot.x, bottom - line, plot.width, line)
  ctx.fillStyle = theme.muted
  ctx.fillRect(plot.x, zero - line / 2, plot.width, line)
  if (data && data.length > 0) {
    drawEachBar(ctx, options, grid, plot, { zero, half: (bottom - top) / 2, limit })
    if (options.cursor != null && options.cursor < data.length) {
      pointOut(ctx, options, grid, plot, options.cursor)
    }
  }
}

/**
 * Where the bars stand: the rect without its margin for numbers.
 *
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @returns {Rect}
 */
export function barsPlot(ctx, { rect, theme, limit, limits = true, cursor, format }) {
  const px = setFont(ctx, theme)
  const text = format ? format(-limit) : formatLimit(-limit)
  const left = limits ? numberWidth(ctx, text) + 8 : 0
  const above = cursor == null ? 0 : px * 1.5
  return {
    x: rect.x + left,
    y: rect.y + above,
    width: Math.max(1, rect.width - left),
    height: Math.max(1, rect.height - above),
  }
}

/** @param {number} limit */
function formatLimit(limit) {
  const text = formatTick(limit, Number.isInteger(limit) ? 0 : Math.abs(limit) < 0.1 ? 3 : 2)
  return limit > 0 ? `+${text}` : text
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Rect} plot
 */
function drawLimits(ctx, { theme, limit, format = formatLimit }, plot) {
  const px = setFont(ctx, theme)
  ctx.fillStyle = theme.muted
  ctx.textBaseline = 'middle'
  const room = plot.height > px * 3.6
  fillNumber(ctx, format(limit), plot.x - 6, plot.y + px * 0.5, 'right')
  if (room) fillNumber(ctx, '0', plot.x - 6, plot.y + plot.height / 2, 'right')
  fillNumber(ctx, format(-limit), plot.x - 6, plot.y + plot.height - px * 0.5, 'right')
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Grid} grid
 * @param {Rect} plot
 * @param {{ zero: number, half: number, limit: number }} size
 */
function drawEachBar(ctx, options, grid, plot, { zero, half, limit }) {
  const { colour, theme, pairs = true, cursor } = options
  const data = /** @type {ArrayLike<number>} */ (options.data)
  const scale = positionScale({ start: 0, end: data.length, x0: plot.x, x1: plot.x + plot.width })
  const gap = scale.band > 3 ? Math.min(6, Math.max(grid.pixel, scale.band * 0.24)) : 0
  ctx.save()
  ctx.fillStyle = colour
  for (let dimension = 0; dimension < data.length; dimension++) {
    const value = data[dimension]
    const left = grid.x(scale.left(dimension) + gap / 2)
    const width = Math.max(grid.pixel, grid.x(scale.right(dimension) - gap / 2) - left)
    if (!Number.isFinite(value)) {
      hatch(ctx, { x: left, y: zero - half, width, height: 2 * half }, theme.muted, { spacing: 5 })
      continue
    }
    const t = Math.max(-1, Math.min(1, value / limit))
    const end = grid.y(zero - t * half)
    ctx.globalAlpha = pairs && dimension % 2 === 1 ? 0.45 : 1
    ctx.fillRect(left, Math.min(zero, end), width, Math.max(grid.pixel, Math.abs(end - zero)))
    if (dimension === cursor) {
      ctx.globalAlpha = 1
      ctx.fillStyle = theme.ink
      ctx.fillRect(left, Math.min(zero, end), width, Math.max(grid.pixel, Math.abs(end - zero)))
      ctx.fillStyle = colour
    }
  }
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Grid} grid
 * @param {Rect} plot
 * @param {number} dimension
 */
function pointOut(ctx, options, grid, plot, dimension) {
  const { theme, format } = options
  const data = /** @type {ArrayLike<number>} */ (options.data)
  const px = setFont(ctx, theme, { weight: 700 })
  const value = data[dimension]
  const text = format ? format(value) : formatTick(value, 4)
  const half = numberWidth(ctx, text) / 2
  const centre = plot.x + ((dimension + 0.5) / data.length) * plot.width
  const x = Math.max(plot.x + half, Math.min(plot.x + plot.width - half, centre))
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  fillNumber(ctx, text, x, plot.y - px * 0.75, 'center')
  ctx.fillRect(grid.x(centre), plot.y - 3, grid.line(theme.lineWeight), 3)
}
