// What only these figures draw: levels, the way of the offset, the second cursor, the turns.
import { drawArrow } from '../../charts/core/arrow.js'
import { fillNumber, pixelGrid, plateText, roundRect, setFont } from '../../charts/core/canvas.js'
import { drawMarker } from '../../charts/line.js'
import { seatsHeight } from '../../charts/seats.js'
import { drawTurn } from '../../charts/turn.js'

/** @import { Plot } from '../../kit/types' */

/**
 * What the two cursors have an offset further: two marks, each with a level across to the other.
 * @param {Plot} plot
 * @param {{ at: number, value: number | undefined, marker: import('../../charts/line.js').Marker,
 *   text: string }[]} marks
 * @param {string} colour
 */
export function drawLevels({ ctx, theme, rect, x: scale, y: yScale }, marks, colour) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme, { weight: 600 })
  const half = px * 2.6
  const right = rect.x + rect.width
  /** @type {{ at: number, y: number }[]} */
  const placed = []
  const seen = marks.flatMap(({ at, value = NaN, ...one }) =>
    at < scale.end && !Number.isNaN(value)
      ? [{ ...one, x: scale.centre(at), y: yScale(value) }]
      : [],
  )
  ctx.save()
  ctx.strokeStyle = theme.ink
  ctx.lineWidth = grid.line(theme.lineWeight)
  ctx.setLineDash([2, 3])
  for (const { y } of seen) {
    ctx.beginPath()
    ctx.moveTo(rect.x, grid.y(y))
    ctx.lineTo(right, grid.y(y))
    ctx.stroke()
  }
  ctx.restore()
  for (const { x, y, text, marker } of seen) {
    drawMarker(ctx, marker, x, y, { size: 11, colour, theme })
    const at = Math.max(rect.x + half, Math.min(right - half, x + half + 10))
    const taken = placed.some((one) => Math.abs(one.at - at) < 2 * half && one.y < y + px * 2)
    const above = !taken && y - px * 1.5 > rect.y
    placed.push({ at, y })
    const middle = y + (above ? -1.3 : 1.3) * px
    plateText(ctx, text, at, middle, { theme, colour, weight: 600 })
  }
}

/**
 * The way from a cursor to the row that it is compared with.
 * @param {Plot} plot
 * @param {number} from
 * @param {number} step
 * @param {number} y
 */
export function drawStep({ ctx, theme, x: scale }, from, step, y) {
  const x0 = scale.centre(from)
  const x1 = Math.min(scale.x1, scale.centre(Math.min(scale.end, from + step)))
  drawArrow(ctx, { from: x0 + 5, to: x1 - 1, y, colour: theme.ink, theme })
  setFont(ctx, theme)
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  const text = `+${step}`
  const flip = x1 + ctx.measureText(text).width + 8 > scale.x1
  fillNumber(ctx, text, flip ? x0 - 6 : x1 + 6, y, flip ? 'right' : 'left')
}

/**
 * The second cursor is a ring: the first one is in the reader's hand.
 * @param {Plot} plot
 * @param {number} at
 */
export function drawRing({ ctx, theme, x: scale }, at) {
  const em = theme.typeScale
  const middle = seatsHeight(theme) - 13 * em
  const size = 22 * em
  const x = scale.centre(at)
  const text = String(at)
  ctx.font = `600 ${12.5 * em}px ${theme.font}`
  const wide = Math.max(size, ctx.measureText(text).width + 10 * em)
  ctx.fillStyle = theme.panel
  ctx.strokeStyle = theme.ink
  ctx.lineWidth = 2 * theme.lineWeight
  ctx.beginPath()
  roundRect(ctx, x - wide / 2, middle - size / 2, wide, size, size / 2)
  ctx.fill()
  ctx.stroke()
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  fillNumber(ctx, text, x, middle + 0.5, 'center')
}

/** Columns of clocks. */
const MOST = 4

/**
 * The pairs whose turns are drawn: the slow half hardly turns, the fast one is where there is
 * something to see.
 * @param {number} dModel
 */
export function pairsThatTurn(dModel) {
  const count = Math.floor(dModel / 2)
  const shown = Math.min(count, MOST)
  const last = Math.min(count - 1, Math.max(shown - 1, Math.round(count / 2) - 1))
  return Array.from({ length: shown }, (_, i) =>
    shown === 1 ? 0 : Math.round((i * last) / (shown - 1)),
  )
}

/**
 * A row of clocks for each cursor, a column for each pair, its angle on top.
 * @param {Plot} plot
 * @param {{ labels: string[], heads: string[], angles: number[], pairs: number[],
 *   turns: { from: any, to: any }[] }} options angles in radians, of every pair
 */
export function drawTurns({ ctx, width, height, theme }, { labels, heads, angles, pairs, turns }) {
  if (pairs.length === 0) return
  const px = setFont(ctx, theme)
  const left = Math.max(...labels.map((text) => ctx.measureText(text).width)) + 8
  const column = (width - left) / MOST
  const head = px * 1.6
  const line = (height - head) / 2
  const radius = Math.max(4, Math.min(column, line) / 2 - 6 * theme.lineWeight)
  labels.forEach((text, which) => {
    const y = head + (which + 0.5) * line
    setFont(ctx, theme)
    ctx.fillStyle = theme.muted
    ctx.textBaseline = 'middle'
    fillNumber(ctx, text, 0, y)
    const { from, to } = turns[which]
    pairs.forEach((pair, i) => {
      drawTurn(ctx, {
        ...{ x: left + (i + 0.5) * column, y, radius, theme, colour: theme.sinusoidal },
        from: { sine: from.sine[pair], cosine: from.cosine[pair] },
        to: { sine: to.sine[pair], cosine: to.cosine[pair] },
        angle: angles[pair],
      })
    })
  })
  setFont(ctx, theme, { weight: 600 })
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  heads.forEach((text, i) => {
    fillNumber(ctx, text, left + (i + 0.5) * column, px * 0.8, 'center')
  })
}
