// Biases: what ALiBi and T5 add to the scores, and what is left of the softmax as the sequence grows.
import { drawGroups } from '../../charts/groups.js'
import { drawLines } from '../../charts/line.js'
import { hatch } from '../../charts/core/canvas.js'
import { drawSquares, rowUnder } from '../../charts/squares.js'
import { defineScene, html, linearAxis, mark, positionAxis } from '../../kit/scene.js'
import { formatNumber } from '../../text/text.js'
import { formatPercent } from '../../kit/format.js'
import { largestAbsolute, numberCell, slopeText } from '../../kit/numbers.js'
import { HEADS, LENGTHS, LONGEST, TRAINED, computeBiases } from './attention.js'

/** The four squares, in their order. */
const PANELS = /** @type {const} */ (['scores', 'bias', 'plain', 'biased'])
/** The slopes' picture ends at this bias: steeper heads leave it. */
const DEEPEST = -16

export const biases = defineScene({
  id: 'biases',
  fields: ['seed'],

  compute: ({ engine, state, memory }) => computeBiases(engine, state, memory),

  values({ t, text, model: { now, lengths, slopes, far, state } }) {
    const { mode, biasHead: head, biasQuery: query, numBuckets: count } = state
    const weights = (/** @type {'plain' | 'biased'} */ which) =>
      now[which].slice(query * now.length, (query + 1) * now.length)
    const rows = { plain: weights('plain'), biased: weights('biased') }
    const [plain, biased] = [rows.plain, rows.biased].map((row) => largestAbsolute(row))
    const list = lengths.map(({ length, near }) => `${length}: ${near.map(percent).join(' / ')}`)
    return {
      rows,
      top: Math.max(plain, biased, 0.05),
      t5: mode === 't5',
      plain: formatNumber(plain, 2),
      biased: formatNumber(biased, 2),
      ...{ n: now.length, query, head, heads: HEADS, far, count, near: TRAINED },
      name: text(`mode.${mode}`),
      slope: slopeText(slopes[head - 1]),
      slopes: slopes.map(slopeText).join(', '),
      list: list.join('; '),
      /** @param {number} length */
      times: (length) => t('biases.times', { length, times: length / TRAINED }),
    }
  },

  say({ t, model, values }) {
    const { biasLength: length, sided } = model.state
    const { t5, far } = values
    const [plain, biased] = model.now.near.map((share) => formatPercent(t, share))
    const body = [t(t5 ? 'biases.say.t5' : 'biases.say.alibi', { ...values, plain, biased })]
    if (t5 && length > far) body.push(t('biases.say.far', values))
    if (sided !== 'causal') body.push(t(t5 ? 'biases.say.both' : 'biases.say.blind'))
    const times = formatNumber(length / TRAINED, (length / TRAINED) % 1 ? 1 : 0)
    return { lead: t('biases.lead', { length, trained: TRAINED, times }), body: body.join(' ') }
  },

  figures: {
    maps: {
      marks: ({ t, model: { now, state } }) => [
        mark(drawSquares, {
          size: now.length,
          chosen: state.biasQuery,
          lower: state.sided === 'causal',
          squares: PANELS.map((name) => ({
            name: t(`biases.panel.${name}`),
            data: now[name],
            ...rangeOf(now, state.mode, name),
            empty: name === 'scores' && state.sided === 'causal' ? t('biases.unseen') : '',
          })),
        }),
      ],
      cursor: ({ state }) => ({ y: state.biasQuery }),
      onDrag({ set, model }, { y, point, plot }) {
        const squares = { count: PANELS.length, size: model.now.length }
        set({ biasQuery: y ?? rowUnder(plot, point, squares) })
      },
      table: queryTable,
      matrix: ({ model: { now } }) => ({ data: now.biased, shape: [now.length, now.length] }),
    },
    row: {
      x: ({ t, model }) => positionAxis(model.now.length, t('biases.axis.key')),
      y: ({ values }) => linearAxis(0, values.top * 1.05),
      marks: ({ model, values: { rows }, theme }) => [
        mark(drawLines, {
          zero: 0,
          cursor: model.state.biasQuery,
          series: [
            { y: rows.plain, colour: theme.nope, dash: 'dashed', marker: 'ring' },
            { y: rows.biased, colour: theme[model.state.mode], width: 2.5, marker: 'circle' },
          ],
        }),
      ],
      table: queryTable,
    },
    lines: {
      className: 'card lines',
      x: ({ t, state }) => {
        const { from, to } = offsetsOf(state)
        return linearAxis(from, to, t('biases.axis.offset'))
      },
      y: ({ state, values }) =>
        values.t5 ? linearAxis(-0.5, state.numBuckets) : linearAxis(DEEPEST, 0),
      marks({ model: { buckets, lines, far, state }, values: { t5 }, theme, plot }) {
        const { from, to } = offsetsOf(state)
        const steps = Array.from({ length: to - from + 1 }, (_, i) => from + i)
        const cut = (/** @type {ArrayLike<number>} */ all) => steps.map((at) => all[at + LONGEST])
        if (!t5) {
          const series = lines.map((line, i) => {
            const chosen = i === state.biasHead - 1
            const look = { colour: chosen ? theme.alibi : theme.muted, width: chosen ? 3 : 1 }
            return { x: steps, y: cut(line), ...look }
          })
          return [mark(drawLines, { series, reach: 3 })]
        }
        // A bucket reaches half a seat to either side.
        const edges = steps.flatMap((at) => [at - 0.5, at + 0.5])
        const y = cut(buckets).flatMap((bucket) => [bucket, bucket])
        const beyond = [
          [from, 0.5 - far],
          [far - 0.5, to],
        ]
        return [
          ...beyond.map(([a, b]) => () => {
            const area = { ...plot.rect, x: plot.x(a), width: plot.x(b) - plot.x(a) }
            hatch(plot.ctx, area, theme.t5, { spacing: 8 * theme.typeScale, alpha: 0.3 })
          }),
          mark(drawLines, { series: [{ x: edges, y, colour: theme.t5, width: 2.5 }], reach: 3 }),
        ]
      },
      words: ({ t, values }) =>
        values.t5
          ? { name: t('biases.buckets'), summary: t('biases.summary.buckets', values) }
          : { name: t('biases.slope', values), summary: t('biases.summary.slopes', values) },
      table({ t, model, values: { t5 } }) {
        const { from, to } = offsetsOf(model.state)
        return {
          caption: t(t5 ? 'biases.buckets' : 'biases.slopes'),
          columns: [
            t('biases.axis.offset'),
            ...(t5 ? [t('biases.bucket')] : model.slopes.map(slopeText)),
          ],
          rows: Array.from({ length: to - from + 1 }, (_, i) => [
            from + i,
            ...(t5 ? [model.buckets[i]] : model.lines.map((line) => numberCell(line[i]))),
          ]),
        }
      },
      below: ({ field, values }) =>
        values.t5 && html`<div class="buckets">${field('numBuckets')}${field('maxDistance')}</div>`,
    },
    thin: {
      className: 'card thin',
      marks: ({ model, values, theme }) => [
        mark(drawGroups, {
          most: 1,
          colours: [theme.nope, theme[model.state.mode]],
          format: percent,
          chosen: LENGTHS.indexOf(model.now.length),
          groups: model.lengths.map(({ length, near }) => ({
            label: values.times(length),
            values: near,
          })),
        }),
      ],
      table: ({ t, model }) => ({
        caption: t('biases.thin.caption', { near: TRAINED }),
        columns: [t('field.biasLength'), t('biases.without'), t('biases.with')],
        rows: model.lengths.map(({ length, near }) => [
          length,
          ...near.map((share) => numberCell(share, percent(share))),
        ]),
      }),
    },
  },

  view: ({ t, text, figure, field, choice, sentence, set }) =>
    html`<div class="main">
        <div class="what">
          ${choice('sided', { describe: (value) => text(`biases.${value}`) })}
          ${choice('biasLength', {
            label: 'field.biasLength',
            values: LENGTHS.map(String),
            describe: (value) =>
              t('biases.times', { length: value, times: Number(value) / TRAINED }),
            // The sentence is about the last query: whoever takes another length sees that one.
            choose: (value) => set({ biasLength: Number(value), biasQuery: Number(value) - 1 }),
          })}
        </div>
        ${figure('maps')}
        <div class="moves">${field('biasLength')}${field('biasHead')}${field('biasQuery')}</div>
        ${figure('row')}${sentence}
      </div>
      <div class="side">${figure('thin')}${figure('lines')}</div>`,
})

/** In whole percent. @param {number} share */
const percent = (share) => formatNumber(100 * share, 0)

/** The offsets that are seen. @param {{ sided: string }} state */
const offsetsOf = ({ sided }) => ({ from: -LONGEST, to: sided === 'causal' ? 0 : LONGEST })

/**
 * What the colours of a square mean. What lies beyond these has the colours of the ends.
 * @param {import('./attention.js').Attended} now
 * @param {string} mode
 * @param {typeof PANELS[number]} name
 */
function rangeOf({ bias }, mode, name) {
  if (name === 'scores') return { limit: 3, ends: '≤ −3 … ≥ 3' }
  if (name !== 'bias') return { limit: 0.25, ends: '0 … ≥ 0.25' }
  const limit = largestAbsolute(Array.from(bias, (value) => (value > -Infinity ? value : 0))) || 1
  const end = formatNumber(limit, limit > 8 ? 0 : 2)
  return { limit, ends: `−${end} … ${mode === 't5' ? end : 0}` }
}

/** @type {import('../../kit/types').Figure<Awaited<ReturnType<typeof computeBiases>>, any>['table']} */
function queryTable({ t, model: { now, state } }) {
  const { biasQuery: query, sided } = state
  const keys = sided === 'causal' ? query + 1 : now.length
  return {
    caption: t('biases.table.row', { query }),
    columns: [t('biases.axis.key'), ...PANELS.map((name) => t(`biases.panel.${name}`))],
    rows: Array.from({ length: keys }, (_, key) => [
      key,
      ...PANELS.map((name) => numberCell(now[name][query * now.length + key])),
    ]),
  }
}
