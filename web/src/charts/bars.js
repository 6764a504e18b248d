/** One row of a position code: a bar for each dimension, around zero. */
import { fillNumber, hatch, numberWidth, pixelGrid, setFont } from './core/canvas.js'
import { formatTick, positionScale } from './core/scale.js'

/** @import { Ctx, Grid, Rect, Theme } from './core/canvas.js' */
/** @import { PositionScale } from './core/scale.js' */

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
 * @property {boolean} [limits]  write +limit, 0 and -limit; true by default
 * @property {{ data: ArrayLike<number>, colour: string }} [targets]  where each bar ought to end: a short
 *   line across it
 * @property {{ sine: string, cosine: string }} [labels]  a legend of the pair, under the bars
 * @property {(value: number) => string} [format]  of the limits
 * @property {(value: number, dimension: number) => string} [formatValue]  of the dimension at the cursor
 */

/** Cosines: pale with an outline, or where there is no room for one at half strength. */
const pale = 0.3
const faint = 0.5

/** @param {Ctx} ctx @param {BarsOptions} options */
export function drawBars(ctx, options) {
  const { theme, data, limits = true, pairs = true } = options
  const grid = pixelGrid(ctx)
  const plot = barsPlot(ctx, options)
  const line = grid.line(theme.lineWeight)
  const top = grid.y(plot.y)
  const bottom = grid.y(plot.y + plot.height)
  const zero = grid.y(plot.y + plot.height / 2)
  if (limits) drawLimits(ctx, options, plot)
  ctx.fillStyle = theme.rule
  ctx.fillRect(plot.x, top, plot.width, line)
  ctx.fillRect(plot.x, bottom - line, plot.width, line)
  if (!data) {
    hatch(ctx, plot, options.failed ? theme.failure : theme.muted, {
      spacing: 8 * theme.typeScale,
      width: line,
      alpha: options.failed || theme.forced ? 0.8 : 0.38,
    })
  } else if (data.length > 0) {
    const scale = positionScale({ start: 0, end: data.length, x0: plot.x, x1: plot.x + plot.width })
    const size = { zero, reach: (bottom - top) / 2 }
    if (scale.band < grid.pixel) drawColumns(ctx, options, grid, scale, size)
    else drawEachBar(ctx, options, grid, scale, size)
    if (options.cursor != null && options.cursor < data.length) {
      pointOut(ctx, options, grid, plot, scale, options.cursor)
    }
  }
  ctx.fillStyle = theme.muted
  ctx.fillRect(plot.x, zero - (line > grid.pixel ? grid.pixel : 0), plot.width, line)
  if (options.targets) drawTargets(ctx, options, grid, plot, options.targets)
  if (options.labels && pairs) drawLegend(ctx, options, plot, options.labels)
}

/**
 * Where the bars stand: the rect without its margins for numbers and the legend.
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @returns {Rect}
 */
function barsPlot(ctx, options) {
  const { rect, theme, limit, limits = true, cursor, pairs = true, format = formatLimit } = options
  const px = setFont(ctx, theme)
  const left = limits
    ? Math.max(numberWidth(ctx, format(limit)), numberWidth(ctx, format(-limit))) + 8
    : 0
  const above = cursor != null ? px * 1.6 : limits ? px * 0.6 : 0
  const below = options.labels && pairs ? px * 2 : limits ? px * 0.6 : 0
  return {
    x: rect.x + left,
    y: rect.y + above,
    width: Math.max(1, rect.width - left),
    height: Math.max(1, rect.height - above - below),
  }
}

/** @param {number} limit */
function formatLimit(limit) {
  const text = formatTick(limit, Number.isInteger(limit) ? 0 : Math.abs(limit) < 0.1 ? 3 : 2)
  return limit > 0 ? `+${text}` : text
}

/** @param {Ctx} ctx @param {BarsOptions} options @param {Rect} plot */
function drawLimits(ctx, { theme, limit, format = formatLimit }, plot) {
  const px = setFont(ctx, theme)
  const x = plot.x - 8
  ctx.fillStyle = theme.muted
  ctx.textBaseline = 'middle'
  fillNumber(ctx, format(limit), x, plot.y, 'right')
  if (plot.height > px * 2.6) fillNumber(ctx, '0', x, plot.y + plot.height / 2, 'right')
  if (plot.height > px * 1.3) fillNumber(ctx, format(-limit), x, plot.y + plot.height, 'right')
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Grid} grid
 * @param {PositionScale} scale
 * @param {{ zero: number, reach: number }} size  where zero lies, and how far +limit is from it
 */
function drawEachBar(ctx, options, grid, scale, { zero, reach }) {
  const { colour, theme, pairs = true, cursor, limit } = options
  const data = /** @type {ArrayLike<number>} */ (options.data)
  const gap = scale.band > 4 * grid.pixel ? Math.min(6, scale.band * 0.24) : 0
  ctx.save()
  for (let dimension = 0; dimension < data.length; dimension++) {
    const value = data[dimension]
    const left = grid.x(scale.left(dimension) + gap / 2)
    const width = Math.max(grid.pixel, grid.x(scale.right(dimension) - gap / 2) - left)
    if (!Number.isFinite(value)) {
      const area = { x: left, y: zero - reach, width, height: 2 * reach }
      hatch(ctx, area, theme.muted, { spacing: 5, width: grid.line(theme.lineWeight), alpha: 0.6 })
      continue
    }
    const end = grid.y(zero - Math.max(-1, Math.min(1, value / limit)) * reach)
    const bar = { x: left, y: Math.min(zero, end), width, height: Math.abs(end - zero) }
    bar.height = Math.max(grid.pixel, bar.height)
    ctx.fillStyle = dimension === cursor ? theme.ink : colour
    if (pairs && dimension % 2 === 1 && dimension !== cursor) {
      paleBar(ctx, bar, grid.line(theme.lineWeight))
    } else {
      ctx.fillRect(bar.x, bar.y, bar.width, bar.height)
    }
  }
  ctx.restore()
}

/** In the present fill colour. @param {Ctx} ctx @param {Rect} bar @param {number} line */
function paleBar(ctx, { x, y, width, height }, line) {
  ctx.save()
  const alpha = ctx.globalAlpha
  const outlined = width >= 5 * line && height > 2 * line
  ctx.globalAlpha = alpha * (outlined ? pale : faint)
  ctx.fillRect(x, y, width, height)
  if (outlined) {
    ctx.globalAlpha = alpha
    ctx.strokeStyle = ctx.fillStyle
    ctx.lineWidth = line
    ctx.strokeRect(x + line / 2, y + line / 2, width - line, height - line)
  }
  ctx.restore()
}

/**
 * More dimensions than device pixels: each pixel shows the reach of all its bars.
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Grid} grid
 * @param {PositionScale} scale
 * @param {{ zero: number, reach: number }} size  where zero lies, and how far +limit is from it
 */
function drawColumns(ctx, options, grid, scale, { zero, reach }) {
  const { colour, pairs = true, limit } = options
  const data = /** @type {ArrayLike<number>} */ (options.data)
  const first = grid.x(scale.x0)
  const columns = Math.max(1, Math.round((grid.x(scale.x1) - first) * grid.ratio))
  ctx.save()
  ctx.fillStyle = colour
  for (const odd of pairs ? [1, 0] : [-1]) {
    ctx.globalAlpha = odd === 1 ? faint : 1
    for (let column = 0; column < columns; column++) {
      const from = Math.floor((column / columns) * data.length)
      const to = Math.ceil(((column + 1) / columns) * data.length)
      let low = 0
      let high = 0
      for (let dimension = from; dimension < to; dimension++) {
        const t = data[dimension] / limit
        if (!(odd < 0 || dimension % 2 === odd) || t !== t) continue
        low = Math.max(-1, Math.min(low, t))
        high = Math.min(1, Math.max(high, t))
      }
      const top = grid.y(zero - high * reach)
      const height = grid.y(zero - low * reach) - top
      ctx.fillRect(first + column / grid.ratio, top, grid.pixel, height)
    }
  }
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Grid} grid
 * @param {Rect} plot
 * @param {NonNullable<BarsOptions['targets']>} targets
 */
function drawTargets(ctx, { limit, theme }, grid, plot, { data, colour }) {
  const scale = positionScale({ start: 0, end: data.length, x0: plot.x, x1: plot.x + plot.width })
  const middle = plot.y + plot.height / 2
  const line = grid.line(2.5 * theme.lineWeight)
  const edge = grid.line(theme.lineWeight)
  for (let i = 0; i < data.length; i++) {
    const y = grid.y(middle - (data[i] / limit) * (plot.height / 2) - line / 2)
    const left = grid.x(scale.left(i))
    const width = Math.max(grid.pixel, grid.x(scale.right(i)) - left)
    // An edge of the ground's colour, or the line would be lost on its own bar.
    ctx.fillStyle = theme.panel
    if (width > 4) ctx.fillRect(left, y - edge, width, line + 2 * edge)
    ctx.fillStyle = colour
    ctx.fillRect(left, y, width, line)
  }
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Grid} grid
 * @param {Rect} plot
 * @param {PositionScale} scale
 * @param {number} dimension
 */
function pointOut(ctx, options, grid, plot, scale, dimension) {
  const { rect, theme, formatValue } = options
  const data = /** @type {ArrayLike<number>} */ (options.data)
  const px = setFont(ctx, theme, { weight: 700 })
  const value = data[dimension]
  const text = formatValue ? formatValue(value, dimension) : formatTick(value, 4)
  const half = numberWidth(ctx, text) / 2
  const centre = scale.centre(dimension)
  const x = Math.max(rect.x + half, Math.min(rect.x + rect.width - half, centre))
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  fillNumber(ctx, text, x, plot.y - px * 0.9, 'center')
  const line = grid.line(theme.lineWeight)
  ctx.fillRect(grid.x(centre - line / 2), plot.y - px * 0.3, line, px * 0.3)
}

/**
 * @param {Ctx} ctx
 * @param {BarsOptions} options
 * @param {Rect} plot
 * @param {{ sine: string, cosine: string }} labels
 */
function drawLegend(ctx, { theme, colour }, plot, labels) {
  const px = setFont(ctx, theme)
  const y = plot.y + plot.height + px * 1.4
  let x = plot.x
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const line = pixelGrid(ctx).line(theme.lineWeight)
  for (const text of [labels.sine, labels.cosine]) {
    const swatch = { x, y: y - px * 0.4, width: px * 0.8, height: px * 0.8 }
    ctx.fillStyle = colour
    if (text === labels.cosine) paleBar(ctx, swatch, line)
    else ctx.fillRect(swatch.x, swatch.y, swatch.width, swatch.height)
    ctx.fillStyle = theme.muted
    ctx.fillText(text, x + px * 1.2, y)
    x += px * 2.4 + ctx.measureText(text).width
  }
}
