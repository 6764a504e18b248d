// Cost: how many parameters and bytes each code takes. Nothing is trained for it, however large.
import { drawLines } from '../../charts/line.js'
import { drawNames } from '../../charts/names.js'
import { drawShare, lensTimes } from '../../charts/share.js'
import { defineScene, html, linearAxis, mark } from '../../kit/scene.js'
import { PRESETS } from '../../state/presets.js'
import { formatBytes, formatCount, formatPercent, formatShort } from '../../kit/format.js'
import { MODELS, axisEnd, modelNamed, modelSize, roundUp, sizeOf } from './models.js'

export const cost = defineScene({
  id: 'cost',
  fields: ['costRows', 'costWidth', 'costModel'],

  values({ t, state }) {
    const size = sizeOf(state)
    return { size, ...written(t, size) }
  },

  say({ t, text, state, values }) {
    const { rows, share } = values.size
    const base = modelSize('bert', state.costBytes).rows
    const name = modelNamed(state)
    let key = rows > base && rows % base === 0 ? 'times' : 'share'
    if (name) key = 'named'
    if (share > 1) key = 'over'
    if (state.mode === 'sinusoidal') key = 'sinusoidal'
    const told = {
      ...values,
      name: name ? t(`preset.${name}`) : '',
      times: formatCount(rows / base),
    }
    return { lead: text(`cost.say.lead.${state.mode}`, told), body: text(`cost.say.${key}`, told) }
  },

  figures: {
    growth: {
      x: ({ t, state }) =>
        linearAxis(0, axisEnd(state.costRows), t('cost.axis.rows'), { format: formatCount }),
      y: ({ t, state }, { domain: [, end] }) =>
        linearAxis(0, roundUp(end * state.costWidth), undefined, {
          format: (value) => formatShort(t, value),
        }),
      marks({ t, state: { costWidth }, values: { size, model }, theme, plot }) {
        const [, end] = plot.x.domain
        // The cursor's own point is one of each line's, so that its dot lies on it exactly.
        const x = [0, size.rows, end]
        const level = (/** @type {number} */ value) => ({ x, y: [value, value, value] })
        /** @type {import('../../charts/line.js').Series[]} */
        const series = [
          { x, y: x.map((rows) => rows * costWidth), colour: theme.learned, width: 3 },
          { ...level(0), colour: theme.sinusoidal, width: 3, dash: 'dashed' },
        ]
        const { learned, sinusoidal, muted } = theme
        const beside = { x: 0.88 * end, y: 0.88 * end * costWidth, left: true }
        const names = [
          { text: t('cost.line.learned'), colour: learned, ...beside },
          { text: t('cost.line.sinusoidal'), colour: sinusoidal, x: end, y: 0 },
        ]
        // Where the whole model lies within the picture, a line says when the table outgrows it.
        if (size.model <= plot.y.domain[1]) {
          series.push({ ...level(size.model), colour: muted, dash: 'dotted', faint: true })
          names.push({ text: t('cost.line.model', { model }), colour: muted, x: 0, y: size.model })
        }
        return [mark(drawLines, { series, cursor: size.rows }), mark(drawNames, { names })]
      },
      cursor: ({ state }) => ({ x: state.costRows }),
      onDrag: ({ set }, { x }) => set({ costRows: x }),
      // Parameters at doublings of T_max, and at the reader's own.
      table({ t, state }) {
        const lengths = [state.costRows]
        for (let rows = axisEnd(state.costRows); rows >= 1 && lengths.length < 10; rows /= 2) {
          if (!lengths.includes(rows)) lengths.push(rows)
        }
        return {
          caption: t('cost.table.growth', { width: formatCount(state.costWidth) }),
          columns: ['T_max', t('mode.learned'), t('cost.table.bytes'), t('mode.sinusoidal')],
          rows: lengths
            .sort((a, b) => a - b)
            .map((costRows) => {
              const { parameters, bytes } = sizeOf({ ...state, costRows })
              return [cell(costRows), cell(parameters), cell(bytes, formatBytes(bytes)), 0]
            }),
        }
      },
    },
    share: {
      className: 'part',
      classes: ({ values }) => lensTimes(values.size.share) === 1 && 'plain',
      marks({ t, values: { size, model, percent }, theme }) {
        const times = lensTimes(size.share)
        const part = t('unit.percent', { value: String(100 / times) })
        const labels = {
          whole: t('cost.share.model', { model }),
          part: t('cost.share.table', { percent }),
          lens: t('cost.share.lens', { part, times: formatCount(times) }),
        }
        return [mark(drawShare, { share: size.share, colour: theme.learned, labels })]
      },
      words: ({ values }) => ({ readout: values.percent }),
      table: ({ t, values: { size, percent } }) => ({
        caption: t('cost.table.share'),
        columns: ['', t('cost.amounts.parameters')],
        rows: [
          [t('cost.table.share.table'), cell(size.parameters)],
          [t('cost.table.share.model'), cell(size.model)],
          [t('cost.table.share.share'), cell(size.share, percent)],
        ],
      }),
    },
  },

  view({ t, text, state, figure, choice, sentence, set }) {
    const size = sizeOf(state)
    const none = { ...size, parameters: 0, bytes: 0, share: 0 }
    const now = modelNamed(state)
    const amount = (/** @type {string} */ code, /** @type {typeof size} */ found) => {
      const { count, bytes, percent, model } = written(t, found)
      return html`<div class="amount amount-${code} hue-${code}">
        <p class="who"><i class="dot"></i>${text(`mode.${code}`)}</p>
        <p>
          <b class="count">${count}</b>
          <span>${t('cost.amounts.parameters', { n: found.parameters })}</span>
        </p>
        <p class="muted">${bytes} ${t('cost.amounts.bytes')}</p>
        <p class="muted">${t('cost.amounts.share', { percent, model })}</p>
      </div>`
    }
    return html`<div class="main">${figure('growth')}${figure('share')}${sentence}</div>
      <div class="side">
        <section class="card amounts">
          <h2>${t('cost.amounts')}</h2>
          ${amount('learned', size)}${amount('sinusoidal', none)}
          ${choice('costBytes', { describe: (value) => text(`cost.bytes.${value}`) })}
          <p class="muted">${t('cost.amounts.note')}</p>
        </section>
        <section class="card models">
          <h2>${t('cost.models')}</h2>
          <ul>
            ${MODELS.map((name) => {
              const values = written(t, modelSize(name, '4'))
              return html`<li>
                <button
                  type="button"
                  class="model"
                  aria-pressed=${name === now}
                  data-model=${name}
                  @click=${() => set(PRESETS.cost[name])}
                >
                  <b>${t(`preset.${name}`)}</b><span class="percent">${values.percent}</span>
                </button>
                <p>${t('cost.models.line', values)}</p>
                <p class="muted">${t(`cost.source.${name}`)}</p>
              </li>`
            })}
          </ul>
        </section>
      </div>`
  },
})

/** @param {number} value @param {string} [text] */
const cell = (value, text = formatCount(value)) => ({ value, text })

/** @param {import('../../text/text.js').Translate} t @param {import('./models.js').Size} size */
const written = (t, size) => ({
  rows: formatCount(size.rows),
  width: formatCount(size.width),
  count: formatCount(size.parameters),
  bytes: formatBytes(size.bytes),
  percent: formatPercent(t, size.share),
  model: formatShort(t, size.model),
})
