// The length curve: accuracy at every length, the training range shaded, a line a code.
import { numberWidth, pixelGrid, setFont } from '../../charts/core/canvas.js'
import { drawLines, drawMarker, shadeRange } from '../../charts/line.js'
import { linearAxis, mark, positionAxis } from '../../kit/scene.js'
import { numberCell } from '../../kit/numbers.js'
import { nearRange } from '../run/lines.js'
import { LOOK, codeName, endLabel, percent, rangeText, standing, taskName } from '../words.js'

/**
 * @typedef {import('../scene.js').LengthModel} LengthModel
 * @typedef {import('../run/lines.js').Line} Line
 */

/** Narrower pictures, in px at type scale 1, name the lines above and not at their ends. */
const WIDE = 560
/** A row of words, in the same px. */
const ROW = 16

/** @param {import('../../charts/core/canvas.js').Frame} frame */
const isWide = ({ width, theme }) => width >= WIDE * theme.typeScale

/** In a narrow picture the words of the wall have a row of their own. @param {Line[]} lines @param {boolean} wide */
const wallRow = (lines, wide) => (!wide && lines.some(({ wall }) => wall > 0) ? ROW : 0)

/** @type {import('../scene.js').LabFigure} */
export const curves = {
  className: 'length-curves',
  x({ t, model: { lines, length, last }, frame }) {
    const { ctx, theme } = frame
    setFont(ctx, theme)
    const labels = isWide(frame) ? lines.map((line) => endLabel(t, line)) : []
    const multiples = Array.from({ length: last / length }, (_, i) => (i + 1) * length)
    return positionAxis(last + 1, t('length.axis'), {
      domain: [1, last + 1],
      ticks: length > 2 ? [1, ...multiples] : multiples,
      line: true,
      room: labels.length > 0 ? 20 + Math.max(...labels.map((one) => numberWidth(ctx, one))) : 0,
    })
  },
  y: ({ t }) =>
    linearAxis(0, 1, undefined, {
      ticks: [0, 0.25, 0.5, 0.75, 1],
      format: (value) => percent(t, value),
    }),
  legend: ({ t, model: { lines }, theme, frame }) =>
    isWide(frame) || lines.length === 0
      ? undefined
      : lines.map(({ code, trained }) => ({
          label: codeName(t, code),
          colour: theme[code],
          hollow: !trained,
          ...LOOK[code],
        })),
  headroom: ({ model, frame }) => ROW + wallRow(model.lines, isWide(frame)),
  marks(scope) {
    const { t, model, theme, plot, root } = scope
    const { lines, state, cursor } = model
    const wide = isWide(plot)
    const room = plot.width - plot.rect.x - plot.rect.width
    // The slider below keeps to the plot.
    root.style.setProperty('--curves-end', `${room}px`)
    const inFront = [...lines].sort((a, b) => rank(a, state.mode) - rank(b, state.mode))
    return [
      () => drawGround(scope),
      mark(drawLines, {
        zero: 0,
        cursor: cursor ?? null,
        labelRoom: wide ? room : undefined,
        series: inFront.flatMap((line) => {
          const part = finitePart(line)
          if (part.y.length === 0) return []
          const colour = theme[line.code]
          const shown = {
            ...part,
            ...LOOK[line.code],
            colour,
            width: line.code === state.mode ? 3.5 : 2,
            phase: lines.indexOf(line) / lines.length,
            hollow: !line.trained,
            band: line.seeds.length > 1 ? part.band : undefined,
            label: wide ? endLabel(t, line) : '',
            labelAt: line.far,
          }
          if (!line.before) return shown
          // As it was trained, for comparison.
          const { x, y } = finitePart(line.before)
          return [{ x, y, colour, dash: LOOK[line.code].dash, faint: true }, shown]
        }),
      }),
      ...lines.map((line) => line.wall > 0 && (() => drawWall(plot, line))),
    ]
  },
  hovers: true,
  onHover: read,
  onDrag: read,
  words({ t, model }) {
    const { state, lines, length, last, cursor } = model
    const name = t('length.curves', { task: taskName(t, model.task, model.drawn) })
    const own = lines.find(({ code }) => code === state.mode)
    const seeds = Math.max(0, ...lines.map((line) => line.seeds.length))
    const told = lines.map((line) =>
      [
        `${codeName(t, line.code)}: ${standing(t, line)}`,
        `${rangeText(nearRange(line, length))}: ${percent(t, line.inside)}`,
        `${rangeText(nearRange(line, last))}: ${percent(t, line.far)}`,
      ].join(', '),
    )
    return {
      name,
      note: seeds > 1 ? t('length.curves.note', { seeds }) : undefined,
      readout:
        cursor !== undefined && own
          ? t('length.readout', {
              length: cursor,
              code: codeName(t, own.code),
              accuracy: accuracyAt(t, own, cursor),
            })
          : undefined,
      summary:
        told.length > 0 ? `${name}. ${told.join('; ')}.` : t('length.summary.none', { name }),
    }
  },
  /** Whole, with the lowest and highest seed. */
  table({ t, model: { lines, last } }, whole) {
    const cell = (/** @type {number} */ value) =>
      numberCell(
        value,
        Number.isNaN(value) ? '–' : t('unit.percent', { value: (100 * value).toFixed(1) }),
      )
    return {
      caption: t('length.table.curves'),
      columns: [
        t('length.axis'),
        ...lines.flatMap(({ code }) => {
          const name = codeName(t, code)
          return whole
            ? [name, `${name} ${t('length.low')}`, `${name} ${t('length.high')}`]
            : [name]
        }),
      ],
      rows: Array.from({ length: lines.length > 0 ? last : 0 }, (_, i) => [
        i + 1,
        ...lines.flatMap(({ mean, low, high }) =>
          (whole ? [mean, low, high] : [mean]).map((values) => cell(values[i] ?? NaN)),
        ),
      ]),
    }
  },
  /** A row a length: it, then each code. */
  matrix({ model: { lines, last } }) {
    if (lines.length === 0) return undefined
    const data = Array.from({ length: last }, (_, i) => [
      i + 1,
      ...lines.map(({ mean }) => mean[i] ?? NaN),
    ])
    return { data: data.flat(), shape: [last, lines.length + 1] }
  },
}

/** @type {NonNullable<import('../scene.js').LabFigure['onDrag']>} */
function read({ own }, { x }) {
  own.read(x)
}

/** @param {import('../../text/text.js').Translate} t @param {Line} line @param {number} length */
export const accuracyAt = (t, { wall, mean }, length) =>
  wall > 0 && length >= wall ? t('length.norow') : percent(t, mean[length - 1] ?? NaN)

/**
 * What stands behind the lines: the training range and its words, chance.
 * @param {{ t: import('../../text/text.js').Translate, model: LengthModel,
 *   plot: import('../../kit/types').Plot }} scope
 */
function drawGround({ t, model: { lines, length, chance }, plot }) {
  const { ctx, theme, rect, x: scale } = plot
  const edge = scale.right(length)
  shadeRange(ctx, { rect, from: scale.left(1), to: edge, colour: theme.ink, alpha: 0.07 })
  const px = setFont(ctx, theme, { weight: 600 })
  const row = wallRow(lines, isWide(plot)) * theme.typeScale
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const y = rect.y - px * 1.1
  const trained = t('length.trained', { length })
  ctx.fillText(trained, rect.x, y - row)
  const end = row ? rect.x : rect.x + ctx.measureText(trained).width + px
  const wall = lines.find((line) => line.wall > 0)
  setFont(ctx, theme, { weight: wall ? 600 : 400 })
  ctx.fillStyle = wall ? theme.failure : theme.muted
  const beyond = wall
    ? [t('length.wall', { wall: wall.wall }), t('length.wall.short', { wall: wall.wall })]
    : [t('length.beyond')]
  const x = Math.max(end, (wall ? scale.left(wall.wall) : edge) + px / 3)
  const fits = beyond.find((text) => x + ctx.measureText(text).width < rect.x + rect.width)
  if (fits) ctx.fillText(fits, x, y)
  if (Number.isNaN(chance)) return
  setFont(ctx, theme)
  const level = plot.y(chance)
  ctx.save()
  ctx.strokeStyle = theme.muted
  ctx.globalAlpha *= 0.7
  ctx.lineWidth = pixelGrid(ctx).line(theme.lineWeight)
  ctx.setLineDash([2, 5])
  ctx.beginPath()
  ctx.moveTo(rect.x, level)
  ctx.lineTo(rect.x + rect.width, level)
  ctx.stroke()
  ctx.restore()
  ctx.fillStyle = theme.muted
  ctx.textBaseline = 'top'
  ctx.fillText(t('length.chance'), rect.x + 4, level + 2)
}

/**
 * Over the lines: past it the table has no row, and its line ends there.
 * @param {import('../../kit/types').Plot} plot
 * @param {Line} line
 */
function drawWall({ ctx, theme, rect, x: scale, y }, { wall, mean }) {
  const grid = pixelGrid(ctx)
  const width = grid.line(3 * theme.lineWeight)
  const x = grid.x(scale.left(wall) - width / 2)
  ctx.fillStyle = theme.failure
  ctx.fillRect(x, rect.y - 8, width, rect.height + 8)
  const end = mean[wall - 2]
  if (!Number.isFinite(end)) return
  drawMarker(ctx, 'cross', x + width / 2, y(end), { size: 11, colour: theme.failure, theme })
}

/** Untrained lines lie lowest, the code in focus on top. @param {Line} line @param {string} mode */
const rank = ({ trained, code }, mode) => (trained ? 1 : 0) + (code === mode ? 2 : 0)

/**
 * A curve has no accuracy at lengths that its task does not define, nor past a wall.
 * @param {Line} line
 */
function finitePart({ mean, low, high }) {
  const from = Math.max(0, mean.findIndex(Number.isFinite))
  let to = mean.length
  while (to > from && !Number.isFinite(mean[to - 1])) to -= 1
  const y = mean.slice(from, to)
  return {
    y,
    x: y.map((_, i) => from + 1 + i),
    band: { low: low.slice(from, to), high: high.slice(from, to) },
  }
}
