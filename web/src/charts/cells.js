/**
 * The cells of a heatmap as a small picture, kept until the data, the colours or the sizes change.
 */
import { areaAverage, binEdges } from './core/average.js'
import { lean } from './core/canvas.js'
import { neutralIndex } from './core/scale.js'

/** @import { Grid } from './core/canvas.js' */
/** @import { HeatmapOptions } from './heatmap.js' */
/** @import { PositionScale } from './core/scale.js' */
/** @import { Numbers } from './core/average.js' */

/**
 * @typedef {object} Cells
 * @property {HTMLCanvasElement | OffscreenCanvas} canvas
 * @property {ImageData | undefined} image  its pixels: fresh memory for each frame of a training costs
 *   more than painting it
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
 * @param {HeatmapOptions} options
 * @param {PositionScale} scale
 * @param {Grid} grid
 * @param {number} first  positions [first, last)
 * @param {number} last
 */
export function cellImage(options, scale, grid, first, last) {
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
  const sizes = `${along.count} ${down.count}`
  const key = `${first} ${last} ${columns} ${rowStart} ${along.phase} ${down.phase} ${limit} ${version}`
  const colours = `${theme.valueLow}${theme.valueMid}${theme.valueHigh}`
  let known = images.get(holder)
  if (!known) images.set(holder, (known = new Map()))
  let cells = known.get(sizes)
  if (!cells || cells.data !== data || cells.key !== key + colours) {
    const offset = first - rowStart
    const whole = along.step === 1 && down.step === 1
    const means = whole
      ? data.subarray(offset * columns, (last - rowStart) * columns)
      : areaAverage(
          data,
          columns,
          binEdges(along.count, offset + along.from, along.step, offset, last - rowStart),
          binEdges(down.count, down.from, down.step, 0, columns),
        )
    const canvas = cells?.canvas ?? newCanvas(along.count + 2, down.count + 2)
    const size = { width: along.count, height: down.count }
    const painted = paintCells(canvas, cells?.image, means, size, limit, theme.palette)
    cells = { canvas, ...painted, key: key + colours, data, x: 0, y: 0, width: 0, height: 0 }
    known.delete(sizes)
    known.set(sizes, cells)
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
 * @param {ImageData | undefined} used  of the same canvas
 * @param {Numbers} means  width x height, one column of the picture after the other
 * @param {{ width: number, height: number }} size
 * @param {number} limit
 * @param {Uint32Array} palette
 * @returns {{ image: ImageData | undefined, gaps: boolean }} gaps: some were not numbers
 */
function paintCells(canvas, used, means, { width, height }, limit, palette) {
  const ctx = /** @type {CanvasRenderingContext2D | null} */ (canvas.getContext('2d'))
  if (!ctx) return { image: undefined, gaps: false }
  const stride = width + 2
  const image = used ?? ctx.createImageData(stride, height + 2)
  const pixels = new Uint32Array(image.data.buffer)
  const scale = neutralIndex / (limit > 0 ? limit : 1)
  let gaps = false
  for (let i = 0; i < width; i++) {
    let at = stride + i + 1
    for (let j = 0; j < height; j++, at += stride) {
      const value = means[i * height + j]
      if (value - value !== 0) {
        gaps = true
        pixels[at] = 0
        continue
      }
      // As valueIndex, without its calls: this runs for every cell of every training step.
      const steps = value * scale
      if (steps >= neutralIndex) pixels[at] = palette[2 * neutralIndex]
      else if (steps <= -neutralIndex) pixels[at] = palette[0]
      else pixels[at] = palette[neutralIndex + ((steps < 0 ? steps - 0.5 : steps + 0.5) | 0)]
    }
  }
  for (let j = 1; j <= height; j++) {
    pixels[j * stride] = pixels[j * stride + 1]
    pixels[j * stride + stride - 1] = pixels[j * stride + stride - 2]
  }
  pixels.copyWithin(0, stride, 2 * stride)
  pixels.copyWithin((height + 1) * stride, height * stride, (height + 1) * stride)
  ctx.putImageData(image, 0, 0)
  return { image, gaps }
}

/** @param {number} width @param {number} height */
function newCanvas(width, height) {
  if (typeof OffscreenCanvas === 'function') return new OffscreenCanvas(width, height)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas
}
