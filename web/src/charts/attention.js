/**
 * What each query of a sequence looks at: rows ask, columns answer; beside each row what the model
 * says there, and whether it is right.
 */
import { axisXHeight, drawAxisX, drawAxisY } from './core/axis.js'
import { fillNumber, hatch, numberWidth, pixelGrid, setFont } from './core/canvas.js'
import { drawCorner } from './core/corner.js'
import { drawHeatmap } from './heatmap.js'
import { positionScale } from './core/scale.js'

/** @import { Ctx, Rect, Theme } from './core/canvas.js' */

/**
 * @typedef {object} AttentionOptions
 * @property {Rect} rect   of everything: title, square, axes, answers
 * @property {number} count  tokens
 * @property {Float32Array | null} columns  weights, key by key: count x count; NaN where a query may not
 *   look; null when there are none
 * @property {number} limit  the weight drawn in the end colour
 * @property {string[]} tokens
 * @property {{ said: string, wanted: string, right: boolean }[]} answers  one a token; `wanted` is empty
 *   where nothing is asked
 * @property {number} trained  tokens of the longest sequence of training
 * @property {string} title
 * @property {string} score  e.g. "14 of 14"
 * @property {string} label  of the keys
 * @property {string} side   of the queries
 * @property {string} [missing]  why there are no weights
 * @property {{ query: number, key: number } | undefined} [cursor]
 * @property {Theme} theme
 * @property {object} cache
 */

/**
 * Large letters in a small picture: the title and the score take a line each.
 * @param {Rect} rect
 * @param {number} typeScale
 */
const isNarrow = ({ width }, typeScale) => width < 18 * 12.5 * typeScale

/**
 * Where the square of a picture lies.
 * @param {Rect} rect
 * @param {number} typeScale
 * @returns {Rect}
 */
export function squareOf(rect, typeScale) {
  const px = 12.5 * typeScale
  const narrow = isNarrow(rect, typeScale)
  const left = px * (narrow ? 2.4 : 3.7)
  const right = px * (narrow ? 2.1 : 3.7)
  const top = px * (narrow ? 3.4 : 1.9)
  const bottom = axisXHeight(/** @type {Theme} */ ({ typeScale }), { label: ' ' })
  const side = Math.max(
    10,
    Math.floor(Math.min(rect.width - left - right, rect.height - top - bottom)),
  )
  return { x: rect.x + left, y: rect.y + top, width: side, height: side }
}

/** @param {Ctx} ctx @param {AttentionOptions} options */
export function drawAttention(ctx, options) {
  const { rect, count, columns, theme, title, score, trained, cursor } = options
  const square = squareOf(rect, theme.typeScale)
  const px = setFont(ctx, theme, { weight: 600 })
  const right = square.x + square.width
  const bottom = square.y + square.height
  const across = positionScale({ start: 0, end: count, x0: square.x, x1: right })
  const down = positionScale({ start: 0, end: count, x0: square.y, x1: bottom })

  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  ctx.fillStyle = theme.ink
  const line = square.y - px * 1.1
  const end = rect.x + rect.width
  const narrow = isNarrow(rect, theme.typeScale)
  const room = score && !narrow ? numberWidth(ctx, score) + px : 0
  // Over its square, where there is room.
  const from = square.x + ctx.measureText(title).width + room > end ? rect.x : square.x
  ctx.fillText(title, from, narrow ? line - px * 1.4 : line, Math.max(1, end - from - room))
  if (score) fillNumber(ctx, score, narrow ? from : end, line, narrow ? 'left' : 'right')

  if (columns) {
    drawHeatmap(ctx, {
      rect: square,
      data: columns,
      rows: count,
      columns: count,
      limit: options.limit,
      theme,
      cache: options.cache,
    })
  } else {
    const spacing = 8 * theme.typeScale
    hatch(ctx, square, theme.muted, { spacing, alpha: theme.forced ? 1 : 0.38 })
  }
  frame(ctx, square, theme)
  drawCorner(ctx, { rect: square, count, trained, theme })
  shadeTrained(ctx, square, Math.min(1, trained / count), theme)
  if (!columns) writeMissing(ctx, options.missing ?? '', square, theme)
  if (columns && cursor && cursor.query < count && cursor.key < count) {
    const cell = {
      x: across.left(cursor.key),
      y: down.left(cursor.query),
      width: across.band,
      height: down.band,
    }
    outline(ctx, cell, theme)
  }

  const letters = across.band >= px * 1.75
  const all = letters ? options.tokens.map((_, i) => i) : undefined
  const format = letters
    ? (/** @type {number} */ i) => options.tokens[i] ?? ''
    : (/** @type {number} */ i) => String(i)
  drawAxisX(ctx, {
    scale: across,
    theme,
    y: bottom,
    label: options.label,
    ticks: all,
    format,
    rect: { x: rect.x, y: bottom, width: rect.width, height: 0 },
  })
  drawAxisY(ctx, {
    scale: down,
    theme,
    x: square.x,
    left: rect.x,
    label: options.side,
    ticks: all,
    format,
  })
  if (columns) drawAnswers(ctx, options, right, down, narrow)
}

/**
 * Letters where the rows are high enough for them: what is said, and after a wrong answer the right one.
 * Else a bar a row: short and quiet when right, long and in the failure colour when wrong.
 * @param {Ctx} ctx
 * @param {AttentionOptions} options
 * @param {number} x
 * @param {import('./core/scale.js').PositionScale} down
 * @param {boolean} narrow  there is room for one letter alone
 */
function drawAnswers(ctx, { answers, theme }, x, down, narrow) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme)
  const letters = down.band >= px * 1.1
  ctx.textBaseline = 'middle'
  answers.forEach(({ said, wanted, right }, i) => {
    if (wanted === '') return
    ctx.fillStyle = right ? theme.muted : theme.failure
    if (letters) {
      const y = down.centre(i)
      setFont(ctx, theme, { weight: right ? 400 : 600 })
      fillNumber(ctx, said, x + px * 0.5, y)
      if (right || narrow) return
      const after = x + px * 0.8 + numberWidth(ctx, said)
      setFont(ctx, theme)
      ctx.fillStyle = theme.muted
      fillNumber(ctx, `≠ ${wanted}`, after, y)
      return
    }
    const top = grid.y(down.left(i))
    const height = Math.max(grid.pixel, grid.y(down.right(i)) - top)
    const gap = height > 3 * grid.pixel ? grid.pixel : 0
    ctx.fillRect(grid.x(x + px * 0.4), top, px * (right ? 0.45 : 1.6), height - gap)
  })
}

/**
 * Bands along the keys and along the queries that training has seen.
 * @param {Ctx} ctx
 * @param {Rect} square
 * @param {number} share  of a side
 * @param {Theme} theme
 */
function shadeTrained(ctx, { x, y, width, height }, share, theme) {
  const grid = pixelGrid(ctx)
  const thick = grid.line(4 * theme.typeScale)
  ctx.fillStyle = theme.muted
  ctx.fillRect(x, y - thick, width * share, thick)
  ctx.fillRect(x - thick, y, thick, height * share)
}

/** @param {Ctx} ctx @param {Rect} rect @param {Theme} theme */
function frame(ctx, { x, y, width, height }, theme) {
  ctx.strokeStyle = theme.rule
  ctx.lineWidth = pixelGrid(ctx).line(theme.lineWeight)
  ctx.strokeRect(x, y, width, height)
}

/** @param {Ctx} ctx @param {Rect} cell @param {Theme} theme */
function outline(ctx, { x, y, width, height }, theme) {
  const grid = pixelGrid(ctx)
  for (const [colour, weight] of /** @type {[string, number][]} */ ([
    [theme.panel, 4],
    [theme.ink, 1.5],
  ])) {
    ctx.strokeStyle = colour
    ctx.lineWidth = grid.line(weight * theme.lineWeight)
    ctx.strokeRect(x - 1, y - 1, width + 2, height + 2)
  }
}

/**
 * A sentence on a plate, in as many lines as it takes.
 * @param {Ctx} ctx
 * @param {string} text
 * @param {Rect} rect
 * @param {Theme} theme
 */
function writeMissing(ctx, text, rect, theme) {
  const px = setFont(ctx, theme)
  const room = rect.width - 2 * px
  /** @type {string[]} */
  const lines = ['']
  // Chinese breaks between any two characters, other text between words.
  for (const part of text.match(
    /[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]+\s*|\s+/g,
  ) ?? []) {
    const last = lines.length - 1
    if (lines[last] && ctx.measureText(lines[last] + part).width > room) lines.push(part)
    else lines[last] += part
  }
  const step = px * 1.5
  const height = step * lines.length + px
  const middle = rect.y + rect.height / 2
  ctx.fillStyle = theme.panel
  ctx.fillRect(rect.x + px / 2, middle - height / 2, rect.width - px, height)
  ctx.fillStyle = theme.failure
  ctx.textBaseline = 'middle'
  lines.forEach((one, i) => {
    const y = middle + (i - (lines.length - 1) / 2) * step
    fillNumber(ctx, one.trim(), rect.x + rect.width / 2, y, 'center')
  })
}
