// Distance: the pictures. Two figures on one axis of distances, the wall of the table in both.
import { axisXHeight, drawAxisX, drawAxisY } from '../../charts/core/axis.js'
import { invalidateTheme, plateText } from '../../charts/core/canvas.js'
import { drawLegend, drawLines } from '../../charts/line.js'
import { linear } from '../../charts/core/scale.js'
import { MODES } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'
import { OVERHANG, drawTableEnd, positionsAcross, positionsUnder } from '../../kit/along.js'
import { createFigure } from '../../kit/figure.js'
import { figureWords, scoreMatrix, scoreTable, short } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').OffsetsModel} OffsetsModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../charts/line.js').Series} Series
 */

/** Codes differ by dash as well as by hue. @type {Record<State['mode'], import('../../charts/line.js').Dash>} */
const DASH = {
  sinusoidal: 'solid',
  learned: 'dashed',
  rope: 'solid',
  alibi: 'solid',
  t5: 'dotted',
  nope: 'dashdot',
}

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountOffsets(host) {
  const { el, t } = host
  let state = host.state()
  /** @type {OffsetsModel | undefined} */
  let model
  /** @type {import('../../kit/memo.js').Memory} */
  const memory = {}

  const means = createFigure(host, {
    className: 'scores means',
    draw: (frame) => model && drawMeans(frame, model),
    onPointer: (_event, point, dragging) => dragging && aim(means.picture, point),
    table: () => scoreTable(t, model, 'means'),
    matrix: () => model && scoreMatrix(model, 'means'),
  })
  const pair = createFigure(host, {
    className: 'scores pair',
    draw: (frame) => model && drawPair(frame, model),
    onPointer: (_event, point, dragging) => dragging && aim(pair.picture, point),
    table: () => scoreTable(t, model, 'pair'),
    matrix: () => model && scoreMatrix(model, 'pair'),
  })
  const controls = ['distance', 'queryAt', 'queryAt2'].map((name) => host.numberControl(name))
  const [distance, ...queries] = controls.map(({ element }) => element)
  const pairing = host.radioGroup({
    label: t('field.pairing'),
    className: 'chips',
    name: host.uniqueId('pairing'),
    values: ['same', 'other'],
    describe: (value) => t(`offsets.${value}`),
    onChange: (value) =>
      host.accept(withPatch(host.state(), /** @type {any} */ ({ pairing: value }))),
  })
  const card = mountCard(host)
  host.root.append(
    el(
      'div',
      { class: 'main' },
      means.element,
      distance,
      host.sentence,
      pair.element,
      el('div', { class: 'moves' }, ...queries),
    ),
    el(
      'div',
      { class: 'side' },
      card.element,
      pairing.element,
      el('p', { class: 'legend' }, t('offsets.legend')),
    ),
  )

  /** @param {HTMLElement} picture @param {{ x: number }} point */
  function aim(picture, point) {
    const { length } = state
    const wanted = positionsUnder(picture, length).invert(point.x)
    host.accept(withPatch(host.state(), { distance: Math.max(0, Math.min(length - 1, wanted)) }))
  }

  /**
   * @param {Frame} frame
   * @param {OffsetsModel} now
   * @param {Series[]} series
   * @param {{ y: [number, number], top?: number, walls: number[], ends: number | undefined }} place
   *   `ends`: distance at which the table has no more rows, where that is the matter
   */
  function drawScores(frame, { state: { length, distance: at } }, series, place) {
    const { ctx, width, height, theme } = frame
    const { y: domain, top = 0, walls, ends } = place
    const scale = positionsAcross({ width, typeScale: theme.typeScale }, length)
    const label = t('offsets.axis')
    const axis = axisXHeight(theme, { label })
    const y = top + OVERHANG
    const rect = {
      x: scale.x0,
      y,
      width: scale.x1 - scale.x0,
      height: Math.max(1, height - axis - y),
    }
    const yScale = linear(domain, [rect.y + rect.height, rect.y])
    drawAxisY(ctx, { scale: yScale, theme, x: rect.x, label: t('offsets.axis.score'), grid: rect })
    for (const wall of walls) {
      const table = {
        rows: ends === undefined ? length : Math.max(0, ends),
        tMax: Math.max(0, wall),
      }
      drawTableEnd(frame, scale, rect, { ...table, label: top > 0 ? '' : t('offsets.norow') })
    }
    drawLines(ctx, { rect, xScale: scale, yScale, series, theme, zero: 0, cursor: at })
    // Over the lines, which would hide what the wall is.
    const wall = walls[0]
    if (top > 0 && wall > 0 && wall < length) {
      const x = scale.left(wall)
      plateText(ctx, t('field.costRows'), x, rect.y + 8 * theme.typeScale, {
        theme,
        colour: theme.ink,
      })
    }
    const below = rect.y + rect.height
    drawAxisX(ctx, { scale, theme, y: below, label, rect: { x: 0, y: below, width, height: axis } })
  }

  /** @param {Frame} frame @param {OffsetsModel} now */
  function drawMeans(frame, now) {
    const { ctx, width, theme } = frame
    const { mode, tMax, queryAt } = now.state
    const items = MODES.map((code) => ({
      label: t(`mode.${code}`),
      colour: theme[code],
      dash: DASH[code],
    }))
    const top = drawLegend(ctx, { x: 0, y: 0, width, theme, items })
    // The code in focus comes last: nothing lies over it.
    const order = [...MODES.filter((code) => code !== mode), mode]
    const series = order.flatMap((code) => {
      const line = now.lines[code]
      if (!line) return []
      const focus = code === mode
      const spread = (/** @type {1 | -1} */ sign) =>
        line.mean.map((value, k) => value + sign * line.deviation[k])
      const band = focus ? { low: spread(-1), high: spread(1) } : undefined
      return { band, y: line.mean, colour: theme[code], dash: DASH[code], width: focus ? 3.5 : 1.5 }
    })
    const ends = mode === 'learned' ? now.rows - queryAt : undefined
    drawScores(frame, now, series, { y: rangeOf(now), top, walls: [tMax - queryAt], ends })
  }

  /** @param {Frame} frame @param {OffsetsModel} now */
  function drawPair(frame, now) {
    const { theme } = frame
    const { mode, queryAt, queryAt2 } = now.state
    const lines = [now.lines[mode], now.second]
    /** @type {Series[]} */
    const series = lines.flatMap((line, which) => {
      if (!line) return []
      // The second lies upon the first where only the distance counts: both must show.
      return which === 0
        ? { y: line.one, colour: theme[mode], width: 6 }
        : { y: line.one, colour: theme.ink, width: 2, dash: 'dashed' }
    })
    const learned = mode === 'learned'
    drawScores(frame, now, series, {
      y: padded(series.flatMap(({ y }) => Array.from(y))),
      walls: learned ? [queryAt, queryAt2].map((at) => now.rows - at) : [],
      ends: learned ? now.rows - Math.min(queryAt, queryAt2) : undefined,
    })
  }

  const figures = [means, pair]
  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      for (const control of controls) control.sync(state)
      pairing.select(state.pairing)
    },
    /** @param {State} next @param {OffsetsModel} computed */
    draw(next, computed) {
      state = next
      // The distance moves at once: its numbers are all there.
      model = {
        ...computed,
        state: { ...computed.state, distance: Math.min(next.distance, computed.state.length - 1) },
      }
      const words = figureWords(t, model)
      means.say(words.means)
      pair.say(words.pair)
      card.show(model)
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

/**
 * The six codes side by side and at the distance in focus: read rather than looked at.
 * @param {import('../../kit/host.js').SceneHost} host
 */
function mountCard({ el, t, setText, uniqueId, state }) {
  const id = uniqueId('scores')
  const far = el('th', { scope: 'col' }, t('offsets.at', { distance: state().distance }))
  const rows = MODES.map((code) => {
    const cells = [el('td'), el('td')]
    const head = el(
      'th',
      { scope: 'row', class: `hue-${code}` },
      el('i', { class: 'dot' }),
      ' ',
      t(`mode.${code}`),
    )
    return { code, cells, element: el('tr', {}, head, ...cells) }
  })
  return {
    element: el(
      'section',
      { class: 'card', 'aria-labelledby': id },
      el('p', { class: 'name', id }, t('offsets.card')),
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el('tr', {}, el('td'), el('th', { scope: 'col' }, t('offsets.at', { distance: 0 })), far),
        ),
        el('tbody', {}, ...rows.map(({ element }) => element)),
      ),
    ),
    /** @param {OffsetsModel} model */
    show({ state: { distance, mode }, lines }) {
      setText(far, t('offsets.at', { distance }))
      for (const { code, cells, element } of rows) {
        element.classList.toggle('chosen', code === mode)
        ;[0, distance].forEach((at, i) => {
          const value = lines[code]?.mean[at]
          setText(cells[i], short(value))
          cells[i].classList.toggle('missing', value === undefined)
        })
      }
    },
  }
}

/**
 * ALiBi falls without end: unless it is in focus, it may run out of the picture.
 * @param {OffsetsModel} model
 * @returns {[number, number]}
 */
function rangeOf({ state: { mode }, lines }) {
  const of = (/** @type {readonly State['mode'][]} */ codes) =>
    padded(codes.flatMap((code) => Array.from(lines[code]?.mean ?? [])))
  const all = of(MODES)
  if (mode === 'alibi') return all
  const [low, high] = of(MODES.filter((code) => code !== 'alibi'))
  return [Math.max(all[0], Math.min(low, 0) - (high - low) / 2), high]
}

/** @param {number[]} values @returns {[number, number]} */
function padded(values) {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (!(low <= high)) return [0, 1]
  const pad = (high - low || 1) * 0.06
  return [low - pad, high + pad]
}
