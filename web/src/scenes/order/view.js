// Word order: the pictures. Seats run left to right in all of them; the same word is joined by a line.
import { invalidateTheme, plateText, setFont } from '../../charts/core/canvas.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { hatch, wallLine } from '../../charts/core/paint.js'
import { drawRibbons } from '../../charts/ribbons.js'
import { positionScale } from '../../charts/core/scale.js'
import { withPatch } from '../../state/state.js'
import { createFigure } from '../../kit/figure.js'
import { largestAbsolute, rowOf } from '../../kit/numbers.js'
import { sentencesOf, showDifference, waysOf } from './common.js'
import { figureWords, outputMatrix, wordTable } from './words.js'

/**
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./index.js').OrderModel} OrderModel
 * @typedef {import('./common.js').WayName} WayName
 * @typedef {ReturnType<typeof layout>} Layout
 */

/** A word's column is at most so wide, in px at type scale 1: short sentences stay together. */
const WIDEST = 220
const GUTTER = 30
const STRIP = 18
const WORD = 24
/** Ways differ by dash as well as by hue. */
const DASH = /** @type {const} */ ({
  none: 'dotted',
  sinusoidal: 'solid',
  learned: 'dashed',
  rope: 'solid',
  alibi: 'dashdot',
  t5: 'dashed',
  nope: 'solid',
})

/**
 * @param {import('../../kit/host.js').SceneHost} host
 */
export function mountOrder(host) {
  const { el, t } = host
  let state = host.state()
  /** @type {OrderModel | undefined} */
  let model
  /** Those of the ways that are shown now. */
  /** @type {Partial<Record<WayName, import('../../kit/figure.js').Figure>>} */
  let figures = {}
  const pictures = el('div', { class: 'ways' })
  const sentenceA = host.textControl('sentenceA', (now) => sentencesOf(now, t).a)
  const sentenceB = host.textControl('sentenceB', (now) => sentencesOf(now, t).b)
  const causal = host.flagControl('causal')
  const words = el('div', { class: 'words-of-a' })
  const legend = el('p', { class: 'legend' })
  /** @type {ReturnType<typeof host.radioGroup> | undefined} */
  let chips
  let chipWords = ''
  host.root.append(
    el('div', { class: 'main' }, pictures, words, host.sentence),
    el('div', { class: 'side' }, sentenceA.element, sentenceB.element, causal.element, legend),
  )

  /** @param {WayName} way */
  function figureOf(way) {
    const figure = createFigure(host, {
      className: `way way-${way}`,
      hue: `hue-${way}`,
      draw: (frame) => model && drawWay(frame, state, model, way, t),
      onPointer: (event, point, dragging) => dragging && pick(figure.picture, point),
      table: () => wordTable(t, state, model, way),
      matrix: () => outputMatrix(model, way),
    })
    return figure
  }

  /** @param {WayName[]} ways */
  function arrange(ways) {
    const names = /** @type {WayName[]} */ (Object.keys(figures))
    if (names.join() === ways.join()) return
    for (const way of names) if (!ways.includes(way)) figures[way]?.destroy()
    figures = Object.fromEntries(ways.map((way) => [way, figures[way] ?? figureOf(way)]))
    pictures.replaceChildren(...all().map((figure) => figure.element))
  }

  /** @param {HTMLElement} picture @param {{ x: number }} point */
  function pick(picture, point) {
    if (!model) return
    const scale = parseFloat(getComputedStyle(picture).getPropertyValue('--type-scale')) || 1
    const { seats } = layout(picture.clientWidth, picture.clientHeight, scale, model)
    choose(Math.min(model.a.length - 1, seats.invert(point.x)))
  }

  /** @param {number} position */
  function choose(position) {
    host.accept(withPatch(host.state(), { position }))
  }

  /** The words of A as a radio group: the cursor by keyboard. */
  function offerWords() {
    if (!model) return
    const { a } = model
    if (a.join(' ') !== chipWords) {
      chipWords = a.join(' ')
      chips = host.radioGroup({
        label: t('order.seat'),
        className: 'chips',
        name: host.uniqueId('word'),
        values: a.map((_, seat) => String(seat)),
        describe: (seat) => a[Number(seat)],
        onChange: (seat) => choose(Number(seat)),
      })
      words.replaceChildren(el('span', { class: 'label' }, t('order.word')), chips.element)
    }
    chips?.select(String(Math.min(state.position, a.length - 1)))
  }

  const all = () => Object.values(figures)
  arrange(waysOf(state))
  return {
    memory: undefined,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      // NoPE is shown with and without a causal mask, side by side.
      causal.element.hidden = state.mode === 'nope'
      for (const control of [sentenceA, sentenceB, causal]) control.sync(state)
    },
    /** @param {State} next @param {OrderModel} computed */
    draw(next, computed) {
      state = next
      model = computed
      offerWords()
      host.setText(legend, t('order.legend', { d: model.state.dModel }))
      const ways = waysOf(model.state)
      arrange(ways)
      for (const way of ways)
        figures[way]?.say({ ...figureWords(t, state, model, way), limit: outputLimit(model) })
      figures.learned?.element.classList.toggle('failing', model.ways.learned?.error !== undefined)
      for (const figure of all()) figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      for (const figure of all()) figure.invalidate()
    },
    destroy() {
      for (const figure of all()) figure.destroy()
      host.root.replaceChildren()
    },
  }
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} typeScale
 * @param {OrderModel} model
 */
function layout(width, height, typeScale, { a, b }) {
  const count = Math.max(a.length, b.length)
  const x0 = GUTTER * typeScale
  const room = Math.min(width - x0, count * WIDEST * typeScale)
  const seats = positionScale({ start: 0, end: count, x0, x1: x0 + room })
  const word = WORD * typeScale
  const strip = STRIP * typeScale
  return {
    seats,
    word,
    strip,
    gap: Math.min(10, seats.band * 0.08),
    top: { word: 0, strip: word },
    bottom: { strip: height - word - strip, word: height - word },
  }
}

/**
 * @param {Frame} frame
 * @param {State} state
 * @param {OrderModel} model
 * @param {WayName} way
 * @param {import('../../text/text.js').Translate} t
 */
function drawWay({ ctx, width, height, theme }, state, model, way, t) {
  const place = layout(width, height, theme.typeScale, model)
  const shown = model.ways[way]
  if (!shown) return
  const { a, b, differences, error } = shown
  const chosen = Math.min(state.position, model.a.length - 1)
  const hue = way === 'none' ? theme.nope : theme[way]
  const limit = outputLimit(model)
  drawSentence({ ctx, theme, place, limit }, model.a, a, place.top, chosen, t('order.sentence.a'))
  const partner = model.partner[chosen]
  drawSentence(
    { ctx, theme, place, limit },
    model.b,
    b,
    place.bottom,
    partner,
    t('order.sentence.b'),
  )
  if (error) {
    drawFailure({ ctx, theme, place }, error, t('order.fails', { position: error.position }))
    return
  }
  const ribbons = model.partner.flatMap((seat, from) => {
    const difference = differences[from]
    if (seat === undefined || difference === undefined) return []
    const chosenOne = from === chosen
    return {
      from: place.seats.centre(from),
      to: place.seats.centre(seat),
      colour: chosenOne ? hue : theme.muted,
      label: showDifference(difference),
      dash: DASH[way],
      width: chosenOne ? 3 : 1.5,
      faint: !chosenOne,
    }
  })
  drawRibbons(ctx, {
    y0: place.top.strip + place.strip + 2,
    y1: place.bottom.strip - 2,
    ribbons,
    theme,
    bounds: { x0: place.seats.x0, x1: width },
    // Near the word of A: there no two are at the same place, however the ribbons cross.
    labelAt: 0.17,
  })
}

/**
 * The words of one sentence and, where there are any, their outputs as strips of colour.
 * @param {{ ctx: CanvasRenderingContext2D, theme: Frame['theme'], place: Layout, limit: number }} to
 * @param {string[]} words
 * @param {import('./index.js').Attended | undefined} attended
 * @param {{ word: number, strip: number }} y
 * @param {number | undefined} chosen
 * @param {string} label
 */
function drawSentence({ ctx, theme, place, limit }, words, attended, y, chosen, label) {
  const { seats, gap, strip, word } = place
  setFont(ctx, theme, { size: 12.5 })
  ctx.fillStyle = theme.muted
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillText(label, 0, y.strip + strip / 2)
  words.forEach((text, seat) => {
    const x = seats.left(seat) + gap
    const rect = { x, y: y.strip, width: seats.band - 2 * gap, height: strip }
    const strong = seat === chosen
    setFont(ctx, theme, { size: 15, weight: strong ? 600 : 400 })
    ctx.fillStyle = strong ? theme.ink : theme.muted
    ctx.textAlign = 'center'
    ctx.textBaseline = 'middle'
    ctx.fillText(fitting(ctx, text, seats.band - 4), seats.centre(seat), y.word + word / 2)
    if (!attended) {
      hatch(ctx, rect, theme.failure)
      return
    }
    const data = rowOf(attended.output, seat)
    drawHeatmap(ctx, { rect, data, rows: data.length, columns: 1, limit, theme, cache: data })
    ctx.strokeStyle = strong ? theme.ink : theme.rule
    ctx.lineWidth = (strong ? 2 : 1) * theme.lineWeight
    ctx.strokeRect(rect.x - 1, rect.y - 1, rect.width + 2, rect.height + 2)
  })
}

/**
 * @param {{ ctx: CanvasRenderingContext2D, theme: Frame['theme'], place: Layout }} to
 * @param {{ tMax: number }} error
 * @param {string} words
 */
function drawFailure({ ctx, theme, place }, { tMax }, words) {
  const { seats, top, bottom, strip, word } = place
  const x = seats.left(tMax)
  wallLine(ctx, { x, y0: top.word, y1: bottom.word + word, theme })
  const y = (top.strip + strip + bottom.strip) / 2
  plateText(ctx, words, (seats.x0 + seats.x1) / 2, y, { theme, colour: theme.failure, size: 14 })
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} text
 * @param {number} room
 */
function fitting(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text
  const characters = [...text]
  while (characters.length > 1 && ctx.measureText(`${characters.join('')}…`).width > room) {
    characters.pop()
  }
  return `${characters.join('')}…`
}

/**
 * One scale for all strips of the scene, so that equal colours are equal numbers.
 * @param {OrderModel & { limit?: number }} model
 */
function outputLimit(model) {
  model.limit ??= Object.values(model.ways)
    .flatMap(({ a, b }) => [a, b])
    .reduce((most, attended) => (attended ? largestAbsolute(attended.output.data, most) : most), 0)
  return model.limit || 1
}
