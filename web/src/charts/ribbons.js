/** Links between two rows: the same word in two orders of a sentence. */
import { numberWidth, plateText, setFont } from './core/canvas.js'
import { dashPattern } from './core/markers.js'

/** @import { Ctx, Theme } from './core/canvas.js' */
/** @import { Dash } from './core/markers.js' */

/**
 * @typedef {object} Ribbon
 * @property {number} from    x on the upper row
 * @property {number} to      x on the lower row
 * @property {string} colour
 * @property {string} [label] on a plate on the ribbon
 * @property {Dash} [dash]
 * @property {number} [width]  2 by default, before the theme's line weight
 * @property {boolean} [faint]
 */

/**
 * @typedef {object} RibbonsOptions
 * @property {number} y0  lower edge of the upper row
 * @property {number} y1  upper edge of the lower row
 * @property {readonly Ribbon[]} ribbons
 * @property {Theme} theme
 * @property {{ x0: number, x1: number }} [bounds]  labels stay inside
 * @property {number} [labelAt]  where on its ribbon a label stands, 0 to 1, if it is free there
 */

/** @param {Ctx} ctx @param {RibbonsOptions} options */
export function drawRibbons(ctx, options) {
  const { y0, y1, ribbons, theme } = options
  /** @param {Ribbon} ribbon */
  const rank = ({ faint }) => (faint ? 0 : 1)
  const order = [...ribbons].sort((a, b) => rank(a) - rank(b))
  for (const ribbon of order) {
    const width = (ribbon.width ?? 2) * theme.lineWeight
    ctx.save()
    if (ribbon.faint) ctx.globalAlpha *= 0.4
    // The edge of the ground's colour shows which ribbon passes over which.
    strokeRibbon(ctx, ribbon, y0, y1, width + 4, theme.panel, [])
    strokeRibbon(
      ctx,
      ribbon,
      y0,
      y1,
      width,
      ribbon.colour,
      dashPattern(ribbon.dash ?? 'solid', width),
    )
    ctx.restore()
  }
  for (const { ribbon, x, y } of placeLabels(ctx, { ...options, ribbons: order.reverse() })) {
    plateText(ctx, ribbon.label ?? '', x, y, { theme, colour: ribbon.colour, weight: 600 })
  }
}

/**
 * @param {Ctx} ctx
 * @param {Ribbon} ribbon
 * @param {number} y0
 * @param {number} y1
 * @param {number} width
 * @param {string} colour
 * @param {number[]} dash
 */
function strokeRibbon(ctx, { from, to }, y0, y1, width, colour, dash) {
  const middle = (y0 + y1) / 2
  ctx.beginPath()
  ctx.moveTo(from, y0)
  ctx.bezierCurveTo(from, middle, to, middle, to, y1)
  ctx.strokeStyle = colour
  ctx.lineWidth = width
  ctx.setLineDash(dash)
  ctx.stroke()
}

/**
 * Every label on its own ribbon, at the first of a few heights where it touches no other. One that
 * has no such place is left out: half a number is a wrong one.
 * @param {Ctx} ctx
 * @param {RibbonsOptions} options
 */
function placeLabels(ctx, { y0, y1, ribbons, theme, bounds, labelAt }) {
  const px = setFont(ctx, theme, { weight: 600 })
  const height = px * 1.6
  /** @type {{ ribbon: Ribbon, x: number, y: number, half: number }[]} */
  const placed = []
  for (const ribbon of ribbons) {
    if (!ribbon.label) continue
    const half = (numberWidth(ctx, ribbon.label) + px) / 2
    const spots = [labelAt ?? 0.32, 0.56, 0.82].map((t) => {
      const at = ribbonPoint(ribbon, y0, y1, t)
      const low = (bounds?.x0 ?? -Infinity) + half
      const high = (bounds?.x1 ?? Infinity) - half
      return { ribbon, half, x: Math.max(low, Math.min(high, at.x)), y: at.y }
    })
    const free = spots.find((spot) =>
      placed.every(
        (other) =>
          Math.abs(other.x - spot.x) >= other.half + spot.half + 4 ||
          Math.abs(other.y - spot.y) >= height,
      ),
    )
    if (free) placed.push(free)
  }
  return placed
}

/**
 * A point of a ribbon, for labels and for finding the ribbon under a pointer.
 * @param {{ from: number, to: number }} ribbon
 * @param {number} y0
 * @param {number} y1
 * @param {number} t  0 at the upper end, 1 at the lower
 */
export function ribbonPoint({ from, to }, y0, y1, t) {
  const s = 1 - t
  const ends = s * s * s + 3 * s * s * t
  const middle = (y0 + y1) / 2
  return {
    x: from * ends + to * (1 - ends),
    y: s ** 3 * y0 + 3 * s * t * middle + t ** 3 * y1,
  }
}
