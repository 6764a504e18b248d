/** A number as lamps, the ones on top: what a binary counter shows. Lit is 1. */
import { fillNumber, numberWidth, pixelGrid, setFont } from './core/canvas.js'
import { positionScale } from './core/scale.js'

/**
 * @param {import('./core/canvas.js').Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, value: number, count: number, colour: string,
 *   theme: import('./core/canvas.js').Theme, across?: boolean }} options  `across`: in one line, the ones
 *   at its right end, as the number is written
 */
export function drawBits(ctx, { rect, value, count, colour, theme, across = false }) {
  const px = setFont(ctx, theme)
  const line = pixelGrid(ctx).line(theme.lineWeight)
  const span = across ? rect.width : rect.height
  const start = across ? rect.x : rect.y
  const places = positionScale({ start: 0, end: count, x0: start, x1: start + span })
  const thick = across ? rect.height - px * 1.6 : rect.height
  const radius = Math.max(2, Math.min(places.band / 2 - 2, thick / 2 - 2, 12 * theme.typeScale))
  const widest = numberWidth(ctx, String(2 ** (count - 1)))
  const stride = across
    ? Math.ceil((widest + px * 0.6) / places.band)
    : px > places.band * 1.3
      ? 2
      : 1
  ctx.textBaseline = 'middle'
  for (let bit = 0; bit < count; bit++) {
    const along = places.centre(across ? count - 1 - bit : bit)
    const x = across ? along : rect.x + 12 * theme.typeScale
    const y = across ? rect.y + thick / 2 : along
    const lit = Math.floor(value / 2 ** bit) % 2 === 1
    ctx.beginPath()
    ctx.arc(x, y, radius - line / 2, 0, 2 * Math.PI)
    ctx.fillStyle = lit ? colour : theme.panel
    ctx.fill()
    ctx.strokeStyle = lit ? colour : theme.muted
    ctx.lineWidth = line
    ctx.stroke()
    if (bit % stride !== 0) continue
    setFont(ctx, theme, { weight: lit ? 700 : 400 })
    ctx.fillStyle = lit ? theme.ink : theme.muted
    const text = String(2 ** bit)
    if (across) fillNumber(ctx, text, x, rect.y + rect.height - px * 0.6, 'center')
    else
      fillNumber(
        ctx,
        text,
        rect.x + 12 * theme.typeScale + 12 * theme.typeScale + widest,
        y,
        'right',
      )
  }
}
