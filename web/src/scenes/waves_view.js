// Waves: the pictures. Strips, hands, heatmap, counter and seats stand on one axis of positions.
import { drawAxisX, drawAxisY, axisXHeight } from '../charts/axis.js'
import { drawBars } from '../charts/bars.js'
import { drawBits } from '../charts/bits.js'
import { invalidateTheme } from '../charts/canvas.js'
import { drawHeatmap } from '../charts/heatmap.js'
import { positionScale } from '../charts/scale.js'
import { drawSeats, seatsHeight } from '../charts/seats.js'
import { drawSideBars } from '../charts/side_bars.js'
import { drawWaves } from '../charts/wave.js'
import { inputMode, withPatch } from '../state/state.js'
import { formatNumber } from '../text/text.js'
import { cellUnder, drawCursorLine, drawTableEnd, plotOf, positionsAcross } from './along.js'
import { rowOf, seatMatrix, seatTable } from './beyond_words.js'
import { createFigure } from './figure.js'
import { createGlide } from './glide.js'
import { largestAbsolute } from './numbers.js'
import { createPlayer } from './player.js'
import { drawClocks } from './waves_clocks.js'
import * as said from './waves_words.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./waves.js').WavesModel} WavesModel
 * @typedef {import('../charts/canvas.js').Frame} Frame
 */

/**
 * @param {import('../stage.js').SceneHost} host
 */
export function mountWaves(host) {
  const { el, t } = host
  let state = host.state()
  /** @type {WavesModel | undefined} */
  let model
  /** @type {{ position: number, dimension: number } | undefined} */
  let hover
  const memory = /** @type {import('./keep.js').Kept} */ ({})
  const caches = { sinusoidal: {}, learned: {}, counter: {} }
  /** @type {{ of?: unknown, pairs?: string, columns: ArrayLike<number>[] }} strips, and of what */
  let stripped = { columns: [] }
  /** @type {ReturnType<typeof said.bitMatrix>} */
  let counted = { data: new Float32Array(0), shape: [0, 0] }

  const strips = createFigure(host, {
    className: 'strips',
    hue: 'hue-focus',
    draw: drawStrips,
    onPointer: pointer(),
    table: (whole) => said.windowTable(t, state, model, whole),
    matrix: () => model && said.focused(state, model),
  })
  const hands = createFigure(host, {
    className: 'hands',
    draw: drawHands,
    table: () => said.pairTable(t, state, model),
    matrix: () => model && said.handMatrix(model),
  })
  const map = createFigure(host, {
    className: 'wave-map',
    hue: 'hue-focus',
    draw: drawMap,
    onPointer: pointer(true),
    table: (whole) => said.windowTable(t, state, model, whole),
    matrix: () => model && said.focused(state, model),
  })
  const row = createFigure(host, {
    className: 'wave-row',
    draw: drawRow,
    table: () => said.rowTable(t, state, model),
    matrix: () => model && said.rowMatrix(state, model),
  })
  const counter = createFigure(host, {
    className: 'counter',
    draw: drawCounter,
    onPointer: pointer(),
    table: (whole) => said.bitTable(t, state, model, whole),
    matrix: () => model && said.bitMatrix(model),
  })
  const lamps = createFigure(host, {
    className: 'lamps',
    draw: drawLamps,
    table: (whole) => said.bitTable(t, state, model, whole),
    matrix: () => model && said.rowMatrix(state, model, said.bitMatrix(model)),
  })
  const seats = createFigure(host, {
    className: 'seats',
    draw: drawStrip,
    onPointer: pointer(),
    table: () => seatTable(t, model),
    matrix: () => seatMatrix(model),
  })
  const figures = { strips, hands, map, row, counter, lamps, seats }
  const onAxis = [strips, hands, map, counter, seats]
  const glide = createGlide(() => {
    for (const figure of onAxis) figure.invalidate()
  })
  let held = false
  const cursor = host.numberControl('position')
  cursor.element.append(seats.button)
  const player = createPlayer(host)
  const noHands = el('p', { class: 'no-hands', hidden: true }, t('waves.nohands'))
  host.root.append(
    strips.element,
    map.element,
    counter.element,
    el('div', { class: 'main' }, seats.element, cursor.element, player.element, host.sentence),
    hands.element,
    noHands,
    row.element,
    lamps.element,
  )

  /** @param {Frame} frame */
  function scaleOf({ width, theme }) {
    return positionsAcross({ width, typeScale: theme.typeScale }, (model?.state ?? state).length)
  }

  /** @param {Frame['theme']} theme */
  function hueOf(theme) {
    return theme[state.mode]
  }

  function limit() {
    if (!model || state.mode === 'sinusoidal') return 1
    model.learned.limit ??= largestAbsolute(model.learned.values.data)
    return model.learned.limit || 1
  }

  /** Whether the cursor is on a seat that training wrote no row for. */
  function failed() {
    return model !== undefined && state.mode === 'learned' && state.position >= model.state.tMax
  }

  /**
   * The even dimension of each strip as a column; kept until there is another matrix.
   * @param {WavesModel} of
   */
  function columnsOf({ pairs, ...codes }) {
    const matrix = said.focused(state, codes)
    const key = pairs.join()
    if (stripped.of !== matrix || stripped.pairs !== key) {
      const { data, shape } = matrix
      const column = (/** @type {number} */ pair) =>
        Float64Array.from({ length: shape[0] }, (_, i) => data[i * shape[1] + 2 * pair])
      stripped = { of: matrix, pairs: key, columns: pairs.map(column) }
    }
    return stripped.columns
  }

  /** @param {Frame} frame */
  function drawStrips(frame) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const { pairs, curves } = model
    const formula = state.mode === 'sinusoidal'
    const at = glide.at()
    const chosen = pairs.indexOf(Math.floor(Math.min(state.dimension, model.state.dModel - 1) / 2))
    const common = {
      scale,
      limit: limit(),
      colour: hueOf(theme),
      theme,
      cursor: at,
      failed: failed(),
    }
    if (!formula) {
      drawTableEnd(frame, scale, rect, { rows: model.learned.rows, tMax: model.state.tMax })
    }
    drawCursorLine(frame, scale, rect, { at, failed: failed() })
    drawWaves(ctx, {
      ...common,
      rect,
      highlight: chosen < 0 ? null : chosen,
      waves: columnsOf(model).map((values, i) => ({
        values,
        label: String(2 * pairs[i]),
        ...(formula ? { curve: { values: curves[i].sine, start: 0, step: curves[i].step } } : {}),
      })),
    })
    const partner = 2 * pairs[chosen] + 1
    if (formula && chosen >= 0 && partner < model.state.dModel) {
      // The chosen pair shows its cosine as well: the other number of the same hand.
      const strip = { ...rect, y: rect.y + (chosen * rect.height) / pairs.length }
      strip.height = rect.height / pairs.length
      const { cosine, step } = curves[chosen]
      const curve = { values: cosine, start: 0, step }
      drawWaves(ctx, {
        ...common,
        rect: strip,
        waves: [{ values: [], curve, label: '', dash: 'dashed' }],
      })
    }
  }

  /** @param {Frame} frame */
  function drawHands(frame) {
    if (!model || state.mode !== 'sinusoidal') return
    const beside = hands.element.offsetTop === strips.element.offsetTop
    const dimension = Math.min(state.dimension, model.state.dModel - 1)
    drawClocks(frame, model, { at: glide.at(), beside, dimension, t })
  }

  /** @param {Frame} frame */
  function drawMap(frame) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const { dModel, tMax } = model.state
    const code = said.focused(state, model)
    const { learned } = model
    drawHeatmap(ctx, {
      rect,
      scale,
      theme,
      data: code.data,
      rows: code.shape[0],
      columns: dModel,
      limit: limit(),
      cache: caches[inputMode(state)],
      dimension: Math.min(state.dimension, dModel - 1),
      cursor: { position: glide.at(), colour: hueOf(theme), failed: failed() },
      ...(state.mode === 'learned'
        ? {
            wall: tMax,
            missingFrom: learned.rows,
            missingLabel: t('beyond.noplate'),
            gradientRows: learned.gradientRows,
            untrainedLabel: t('beyond.nogradient'),
          }
        : {}),
    })
    const down = positionScale({ start: 0, end: dModel, x0: rect.y, x1: rect.y + rect.height })
    drawAxisY(ctx, { scale: down, theme, x: rect.x, label: t('beyond.axis.dimension') })
  }

  /** @param {Frame} frame */
  function drawRow({ ctx, width, height, theme }) {
    if (!model) return
    const position = Math.min(state.position, model.state.length - 1)
    const found = rowOf(said.focused(state, model), position)
    const data = found.length > 0 ? found : null
    const options = {
      data,
      limit: limit(),
      colour: hueOf(theme),
      theme,
      pairs: state.mode === 'sinusoidal',
      cursor: Math.min(state.dimension, model.state.dModel - 1),
      failed: !data,
    }
    if (row.element.offsetTop === map.element.offsetTop) {
      drawSideBars(ctx, { ...options, rect: plotOf({ x0: 4, x1: width }, height) })
    } else {
      const format = (/** @type {number} */ value) =>
        formatNumber(value, Number.isInteger(value) ? 0 : 2)
      drawBars(ctx, { ...options, rect: { x: 0, y: 0, width, height }, format })
    }
  }

  /** @param {Frame} frame */
  function drawCounter(frame) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const { length } = model.state
    if (counted.shape[0] !== length) counted = said.bitMatrix(model)
    const bits = counted.shape[1]
    drawHeatmap(ctx, {
      rect,
      scale,
      theme,
      data: counted.data,
      rows: length,
      columns: bits,
      limit: 1,
      cache: caches.counter,
      cursor: { position: glide.at(), colour: theme.ink },
    })
    const down = positionScale({ start: 0, end: bits, x0: rect.y, x1: rect.y + rect.height })
    const format = (/** @type {number} */ bit) => String(2 ** bit)
    drawAxisY(ctx, { scale: down, theme, x: rect.x, format })
  }

  /** @param {Frame} frame */
  function drawLamps({ ctx, width, height, theme }) {
    if (!model) return
    const across = lamps.element.offsetTop !== counter.element.offsetTop
    drawBits(ctx, {
      rect: across ? { x: 0, y: 0, width, height } : plotOf({ x0: 0, x1: width }, height),
      value: Math.min(state.position, model.state.length - 1),
      count: said.bitCount(model),
      colour: theme.valueHigh,
      theme,
      across,
    })
  }

  /** @param {Frame} frame */
  function drawStrip(frame) {
    if (!model) return
    const { ctx, width, height, theme } = frame
    const scale = scaleOf(frame)
    const strip = seatsHeight(theme)
    const label = t('beyond.axis.position')
    drawSeats(ctx, {
      rect: { x: scale.x0, y: 0, width: scale.x1 - scale.x0, height: strip },
      scale,
      theme,
      tMax: model.learned.rows,
      trainedRows: model.state.tMax,
      cursor: glide.at(),
      failed: failed(),
      plates: state.mode === 'learned',
      wall: model.state.tMax,
      bounds: { x0: 0, x1: width },
    })
    const y = Math.max(strip, height - axisXHeight(theme, { label }))
    drawAxisX(ctx, { scale, theme, y, label, rect: { x: 0, y, width, height: height - y } })
  }

  /**
   * Drag anywhere along the axis to move the cursor; hover the heatmap to read a value.
   * @param {boolean} [reads] whether the height under the pointer is a dimension
   */
  function pointer(reads = false) {
    return (
      /** @type {PointerEvent} */ event,
      /** @type {{ x: number, y: number }} */ point,
      /** @type {boolean} */ dragging,
    ) => {
      if (!model) return
      const { dModel, length } = model.state
      const picture = /** @type {HTMLElement} */ (event.currentTarget)
      const cell = cellUnder(picture, point, length, dModel)
      hover = reads && event.type !== 'pointerleave' ? cell : undefined
      held = dragging
      if (dragging) {
        player.stop()
        host.accept(withPatch(host.state(), reads ? cell : { position: cell.position }))
      }
      speak()
    }
  }

  function speak() {
    if (!model) return
    limit()
    const words = said.figureWords(t, state, model, hover)
    for (const [name, figure] of Object.entries(figures)) {
      figure.say(words[/** @type {keyof typeof words} */ (name)])
    }
    row.element.classList.toggle('failing', failed())
  }

  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      hands.element.hidden = state.mode === 'learned'
      noHands.hidden = state.mode !== 'learned'
      cursor.sync(state)
      player.sync(state)
    },
    /** @param {State} next @param {WavesModel} computed */
    draw(next, computed) {
      state = next
      model = computed
      const position = Math.min(state.position, computed.state.length - 1)
      glide.send(position, held || player.playing())
      speak()
      for (const figure of Object.values(figures)) figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      for (const figure of Object.values(figures)) figure.invalidate()
    },
    destroy() {
      player.stop()
      glide.stop()
      for (const figure of Object.values(figures)) figure.destroy()
      host.root.replaceChildren()
    },
  }
}
