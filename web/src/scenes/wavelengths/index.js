// Wavelengths: which pairs of RoPE have turned at least once in training, and what each scaling makes of
// them.
import { drawPairs } from '../../charts/pairs.js'
import { formatCount, formatPercent, formatShort } from '../../kit/format.js'
import { numberCell } from '../../kit/numbers.js'
import { defineScene, html } from '../../kit/scene.js'
import { ROPE_TYPES } from '../../state/fields.js'
import { formatNumber } from '../../text/text.js'
import { TIMES, compute } from './coverage.js'

/**
 * Scalings are one code, so they share its hue; drawn together, they differ by tone and dash.
 * @type {Record<string, { dash: import('../../charts/core/markers.js').Dash,
 *   tone: 'rope' | 'ink' | 'muted' }>}
 */
const LOOK = {
  default: { dash: 'dotted', tone: 'ink' },
  linear: { dash: 'dashed', tone: 'ink' },
  ntk: { dash: 'solid', tone: 'ink' },
  dynamic: { dash: 'solid', tone: 'muted' },
  yarn: { dash: 'solid', tone: 'rope' },
  longrope: { dash: 'dotted', tone: 'rope' },
  llama3: { dash: 'dashed', tone: 'rope' },
}

export const wavelengths = defineScene({
  id: 'wavelengths',
  fields: ['trainedLength', 'ropePairs', 'ropeBase'],
  compute: ({ engine, state, memory }) => compute(engine, state, memory),

  values({ t, model: { state, plain, types, length } }) {
    const { ropeType, ropePair: pair, ropePairs: pairs, ropeFactor: factor, trainedLength } = state
    const found = types[ropeType]
    const from = found.unseenFrom[pair]
    return {
      ...{ ropeType, pair, pairs, factor, found, unseen: found.unseen },
      rest: pairs - plain.turned,
      name: t(`ropeType.${ropeType}`),
      turned: plain.turned,
      trained: formatCount(trainedLength),
      length: formatCount(length),
      turn: formatPositions(found.plainWavelengths[pair]),
      now: formatPositions(found.wavelengths[pair]),
      turns: formatNumber(found.turns[pair], 2),
      fast: formatPositions(found.wavelengths[0]),
      slow: formatPositions(found.wavelengths[pairs - 1]),
      // Undefined where training has shown every angle of the pair.
      from: Number.isFinite(from) ? formatCount(from) : undefined,
    }
  },

  say({ t, text, model, values }) {
    const { ropeType, unseen, rest } = values
    let key = 'wavelengths.say.none'
    if (unseen > 0) key = 'wavelengths.say.unseen'
    if (unseen === rest) key = 'wavelengths.say.unseen.all'
    if (model.length <= model.state.trainedLength) key = 'wavelengths.say.within'
    if (rest === 0) key = 'wavelengths.say.all'
    const lead = ropeType === 'default' ? 'wavelengths.lead' : 'wavelengths.lead.factor'
    return { lead: t(lead, values), body: text(key, values), failing: unseen > 0 }
  },

  /** Where the rows of the picture lie: `plot` as it was drawn last. */
  own: () => ({}),

  figures: {
    pairs: {
      hue: 'hue-rope',
      legend: ({ t, model, theme }) => curvesOf(t, model, theme),
      marks: ({ t, model, values, theme, own }) => [
        ({ ctx, rect }) => {
          const { state, length } = model
          const { width, height } = rect
          ctx.save()
          ctx.translate(0, rect.y)
          own.plot = drawPairs(ctx, {
            ...{ width, height, theme, colour: theme.rope },
            data: {
              wavelengths: values.found.wavelengths,
              turns: values.found.turns,
              unseenFrom: values.found.unseenFrom,
              trained: state.trainedLength,
              reach: length,
              bands: bandsOf(t, model),
              curves: curvesOf(t, model, theme),
              cursor: state.ropePair,
            },
            labels: {
              position: t('wavelengths.axis'),
              pair: t('wavelengths.pair'),
              trained: t('wavelengths.wall', { length: values.trained }),
              reach: t('wavelengths.reach', values),
              format: (value) => formatShort(t, value),
            },
          })
          ctx.restore()
        },
      ],
      cursor: ({ state }) => ({ y: state.ropePair }),
      onDrag: ({ set, own }, { y, point, plot }) =>
        set({ ropePair: y ?? own.plot.pairAt(point.y - plot.rect.y) }),
      words({ t, values }) {
        const moved = values.now !== values.turn
        const read = t(moved ? 'wavelengths.readout.moved' : 'wavelengths.readout', values)
        const past = values.from && t('wavelengths.readout.unseen', values)
        return {
          name: t('wavelengths.title'),
          note: t('wavelengths.note'),
          readout: past ? `${read} ${past}` : read,
          summary: t('wavelengths.summary', { ...values, turned: values.found.turned }),
        }
      },
      table({ t, values }) {
        const { unseenFrom, turns, plainWavelengths, wavelengths: scaled } = values.found
        const columns = ['trained', 'turns', 'now', 'unseen']
        return {
          caption: t('wavelengths.table', values),
          columns: [
            t('wavelengths.pair'),
            ...columns.map((column) => t(`wavelengths.column.${column}`)),
          ],
          rows: Array.from(plainWavelengths, (wavelength, pair) => [
            pair,
            numberCell(wavelength, formatPositions(wavelength)),
            numberCell(turns[pair], formatNumber(turns[pair], 2)),
            numberCell(scaled[pair], formatPositions(scaled[pair])),
            Number.isFinite(unseenFrom[pair])
              ? numberCell(unseenFrom[pair], formatCount(unseenFrom[pair]))
              : '–',
          ]),
        }
      },
      // Wavelengths in training and now, a row a pair.
      matrix: ({ values: { found } }) => ({
        data: Array.from(found.plainWavelengths).flatMap((turn, i) => [turn, found.wavelengths[i]]),
        shape: [found.wavelengths.length, 2],
      }),
    },
  },

  view(scope) {
    const { t, model, choice, figure, sentence, field, flagField } = scope
    return html`<div class="main">
        ${choice('ropeType', { describe: (type) => t(`ropeType.${type}`) })}${figure('pairs')}
        ${sentence}
        <div class="under">
          ${field('ropeFactor')}${field('reach')}${field('ropePair')}${flagField('ropeAll')}
        </div>
      </div>
      <div class="side">${model && typeCard(scope)}${model && furtherCard(scope)}</div>`
  },
})

/** Short enough to be read at a glance, in both languages. @param {number} positions */
const formatPositions = (positions) =>
  formatCount(Number(positions.toPrecision(positions >= 1e4 ? 4 : 3)))

/** @param {any} t @param {import('./coverage.js').Model} model @param {any} theme */
function curvesOf(t, { state: { ropeAll, ropeType }, types }, theme) {
  return ROPE_TYPES.filter((type) => type !== ropeType && (ropeAll || type === 'default')).map(
    (type) => ({
      wavelengths: types[type].wavelengths,
      colour: theme[LOOK[type].tone],
      dash: LOOK[type].dash,
      label: t(`ropeType.${type}`),
    }),
  )
}

/**
 * The bands of YaRN and of llama3: pairs that stay, pairs that are stretched in full, the ramp between.
 * @param {any} t
 * @param {import('./coverage.js').Model} model
 * @returns {import('../../charts/pairs.js').PairBand[]}
 */
function bandsOf(t, { state: { ropeType, ropeFactor: factor }, types }) {
  if (!['yarn', 'llama3'].includes(ropeType) || factor === 1) return []
  const { kept } = types[ropeType]
  const stays = kept.findIndex((ratio) => ratio < 1 - 1e-9)
  const full = kept.findIndex((ratio) => Math.abs(ratio * factor - 1) < 1e-9)
  const ramp = stays < 0 ? kept.length : stays
  const stretched = full < 0 ? kept.length : full
  const last = kept.length - 1
  return [
    { from: 0, to: ramp - 1, label: t('wavelengths.band.stays'), alpha: 0 },
    { from: ramp, to: stretched - 1, label: t('wavelengths.band.ramp'), alpha: 0.2 },
    { from: stretched, to: last, label: t('wavelengths.band.stretched', { factor }), alpha: 0.09 },
  ].filter(({ from, to }) => to >= from)
}

/** What the chosen scaling does and who uses it. @param {any} scope */
const typeCard = ({ t, values: { ropeType, name, found } }) =>
  html`<section class="card type">
    <h2>${name}</h2>
    <p>${t(`wavelengths.does.${ropeType}`)}</p>
    <p class="muted">${t(`wavelengths.who.${ropeType}`)}</p>
    <p class="attention">
      ${t('wavelengths.attention')} <b class="count">${formatNumber(found.attentionFactor)}</b>
    </p>
    <p class="muted">${t('wavelengths.attention.what')}</p>
  </section>`

/** How many pairs come to angles that training never showed, a row a scaling. @param {any} scope */
function furtherCard({ t, model, values, set }) {
  const { reach } = model.state
  return html`<section class="card further">
    <h2>${t('wavelengths.further')}</h2>
    <table>
      <caption>
        ${t('wavelengths.further.caption', values)}
      </caption>
      <thead>
        <tr>
          <td></td>
          ${TIMES.map(
            (times) =>
              html`<th scope="col">
                <button
                  type="button"
                  class="quiet"
                  data-times=${times}
                  aria-label=${t('wavelengths.further.go', { times })}
                  aria-pressed=${times === reach}
                  @click=${() => set({ reach: times })}
                >
                  ${t('wavelengths.times', { times })}
                </button>
              </th>`,
          )}
          <th scope="col">${t('wavelengths.further.step')}</th>
        </tr>
      </thead>
      <tbody>
        ${ROPE_TYPES.map((type) => {
          /** @type {import('./coverage.js').RopeCoverage[]} */
          const answers = model.further[type]
          return html`<tr class=${type === values.ropeType ? 'now' : ''}>
            <th scope="row">${t(`ropeType.${type}`)}</th>
            ${answers.map(({ unseen }) => html`<td class=${unseen > 0 ? 'bad' : ''}>${unseen}</td>`)}
            <td>${formatPercent(t, answers[answers.length - 1].kept[0])}</td>
          </tr>`
        })}
      </tbody>
    </table>
    <p class="muted">${t('wavelengths.further.note')}</p>
  </section>`
}
