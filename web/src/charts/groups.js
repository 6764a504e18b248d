/** Groups of bars from zero, each bar with its number on top: few numbers to compare. */
import { fillNumber, pixelGrid, setFont } from './core/canvas.js'

/**
 * @param {import('./core/canvas.js').Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, most: number, theme: import('./core/canvas.js').Theme,
 *   colours: readonly string[], format: (value: number) => string, chosen?: number,
 *   groups: readonly { label: string, values: readonly number[] }[] }} options
 *   most: the value that fills the height; every bar but the first of a group is solid
 */
export function drawGroups(ctx, { rect, most, theme, colours, format, chosen, groups }) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme)
  const bottom = rect.y + rect.height - px * 1.7
  const room = bottom - rect.y - px * 1.5
  const step = rect.width / groups.length
  groups.forEach(({ label, values }, g) => {
    const width = Math.min(px * 3, (step * 0.84) / values.length)
    const left = rect.x + (g + 0.5) * step - (width * values.length) / 2
    values.forEach((value, i) => {
      const height = Math.max(grid.line(1), (value / most) * room)
      const x = grid.x(left + i * width)
      ctx.fillStyle = ctx.strokeStyle = colours[i]
      ctx.lineWidth = grid.line(1.5 * theme.lineWeight)
      const bar = [x + 1, grid.y(bottom - height), width - 2, height]
      if (i === 0) ctx.strokeRect(bar[0] + 0.5, bar[1] + 0.5, bar[2] - 1, bar[3] - 0.5)
      else ctx.fillRect(bar[0], bar[1], bar[2], bar[3])
      setFont(ctx, theme, { weight: 600 })
      ctx.textBaseline = 'middle'
      fillNumber(ctx, format(value), x + width / 2, bottom - height - px * 0.75, 'center')
    })
    setFont(ctx, theme, { weight: g === chosen ? 700 : 400 })
    ctx.fillStyle = g === chosen ? theme.ink : theme.muted
    fillNumber(ctx, label, rect.x + (g + 0.5) * step, bottom + px * 0.95, 'center')
  })
  ctx.fillStyle = theme.rule
  ctx.fillRect(rect.x, grid.y(bottom), rect.width, grid.line(theme.lineWeight))
}
