// Similarity: the pictures. Two cursors on one axis, the same offset from both.
import { drawArrow } from '../../charts/core/arrow.js'
import { drawAxisX, drawAxisY, axisXHeight } from '../../charts/core/axis.js'
import {
  fillNumber,
  invalidateTheme,
  pixelGrid,
  plateText,
  roundRect,
  setFont,
} from '../../charts/core/canvas.js'
import { drawLines, drawMarker } from '../../charts/line.js'
import { linear } from '../../charts/core/scale.js'
import { drawSeats, seatsHeight } from '../../charts/seats.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import {
  drawCursorLine,
  drawTableEnd,
  plotOf,
  positionsAcross,
  positionsUnder,
} from '../../kit/along.js'
import { seatMatrix, seatTable } from '../../kit/seats.js'
import { createFigure } from '../../kit/figure.js'
import { drawTurnRows, pairsThatTurn } from './turns.js'
import { mountSameCard, mountSpreadCard } from './cards.js'
import { curveMatrix, curveTable, figureWords, showError, turnTable } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').SimilarityModel} SimilarityModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../charts/core/scale.js').PositionScale} PositionScale
 * @typedef {import('../../charts/core/scale.js').LinearScale} LinearScale
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect
 * @typedef {'sinusoidal' | 'learned'} CodeName
 */

/** So near to the second cursor a press takes hold of it, in px. */
const GRIP = 12
/** Room above the curves for the arrows of the offset, in px at type scale 1. */
const HEAD = 18
/** Codes differ by dash and marker as well as by hue; the second cursor's line is finer. */
const LOOK = /** @type {const} */ ({
  sinusoidal: { dash: ['solid', 'solid'], marker: 'circle' },
  learned: { dash: ['dashed', 'dotted'], marker: 'square' },
})

/**
 * @param {import('../../kit/host.js').SceneHost} host
 */
export function mountSimilarity(host) {
  const { el, t } = host
  let state = host.state()
  /** @type {SimilarityModel | undefined} */
  let model
  /** @type {{ code: string, position: number } | undefined} */
  let hover
  /** Which cursor the reader's hand has. */
  /** @type {'position' | 'position2'} */
  let grip = 'position'
  /** @type {import('../../kit/memo.js').Memory} */
  const memory = {}

  const sinusoidal = createFigure(host, {
    className: 'curves curves-sinusoidal',
    hue: 'hue-sinusoidal',
    draw: (frame) => drawCurves(frame, 'sinusoidal'),
    onPointer: pointer('sinusoidal'),
    table: (whole) => curveTable(t, model, 'sinusoidal', whole),
    matrix: () => model && curveMatrix(model, 'sinusoidal'),
  })
  const learned = createFigure(host, {
    className: 'curves curves-learned',
    hue: 'hue-learned',
    draw: (frame) => drawCurves(frame, 'learned'),
    onPointer: pointer('learned'),
    table: (whole) => curveTable(t, model, 'learned', whole),
    matrix: () => model && curveMatrix(model, 'learned'),
  })
  const seats = createFigure(host, {
    className: 'seats',
    draw: drawStrip,
    onPointer: pointer('seats'),
    table: () => seatTable(t, model),
    matrix: () => seatMatrix(model),
  })
  const turns = createFigure(host, {
    className: 'card turns',
    draw: drawTurns,
    table: () => turnTable(t, model),
    matrix: () => model?.rotation,
  })
  const rest = el('p', { class: 'rest' })
  turns.element.append(rest)
  const figures = { sinusoidal, learned, seats, turns }
  const cursor = host.numberControl('position')
  const second = host.numberControl('position2')
  const offset = host.numberControl('offset')
  const steps = host.numberControl('steps')
  const controls = [cursor, second, offset, steps]
  cursor.element.append(seats.button)
  const measures = host.radioGroup({
    label: t('field.measure'),
    className: 'chips',
    name: host.uniqueId('measure'),
    values: ['dot', 'cosine'],
    describe: (value) => t(value === 'dot' ? 'measure.dot' : 'measure.cosine'),
    onChange: (measure) => host.accept(withPatch(host.state(), /** @type {any} */ ({ measure }))),
  })
  const same = mountSameCard(host, measures.element)
  const spread = mountSpreadCard(host)
  host.root.append(
    el(
      'div',
      { class: 'main' },
      sinusoidal.element,
      learned.element,
      seats.element,
      cursor.element,
      el('div', { class: 'moves' }, second.element, offset.element, steps.element),
      host.sentence,
    ),
    el('div', { class: 'side' }, same.element, turns.element, spread.element),
  )

  /** @param {Frame} frame */
  function scaleOf({ width, theme }) {
    return positionsAcross({ width, typeScale: theme.typeScale }, (model?.state ?? state).length)
  }

  const turnPairs = () => pairsThatTurn((model?.state ?? state).dModel)

  /** @param {Frame} frame @param {CodeName} code */
  function drawCurves(frame, code) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const head = HEAD * theme.typeScale
    const plot = { ...rect, y: rect.y + head, height: Math.max(1, rect.height - head) }
    const { measure, position, position2, offset: step } = model.state
    const { curves, pairs } = model[code]
    const yScale = verticalScale(curves, measure, plot)
    const colour = theme[code]
    drawAxisY(ctx, {
      scale: yScale,
      theme,
      x: plot.x,
      label: t(`measure.${measure}`),
      grid: plot,
    })
    if (code === 'learned') {
      const { rows } = model.table
      drawTableEnd(frame, scale, rect, { rows, tMax: model.state.tMax, label: t('beyond.noplate') })
    }
    const cursors = [position, position2]
    // Without a row there is nothing at the cursor.
    cursors.forEach((at, which) => {
      const weight = which === 0 ? 1.5 : 1
      drawCursorLine(frame, scale, rect, { at, failed: !curves[which], weight })
    })
    const series = [1, 0].flatMap((which) => {
      const y = curves[which]?.[measure]
      const dash = LOOK[code].dash[which]
      return y ? [{ y, colour, dash, width: which === 0 ? 2.25 : 1.25 }] : []
    })
    drawLines(ctx, { rect: plot, xScale: scale, yScale, series, theme, zero: 0 })
    drawLevels({ frame, scale, plot, yScale, colour }, cursors, pairs, code)
    const y = rect.y + head * 0.45
    for (const from of cursors) drawStep(frame, scale, from, step, y)
  }

  /**
   * @param {(import('./index.js').Curves | undefined)[]} curves
   * @param {'dot' | 'cosine'} measure
   * @param {Rect} plot
   */
  function verticalScale(curves, measure, plot) {
    let low = 0
    let high = 0
    for (const curve of curves) {
      for (const value of curve?.[measure] ?? []) {
        // NaN, a gap in the curve, is neither.
        if (value < low) low = value
        if (value > high) high = value
      }
    }
    const span = high - low || 1
    return linear(
      [low - (low < 0 ? 0.06 * span : 0), high + 0.1 * span],
      [plot.y + plot.height, plot.y],
    )
  }

  /**
   * What the two cursors have an offset further: two marks, each with a level across to the other.
   * @param {{ frame: Frame, scale: PositionScale, plot: Rect, yScale: LinearScale, colour: string }} to
   * @param {number[]} cursors
   * @param {(import('./index.js').Pair | undefined)[]} pairs
   * @param {CodeName} code
   */
  function drawLevels({ frame, scale, plot, yScale, colour }, cursors, pairs, code) {
    const { ctx, theme } = frame
    const { measure, offset: step } = /** @type {SimilarityModel} */ (model).state
    const grid = pixelGrid(ctx)
    const marks = pairs.flatMap((pair, which) => {
      const at = cursors[which] + step
      return pair && at < scale.end && !Number.isNaN(pair[measure])
        ? [{ x: scale.centre(at), y: yScale(pair[measure]), value: pair[measure], which }]
        : []
    })
    ctx.save()
    ctx.strokeStyle = theme.ink
    ctx.lineWidth = grid.line(theme.lineWeight)
    ctx.setLineDash([2, 3])
    for (const { y } of marks) {
      ctx.beginPath()
      ctx.moveTo(plot.x, grid.y(y))
      ctx.lineTo(plot.x + plot.width, grid.y(y))
      ctx.stroke()
    }
    ctx.restore()
    const { marker } = LOOK[code]
    const px = setFont(ctx, theme, { weight: 600 })
    const half = px * 2.6
    /** @type {{ at: number, y: number }[]} */
    const placed = []
    for (const { x, y, value, which } of marks) {
      drawMarker(ctx, which === 0 ? marker : 'ring', x, y, { size: 11, colour, theme })
      const at = Math.max(plot.x + half, Math.min(plot.x + plot.width - half, x + half + 10))
      const taken = placed.some((one) => Math.abs(one.at - at) < 2 * half && one.y < y + px * 2)
      const above = !taken && y - px * 1.5 > plot.y
      placed.push({ at, y })
      plateText(ctx, formatNumber(value), at, y + (above ? -1.3 : 1.3) * px, {
        theme,
        colour,
        weight: 600,
      })
    }
  }

  /**
   * The way from a cursor to the row that it is compared with.
   * @param {Frame} frame @param {PositionScale} scale
   * @param {number} from @param {number} step @param {number} y
   */
  function drawStep({ ctx, theme }, scale, from, step, y) {
    const to = Math.min(scale.end, from + step)
    const x0 = scale.centre(from)
    const x1 = Math.min(scale.x1, scale.centre(to))
    drawArrow(ctx, { from: x0 + 5, to: x1 - 1, y, colour: theme.ink, theme })
    setFont(ctx, theme)
    ctx.fillStyle = theme.ink
    ctx.textBaseline = 'middle'
    const text = `+${step}`
    const room = ctx.measureText(text).width + 8
    const flip = x1 + room > scale.x1
    fillNumber(ctx, text, flip ? x0 - 6 : x1 + 6, y, flip ? 'right' : 'left')
  }

  /** @param {Frame} frame */
  function drawStrip(frame) {
    if (!model) return
    const { ctx, width, height, theme } = frame
    const scale = scaleOf(frame)
    const strip = seatsHeight(theme)
    const label = t('beyond.axis.position')
    const { position, position2, tMax } = model.state
    const options = {
      rect: { x: scale.x0, y: 0, width: scale.x1 - scale.x0, height: strip },
      scale,
      theme,
      tMax: model.table.rows,
      trainedRows: tMax,
      cursor: position,
      failed: state.mode === 'learned' && position >= tMax,
      wall: tMax,
      bounds: { x0: 0, x1: width },
    }
    drawSeats(ctx, options)
    // The second cursor is a ring: the first one is in the reader's hand.
    const middle = strip - 13 * theme.typeScale
    const size = (position2 === position ? 30 : 22) * theme.typeScale
    const x = scale.centre(position2)
    if (position2 !== position) {
      const text = String(position2)
      ctx.font = `600 ${12.5 * theme.typeScale}px ${theme.font}`
      const wide = Math.max(size, ctx.measureText(text).width + 10 * theme.typeScale)
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
    const y = Math.max(strip, height - axisXHeight(theme, { label }))
    drawAxisX(ctx, { scale, theme, y, label, rect: { x: 0, y, width, height: height - y } })
  }

  /** @param {Frame} frame */
  function drawTurns(frame) {
    if (model) drawTurnRows(frame, model, turnPairs(), t)
  }

  /**
   * Drag to move a cursor, the nearer one; hover to read a value of the first one's curve.
   * @param {'sinusoidal' | 'learned' | 'seats'} code
   */
  function pointer(code) {
    return (
      /** @type {PointerEvent} */ event,
      /** @type {{ x: number, y: number }} */ point,
      /** @type {boolean} */ dragging,
    ) => {
      if (!model) return
      const scale = positionsUnder(figures[code].picture, model.state.length)
      const at = scale.invert(point.x)
      if (event.type === 'pointerdown') {
        const first = Math.abs(scale.centre(state.position) - point.x)
        const other = Math.abs(scale.centre(state.position2) - point.x)
        grip = other < first && other <= GRIP ? 'position2' : 'position'
      }
      const inside = event.type !== 'pointerleave' && code !== 'seats'
      hover = inside && !dragging ? { code, position: at } : undefined
      if (dragging) host.accept(withPatch(host.state(), { [grip]: at }))
      speak()
    }
  }

  function speak() {
    if (!model) return
    const words = figureWords(t, model, hover, turnPairs())
    for (const [name, figure] of Object.entries(figures)) {
      figure.say(words[/** @type {keyof typeof words} */ (name)])
    }
    same.show(model)
    spread.show(model)
    const { rotation, state: computed } = model
    const { rotatedDims } = rotation
    const key = rotatedDims === 0 ? 'one' : rotatedDims < computed.dModel ? 'lone' : 'rest'
    host.setText(
      rest,
      t(`similarity.turns.${key}`, {
        offset: computed.offset,
        error: showError(rotation.rotatedError),
        all: showError(rotation.error),
        dims: rotatedDims,
      }),
    )
    turns.picture.hidden = rotatedDims === 0
  }

  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      for (const control of controls) control.sync(state)
      measures.select(state.measure)
    },
    /** @param {State} next @param {SimilarityModel} computed */
    draw(next, computed) {
      state = next
      model = computed
      speak()
      for (const figure of Object.values(figures)) figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      for (const figure of Object.values(figures)) figure.invalidate()
    },
    destroy() {
      for (const figure of Object.values(figures)) figure.destroy()
      host.root.replaceChildren()
    },
  }
}
