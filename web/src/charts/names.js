/** Names on plates at places of a plot: inside of it, and none upon another. */
import { plateText, setFont } from './core/canvas.js'

/**
 * @param {import('./core/canvas.js').Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, theme: import('./core/canvas.js').Theme,
 *   xScale: (value: number) => number, yScale: (value: number) => number,
 *   names: readonly { text: string, colour: string, x: number, y: number, left?: boolean }[] }} options
 *   left: of the place, as beside a line that rises; otherwise above it
 */
export function drawNames(ctx, { rect, theme, xScale, yScale, names }) {
  const px = setFont(ctx, theme, { size: 14, weight: 600 })
  /** @type {{ middle: number, half: number, y: number }[]} */
  const placed = []
  for (const { text, colour, x, y: value, left } of names) {
    const half = ctx.measureText(text).width / 2 + px
    const centre = xScale(x) - (left ? half : 0)
    const middle = Math.max(rect.x + half, Math.min(rect.x + rect.width - half, centre))
    let y = Math.max(px, yScale(value) - (left ? 1.3 : 1) * px)
    for (const other of placed) {
      const apart = Math.abs(other.middle - middle) >= other.half + half
      if (!apart && Math.abs(other.y - y) < 1.7 * px) y = other.y - 1.7 * px
    }
    placed.push({ middle, half, y })
    plateText(ctx, text, middle, y, { theme, colour, size: 14, weight: 600 })
  }
}
