// Training: the learned table while it is being written.
import { drawBars } from '../../charts/bars.js'
import { drawColumns } from '../../charts/columns.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { drawLines } from '../../charts/line.js'
import { formatPercent } from '../../kit/format.js'
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
import {
  defineScene,
  html,
  linearAxis,
  mark,
  nothing,
  positionAxis,
  subscripts,
} from '../../kit/scene.js'
import { inputMode } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { LAST_STEP, createPlayer } from './player.js'
import { createRun, tableKey } from './run.js'

/** The target is half the sinusoidal code, whose values reach from -1 to 1. */
const TARGET_LIMIT = 0.5
/** The loss curve has up to thousands of points; its table about so many. */
const CURVE_ROWS = 40
/** Of a chart over its highest value. */
const ROOM = 1.04

export const training = defineScene({
  id: 'training',
  // The steps and the row have their own places in the figure.
  fields: ['tMax', 'dModel', 'rate', 'scale', 'seed'],

  compute({ engine, state, memory }) {
    // The table in training belongs to the view: it is freed with it.
    /** @type {import('./run.js').Run} */
    const run = (memory.run ??= createRun(engine))
    return memo(memory, 'standing', [tableKey(state), state.steps], () => run.at(state))
  },

  values({ t, text, state, model, own }) {
    // While it plays the picture runs ahead of the state; the sentence does not.
    /** @type {typeof model} */
    const now = own?.drawn() ?? model
    const { steps, loss, start, startLoss, startDistances, target, share } = now
    const { tMax, dModel: d, rate, seed, scale } = model.state
    const { shown } = state
    // The cursor may stand past the table, which is another scene's matter: then its last row is shown.
    const position = Math.min(state.position, tMax - 1)
    // The target has no distance to itself.
    const none = new Float64Array(tMax)
    const distances = { start: startDistances, now: now.distances, target: none }[shown]
    const table = { start, now: now.values, target }[shown]
    return {
      ...{ now, distances, table, share, steps, position, tMax, d, rate, seed, scale },
      rows: [start, now.values, target].map((one) => rowOf(one, position)),
      dimension: Math.min(state.dimension, d - 1),
      // One scale of colours for start, now and target. The target alone would reach a half.
      limit: Math.max(TARGET_LIMIT, now.largest),
      name: text(`training.map.${shown}`),
      last: tMax - 1,
      max: LAST_STEP,
      loss: loss.toFixed(6),
      start: startLoss.toFixed(6),
      walked: formatPercent(t, share),
      distance: formatNumber(distances[position]),
      startDistance: formatNumber(startDistances[position]),
      largest: formatNumber(largestAbsolute(distances)),
      values: listed(rowOf(table, position)),
      target: listed(rowOf(target, position)),
    }
  },

  say({ text, state, values }) {
    const { shown } = state
    const mode = inputMode(state)
    let key = values.share > 0.99 ? 'near' : 'now'
    if (values.steps >= LAST_STEP) key = 'end'
    if (values.steps === 0) key = 'zero'
    if (mode === 'sinusoidal') key = values.steps === 0 ? 'formula' : 'sinusoidal'
    if (shown === 'start') key = 'start'
    if (shown === 'target') key = `target.${mode}`
    return {
      lead: text(`training.say.lead${shown === 'now' ? '' : `.${shown}`}`, values),
      body: text(`training.say.${key}`, values),
    }
  },

  own: createPlayer,

  figures: {
    map: {
      className: 'map map-training',
      hue: 'hue-learned',
      classes: ({ state }) => state.shown === 'target' && 'of-target',
      x: ({ values }) => positionAxis(values.tMax),
      y: ({ t, values }) => positionAxis(values.d, t('beyond.axis.dimension')),
      marks: ({ state, values, theme }) => [
        mark(drawHeatmap, {
          data: values.table.data,
          rows: values.tMax,
          columns: values.d,
          limit: values.limit,
          cursor: { position: values.position, colour: colourOf(theme, state) },
        }),
      ],
      cursor: ({ values }) => ({ x: values.position, y: values.dimension }),
      onDrag: ({ set }, { x, y }) => set({ position: x, dimension: y }),
      words({ t, values, hover }) {
        const { name, limit } = values
        const { x: position, y: dimension } =
          hover?.figure === 'map' ? hover : { x: values.position, y: values.dimension }
        const value = formatNumber(rowOf(values.table, position)[dimension])
        return { name, limit, readout: t('beyond.readout', { position, dimension, value }) }
      },
      // The rows around the cursor, of the table that is shown.
      table({ t, values: { table, position, tMax, d } }, whole) {
        if (whole) return wholeTable(t, table)
        return partTable(t, around(position, tMax), d, (at, i) => rowOf(table, at)[i])
      },
      matrix: ({ values }) => values.table,
    },
    distance: {
      className: 'distances',
      x: ({ t, values }) => positionAxis(values.tMax, t('beyond.axis.position')),
      y: ({ values }) =>
        linearAxis(0, ROOM * largestAbsolute(values.now.startDistances, Number.MIN_VALUE)),
      marks: ({ values, theme }) => [
        mark(drawColumns, {
          data: values.distances,
          before: values.now.startDistances,
          colour: theme.learned,
          cursor: values.position,
        }),
      ],
      cursor: ({ values }) => ({ x: values.position }),
      onDrag: ({ set }, { x }) => set({ position: x }),
      table: ({ t, values: { now } }) => ({
        caption: t('training.table.distance'),
        columns: [t('beyond.axis.position'), t('training.shown.start'), t('training.shown.now')],
        rows: Array.from(now.distances, (value, position) => [
          position,
          numberCell(now.startDistances[position]),
          numberCell(value),
        ]),
      }),
      // Of each row: at the start, now.
      matrix: ({ values: { now, tMax } }) => ({
        data: [...now.startDistances, ...now.distances],
        shape: [2, tMax],
      }),
    },
    loss: {
      className: 'card loss',
      x: ({ t }) => positionAxis(LAST_STEP + 1, t('training.axis.steps'), { line: true }),
      y: ({ values }) => linearAxis(0, ROOM * values.now.startLoss),
      marks({ values: { now }, theme }) {
        const { steps, losses } = now.curve
        const walked = steps.filter((step) => step < now.steps).length
        const past = { x: [...steps.slice(0, walked), now.steps], colour: theme.learned }
        const ahead = { x: steps.slice(Math.max(0, walked - 1)), colour: theme.learned }
        return [
          mark(drawLines, {
            zero: 0,
            cursor: now.steps,
            series: [
              { ...ahead, y: losses.slice(-ahead.x.length), dash: 'dotted', faint: true },
              { ...past, y: [...losses.slice(0, walked), now.loss], width: 2.5 },
            ],
          }),
        ]
      },
      table({ t, values: { now } }, whole) {
        const { curve, steps, loss } = now
        const before = curve.steps.filter((step) => step < steps).length
        const every = whole ? 1 : Math.max(1, Math.ceil(before / CURVE_ROWS))
        const cell = (/** @type {number} */ value) => numberCell(value, value.toFixed(6))
        const rows = Array.from({ length: Math.ceil(before / every) }, (_, i) => [
          curve.steps[i * every],
          cell(curve.losses[i * every]),
        ])
        return {
          caption: t('training.table.loss'),
          columns: [t('training.axis.steps'), t('training.loss.mse')],
          rows: [...rows, [steps, cell(loss)]],
        }
      },
      // Steps, and the error after them.
      matrix: ({ values: { now } }) => ({
        data: [...now.curve.steps, ...now.curve.losses],
        shape: [2, now.curve.steps.length],
      }),
      below: ({ field }) => field('steps'),
    },
    row: {
      className: 'card row-training',
      hue: 'hue-learned',
      classes: ({ state }) => state.shown === 'target' && 'of-target',
      marks: ({ state, values, theme }) => [
        mark(drawBars, {
          data: rowOf(values.table, values.position),
          limit: values.limit,
          colour: colourOf(theme, state),
          pairs: false,
          format: (value) => formatNumber(value, 2),
          targets:
            state.shown === 'target'
              ? undefined
              : { data: values.rows[2], colour: theme.sinusoidal },
        }),
      ],
      words: ({ text, state, values }) => ({ name: text(`training.row.${state.shown}`, values) }),
      // At the start, now, and its target.
      table: ({ t, values }) => ({
        caption: t('training.table.row', values),
        columns: [
          t('beyond.axis.dimension'),
          t('training.shown.start'),
          t('training.shown.now'),
          t('training.shown.target'),
        ],
        rows: Array.from({ length: values.d }, (_, i) => [
          i,
          ...values.rows.map((row) => numberCell(row[i])),
        ]),
      }),
      matrix: ({ values: { rows, d } }) => ({
        data: rows.flatMap((row) => [...row]),
        shape: [rows.length, d],
      }),
      below: ({ t, state }) =>
        state.shown !== 'target' &&
        html`<p class="legend">
          <i class="dot hue-learned"></i>${t('cost.line.learned')}
          <i class="stroke hue-sinusoidal"></i>${t('training.legend.target')}
        </p>`,
    },
  },

  view({ t, text, state, model, values, own, figure, choice, sentence, set }) {
    const atEnd = state.steps >= LAST_STEP
    const still = own.still.matches
    const playing = own.playing()
    const last = state.tMax - 1
    const position = Math.min(state.position, last)
    let play = atEnd ? 'again' : 'play'
    if (playing) play = 'pause'
    if (still) play = 'jump'
    return html`<div class="main">
        ${figure('map')}${figure('distance')}
        <div class="row-slider">
          <input
            type="range"
            min="0"
            max=${last}
            step="1"
            .value=${String(position)}
            ?disabled=${last === 0}
            aria-label=${t('training.row.slider')}
            aria-valuetext=${t('training.row.value', { position })}
            @input=${(/** @type {any} */ { target }) => set({ position: Number(target.value) })}
          />
        </div>
        <div class="transport" role="group" aria-label=${t('scene.training')}>
          <button
            type="button"
            class="press press-play ${playing ? 'running' : ''}"
            ?disabled=${still && atEnd}
            @click=${own.toggle}
            .textContent=${text(`training.${play}`)}
          ></button>
          <button type="button" class="press press-step" ?disabled=${atEnd} @click=${own.step}>
            ${t('training.step')}
          </button>
          <button
            type="button"
            class="press press-reset"
            ?disabled=${state.steps === 0}
            @click=${own.reset}
          >
            ${t('training.reset')}
          </button>
          <span class="label" title=${t('field.speed')}>${t('training.speed')}</span>
          <div class="speed">${choice('speed', { describe: (value) => value })}</div>
          <div class="shown">
            ${choice('shown', { describe: (value) => text(`training.shown.${value}`) })}
          </div>
        </div>
        ${sentence}
        <section class="miniature">
          <h2>${t('training.miniature.title')}</h2>
          <p>${t('training.miniature.what')}</p>
          <p>${model ? subscripts(t('training.miniature.why', values)) : nothing}</p>
          <p>${t('training.miniature.real')}</p>
        </section>
      </div>
      <div class="side">${figure('loss')}${figure('row')}</div>`
  },
})

/** @param {import('../../charts/core/canvas.js').Theme} theme @param {{ shown: string }} state */
const colourOf = (theme, { shown }) => (shown === 'target' ? theme.sinusoidal : theme.learned)
