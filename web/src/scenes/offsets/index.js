// Distance: the score of a query with keys at growing distance, for every encoding on one axis.
import { extent } from 'd3-array'
import { plateText } from '../../charts/core/canvas.js'
import { drawLines } from '../../charts/line.js'
import { drawTableEnd } from '../../charts/across.js'
import { numberCell, slopeText } from '../../kit/numbers.js'
import { defineScene, html, linearAxis, mark, positionAxis } from '../../kit/scene.js'
import { MODES } from '../../state/fields.js'
import { formatNumber } from '../../text/text.js'
import { CONTENTS, computeScores } from './scores.js'

/** Codes differ by dash as well as by hue. */
const DASH = /** @type {const} */ ({
  sinusoidal: 'solid',
  learned: 'dashed',
  rope: 'solid',
  alibi: 'solid',
  t5: 'dotted',
  nope: 'dashdot',
})
/** Rows of a table: as many as can be read, around the distance in focus. */
const ROWS = 200

export const offsets = defineScene({
  id: 'offsets',
  /** Distance, queries and words have their own places in the figure. */
  fields: ['length', 'dModel', 'heads', 'base', 'tMax', 'steps', 'seed'],

  compute: computeScores,

  values({ t, text, state: now, model: { lines, second, rows, slope, state } }) {
    const { mode, length, queryAt, queryAt2, heads } = state
    // The distance moves at once: its numbers are all there.
    const distance = Math.min(now.distance, length - 1)
    const line = lines[mode]
    const mean = (/** @type {typeof mode} */ code) => shown(lines[code]?.mean[distance], 2)
    return {
      ...{ mode, distance, length, heads, position: queryAt, position2: queryAt2 },
      ...{ contents: CONTENTS, last: rows - 1, slope: slopeText(slope) },
      code: text(`mode.${mode}`),
      zero: shown(line?.mean[0], 2),
      mean: mean(mode),
      one: shown(line?.one[distance]),
      two: shown(second?.one[distance]),
      list: MODES.map((code) => `${t(`mode.${code}`)} ${mean(code)}`).join(', '),
      /** Where the table ends after each query. */
      ends: [queryAt, queryAt2].map((at) => Math.max(0, rows - at)),
    }
  },

  say({ t, text, model: { state }, values }) {
    const { mode, mean, one, two, position, position2, last } = values
    const lead = t('offsets.say.lead', values)
    if (mean === '–') {
      const body = t(position <= last ? 'offsets.say.wall' : 'offsets.say.none', values)
      return { lead, body, failing: true }
    }
    const other = mode === 'rope' && state.pairing === 'other'
    const said = [text(`offsets.say.${other ? 'rope.other' : mode}`, values)]
    if (mode !== 'nope' && position !== position2 && two !== '–') {
      said.push(t(one === two ? 'offsets.say.relative' : 'offsets.say.absolute', values))
    }
    return { lead, body: said.join(' ') }
  },

  figures: {
    means: scores({
      className: 'scores means',
      legend: ({ text, theme }) =>
        MODES.map((code) => ({
          label: text(`mode.${code}`),
          colour: theme[code],
          dash: DASH[code],
        })),
      y: ({ t, model }) => linearAxis(...rangeOf(model), t('offsets.axis.score')),
      marks({ t, model: { lines, state }, values, theme }) {
        const { mode } = state
        const { length, position, distance, ends } = values
        // The code in focus comes last: nothing lies over it.
        const series = [...MODES.filter((code) => code !== mode), mode].flatMap((code) => {
          const line = lines[code]
          if (!line) return []
          const { mean: y, deviation } = line
          const away = (/** @type {1 | -1} */ sign) =>
            y.map((value, k) => value + sign * deviation[k])
          const band = code === mode ? { low: away(-1), high: away(1) } : undefined
          const width = code === mode ? 3.5 : 1.5
          return { band, y, colour: theme[code], dash: DASH[code], width }
        })
        const tMax = Math.max(0, state.tMax - position)
        const table = { rows: mode === 'learned' ? ends[0] : length, tMax }
        const look = { theme, colour: theme.ink }
        return [
          (plot) => drawTableEnd(plot, plot.x, plot.rect, table),
          mark(drawLines, { series, zero: 0, cursor: distance }),
          // Over the lines, which would hide what the wall is.
          tMax > 0 &&
            tMax < length &&
            (({ ctx, x, rect: { y } }) =>
              plateText(ctx, t('field.costRows'), x.left(tMax), y + 8 * theme.typeScale, look)),
        ]
      },
      words: ({ text, model }) => ({ note: text(`offsets.${model.state.pairing}`) }),
      columns: ({ text, model: { lines } }) =>
        MODES.map((code) => ({ name: text(`mode.${code}`), data: lines[code]?.mean })),
      caption: 'offsets.means.table',
    }),
    pair: scores({
      className: 'scores pair',
      y: ({ t, model: { lines, second, state } }) =>
        linearAxis(...padded([lines[state.mode]?.one, second?.one]), t('offsets.axis.score')),
      marks({ t, model: { lines, second, state }, values, theme }) {
        const { mode } = state
        const { length, distance, ends } = values
        // The second lies upon the first where only the distance counts: both must show.
        const series = [
          { y: lines[mode]?.one ?? [], colour: theme[mode], width: 6 },
          {
            y: second?.one ?? [],
            colour: theme.ink,
            width: 2,
            dash: /** @type {const} */ ('dashed'),
          },
        ]
        const [near, far] = [Math.min(...ends), Math.max(...ends)]
        return [
          mode === 'learned' &&
            ((plot) => {
              const label = t('offsets.norow')
              drawTableEnd(plot, plot.x, plot.rect, { rows: length, tMax: near })
              drawTableEnd(plot, plot.x, plot.rect, { rows: far, tMax: far, label })
            }),
          mark(drawLines, { series, zero: 0, cursor: distance }),
        ]
      },
      columns: ({ t, model: { lines, second, state } }) => [
        { name: t('offsets.from', { position: state.queryAt }), data: lines[state.mode]?.one },
        { name: t('offsets.from', { position: state.queryAt2 }), data: second?.one },
      ],
      caption: 'offsets.pair.table',
    }),
  },

  view: ({ t, text, state: { mode, distance }, model, figure, field, choice, sentence }) =>
    html`<div class="main">
        ${figure('means')}${field('distance')}${sentence}${figure('pair')}
        <div class="moves">${field('queryAt')}${field('queryAt2')}</div>
      </div>
      <div class="side">
        <section class="card" aria-label=${t('offsets.card')}>
          <p class="name">${t('offsets.card')}</p>
          <table>
            <thead>
              <tr>
                <td></td>
                ${[0, distance].map(
                  (at) => html`<th scope="col">${t('offsets.at', { distance: at })}</th>`,
                )}
              </tr>
            </thead>
            <tbody>
              ${MODES.map(
                (code) =>
                  html`<tr class=${code === mode ? 'chosen' : ''}>
                    <th scope="row" class="hue-${code}">
                      <i class="dot"></i> ${text(`mode.${code}`)}
                    </th>
                    ${[0, distance].map((at) => {
                      const score = shown(model?.lines[code]?.mean[at], 2)
                      return html`<td class=${score === '–' ? 'missing' : ''}>${score}</td>`
                    })}
                  </tr>`,
              )}
            </tbody>
          </table>
        </section>
        ${choice('pairing', { describe: (value) => text(`offsets.${value}`) })}
        <p class="legend">${t('offsets.legend')}</p>
      </div>`,
})

/** @param {number | undefined} value @param {number} [places] */
const shown = (value, places) => (value === undefined ? '–' : formatNumber(value, places))

/**
 * @typedef {Awaited<ReturnType<typeof computeScores>>} Model
 * @typedef {import('../../kit/types').Figure<Model, any>} Figure
 * @typedef {import('../../kit/types').Scope<Model, any>} Scope
 */

/**
 * What both figures have in common: an axis of distances, and a column of numbers a line, which ends
 * where the table has no row.
 * @param {Omit<Figure, 'table'> & { caption: string,
 *   columns: (scope: Scope) => { name: string, data?: ArrayLike<number> }[] }} declared
 * @returns {Figure}
 */
function scores({ caption, columns, ...declared }) {
  return {
    ...declared,
    x: ({ t, model }) => positionAxis(model.state.length, t('offsets.axis')),
    cursor: ({ values }) => ({ x: values.distance }),
    onDrag: ({ set }, { x }) => set({ distance: x }),
    table(scope, whole) {
      const { t, values } = scope
      const { length, distance } = values
      const all = columns(scope)
      const count = whole ? length : Math.min(ROWS, length)
      const from = Math.max(0, Math.min(distance - count / 2, length - count))
      return {
        caption: t(caption, { from, to: from + count - 1 }),
        columns: [t('offsets.axis'), ...all.map(({ name }) => name)],
        rows: Array.from({ length: count }, (_, i) => [
          from + i,
          ...all.map(({ data }) => numberCell(data?.[from + i])),
        ]),
      }
    },
    matrix(scope) {
      const { length } = scope.values
      const all = columns(scope)
      const rows = Array.from({ length }, (_, k) => all.map(({ data }) => data?.[k] ?? NaN))
      return { data: rows.flat(), shape: [length, all.length] }
    },
  }
}

/**
 * ALiBi falls without end: unless it is in focus, it may run out of the picture.
 * @param {Model} model
 * @returns {[number, number]}
 */
function rangeOf({ state, lines }) {
  const all = padded(MODES.map((code) => lines[code]?.mean))
  if (state.mode === 'alibi') return all
  const [low, high] = padded(MODES.map((code) => (code === 'alibi' ? [] : lines[code]?.mean)))
  return [Math.max(all[0], Math.min(low, 0) - (high - low) / 2), high]
}

/** @param {(ArrayLike<number> | undefined)[]} lines @returns {[number, number]} */
function padded(lines) {
  const [low = 0, high = 1] = extent(lines.flatMap((line) => Array.from(line ?? [])))
  const pad = (high - low || 1) * 0.06
  return [low - pad, high + pad]
}
