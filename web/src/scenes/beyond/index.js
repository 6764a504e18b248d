// Past T_max: both codes under each other, one cursor.
import { drawBars } from '../../charts/bars.js'
import { drawArrow } from '../../charts/core/arrow.js'
import { columnFrame } from '../../charts/core/canvas.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import {
  around,
  largestAbsolute,
  listed,
  numberCell,
  partTable,
  rowOf,
  wholeTable,
} from '../../kit/numbers.js'
import { defineScene, html, mark, nothing, positionAxis } from '../../kit/scene.js'
import { seatStrip } from '../../kit/seats.js'
import { BEHAVIOURS } from '../../state/fields.js'
import { inputMode } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { errorText, lookUp } from './lookup.js'

const CODES = /** @type {const} */ (['sinusoidal', 'learned'])

export const beyond = defineScene({
  id: 'beyond',
  fields: ['tMax', 'grown', 'length', 'dModel', 'dimension', 'steps', 'rate', 'base', 'seed'],

  async compute({ codes, state, memory }) {
    const { behaviour, position, tMax, grown } = state
    // Where the device asserted: every later lookup fails until the process is restarted.
    const deadSince = behaviour === 'assert' ? memory.deadSince : undefined
    memory.deadSince = deadSince
    if (behaviour === 'assert' && position >= tMax + grown) memory.deadSince ??= position
    const [sinusoidal, learned] = await Promise.all([codes.sinusoidal(state), codes.learned(state)])
    // The table is small beside the code that it is trained toward; both are drawn in full colour.
    learned.limit ??= largestAbsolute(learned.values.data) || 1
    const lookup = await lookUp(codes, state, learned, deadSince !== undefined)
    return { sinusoidal, learned, lookup, deadSince }
  },

  values({ state, model }) {
    const { learned, lookup, sinusoidal } = model
    const { tMax, grown, length, dModel: d, steps } = model.state
    const shown = Math.min(state.position, length - 1)
    const dimension = Math.min(state.dimension, d - 1)
    const { position, behaviour, source = '', past, dead } = lookup
    // A table made larger has a row here: nothing is past it, whatever is chosen.
    const unused = !past && !dead && position >= tMax
    const error = learned.meanSquaredError?.toFixed(6)
    const last = tMax - 1
    const row = { sinusoidal: rowOf(sinusoidal, shown), learned: lookup.row }
    const limits = { sinusoidal: 1, learned: learned.limit ?? 1 }
    return {
      ...{ position, tMax, length, d, grown, last, steps, error, source, shown, dimension },
      ...{ row, limits, unused, rows: learned.rows, lastRow: learned.rows - 1 },
      told: unused ? 'untrained' : behaviour,
    }
  },

  say({ t, text, state, model }) {
    const { lookup, state: computed, deadSince } = model
    const { position, tMax, grown } = state
    if (lookup.position !== position || lookup.behaviour !== state.behaviour) return undefined
    if (computed.tMax !== tMax || computed.grown !== grown) return undefined
    const mode = inputMode(state)
    let key = state.behaviour
    let failing = true
    if (lookup.dead) key = lookup.past ? 'assert' : 'dead'
    else if (!lookup.past && position >= tMax) key = 'grown'
    else if (!lookup.past || (mode === 'sinusoidal' && key === 'raise')) {
      key = lookup.past ? 'raise.sinusoidal' : `inside.${mode}`
      failing = false
    }
    const rows = tMax + grown
    const { source = '' } = lookup
    const values = { position, source, rows, last: rows - 1, at: deadSince ?? position }
    const lead = t('beyond.say.lead', { position })
    return { lead, body: text(`beyond.say.${key}`, values), failing }
  },

  glide: ({ values }) => ({ to: values.shown }),

  figures: (each) => ({
    ...each(CODES, (code) => ({
      className: `map map-${code}`,
      hue: `hue-${code}`,
      x: ({ model }) => positionAxis(model.state.length),
      y: ({ t, model }) => positionAxis(model.state.dModel, t('beyond.axis.dimension')),
      marks({ t, state, model, values, theme, gliding, plot }) {
        const { lookup, learned } = model
        const looked = code === 'learned'
        const matrix = looked ? learned.values : model.sinusoidal
        const shared = { columns: values.d, limit: values.limits[code] }
        const failed = looked && lookup.wrong
        // What a lookup past the table gave is drawn where it was asked for, once the cursor is there.
        const { position } = state
        const arrived = looked && lookup.position === gliding
        const x = plot.x.left(position)
        const column = { ...plot.rect, x, width: plot.x.right(position) - x }
        return [
          mark(drawHeatmap, {
            ...shared,
            data: matrix.data,
            rows: matrix.shape[0],
            wall: values.tMax,
            dimension: values.dimension,
            cursor: { position: gliding, colour: theme[code], failed },
            ...(looked && {
              missingFrom: learned.rows,
              missingLabel: t('beyond.noplate'),
              gradientRows: learned.gradientRows,
              untrainedLabel: t('beyond.nogradient'),
            }),
          }),
          arrived &&
            lookup.past &&
            lookup.row &&
            mark(drawHeatmap, {
              ...shared,
              rect: column,
              scale: undefined,
              cache: undefined,
              data: lookup.row,
              rows: 1,
              rowStart: position,
              cursor: { position, failed: true },
            }),
          arrived && lookup.source !== undefined && comesFrom(lookup.source, position),
        ]
      },
      cursor: ({ state }) => ({ x: state.position, y: state.dimension }),
      onDrag: ({ set }, { x, y }) => set({ position: x, dimension: y }),
      words({ t, text, state, model, values, hover }) {
        const grown = code === 'learned' && values.grown > 0
        const { x: position, y: dimension } =
          hover?.figure === code ? hover : { x: state.position, y: values.dimension }
        const value = valueAt(model, code, position, dimension)
        const at = { position, dimension }
        return {
          name: text(`beyond.${code}.title`),
          limit: values.limits[code],
          note: text(`beyond.${code}.${grown ? 'grown' : 'note'}`, values),
          readout:
            value === undefined
              ? t('beyond.readout.none', at)
              : t('beyond.readout', { ...at, value: formatNumber(value) }),
          summary: text(`beyond.summary.${code}`, told(t, values, code)),
        }
      },
      table({ t, state, model }, whole) {
        const matrix = code === 'learned' ? model.learned.values : model.sinusoidal
        if (whole) return wholeTable(t, matrix)
        const { length, dModel } = model.state
        return partTable(t, around(state.position, length), dModel, (position, dimension) =>
          valueAt(model, code, position, dimension),
        )
      },
      matrix: ({ model }) => (code === 'learned' ? model.learned.values : model.sinusoidal),
    })),
    seats: seatStrip(({ model }) => ({
      failed: model.lookup.wrong,
      wallLabel: `T_max = ${model.state.tMax}`,
    })),
    ...Object.fromEntries(CODES.map((code) => [`row-${code}`, rowFigure(code)])),
  }),

  view: ({ figure, tools, field, sentence }) =>
    html`<div class="main">
        ${CODES.map(figure)}${figure('seats')}${field('position', tools('seats'))}${sentence}
      </div>
      <div class="side">${CODES.map((code) => figure(`row-${code}`))}</div>`,
})

/**
 * @typedef {{ sinusoidal: import('../../kit/codes.js').Matrix,
 *   learned: import('../../kit/codes.js').Learned, lookup: import('./lookup.js').Lookup }} Model
 * @typedef {(typeof CODES)[number]} Code
 */

/**
 * @param {Model} model
 * @param {Code} code
 * @param {number} position
 * @param {number} dimension
 * @returns {number | undefined} undefined where there is no row
 */
function valueAt({ sinusoidal, learned, lookup }, code, position, dimension) {
  if (code === 'learned' && lookup.position === position) return lookup.row?.[dimension]
  return rowOf(code === 'sinusoidal' ? sinusoidal : learned.values, position)[dimension]
}

/** @param {any} t @param {any} values @param {Code} code */
const told = (t, values, code) => ({
  ...values,
  values: values.row[code] ? listed(values.row[code]) : t('numbers.none'),
})

/**
 * An arrow from the row that a lookup silently returned to the seat that asked for it.
 * @param {number} source
 * @param {number} position
 * @returns {import('../../kit/types').Mark}
 */
const comesFrom =
  (source, position) =>
  ({ ctx, theme, rect, x }) => {
    const colour = theme.failure
    const [x0, x1] = [x.left(source), x.right(source)]
    const y = rect.y + rect.height * 0.3
    drawArrow(ctx, { from: x1 + 2, to: x.left(position) - 4, y, theme, colour })
    columnFrame(ctx, { x0, x1, y0: rect.y, y1: rect.y + rect.height, colour, theme })
  }

/** @param {Code} code @returns {import('../../kit/types').Figure<any, any>} */
function rowFigure(code) {
  const looked = code === 'learned'
  return {
    className: `card row-${code}`,
    hue: `hue-${code}`,
    classes: ({ model }) => looked && model.lookup.wrong && 'failing',
    marks: ({ values, theme }) => [
      mark(drawBars, {
        data: values.row[code] ?? null,
        limit: values.limits[code],
        colour: theme[code],
        pairs: !looked,
        failed: looked && !values.row[code],
        cursor: values.dimension,
        format: (value) => formatNumber(value, Number.isInteger(value) ? 0 : 4),
        labels: looked ? undefined : { sine: 'sin', cosine: 'cos' },
      }),
    ],
    words({ t, text, model, values }) {
      const key = looked ? cardTitle(model) : 'sinusoidal'
      const summary = values.row[code] ? 'beyond.summary.row' : 'beyond.summary.norow'
      return {
        name: text(`beyond.row.${key}`, values),
        summary: t(summary, told(t, values, code)),
      }
    },
    // Both codes at the cursor.
    table({ t, model, values: { shown, d } }) {
      const cell = (/** @type {Code} */ of, /** @type {number} */ i) =>
        numberCell(valueAt(model, of, shown, i))
      return {
        caption: t('beyond.table.caption', { position: shown }),
        columns: [t('beyond.axis.dimension'), t('mode.sinusoidal'), t('mode.learned')],
        rows: Array.from({ length: d }, (_, i) => [i, ...CODES.map((of) => cell(of, i))]),
      }
    },
    // The second row is NaN where the lookup failed.
    matrix({ values: { row, d } }) {
      const answer = row.learned ?? new Float64Array(d).fill(NaN)
      return { data: [...row.sinusoidal, ...answer], shape: [2, d] }
    },
    below: (scope) => looked && lookupCard(scope),
  }
}

/** @param {Model & { state: import('../../state/state.js').State }} model */
function cardTitle({ lookup, state }) {
  if (lookup.dead || (lookup.past && lookup.behaviour === 'assert')) return 'dead'
  if (!lookup.past) return lookup.position < state.tMax ? 'learned' : 'untrained'
  if (lookup.behaviour === 'untrained') return 'untrained'
  return lookup.row ? 'returned' : 'missing'
}

/**
 * What a lookup past the table does: the error, the switch between frameworks, what comes back.
 * @param {any} scope
 */
function lookupCard({ t, state, model, values, memory, set, recompute, choice }) {
  const { lookup } = model
  const { wrong: failing } = lookup
  const { told: key, unused } = values
  const error = errorText(lookup)
  const { grown, tMax, length } = state
  const restart = () => {
    memory.deadSince = undefined
    set({ position: tMax + grown - 1 })
    recompute()
  }
  let what = values.error === undefined ? '' : t('beyond.mse', values)
  if (failing) what = t(`behaviour.${key}.what`, values)
  const describe = (/** @type {string} */ value) => t(`behaviour.${value}`)
  return html`<div class="lookup ${failing ? 'failing' : ''}">
    <p class="error-text" lang="en" ?hidden=${!error}>${error}</p>
    <p class="what">${what}</p>
    ${
      lookup.behaviour === 'assert' && failing && !unused
        ? html`<button type="button" class="quiet restart" @click=${restart}>
            ${t('beyond.restart')}
          </button>`
        : nothing
    }
    <p class="label">${t('beyond.switch')}</p>
    ${choice('behaviour', { values: BEHAVIOURS, describe })}
    <p class="who">
      ${unused ? t('beyond.unused', { last: values.lastRow }) : t(`behaviour.${key}.who`)}
    </p>
    <button
      type="button"
      class="quiet grow"
      ?hidden=${grown === 0 && length <= tMax}
      @click=${() => set({ grown: grown > 0 ? 0 : length - tMax })}
    >
      ${t(grown > 0 ? 'beyond.shrink' : 'beyond.grow', { length })}
    </button>
  </div>`
}
