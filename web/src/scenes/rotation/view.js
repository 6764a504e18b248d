// Rotation: the pictures. Planes of the pairs, two cursors on one row of seats, the score beside them.
import { drawArrow } from '../../charts/core/arrow.js'
import { drawAxisX, axisXHeight } from '../../charts/core/axis.js'
import {
  fillNumber,
  invalidateTheme,
  numberWidth,
  roundRect,
  setFont,
} from '../../charts/core/canvas.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { drawPermutation } from '../../charts/permutation.js'
import { drawPlanes } from '../../charts/planes.js'
import { drawSeats } from '../../charts/seats.js'
import { MAX_SEATS } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'
import { positionsAcross, positionsUnder } from '../../kit/along.js'
import { createFigure } from '../../kit/figure.js'
import { formatError } from '../../kit/format.js'
import { namesOf, pairsOf, show, signed, speedOf } from './common.js'
import { blockTable, orderTable, planesTable } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('./index.js').RotationModel} RotationModel
 */

/** So near to a cursor a press takes hold of it, in px; between the two it takes both. */
const GRIP = 16
const STEPS = [-10, -1, 1, 10]

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountRotation(host) {
  const { el, t, setText } = host
  let state = host.state()
  /** @type {RotationModel | undefined} */
  let model
  /** What the reader's hand has, and where. */
  /** @type {{ names: ('position' | 'position2')[], at: number }} */
  let grip = { names: ['position'], at: 0 }
  const memory = {}

  const planes = createFigure(host, {
    className: 'planes',
    draw: (frame) => model && drawModel(frame, model),
    table: () => planesTable(t, state, model),
    matrix: () => model && vectorMatrix(model),
  })
  const strip = createFigure(host, {
    className: 'seats',
    draw: drawStrip,
    onPointer: pull,
    table: () => planesTable(t, state, model),
  })
  const order = createFigure(host, {
    className: 'card permutation',
    draw: (frame) => model && drawOrder(frame, model),
    table: () => orderTable(t, state),
  })
  const block = createFigure(host, {
    className: 'card block',
    draw: drawBlock,
    table: () => blockTable(t, state, model),
    matrix: () => model?.rotation,
  })
  const figures = [planes, strip, order, block]
  const rest = el('p', { class: 'rest' })
  block.element.append(rest)
  const controls = [host.numberControl('position'), host.numberControl('position2')]
  const [first, second] = controls
  first.element.append(strip.button)
  controls.forEach(({ element }, i) => element.querySelector('.label')?.prepend(`${'mn'[i]} · `))
  const shifts = STEPS.map((step) => ({
    step,
    button: el(
      'button',
      { type: 'button', class: 'quiet', 'data-step': step, onclick: () => shift(step) },
      step > 0 ? `+${step}` : signed(step),
    ),
  }))
  const layout = host.radioGroup({
    label: t('field.layout'),
    className: 'chips',
    name: host.uniqueId('layout'),
    values: ['interleaved', 'half-split'],
    describe: (value) =>
      t(/** @type {'rotation.layout.half-split'} */ (`rotation.layout.${value}`)),
    onChange: (value) => host.accept(withPatch(host.state(), { layout: value })),
  })
  order.element.insertBefore(layout.element, order.picture)
  const score = el('b', { class: 'amount-score' })
  const offset = el('b', { class: 'amount-offset' })
  const scoreName = el('span', { class: 'muted' })
  const lines = /** @type {const} */ (['interleaved', 'split', 'permuted']).map((name) => {
    const cell = el('td')
    return {
      name,
      cell,
      row: el('tr', {}, el('th', { scope: 'row' }, t(`rotation.${name}`)), cell),
    }
  })
  const scores = el(
    'table',
    { class: 'scores', 'aria-label': t('rotation.scores') },
    el('tbody', {}, ...lines.map(({ row }) => row)),
  )
  order.element.append(scores)
  const side = el(
    'div',
    { class: 'side' },
    el(
      'section',
      { class: 'card numbers-two' },
      el('p', {}, scoreName, score),
      el('p', {}, el('span', { class: 'muted' }, t('rotation.offset')), offset),
      el('p', { class: 'muted' }, t('rotation.note')),
    ),
  )
  host.root.append(
    el(
      'div',
      { class: 'main' },
      planes.element,
      strip.element,
      first.element,
      el(
        'div',
        { class: 'moves' },
        second.element,
        el(
          'div',
          { class: 'shift', role: 'group', 'aria-label': t('rotation.shift') },
          el('span', { class: 'label' }, t('rotation.shift')),
          ...shifts.map(({ button }) => button),
        ),
      ),
      host.sentence,
    ),
    side,
  )

  /** Both cursors by the same step, which leaves the offset. @param {number} step */
  function shift(step) {
    const { position, position2, length } = host.state()
    const [m, n] = [position + step, position2 + step]
    if (Math.min(m, n) < 0 || Math.max(m, n) >= MAX_SEATS) return
    const room = Math.max(length, Math.min(MAX_SEATS, Math.max(m, n) + 1))
    host.accept(withPatch(host.state(), { position: m, position2: n, length: room }))
  }

  /**
   * @param {PointerEvent} event
   * @param {{ x: number }} point
   * @param {boolean} dragging
   */
  function pull(event, point, dragging) {
    const scale = positionsUnder(strip.picture, state.length)
    const at = scale.invert(point.x)
    if (event.type === 'pointerdown') {
      const [m, n] = [scale.centre(state.position), scale.centre(state.position2)]
      const [toM, toN] = [Math.abs(m - point.x), Math.abs(n - point.x)]
      const between = (point.x - m) * (point.x - n) < 0 && Math.min(toM, toN) > GRIP
      grip = {
        names: between ? ['position', 'position2'] : [toN < toM ? 'position2' : 'position'],
        at,
      }
      // A press beside a cursor brings it there; between them nothing moves until the hand does.
      if (between) return
    }
    if (!dragging) return
    const now = host.state()
    if (grip.names.length === 1) {
      host.accept(withPatch(now, { [grip.names[0]]: at }))
      return
    }
    const low = -Math.min(now.position, now.position2)
    const high = now.length - 1 - Math.max(now.position, now.position2)
    const step = Math.min(high, Math.max(low, at - grip.at))
    grip.at = at
    shift(step)
  }

  /** @param {Frame} frame */
  function drawStrip({ ctx, width, height, theme }) {
    const { position, position2, length } = state
    const scale = positionsAcross({ width, typeScale: theme.typeScale }, length)
    const label = t('beyond.axis.position')
    const axis = axisXHeight(theme, { label })
    const y = Math.max(20, height - axis)
    const rect = { x: scale.x0, y: 0, width: scale.x1 - scale.x0, height: y }
    drawSeats(ctx, { rect, scale, theme, tMax: 0, plates: false, least: 9, cursor: null })
    const middle = y - 13 * theme.typeScale
    const px = setFont(ctx, theme, { weight: 700 })
    const size = px * 1.9
    const spots = [
      { at: position2, name: `${namesOf(state)[1]} ${position2}`, filled: false },
      { at: position, name: `${namesOf(state)[0]} ${position}`, filled: true },
    ].map((spot) => ({ ...spot, x: scale.centre(spot.at), wide: numberWidth(ctx, spot.name) + px }))
    const gap = (spots[0].wide + spots[1].wide) / 2
    const apart = Math.abs(spots[0].x - spots[1].x) > gap
    if (apart) {
      const way = Math.sign(spots[1].x - spots[0].x)
      const arrow = { from: spots[0].x, to: spots[1].x - way * spots[1].wide * 0.5, y: middle }
      drawArrow(ctx, { ...arrow, colour: theme.ink, theme })
    }
    for (const { x, name, wide, filled } of spots) {
      const low = Math.min(width - wide / 2 - 1, Math.max(wide / 2 + 1, x))
      // Where both are near, the key stands above the query.
      const top = middle - size / 2 - (!apart && !filled ? size + 2 : 0)
      ctx.fillStyle = filled ? hue(theme) : theme.panel
      ctx.strokeStyle = filled ? hue(theme) : theme.ink
      ctx.lineWidth = 2 * theme.lineWeight
      ctx.beginPath()
      roundRect(ctx, low - wide / 2, top, wide, size, size / 2)
      ctx.fill()
      ctx.stroke()
      setFont(ctx, theme, { weight: 700 })
      ctx.fillStyle = filled ? theme.panel : theme.ink
      ctx.textBaseline = 'middle'
      fillNumber(ctx, name, low, top + size / 2, 'center')
    }
    drawAxisX(ctx, { scale, theme, y, label, rect: { x: 0, y, width, height: axis } })
  }

  const hue = (/** @type {import('../../charts/core/canvas.js').Theme} */ theme) =>
    state.mode === 'sinusoidal' ? theme.sinusoidal : theme.rope

  /** @param {Frame} frame @param {RotationModel} computed */
  function drawModel({ ctx, width, height, theme }, computed) {
    const { pairs, shown, still, frequencies } = computed
    const { position: m, position2: n } = computed.state
    const code = still === undefined
    // A row of the code is (sine, cosine): sine to the right. RoPE's first entry points upwards.
    const place = (/** @type {ArrayLike<number>} */ v, /** @type {[number, number]} */ [a, b]) =>
      code ? { x: v[a], y: v[b] } : { x: v[b], y: v[a] }
    drawPlanes(ctx, {
      rect: { x: 0, y: 0, width, height },
      planes: pairs.map((pair, j) => ({
        arrows: [place(shown.q, pair), place(shown.k, pair)],
        ghosts: still ? [place(still.q, pair), place(still.k, pair)] : [],
        turns: [frequencies[j] * m, frequencies[j] * n],
        axes: code ? [`${pair[0]}`, `${pair[1]}`] : [`${pair[1]}`, `${pair[0]}`],
        head: t('rotation.speed', { degrees: speedOf(frequencies[j]) }),
        foot: `${shown.parts[j] < 0 ? '' : '+'}${show(shown.parts[j])}`,
      })),
      colour: hue(theme),
      names: namesOf(state),
      theme,
    })
  }

  /** @param {Frame} frame @param {RotationModel} computed */
  function drawOrder({ ctx, width, height, theme }, computed) {
    const { pairs: count, layout: chosen } = computed.state
    drawPermutation(ctx, {
      rect: { x: 0, y: 0, width, height },
      pairs: [pairsOf(count, 'interleaved'), pairsOf(count, 'half-split')],
      chosen: chosen === 'half-split' ? 1 : 0,
      labels: [t('rotation.layout.interleaved'), t('rotation.layout.half-split')],
      colour: theme.rope,
      theme,
    })
  }

  /** @param {Frame} frame */
  function drawBlock({ ctx, width, height, theme }) {
    if (!model?.rotation) return
    const { data, shape } = model.rotation
    const edge = Math.min(width, height)
    const rect = { x: (width - edge) / 2, y: 0, width: edge, height: edge }
    // Columns of the matrix run along x here: it is drawn transposed.
    const turned = data.map((_, i) => data[(i % shape[1]) * shape[1] + Math.floor(i / shape[1])])
    drawHeatmap(ctx, {
      rect,
      data: turned,
      rows: shape[0],
      columns: shape[1],
      limit: 1,
      theme,
      cache: block,
    })
    ctx.strokeStyle = theme.rule
    ctx.strokeRect(rect.x, rect.y, rect.width, rect.height)
  }

  /** @param {RotationModel} computed */
  function speak({ state: now, shown, scores: three, rotation: turn, frequencies }) {
    const { position: m, position2: n, mode } = now
    const values = {
      m,
      n,
      offset: signed(m - n),
      score: show(shown.score),
      speeds: Array.from(frequencies, speedOf).join(', '),
      parts: Array.from(shown.parts, show).join(', '),
    }
    const code = mode === 'sinusoidal'
    planes.say({
      name: t(code ? 'rotation.planes.code' : 'rotation.planes'),
      note: t(code ? 'rotation.planes.code.note' : 'rotation.planes.note'),
      summary: t('rotation.summary', values),
    })
    strip.say({ name: t('rotation.strip'), summary: t('rotation.summary.strip', values) })
    setText(scoreName, t(code ? 'rotation.score.code' : 'rotation.score', values))
    setText(score, values.score)
    setText(offset, values.offset)
    const [card, other] = three ? [order, block] : [block, order]
    other.element.remove()
    if (!card.element.isConnected) side.append(card.element)
    if (three) {
      for (const { name, cell } of lines) setText(cell, show(three[name]))
      order.say({ name: t('rotation.order'), summary: t('rotation.summary.order') })
    }
    if (turn) {
      const name = t('rotation.block', { offset: signed(n - m) })
      block.say({ name, limit: 1, summary: t('rotation.summary.block', { name }) })
      const error = formatError(turn.error)
      setText(rest, t('rotation.rest', { offset: signed(n - m), m, n, error }))
    }
  }

  return {
    memory,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      for (const control of controls) control.sync(state)
      layout.select(state.layout)
      planes.picture.style.setProperty('--pairs', String(state.pairs))
      for (const { step, button } of shifts) {
        const [m, n] = [state.position + step, state.position2 + step]
        button.disabled = Math.min(m, n) < 0 || Math.max(m, n) >= MAX_SEATS
      }
    },
    /** @param {State} next @param {RotationModel} computed */
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

/** @param {RotationModel} model both vectors as they are drawn */
function vectorMatrix({ shown }) {
  return { data: [...Array.from(shown.q), ...Array.from(shown.k)], shape: [2, shown.q.length] }
}
