// Waves: how a code comes about, pair by pair. Strips, hands, heatmap, counter and seats stand on one
// axis of positions.
import { drawBars } from '../../charts/bars.js'
import { drawBits } from '../../charts/bits.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { drawSideBars } from '../../charts/side_bars.js'
import { drawWaves } from '../../charts/wave.js'
import { OVERHANG, defineScene, html, mark, positionAxis } from '../../kit/scene.js'
import { seatStrip } from '../../kit/seats.js'
import { inputMode } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { drawCursorLine, drawTableEnd } from '../../charts/across.js'
import { memo } from '../../kit/memo.js'
import {
  around,
  largestAbsolute,
  listed,
  numberCell,
  partTable,
  rowOf,
  wholeTable,
} from '../../kit/numbers.js'
import { drawClocks } from './clocks.js'
import { bitMatrix, curveOf, pickPairs, showTurn } from './pairs.js'
import { createPlayer } from './player.js'

export const waves = defineScene({
  id: 'waves',
  fields: ['dModel', 'base', 'length', 'dimension', 'tMax', 'steps', 'seed'],

  async compute({ engine, codes, state, memory }) {
    const { length, dModel, base, position } = state
    const pairs = pickPairs(dModel, state.dimension)
    const [sinusoidal, learned, phasors, bits] = await Promise.all([
      codes.sinusoidal(state),
      codes.learned(state),
      engine.pairPhasors({ dModel, base, position }),
      memo(memory, 'bits', [length], async () => bitMatrix(length)),
    ])
    const { frequency, wavelength } = phasors
    const curves = await memo(memory, 'curves', [length, dModel, base, ...pairs], () =>
      Promise.all(pairs.map((i) => curveOf(engine, length, frequency[i], wavelength[i]))),
    )
    return { sinusoidal, learned, phasors, bits, pairs, curves }
  },

  values({ t, state, model }) {
    const { learned, sinusoidal, phasors, pairs, bits } = model
    const { length, dModel: d, tMax, grown } = model.state
    const mode = inputMode(state)
    const formula = mode === 'sinusoidal'
    const code = formula ? sinusoidal : learned.values
    learned.limit ??= largestAbsolute(learned.values.data)
    const position = Math.min(state.position, length - 1)
    const dimension = Math.min(state.dimension, d - 1)
    const row = rowOf(code, position)
    const count = bits.shape[1]
    return {
      ...{ mode, formula, code, row, position, dimension, length, d, tMax, grown },
      limit: formula ? 1 : learned.limit || 1,
      // Whether the cursor is on a seat that training wrote no row for.
      failed: !formula && state.position >= tMax,
      chosen: pairs.indexOf(Math.floor(dimension / 2)),
      rows: learned.rows,
      last: learned.rows - 1,
      strips: pairs.length,
      turn: pairs.map((pair) => showTurn(phasors.wavelength[pair])).join(', '),
      bits: count,
      binary: position.toString(2).padStart(count, '0'),
      values: row.length === 0 ? t('numbers.none') : listed(row),
    }
  },

  say({ t, text, state, model, values }) {
    const { wavelength } = model.phasors
    const { dModel, base, steps, tMax } = model.state
    const { position } = state
    const fast = showTurn(wavelength[0])
    const slow = showTurn(wavelength[wavelength.length - 1])
    let key = 'waves.say.turning'
    if (position === 0) key = 'waves.say.zero'
    if (base === 1) key = 'waves.say.alike'
    if (dModel <= 2) key = dModel === 1 ? 'waves.say.lone' : 'waves.say.onehand'
    const none = position > values.last
    if (state.mode === 'learned') {
      key = steps === 0 ? 'waves.say.learned.start' : 'waves.say.learned'
      if (position >= tMax) key = none ? 'waves.say.learned.none' : 'waves.say.learned.untrained'
    }
    const told = { ...values, position, base, steps, fast, slow }
    return {
      lead: t('beyond.say.lead', { position }),
      body: text(key, told),
      failing: state.mode === 'learned' && (none || position >= tMax),
    }
  },

  own: createPlayer,
  glide: ({ values, own }) => ({ to: values.position, atOnce: own.playing() }),

  figures: {
    strips: {
      hue: 'hue-focus',
      x: positions,
      marks({ model, values, theme, gliding: at }) {
        const { pairs, curves } = model
        const { formula, failed, limit, chosen, rows, tMax, code } = values
        const shared = { limit, colour: theme[values.mode], cursor: at, failed }
        const even = (/** @type {number} */ pair) =>
          Float64Array.from({ length: code.shape[0] }, (_, i) => code.data[i * values.d + 2 * pair])
        const partner = formula && chosen >= 0 && 2 * pairs[chosen] + 1 < values.d
        return [
          !formula && ((plot) => drawTableEnd(plot, plot.x, plot.rect, { rows, tMax })),
          (plot) => drawCursorLine(plot, plot.x, plot.rect, { at, failed }),
          mark(drawWaves, {
            ...shared,
            highlight: chosen < 0 ? null : chosen,
            waves: pairs.map((pair, i) => ({
              values: even(pair),
              label: String(2 * pair),
              curve: formula ? sampled(curves[i].sine, curves[i].step) : undefined,
            })),
          }),
          // The chosen pair shows its cosine as well: the other number of the same hand.
          partner &&
            ((plot) => {
              const height = plot.rect.height / pairs.length
              const rect = { ...plot.rect, y: plot.rect.y + chosen * height, height }
              const { cosine, step } = curves[chosen]
              const wave = { values: [], curve: sampled(cosine, step), label: '' }
              mark(drawWaves, { ...shared, rect, waves: [{ ...wave, dash: 'dashed' }] })(plot)
            }),
        ]
      },
      cursor: ({ values }) => ({ x: values.position }),
      onDrag: move,
      words({ text, values }) {
        const key = `waves.strips.${values.mode}`
        return {
          name: text(key),
          note: text(`${key}.note`, values),
          summary: text(`waves.summary.strips.${values.mode}`, values),
        }
      },
      table: codeTable,
      matrix: ({ values }) => values.code,
    },
    hands: {
      marks({ t, model, values, figure, gliding: at }) {
        // A last sine has no cosine, and so no hand.
        const pairs = model.pairs.filter((pair) => 2 * pair + 1 < values.d)
        const options = {
          curves: model.curves.slice(0, pairs.length),
          labels: pairs.map((pair) => showTurn(model.phasors.wavelength[pair])),
          beside: figure('hands').offsetTop === figure('strips').offsetTop,
          turn: (/** @type {string} */ seats) => t('waves.turn', { seats }),
          ...{ strips: values.strips, chosen: values.chosen, at },
        }
        return [(plot) => drawClocks(plot, options)]
      },
      // Every pair of dimensions at the cursor, with its speed.
      table({ t, model }) {
        const { wavelength, angle, sine, cosine } = model.phasors
        const { dModel, position } = model.state
        return {
          caption: t('waves.table.pairs', { position }),
          columns: [
            t('beyond.axis.dimension'),
            t('waves.column.turn'),
            t('waves.column.angle'),
            ...['sin', 'cos'],
          ],
          rows: Array.from(wavelength, (turn, pair) => {
            const alone = 2 * pair + 1 === dModel
            return [
              alone ? String(2 * pair) : `${2 * pair}, ${2 * pair + 1}`,
              ...[turn, angle[pair], sine[pair]].map((value) => numberCell(value)),
              numberCell(alone ? undefined : cosine[pair]),
            ]
          }),
        }
      },
      // Sine and cosine of each pair.
      matrix: ({ model: { phasors } }) => ({
        data: Array.from(phasors.sine, (sine, pair) => [sine, phasors.cosine[pair]]).flat(),
        shape: [phasors.sine.length, 2],
      }),
    },
    map: {
      className: 'wave-map',
      hue: 'hue-focus',
      x: positions,
      y: ({ t, values }) => positionAxis(values.d, t('beyond.axis.dimension')),
      marks: ({ t, model, values, theme, gliding }) => [
        mark(drawHeatmap, {
          data: values.code.data,
          rows: values.code.shape[0],
          columns: values.d,
          limit: values.limit,
          dimension: values.dimension,
          cursor: { position: gliding, colour: theme[values.mode], failed: values.failed },
          ...(values.formula
            ? {}
            : {
                wall: values.tMax,
                missingFrom: values.rows,
                missingLabel: t('beyond.noplate'),
                gradientRows: model.learned.gradientRows,
                untrainedLabel: t('beyond.nogradient'),
              }),
        }),
      ],
      cursor: ({ values }) => ({ x: values.position, y: values.dimension }),
      onDrag: ({ set, own }, { x, y }) => {
        own.stop()
        set({ position: x, dimension: y })
      },
      words({ t, text, values, hover }) {
        const { x: position, y: dimension } =
          hover?.figure === 'map' ? hover : { x: values.position, y: values.dimension }
        const value = rowOf(values.code, position)[dimension]
        const at = { position, dimension }
        return {
          name: text(`waves.map.${values.mode}`),
          limit: values.limit,
          readout:
            value === undefined
              ? t('beyond.readout.none', at)
              : t('beyond.readout', { ...at, value: formatNumber(value) }),
        }
      },
      table: codeTable,
      matrix: ({ values }) => values.code,
    },
    row: {
      className: 'wave-row',
      classes: ({ values }) => values.failed && 'failing',
      marks({ values, theme, plot, figure }) {
        const options = {
          data: values.row.length > 0 ? values.row : null,
          limit: values.limit,
          colour: theme[values.mode],
          pairs: values.formula,
          cursor: values.dimension,
          failed: values.row.length === 0,
        }
        if (figure('row').offsetTop !== figure('map').offsetTop) {
          const format = (/** @type {number} */ value) =>
            formatNumber(value, Number.isInteger(value) ? 0 : 2)
          return [mark(drawBars, { ...options, format })]
        }
        // As high as the cells beside it.
        const { width, height } = plot
        const rect = { x: 4, y: OVERHANG, width: width - 4, height: height - 2 * OVERHANG }
        return [mark(drawSideBars, { ...options, rect })]
      },
      words: ({ t, values }) =>
        values.row.length === 0
          ? { name: t('waves.row.none', values), summary: t('beyond.summary.norow', values) }
          : { name: t('waves.row', values), summary: t('beyond.summary.row', values) },
      table({ t, model, values: { position, d } }) {
        const codes = [model.sinusoidal, model.learned.values].map((one) => rowOf(one, position))
        return {
          caption: t('beyond.table.caption', { position }),
          columns: [t('beyond.axis.dimension'), t('mode.sinusoidal'), t('mode.learned')],
          rows: Array.from({ length: d }, (_, i) => [i, ...codes.map((row) => numberCell(row[i]))]),
        }
      },
      matrix: ({ values: { row } }) =>
        row.length > 0 ? { data: row, shape: [1, row.length] } : undefined,
    },
    counter: {
      x: positions,
      y: ({ values }) =>
        positionAxis(values.bits, undefined, { format: (bit) => String(2 ** bit) }),
      marks: ({ model, values, theme, gliding }) => [
        mark(drawHeatmap, {
          data: model.bits.data,
          rows: values.length,
          columns: values.bits,
          limit: 1,
          cursor: { position: gliding, colour: theme.ink },
        }),
      ],
      cursor: ({ values }) => ({ x: values.position }),
      onDrag: move,
      table: bitTable,
      matrix: ({ model }) => model.bits,
    },
    lamps: {
      marks({ values, theme, plot: { width, height }, figure }) {
        const across = figure('lamps').offsetTop !== figure('counter').offsetTop
        const inset = across ? 0 : OVERHANG
        return [
          mark(drawBits, {
            rect: { x: 0, y: inset, width, height: height - 2 * inset },
            value: values.position,
            count: values.bits,
            colour: theme.valueHigh,
            across,
          }),
        ]
      },
      table: bitTable,
      matrix: ({ model, values }) => {
        const data = rowOf(model.bits, values.position)
        return { data, shape: [1, data.length] }
      },
    },
    seats: {
      ...seatStrip(({ values }) => ({ failed: values.failed, plates: !values.formula })),
      onDrag: move,
    },
  },

  view: ({ t, state, figure, tools, field, sentence, own }) =>
    html`${figure('strips')}${figure('map')}${figure('counter')}
      <div class="main">
        ${figure('seats')}${field('position', tools('seats'))}
        <div class="player">
          <button
            type="button"
            class="quiet play ${own.playing() ? 'playing' : ''}"
            ?disabled=${state.length < 2}
            @click=${own.toggle}
          >
            <i class="play-face" aria-hidden="true"></i>
            <span>${t(own.playing() ? 'training.pause' : 'training.play')}</span>
          </button>
        </div>
        ${sentence}
      </div>
      ${
        state.mode === 'learned'
          ? html`<p class="no-hands">${t('waves.nohands')}</p>`
          : figure('hands')
      }
      ${figure('row')}${figure('lamps')}`,
})

/** @typedef {import('../../kit/types').Figure<any, any>} Figure */

/** @type {NonNullable<Figure['x']>} */
function positions({ model }) {
  return positionAxis(model.state.length)
}

/** @type {NonNullable<Figure['onDrag']>} */
function move({ set, own }, { x }) {
  own.stop()
  set({ position: x })
}

/** @param {Float32Array} values @param {number} step */
const sampled = (values, step) => ({ values, start: 0, step })

/** The code in focus around the cursor. @type {Figure['table']} */
function codeTable({ t, state, values: { code, length, d } }, whole) {
  if (whole) return wholeTable(t, code)
  return partTable(t, around(state.position, length), d, (at, i) => rowOf(code, at)[i])
}

/** The binary counter around the cursor. @type {Figure['table']} */
function bitTable({ t, state, model: { bits }, values: { length } }, whole) {
  if (whole) return wholeTable(t, bits, (bit) => `${t('waves.column.bit')} ${2 ** bit}`)
  const shown = around(state.position, length)
  return {
    caption: t('waves.table.bits'),
    columns: [t('waves.column.bit'), ...shown.map(String)],
    rows: Array.from({ length: bits.shape[1] }, (_, bit) => [
      String(2 ** bit),
      ...shown.map((at) => rowOf(bits, at)[bit]),
    ]),
  }
}
