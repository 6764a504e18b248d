// A horizontal arrow that stands off whatever lies under it.

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {{ from: number, to: number, y: number, colour: string, theme: import('./theme.js').Theme }} options
 *   CSS px; nothing is drawn where there is no room for a head
 */
export function drawArrow(ctx, { from, to, y, colour, theme }) {
  const head = 7 * theme.lineWeight
  const way = Math.sign(to - from)
  if (Math.abs(to - from) < head) return
  ctx.lineCap = 'round'
  ctx.lineJoin = 'round'
  for (const [stroke, width] of /** @type {[string, number][]} */ ([
    [theme.panel, 6],
    [colour, 2],
  ])) {
    ctx.strokeStyle = stroke
    ctx.lineWidth = width * theme.lineWeight
    ctx.beginPath()
    ctx.moveTo(from, y)
    ctx.lineTo(to, y)
    ctx.moveTo(to - way * head, y - head * 0.7)
    ctx.lineTo(to, y)
    ctx.lineTo(to - way * head, y + head * 0.7)
    ctx.stroke()
  }
}
