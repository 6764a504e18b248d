// Biases: the pictures. Scores, bias and both softmaxes beside each other; what one query attends to;
// the bias by distance; how the softmax thins out.
import { drawAxisX, drawAxisY, axisXHeight } from '../charts/axis.js'
import { hatch, invalidateTheme, pixelGrid, setFont } from '../charts/canvas.js'
import { drawGroups } from '../charts/groups.js'
import { drawHeatmap } from '../charts/heatmap.js'
import { drawLines } from '../charts/line.js'
import { linear, positionScale } from '../charts/scale.js'
import { withPatch } from '../state/state.js'
import { formatNumber } from '../text/text.js'
import {
  HEADS,
  LENGTHS,
  LONGEST,
  PANELS,
  TRAINED,
  offsetsOf,
  percent,
  slopeText,
} from './biases_common.js'
import { biasTable, rangeOf, rowTable, thinTable } from './biases_words.js'
import { createFigure } from './figure.js'
import { largestAbsolute } from './numbers.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').TextKey} TextKey
 * @typedef {import('../charts/canvas.js').Frame} Frame
 * @typedef {import('../charts/canvas.js').Rect} Rect
 * @typedef {import('./biases.js').BiasesModel} BiasesModel
 * @typedef {import('./biases.js').Attended} Attended
 */

/** The slopes' picture ends at this bias: steeper heads leave it. */
const DEEPEST = -16

/** @param {import('../stage.js').SceneHost} host */
export function mountBiases(host) {
  const { el, t } = host
  let state = host.state()
  /** @type {BiasesModel | undefined} */
  let model
  /** The panels as a picture has them: keys along x. */
  /** @type {WeakMap<Attended, Record<string, Float64Array>>} */
  const turned = new WeakMap()
  const memory = {}

  const maps = createFigure(host, {
    className: 'maps',
    draw: drawMaps,
    onPointer: choose,
    table: () => rowTable(t, state, model),
    matrix: () => model && { data: model.now.biased, shape: [model.now.length, model.now.length] },
  })
  const row = createFigure(host, {
    className: 'row',
    draw: drawRow,
    onPointer: () => {},
    table: () => rowTable(t, state, model),
  })
  const lines = createFigure(host, {
    className: 'card lines',
    draw: drawBias,
    table: () => biasTable(t, state, model),
  })
  const thin = createFigure(host, {
    className: 'card thin',
    draw: drawThin,
    table: () => thinTable(t, state, model),
  })
  const figures = [maps, row, lines, thin]
  const times = chips('field.biasLength', 'biasLength', LENGTHS.map(String), (value) =>
    t('biases.times', { length: value, times: Number(value) / TRAINED }),
  )
  const sides = chips('field.sided', 'sided', ['causal', 'symmetric'], (value) =>
    t(/** @type {TextKey} */ (`biases.${value}`)),
  )
  const [head, tokens, asked, count, most] = /** @type {const} */ ([
    'biasHead',
    'biasLength',
    'biasQuery',
    'numBuckets',
    'maxDistance',
  ]).map((name) => host.numberControl(name))
  const controls = [head, tokens, asked, count, most]
  const buckets = el('div', { class: 'buckets' }, count.element, most.element)
  lines.element.append(buckets)
  host.root.append(
    el(
      'div',
      { class: 'main' },
      el('div', { class: 'what' }, sides.element, times.element),
      maps.element,
      el('div', { class: 'moves' }, tokens.element, head.element, asked.element),
      row.element,
      host.sentence,
    ),
    el('div', { class: 'side' }, thin.element, lines.element),
  )

  /**
   * @param {TextKey} label
   * @param {'biasLength' | 'sided'} field
   * @param {string[]} values
   * @param {(value: string) => string} describe
   */
  function chips(label, field, values, describe) {
    return host.radioGroup({
      label: t(label),
      className: 'chips',
      name: host.uniqueId(field),
      values,
      describe,
      onChange: (value) => choice(field, value),
    })
  }

  /** @param {'biasLength' | 'sided'} field @param {string} value */
  function choice(field, value) {
    const length = Number(value)
    // The sentence is about the last query: whoever takes another length sees that one.
    const patch =
      field === 'sided' ? { sided: value } : { biasLength: length, biasQuery: length - 1 }
    host.accept(withPatch(host.state(), patch))
  }

  const hue = (/** @type {import('../charts/canvas.js').Theme} */ theme) =>
    state.mode === 't5' ? theme.t5 : theme.alibi

  /**
   * Four squares, two rows of them where there is no room for one.
   * @param {number} width @param {number} height @param {number} px
   */
  function squares(width, height, px) {
    const columns = width > 32 * px ? 4 : 2
    const down = PANELS.length / columns
    // The frame of a query reaches so far out of its square.
    const out = 3
    const step = { x: (width + px - 2 * out) / columns, y: height / down }
    const side = Math.max(10, Math.min(step.x - px, step.y - px * 3.2))
    return PANELS.map((name, i) => ({
      name,
      x: out + (i % columns) * step.x,
      y: Math.floor(i / columns) * step.y + px * 1.6,
      width: side,
      height: side,
    }))
  }

  /** @param {Attended} now @param {typeof PANELS[number]} name */
  function transposed(now, name) {
    let known = turned.get(now)
    if (!known) turned.set(now, (known = {}))
    const { length: n, [name]: data } = now
    known[name] ??= Float64Array.from(
      { length: n * n },
      (_, i) => data[(i % n) * n + Math.floor(i / n)],
    )
    // A future key has no weight, rather than one of zero.
    if (name === 'plain' || name === 'biased') {
      known[name] = known[name].map((value, i) =>
        model?.state.sided === 'causal' && Math.floor(i / n) > i % n ? NaN : value,
      )
    }
    return known[name]
  }

  /** @param {Frame} frame */
  function drawMaps({ ctx, width, height, theme }) {
    if (!model) return
    const { now } = model
    const n = now.length
    const px = setFont(ctx, theme)
    const grid = pixelGrid(ctx)
    const chosen = model.state.biasQuery
    for (const { name, ...rect } of squares(width, height, px)) {
      const { limit, ends } = rangeOf(now, state.mode, name)
      drawHeatmap(ctx, { rect, data: transposed(now, name), rows: n, columns: n, limit, theme })
      ctx.strokeStyle = theme.rule
      ctx.lineWidth = grid.line(theme.lineWeight)
      ctx.strokeRect(rect.x, rect.y, rect.width, rect.height)
      const y = rect.y + (chosen * rect.height) / n
      ctx.strokeStyle = theme.panel
      ctx.lineWidth = grid.line(4 * theme.lineWeight)
      ctx.strokeRect(rect.x - 1, y - 1, rect.width + 2, rect.height / n + 2)
      ctx.strokeStyle = theme.ink
      ctx.lineWidth = grid.line(1.5 * theme.lineWeight)
      ctx.strokeRect(rect.x - 1, y - 1, rect.width + 2, rect.height / n + 2)
      setFont(ctx, theme, { weight: 600 })
      ctx.fillStyle = theme.ink
      ctx.textBaseline = 'middle'
      ctx.textAlign = 'left'
      ctx.fillText(t(`biases.panel.${name}`), rect.x, rect.y - px * 0.85, rect.width)
      setFont(ctx, theme)
      ctx.fillStyle = theme.muted
      ctx.fillText(ends, rect.x, rect.y + rect.height + px * 1.1, rect.width)
      if (name === 'scores' && state.sided === 'causal') {
        // What the hatched triangle means.
        const unseen = t('biases.unseen')
        const wide = Math.min(ctx.measureText(unseen).width + px * 0.6, rect.width * 0.75)
        const left = rect.x + rect.width - wide
        ctx.fillStyle = theme.panel
        ctx.fillRect(left, rect.y, wide, px * 1.5)
        ctx.fillStyle = theme.muted
        ctx.fillText(unseen, left + px * 0.3, rect.y + px * 0.75, wide - px * 0.6)
      }
    }
  }

  /**
   * @param {PointerEvent} _event
   * @param {{ x: number, y: number }} point
   * @param {boolean} dragging
   */
  function choose(_event, point, dragging) {
    if (!dragging) return
    const { width, height } = maps.picture.getBoundingClientRect()
    const scale = parseFloat(getComputedStyle(maps.picture).getPropertyValue('--type-scale')) || 1
    const places = squares(width, height, 12.5 * scale)
    const distance = (/** @type {Rect} */ { y, height: side }) => Math.abs(point.y - y - side / 2)
    const nearest = places.reduce((best, one) => (distance(one) < distance(best) ? one : best))
    const n = state.biasLength
    const wanted = Math.floor(((point.y - nearest.y) / nearest.height) * n)
    const biasQuery = Math.min(n - 1, Math.max(0, wanted))
    host.accept(withPatch(host.state(), { biasQuery }))
  }

  /** Weights of one query. @param {BiasesModel} computed @param {'plain' | 'biased'} name */
  function weightsOf({ now, state: shown }, name) {
    const query = shown.biasQuery
    return now[name].slice(query * now.length, (query + 1) * now.length)
  }

  /** @param {Frame} frame */
  function drawRow({ ctx, width, height, theme }) {
    if (!model) return
    const label = t('biases.axis.key')
    const axis = axisXHeight(theme, { label })
    const x = 46 * theme.typeScale
    const rect = { x, y: 8, width: width - x - 10 * theme.typeScale, height: height - axis - 8 }
    const [plain, biased] = [weightsOf(model, 'plain'), weightsOf(model, 'biased')]
    const top = Math.max(largestAbsolute(plain), largestAbsolute(biased), 0.05)
    const yScale = linear([0, top * 1.05], [rect.y + rect.height, rect.y])
    const xScale = positionScale({ start: 0, end: model.now.length, x0: x, x1: x + rect.width })
    drawAxisY(ctx, { scale: yScale, theme, x, grid: rect })
    drawLines(ctx, {
      rect,
      xScale,
      yScale,
      theme,
      zero: 0,
      cursor: model.state.biasQuery,
      series: [
        { y: plain, colour: theme.nope, dash: 'dashed', marker: 'ring' },
        { y: biased, colour: hue(theme), width: 2.5, marker: 'circle' },
      ],
    })
    const y = rect.y + rect.height
    drawAxisX(ctx, { scale: xScale, theme, y, label, rect: { x: 0, y, width, height: axis } })
  }

  /** @param {Frame} frame */
  function drawBias({ ctx, width, height, theme }) {
    if (!model) return
    const { from, to } = offsetsOf(state)
    const t5 = state.mode === 't5'
    const label = t('biases.axis.offset')
    const axis = axisXHeight(theme, { label })
    const x = 40 * theme.typeScale
    const rect = { x, y: 8, width: width - x - 10 * theme.typeScale, height: height - axis - 8 }
    const xScale = linear([from, to], [x, x + rect.width])
    const steps = Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const cut = (/** @type {ArrayLike<number>} */ all) => steps.map((step) => all[step + LONGEST])
    /** @type {import('../charts/line.js').Series[]} */
    let series
    if (t5) {
      const found = cut(model.buckets)
      // A bucket reaches half a seat to either side.
      const edges = steps.flatMap((step) => [step - 0.5, step + 0.5])
      series = [{ x: edges, y: found.flatMap((b) => [b, b]), colour: theme.t5, width: 2.5 }]
      for (const side of [-1, 1]) {
        const start = side * (model.far - 0.5)
        const [a, b] = side < 0 ? [from, start] : [start, to]
        if (b <= a) continue
        const area = { ...rect, x: xScale(a), width: xScale(b) - xScale(a) }
        hatch(ctx, area, theme.t5, { spacing: 8 * theme.typeScale, alpha: 0.3 })
      }
    } else {
      const { lines: heads, state: shown } = model
      series = heads.map((line, i) => ({
        x: steps,
        y: cut(line),
        colour: i === shown.biasHead - 1 ? theme.alibi : theme.muted,
        width: i === shown.biasHead - 1 ? 3 : 1,
      }))
    }
    const yScale = t5
      ? linear([-0.5, state.numBuckets], [rect.y + rect.height, rect.y])
      : linear([DEEPEST, 0], [rect.y + rect.height, rect.y])
    drawAxisY(ctx, { scale: yScale, theme, x, grid: rect })
    ctx.save()
    ctx.beginPath()
    ctx.rect(rect.x, rect.y - 3, rect.width + 3, rect.height + 3)
    ctx.clip()
    drawLines(ctx, { rect, xScale, yScale, theme, series })
    ctx.restore()
    const y = rect.y + rect.height
    drawAxisX(ctx, { scale: xScale, theme, y, label, rect: { x: 0, y, width, height: axis } })
  }

  /** @param {Frame} frame */
  function drawThin({ ctx, width, height, theme }) {
    if (!model) return
    drawGroups(ctx, {
      rect: { x: 0, y: 0, width, height },
      most: 1,
      theme,
      colours: [theme.nope, hue(theme)],
      format: percent,
      chosen: LENGTHS.indexOf(model.now.length),
      groups: model.lengths.map(({ length: n, near }) => ({
        label: t('biases.times', { length: n, times: n / TRAINED }),
        values: near,
      })),
    })
  }

  /** @param {BiasesModel} computed */
  function speak(computed) {
    const { now, state: shown, slopes, lengths, far } = computed
    const { biasHead, mode, numBuckets } = shown
    const query = shown.biasQuery
    const t5 = mode === 't5'
    const name = t(`mode.${mode}`)
    const values = { n: now.length, query, head: biasHead, name, near: TRAINED }
    const slope = slopeText(slopes[biasHead - 1])
    const largest = (/** @type {'plain' | 'biased'} */ which) =>
      formatNumber(largestAbsolute(weightsOf(computed, which)), 2)
    const top = { ...values, plain: largest('plain'), biased: largest('biased') }
    maps.say({
      name: t('biases.maps', values),
      note: t('biases.maps.note'),
      summary: t('biases.summary.maps', values),
    })
    row.say({
      name: t('biases.row', values),
      note: t('biases.row.note'),
      readout: t('biases.row.readout', top),
      summary: t('biases.summary.row', top),
    })
    lines.say({
      name: t5 ? t('biases.buckets') : t('biases.slope', { ...values, heads: HEADS, slope }),
      summary: t5
        ? t('biases.summary.buckets', { count: numBuckets, far })
        : t('biases.summary.slopes', { slopes: Array.from(slopes, slopeText).join(', ') }),
    })
    const list = lengths.map(({ length: n, near }) => `${n}: ${near.map(percent).join(' / ')}`)
    thin.say({
      name: t('biases.thin', values),
      summary: t('biases.summary.thin', { ...values, list: list.join('; ') }),
    })
    buckets.hidden = !t5
  }

  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      for (const control of controls) control.sync(state)
      times.select(String(state.biasLength))
      sides.select(state.sided)
    },
    /** @param {State} next @param {BiasesModel} computed */
    draw(next, computed) {
      state = next
      model = computed
      speak(computed)
      for (const figure of figures) figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      for (const figure of figures) figure.invalidate()
    },
    destroy() {
      for (const figure of figures) figure.destroy()
      host.root.replaceChildren()
    },
  }
}
