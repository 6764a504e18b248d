// Cost: the pictures, the list of published models.
import { drawAxisX, drawAxisY, axisXHeight, axisYWidth } from '../charts/axis.js'
import { invalidateTheme, plateText, setFont } from '../charts/canvas.js'
import { drawLines } from '../charts/line.js'
import { linear } from '../charts/scale.js'
import { drawShare, lensTimes, shareHeight } from '../charts/share.js'
import { FIELDS } from '../state/fields.js'
import { withPatch } from '../state/state.js'
import { formatCount, formatPercent, formatShort } from './amounts.js'
import { axisEnd, sizeOf } from './cost_models.js'
import { mountAmounts, mountModels } from './cost_side.js'
import { growthTable, shareTable } from './cost_words.js'
import { createFigure } from './figure.js'
import { matrixOf } from './numbers.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../charts/canvas.js').Frame} Frame
 */

/** @param {import('../stage.js').SceneHost} host */
export function mountCost(host) {
  const { el, t } = host
  let state = host.state()
  /** While the reader drags, the axis stays; otherwise the cursor would run away from the hand. */
  let held = 0
  /** Where the growth figure begins and ends, in px, for the pointer. */
  const plot = { x0: 0, x1: 1 }

  const growth = createFigure(host, {
    className: 'growth',
    draw: drawGrowth,
    onPointer: aim,
    table: () => growthTable(t, state),
    matrix: () => matrixOf(growthTable(t, state)),
  })
  const share = createFigure(host, {
    className: 'part',
    draw: drawPart,
    table: () => shareTable(t, state),
    matrix: () => matrixOf(shareTable(t, state)),
  })
  const amounts = mountAmounts(host)
  const models = mountModels(host)
  host.root.append(
    el('div', { class: 'main' }, growth.element, share.element, host.sentence),
    el('div', { class: 'side' }, amounts.element, models.element),
  )

  const end = () => held || axisEnd(state.costRows)

  /** @param {Frame} frame */
  function drawGrowth({ ctx, width, height, theme }) {
    const size = sizeOf(state)
    const label = t('cost.axis.rows')
    const axis = axisXHeight(theme, { label })
    const last = end()
    const most = roundUp(last * size.width)
    const bottom = height - axis
    const top = 10 * theme.typeScale
    const yScale = linear([0, most], [bottom, top])
    const format = (/** @type {number} */ value) => formatShort(t, value)
    const x = axisYWidth(ctx, { scale: yScale, theme, format })
    const right = 12 * theme.typeScale
    const rect = { x, y: top, width: Math.max(1, width - x - right), height: bottom - top }
    const xScale = linear([0, last], [rect.x, rect.x + rect.width])
    plot.x0 = rect.x
    plot.x1 = rect.x + rect.width
    drawAxisY(ctx, { scale: yScale, theme, x, format, grid: rect })
    // The cursor's own point is one of each line's, so that its dot lies on it exactly.
    const x3 = [0, size.rows, last]
    /** @type {import('../charts/line.js').Series[]} */
    const series = [
      { x: x3, y: x3.map((rows) => rows * size.width), colour: theme.learned, width: 3 },
      { x: x3, y: [0, 0, 0], colour: theme.sinusoidal, width: 3, dash: 'dashed' },
    ]
    const names = [
      {
        text: t('cost.line.learned'),
        colour: theme.learned,
        at: 0.88,
        value: 0.88 * last * size.width,
        left: true,
      },
      { text: t('cost.line.sinusoidal'), colour: theme.sinusoidal, at: 1, value: 0, left: false },
    ]
    // Where the whole model lies within the picture, a line says when the table outgrows it.
    if (size.model <= most) {
      const y = [size.model, size.model, size.model]
      series.push({ x: x3, y, colour: theme.muted, dash: 'dotted', faint: true })
      const text = t('cost.line.model', { model: format(size.model) })
      names.push({ text, colour: theme.muted, at: 0, value: size.model, left: false })
    }
    drawLines(ctx, { rect, xScale, yScale, theme, series, cursor: size.rows })
    drawAxisX(ctx, {
      scale: xScale,
      theme,
      y: bottom,
      label,
      format: formatCount,
      rect: { x: 0, y: bottom, width, height: axis },
    })
    const px = setFont(ctx, theme, { size: 14, weight: 600 })
    /** @type {{ middle: number, half: number, y: number }[]} */
    const placed = []
    for (const { text, colour, at, value, left } of names) {
      const half = ctx.measureText(text).width / 2 + px
      // Beside a rising line, above a level one.
      const centre = rect.x + at * rect.width - (left ? half : 0)
      const middle = Math.max(rect.x + half, Math.min(rect.x + rect.width - half, centre))
      let y = Math.max(px, yScale(value) - (left ? 1.3 : 1) * px)
      // Two names at one place stand above each other.
      for (const other of placed) {
        const apart = Math.abs(other.middle - middle) >= other.half + half
        if (!apart && Math.abs(other.y - y) < 1.7 * px) y = other.y - 1.7 * px
      }
      placed.push({ middle, half, y })
      plateText(ctx, text, middle, y, { theme, colour, size: 14, weight: 600 })
    }
  }

  /** @param {Frame} frame */
  function drawPart({ ctx, width, theme }) {
    const size = sizeOf(state)
    const times = lensTimes(size.share)
    drawShare(ctx, {
      rect: { x: 0, y: 0, width, height: shareHeight(theme, times > 1) },
      share: size.share,
      colour: theme.learned,
      theme,
      labels: {
        whole: t('cost.share.model', { model: formatShort(t, size.model) }),
        part: t('cost.share.table', { percent: formatPercent(t, size.share) }),
        lens: t('cost.share.lens', {
          part: t('unit.percent', { value: String(100 / times) }),
          times: formatCount(times),
        }),
      },
    })
  }

  /**
   * Drag along the line to move T_max.
   * @param {PointerEvent} _event
   * @param {{ x: number }} point
   * @param {boolean} dragging
   */
  function aim(_event, point, dragging) {
    if (!dragging) {
      if (held) growth.invalidate()
      held = 0
      return
    }
    held ||= axisEnd(state.costRows)
    const { rule } = FIELDS.costRows
    const { min, max } = /** @type {import('../state/fields.js').NumberRule} */ (rule)
    const rows = Math.round(((point.x - plot.x0) / (plot.x1 - plot.x0)) * held)
    host.accept(withPatch(host.state(), { costRows: Math.min(held, max, Math.max(min, rows)) }))
  }

  function speak() {
    const size = sizeOf(state)
    const values = {
      rows: formatCount(size.rows),
      width: formatCount(size.width),
      count: formatCount(size.parameters),
      percent: formatPercent(t, size.share),
      model: formatShort(t, size.model),
    }
    growth.say({
      name: t('cost.growth'),
      note: t('cost.growth.note'),
      readout: t('cost.growth.readout', values),
      summary: t('cost.summary.growth', values),
    })
    share.say({
      name: t('cost.share'),
      readout: values.percent,
      summary: t('cost.summary.share', values),
    })
    share.element.classList.toggle('plain', lensTimes(size.share) === 1)
  }

  const figures = [growth, share]
  return {
    memory: undefined,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      amounts.sync(state)
      models.sync(state)
    },
    /** @param {State} next */
    draw(next) {
      state = next
      speak()
      for (const figure of figures) figure.invalidate()
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

/**
 * @param {number} value
 * @returns {number} the next round number
 */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 1.2, 1.6, 2, 2.5, 3, 4, 5, 6, 8].find((step) => value <= step * power) ?? 10)
}
