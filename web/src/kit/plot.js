// The frame of a figure: gutters, scales and axes from what a figure says of its axes.
import { axisXHeight, axisYWidth, drawAxisX, drawAxisY } from '../charts/core/axis.js'
import { drawLegend } from '../charts/line.js'
import { linear, logarithmic, positionScale } from '../charts/core/scale.js'

/**
 * @typedef {import('./types').Axis} Axis
 * @typedef {import('./types').Plot} Plot
 */

/** Room beside a row of positions, in px at type scale 1: all figures on it begin and end at one x. */
export const GUTTER = Object.freeze({ left: 46, right: 14 })
/** Frames and walls stand this far out of the cells. */
export const OVERHANG = 4

/**
 * A band for each whole position. Its numbers are written where it has a label.
 * @param {number} count
 * @param {string} [label]
 * @param {Partial<Axis>} [more]
 * @returns {Axis}
 */
export function positionAxis(count, label, more) {
  return { kind: 'position', domain: [0, count], label, written: label !== undefined, ...more }
}

/**
 * Any numbers, with faint lines across the plot where it is upright.
 * @param {number} from
 * @param {number} to
 * @param {string} [label]
 * @param {Partial<Axis>} [more]
 * @returns {Axis}
 */
export function linearAxis(from, to, label, more) {
  return { kind: 'linear', domain: [from, to], label, written: true, ...more }
}

/** @type {typeof linearAxis} both ends above zero */
export function logAxis(from, to, label, more) {
  return { ...linearAxis(from, to, label, more), kind: 'log' }
}

/**
 * @param {Axis} axis
 * @param {[number, number]} range
 * @returns {any} a scale of the charts
 */
function scaleOf({ kind, domain }, range) {
  if (kind !== 'position') return (kind === 'log' ? logarithmic : linear)(domain, range)
  return positionScale({ start: domain[0], end: domain[1], x0: range[0], x1: range[1] })
}

/**
 * Lays a figure out and draws its legend and axes.
 * @param {import('../charts/core/canvas.js').Frame} frame
 * @param {{ x?: Axis, y?: Axis, legend?: readonly any[], headroom?: number,
 *   cache: object }} declared
 * @returns {Plot}
 */
export function framePlot(frame, { x, y, legend, headroom = 0, cache }) {
  const { ctx, width, height, theme } = frame
  const em = theme.typeScale
  const head = legend ? drawLegend(ctx, { x: 0, y: 0, width, theme, items: legend }) : 0
  const numbers = y && y.kind !== 'position'
  // Rows of cells and curves on a bare axis reach out by what stands out of them; a strip does not.
  const edge = y || (x && !x.written) ? OVERHANG : 0
  const top = head + headroom * em + (numbers ? Math.max(edge, 8 * em) : edge)
  const below = x?.written ? axisXHeight(theme, x) : edge
  const bottom = Math.max(top + 1, height - below)
  const yScale = y && scaleOf(y, numbers ? [bottom, top] : [top, bottom])
  const upright = { ...y, scale: yScale, theme }
  let left = 0
  if (x?.kind === 'position' && !y?.own) left = GUTTER.left * em
  else if (y) left = axisYWidth(ctx, upright)
  const beside = x ? Math.max(GUTTER.right * em, x.room ?? 0) : 0
  const right = Math.max(left + 1, width - beside)
  const rect = { x: left, y: top, width: right - left, height: bottom - top }
  if (y) drawAxisY(ctx, { ...upright, x: left, grid: numbers ? rect : undefined })
  const xScale = x && scaleOf(x, [left, right])
  if (x?.written) {
    const under = { x: 0, y: bottom, width, height: below }
    drawAxisX(ctx, { ...x, scale: xScale, theme, y: bottom, rect: under })
  }
  return { ...frame, rect, x: xScale, y: yScale, cache }
}

/** Something the charts draw, laid into the plot of a figure. @type {import('./types').MarkOf} */
export const mark = (draw, options) => (plot) =>
  draw(plot.ctx, {
    rect: plot.rect,
    theme: plot.theme,
    scale: plot.x,
    xScale: plot.x,
    yScale: plot.y,
    cache: plot.cache,
    .../** @type {any} */ (options),
  })

/**
 * Where an arrow key leads from a place on an axis.
 * @param {Axis | undefined} axis
 * @param {number | undefined} from
 * @param {number} steps
 */
export function stepped(axis, from, steps) {
  if (from === undefined || steps === 0) return from
  if (!axis) return from + steps
  const [start, end] = axis.domain
  if (axis.kind === 'log') return from * (end / start) ** (steps / 100)
  if (axis.kind === 'linear') return from + steps * (axis.step ?? (end - start) / 100)
  // A step goes no further than what is shown.
  return Math.min(end - 1, Math.max(start, from + steps))
}
