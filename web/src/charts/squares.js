/**
 * Square matrices side by side, columns along x, with a name above and the range of their colours below.
 */
import { pixelGrid, setFont } from './core/canvas.js'
import { drawHeatmap } from './heatmap.js'

/** The frame of a row reaches so far out of its square, in px. */
const out = 3

/** @type {WeakMap<ArrayLike<number>, Float64Array>} */
const turned = new WeakMap()

/**
 * A heatmap has its rows along x.
 * @param {ArrayLike<number>} data size x size
 * @param {number} size
 * @param {boolean} lower whether there is nothing above the diagonal
 */
function transposed(data, size, lower) {
  let known = turned.get(data)
  if (!known) {
    known = new Float64Array(size * size)
    for (let i = 0; i < known.length; i++) {
      const [column, row] = [Math.floor(i / size), i % size]
      known[i] = lower && column > row ? NaN : data[row * size + column]
    }
    turned.set(data, known)
  }
  return known
}

/**
 * One row of squares, two where there is no room for one.
 * @param {import('./core/canvas.js').Rect} rect
 * @param {number} count
 * @param {number} px of the type
 * @returns {import('./core/canvas.js').Rect[]}
 */
function squaresIn(rect, count, px) {
  const columns = rect.width > 32 * px ? count : count / 2
  const step = {
    x: (rect.width + px - 2 * out) / columns,
    y: (rect.height * columns) / count,
  }
  const side = Math.max(10, Math.min(step.x - px, step.y - px * 3.2))
  return Array.from({ length: count }, (_, i) => ({
    x: rect.x + out + (i % columns) * step.x,
    y: rect.y + Math.floor(i / columns) * step.y + px * 1.6,
    width: side,
    height: side,
  }))
}

/**
 * @param {{ rect: import('./core/canvas.js').Rect, theme: import('./core/canvas.js').Theme }} plot
 * @param {{ y: number }} point
 * @param {{ count: number, size: number }} squares
 * @returns {number} the row of the nearest square there; may lie outside of it
 */
export function rowUnder({ rect, theme }, point, { count, size }) {
  const distance = (/** @type {{ y: number, height: number }} */ { y, height }) =>
    Math.abs(point.y - y - height / 2)
  const { y, height } = squaresIn(rect, count, 12.5 * theme.typeScale).reduce((best, one) =>
    distance(one) < distance(best) ? one : best,
  )
  return Math.floor(((point.y - y) / height) * size)
}

/**
 * @param {import('./core/canvas.js').Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, theme: import('./core/canvas.js').Theme, size: number,
 *   chosen: number, lower: boolean, squares: readonly { name: string, data: ArrayLike<number>,
 *     limit: number, ends: string, empty?: string }[] }} options
 *   data: size x size, row-major; chosen: the row that is framed; lower: whether there is nothing above
 *   the diagonal; ends: what the colours reach from and to; empty: what the hatched corner means
 */
export function drawSquares(ctx, { rect, theme, size, chosen, lower, squares }) {
  const px = setFont(ctx, theme)
  const grid = pixelGrid(ctx)
  const places = squaresIn(rect, squares.length, px)
  squares.forEach(({ name, data, limit, ends, empty }, i) => {
    const { x, y, width, height } = places[i]
    const cells = { data: transposed(data, size, lower), rows: size, columns: size, limit, theme }
    drawHeatmap(ctx, { rect: places[i], ...cells })
    ctx.strokeStyle = theme.rule
    ctx.lineWidth = grid.line(theme.lineWeight)
    ctx.strokeRect(x, y, width, height)
    const top = y + (chosen * height) / size
    for (const [colour, weight] of /** @type {const} */ ([
      [theme.panel, 4],
      [theme.ink, 1.5],
    ])) {
      ctx.strokeStyle = colour
      ctx.lineWidth = grid.line(weight * theme.lineWeight)
      ctx.strokeRect(x - 1, top - 1, width + 2, height / size + 2)
    }
    setFont(ctx, theme, { weight: 600 })
    ctx.fillStyle = theme.ink
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'left'
    ctx.fillText(name, x, y - px * 0.85, width)
    setFont(ctx, theme)
    ctx.fillStyle = theme.muted
    ctx.fillText(ends, x, y + height + px * 1.1, width)
    if (!empty) return
    const wide = Math.min(ctx.measureText(empty).width + px * 0.6, width * 0.75)
    const left = x + width - wide
    ctx.fillStyle = theme.panel
    ctx.fillRect(left, y, wide, px * 1.5)
    ctx.fillStyle = theme.muted
    ctx.fillText(empty, left + px * 0.3, y + px * 0.75, wide - px * 0.6)
  })
}
