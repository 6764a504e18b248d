// The length curve: accuracy at every length, the training range shaded, a line a code.
import { axisXHeight, drawAxisX, drawAxisY } from '../../charts/core/axis.js'
import { numberWidth, pixelGrid, setFont } from '../../charts/core/canvas.js'
import { drawLegend, drawLines, drawMarker, shadeRange } from '../../charts/line.js'
import { linear, positionScale } from '../../charts/core/scale.js'
import { createFigure } from '../../kit/figure.js'
import { LOOK, curveMatrix, curveTable, curveWords, endLabel, percent } from '../words.js'

/**
 * @typedef {import('../scene.js').LengthModel} LengthModel
 * @typedef {import('../run/lines.js').Line} Line
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../charts/core/canvas.js').Rect} Rect
 * @typedef {import('../../charts/core/scale.js').PositionScale} PositionScale
 */

/** Room for the numbers of the axis, in px at type scale 1: the slider below keeps to it, too. */
const GUTTER_LEFT = 46
const GUTTER_RIGHT = 14
/** Narrower pictures, in the same px, name the lines above and not at their ends. */
const WIDE = 560

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {(length: number | undefined) => void} onCursor a length is looked at
 */
export function createCurves(host, onCursor) {
  const { el, t } = host
  /** @type {LengthModel | undefined} */
  let model
  /** None yet: the first drawing places the slider. */
  let labelRoom = -1

  const figure = createFigure(host, {
    className: 'length-curves',
    draw: (frame) => model && draw(frame, model),
    onPointer(event, point, dragging) {
      if (!model) return
      if (event.type === 'pointerleave' || (event.pointerType === 'touch' && !dragging)) return
      onCursor(scaleOf(figure.picture.clientWidth, typeScale(), model).invert(point.x))
    },
    table: (whole) => curveTable(t, model, whole),
    matrix: () => model && curveMatrix(model),
  })
  const slider = el('input', {
    type: 'range',
    min: '1',
    step: '1',
    'aria-label': t('length.cursor'),
    oninput: () => onCursor(Number(slider.value)),
  })
  const row = el('div', { class: 'length-cursor' }, slider)

  function typeScale() {
    return parseFloat(getComputedStyle(figure.picture).getPropertyValue('--type-scale')) || 1
  }

  /**
   * @param {number} width
   * @param {number} type scale of it
   * @param {LengthModel} now
   */
  function scaleOf(width, type, { last }) {
    const x0 = GUTTER_LEFT * type
    const x1 = Math.max(x0 + 1, width - Math.max(labelRoom, GUTTER_RIGHT * type))
    return positionScale({ start: 1, end: last + 1, x0, x1 })
  }

  /** @param {Frame} frame @param {LengthModel} now */
  function draw({ ctx, width, height, theme }, now) {
    const { lines, length, last, cursor } = now
    const type = theme.typeScale
    const px = setFont(ctx, theme)
    const wide = width >= WIDE * type
    const labels = new Map(lines.map((line) => [line, wide ? endLabel(t, line) : '']))
    const room = wide
      ? 20 + Math.max(0, ...[...labels.values()].map((label) => numberWidth(ctx, label)))
      : 0
    if (room !== labelRoom) {
      labelRoom = room
      placeSlider(type)
    }
    const items = lines.map((line) => ({
      label: t(`mode.${line.code}`),
      colour: theme[line.code],
      hollow: !line.trained,
      ...LOOK[line.code],
    }))
    const legend = wide || items.length === 0 ? 0 : 4
    const named = legend && drawLegend(ctx, { x: 0, y: 0, width, theme, items }) + legend
    // Where the words of the wall do not fit beside the others they have a row of their own.
    const wallRow = !wide && lines.some(({ wall }) => wall > 0) ? px * 1.4 : 0
    const top = named + px * 1.7 + wallRow
    const label = t('length.axis')
    const axis = axisXHeight(theme, { label })
    const scale = scaleOf(width, type, now)
    const rect = {
      x: scale.x0,
      y: top,
      width: scale.x1 - scale.x0,
      height: Math.max(1, height - axis - top),
    }
    const bottom = rect.y + rect.height
    const yScale = linear([0, 1], [bottom, rect.y + 6])
    drawGround({ ctx, theme }, now, scale, rect, yScale, wallRow)
    const inFront = [...lines].sort((a, b) => rank(a, now) - rank(b, now))
    drawLines(ctx, {
      rect,
      xScale: scale,
      yScale,
      theme,
      zero: 0,
      cursor: cursor ?? null,
      labelRoom: wide ? room : undefined,
      series: inFront.flatMap((line) => {
        const part = finitePart(line)
        if (part.y.length === 0) return []
        const focus = line.code === now.state.mode
        const colour = theme[line.code]
        const shown = {
          ...part,
          ...LOOK[line.code],
          colour,
          width: focus ? 3.5 : 2,
          phase: lines.indexOf(line) / lines.length,
          hollow: !line.trained,
          band: line.seeds.length > 1 ? part.band : undefined,
          label: labels.get(line),
          labelAt: line.far,
        }
        if (!line.before) return shown
        // As it was trained, for comparison.
        const { x, y } = finitePart(line.before)
        return [{ x, y, colour, dash: LOOK[line.code].dash, faint: true }, shown]
      }),
    })
    drawWall({ ctx, theme }, now, scale, rect, yScale)
    const multiples = Array.from({ length: last / length }, (_, i) => (i + 1) * length)
    drawAxisX(ctx, {
      scale,
      theme,
      y: bottom,
      label,
      ticks: length > 2 ? [1, ...multiples] : multiples,
      line: true,
      rect: { x: 0, y: bottom, width, height: axis },
    })
  }

  /**
   * What stands behind the lines: the training range, the axis, chance.
   * @param {Pick<Frame, 'ctx' | 'theme'>} frame
   * @param {LengthModel} now
   * @param {PositionScale} scale
   * @param {Rect} rect
   * @param {import('../../charts/core/scale.js').LinearScale} yScale
   * @param {number} wallRow px above it for the words of the wall; 0: beside the other ones
   */
  function drawGround({ ctx, theme }, { lines, length, chance }, scale, rect, yScale, wallRow) {
    const px = setFont(ctx, theme)
    const edge = scale.right(length)
    shadeRange(ctx, { rect, from: scale.left(1), to: edge, colour: theme.ink, alpha: 0.07 })
    drawAxisY(ctx, {
      scale: yScale,
      theme,
      x: rect.x,
      ticks: [0, 0.25, 0.5, 0.75, 1],
      format: (value) => percent(t, value),
      grid: rect,
    })
    setFont(ctx, theme, { weight: 600 })
    ctx.fillStyle = theme.ink
    ctx.textBaseline = 'middle'
    ctx.textAlign = 'left'
    const y = rect.y - px * 0.8
    const first = y - wallRow
    const trained = t('length.trained', { length })
    ctx.fillText(trained, rect.x, first)
    const end = wallRow ? rect.x : rect.x + ctx.measureText(trained).width + px
    const wall = lines.find((line) => line.wall > 0)
    setFont(ctx, theme, { weight: wall ? 600 : 400 })
    ctx.fillStyle = wall ? theme.failure : theme.muted
    const beyond = wall
      ? [t('length.wall', { wall: wall.wall }), t('length.wall.short', { wall: wall.wall })]
      : [t('length.beyond')]
    const x = Math.max(end, (wall ? scale.left(wall.wall) : edge) + px / 3)
    const fits = beyond.find((text) => x + ctx.measureText(text).width < rect.x + rect.width)
    if (fits) ctx.fillText(fits, x, y)
    if (Number.isNaN(chance)) return
    setFont(ctx, theme)
    const level = yScale(chance)
    ctx.save()
    ctx.strokeStyle = theme.muted
    ctx.globalAlpha *= 0.7
    ctx.lineWidth = pixelGrid(ctx).line(theme.lineWeight)
    ctx.setLineDash([2, 5])
    ctx.beginPath()
    ctx.moveTo(rect.x, level)
    ctx.lineTo(rect.x + rect.width, level)
    ctx.stroke()
    ctx.restore()
    ctx.fillStyle = theme.muted
    ctx.textBaseline = 'top'
    ctx.fillText(t('length.chance'), rect.x + 4, level + 2)
  }

  /**
   * Over the lines: past it the table has no row, and its line ends there.
   * @param {Pick<Frame, 'ctx' | 'theme'>} frame
   * @param {LengthModel} now
   * @param {PositionScale} scale
   * @param {Rect} rect
   * @param {import('../../charts/core/scale.js').LinearScale} yScale
   */
  function drawWall({ ctx, theme }, { lines }, scale, rect, yScale) {
    for (const line of lines) {
      if (line.wall === 0) continue
      const grid = pixelGrid(ctx)
      const width = grid.line(3 * theme.lineWeight)
      const x = grid.x(scale.left(line.wall) - width / 2)
      ctx.fillStyle = theme.failure
      ctx.fillRect(x, rect.y - 4, width, rect.height + 4)
      const end = line.mean[line.wall - 2]
      if (!Number.isFinite(end)) continue
      const size = 11
      drawMarker(ctx, 'cross', x + width / 2, yScale(end), { size, colour: theme.failure, theme })
    }
  }

  /** @param {number} type scale of it */
  function placeSlider(type) {
    row.style.paddingInlineEnd = `${Math.max(labelRoom, GUTTER_RIGHT * type)}px`
  }

  return {
    figure,
    slider: row,
    /** @param {LengthModel} now */
    draw(now) {
      model = now
      figure.say(curveWords(t, now))
      slider.max = String(now.last)
      slider.value = String(now.cursor ?? now.length)
      slider.setAttribute(
        'aria-valuetext',
        t('length.cursor.value', { length: now.cursor ?? now.length }),
      )
      figure.invalidate()
    },
    invalidate: figure.invalidate,
    destroy: figure.destroy,
  }
}

/**
 * Untrained lines lie lowest, the code in focus on top.
 * @param {Line} line
 * @param {LengthModel} model
 */
function rank(line, { state }) {
  return (line.trained ? 1 : 0) + (line.code === state.mode ? 2 : 0)
}

/**
 * A curve has no accuracy at lengths that its task does not define, nor past a wall.
 * @param {Line} line
 */
function finitePart({ mean, low, high }) {
  const from = Math.max(0, mean.findIndex(Number.isFinite))
  let to = mean.length
  while (to > from && !Number.isFinite(mean[to - 1])) to -= 1
  const y = mean.slice(from, to)
  return {
    y,
    x: y.map((_, i) => from + 1 + i),
    band: { low: low.slice(from, to), high: high.slice(from, to) },
  }
}
