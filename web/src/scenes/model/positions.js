// A real model: its positions, drawn in each code's own way, and the numbers behind the picture.
import { drawColumns } from '../../charts/columns.js'
import { drawLines, shadeRange } from '../../charts/line.js'
import { drawNames } from '../../charts/names.js'
import { drawPairs } from '../../charts/pairs.js'
import { drawRows } from '../../charts/rows.js'
import { formatCount, formatShort } from '../../kit/format.js'
import { numberCell } from '../../kit/numbers.js'
import { linearAxis, logAxis, mark, positionAxis } from '../../kit/scene.js'
import { formatNumber } from '../../text/text.js'
import { fieldsTable } from './fields.js'

/**
 * @typedef {Awaited<ReturnType<typeof import('./shown.js').computeModel>>} Model
 * @typedef {import('../../kit/types').Figure<Model, any>} Figure
 * @typedef {import('../../kit/types').Scope<Model, any>} Scope
 * @typedef {Pick<Figure, 'x' | 'y' | 'legend' | 'marks'>} Drawn
 */

/** The first turn of each pair. @type {Drawn} */
const PAIRS = {
  legend(scope) {
    const lines = turnsOf(scope)
    return lines.length > 1 ? lines : undefined
  },
  marks(scope) {
    const { t, model, state, theme } = scope
    const [first] = model.turns
    const [{ wavelengths, colour }, ...curves] = turnsOf(scope)
    const { modelLength: reach } = state
    const trained = (first ? (first.further ?? first.trained) : model.resolved.positions) ?? reach
    const labels = {
      position: t(first ? 'wavelengths.axis' : 'model.axis.position'),
      pair: t('model.axis.pair'),
      trained: lineText(t, 'trained', trained),
      reach: lineText(t, 'length', reach),
      format: (/** @type {number} */ value) => formatShort(t, value),
    }
    // Of a sinusoidal code each wavelength that fits into the training has turned once.
    const turns = first?.turns ?? wavelengths.map((wavelength) => trained / wavelength)
    const data = { wavelengths, turns, unseenFrom: first?.unseenFrom, trained, reach, curves }
    return [
      ({ ctx, rect, width }) => {
        ctx.save()
        ctx.translate(0, rect.y)
        drawPairs(ctx, { width, height: rect.height, theme, data, labels, colour })
        ctx.restore()
      },
    ]
  },
}

/** Of each kind of layers, and what they were without the scaling. @param {any} scope */
function turnsOf({ t, model, theme }) {
  /** @type {Model} */
  const { turns, numbers } = model
  const label = t('model.line.scaled')
  /** @type {{ wavelengths: Model['numbers'], colour: string, label: string, dash?: 'dashed' | 'dotted' }[]} */
  const lines = turns.map(({ wavelengths, rope }, i) => ({
    ...{ wavelengths, colour: theme.rope, label: rope.layers ?? label },
    ...(i > 0 && { dash: 'dashed' }),
  }))
  if (turns.length === 0) lines.push({ wavelengths: numbers, colour: theme.sinusoidal, label })
  else if (turns[0].rope.type !== 'default') {
    const plain = { wavelengths: turns[0].plainWavelengths, label: t('model.line.plain') }
    lines.push({ ...plain, colour: theme.muted, dash: 'dotted' })
  }
  return lines
}

/** @param {Scope['t']} t @param {'trained' | 'length'} line @param {number} at */
const lineText = (t, line, at) =>
  t('model.mark.line', { names: t(`model.mark.${line}`), count: formatCount(at) })

/** The rows of a table and their wall; without a code the same bar, and no wall. @type {Drawn} */
const ROWS = {
  x({ t, model, state: { modelLength: length } }) {
    const { positions = length } = model.resolved
    const most = Math.max(positions * 2, Math.min(length, positions * 4) * 1.05)
    // Rows that no position uses lie before the first.
    return linearAxis(-0.03 * most, most, t('model.axis.position'), { format: formatCount })
  },
  marks({ t, model, state: { modelLength: length }, theme, plot }) {
    const { encoding, positions = length, offset: unused = 0, rows = 0 } = model.resolved
    const wall = encoding === 'learned'
    const count = { positions: formatCount(positions), rows: formatCount(rows) }
    const labels = {
      inside: t(wall ? 'model.line.rows' : 'model.line.seen', count),
      beyond: t(wall ? 'model.line.beyond' : 'model.line.free'),
      cursor: lineText(t, 'length', length),
    }
    const cursor = Math.min(length, plot.x.domain[1])
    const colour = wall ? theme.learned : theme.nope
    return [mark(drawRows, { positions, unused, wall, cursor, colour, labels })]
  },
}

/** @type {Record<string, Drawn>} */
const DRAWN = {
  rope: PAIRS,
  sinusoidal: PAIRS,
  learned: ROWS,
  nope: ROWS,
  alibi: {
    x: ({ t, model }) => positionAxis(model.numbers.length, t('model.axis.head')),
    y({ t, model }) {
      const look = { format: String, own: true }
      return logAxis(Math.min(...model.numbers) / 2, 1, t('model.axis.slope'), look)
    },
    marks: ({ model, theme }) => [mark(drawColumns, { data: model.numbers, colour: theme.alibi })],
  },
  t5: {
    x({ t, model: { numbers } }) {
      const look = { format: formatCount }
      return linearAxis(0, numbers.length - 1, t('model.axis.distance'), look)
    },
    y: ({ t, model }) =>
      linearAxis(0, Math.max(...model.numbers) * 1.1, t('model.axis.bucket'), { format: String }),
    marks({ t, model: { numbers, resolved }, theme, plot }) {
      const { distance = 0 } = resolved
      const bucket = Math.max(...numbers)
      const first = numbers.indexOf(bucket)
      const last = numbers.length - 1
      const shared = t('model.line.shared', { bucket, distance: first })
      const name = { text: shared, colour: theme.ink, x: (distance + last) / 2, y: bucket / 2 }
      // Steps: each distance has one bucket, and keeps it until the next.
      const x = Array.from({ length: 2 * last }, (_, i) => Math.ceil(i / 2))
      const y = x.map((_, i) => numbers[Math.floor(i / 2)])
      return [
        mark(shadeRange, {
          from: plot.x(first),
          to: plot.x(last),
          colour: theme.muted,
          alpha: 0.14,
        }),
        mark(drawLines, { series: [{ x, y, colour: theme.t5, width: 3 }] }),
        mark(drawNames, { names: [name] }),
      ]
    },
  },
}

/** What a row of numbers belongs to, the numbers, and their places. @type {Record<string, [string, string, number]>} */
const NUMBERS = {
  sinusoidal: ['model.axis.pair', 'model.table.wavelength', 4],
  alibi: ['model.axis.head', 'model.axis.slope', 8],
  t5: ['model.axis.distance', 'model.axis.bucket', 0],
}

/** @param {Scope} scope */
const drawnOf = ({ model }) => DRAWN[model.resolved.encoding]

/** @type {Figure} */
export const positions = {
  x: (scope) => drawnOf(scope).x?.(scope),
  y: (scope, x) => drawnOf(scope).y?.(scope, x),
  legend: (scope) => drawnOf(scope).legend?.(scope),
  marks: (scope) => drawnOf(scope).marks(scope),
  words({ t, text, model: { resolved, turns }, values }) {
    const { encoding } = resolved
    const factor = (/** @type {'attention' | 'score'} */ what) => {
      const value = turns[0]?.[`${what}Factor`] ?? 1
      return value !== 1 && t(`model.readout.${what}`, { factor: formatNumber(value) })
    }
    const promised = resolved.positions !== undefined && t('model.readout.promised', values)
    return {
      name: text(`model.figure.${encoding}`),
      note: values.name,
      readout: [promised, factor('attention'), factor('score')].filter(Boolean).join(' · '),
      summary: text(`model.summary.${encoding}`, values),
    }
  },
  table: (scope) => numbersTable(scope) ?? fieldsTable(scope.t, scope.model.shown),
  // Of RoPE a row for each pair; of another code one number for each head or distance.
  matrix(scope) {
    const columns = columnsOf(scope)
    if (columns.length === 0) return undefined
    const length = Math.min(...columns.map(({ data }) => data.length))
    const row = (/** @type {number} */ i) => columns.map(({ data }) => data[i])
    const data = Array.from({ length }, (_, i) => row(i)).flat()
    return { data, shape: columns.length === 1 ? [length] : [length, columns.length] }
  },
}

/** @param {Scope} scope @returns {{ name: string, data: ArrayLike<number>, places?: number }[]} */
function columnsOf({ t, model: { resolved, turns, numbers } }) {
  if (numbers.length > 0) {
    const [, name, places] = NUMBERS[resolved.encoding]
    return [{ name: t(name), data: numbers, places }]
  }
  return turns.flatMap(({ rope, inverseFrequencies, wavelengths, plainWavelengths }) => {
    const kind = rope.layers ? ` (${rope.layers})` : ''
    return [
      { name: t('model.table.frequency') + kind, data: inverseFrequencies, places: 10 },
      { name: t('model.table.wavelength') + kind, data: wavelengths },
      { name: t('model.table.plain') + kind, data: plainWavelengths },
    ]
  })
}

/**
 * @param {Scope} scope
 * @returns {import('../../kit/figure.js').NumberTable | undefined} where the figure has numbers
 */
export function numbersTable(scope) {
  const { t, model } = scope
  const columns = columnsOf(scope)
  if (columns.length === 0) return undefined
  const [row] = NUMBERS[model.resolved.encoding] ?? NUMBERS.sinusoidal
  const length = Math.max(...columns.map(({ data }) => data.length))
  return {
    caption: t('model.table.numbers'),
    columns: [t(row), ...columns.map(({ name }) => name)],
    rows: Array.from({ length }, (_, i) => [
      i,
      ...columns.map(({ data, places }) => cell(data[i], places)),
    ]),
  }
}

/** @param {number} value @param {number} [places] */
const cell = (value, places) =>
  numberCell(value, value >= 1e6 ? value.toExponential(4) : formatNumber(value, places))
