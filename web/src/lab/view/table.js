// The learned table while it is trained, and how alike its rows become.
import { pixelGrid } from '../../charts/core/canvas.js'
import { drawCorner } from '../../charts/core/corner.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { html, mark, positionAxis } from '../../kit/scene.js'
import { around, largestAbsolute, partTable, wholeTable } from '../../kit/numbers.js'
import { formatNumber } from '../../text/text.js'

/**
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../scene.js').LabFigure} LabFigure
 * @typedef {NonNullable<ReturnType<typeof tableIn>>} Shown
 */

/** Even a table of small numbers keeps its colours pale. */
const LEAST_LIMIT = 0.25
/** Height of the stripe over rows that had a gradient, in px at type scale 1. */
const STRIPE = 6
/** So many runs of untouched rows are named one by one. */
const MOST_RUNS = 4
const NO_NUMBERS = { caption: '', columns: [], rows: [] }

/** Colours of values do not change while a table is looked at. @type {WeakMap<Float32Array, number>} */
const limits = new WeakMap()

/** The table of the model that is looked into. @param {import('../scene.js').LengthModel} model */
export function tableIn({ inside: { entry }, state }) {
  if (!entry?.table || state.mode !== 'learned') return undefined
  // It was read when the model was last kept.
  const { table, snapshotStep: step, steps, seed, info } = entry
  const { data, shape } = table.values
  const [rows, width] = shape
  const limit = limits.get(data) ?? largestAbsolute(data, LEAST_LIMIT)
  limits.set(data, limit)
  const untouched = runsOf(table.gradientRows)
  const [last] = untouched
  // The rows before the untouched end of the table; all of them where training left no such end.
  const trained = untouched.length === 1 && last[1] === rows - 1 ? last[0] : rows
  /** Positions up to the longest length. */
  const end = Math.max(rows, info?.maxLength ?? 0)
  return { ...table, rows, width, step, steps, seed, end, limit, untouched, trained }
}

/**
 * @param {'values' | 'similarity'} which
 * @returns {Pick<LabFigure, 'hue' | 'hovers' | 'table' | 'matrix'>}
 */
const shared = (which) => ({
  hue: 'hue-learned',
  hovers: true,
  table({ t, model }, whole) {
    const shown = tableIn(model)
    if (!shown) return NO_NUMBERS
    const matrix = shown[which]
    const head = which === 'values' ? undefined : (/** @type {number} */ i) => String(i)
    if (whole) return wholeTable(t, matrix, head)
    // Around the place where training ended.
    const positions = around(Math.min(shown.rows - 1, shown.trained), shown.rows)
    const [, columns] = matrix.shape
    const part = partTable(t, positions, columns, (row, i) => matrix.data[row * columns + i])
    if (which === 'similarity') part.columns[0] = t('beyond.axis.position')
    return part
  },
  matrix: ({ model }) => tableIn(model)?.[which],
})

/** @type {LabFigure} */
export const table = {
  ...shared('values'),
  className: 'inside-table',
  headroom: STRIPE,
  x: ({ t, model }) => positionAxis(tableIn(model)?.end ?? 1, t('beyond.axis.position')),
  y: ({ t, model }) => positionAxis(tableIn(model)?.width ?? 1, t('beyond.axis.dimension')),
  marks({ t, model }) {
    const shown = tableIn(model)
    if (!shown) return []
    const { rows, width, end, limit, gradientRows } = shown
    return [
      mark(drawHeatmap, {
        data: shown.values.data,
        rows,
        columns: width,
        limit,
        gradientRows,
        untrainedLabel: t('inside.table.untouched'),
        missingLabel: t('inside.table.norow'),
        wall: rows < end ? rows : undefined,
      }),
      ({ ctx, theme, rect, x: scale }) => {
        const grid = pixelGrid(ctx)
        const height = STRIPE * theme.typeScale
        ctx.fillStyle = theme.learned
        for (let row = 0; row < rows; row += 1) {
          if (gradientRows[row] === 0) continue
          const x = grid.x(scale.left(row))
          const top = grid.y(rect.y - height - 2)
          ctx.fillRect(x, top, grid.x(scale.right(row)) - x, grid.line(height))
        }
      },
    ]
  },
  words({ t, model, hover }) {
    const shown = tableIn(model)
    if (!shown) return {}
    return {
      name: t('inside.table'),
      note: t('inside.at', shown),
      limit: shown.limit,
      readout: hover?.figure === 'table' ? readoutOf(t, shown, hover) : undefined,
      summary: t('inside.table.summary', { ...shown, marks: marksOf(t, shown) }),
    }
  },
  below({ t, model }) {
    const shown = tableIn(model)
    return html`<p class="marks">${shown && marksOf(t, shown)}</p>`
  },
}

/** @type {LabFigure} */
export const similarity = {
  ...shared('similarity'),
  className: 'inside-similarity',
  x: ({ t, model }) => positionAxis(tableIn(model)?.rows ?? 1, t('beyond.axis.position')),
  y: ({ t, model }) => positionAxis(tableIn(model)?.rows ?? 1, t('beyond.axis.position')),
  marks({ model }) {
    const shown = tableIn(model)
    if (!shown) return []
    const { rows, trained } = shown
    const { data } = shown.similarity
    return [
      mark(drawHeatmap, { data, rows, columns: rows, limit: 1 }),
      mark(drawCorner, { count: rows, trained }),
    ]
  },
  words({ t, model, hover }) {
    const shown = tableIn(model)
    if (!shown) return {}
    const { data } = shown.similarity
    const { x: b, y: a } = hover?.figure === 'similarity' ? hover : { x: 0, y: 0 }
    const value = formatNumber(data[a * shown.rows + b])
    const near = (/** @type {number} */ by) => {
      const mean = meanAlong(shown, by)
      return mean === undefined ? '–' : formatNumber(mean, 2)
    }
    return {
      name: t('inside.similarity'),
      limit: 1,
      readout:
        hover?.figure === 'similarity'
          ? t('inside.similarity.readout', { a, b, value })
          : undefined,
      summary: t('inside.similarity.summary', { ...shown, one: near(1), four: near(4) }),
    }
  },
}

/** @param {Translate} t @param {Shown} shown @param {{ x: number, y: number }} at */
function readoutOf(t, { rows, width, values, gradientRows }, { x: position, y: dimension }) {
  if (position >= rows) return t('beyond.readout.none', { position })
  const value = formatNumber(values.data[position * width + dimension])
  const text = t('beyond.readout', { position, dimension, value })
  return gradientRows[position] === 0 ? `${text} · ${t('inside.table.untouched')}` : text
}

/** @param {Uint8Array} flags @returns {[number, number][]} runs of zeros, both ends included */
function runsOf(flags) {
  /** @type {[number, number][]} */
  const runs = []
  flags.forEach((flag, row) => {
    if (flag !== 0) return
    const last = runs.at(-1)
    if (last?.[1] === row - 1) last[1] = row
    else runs.push([row, row])
  })
  return runs
}

/** Which rows never had a gradient. @param {Translate} t @param {Shown} shown */
function marksOf(t, shown) {
  const { rows, end } = shown
  const one = untouchedText(t, shown)
  if (rows === end) return one
  return t('length.say.join', { one, two: t('inside.table.wall', { last: rows - 1, rows }) })
}

/** @param {Translate} t @param {Shown} shown */
function untouchedText(t, { untouched, rows, step }) {
  if (untouched.length === 0) return t('inside.table.all')
  if (untouched.length === 1 && untouched[0][1] - untouched[0][0] === rows - 1) {
    return t(step === 0 ? 'inside.table.start' : 'inside.table.none')
  }
  const list = untouched
    .slice(0, MOST_RUNS)
    .map(([from, to]) => (from === to ? String(from) : t('inside.table.run', { from, to })))
  if (untouched.length > MOST_RUNS) list.push('…')
  return t('inside.table.marks', { list: list.join(t('inside.table.comma')) })
}

/**
 * The mean similarity of trained rows so far apart, for the summary.
 * @param {Shown} shown
 * @param {number} by
 */
function meanAlong({ similarity: { data }, rows, gradientRows }, by) {
  let sum = 0
  let count = 0
  for (let row = 0; row + by < rows; row += 1) {
    if (gradientRows[row] === 0 || gradientRows[row + by] === 0) continue
    sum += data[row * rows + row + by]
    count += 1
  }
  return count > 0 ? sum / count : undefined
}
