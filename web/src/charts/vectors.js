/** Vectors under each other: a strip of colour for the entries of each, a bar for its length. */
import { fillNumber, hatch, numberWidth, pixelGrid, setFont } from './core/canvas.js'
import { drawHeatmap } from './heatmap.js'

/** The strips' share of the room beside the labels. */
const share = 0.52

/**
 * @param {import('./core/canvas.js').Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, theme: import('./core/canvas.js').Theme,
 *   vectors: readonly { label: string, colour: string, strong?: boolean, data?: Float64Array,
 *     size?: number }[],
 *   limit: number, longest: number, format: (size: number) => string,
 *   labels?: readonly string[] }} options
 *   data: missing where there is no such vector; limit: the value drawn in the end colours; longest:
 *   the size whose bar fills the room; labels: of other figures whose strips stand above or below
 */
export function drawVectors(ctx, { rect, theme, vectors, limit, longest, format, labels = [] }) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme, { size: 14 })
  const texts = [...labels, ...vectors.map(({ label }) => label)]
  const gutter = Math.max(...texts.map((text) => ctx.measureText(text).width)) + px
  const width = Math.max(24, (rect.width - gutter) * share)
  const left = rect.x + gutter + width + px
  const room = Math.max(0, rect.width - left - numberWidth(ctx, format(longest)) - px)
  const line = rect.height / vectors.length
  vectors.forEach(({ label, colour, strong, data, size = 0 }, i) => {
    const y = rect.y + i * line
    const strip = { x: rect.x + gutter, y: grid.y(y + line * 0.16), width, height: line * 0.68 }
    const middle = y + line / 2
    setFont(ctx, theme, { size: 14, weight: strong ? 600 : 400 })
    ctx.fillStyle = theme.ink
    ctx.textAlign = 'left'
    ctx.textBaseline = 'middle'
    ctx.fillText(label, rect.x, middle)
    if (!data) {
      hatch(ctx, strip, theme.failure, { spacing: 8 * theme.typeScale })
      return
    }
    const cells = { data, rows: data.length, columns: 1, limit, theme, cache: data }
    drawHeatmap(ctx, { rect: strip, ...cells })
    ctx.strokeStyle = theme.rule
    ctx.lineWidth = grid.line(theme.lineWeight)
    ctx.strokeRect(strip.x - 0.5, strip.y - 0.5, strip.width + 1, strip.height + 1)
    const reach = Math.max(grid.line(2), (size / longest) * room)
    ctx.fillStyle = colour
    ctx.fillRect(left, grid.y(middle - line * 0.13), reach, line * 0.26)
    ctx.fillStyle = theme.ink
    fillNumber(ctx, format(size), left + reach + px * 0.5, middle)
  })
}
