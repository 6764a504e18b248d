// A real model: its positions drawn, each code in its own way.
import { axisXHeight, axisYWidth, drawAxisX, drawAxisY } from '../../charts/core/axis.js'
import { plateText, setFont } from '../../charts/core/canvas.js'
import { drawColumns } from '../../charts/columns.js'
import { drawLegend, drawLines, shadeRange } from '../../charts/line.js'
import { drawPairs } from '../../charts/pairs.js'
import { drawRows } from '../../charts/rows.js'
import { linear, logarithmic, positionScale } from '../../charts/core/scale.js'
import { formatCount, formatShort } from '../../kit/format.js'

/**
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('./shown.js').ModelModel} ModelModel
 */

/**
 * @param {Frame} frame
 * @param {Translate} t
 * @param {ModelModel} model
 * @param {number} length
 */
export function drawModel(frame, t, model, length) {
  if (model.turns.length > 0 || model.waves) drawWavelengths(frame, t, model, length)
  else if (model.slopes) drawSlopes(frame, t, model.slopes)
  else if (model.buckets) drawBuckets(frame, t, model.buckets, model.shown.reading.resolved)
  else drawWall(frame, t, model, length)
}

/**
 * The frame that the figures share: axes around a rectangle.
 * @param {Frame} frame
 * @param {object} options
 * @param {(range: [number, number]) => import('../../charts/core/scale.js').LinearScale} options.y
 * @param {string} options.xLabel
 * @param {string} options.yLabel
 * @param {(value: number) => string} options.format of the values up the side
 */
function plotOf({ ctx, width, height, theme }, { y, xLabel, yLabel, format }) {
  const axis = axisXHeight(theme, { label: xLabel })
  const px = setFont(ctx, theme)
  const top = 10 * theme.typeScale
  const yScale = y([height - axis, top])
  const side = { scale: yScale, theme, label: yLabel, format }
  const x = axisYWidth(ctx, side)
  const rect = { x, y: top, width: Math.max(1, width - x - px), height: height - axis - top }
  drawAxisY(ctx, { ...side, x, grid: rect })
  return { rect, yScale, axis, px }
}

/**
 * The first turn of each pair; of several kinds of layers the first in full, the others as curves.
 * @param {Frame} frame
 * @param {Translate} t
 * @param {ModelModel} model
 * @param {number} length
 */
function drawWavelengths(frame, t, model, length) {
  const { turns, waves, shown } = model
  const { ctx, width, height, theme } = frame
  const { positions } = shown.reading.resolved
  const [first, ...others] = turns
  const wavelengths = first?.wavelengths ?? /** @type {Float64Array} */ (waves)
  const trained = (first ? (first.further ?? first.trained) : positions) ?? length
  /** @type {{ wavelengths: Float64Array, colour: string, dash: 'dashed' | 'dotted', label: string }[]} */
  const curves = others.map((other) => ({
    wavelengths: other.wavelengths,
    colour: theme.rope,
    dash: 'dashed',
    label: other.rope.layers ?? '',
  }))
  if (first && first.rope.type !== 'default') {
    const label = t('model.line.plain')
    curves.push({ wavelengths: first.plainWavelengths, colour: theme.muted, dash: 'dotted', label })
  }
  const colour = first ? theme.rope : theme.sinusoidal
  const legend = [{ label: first?.rope.layers ?? t('model.line.scaled'), colour }, ...curves]
  const used =
    curves.length > 0 ? drawLegend(ctx, { x: 8, y: 0, width: width - 8, theme, items: legend }) : 0
  ctx.save()
  ctx.translate(0, used)
  drawPairs(ctx, {
    width,
    height: height - used,
    theme,
    colour,
    data: {
      wavelengths,
      // Of a sinusoidal code each wavelength that fits into the training has turned once.
      turns: first?.turns ?? wavelengths.map((wavelength) => trained / wavelength),
      unseenFrom: first?.unseenFrom,
      trained,
      reach: length,
      curves,
    },
    labels: {
      position: t(first ? 'wavelengths.axis' : 'model.axis.position'),
      pair: t('model.axis.pair'),
      trained: markText(t, t('model.mark.trained'), trained),
      reach: markText(t, t('model.mark.length'), length),
      format: (value) => formatShort(t, value),
    },
  })
  ctx.restore()
}

/** @param {Translate} t @param {string} names @param {number} at */
const markText = (t, names, at) => t('model.mark.line', { names, count: formatCount(at) })

/**
 * @param {Frame} frame
 * @param {Translate} t
 * @param {Float64Array} slopes
 */
function drawSlopes(frame, t, slopes) {
  const { ctx, width, theme } = frame
  const least = Math.min(...slopes)
  const { rect, yScale, axis } = plotOf(frame, {
    y: (range) => logarithmic([least / 2, 1], range),
    xLabel: t('model.axis.head'),
    yLabel: t('model.axis.slope'),
    format: (value) => String(value),
  })
  const right = rect.x + rect.width
  const xScale = positionScale({ start: 0, end: slopes.length, x0: rect.x, x1: right })
  drawColumns(ctx, { rect, xScale, yScale, data: slopes, colour: theme.alibi, theme })
  drawAxisX(ctx, {
    scale: xScale,
    theme,
    y: rect.y + rect.height,
    label: t('model.axis.head'),
    rect: { x: 0, y: rect.y + rect.height, width, height: axis },
  })
}

/**
 * @param {Frame} frame
 * @param {Translate} t
 * @param {Int32Array} buckets
 * @param {import('../../state/resolved.js').Resolved} resolved
 */
function drawBuckets(frame, t, buckets, { distance = 0 }) {
  const { ctx, width, theme } = frame
  const most = Math.max(...buckets)
  const last = buckets.length - 1
  const { rect, yScale, axis, px } = plotOf(frame, {
    y: (range) => linear([0, most * 1.1], range),
    xLabel: t('model.axis.distance'),
    yLabel: t('model.axis.bucket'),
    format: (value) => String(value),
  })
  const xScale = linear([0, last], [rect.x, rect.x + rect.width])
  const first = buckets.indexOf(most)
  const right = rect.x + rect.width
  shadeRange(ctx, { rect, from: xScale(first), to: right, colour: theme.muted, alpha: 0.14 })
  // Steps: each distance has one bucket, and keeps it until the next.
  const x = Array.from({ length: 2 * last }, (_, i) => Math.ceil(i / 2))
  const y = x.map((_, i) => buckets[Math.floor(i / 2)])
  const line = { x, y, colour: theme.t5, width: 3 }
  drawLines(ctx, { rect, xScale, yScale, theme, series: [line] })
  const text = t('model.line.shared', { bucket: most, distance: first })
  const half = ctx.measureText(text).width / 2 + px / 2
  const middle = Math.max(rect.x + half, Math.min(right - half, (xScale(distance) + right) / 2))
  plateText(ctx, text, middle, rect.y + rect.height / 2, { theme, colour: theme.ink })
  drawAxisX(ctx, {
    scale: xScale,
    theme,
    y: rect.y + rect.height,
    label: t('model.axis.distance'),
    format: formatCount,
    rect: { x: 0, y: rect.y + rect.height, width, height: axis },
  })
}

/**
 * @param {Frame} frame
 * @param {Translate} t
 * @param {ModelModel} model
 * @param {number} length
 */
function drawWall({ ctx, width, height, theme }, t, { shown }, length) {
  const { encoding, positions = length, offset = 0, rows } = shown.reading.resolved
  const label = t('model.axis.position')
  const axis = axisXHeight(theme, { label })
  const px = setFont(ctx, theme)
  const inset = px * 2
  const rect = { x: px, y: px * 0.5, width: width - 2 * px, height: height - axis - px }
  const most = Math.max(positions * 2, Math.min(length, positions * 4) * 1.05)
  const scale = linear([0, most], [rect.x + inset, rect.x + rect.width])
  const wall = encoding === 'learned'
  drawRows(ctx, {
    rect,
    scale,
    positions,
    unused: offset,
    wall,
    cursor: Math.min(length, most),
    colour: wall ? theme.learned : theme.nope,
    theme,
    labels: {
      inside: wall
        ? t('model.line.rows', { positions: formatCount(positions), rows: formatCount(rows ?? 0) })
        : t('model.line.seen', { positions: formatCount(positions) }),
      beyond: t(wall ? 'model.line.beyond' : 'model.line.free'),
      cursor: markText(t, t('model.mark.length'), length),
    },
  })
  drawAxisX(ctx, {
    scale,
    theme,
    y: height - axis,
    label,
    format: formatCount,
    rect: { x: 0, y: height - axis, width, height: axis },
  })
}
