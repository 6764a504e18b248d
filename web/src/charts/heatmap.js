/**
 * Positions x dimensions as colours: positions run along x, dimension 0 is on top.
 */
import { areaAverage, binEdges } from './average.js'
import { columnFrame, hatch, lean, pixelGrid, plateText, setFont, wallLine } from './canvas.js'
import { neutralIndex, positionScale, valueIndex } from './scale.js'

/** @typedef {import('./canvas.js').Theme} Theme */
/** @typedef {import('./canvas.js').Ctx} Ctx */
/** @typedef {import('./canvas.js').Rect} Rect */
/** @typedef {import('./canvas.js').Grid} Grid */
/** @typedef {import('./scale.js').PositionScale} PositionScale */
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

/**
 * @param {Ctx} ctx
 * @param {HeatmapOptions} options
 */
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
  const failedAt = cursor?.failed ? cursor.position : -1

  ctx.save()
  ctx.beginPath()
  const outer = { x: grid.x(scale.x0), y: top, width: 0, height: bottom - top }
  outer.width = grid.x(scale.x1) - outer.x
  ctx.rect(outer.x, outer.y, outer.width, outer.height)
  ctx.clip()
  ctx.fillStyle = theme.panel
  ctx.fillRect(outer.x, outer.y, outer.width, outer.height)

  if (options.data && last > first && columns > 0) {
    const cells = cellImage(options, scale, grid, first, last, top, bottom)
    if (cells.gaps) hatchMissing(ctx, options, grid, scale, first, last, outer)
    ctx.imageSmoothingEnabled = false
    ctx.drawImage(cells.canvas, cells.x, cells.y, cells.width, cells.height)
    for (const [from, to] of untrainedSpans(options, first, last)) {
      markUntrained(ctx, options, grid, {
        x: grid.x(scale.left(from)),
        y: top,
        width: grid.x(scale.left(to)) - grid.x(scale.left(from)),
        height: bottom - top,
      })
    }
  }
  if (first > scale.start) {
    hatchMissing(ctx, options, grid, scale, scale.start, Math.min(first, scale.end), outer)
  }
  const gap = Math.max(last, scale.start)
  if (gap < scale.end) {
    hatchMissing(ctx, options, grid, scale, gap, scale.end, outer)
    if (options.missingLabel) labelMissing(ctx, options, scale, gap, failedAt, outer)
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
 * @typedef {object} Cells
 * @property {HTMLCanvasElement | OffscreenCanvas} canvas
 * @property {boolean} gaps   some cells are not numbers and are transparent
 * @property {string} key
 * @property {Numbers} data
 * @property {number} x       where to draw it, CSS px
 * @property {number} y
 * @property {number} width
 * @property {number} height
 */

/** @type {WeakMap<object, Map<string, Cells>>} */
const images = new WeakMap()
const imagesKept = 4

/**
 * The cells as a small picture, one pixel a cell, or one a device pixel in a direction where there
 * are more cells than pixels; with a border of one so that its place need not be on whole pixels.
 *
 * @param {HeatmapOptions} options
 * @param {PositionScale} scale
 * @param {Grid} grid
 * @param {number} first  positions [first, last)
 * @param {number} last
 * @param {number} top     device pixel edges, CSS px
 * @param {number} bottom
 * @returns {Cells}
 */
function cellImage(options, scale, grid, first, last, top, bottom) {
  const { columns, rowStart = 0, limit, theme, version = 0 } = options
  const data = /** @type {Numbers} */ (options.data)
  const along = fit(last - first, scale.left(first), scale.left(last), grid.ratio, grid.x)
  const down = fit(
    columns,
    options.rect.y,
    options.rect.y + options.rect.height,
    grid.ratio,
    grid.y,
  )
  const holder = options.cache ?? data
  const size = `${along.count} ${down.count}`
  const key = `${first} ${last} ${columns} ${rowStart} ${along.phase} ${down.phase} ${limit} ${version}`
  const colours = `${theme.valueLow}${theme.valueMid}${theme.valueHigh}`
  let known = images.get(holder)
  if (!known) images.set(holder, (known = new Map()))
  let cells = known.get(size)
  if (!cells || cells.data !== data || cells.key !== key + colours) {
    const rowEdges = binEdges(
      along.count,
      first - rowStart + along.from,
      along.step,
      first - rowStart,
      last - rowStart,
    )
    const columnEdges = binEdges(down.count, down.from, down.step, 0, columns)
    const means = areaAverage(data, columns, rowEdges, columnEdges)
    const canvas = cells?.canvas ?? newCanvas(along.count + 2, down.count + 2)
    const gaps = paintCells(canvas, means, along.count, down.count, limit, theme.palette)
    cells = { canvas, gaps, key: key + colours, data, x: 0, y: 0, width: 0, height: 0 }
    known.delete(size)
    known.set(size, cells)
    if (known.size > imagesKept) known.delete(known.keys().next().value ?? '')
  }
  cells.x = along.start - along.cell + lean / grid.ratio
  cells.y = down.start - down.cell + lean / grid.ratio
  cells.width = along.cell * (along.count + 2)
  cells.height = down.cell * (down.count + 2)
  return cells
}

/**
 * @param {number} cells  how many cells
 * @param {number} low    their place, CSS px
 * @param {number} high
 * @param {number} ratio
 * @param {(v: number) => number} snap
 */
function fit(cells, low, high, ratio, snap) {
  const start = snap(low)
  const pixels = Math.max(1, Math.round((snap(high) - start) * ratio))
  if (cells <= pixels) {
    return { count: cells, from: 0, step: 1, start: low, cell: (high - low) / cells, phase: 0 }
  }
  // One bin a device pixel; the first bin begins where the first pixel does, before or in cell 0.
  const step = cells / ((high - low) * ratio)
  const from = (start - low) * ratio * step
  return { count: pixels, from, step, start, cell: 1 / ratio, phase: from }
}

/**
 * @param {HTMLCanvasElement | OffscreenCanvas} canvas
 * @param {Float32Array} means  width x height, one column of the picture after the other
 * @param {number} width
 * @param {number} height
 * @param {number} limit
 * @param {Uint32Array} palette
 * @returns {boolean} some were not numbers
 */
function paintCells(canvas, means, width, height, limit, palette) {
  const ctx = /** @type {CanvasRenderingContext2D | null} */ (canvas.getContext('2d'))
  if (!ctx) return false
  const stride = width + 2
  const image = ctx.createImageData(stride, height + 2)
  const pixels = new Uint32Array(image.data.buffer)
  const safeLimit = limit > 0 ? limit : 1
  let gaps = false
  for (let i = 0; i < width; i++) {
    for (let j = 0; j < height; j++) {
      const value = means[i * height + j]
      if (value === value) pixels[(j + 1) * stride + i + 1] = palette[valueIndex(value, safeLimit)]
      else gaps = true
    }
  }
  for (let j = 1; j <= height; j++) {
    pixels[j * stride] = pixels[j * stride + 1]
    pixels[j * stride + stride - 1] = pixels[j * stride + stride - 2]
  }
  pixels.copyWithin(0, stride, 2 * stride)
  pixels.copyWithin((height + 1) * stride, height * stride, (height + 1) * stride)
  ctx.putImageData(image, 0, 0)
  return gaps
}

/**
 * @param {number} width
 * @param {number} height
 * @returns {HTMLCanvasElement | OffscreenCanvas}
 */
function newCanvas(width, height) {
  if (typeof OffscreenCanvas === 'function') return new OffscreenCanvas(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
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
 * @param {Ctx} ctx
 * @param {HeatmapOptions} options
 * @param {PositionScale} scale
 * @param {number} gap  first missing position
 * @param {number} avoid  a position the label must not cover, or -1
 * @param {Rect} outer
 */
function labelMissing(ctx, options, scale, gap, avoid, outer) {
  const { theme, missingLabel = '' } = options
  const px = setFont(ctx, theme)
  const needed = ctx.measureText(missingLabel).width + 2 * px
  let low = scale.left(gap)
  let high = scale.x1
  if (avoid >= gap && avoid < scale.end) {
    const before = scale.left(avoid) - 6
    const after = scale.right(avoid) + 6
    if (high - after >= before - low) low = after
    else high = before
  }
  if (high - low < needed || outer.height < px * 2) return
  plateText(ctx, missingLabel, (low + high) / 2, outer.y + outer.height / 2, { theme })
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

/**
 * @param {Ctx} ctx
 * @param {HeatmapOptions} options
 * @param {Grid} grid
 * @param {Rect} area
 */
function markUntrained(ctx, options, grid, area) {
  const { theme } = options
  const spacing = 8 * theme.typeScale
  const width = grid.line(theme.lineWeight)
  // Two tones, so that the hatch is seen on every value colour.
  hatch(ctx, area, theme.panel, { spacing, width: 3 * width })
  hatch(ctx, area, theme.muted, { spacing, width })
  bracket(ctx, area, 3 * width, theme.panel, grid)
  bracket(ctx, area, width, theme.ink, grid, width)
}

/**
 * A bracket along the top and bottom of a rectangle's inside.
 *
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
 *
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
    ctx.fillStyle = `rgb(${entry & 255} ${(entry >> 8) & 255} ${(entry >> 16) & 255})`
    ctx.fillRect(x0 + i / grid.ratio, y0, grid.pixel, height)
  }
  const line = grid.line(theme.lineWeight)
  ctx.fillStyle = theme.rule
  ctx.fillRect(x0, y0, x1 - x0, line)
  ctx.fillRect(x0, y0 + height - line, x1 - x0, line)
  ctx.fillRect(x0, y0, line, height)
  ctx.fillRect(x1 - line, y0, line, height)
}
