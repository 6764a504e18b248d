// Word order: the same words in two orders through the same attention. Without positions the output
// of a word cannot tell the orders apart; with a code, or with a causal mask, it can. ALiBi that looks
// both ways cannot tell a sentence from its mirror image.
import { plateText, setFont } from '../../charts/core/canvas.js'
import { hatch, wallLine } from '../../charts/core/paint.js'
import { positionScale } from '../../charts/core/scale.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { drawRibbons } from '../../charts/ribbons.js'
import { numpyMessage } from '../../kit/lookup.js'
import { largestAbsolute, numberCell, rowOf } from '../../kit/numbers.js'
import { defineScene, html, nothing } from '../../kit/scene.js'
import { formatNumber } from '../../text/text.js'
import { attendBoth, sentencesOf, waysOf } from './attend.js'

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
const WAYS = /** @type {(keyof typeof DASH)[]} */ (Object.keys(DASH))

/** @import { Attended } from './attend.js' */

export const order = defineScene({
  id: 'order',
  fields: ['heads', 'dModel', 'tMax', 'seed', 'steps', 'base'],
  compute: ({ codes, state, t }) => attendBoth(codes, state, t),

  values({ state, model: { a, ways, partner } }) {
    const seat = Math.min(state.position, a.length - 1)
    // One scale for all strips of the scene, so that equal colours are equal numbers.
    const outputs = Object.values(ways).flatMap((way) => [way.a, way.b])
    const limit = outputs.reduce((most, one) => largestAbsolute(one?.output.data ?? [], most), 0)
    return { seat, partner: partner[seat], word: a[seat], limit: limit || 1 }
  },

  say({ t, text, model, values: { seat, word } }) {
    const { ways, state } = model
    const lead = t('order.say.lead', { word })
    const error = ways.learned?.error
    const wall = error ? [t('order.say.wall', { rows: error.tMax, position: error.position })] : []
    const said = waysOf(state).flatMap((way) => {
      const value = ways[way]?.differences[seat]
      if (value === undefined) return []
      return text(sayKey(model, way, value === 0), { value: showDifference(value) })
    })
    const body = ways.none?.differences[seat] === undefined ? [t('order.say.only')] : said
    return {
      lead,
      body: [...body, ...wall].join(' '),
      failing: error !== undefined && state.mode === 'learned',
    }
  },

  figures: (each) =>
    each(WAYS, (way) => ({
      className: `way way-${way}`,
      hue: `hue-${way}`,
      classes: ({ model }) => model.ways[way]?.error !== undefined && 'failing',
      marks: ({ t, model, values, theme }) => [
        (plot) => {
          const { a, b, differences, error } = model.ways[way] ?? {}
          const { seat: chosen, partner, limit } = values
          if (!differences) return
          const { ctx, width } = plot
          const place = layout(plot, model)
          const { seats, top, bottom } = place
          const [labelA, labelB] = [t('order.sentence.a'), t('order.sentence.b')]
          drawSentence(plot, place, limit, model.a, a, top, chosen, labelA)
          drawSentence(plot, place, limit, model.b, b, bottom, partner, labelB)
          const [y0, y1] = [top.strip + place.strip + 2, bottom.strip - 2]
          if (error) {
            const whole = { y0: top.word, y1: bottom.word + place.word }
            wallLine(ctx, { x: seats.left(error.tMax), ...whole, theme })
            const said = t('order.fails', { position: error.position })
            const middle = (seats.x0 + seats.x1) / 2
            const look = { theme, colour: theme.failure, size: 14 }
            plateText(ctx, said, middle, (y0 + y1) / 2, look)
            return
          }
          const ribbons = model.partner.flatMap((seat, from) => {
            const difference = differences[from]
            if (seat === undefined || difference === undefined) return []
            const own = from === chosen
            return {
              from: seats.centre(from),
              to: seats.centre(seat),
              colour: own ? theme[way === 'none' ? 'nope' : way] : theme.muted,
              label: showDifference(difference),
              dash: DASH[way],
              width: own ? 3 : 1.5,
              faint: !own,
            }
          })
          const bounds = { x0: seats.x0, x1: width }
          // Near the word of A: there no two are at the same place, however the ribbons cross.
          drawRibbons(ctx, { y0, y1, ribbons, theme, bounds, labelAt: 0.17 })
        },
      ],
      cursor: ({ values }) => ({ x: values.seat }),
      onDrag({ model, set }, { x, point, plot }) {
        const seat = x ?? layout(plot, model).seats.invert(point.x)
        set({ position: Math.max(0, Math.min(model.a.length - 1, seat)) })
      },
      words({ t, text, model, values: { seat, word, limit } }) {
        const { differences = [], error } = model.ways[way] ?? {}
        const difference = differences[seat]
        const both = way === 'none' && model.state.mode === 'nope'
        const title = text(both ? 'order.both.title' : `order.${way}.title`)
        const list = model.a.map((one, i) => `${one} ${showDifference(differences[i])}`).join(', ')
        let readout = t('order.readout.none', { word })
        if (difference !== undefined) {
          readout = t('order.readout', { word, value: showDifference(difference) })
        }
        const sentences = { a: model.a.join(' '), b: model.b.join(' ') }
        return {
          name: title,
          limit,
          note: text(`order.${way}.note`),
          readout: error ? numpyMessage(error) : readout,
          summary: error
            ? t('order.summary.fails', { title, ...error })
            : t('order.summary', { title, ...sentences, list }),
        }
      },
      // The output of the chosen word in both orders, and under it what it attended to.
      table({ t, model, values: { seat, partner, word } }) {
        const { a, b } = model.ways[way] ?? {}
        const outA = a && rowOf(a.output, seat)
        const outB = b && partner !== undefined ? rowOf(b.output, partner) : undefined
        const longest = Math.max(model.a.length, model.b.length)
        return {
          caption: t('order.table', { word }),
          columns: [
            t('beyond.axis.dimension'),
            t('order.a', { seat }),
            partner === undefined ? '–' : t('order.b', { seat: partner }),
          ],
          rows: [
            ...Array.from({ length: model.state.dModel }, (_, dimension) => [
              dimension,
              everyDigit(outA?.[dimension]),
              everyDigit(outB?.[dimension]),
            ]),
            ...Array.from({ length: longest }, (_, i) => [
              t('order.weight', { a: model.a[i] ?? '–', b: model.b[i] ?? '–' }),
              numberCell(i < model.a.length ? meanWeight(a, seat, i) : undefined),
              numberCell(i < model.b.length ? meanWeight(b, partner, i) : undefined),
            ]),
          ],
        }
      },
      // The outputs of all words, in order A and then in order B: (2, n, d).
      matrix({ model }) {
        const { a, b } = model.ways[way] ?? {}
        if (!a || !b || model.a.length !== model.b.length) return a?.output
        return { data: [...a.output.data, ...b.output.data], shape: [2, ...a.output.shape] }
      },
    })),

  view: ({ t, state, model, values, figure, choice, textField, flagField, sentence }) =>
    html`<div class="main">
        <div class="ways">${waysOf(model?.state ?? state).map(figure)}</div>
        <div class="words-of-a">
          ${
            model &&
            html`<span class="label">${t('order.word')}</span> ${choice('position', {
                label: 'order.seat',
                values: model.a.map((_, seat) => String(seat)),
                describe: (seat) => model.a[Number(seat)],
                now: String(values.seat),
              })}`
          }
        </div>
        ${sentence}
      </div>
      <div class="side">
        ${textField('sentenceA', (now) => sentencesOf(now, t).a)}
        ${textField('sentenceB', (now) => sentencesOf(now, t).b)}
        ${state.mode === 'nope' ? nothing : flagField('causal')}
        <p class="legend">${model && t('order.legend', { d: model.state.dModel })}</p>
      </div>`,
})

/**
 * @param {{ state: import('../../state/state.js').State, a: string[], b: string[] }} model
 * @param {import('./attend.js').WayName} way
 * @param {boolean} same
 */
function sayKey({ state, a, b }, way, same) {
  const { causal, mode } = state
  if (way === 'none') {
    if (causal && mode !== 'nope') return same ? 'order.say.causal.same' : 'order.say.causal'
    return same ? 'order.say.blind' : 'order.say.other'
  }
  if (way === 'nope') return same ? 'order.say.nope.same' : 'order.say.nope'
  if (way === 'alibi' && same) {
    const mirror = !causal && a.join(' ') === [...b].reverse().join(' ')
    return mirror ? 'order.say.alibi.mirror' : 'order.say.alibi.same'
  }
  return way === 't5' && causal ? 'order.say.t5.causal' : `order.say.${way}`
}

/** Zero is written without places: it is exactly zero. @param {number | undefined} value */
function showDifference(value) {
  if (value === undefined) return '–'
  return value === 0 ? '0' : value < 5e-5 ? value.toExponential(1) : formatNumber(value)
}

/** The shortest text that reads back as exactly this number. @param {number | undefined} value */
const everyDigit = (value) => numberCell(value, String(value).replace('-', '−'))

/**
 * @param {Attended | undefined} attended
 * @param {number | undefined} query
 * @param {number} key
 * @returns {number | undefined} over the heads
 */
function meanWeight(attended, query, key) {
  if (!attended || query === undefined) return undefined
  const { data, shape } = attended.weights
  const [heads, n] = shape
  let sum = 0
  for (let head = 0; head < heads; head += 1) sum += data[(head * n + query) * n + key]
  return sum / heads
}

/**
 * @param {import('../../charts/core/canvas.js').Frame} frame
 * @param {{ a: string[], b: string[] }} sentences
 */
function layout({ width, height, theme: { typeScale } }, { a, b }) {
  const count = Math.max(a.length, b.length)
  const x0 = GUTTER * typeScale
  const room = Math.min(width - x0, count * WIDEST * typeScale)
  const seats = positionScale({ start: 0, end: count, x0, x1: x0 + room })
  const word = WORD * typeScale
  const strip = STRIP * typeScale
  return {
    ...{ seats, word, strip },
    gap: Math.min(10, seats.band * 0.08),
    top: { word: 0, strip: word },
    bottom: { strip: height - word - strip, word: height - word },
  }
}

/**
 * The words of one sentence and, where there are any, their outputs as strips of colour.
 * @param {import('../../charts/core/canvas.js').Frame} frame
 * @param {ReturnType<typeof layout>} place
 * @param {number} limit
 * @param {string[]} words
 * @param {Attended | undefined} attended
 * @param {{ word: number, strip: number }} y
 * @param {number | undefined} chosen
 * @param {string} label
 */
function drawSentence({ ctx, theme }, place, limit, words, attended, y, chosen, label) {
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

/** @param {CanvasRenderingContext2D} ctx @param {string} text @param {number} room */
function fitting(ctx, text, room) {
  if (ctx.measureText(text).width <= room) return text
  const characters = [...text]
  while (characters.length > 1 && ctx.measureText(`${characters.join('')}…`).width > room) {
    characters.pop()
  }
  return `${characters.join('')}…`
}
