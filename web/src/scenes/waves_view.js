// Waves: the pictures. Strips, hands, heatmap, counter and seats stand on one axis of positions.
import { drawAxisX, drawAxisY, axisXHeight } from '../charts/axis.js'
import { drawBars } from '../charts/bars.js'
import { drawBits } from '../charts/bits.js'
import {
  fillNumber,
  hatch,
  invalidateTheme,
  pixelGrid,
  setFont,
  wallLine,
} from '../charts/canvas.js'
import { drawHeatmap } from '../charts/heatmap.js'
import { drawPhasor, phasorPlaces } from '../charts/phasor.js'
import { positionScale } from '../charts/scale.js'
import { drawSeats, seatsHeight } from '../charts/seats.js'
import { drawSideBars } from '../charts/side_bars.js'
import { drawWaves } from '../charts/wave.js'
import { withPatch } from '../state/state.js'
import { formatNumber } from '../text/text.js'
import { OVERHANG, plotOf, positionsAcross, positionsUnder } from './along.js'
import { rowOf, seatTable } from './beyond_words.js'
import { createFigure } from './figure.js'
import { createGlide } from './glide.js'
import { largestAbsolute } from './numbers.js'
import { createPlayer } from './player.js'
import { showTurn } from './waves.js'
import {
  bitCount,
  bitMatrix,
  bitTable,
  figureWords,
  focused,
  handMatrix,
  pairTable,
  rowMatrix,
  rowTable,
  windowTable,
} from './waves_words.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./waves.js').WavesModel} WavesModel
 * @typedef {import('../charts/canvas.js').Frame} Frame
 * @typedef {import('../charts/scale.js').PositionScale} PositionScale
 */

/** Hands stand beside their waves where a strip is at least so high, in px at type scale 1. */
const LEAST_HAND = 20

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
  /** @type {import('./keep.js').Kept} */
  const memory = {}
  const caches = { sinusoidal: {}, learned: {}, counter: {} }
  /** @type {{ of?: unknown, columns: ArrayLike<number>[] }} */
  let stripped = { columns: [] }
  /** @type {ReturnType<typeof bitMatrix>} */
  let counted = { data: new Float32Array(0), shape: [0, 0] }

  const strips = createFigure(host, {
    className: 'strips',
    hue: 'hue-focus',
    draw: drawStrips,
    onPointer: pointer(),
    table: () => windowTable(t, state, model),
    matrix: () => model && focused(state, model),
  })
  const hands = createFigure(host, {
    className: 'hands',
    draw: drawHands,
    table: () => pairTable(t, state, model),
    matrix: () => model && handMatrix(model),
  })
  const map = createFigure(host, {
    className: 'wave-map',
    hue: 'hue-focus',
    draw: drawMap,
    onPointer: pointer(true),
    table: () => windowTable(t, state, model),
    matrix: () => model && focused(state, model),
  })
  const row = createFigure(host, {
    className: 'wave-row',
    draw: drawRow,
    table: () => rowTable(t, state, model),
    matrix: () => model && rowMatrix(state, model),
  })
  const counter = createFigure(host, {
    className: 'counter',
    draw: drawCounter,
    onPointer: pointer(),
    table: () => bitTable(t, state, model),
    matrix: () => model && bitMatrix(model),
  })
  const lamps = createFigure(host, {
    className: 'lamps',
    draw: drawLamps,
    table: () => bitTable(t, state, model),
  })
  const seats = createFigure(host, {
    className: 'seats',
    draw: drawStrip,
    onPointer: pointer(),
    table: () => seatTable(t, state, /** @type {any} */ (model)),
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

  /** The even dimensions of the strips, as columns; kept until the matrix changes. */
  function columnsOf(/** @type {WavesModel} */ { pairs }, /** @type {any} */ { data, shape }) {
    if (stripped.of !== data || stripped.columns.length !== pairs.length || pairsKey !== pairs) {
      const [rows, columns] = shape
      stripped = {
        of: data,
        columns: pairs.map((pair) =>
          Float64Array.from({ length: rows }, (_, i) => data[i * columns + 2 * pair]),
        ),
      }
      pairsKey = pairs
    }
    return stripped.columns
  }
  /** @type {number[] | undefined} */
  let pairsKey

  /** @param {Frame} frame */
  function drawStrips(frame) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const { pairs, curves, learned } = model
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
    if (!formula) drawWall(frame, scale, rect)
    drawCursor(frame, scale, rect)
    drawWaves(ctx, {
      ...common,
      rect,
      highlight: chosen < 0 ? null : chosen,
      waves: columnsOf(model, focused(state, model)).map((values, i) => ({
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

  /**
   * Where the table ends there is nothing to draw.
   * @param {Frame} frame @param {PositionScale} scale
   * @param {{ x: number, y: number, width: number, height: number }} rect
   */
  function drawWall({ ctx, theme }, scale, rect) {
    if (!model) return
    const { rows } = model.learned
    const { tMax } = model.state
    if (rows < scale.end) {
      const x = scale.left(rows)
      const area = { ...rect, x, width: scale.x1 - x }
      hatch(ctx, area, theme.muted, {
        alpha: theme.forced ? 1 : 0.38,
        spacing: 8 * theme.typeScale,
      })
    }
    if (tMax < scale.end) {
      wallLine(ctx, { x: scale.left(tMax), y0: rect.y, y1: rect.y + rect.height, theme })
    }
  }

  /**
   * @param {Frame} frame @param {PositionScale} scale
   * @param {{ y: number, height: number }} rect
   */
  function drawCursor({ ctx, theme }, scale, rect) {
    const at = glide.at()
    if (!(at >= scale.start && at < scale.end)) return
    const grid = pixelGrid(ctx)
    const line = grid.line(theme.lineWeight)
    ctx.fillStyle = failed() ? theme.failure : theme.ink
    ctx.fillRect(grid.x(scale.centre(at) - line / 2), rect.y, line, rect.height)
  }

  /**
   * The pair as a hand at the cursor, with the way it came during the last seat.
   * @param {number} index of the strip
   */
  function handAt(index) {
    const { curves } = /** @type {WavesModel} */ (model)
    const { sine, cosine, step } = curves[index]
    const last = Math.min(sine.length - 1, Math.max(0, Math.round(glide.at() / step)))
    const first = Math.max(0, last - Math.round(1 / step))
    const trail = []
    for (let i = first; i < last; i += 1) trail.push({ sine: sine[i], cosine: cosine[i] })
    return { sine: sine[last], cosine: cosine[last], trail }
  }

  /** @param {Frame} frame */
  function drawHands({ ctx, width, height, theme }) {
    if (!model || state.mode !== 'sinusoidal') return
    const { dModel } = model.state
    // A last sine has no cosine, and so no hand.
    const pairs = model.pairs.filter((pair) => 2 * pair + 1 < dModel)
    if (pairs.length === 0) return
    const chosen = Math.floor(Math.min(state.dimension, dModel - 1) / 2)
    const beside = hands.element.offsetTop === strips.element.offsetTop
    const strip = (height - 2 * OVERHANG) / model.pairs.length
    const label = (/** @type {number} */ pair) => showTurn(model?.phasors.wavelength[pair] ?? NaN)
    const aligned = beside && strip >= LEAST_HAND
    const rect = { x: 0, y: 0, width, height }
    const places = phasorPlaces({ rect, theme, label }, pairs.length)
    pairs.forEach((pair, index) => {
      const highlight = pair === chosen
      const place = places[index]
      if (aligned) {
        place.radius = Math.min(strip / 2 - 2, 22 * theme.typeScale)
        place.x = place.radius + 4
        place.y = OVERHANG + (index + 0.5) * strip
      }
      const hand = { ...handAt(index), ...place, colour: theme.sinusoidal, theme, highlight }
      drawPhasor(ctx, aligned ? hand : { ...hand, label: label(pair) })
      if (!aligned) return
      setFont(ctx, theme, { weight: highlight ? 700 : 400 })
      ctx.fillStyle = highlight ? theme.ink : theme.muted
      ctx.textBaseline = 'middle'
      const text = t('waves.turn', { seats: label(pair) })
      fillNumber(ctx, text, place.x + place.radius + 12, place.y)
    })
  }

  /** @param {Frame} frame */
  function drawMap(frame) {
    if (!model) return
    const { ctx, height, theme } = frame
    const scale = scaleOf(frame)
    const rect = plotOf(scale, height)
    const { dModel, tMax } = model.state
    const code = focused(state, model)
    const { learned } = model
    drawHeatmap(ctx, {
      rect,
      scale,
      theme,
      data: code.data,
      rows: code.shape[0],
      columns: dModel,
      limit: limit(),
      cache: caches[state.mode],
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
    const found = rowOf(focused(state, model), position)
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
    if (counted.shape[0] !== length) counted = bitMatrix(model)
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
      count: bitCount(model),
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
      const position = positionsUnder(picture, length).invert(point.x)
      const down = (point.y - OVERHANG) / Math.max(1, picture.clientHeight - 2 * OVERHANG)
      const dimension = Math.min(dModel - 1, Math.max(0, Math.floor(down * dModel)))
      hover = reads && event.type !== 'pointerleave' ? { position, dimension } : undefined
      held = dragging
      if (dragging) {
        player.stop()
        host.accept(withPatch(host.state(), reads ? { position, dimension } : { position }))
      }
      speak()
    }
  }

  function speak() {
    if (!model) return
    limit()
    const words = figureWords(t, state, model, hover)
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
