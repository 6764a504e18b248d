// How a code enters the model: the pictures. A strip of colour for each vector, a bar for its length.
import {
  fillNumber,
  hatch,
  invalidateTheme,
  numberWidth,
  pixelGrid,
  setFont,
} from '../charts/canvas.js'
import { drawHeatmap } from '../charts/heatmap.js'
import { formatNumber } from '../text/text.js'
import { createFigure } from './figure.js'
import { largestAbsolute, numberCell } from './numbers.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('../charts/canvas.js').Frame} Frame
 * @typedef {import('./sum.js').SumModel} SumModel
 * @typedef {'plain' | 'scaled'} WayName
 */

const WAYS = /** @type {const} */ (['plain', 'scaled'])
const PARTS = /** @type {const} */ (['word', 'code', 'sum'])
/** The strips' share of the room beside the labels. */
const STRIPS = 0.52

/** @param {import('../stage.js').SceneHost} host */
export function mountSum(host) {
  const { el, t } = host
  let state = host.state()
  /** @type {SumModel | undefined} */
  let model
  const figures = WAYS.map((way) =>
    createFigure(host, {
      className: `sum sum-${way}`,
      draw: (frame) => model && drawWay(frame, model, way, t),
      table: () => sumTable(t, model, way),
      matrix: () => sumMatrix(model, way),
    }),
  )
  const width = host.numberControl('dModel')
  const cursor = host.numberControl('position')
  host.root.append(
    el(
      'div',
      { class: 'main' },
      ...figures.map(({ element }) => element),
      el('div', { class: 'fields' }, width.element, cursor.element),
      host.sentence,
    ),
  )
  return {
    memory: undefined,
    /** @param {State} next */
    sync(next) {
      state = next
      width.sync(state)
      cursor.sync(state)
    },
    /** @param {State} _next @param {SumModel} computed */
    draw(_next, computed) {
      model = computed
      WAYS.forEach((way, i) => {
        figures[i].say({ ...waysWords(t, computed, way), limit: limitOf(computed) })
        figures[i].element.classList.toggle('failing', computed.plain.code === undefined)
        figures[i].invalidate()
      })
    },
    restyle() {
      invalidateTheme()
      for (const figure of figures) figure.invalidate()
    },
    destroy() {
      for (const figure of figures) figure.destroy()
      host.root.replaceChildren()
    },
  }
}

/** @param {Translate} t @param {SumModel} model @param {WayName} way */
function waysWords(t, model, way) {
  const { word, code, sum } = model[way]
  const sizes = {
    d: model.state.dModel,
    position: model.state.position,
    word: formatNumber(word.size),
    code: code ? formatNumber(code.size) : '–',
    sum: sum ? formatNumber(sum.size) : '–',
  }
  return {
    name: t(`sum.${way}.title`),
    note: t(`sum.${way}.note`),
    summary: t('sum.summary', { title: t(`sum.${way}.title`), ...sizes }),
  }
}

/**
 * @param {Translate} t
 * @param {SumModel | undefined} model
 * @param {WayName} way
 * @returns {import('./figure.js').NumberTable}
 */
function sumTable(t, model, way) {
  if (!model) return { caption: '', columns: [], rows: [] }
  const parts = PARTS.map((name) => model[way][name])
  return {
    caption: t('sum.table'),
    columns: [t('beyond.axis.dimension'), ...PARTS.map((name) => t(`sum.${name}`))],
    rows: [
      [t('sum.size'), ...parts.map((part) => numberCell(part?.size))],
      ...Array.from({ length: model.state.dModel }, (_, i) => [
        i,
        ...parts.map((part) => numberCell(part?.row[i])),
      ]),
    ],
  }
}

/** Word, code and sum as three rows. @param {SumModel | undefined} model @param {WayName} way */
function sumMatrix(model, way) {
  const { word, code, sum } = model?.[way] ?? {}
  if (!model || !word || !code || !sum) return undefined
  return { data: [...word.row, ...code.row, ...sum.row], shape: [3, model.state.dModel] }
}

/**
 * One scale of colours for both figures: equal colours are equal numbers.
 * @param {SumModel & { limit?: number }} model
 */
function limitOf(model) {
  model.limit ??= WAYS.flatMap((way) => PARTS.map((name) => model[way][name])).reduce(
    (most, part) => (part ? largestAbsolute(part.row, most) : most),
    0,
  )
  return model.limit || 1
}

/** @param {SumModel} model the longest vector of both figures */
function longest(model) {
  const sizes = WAYS.flatMap((way) => PARTS.map((name) => model[way][name]?.size ?? 0))
  return Math.max(1e-9, ...sizes)
}

/**
 * @param {Frame} frame
 * @param {SumModel} model
 * @param {WayName} way
 * @param {Translate} t
 */
function drawWay({ ctx, width, height, theme }, model, way, t) {
  const grid = pixelGrid(ctx)
  const px = setFont(ctx, theme, { size: 14 })
  const labels = {
    word: t(`sum.${way}.word`),
    code: `+ ${t('sum.code')}`,
    sum: `= ${t('sum.sum')}`,
  }
  // The longer label of the other figure counts too: the strips of both stand under each other.
  const texts = [t('sum.scaled.word'), ...Object.values(labels)]
  const gutter = Math.max(...texts.map((text) => ctx.measureText(text).width)) + px
  const strip = Math.max(24, (width - gutter) * STRIPS)
  const bars = gutter + strip + px
  const room = width - bars - numberWidth(ctx, '00.00') - px
  const line = height / PARTS.length
  const hues = { word: theme.nope, code: theme[model.state.mode], sum: theme.ink }
  PARTS.forEach((name, i) => {
    const y = i * line
    const rect = { x: gutter, y: grid.y(y + line * 0.16), width: strip, height: line * 0.68 }
    const middle = y + line / 2
    setFont(ctx, theme, { size: 14, weight: name === 'sum' ? 600 : 400 })
    ctx.fillStyle = theme.ink
    ctx.textAlign = 'left'
    ctx.textBaseline = 'middle'
    ctx.fillText(labels[name], 0, middle)
    const part = model[way][name]
    if (!part) {
      hatch(ctx, rect, theme.failure, { spacing: 8 * theme.typeScale })
      return
    }
    const { row } = part
    const limit = limitOf(model)
    drawHeatmap(ctx, { rect, data: row, rows: row.length, columns: 1, limit, theme, cache: row })
    ctx.strokeStyle = theme.rule
    ctx.lineWidth = grid.line(theme.lineWeight)
    ctx.strokeRect(rect.x - 0.5, rect.y - 0.5, rect.width + 1, rect.height + 1)
    const reach = Math.max(grid.line(2), (part.size / longest(model)) * Math.max(0, room))
    ctx.fillStyle = hues[name]
    ctx.fillRect(bars, grid.y(middle - line * 0.13), reach, line * 0.26)
    ctx.fillStyle = theme.ink
    fillNumber(ctx, formatNumber(part.size, 2), bars + reach + px * 0.5, middle)
  })
}
