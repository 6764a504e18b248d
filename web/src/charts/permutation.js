/**
 * A reordering: two rows of numbered cells and a thread from each entry to its new place. Cells of one
 * pair are joined by a bar.
 */
import { fillNumber, numberWidth, pixelGrid, roundRect, setFont } from './core/canvas.js'

/** @import { Ctx } from './core/canvas.js' */

/**
 * @param {Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, pairs: readonly (readonly [number, number])[][],
 *   chosen: number, labels: readonly string[], colour: string,
 *   theme: import('./core/canvas.js').Theme }} options
 *   pairs: of either row, entry j of both is the same pair; chosen: the row that is in use; labels:
 *   beside the rows, above and below them where that leaves too little room; where even then a number
 *   has no room in its cell, there are no cells and every so many entries are numbered
 */
export function drawPermutation(ctx, { rect, pairs, chosen, labels, colour, theme }) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme, { weight: 700 })
  const beside = Math.max(...labels.map((text) => numberWidth(ctx, text))) + px * 0.7
  const count = 2 * pairs[0].length
  const apart = (rect.width - beside) / count < px * 1.8
  const left = rect.x + (apart ? 0 : beside)
  const step = (rect.x + rect.width - left) / count
  setFont(ctx, theme)
  const wide = numberWidth(ctx, String(count - 1)) + px * 0.3
  const boxed = wide < step - 3
  const stride = 2 ** Math.ceil(Math.log2(wide / step))
  const size = boxed ? Math.min(step - 3, px * 1.9) : px
  const edge = px * (apart ? 2.8 : 1.5)
  const rows = [rect.y + edge, rect.y + rect.height - edge - size]
  const middle = (/** @type {number} */ cell) => left + (cell + 0.5) * step
  pairs[0].forEach((pair, j) => {
    const tone = 1 - (0.72 * j) / Math.max(1, pairs[0].length - 1)
    ctx.save()
    ctx.strokeStyle = colour
    ctx.globalAlpha *= Math.max(0.4, tone)
    ctx.lineWidth = grid.line(2 * theme.lineWeight)
    ctx.beginPath()
    pair.forEach((from, side) => {
      const to = pairs[1][j][side]
      const [y0, y1] = [rows[0] + size + 2, rows[1] - 2]
      ctx.moveTo(middle(from), y0)
      const bend = (y0 + y1) / 2
      ctx.bezierCurveTo(middle(from), bend, middle(to), bend, middle(to), y1)
    })
    ctx.stroke()
    ctx.restore()
    // The bars that join a pair: those of the lower row reach over one another.
    pairs.forEach((row, which) => {
      const [one, other] = row[j]
      const far = other - one > 1
      const depth = px * (far ? 0.3 + (0.9 * (j + 1)) / pairs[0].length : 0.5)
      const y = which === 0 ? rows[0] - depth : rows[1] + size + depth
      const start = which === 0 ? rows[0] - 2 : rows[1] + size + 2
      ctx.strokeStyle = theme.muted
      ctx.lineWidth = grid.line(theme.lineWeight)
      ctx.beginPath()
      ctx.moveTo(middle(one), start)
      ctx.lineTo(middle(one), y)
      ctx.lineTo(middle(other), y)
      ctx.lineTo(middle(other), start)
      ctx.stroke()
    })
  })
  pairs.forEach((row, which) => {
    const y = rows[which]
    const tone = which === chosen ? theme.ink : theme.muted
    setFont(ctx, theme, { weight: which === chosen ? 700 : 400 })
    ctx.fillStyle = tone
    ctx.textBaseline = 'middle'
    const away = apart ? (which ? 1 : -1) * (size / 2 + px * 2.1) : 0
    fillNumber(ctx, labels[which], rect.x, y + size / 2 + away)
    setFont(ctx, theme)
    ctx.strokeStyle = tone
    ctx.lineWidth = grid.line(theme.lineWeight)
    row.forEach((pair, j) =>
      pair.forEach((cell, side) => {
        const box = boxed ? size : cell % stride === stride / 2 ? px * 0.3 : 0
        ctx.beginPath()
        roundRect(ctx, middle(cell) - box / 2, y + (size - box) / 2, box, box, 4)
        ctx.stroke()
        // The number is the entry's place in the upper row: what moved keeps its name.
        if (boxed || cell % stride === 0)
          fillNumber(ctx, String(pairs[0][j][side]), middle(cell), y + size / 2, 'center')
      }),
    )
  })
}
