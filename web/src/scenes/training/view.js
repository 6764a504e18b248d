// Training: the pictures, and the switches that make them move.
import { drawAxisX, drawAxisY, axisXHeight } from '../../charts/core/axis.js'
import { barsPlot, drawBars } from '../../charts/bars.js'
import { invalidateTheme } from '../../charts/core/canvas.js'
import { drawColumns } from '../../charts/columns.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { drawLines } from '../../charts/line.js'
import { linear, positionScale } from '../../charts/core/scale.js'
import { drawTargets } from '../../charts/targets.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { GUTTER } from '../../kit/plot.js'
import { cellUnder, plotOf, positionsAcross } from '../../kit/along.js'
import { createFigure } from '../../kit/figure.js'
import { largestAbsolute, rowOf } from '../../kit/numbers.js'
import { LAST_STEP, isOf } from './run.js'
import { mountControls } from './controls.js'
import {
  curveMatrix,
  curveTable,
  distanceMatrix,
  distanceTable,
  distancesShown,
  figureWords,
  miniatureWords,
  rowMatrix,
  rowShown,
  rowTable,
  tableShown,
  windowTable,
} from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').TrainingModel} TrainingModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 */

/** The target is half the sinusoidal code, whose values reach from -1 to 1. */
const TARGET_LIMIT = 0.5

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountTraining(host) {
  const { el, t } = host
  /** @type {import('./index.js').Memory} */
  const memory = { run: undefined }
  let state = host.state()
  /** @type {TrainingModel | undefined} */
  let model
  /** @type {{ position: number, dimension: number } | undefined} */
  let hover
  /** @type {TrainingModel | undefined} what the stage gave last */
  let given
  const cache = {}

  const map = createFigure(host, {
    className: 'map map-training',
    hue: 'hue-learned',
    draw: drawMap,
    onPointer: (event, point, dragging) => aim(map.picture, event, point, dragging),
    table: (whole) => windowTable(t, state, model, whole),
    matrix: () => model && tableShown(model, state),
  })
  const distance = createFigure(host, {
    className: 'distances',
    draw: drawDistances,
    onPointer: (event, point, dragging) => aim(distance.picture, event, point, dragging),
    table: () => distanceTable(t, model),
    matrix: () => distanceMatrix(model),
  })
  const loss = createFigure(host, {
    className: 'card loss',
    draw: drawLoss,
    table: (whole) => curveTable(t, model, whole),
    matrix: () => curveMatrix(model),
  })
  const row = createFigure(host, {
    className: 'card row-training',
    hue: 'hue-learned',
    draw: drawRow,
    table: () => rowTable(t, state, model),
    matrix: () => rowMatrix(state, model),
  })
  const figures = [map, distance, loss, row]
  const controls = mountControls(host, {
    stands: () => (model && isOf(model, state) ? model.steps : undefined),
    train: trainOn,
    onStop: () => controls.show(state),
  })
  const steps = host.numberControl('steps')
  const title = el('h2', {}, t('training.miniature.title'))
  const paragraphs = [el('p', {}), el('p', {}), el('p', {})]
  loss.element.append(steps.element)
  row.element.append(
    el(
      'p',
      { class: 'legend' },
      el('i', { class: 'dot hue-learned' }),
      t('cost.line.learned'),
      el('i', { class: 'stroke hue-sinusoidal' }),
      t('training.legend.target'),
    ),
  )
  host.root.append(
    el(
      'div',
      { class: 'main' },
      map.element,
      distance.element,
      controls.row,
      controls.transport,
      host.sentence,
      el('section', { class: 'miniature' }, title, ...paragraphs),
    ),
    el('div', { class: 'side' }, loss.element, row.element),
  )
  // A stage in another language, or with other controls, has a new view and no run of its own yet.
  queueMicrotask(() => {
    if (!memory.run) host.recompute()
  })

  /** @returns {number} the row under the cursor */
  const cursor = () => rowShown(state, model)

  /** @param {Frame} frame */
  function drawMap({ ctx, width, height, theme }) {
    if (!model) return
    const { dModel, tMax } = model.state
    const scale = positionsAcross({ width, typeScale: theme.typeScale }, tMax)
    const rect = plotOf(scale, height)
    const { data } = tableShown(model, state)
    const colour = state.shown === 'target' ? theme.sinusoidal : theme.learned
    drawHeatmap(ctx, {
      rect,
      scale,
      theme,
      data,
      rows: tMax,
      columns: dModel,
      limit: limitOf(model),
      cache,
      cursor: { position: cursor(), colour },
    })
    const down = positionScale({ start: 0, end: dModel, x0: rect.y, x1: rect.y + rect.height })
    drawAxisY(ctx, { scale: down, theme, x: rect.x, label: t('beyond.axis.dimension') })
  }

  /** @param {Frame} frame */
  function drawDistances({ ctx, width, height, theme }) {
    if (!model) return
    const xScale = positionsAcross({ width, typeScale: theme.typeScale }, model.state.tMax)
    const label = t('beyond.axis.position')
    const axis = axisXHeight(theme, { label })
    const y = height - axis
    const rect = { x: xScale.x0, y: 6, width: xScale.x1 - xScale.x0, height: Math.max(1, y - 6) }
    const most = largestAbsolute(model.startDistances, Number.MIN_VALUE)
    const yScale = linear([0, most * 1.04], [y, rect.y])
    drawAxisY(ctx, { scale: yScale, theme, x: rect.x, grid: rect })
    drawColumns(ctx, {
      rect,
      xScale,
      yScale,
      data: distancesShown(model, state),
      before: model.startDistances,
      colour: theme.learned,
      theme,
      cursor: cursor(),
    })
    drawAxisX(ctx, { scale: xScale, theme, y, label, rect: { x: 0, y, width, height: axis } })
  }

  /** @param {Frame} frame */
  function drawLoss({ ctx, width, height, theme }) {
    if (!model) return
    const scale = theme.typeScale
    const label = t('training.axis.steps')
    const axis = axisXHeight(theme, { label })
    const x = GUTTER.left * scale
    const rect = { x, y: 8, width: width - x - 10, height: Math.max(1, height - 8 - axis) }
    const bottom = rect.y + rect.height
    const xScale = linear([0, LAST_STEP], [rect.x, rect.x + rect.width])
    const yScale = linear([0, model.startLoss * 1.04], [bottom, rect.y])
    drawAxisY(ctx, { scale: yScale, theme, x, grid: rect })
    const { curve, steps: now } = model
    const until = upTo(curve.steps, now)
    /** @param {number} from @param {number} to */
    const part = (from, to) => ({
      x: curve.steps.slice(from, to),
      y: curve.losses.slice(from, to),
      colour: theme.learned,
    })
    const walked = part(0, until)
    if (walked.x[until - 1] !== now) {
      walked.x.push(now)
      walked.y.push(model.loss)
    }
    drawLines(ctx, {
      rect,
      xScale,
      yScale,
      theme,
      zero: 0,
      cursor: now,
      series: [
        { ...part(Math.max(0, until - 1), curve.steps.length), dash: 'dotted', faint: true },
        { ...walked, marker: undefined, width: 2.5 },
      ],
    })
    drawAxisX(ctx, {
      scale: xScale,
      theme,
      y: bottom,
      label,
      line: true,
      rect: { x: 0, y: bottom, width, height: axis },
    })
  }

  /** @param {Frame} frame */
  function drawRow({ ctx, width, height, theme }) {
    if (!model) return
    const learned = rowOf(tableShown(model, state), cursor())
    const limit = limitOf(model)
    const options = {
      rect: { x: 0, y: 0, width, height },
      data: learned,
      limit,
      colour: state.shown === 'target' ? theme.sinusoidal : theme.learned,
      theme,
      pairs: false,
      format: (/** @type {number} */ value) => formatNumber(value, 2),
    }
    drawBars(ctx, options)
    const plot = barsPlot(ctx, options)
    const data = rowOf(model.target, cursor())
    if (state.shown !== 'target') {
      drawTargets(ctx, { plot, data, limit, colour: theme.sinusoidal, theme })
    }
  }

  /**
   * Drag to move the cursor from row to row; hover to read a value.
   * @param {HTMLElement} picture
   * @param {PointerEvent} event
   * @param {{ x: number, y: number }} point
   * @param {boolean} dragging
   */
  function aim(picture, event, point, dragging) {
    if (!model) return
    const { dModel, tMax } = model.state
    const cell = cellUnder(picture, point, tMax, dModel)
    const inside = event.type !== 'pointerleave' && picture === map.picture
    hover = inside ? cell : undefined
    if (dragging) {
      const patch = picture === map.picture ? cell : { position: cell.position }
      host.accept(withPatch(host.state(), patch))
    }
    speak()
  }

  function speak() {
    if (!model) return
    const words = figureWords(t, state, model, limitOf(model), hover)
    map.say(words.map)
    distance.say(words.distance)
    loss.say(words.loss)
    row.say(words.row)
    miniatureWords(t, model).forEach((text, i) => host.setText(paragraphs[i], text))
  }

  /**
   * The shortest way from a step to its picture, for playing.
   * @param {number} to
   */
  async function trainOn(to) {
    const wanted = withPatch(state, { steps: to })
    try {
      const standing = await memory.run?.at(wanted)
      if (!standing || !isOf({ state: wanted }, state)) return
      model = { scene: 'training', state: wanted, ...standing }
      for (const figure of figures) figure.invalidate()
    } catch (error) {
      if (/** @type {{ code?: string }} */ (error).code === 'aborted') return
      // The stage meets the same failure and knows what to say.
      controls.destroy()
      host.recompute()
    }
  }

  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      host.root.dataset.shown = state.shown
      steps.sync(state)
      controls.sync(state)
    },
    /** @param {State} next @param {TrainingModel} computed */
    draw(next, computed) {
      state = next
      // While it plays the picture runs ahead of what the stage was given last.
      if (computed === given && controls.playing()) return
      if (computed !== given) {
        given = computed
        model = computed
        controls.answered()
      }
      speak()
      for (const figure of figures) figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      for (const figure of figures) figure.invalidate()
    },
    destroy() {
      controls.destroy()
      memory.run?.close()
      for (const figure of figures) figure.destroy()
      host.root.replaceChildren()
    },
  }
}

/**
 * One scale of colours for start, now and target. The target alone would reach a half.
 * @param {TrainingModel} model
 */
function limitOf({ largest }) {
  return Math.max(TARGET_LIMIT, largest)
}

/**
 * @param {number[]} rising
 * @param {number} value
 * @returns {number} how many are not above it
 */
function upTo(rising, value) {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rising[middle] <= value) low = middle + 1
    else high = middle
  }
  return low
}
