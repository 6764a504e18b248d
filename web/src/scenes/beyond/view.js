// Past T_max: the pictures. Data comes from the model, pixels from the charts.
import { drawAxisX, drawAxisY, axisXHeight } from '../../charts/core/axis.js'
import { drawBars } from '../../charts/bars.js'
import { columnFrame, invalidateTheme } from '../../charts/core/canvas.js'
import { drawArrow } from '../../charts/core/arrow.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { positionScale } from '../../charts/core/scale.js'
import { drawSeats, seatsHeight } from '../../charts/seats.js'
import { BEHAVIOURS } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { cellUnder, plotOf, positionsAcross } from '../../kit/along.js'
import { figureWords, rowMatrix, rowTable, windowTable } from './words.js'
import { seatMatrix, seatTable } from '../../kit/seats.js'
import { createFigure } from '../../kit/figure.js'
import { createGlide } from '../../kit/glide.js'
import { mountLookupCard } from './lookup_card.js'
import { largestAbsolute, rowOf } from '../../kit/numbers.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').BeyondModel} BeyondModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../charts/core/scale.js').PositionScale} PositionScale
 * @typedef {{ x: number, y: number, width: number, height: number }} Rect
 */

/**
 * @param {import('../../kit/host.js').SceneHost} host
 */
export function mountBeyond(host) {
  const { t } = host
  /** What the reader has done that is not part of the state: the device asserted here. */
  const memory = { deadSince: /** @type {number | undefined} */ (undefined) }
  /** @type {State} */
  let state = host.state()
  /** @type {BeyondModel | undefined} */
  let model
  /** @type {{ code: string, position: number, dimension: number } | undefined} */
  let hover
  const caches = { sinusoidal: {}, learned: {} }

  const sinusoidal = createFigure(host, {
    className: 'map map-sinusoidal',
    hue: 'hue-sinusoidal',
    draw: (frame) => drawMap(frame, 'sinusoidal'),
    onPointer: pointer('sinusoidal'),
    table: (whole) => windowTable(t, state, model, 'sinusoidal', whole),
    matrix: () => model?.sinusoidal,
  })
  const learned = createFigure(host, {
    className: 'map map-learned',
    hue: 'hue-learned',
    draw: (frame) => drawMap(frame, 'learned'),
    onPointer: pointer('learned'),
    table: (whole) => windowTable(t, state, model, 'learned', whole),
    matrix: () => model?.learned.values,
  })
  const seats = createFigure(host, {
    className: 'seats',
    draw: drawStrip,
    onPointer: pointer('seats'),
    table: () => seatTable(t, model),
    matrix: () => seatMatrix(model),
  })
  const rowSinusoidal = createFigure(host, {
    className: 'card row-sinusoidal',
    hue: 'hue-sinusoidal',
    draw: (frame) => drawRow(frame, 'sinusoidal'),
    table: () => rowTable(t, state, model),
    matrix: () => rowMatrix(state, model),
  })
  const rowLearned = createFigure(host, {
    className: 'card row-learned',
    hue: 'hue-learned',
    draw: (frame) => drawRow(frame, 'learned'),
    table: () => rowTable(t, state, model),
    matrix: () => rowMatrix(state, model),
  })
  const figures = [sinusoidal, learned, seats, rowSinusoidal, rowLearned]
  const glide = createGlide(() => {
    for (const figure of [sinusoidal, learned, seats]) figure.invalidate()
  })
  let dragging = false
  const cursor = host.numberControl('position')
  const card = mountLookupCard(host, {
    behaviours: BEHAVIOURS,
    restart() {
      memory.deadSince = undefined
      host.accept(withPatch(host.state(), { position: state.tMax + state.grown - 1 }))
      host.recompute()
    },
  })
  rowLearned.element.append(card.element)
  cursor.element.append(seats.button)
  const { el } = host
  host.root.append(
    el(
      'div',
      { class: 'main' },
      sinusoidal.element,
      learned.element,
      seats.element,
      cursor.element,
      host.sentence,
    ),
    el('div', { class: 'side' }, rowSinusoidal.element, rowLearned.element),
  )

  /** @param {Frame} frame @returns {PositionScale} */
  const scaleOf = ({ width, theme: { typeScale } }) =>
    positionsAcross({ width, typeScale }, (model?.state ?? state).length)

  /** @param {Frame} frame @param {'sinusoidal' | 'learned'} code */
  function drawMap(frame, code) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const { dModel } = model.state
    const rows = code === 'sinusoidal' ? model.sinusoidal : model.learned.values
    const { lookup } = model
    const failed = code === 'learned' && lookup.wrong
    drawHeatmap(ctx, {
      rect,
      scale,
      theme,
      data: rows.data,
      rows: rows.shape[0],
      columns: dModel,
      limit: code === 'sinusoidal' ? 1 : learnedLimit(model),
      cache: caches[code],
      wall: model.state.tMax,
      dimension: Math.min(state.dimension, dModel - 1),
      cursor: { position: glide.at(), colour: theme[code], failed },
      ...(code === 'learned'
        ? {
            missingFrom: model.learned.rows,
            missingLabel: t('beyond.noplate'),
            gradientRows: model.learned.gradientRows,
            untrainedLabel: t('beyond.nogradient'),
          }
        : {}),
    })
    // What a lookup past the table gave is drawn where it was asked for.
    if (lookup.past && lookup.row && code === 'learned' && lookup.position === glide.at()) {
      const x0 = scale.left(state.position)
      const column = { ...rect, x: x0, width: scale.right(state.position) - x0 }
      drawHeatmap(ctx, {
        rect: column,
        theme,
        data: lookup.row,
        rows: 1,
        columns: dModel,
        rowStart: state.position,
        limit: learnedLimit(model),
        cursor: { position: state.position, failed: true },
      })
    }
    if (code === 'learned') drawReturn(frame, scale, rect)
    const down = positionScale({ start: 0, end: dModel, x0: rect.y, x1: rect.y + rect.height })
    drawAxisY(ctx, { scale: down, theme, x: rect.x, label: t('beyond.axis.dimension') })
  }

  /**
   * An arrow from the row that a lookup silently returned to the seat that asked for it.
   * @param {Frame} frame @param {PositionScale} scale @param {Rect} rect
   */
  function drawReturn({ ctx, theme }, scale, rect) {
    const { lookup } = model ?? {}
    if (lookup?.source === undefined || lookup.position !== glide.at()) return
    const y = rect.y + rect.height * 0.3
    const from = scale.right(lookup.source) + 2
    drawArrow(ctx, { from, to: scale.left(lookup.position) - 4, y, theme, colour: theme.failure })
    const x0 = scale.left(lookup.source)
    const span = { x0, x1: scale.right(lookup.source), y0: rect.y, y1: rect.y + rect.height }
    columnFrame(ctx, { ...span, colour: theme.failure, theme })
  }

  /** @param {Frame} frame */
  function drawStrip(frame) {
    if (!model) return
    const { ctx, width, height, theme } = frame
    const scale = scaleOf(frame)
    const strip = seatsHeight(theme)
    const rect = { x: scale.x0, y: 0, width: scale.x1 - scale.x0, height: strip }
    const label = t('beyond.axis.position')
    drawSeats(ctx, {
      rect,
      scale,
      theme,
      tMax: model.learned.rows,
      trainedRows: model.state.tMax,
      cursor: glide.at(),
      failed: model.lookup.wrong,
      wall: model.state.tMax,
      wallLabel: `T_max = ${model.state.tMax}`,
      bounds: { x0: 0, x1: width },
    })
    const y = Math.max(strip, height - axisXHeight(theme, { label }))
    drawAxisX(ctx, { scale, theme, y, label, rect: { x: 0, y, width, height: height - y } })
  }

  /** @param {Frame} frame @param {'sinusoidal' | 'learned'} code */
  function drawRow(frame, code) {
    if (!model) return
    const { ctx, width, height, theme } = frame
    const { lookup } = model
    const data = code === 'learned' ? lookup.row : rowOf(model.sinusoidal, shownPosition())
    drawBars(ctx, {
      rect: { x: 0, y: 0, width, height },
      data: data ?? null,
      limit: code === 'sinusoidal' ? 1 : learnedLimit(model),
      colour: theme[code],
      theme,
      pairs: code === 'sinusoidal',
      failed: code === 'learned' && !data,
      cursor: Math.min(state.dimension, model.state.dModel - 1),
      format: (value) => formatNumber(value, Number.isInteger(value) ? 0 : 4),
      labels: code === 'sinusoidal' ? { sine: 'sin', cosine: 'cos' } : undefined,
    })
  }

  function shownPosition() {
    return Math.min(state.position, (model?.state.length ?? state.length) - 1)
  }

  /**
   * Drag anywhere in the figure to move the cursor; hover to read a value.
   * @param {'sinusoidal' | 'learned' | 'seats'} code
   */
  function pointer(code) {
    return (
      /** @type {PointerEvent} */ event,
      /** @type {{ x: number, y: number }} */ point,
      /** @type {boolean} */ drags,
    ) => {
      if (!model) return
      const { picture } = { sinusoidal, learned, seats }[code]
      const { dModel, length } = model.state
      const cell = cellUnder(picture, point, length, dModel)
      const inside = event.type !== 'pointerleave' && code !== 'seats'
      hover = inside ? { code, ...cell } : undefined
      dragging = drags
      if (drags) {
        const patch = code === 'seats' ? { position: cell.position } : cell
        host.accept(withPatch(host.state(), patch))
      }
      speak()
    }
  }

  function speak() {
    if (!model) return
    const words = figureWords(t, state, model, hover)
    for (const [name, figure] of Object.entries({
      sinusoidal,
      learned,
      seats,
      rowSinusoidal,
      rowLearned,
    })) {
      figure.say(words[name])
    }
    card.show(model)
    rowLearned.element.classList.toggle('failing', model.lookup.wrong)
  }

  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      if (state.behaviour !== 'assert') memory.deadSince = undefined
      host.root.dataset.focus = state.mode
      cursor.sync(state)
      card.sync(state)
    },
    /** @param {State} next @param {BeyondModel} computed */
    draw(next, computed) {
      state = next
      model = computed
      glide.send(Math.min(state.position, computed.state.length - 1), dragging)
      const { lookup } = computed
      if (lookup.behaviour === 'assert' && lookup.past) memory.deadSince ??= lookup.position
      learnedLimit(computed)
      speak()
      for (const figure of figures) figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      for (const figure of figures) figure.invalidate()
    },
    destroy() {
      glide.stop()
      for (const figure of figures) figure.destroy()
      host.root.replaceChildren()
    },
  }
}

/**
 * The learned table is small beside the code that it is trained toward; both are drawn in full colour.
 * @param {BeyondModel} model
 * @returns {number} the largest absolute value of the table
 */
function learnedLimit({ learned }) {
  learned.limit ??= largestAbsolute(learned.values.data)
  return learned.limit || 1
}
