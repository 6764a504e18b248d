/**
 * The seat strip: one seat a position. Plates are written up to T_max; beyond it there are seats
 * without a plate. The cursor sits in it.
 */
import {
  crisp,
  fillNumber,
  numberWidth,
  pixelGrid,
  roundRect,
  setFont,
  wallLine,
} from './core/canvas.js'

/** @import { Ctx, Grid, Rect, Theme } from './core/canvas.js' */
/** @import { PositionScale } from './core/scale.js' */

/**
 * @typedef {object} SeatsOptions
 * @property {Rect} rect     its height should be seatsHeight(theme)
 * @property {PositionScale} scale
 * @property {number} tMax   plates there are
 * @property {number} [trainedRows]  plates that training wrote on; tMax by default
 * @property {number | null} cursor  position
 * @property {Theme} theme
 * @property {boolean} [failed]   the lookup at the cursor failed
 * @property {string} [colour]    hue of the plates; the learned one by default
 * @property {number} [least]     px of a seat that is drawn by itself; narrower ones become a band
 * @property {boolean} [plates]   false: a code that needs none (no wall is drawn)
 * @property {number} [wall]       where the wall stands; tMax by default
 * @property {string} [wallLabel]  `T_max = 50` by default
 * @property {{ x0: number, x1: number }} [bounds]  the badge stays inside; rect by default
 * @property {boolean} [active]   the strip has the focus or is being dragged
 */

const labelHeight = 20
const seatHeight = 18
const badgeHeight = 24

/**
 * @param {Theme} theme
 * @returns {number} CSS px
 */
export function seatsHeight(theme) {
  return (labelHeight + badgeHeight + 2) * theme.typeScale
}

/** @param {Ctx} ctx @param {SeatsOptions} options */
export function drawSeats(ctx, options) {
  const { rect, scale, theme, cursor, plates = true, least = 4 } = options
  const wall = options.wall ?? options.tMax
  const grid = pixelGrid(ctx)
  const middle = rect.y + rect.height - (badgeHeight / 2 + 1) * theme.typeScale
  const height = seatHeight * theme.typeScale
  const row = { y: grid.y(middle - height / 2), height: 0 }
  row.height = grid.y(middle + height / 2) - row.y
  if (scale.band >= least) drawEachSeat(ctx, options, grid, row)
  else drawBand(ctx, options, grid, row)
  if (plates && wall >= scale.start && wall <= scale.end) {
    wallLine(ctx, { x: scale.left(wall), y0: rect.y, y1: rect.y + rect.height, theme })
    wallText(ctx, options, wall, rect.y + (labelHeight * theme.typeScale) / 2)
  }
  if (cursor !== null) drawBadge(ctx, options, grid, cursor, middle)
}

/**
 * @param {SeatsOptions} options
 * @param {number} position
 * @returns {'written' | 'untrained' | 'none'}
 */
function seatState({ tMax, trainedRows = tMax, plates = true }, position) {
  if (!plates || position >= tMax) return 'none'
  return position < trainedRows ? 'written' : 'untrained'
}

/**
 * @param {Ctx} ctx
 * @param {SeatsOptions} options
 * @param {Grid} grid
 * @param {{ y: number, height: number }} row
 */
function drawEachSeat(ctx, options, grid, row) {
  const { scale, theme, colour = theme.learned } = options
  const gap = grid.line(Math.min(3, Math.max(1, scale.band * 0.22)))
  const line = grid.line(theme.lineWeight)
  const radius = Math.min(4, scale.band * 0.3)
  ctx.lineWidth = line
  for (const state of /** @type {const} */ (['written', 'untrained', 'none'])) {
    const inset = state === 'written' ? 0 : line / 2
    ctx.beginPath()
    for (let position = scale.start; position < scale.end; position++) {
      if (seatState(options, position) !== state) continue
      const left = grid.x(scale.left(position) + gap / 2)
      const width = Math.max(grid.pixel, grid.x(scale.right(position) + gap / 2) - gap - left)
      const w = Math.max(grid.pixel, width - 2 * inset)
      roundRect(ctx, left + inset, row.y + inset, w, row.height - 2 * inset, radius)
    }
    if (state === 'written') {
      ctx.fillStyle = colour
      ctx.fill()
    } else if (state === 'untrained') {
      ctx.save()
      ctx.fillStyle = colour
      ctx.globalAlpha *= 0.18
      ctx.fill()
      ctx.restore()
      ctx.strokeStyle = colour
      ctx.stroke()
    } else {
      ctx.save()
      ctx.strokeStyle = theme.muted
      ctx.setLineDash([2 * theme.lineWeight, 2 * theme.lineWeight])
      ctx.globalAlpha *= 0.8
      ctx.stroke()
      ctx.restore()
    }
  }
}

/**
 * Seats too narrow to draw one by one become a band.
 * @param {Ctx} ctx
 * @param {SeatsOptions} options
 * @param {Grid} grid
 * @param {{ y: number, height: number }} row
 */
function drawBand(ctx, options, grid, row) {
  const { scale, theme, tMax, trainedRows = tMax, plates = true, colour = theme.learned } = options
  const line = grid.line(theme.lineWeight)
  /** @param {number} position */
  const edge = (position) =>
    grid.x(scale.left(Math.min(scale.end, Math.max(scale.start, position))))
  const start = edge(scale.start)
  const written = edge(plates ? Math.min(trainedRows, tMax) : scale.start)
  const grown = edge(plates ? tMax : scale.start)
  const end = edge(scale.end)
  ctx.lineWidth = line
  if (written > start) {
    ctx.fillStyle = colour
    ctx.fillRect(start, row.y, written - start, row.height)
  }
  if (grown > written) {
    ctx.save()
    ctx.fillStyle = colour
    ctx.globalAlpha *= 0.18
    ctx.fillRect(written, row.y, grown - written, row.height)
    ctx.restore()
    ctx.strokeStyle = colour
    ctx.strokeRect(written + line / 2, row.y + line / 2, grown - written - line, row.height - line)
  }
  if (end > grown) {
    ctx.save()
    ctx.strokeStyle = theme.muted
    ctx.setLineDash([3, 3])
    ctx.strokeRect(grown + line / 2, row.y + line / 2, end - grown - line, row.height - line)
    ctx.restore()
  }
  for (const position of scale.ticks(20)) {
    if (position === scale.start) continue
    const x = grid.x(scale.left(position))
    ctx.fillStyle = plates && position < Math.min(trainedRows, tMax) ? theme.panel : theme.muted
    ctx.fillRect(x, row.y + row.height * 0.55, line, row.height * 0.45)
  }
}

/** @param {Ctx} ctx @param {SeatsOptions} options @param {number} wall @param {number} y */
function wallText(ctx, options, wall, y) {
  const { rect, scale, theme, wallLabel = `T_max = ${wall}` } = options
  setFont(ctx, theme, { weight: 700 })
  const gap = 6 * theme.lineWeight
  const width = numberWidth(ctx, wallLabel)
  const x = scale.left(wall)
  const right = options.bounds?.x1 ?? rect.x + rect.width
  const flip = x + gap + width > right
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  fillNumber(ctx, wallLabel, flip ? x - gap : x + gap, y, flip ? 'right' : 'left')
}

/**
 * @param {Ctx} ctx
 * @param {SeatsOptions} options
 * @param {Grid} grid
 * @param {number} position
 * @param {number} middle
 */
function drawBadge(ctx, options, grid, position, middle) {
  const { rect, scale, theme, failed = false, active = false } = options
  if (position < scale.start || position >= scale.end) return
  const colour = failed ? theme.failure : theme.ink
  const px = setFont(ctx, theme, { weight: 700 })
  const text = String(Math.round(position))
  const height = Math.min(rect.height, badgeHeight * theme.typeScale)
  const width = Math.max(height, numberWidth(ctx, text) + px * 0.8)
  const low = (options.bounds?.x0 ?? rect.x) + width / 2 + 1
  const high = (options.bounds?.x1 ?? rect.x + rect.width) - width / 2 - 1
  const seat = scale.centre(position)
  const x = Math.max(low, Math.min(high, seat))
  const edge = grid.line(1.5 * theme.lineWeight)
  ctx.fillStyle = theme.panel
  ctx.beginPath()
  roundRect(
    ctx,
    x - width / 2 - edge,
    middle - height / 2 - edge,
    width + 2 * edge,
    height + 2 * edge,
    height,
  )
  ctx.fill()
  ctx.fillStyle = colour
  ctx.beginPath()
  roundRect(ctx, x - width / 2, middle - height / 2, width, height, height / 2)
  ctx.fill()
  if (active) {
    ctx.strokeStyle = colour
    ctx.lineWidth = grid.line(2 * theme.lineWeight)
    ctx.beginPath()
    roundRect(ctx, x - width / 2 - 3, middle - height / 2 - 3, width + 6, height + 6, height)
    ctx.stroke()
  }
  ctx.fillStyle = theme.panel
  ctx.textBaseline = 'middle'
  fillNumber(ctx, text, crisp(x, grid.ratio), middle + px * 0.04, 'center')
}
