/** Dashes and markers: codes must differ by more than their hue. */

/** @import { Ctx, Theme } from './canvas.js' */
/** @typedef {'solid' | 'dashed' | 'dotted' | 'dashdot'} Dash */
/** @typedef {'circle' | 'square' | 'triangle' | 'diamond' | 'cross' | 'ring'} Marker */

/** @type {Record<Dash, number[]>} */
const patterns = { solid: [], dashed: [7, 4], dotted: [1.5, 3.5], dashdot: [8, 3, 1.5, 3] }

/**
 * @param {Dash} dash
 * @param {number} width  of the line
 */
export function dashPattern(dash, width) {
  const factor = Math.max(1, width / 2)
  return patterns[dash].map((length) => length * factor)
}

/**
 * A marker with an edge of the ground's colour, so that it stands off its line.
 * @param {Ctx} ctx
 * @param {Marker} marker
 * @param {number} x
 * @param {number} y
 * @param {{ size?: number, colour: string, theme: Theme, hollow?: boolean }} options  hollow: only
 *   its outline
 */
export function drawMarker(ctx, marker, x, y, { size = 8, colour, theme, hollow = false }) {
  const edge = Math.max(1, 1.5 * theme.lineWeight)
  const r = (size / 2) * theme.lineWeight
  ctx.save()
  ctx.setLineDash([])
  if (marker === 'cross') {
    for (const [stroke, width] of /** @type {[string, number][]} */ ([
      [theme.panel, 2 * theme.lineWeight + 2 * edge],
      [colour, (hollow ? 1 : 2) * theme.lineWeight],
    ])) {
      ctx.beginPath()
      ctx.moveTo(x - r, y - r)
      ctx.lineTo(x + r, y + r)
      ctx.moveTo(x + r, y - r)
      ctx.lineTo(x - r, y + r)
      ctx.strokeStyle = stroke
      ctx.lineWidth = width
      ctx.stroke()
    }
    ctx.restore()
    return
  }
  ctx.beginPath()
  outline(ctx, marker, x, y, r)
  ctx.lineJoin = 'round'
  ctx.strokeStyle = theme.panel
  ctx.lineWidth = 2 * edge
  ctx.stroke()
  if (marker === 'ring' || hollow) {
    ctx.fillStyle = theme.panel
    ctx.fill()
    ctx.strokeStyle = colour
    ctx.lineWidth = (hollow ? 1.25 : 2) * theme.lineWeight
    ctx.stroke()
  } else {
    ctx.fillStyle = colour
    ctx.fill()
  }
  ctx.restore()
}

/** @param {Ctx} ctx @param {Marker} marker @param {number} x @param {number} y @param {number} r */
function outline(ctx, marker, x, y, r) {
  if (marker === 'circle' || marker === 'ring') {
    ctx.arc(x, y, r, 0, 2 * Math.PI)
    return
  }
  // Scaled so that every shape covers about the area of the circle.
  const corners =
    marker === 'square'
      ? [
          [-0.89, -0.89],
          [0.89, -0.89],
          [0.89, 0.89],
          [-0.89, 0.89],
        ]
      : marker === 'diamond'
        ? [
            [0, -1.25],
            [1.25, 0],
            [0, 1.25],
            [-1.25, 0],
          ]
        : [
            [0, -1.3],
            [1.25, 0.9],
            [-1.25, 0.9],
          ]
  corners.forEach(([dx, dy], i) => {
    if (i === 0) ctx.moveTo(x + dx * r, y + dy * r)
    else ctx.lineTo(x + dx * r, y + dy * r)
  })
  ctx.closePath()
}
