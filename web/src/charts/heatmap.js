/** Positions x dimensions as colours: positions run along x, dimension 0 is on top. */
import { columnFrame, hatch, pixelGrid, plateText, setFont, wallLine } from './core/canvas.js'
import { cellImage } from './cells.js'
import { cssColour, neutralIndex, positionScale } from './core/scale.js'

/** @import { Ctx, Grid, Rect, Theme } from './core/canvas.js' */
/** @import { PositionScale } from './core/scale.js' */
/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * @typedef {object} HeatmapOptions
 * @property {Rect} rect       where the cells go
 * @property {Numbers | null} data  row-major, rows x columns, row = position; null when there is none
 * @property {number} rows
 * @property {number} columns
 * @property {number} [rowStart]  position of the first row; 0 by default
 * @property {PositionScale} [scale]  positions along x; by default those of the data fill the rect
 * @property {number} limit    the value drawn in the end colours
 * @property {Theme} theme
 * @property {number} [version]  change it when the data change in place
 * @property {object} [cache]  an object of the caller's that lives as long as the figure; lets fresh
 *   arrays of the same size reuse one canvas
 * @property {number} [missingFrom]  first position that has no row; by default the end of the data
 * @property {string} [missingLabel]  e.g. "no plate here"
 * @property {number} [untrainedFrom]  first position whose row never had a gradient
 * @property {Uint8Array} [gradientRows]  or one flag a row of the data, 1 = has had a gradient
 * @property {string} [untrainedLabel]
 * @property {{ position: number, colour?: string, failed?: boolean } | null} [cursor]
 *   `failed` draws it in the failure colour; otherwise `colour`, by default ink
 * @property {number} [wall]  T_max: a line at the left edge of this position
 * @property {number | null} [dimension]  a dimension to point out
 */

/** @param {Ctx} ctx @param {HeatmapOptions} options */
export function drawHeatmap(ctx, options) {
  const { rect, theme, columns, rowStart = 0, cursor } = options
  const grid = pixelGrid(ctx)
  const end = rowStart + (options.data ? options.rows : 0)
  const scale =
    options.scale ?? positionScale({ start: rowStart, end, x0: rect.x, x1: rect.x + rect.width })
  const missingFrom = Math.min(end, options.missingFrom ?? end)
  const first = Math.max(scale.start, rowStart)
  const last = Math.min(scale.end, missingFrom)
  const top = grid.y(rect.y)
  const bottom = grid.y(rect.y + rect.height)
  /** @param {number} position */
  const xOf = (position) => grid.x(scale.left(position))

  ctx.save()
  ctx.beginPath()
  const outer = { x: xOf(scale.start), y: top, width: 0, height: bottom - top }
  outer.width = xOf(scale.end) - outer.x
  ctx.rect(outer.x, outer.y, outer.width, outer.height)
  ctx.clip()
  ctx.fillStyle = theme.panel
  ctx.fillRect(outer.x, outer.y, outer.width, outer.height)

  if (options.data && last > first && columns > 0) {
    const cells = cellImage(options, scale, grid, first, last)
    if (cells.gaps) hatchMissing(ctx, options, grid, scale, first, last, outer)
    ctx.save()
    ctx.beginPath()
    ctx.rect(xOf(first), top, xOf(last) - xOf(first), bottom - top)
    ctx.clip()
    ctx.imageSmoothingEnabled = false
    ctx.drawImage(cells.canvas, cells.x, cells.y, cells.width, cells.height)
    ctx.restore()
    for (const [from, to] of untrainedSpans(options, first, last)) {
      const x = xOf(from)
      markUntrained(ctx, options, grid, { x, y: top, width: xOf(to) - x, height: bottom - top })
      label(ctx, options, options.untrainedLabel, scale, from, to)
    }
  }
  if (first > scale.start) {
    hatchMissing(ctx, options, grid, scale, scale.start, Math.min(first, scale.end), outer)
  }
  const gap = Math.max(last, scale.start)
  if (gap < scale.end) {
    hatchMissing(ctx, options, grid, scale, gap, scale.end, outer)
    label(ctx, options, options.missingLabel, scale, gap, scale.end)
  }
  ctx.restore()

  if (options.dimension != null && options.dimension < columns) {
    markDimension(ctx, options, grid, outer, options.dimension)
  }
  if (options.wall !== undefined && options.wall > scale.start && options.wall < scale.end) {
    wallLine(ctx, { x: scale.left(options.wall), y0: rect.y, y1: rect.y + rect.height, theme })
  }
  if (cursor && cursor.position >= scale.start && cursor.position < scale.end) {
    columnFrame(ctx, {
      x0: scale.left(cursor.position),
      x1: scale.right(cursor.position),
      y0: rect.y,
      y1: rect.y + rect.height,
      colour: cursor.failed ? theme.failure : (cursor.colour ?? theme.ink),
      theme,
    })
  }
}

/**
 * @param {Ctx} ctx
 * @param {HeatmapOptions} options
 * @param {Grid} grid
 * @param {PositionScale} scale
 * @param {number} from  positions [from, to)
 * @param {number} to
 * @param {Rect} outer
 */
function hatchMissing(ctx, options, grid, scale, from, to, outer) {
  const { theme, cursor } = options
  const width = grid.line(theme.lineWeight)
  const spacing = 8 * theme.typeScale
  const x = grid.x(scale.left(from))
  const area = { x, y: outer.y, width: grid.x(scale.left(to)) - x, height: outer.height }
  hatch(ctx, area, theme.muted, { spacing, width, alpha: theme.forced ? 1 : 0.38 })
  if (cursor?.failed && cursor.position >= from && cursor.position < to) {
    const left = grid.x(scale.left(cursor.position))
    const column = { ...area, x: left, width: grid.x(scale.right(cursor.position)) - left }
    ctx.fillStyle = theme.panel
    ctx.fillRect(column.x, column.y, column.width, column.height)
    hatch(ctx, column, theme.failure, { spacing: spacing / 2, width })
  }
}

/**
 * A text in the middle of [from, to), or of the longer part of it that the cursor leaves free.
 * @param {Ctx} ctx
 * @param {HeatmapOptions} options
 * @param {string | undefined} text
 * @param {PositionScale} scale
 * @param {number} from
 * @param {number} to
 */
function label(ctx, { theme, rect, cursor }, text, scale, from, to) {
  if (!text) return
  const px = setFont(ctx, theme)
  const needed = ctx.measureText(text).width + 2 * px
  let low = scale.left(from)
  let high = scale.left(to)
  if (cursor && cursor.position > from - 1 && cursor.position < to) {
    const before = scale.left(cursor.position) - 6
    const after = scale.right(cursor.position) + 6
    if (high - after >= before - low) low = after
    else high = before
  }
  if (high - low < needed || rect.height < px * 2) return
  plateText(ctx, text, (low + high) / 2, rect.y + rect.height / 2, { theme })
}

/**
 * @param {HeatmapOptions} options
 * @param {number} first
 * @param {number} last
 * @returns {[number, number][]} runs of positions whose rows never had a gradient
 */
function untrainedSpans({ untrainedFrom, gradientRows, rowStart = 0 }, first, last) {
  /** @type {[number, number][]} */
  const spans = []
  if (gradientRows) {
    let open = -1
    for (let position = first; position <= last; position++) {
      const untrained = position < last && gradientRows[position - rowStart] === 0
      if (untrained && open < 0) open = position
      if (!untrained && open >= 0) {
        spans.push([open, position])
        open = -1
      }
    }
  } else if (untrainedFrom !== undefined && untrainedFrom < last) {
    spans.push([Math.max(first, untrainedFrom), last])
  }
  return spans
}

/** @param {Ctx} ctx @param {HeatmapOptions} options @param {Grid} grid @param {Rect} area */
function markUntrained(ctx, options, grid, area) {
  const { theme } = options
  const spacing = 10 * theme.typeScale
  const width = grid.line(theme.lineWeight)
  // Two tones, so that the hatch is seen on every value colour.
  hatch(ctx, area, theme.panel, { spacing, width: 2.5 * width, alpha: 0.8 })
  hatch(ctx, area, theme.muted, { spacing, width, alpha: 0.6 })
  bracket(ctx, area, 3 * width, theme.panel, grid)
  bracket(ctx, area, width, theme.ink, grid, width)
}

/**
 * A bracket along the top and bottom of a rectangle's inside.
 * @param {Ctx} ctx
 * @param {Rect} area
 * @param {number} width
 * @param {string} colour
 * @param {Grid} grid
 * @param {number} [inset]
 */
function bracket(ctx, area, width, colour, grid, inset = 0) {
  const arm = Math.min(area.height / 4, 10)
  const left = area.x + inset
  const right = area.x + area.width - inset
  ctx.fillStyle = colour
  for (const [y, armY] of [
    [area.y + inset, area.y + inset],
    [area.y + area.height - inset - width, area.y + area.height - inset - arm],
  ]) {
    ctx.fillRect(left, y, right - left, width)
    ctx.fillRect(left, grid.y(armY), width, arm)
    ctx.fillRect(right - width, grid.y(armY), width, arm)
  }
}

/**
 * @param {Ctx} ctx
 * @param {HeatmapOptions} options
 * @param {Grid} grid
 * @param {Rect} outer
 * @param {number} dimension
 */
function markDimension(ctx, options, grid, outer, dimension) {
  const { rect, columns, theme } = options
  const cell = rect.height / columns
  const y0 = grid.y(rect.y + dimension * cell)
  const y1 = Math.max(y0 + grid.line(2), grid.y(rect.y + (dimension + 1) * cell))
  const edge = grid.line(1)
  const width = grid.line(theme.lineWeight)
  ctx.fillStyle = theme.panel
  ctx.fillRect(outer.x, y0 - width - edge, outer.width, width + edge)
  ctx.fillRect(outer.x, y1, outer.width, width + edge)
  ctx.fillStyle = theme.ink
  ctx.fillRect(outer.x, y0 - width, outer.width, width)
  ctx.fillRect(outer.x, y1, outer.width, width)
}

/**
 * The legend of the value colours: a strip from -limit to limit.
 * @param {Ctx} ctx
 * @param {{ rect: Rect, theme: Theme }} options
 */
export function drawValueStrip(ctx, { rect, theme }) {
  const grid = pixelGrid(ctx)
  const x0 = grid.x(rect.x)
  const x1 = grid.x(rect.x + rect.width)
  const y0 = grid.y(rect.y)
  const height = grid.y(rect.y + rect.height) - y0
  const pixels = Math.max(1, Math.round((x1 - x0) * grid.ratio))
  for (let i = 0; i < pixels; i++) {
    const entry = theme.palette[Math.round((i / Math.max(1, pixels - 1)) * 2 * neutralIndex)]
    ctx.fillStyle = cssColour(entry)
    ctx.fillRect(x0 + i / grid.ratio, y0, grid.pixel, height)
  }
  const line = grid.line(theme.lineWeight)
  ctx.fillStyle = theme.rule
  ctx.fillRect(x0, y0, x1 - x0, line)
  ctx.fillRect(x0, y0 + height - line, x1 - x0, line)
  ctx.fillRect(x0, y0, line, height)
  ctx.fillRect(x1 - line, y0, line, height)
}
