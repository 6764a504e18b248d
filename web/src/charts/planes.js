/**
 * Two vectors as arrows in the planes of their pairs. As in phasor.js the first arrow's zero is up and
 * turning is clockwise.
 */
import { fillNumber, numberWidth, setFont } from './core/canvas.js'

/** @import { Ctx, Theme } from './core/canvas.js' */
/** @typedef {{ x: number, y: number }} Point  x to the right, y upwards */

/**
 * @typedef {object} Plane
 * @property {Point[]} arrows  the first is solid and coloured, the second dashed and in ink
 * @property {Point[]} ghosts  where they were before turning
 * @property {number[]} turns  of them, in radians, clockwise
 * @property {[string, string]} axes  names of the axes: to the right, upwards
 * @property {string} head  above the circle
 * @property {string} foot  below it
 */

/**
 * @param {Ctx} ctx
 * @param {{ rect: import('./core/canvas.js').Rect, planes: readonly Plane[],
 *   colour: string, names: readonly string[], theme: Theme }} options
 *   names: of the arrows
 */
export function drawPlanes(ctx, { rect, planes, colour, names, theme }) {
  const px = setFont(ctx, theme)
  const colours = [colour, theme.ink]
  const wide = Math.max(...planes.map(({ head }) => numberWidth(ctx, head)))
  const { columns, radius } = arrange(rect, planes.length, px, wide)
  const rows = Math.ceil(planes.length / columns)
  planes.forEach((plane, i) => {
    const x = rect.x + (((i % columns) + 0.5) * rect.width) / columns
    const y = rect.y + ((Math.floor(i / columns) + 0.5) * rect.height) / rows - px * 0.85
    // The longer of the two reaches the circle: short arrows would hide how they turn.
    const limit = Math.max(1e-9, ...plane.arrows.map((arrow) => Math.hypot(arrow.x, arrow.y)))
    const [q, k] = plane.arrows
    const left = q.x * k.y - q.y * k.x <= 0 ? -1 : 1
    const tip = (/** @type {Point} */ point) => ({
      x: x + (point.x / limit) * radius,
      y: y - (point.y / limit) * radius,
    })
    ctx.strokeStyle = theme.rule
    ctx.lineWidth = theme.lineWeight
    ctx.beginPath()
    ctx.arc(x, y, radius, 0, 2 * Math.PI)
    ctx.moveTo(x - radius, y)
    ctx.lineTo(x + radius, y)
    ctx.moveTo(x, y - radius)
    ctx.lineTo(x, y + radius)
    ctx.stroke()
    plane.ghosts.forEach((ghost, which) => {
      sweep(ctx, { x, y }, tip(ghost), plane.turns[which], colours[which])
    })
    plane.arrows.forEach((arrow, which) => {
      drawVector(ctx, { x, y }, tip(arrow), {
        colour: colours[which],
        theme,
        dashed: which === 1,
        name: names[which],
        side: which === 0 ? left : -left,
      })
    })
    setFont(ctx, theme)
    ctx.textBaseline = 'middle'
    ctx.fillStyle = theme.muted
    fillNumber(ctx, plane.axes[0], x + radius + px * 0.3, y)
    fillNumber(ctx, plane.axes[1], x, y - radius - px * 0.6, 'center')
    fillNumber(ctx, plane.head, x, y + radius + px * 0.9, 'center')
    setFont(ctx, theme, { weight: 600 })
    ctx.fillStyle = theme.ink
    fillNumber(ctx, plane.foot, x, y + radius + px * 2.2, 'center')
  })
}

/**
 * The columns that make the circles largest, with room for words above and below.
 * @param {import('./core/canvas.js').Rect} rect @param {number} count @param {number} px
 * @param {number} wide of the words
 */
function arrange({ width, height }, count, px, wide) {
  let best = { columns: 1, radius: 6 }
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns)
    const radius = Math.min(width / columns - 3 * px, height / rows - 4.8 * px) / 2
    if (radius > best.radius && wide + px < width / columns) best = { columns, radius }
  }
  return best
}

/**
 * The pale way from where an arrow was, without its whole turns.
 * @param {Ctx} ctx @param {Point} centre @param {Point} from @param {number} turn @param {string} colour
 */
function sweep(ctx, centre, from, turn, colour) {
  const start = Math.atan2(from.y - centre.y, from.x - centre.x)
  const length = Math.hypot(from.x - centre.x, from.y - centre.y)
  ctx.save()
  ctx.strokeStyle = colour
  ctx.globalAlpha *= 0.35
  ctx.lineWidth = 1.5
  ctx.beginPath()
  ctx.moveTo(centre.x, centre.y)
  ctx.lineTo(from.x, from.y)
  ctx.arc(centre.x, centre.y, length, start, start + (turn % (2 * Math.PI)))
  ctx.stroke()
  ctx.restore()
}

/**
 * @param {Ctx} ctx
 * @param {Point} from
 * @param {Point} to
 * @param {{ colour: string, theme: Theme, dashed: boolean, name: string, side: number }} look
 *   side: 1 where the name stands to the right of the arrow, looking along it; -1 to the left
 */
function drawVector(ctx, from, to, { colour, theme, dashed, name, side }) {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const angle = Math.atan2(to.y - from.y, to.x - from.x)
  const line = 2.5 * theme.lineWeight
  const head = Math.min(9 * theme.lineWeight, length)
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = colour
  ctx.lineWidth = line
  ctx.translate(from.x, from.y)
  ctx.rotate(angle)
  ctx.setLineDash(dashed ? [2 * line, 1.4 * line] : [])
  ctx.beginPath()
  ctx.moveTo(0, 0)
  ctx.lineTo(Math.max(0, length - head), 0)
  ctx.stroke()
  ctx.beginPath()
  ctx.moveTo(length, 0)
  ctx.lineTo(length - head, head * 0.5)
  ctx.lineTo(length - head, -head * 0.5)
  ctx.fill()
  ctx.restore()
  const px = setFont(ctx, theme, { weight: 700 })
  ctx.fillStyle = colour
  ctx.textBaseline = 'middle'
  const out = length < px ? length + px : length * 0.62
  const aside = length < px ? 0 : px * 0.75 * side
  const x = from.x + Math.cos(angle) * out - Math.sin(angle) * aside
  const y = from.y + Math.sin(angle) * out + Math.cos(angle) * aside
  fillNumber(ctx, name, x, y, 'center')
}
