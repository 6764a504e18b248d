// Similarity: how alike two rows are, and that for the sinusoidal code it depends on the offset alone.
import { drawLines } from '../../charts/line.js'
import { drawCursorLine, drawTableEnd } from '../../charts/across.js'
import { numberCell } from '../../kit/numbers.js'
import {
  OVERHANG,
  defineScene,
  html,
  linearAxis,
  mark,
  nothing,
  positionAxis,
} from '../../kit/scene.js'
import { seatStrip } from '../../kit/seats.js'
import { formatNumber } from '../../text/text.js'
import { compare } from './compare.js'
import { drawLevels, drawRing, drawStep, drawTurns, pairsThatTurn } from './marks.js'

/** Room above the curves for the arrows of the offset, in px at type scale 1. */
const HEAD = 14
/** A table shows so many positions; of longer rows those around the first cursor. */
const MOST_ROWS = 128
/** Below this distance two rows are told apart with difficulty. */
const CLOSE = 0.05

const CODES = /** @type {const} */ (['sinusoidal', 'learned'])
const MEASURES = /** @type {const} */ (['dot', 'cosine'])
/** Codes differ by dash and marker as well as by hue; the second cursor's line is finer. */
const LOOK = /** @type {const} */ ({
  sinusoidal: { dash: ['solid', 'solid'], marker: 'circle' },
  learned: { dash: ['dashed', 'dotted'], marker: 'square' },
})

const strip = seatStrip(({ state, values: { position, tMax } }) => ({
  cursor: position,
  failed: state.mode === 'learned' && position >= tMax,
}))

export const similarity = defineScene({
  id: 'similarity',
  fields: ['dModel', 'base', 'length', 'tMax', 'rate', 'seed'],
  compute: ({ codes, state, memory }) => compare(codes, state, memory),

  values({ t, model }) {
    const { position, position2, offset, measure, length, tMax, steps, dModel } = model.state
    const angles = Array.from(
      { length: Math.floor(dModel / 2) },
      (_, pair) => model.turns[0].to.angle[pair] - model.turns[0].from.angle[pair],
    )
    const pairs = pairsThatTurn(dModel)
    const both = (/** @type {typeof CODES[number]} */ code) =>
      model[code].pairs.map((pair) => shown(pair?.[measure]))
    return {
      ...{
        position,
        position2,
        offset,
        length,
        steps,
        dModel,
        tMax,
        last: tMax - 1,
        angles,
        pairs,
      },
      ...{ cursors: [position, position2], rows: model.learned.rows },
      key: /** @type {typeof MEASURES[number]} */ (measure),
      measure: t(`measure.${measure}`),
      to: position + offset,
      to2: position2 + offset,
      /** What each cursor's row and the one an offset further give. */
      given: { sinusoidal: both('sinusoidal'), learned: both('learned') },
      labels: [position, position2].map((from) =>
        t('similarity.step', { from, to: from + offset }),
      ),
    }
  },

  say({ t, text, state, values }) {
    const { position, position2, offset, cursors, rows, steps, dModel, given } = values
    const lead = t('similarity.lead', values)
    const learned = state.mode === 'learned'
    const asked = cursors.flatMap((from) => [from, from + offset])
    const none = learned ? asked.find((row) => row >= rows) : undefined
    const untrained = learned ? asked.find((row) => row >= values.tMax) : undefined
    const [one, two] = given[learned && none === undefined ? 'learned' : 'sinusoidal']
    const same = one === two
    let key = values.key === 'dot' ? 'similarity.say.same' : 'similarity.say.same.cosine'
    if (learned) {
      key = steps === 0 ? 'similarity.say.learned.start' : 'similarity.say.learned'
      if (same) key = 'similarity.say.learned.equal'
      if (position === position2) key = 'similarity.say.learned.one'
      if (untrained !== undefined) key = 'similarity.say.learned.untrained'
      if (none !== undefined) key = 'similarity.say.learned.none'
    } else {
      if (offset === 0) key = 'similarity.say.zero'
      if (dModel % 2 === 1) key = same ? 'similarity.say.odd.equal' : 'similarity.say.odd'
      if (position === position2) key = 'similarity.say.one'
      if (given.sinusoidal.includes('–')) key = 'similarity.say.undefined'
    }
    const told = { ...values, one, two, missing: none ?? untrained ?? '', last: rows - 1 }
    return { lead, body: text(key, told), failing: untrained !== undefined }
  },

  figures: (each) => ({
    ...each(CODES, (code) => ({
      className: `curves curves-${code}`,
      hue: `hue-${code}`,
      headroom: HEAD,
      x: ({ values }) => positionAxis(values.length),
      y: ({ model, values }) =>
        linearAxis(...range(model[code].curves, values.key), values.measure),
      marks({ t, model, values, theme }) {
        const { curves, pairs } = model[code]
        const { cursors, key, offset, rows, tMax } = values
        const { dash, marker } = LOOK[code]
        const colour = theme[code]
        return [
          (plot) => {
            const height = plot.height - 2 * OVERHANG
            const rect = { ...plot.rect, y: OVERHANG, height }
            if (code === 'learned') {
              drawTableEnd(plot, plot.x, rect, { rows, tMax, label: t('beyond.noplate') })
            }
            // Without a row there is nothing at the cursor.
            cursors.forEach((at, which) => {
              const weight = which === 0 ? 1.5 : 1
              drawCursorLine(plot, plot.x, rect, { at, failed: !curves[which], weight })
            })
          },
          mark(drawLines, {
            zero: 0,
            series: [1, 0].flatMap((which) => {
              const y = curves[which]?.[key]
              return y ? [{ y, colour, dash: dash[which], width: which === 0 ? 2.25 : 1.25 }] : []
            }),
          }),
          (plot) => {
            const marks = pairs.map((pair, which) => ({
              at: cursors[which] + offset,
              value: pair?.[key],
              marker: which === 0 ? marker : /** @type {const} */ ('ring'),
              text: shown(pair?.[key]),
            }))
            drawLevels(plot, marks, colour)
            const y = OVERHANG + 8 * theme.typeScale
            for (const from of cursors) drawStep(plot, from, offset, y)
          },
        ]
      },
      cursor: ({ values }) => values.cursors.map((x) => ({ x })),
      onDrag: move,
      words({ t, text, model, values, hover }) {
        const { curves, pairs } = model[code]
        const { position, key, rows } = values
        const over = hover?.figure === code
        const to = over ? hover.x : values.to
        const value = over ? curves[0]?.[key][to] : pairs[0]?.[key]
        const missing = code === 'learned' && position >= rows ? position : to
        const [one, two] = values.given[code]
        return {
          name: text(`similarity.${code}`),
          note: text(`similarity.${code}.note`, values),
          readout:
            value === undefined
              ? t('similarity.readout.none', { to: missing })
              : t('similarity.readout', {
                  ...{ from: position, to },
                  value: Number.isNaN(value) ? t('similarity.undefined') : formatNumber(value),
                }),
          summary: t('similarity.summary', { ...values, one, two }),
        }
      },
      // Both cursors' rows with every other, in both measures.
      table({ t, model, values }, whole) {
        const { position, cursors, length, rows } = values
        const all = code === 'sinusoidal' ? length : Math.min(length, rows)
        const most = whole ? all : MOST_ROWS
        const from = Math.max(0, Math.min(position - most / 2, all - most))
        const to = Math.min(all, from + most)
        const column = (/** @type {number} */ row) =>
          MEASURES.map((key) => t('similarity.column', { row, measure: t(`measure.${key}`) }))
        return {
          caption:
            from === 0 && to === all
              ? t('similarity.table')
              : t('similarity.table.near', { from, to: to - 1 }),
          columns: [t('beyond.axis.position'), ...cursors.flatMap(column)],
          rows: Array.from({ length: to - from }, (_, i) => [
            from + i,
            ...model[code].curves.flatMap((one) =>
              MEASURES.map((key) => {
                const value = one?.[key][from + i]
                return numberCell(Number.isNaN(value) ? undefined : value)
              }),
            ),
          ]),
        }
      },
      // A row for each cursor that has one, in the measure that is shown.
      matrix({ model, values: { key } }) {
        const lines = model[code].curves.flatMap((one) => (one ? [Array.from(one[key])] : []))
        if (lines.length === 0) return undefined
        return { data: lines.flat(), shape: [lines.length, lines[0].length] }
      },
    })),
    seats: {
      ...strip,
      marks: (scope) => {
        const { position, position2 } = scope.values
        return [
          ...strip.marks(scope),
          position2 !== position && ((plot) => drawRing(plot, position2)),
        ]
      },
      cursor: ({ values }) => values.cursors.map((x) => ({ x })),
      onDrag: move,
      words: ({ t, values }) => ({
        name: t('beyond.seats'),
        summary: t('similarity.summary.seats', values),
      }),
    },
    turns: {
      className: 'card turns',
      classes: ({ model }) => model.rotation.rotatedDims === 0 && 'still',
      marks: ({ model, values: { labels, angles, pairs } }) => [
        (plot) => {
          const heads = pairs.map((pair) => showAngle(angles[pair]))
          drawTurns(plot, { labels, heads, angles, pairs, turns: model.turns })
        },
      ],
      words({ t, values }) {
        const { angles, pairs } = values
        const listed = pairs.map((pair) => formatNumber(degrees(angles[pair]), 1)).join(', ')
        return {
          name: t('similarity.turns'),
          summary: t('similarity.summary.turns', {
            ...values,
            count: pairs.length,
            angles: listed,
          }),
        }
      },
      // Every pair: its turn and its block of the rotation matrix.
      table({ t, model: { rotation }, values: { angles, offset } }) {
        const { data, shape } = rotation
        return {
          caption: t('similarity.table.turns', { offset }),
          columns: [
            t('beyond.axis.dimension'),
            t('similarity.column.angle'),
            ...['R[0, 0]', 'R[0, 1]', 'R[1, 0]', 'R[1, 1]'],
          ],
          rows: angles.map((angle, pair) => {
            const top = 2 * pair * (shape[1] + 1)
            const block = [top, top + 1, top + shape[1], top + shape[1] + 1]
            return [
              `${2 * pair}, ${2 * pair + 1}`,
              numberCell(degrees(angle)),
              ...block.map((at) => numberCell(data[at])),
            ]
          }),
        }
      },
      matrix: ({ model }) => model.rotation,
      below({ text, model: { rotation }, values: { offset, dModel } }) {
        const { rotatedDims: dims, rotatedError, error } = rotation
        const key = dims === 0 ? 'one' : dims < dModel ? 'lone' : 'rest'
        const told = { offset, dims, error: showError(rotatedError), all: showError(error) }
        return html`<p class="rest">${text(`similarity.turns.${key}`, told)}</p>`
      },
    },
  }),

  view: (scope) => {
    const { model, figure, tools, field, sentence } = scope
    return html`<div class="main">
        ${CODES.map(figure)}${figure('seats')}${field('position', tools('seats'))}
        <div class="moves">${field('position2')}${field('offset')}${field('steps')}</div>
        ${sentence}
      </div>
      <div class="side">
        ${model ? sameCard(scope) : nothing}${figure('turns')}${model ? spreadCard(scope) : nothing}
      </div>`
  },
})

/** @type {NonNullable<import('../../kit/types').Figure<any, any>['onDrag']>} */
function move({ set }, { x, handle }) {
  set({ [handle === 0 ? 'position' : 'position2']: x })
}

/** @param {number} radians */
const degrees = (radians) => (radians * 180) / Math.PI

/** @param {number} radians */
function showAngle(radians) {
  const angle = degrees(radians)
  return `${formatNumber(angle, angle < 10 ? 1 : 0)}°`
}

/** @param {number | undefined} value none where there is no row, NaN where it is undefined */
function shown(value) {
  return value === undefined || Number.isNaN(value) ? '–' : formatNumber(value)
}

/** An error of rounding, in one figure: `2e-16`. @param {number} value */
function showError(value) {
  if (value === 0) return '0'
  return value < 1e-3 ? value.toExponential(0).replace('-', '−') : formatNumber(value)
}

/**
 * Four places, or the two leading figures of a distance that would read as nothing.
 * @param {number} distance
 */
function showDistance(distance) {
  if (distance === 0 || distance >= 5e-4) return formatNumber(distance)
  return distance.toExponential(1).replace('-', '−')
}

/**
 * @param {(import('./compare.js').Curves | undefined)[]} curves
 * @param {typeof MEASURES[number]} key
 * @returns {[number, number]} with some room beyond what is drawn; zero is in sight
 */
function range(curves, key) {
  let low = 0
  let high = 0
  for (const curve of curves) {
    for (const value of curve?.[key] ?? []) {
      // NaN, a gap in the curve, is neither.
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  const span = high - low || 1
  return [low - (low < 0 ? 0.06 * span : 0), high + 0.1 * span]
}

/** The same offset from both cursors, in both codes. @param {any} scope */
function sameCard({ t, values, choice }) {
  const describe = (/** @type {string} */ key) => t(`measure.${key}`)
  const cell = (/** @type {string} */ text) =>
    html`<td class=${text === '–' ? 'missing' : ''}>${text}</td>`
  return html`<section class="card same" aria-label=${t('similarity.same', values)}>
    <p class="name">${t('similarity.same', values)}</p>
    ${choice('measure', { values: MEASURES, describe })}
    <table class="pairs">
      <thead>
        <tr>
          <td></td>
          <th scope="col">${values.labels[0]}</th>
          <td></td>
          <th scope="col">${values.labels[1]}</th>
        </tr>
      </thead>
      <tbody>
        ${CODES.map((code) => {
          const [one, two] = values.given[code]
          const known = one !== '–' && two !== '–'
          return html`<tr>
            ${codeHead(t, code, 'row')}${cell(one)}
            <td class="sign">${known ? (one === two ? '=' : '≠') : ''}</td>
            ${cell(two)}
          </tr>`
        })}
      </tbody>
    </table>
  </section>`
}

/** @param {any} t @param {string} code @param {string} scope */
const codeHead = (t, code, scope) =>
  html`<th scope=${scope} class="hue-${code}"><i class="dot"></i> ${t(`mode.${code}`)}</th>`

/** @param {any} scope */
function spreadCard({ t, model }) {
  const least = model.sinusoidal.spread.closest?.distance ?? Infinity
  let title = t('similarity.spread')
  if (least < CLOSE) title = t('similarity.spread.close')
  if (least === 0) title = t('similarity.spread.equal')
  /** @param {string} line @param {(spread: import('../../engine/types.js').Spread) => string} show */
  const row = (line, show) =>
    html`<tr>
      <th scope="row">${t(`similarity.spread.${line}`)}</th>
      ${CODES.map((code) => html`<td>${show(model[code].spread)}</td>`)}
    </tr>`
  return html`<section class="card spread" aria-label=${title}>
    <p class="name">${title}</p>
    <table>
      <thead>
        <tr>
          <td></td>
          ${CODES.map((code) => codeHead(t, code, 'col'))}
        </tr>
      </thead>
      <tbody>
        ${row('distance', ({ closest }) => (closest ? showDistance(closest.distance) : '–'))}
        ${row('rows', ({ closest }) => (closest ? `${closest.first}, ${closest.second}` : '–'))}
        ${row('minimum', ({ minimum }) => formatNumber(minimum))}
        ${row('maximum', ({ maximum }) => formatNumber(maximum))}
      </tbody>
    </table>
    <p class="rest">${t('similarity.bounded')}</p>
  </section>`
}
