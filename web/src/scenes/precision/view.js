// Precision: the curves of the error, where neighbours become one, and the public reports.
import { drawAxisX, drawAxisY, axisXHeight, axisYWidth } from '../../charts/core/axis.js'
import { invalidateTheme, plateText, setFont } from '../../charts/core/canvas.js'
import { drawLegend, drawLines, drawMarker } from '../../charts/line.js'
import { logarithmic } from '../../charts/core/scale.js'
import { FIELDS, NUMBER_FORMATS } from '../../state/fields.js'
import { PRESETS } from '../../state/presets.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { formatCount, formatError, formatShort } from '../../kit/format.js'
import { createFigure } from '../../kit/figure.js'
import { FARTHEST, REPORT, envelope, errorMatrix, errorTable } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('./index.js').PrecisionModel} PrecisionModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 */

/** One code in three formats: they differ by dash and marker. */
const LOOK = /** @type {const} */ ({
  float32: { dash: 'dotted', marker: 'circle' },
  bfloat16: { dash: 'solid', marker: 'square' },
  float16: { dash: 'dashed', marker: 'diamond' },
})
const FORMATS = /** @type {(keyof typeof LOOK)[]} */ (/** @type {unknown} */ (NUMBER_FORMATS))

/** A cosine is never wrong by more than 2; errors below this one are drawn on the floor. */
const ERRORS = /** @type {const} */ ([1e-9, 4])

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountPrecision(host) {
  const { el, t, setText } = host
  /** @type {PrecisionModel | undefined} */
  let model
  /** Where the figure begins and ends, in px, for the pointer. */
  const plot = { x0: 0, x1: 1 }
  const figure = createFigure(host, {
    className: 'errors',
    hue: 'hue-rope',
    draw,
    onPointer: aim,
    table: () =>
      model ? errorTable(t, model) : { caption: t('stage.loading'), columns: [], rows: [] },
    matrix: () => model && errorMatrix(model),
  })
  const chips = host.radioGroup({
    label: t('field.numberFormat'),
    className: 'chips',
    name: host.uniqueId('format'),
    values: NUMBER_FORMATS,
    describe: (value) => value,
    onChange: (numberFormat) => host.accept(withPatch(host.state(), { numberFormat })),
  })
  const cursor = host.numberControl('farPosition')
  const cells = FORMATS.map((format) => {
    const error = el('td', {})
    const first = el('td', {})
    const row = el('tr', {}, el('th', { scope: 'row' }, format), error, first)
    return { format, error, first, row }
  })
  const heading = (/** @type {TextKey} */ key) => el('th', { scope: 'col' }, t(key))
  const formats = el(
    'section',
    { class: 'card formats' },
    el('h2', {}, t('precision.formats')),
    el(
      'table',
      {},
      el('caption', {}, t('precision.formats.caption')),
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          el('td', {}),
          heading('precision.formats.error'),
          heading('precision.formats.first'),
        ),
      ),
      el('tbody', {}, ...cells.map(({ row }) => row)),
    ),
  )
  const found = el('p', {})
  const reports = el(
    'section',
    { class: 'card reports' },
    el('h2', {}, t('precision.reports')),
    found,
    el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-report': 'neox',
        onclick: () => host.accept(withPatch(host.state(), PRESETS.precision.neox)),
      },
      t('precision.reports.show'),
    ),
    el('p', {}, t('precision.reports.transformers')),
    el('p', { class: 'muted' }, t('precision.reports.cure')),
  )
  host.root.append(
    el(
      'div',
      { class: 'main' },
      chips.element,
      figure.element,
      cursor.element,
      host.sentence,
      el('p', { class: 'legend' }, t('precision.what')),
    ),
    el('div', { class: 'side' }, formats, reports),
  )

  /** @param {Frame} frame */
  function draw({ ctx, width, height, theme }) {
    if (!model) return
    const now = model
    const { numberFormat, farPosition } = now.state
    const items = FORMATS.map((format) => ({
      label: format,
      colour: format === numberFormat ? theme.rope : theme.muted,
      ...LOOK[format],
    }))
    const legend = drawLegend(ctx, { x: 4, y: 0, width: width - 8, theme, items })
    const label = t('precision.axis.position')
    const top = legend + 22 * theme.typeScale
    const bottom = Math.max(top + 1, height - axisXHeight(theme, { label }))
    const yScale = logarithmic(ERRORS, [bottom, top])
    const yAxis = { scale: yScale, theme, label: t('precision.axis.error') }
    const left = axisYWidth(ctx, yAxis)
    const rect = { x: left, y: top, width: Math.max(1, width - left - 14), height: bottom - top }
    const xScale = logarithmic([1, FARTHEST], [rect.x, rect.x + rect.width])
    plot.x0 = rect.x
    plot.x1 = rect.x + rect.width
    drawAxisY(ctx, { ...yAxis, x: rect.x, grid: rect })
    const series = FORMATS.map((format) => {
      const { x, low, high } = envelope(now.positions, now.formats[format].maxErrors)
      const own = format === numberFormat
      return {
        x,
        y: high,
        band: { low, high },
        colour: own ? theme.rope : theme.muted,
        dash: LOOK[format].dash,
        width: own ? 2.5 : 1.5,
      }
    })
    drawLines(ctx, { rect, xScale, yScale, series, theme })
    drawAxisX(ctx, {
      scale: xScale,
      theme,
      y: bottom,
      label,
      format: (value) => formatShort(t, value),
      rect: { x: 0, y: bottom, width, height: height - bottom },
    })
    drawCollisions(ctx, now, theme, rect, xScale)
    const x = xScale(farPosition)
    ctx.fillStyle = theme.ink
    ctx.fillRect(x - theme.lineWeight / 2, rect.y, theme.lineWeight, rect.height)
    // At the cursor its own number, which need not be one of the curve's.
    FORMATS.forEach((format, i) => {
      const error = now.here[format]
      if (!(error >= 0)) return
      const { colour } = series[i]
      drawMarker(ctx, LOOK[format].marker, x, yScale(error), { size: 9, colour, theme })
    })
  }

  /**
   * @param {import('../../charts/core/canvas.js').Ctx} ctx
   * @param {PrecisionModel} now
   * @param {import('../../charts/core/canvas.js').Theme} theme
   * @param {{ x: number, y: number, width: number, height: number }} rect
   * @param {import('../../charts/core/scale.js').LinearScale} xScale
   */
  function drawCollisions(ctx, now, theme, rect, xScale) {
    FORMATS.forEach((format) => {
      const { firstCollision } = now.formats[format]
      if (firstCollision === null || firstCollision > FARTHEST) return
      const own = format === now.state.numberFormat
      const x = xScale(firstCollision)
      ctx.save()
      ctx.globalAlpha *= own ? 1 : 0.45
      ctx.fillStyle = theme.failure
      ctx.fillRect(x - theme.lineWeight, rect.y, 2 * theme.lineWeight, rect.height)
      ctx.restore()
      if (!own) return
      const first = formatCount(firstCollision)
      const whole = t('precision.wall', { first })
      const px = setFont(ctx, theme, { weight: 600 })
      const text = ctx.measureText(whole).width + px < rect.x + rect.width ? whole : first
      const half = ctx.measureText(text).width / 2 + px / 2
      const middle = Math.max(half, Math.min(rect.x + rect.width - half, x))
      plateText(ctx, text, middle, rect.y - px, { theme, colour: theme.failure, weight: 600 })
    })
  }

  /**
   * @param {PointerEvent} _event
   * @param {{ x: number }} point
   * @param {boolean} dragging
   */
  function aim(_event, point, dragging) {
    if (!dragging) return
    const { rule } = FIELDS.farPosition
    const { min, max } = /** @type {import('../../state/fields.js').NumberRule} */ (rule)
    const place = logarithmic([1, FARTHEST], [plot.x0, plot.x1]).invert(point.x)
    // As the slider: three digits that count.
    const farPosition = Math.min(max, Math.max(min, Math.round(Number(place.toPrecision(3)))))
    host.accept(withPatch(host.state(), { farPosition }))
  }

  /** @param {PrecisionModel} now */
  function speak({ state, here, formats: answers, reported }) {
    const { farPosition, numberFormat, ropePairs } = state
    const position = formatCount(farPosition)
    const errors = FORMATS.map((format) => `${format} ${formatError(here[format])}`).join('; ')
    figure.say({
      name: t('precision.title'),
      note: t('precision.note', { pairs: ropePairs }),
      readout: t('precision.readout', {
        position,
        format: numberFormat,
        error: formatError(here[numberFormat]),
      }),
      summary: t('precision.summary', { position, errors, pairs: ropePairs }),
    })
    for (const { format, error, first, row } of cells) {
      const { firstCollision } = answers[format]
      row.classList.toggle('now', format === numberFormat)
      setText(error, formatError(here[format]))
      setText(
        first,
        firstCollision === null ? t('precision.formats.none') : formatCount(firstCollision),
      )
      first.classList.toggle('bad', firstCollision !== null && farPosition >= firstCollision)
    }
    setText(
      found,
      t('precision.reports.neox', {
        length: formatCount(REPORT.length),
        head: 2 * REPORT.ropePairs,
        error: formatNumber(reported),
      }),
    )
  }

  /** @type {Record<string, import('./index.js').Answer | undefined>} */
  const memory = {}
  return {
    memory,
    /** @param {State} next */
    sync(next) {
      chips.select(next.numberFormat)
      cursor.sync(next)
    },
    /** @param {State} _next @param {PrecisionModel} now */
    draw(_next, now) {
      model = now
      speak(now)
      figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      figure.invalidate()
    },
    destroy() {
      for (const answer of Object.values(memory)) answer?.controller.abort()
      figure.destroy()
      host.root.replaceChildren()
    },
  }
}
