// Precision: how wrong RoPE's angles are when the whole module is cast to a short format, and where two
// neighbours become one.
import { plateText, setFont } from '../../charts/core/canvas.js'
import { drawLines, drawMarker } from '../../charts/line.js'
import { formatCount, formatError, formatShort } from '../../kit/format.js'
import { numberCell } from '../../kit/numbers.js'
import { defineScene, html, logAxis, mark } from '../../kit/scene.js'
import { NUMBER_FORMATS } from '../../state/fields.js'
import { PRESETS } from '../../state/presets.js'
import { formatNumber } from '../../text/text.js'
import { FARTHEST, REPORT, computeErrors, envelope } from './errors.js'

/** One code in three formats: they differ by dash and marker. */
const LOOK = /** @type {const} */ ({
  float32: { dash: 'dotted', marker: 'circle' },
  bfloat16: { dash: 'solid', marker: 'square' },
  float16: { dash: 'dashed', marker: 'diamond' },
})
const FORMATS = /** @type {(keyof typeof LOOK)[]} */ (/** @type {unknown} */ (NUMBER_FORMATS))

/** A cosine is never wrong by more than 2; errors below this one are drawn on the floor. */
const ERRORS = /** @type {const} */ ([1e-9, 4])

export const precision = defineScene({
  id: 'precision',
  fields: ['ropePairs', 'ropeBase'],
  compute: ({ engine, state, memory }) => computeErrors(engine, state, memory),

  values({ model: { state, formats, here, reported } }) {
    const { farPosition, numberFormat: format, ropePairs: pairs } = state
    const first = formats[format].firstCollision ?? Infinity
    return {
      ...{ farPosition, format, pairs, firstAt: first },
      position: formatCount(farPosition),
      error: formatError(here[format]),
      errors: FORMATS.map((name) => `${name} ${formatError(here[name])}`).join('; '),
      first: formatCount(first),
      next: formatCount(first + 1),
      report: {
        length: formatCount(REPORT.length),
        head: 2 * REPORT.ropePairs,
        error: formatNumber(reported),
      },
    }
  },

  say({ t, model: { here }, values }) {
    const { farPosition, format, firstAt } = values
    const room = !Number.isNaN(here[format])
    const past = farPosition >= firstAt
    let body = t('precision.say.never', values)
    if (!room) body = t('precision.say.room', values)
    else if (past) body = t('precision.say.past', values)
    else if (Number.isFinite(firstAt)) body = t('precision.say.before', values)
    return { lead: t('precision.lead', values), body, failing: past || !room }
  },

  // An answer that nobody waits for any more is stopped.
  own: ({ signal, memory }) =>
    signal.addEventListener('abort', () => {
      for (const answer of Object.values(memory)) answer?.controller.abort()
    }),

  figures: {
    errors: {
      hue: 'hue-rope',
      headroom: 14,
      x: ({ t }) =>
        logAxis(1, FARTHEST, t('precision.axis.position'), {
          format: (value) => formatShort(t, value),
        }),
      y: ({ t }) => logAxis(...ERRORS, t('precision.axis.error')),
      legend: ({ theme, values }) =>
        FORMATS.map((label) => ({ label, colour: colourOf(theme, values, label), ...LOOK[label] })),
      marks({ t, model, values, theme }) {
        const series = FORMATS.map((format) => {
          const { x, low, high } = envelope(model.positions, model.formats[format].maxErrors)
          const colour = colourOf(theme, values, format)
          const width = format === values.format ? 2.5 : 1.5
          return { x, y: high, band: { low, high }, colour, dash: LOOK[format].dash, width }
        })
        return [
          mark(drawLines, { series }),
          ...FORMATS.map((format) => wall(t, model.formats[format].firstCollision, format, values)),
          ({ ctx, x, y, rect }) => {
            const at = x(values.farPosition)
            ctx.fillStyle = theme.ink
            ctx.fillRect(at - theme.lineWeight / 2, rect.y, theme.lineWeight, rect.height)
            // At the cursor its own number, which need not be one of the curve's.
            FORMATS.forEach((format, i) => {
              const error = model.here[format]
              const { colour } = series[i]
              if (!(error >= 0)) return
              drawMarker(ctx, LOOK[format].marker, at, y(error), { size: 9, colour, theme })
            })
          },
        ]
      },
      cursor: ({ state }) => ({ x: state.farPosition }),
      // As the slider: three digits that count.
      onDrag: ({ set }, { x }) => set({ farPosition: Number(x.toPrecision(3)) }),
      words: ({ t, values }) => ({
        name: t('precision.title'),
        note: t('precision.note', values),
        readout: t('precision.readout', values),
        summary: t('precision.summary', values),
      }),
      // At doublings of the position, and at the cursor.
      table({ t, model: { state, positions, formats, here } }) {
        /** @type {[number, number][]} position and its place among the positions of the curves */
        const rows = [[state.farPosition, -1]]
        for (let position = 1; position <= FARTHEST; position *= 2) {
          // Beyond three digits the nearest position of the curves stands for a power of two.
          const place = positions.findIndex((value) => value >= position)
          if (positions[place] !== state.farPosition) rows.push([positions[place], place])
        }
        return {
          caption: t('precision.table', { pairs: state.ropePairs }),
          columns: [t('precision.axis.position'), ...FORMATS],
          rows: rows
            .sort(([a], [b]) => a - b)
            .map(([position, place]) => [
              { value: position, text: formatCount(position) },
              ...FORMATS.map((format) => {
                const error = place < 0 ? here[format] : formats[format].maxErrors[place]
                return numberCell(error, formatError(error))
              }),
            ]),
        }
      },
      // Position and the error in each format, row by row.
      matrix: ({ model: { positions, formats } }) => ({
        data: positions.flatMap((position, i) => [
          position,
          ...FORMATS.map((format) => formats[format].maxErrors[i]),
        ]),
        shape: [positions.length, 1 + FORMATS.length],
      }),
    },
  },

  view: ({ t, model, values, figure, field, choice, sentence, set }) =>
    html`<div class="main">
        ${choice('numberFormat', { values: FORMATS, describe: (value) => value })}
        ${figure('errors')}${field('farPosition')}${sentence}
        <p class="legend">${t('precision.what')}</p>
      </div>
      <div class="side">
        <section class="card formats">
          <h2>${t('precision.formats')}</h2>
          <table>
            <caption>
              ${t('precision.formats.caption')}
            </caption>
            <thead>
              <tr>
                <td></td>
                <th scope="col">${t('precision.formats.error')}</th>
                <th scope="col">${t('precision.formats.first')}</th>
              </tr>
            </thead>
            <tbody>
              ${FORMATS.map((format) => {
                if (!model) return html`<tr></tr>`
                const { firstCollision: first } = model.formats[format]
                const bad = first !== null && values.farPosition >= first
                return html`<tr class=${format === values.format ? 'now' : ''}>
                  <th scope="row">${format}</th>
                  <td>${formatError(model.here[format])}</td>
                  <td class=${bad ? 'bad' : ''}>
                    ${first === null ? t('precision.formats.none') : formatCount(first)}
                  </td>
                </tr>`
              })}
            </tbody>
          </table>
        </section>
        <section class="card reports">
          <h2>${t('precision.reports')}</h2>
          <p>${model && t('precision.reports.neox', values.report)}</p>
          <button
            type="button"
            class="quiet"
            data-report="neox"
            @click=${() => set(PRESETS.precision.neox)}
          >
            ${t('precision.reports.show')}
          </button>
          <p>${t('precision.reports.transformers')}</p>
          <p class="muted">${t('precision.reports.cure')}</p>
        </section>
      </div>`,
})

/** @param {any} theme @param {{ format: string }} values @param {string} format */
const colourOf = (theme, values, format) => (format === values.format ? theme.rope : theme.muted)

/**
 * Where the format first gives two neighbours one code.
 * @param {any} t
 * @param {number | null} first
 * @param {string} format
 * @param {{ format: string }} values
 * @returns {import('../../kit/types').Mark | false}
 */
const wall = (t, first, format, values) =>
  first !== null &&
  first <= FARTHEST &&
  (({ ctx, theme, rect, x: scale }) => {
    const own = format === values.format
    const x = scale(first)
    ctx.save()
    ctx.globalAlpha *= own ? 1 : 0.45
    ctx.fillStyle = theme.failure
    ctx.fillRect(x - theme.lineWeight, rect.y, 2 * theme.lineWeight, rect.height)
    ctx.restore()
    if (!own) return
    const whole = t('precision.wall', { first: formatCount(first) })
    const px = setFont(ctx, theme, { weight: 600 })
    const fits = ctx.measureText(whole).width + px < rect.x + rect.width
    const text = fits ? whole : formatCount(first)
    const half = ctx.measureText(text).width / 2 + px / 2
    const middle = Math.max(half, Math.min(rect.x + rect.width - half, x))
    plateText(ctx, text, middle, rect.y - px, { theme, colour: theme.failure, weight: 600 })
  })
