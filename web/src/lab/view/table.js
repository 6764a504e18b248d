// The learned table while it is trained, and how alike its rows become.
import { axisXHeight, drawAxisX, drawAxisY } from '../../charts/core/axis.js'
import { pixelGrid } from '../../charts/core/canvas.js'
import { drawCorner } from '../../charts/core/corner.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { positionScale } from '../../charts/core/scale.js'
import { formatNumber } from '../../text/text.js'
import { OVERHANG, positionsAcross, positionsUnder } from '../../kit/along.js'
import { createFigure } from '../../kit/figure.js'
import { around, largestAbsolute, partTable, wholeTable } from '../../kit/numbers.js'

/**
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../kit/codes.js').Matrix} Matrix
 * @typedef {import('../run/entry.js').Entry} Entry
 */

/**
 * @typedef {object} Shown
 * @property {Matrix} values (rows, d)
 * @property {Uint8Array} gradientRows
 * @property {Matrix} similarity (rows, rows)
 * @property {number} rows
 * @property {number} width
 * @property {number} end positions up to the longest length
 * @property {number} limit
 * @property {[number, number][]} untouched runs of rows that never had a gradient, both ends included
 * @property {number} step
 * @property {number} steps
 * @property {number} seed
 */

/** Even a table of small numbers keeps its colours pale. */
const LEAST_LIMIT = 0.25
/** Height of the stripe under rows that had a gradient, in px at type scale 1. */
const STRIPE = 6
/** So many runs of untouched rows are named one by one. */
const MOST_RUNS = 4
/** The room left of the square. */
const SIDE = 40

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountTable(host) {
  const { el, t, setText } = host
  /** @type {Shown | undefined} */
  let shown
  /** @type {{ position: number, dimension: number } | undefined} */
  let over
  /** @type {[number, number] | undefined} */
  let pair
  const cache = { table: {}, similarity: {} }

  const table = createFigure(host, {
    className: 'inside-table',
    hue: 'hue-learned',
    draw: (frame) => shown && drawTable(frame, shown),
    onPointer: (event, point) => aim(event, point),
    table: (whole) => numbers(whole, 'values'),
    matrix: () => shown?.values,
  })
  const similarity = createFigure(host, {
    className: 'inside-similarity',
    hue: 'hue-learned',
    draw: (frame) => shown && drawSimilarity(frame, shown),
    onPointer: (event, point) => aimPair(event, point),
    table: (whole) => numbers(whole, 'similarity'),
    matrix: () => shown?.similarity,
  })
  const marks = el('p', { class: 'marks' })
  table.element.append(marks)

  /** @param {Frame} frame @param {Shown} now */
  function drawTable(frame, now) {
    const { ctx, width, height, theme } = frame
    const scale = positionsAcross({ width, typeScale: theme.typeScale }, now.end)
    const label = t('beyond.axis.position')
    const stripe = STRIPE * theme.typeScale
    const y = height - axisXHeight(theme, { label })
    const rect = {
      x: scale.x0,
      y: OVERHANG,
      width: scale.x1 - scale.x0,
      height: Math.max(1, y - OVERHANG - stripe - 2),
    }
    drawHeatmap(ctx, {
      rect,
      scale,
      theme,
      data: now.values.data,
      rows: now.rows,
      columns: now.width,
      limit: now.limit,
      cache: cache.table,
      gradientRows: now.gradientRows,
      untrainedLabel: t('inside.table.untouched'),
      missingLabel: t('inside.table.norow'),
      wall: now.rows < now.end ? now.rows : undefined,
    })
    const grid = pixelGrid(ctx)
    ctx.fillStyle = theme.learned
    for (let row = 0; row < now.rows; row += 1) {
      if (now.gradientRows[row] === 0) continue
      const x = grid.x(scale.left(row))
      ctx.fillRect(x, grid.y(y - stripe), grid.x(scale.right(row)) - x, grid.line(stripe))
    }
    const down = positionScale({ start: 0, end: now.width, x0: rect.y, x1: rect.y + rect.height })
    drawAxisY(ctx, { scale: down, theme, x: rect.x, label: t('beyond.axis.dimension') })
    drawAxisX(ctx, { scale, theme, y, label, rect: { x: 0, y, width, height: height - y } })
  }

  /** @param {{ width: number, height: number, typeScale: number }} picture */
  function squareIn({ width, height, typeScale }) {
    const x = SIDE * typeScale
    const axis = axisXHeight(/** @type {any} */ ({ typeScale }), { label: ' ' })
    const side = Math.max(10, Math.min(width - x - OVERHANG, height - axis - OVERHANG))
    return { x, y: OVERHANG, width: side, height: side }
  }

  /** @param {Frame} frame @param {Shown} now */
  function drawSimilarity({ ctx, width, height, theme }, now) {
    const rect = squareIn({ width, height, typeScale: theme.typeScale })
    const { rows } = now
    const bottom = rect.y + rect.height
    const across = positionScale({ start: 0, end: rows, x0: rect.x, x1: rect.x + rect.width })
    const down = positionScale({ start: 0, end: rows, x0: rect.y, x1: bottom })
    const { data } = now.similarity
    const options = { rect, data, rows, columns: rows, limit: 1, theme, cache: cache.similarity }
    drawHeatmap(ctx, options)
    drawCorner(ctx, { rect, count: rows, trained: trainedRows(now), theme })
    const label = t('beyond.axis.position')
    drawAxisY(ctx, { scale: down, theme, x: rect.x, label })
    const place = { x: 0, y: bottom, width, height: height - bottom }
    drawAxisX(ctx, { scale: across, theme, y: bottom, label, rect: place })
  }

  /** @param {PointerEvent} event @param {{ x: number, y: number }} point */
  function aim(event, point) {
    if (!shown) return
    const position = positionsUnder(table.picture, shown.end).invert(point.x)
    const scale = scaleUnder(table.picture)
    const label = t('beyond.axis.position')
    const axis = axisXHeight(/** @type {any} */ ({ typeScale: scale }), { label })
    const room = table.picture.clientHeight - axis - OVERHANG - STRIPE * scale - 2
    const down = Math.floor(((point.y - OVERHANG) / Math.max(1, room)) * shown.width)
    const dimension = Math.min(shown.width - 1, Math.max(0, down))
    over = event.type === 'pointerleave' ? undefined : { position, dimension }
    speak()
  }

  /** @param {PointerEvent} event @param {{ x: number, y: number }} point */
  function aimPair(event, point) {
    if (!shown) return
    const { clientWidth: width, clientHeight: height } = similarity.picture
    const rect = squareIn({ width, height, typeScale: scaleUnder(similarity.picture) })
    const [i, j] = [
      Math.floor(((point.y - rect.y) / rect.height) * shown.rows),
      Math.floor(((point.x - rect.x) / rect.width) * shown.rows),
    ]
    const inside = [i, j].every((row) => row >= 0 && row < (shown?.rows ?? 0))
    pair = event.type !== 'pointerleave' && inside ? [i, j] : undefined
    speak()
  }

  /** @param {boolean | undefined} whole @param {'values' | 'similarity'} which */
  function numbers(whole, which) {
    if (!shown) return { caption: '', columns: [], rows: [] }
    const matrix = shown[which]
    const head = which === 'values' ? undefined : (/** @type {number} */ i) => String(i)
    if (whole) return wholeTable(t, matrix, head)
    // Around the place where training ended.
    const positions = around(Math.min(shown.rows - 1, trainedRows(shown)), shown.rows)
    const [, columns] = matrix.shape
    const valueAt = (/** @type {number} */ row, /** @type {number} */ i) =>
      matrix.data[row * columns + i]
    const part = partTable(t, positions, columns, valueAt)
    return which === 'values'
      ? part
      : { ...part, columns: [t('beyond.axis.position'), ...part.columns.slice(1)] }
  }

  function speak() {
    if (!shown) return
    const { rows, width, step, steps, seed, limit, similarity: alike } = shown
    const said = marksOf(t, shown)
    setText(marks, said)
    const values = { rows, width, step, steps, seed }
    table.say({
      name: t('inside.table'),
      note: t('inside.at', values),
      limit,
      readout: over && readoutOf(shown, over),
      summary: t('inside.table.summary', { ...values, marks: said }),
    })
    const value = pair && formatNumber(alike.data[pair[0] * rows + pair[1]])
    const now = shown
    const near = (/** @type {number} */ by) => {
      const mean = meanAlong(now, by)
      return mean === undefined ? '–' : formatNumber(mean, 2)
    }
    similarity.say({
      name: t('inside.similarity'),
      limit: 1,
      readout:
        pair && t('inside.similarity.readout', { a: pair[0], b: pair[1], value: value ?? '' }),
      summary: t('inside.similarity.summary', { ...values, one: near(1), four: near(4) }),
    })
  }

  /** @param {Shown} now @param {{ position: number, dimension: number }} at */
  function readoutOf({ rows, width, values, gradientRows }, { position, dimension }) {
    if (position >= rows) return t('beyond.readout.none', { position })
    const value = formatNumber(values.data[position * width + dimension])
    const text = t('beyond.readout', { position, dimension, value })
    return gradientRows[position] === 0 ? `${text} · ${t('inside.table.untouched')}` : text
  }

  const figures = [table, similarity]
  return {
    table: table.element,
    similarity: similarity.element,
    /** @param {Entry} entry whose table there is */
    show(entry) {
      const found = /** @type {NonNullable<Entry['table']>} */ (entry.table)
      // It was read when the model was last kept.
      const { snapshotStep: step, steps, seed, info } = entry
      const same = shown?.values.data === found.values.data
      const [rows, width] = found.values.shape
      shown = {
        ...found,
        rows,
        width,
        step,
        steps,
        seed,
        end: Math.max(rows, info?.maxLength ?? 0),
        limit: same && shown ? shown.limit : largestAbsolute(found.values.data, LEAST_LIMIT),
        untouched: runsOf(found.gradientRows),
      }
      speak()
      for (const figure of figures) figure.invalidate()
    },
    /** Which rows never had a gradient, in words; empty before there is a table. */
    marks: () => (shown ? marksOf(t, shown) : ''),
    invalidate() {
      for (const figure of figures) figure.invalidate()
    },
    destroy() {
      for (const figure of figures) figure.destroy()
    },
  }
}

/** @param {HTMLElement} picture */
export function scaleUnder(picture) {
  return parseFloat(getComputedStyle(picture).getPropertyValue('--type-scale')) || 1
}

/** @param {Uint8Array} flags @returns {[number, number][]} runs of zeros, both ends included */
function runsOf(flags) {
  /** @type {[number, number][]} */
  const runs = []
  for (let row = 0; row < flags.length; row += 1) {
    if (flags[row] !== 0) continue
    const last = runs.at(-1)
    if (last && last[1] === row - 1) last[1] = row
    else runs.push([row, row])
  }
  return runs
}

/**
 * @param {Shown} shown
 * @returns {number} the rows before the untouched end of the table; 0 where training left no such end
 */
function trainedRows({ rows, untouched }) {
  const last = untouched.at(-1)
  return last && untouched.length === 1 && last[1] === rows - 1 ? last[0] : rows
}

/** @param {Translate} t @param {Shown} shown */
function marksOf(t, { untouched, rows, end, step }) {
  const wall = rows < end ? ` ${t('inside.table.wall', { last: rows - 1, rows })}` : ''
  if (untouched.length === 0) return t('inside.table.all') + wall
  if (untouched.length === 1 && untouched[0][1] - untouched[0][0] === rows - 1) {
    return t(step === 0 ? 'inside.table.start' : 'inside.table.none') + wall
  }
  const list = untouched
    .slice(0, MOST_RUNS)
    .map(([from, to]) => (from === to ? String(from) : t('inside.table.run', { from, to })))
  if (untouched.length > MOST_RUNS) list.push('…')
  return t('inside.table.marks', { list: list.join(t('inside.table.comma')) }) + wall
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
