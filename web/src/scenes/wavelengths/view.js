// Wavelengths: the picture of the pairs, the choice of a scaling, the controls under it.
import { invalidateTheme } from '../../charts/core/canvas.js'
import { drawLegend } from '../../charts/line.js'
import { drawPairs } from '../../charts/pairs.js'
import { ROPE_TYPES } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'
import { formatCount, formatShort } from '../../kit/format.js'
import { createFigure } from '../../kit/figure.js'
import { mountFurtherCard, mountTypeCard } from './card.js'
import { bandsOf, pairsMatrix, pairsTable, pairsWords, typeName } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./model.js').WavelengthsModel} WavelengthsModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../../charts/core/canvas.js').Theme} Theme
 */

/**
 * Scalings are one code, so they share its hue; drawn together, they differ by tone and dash.
 * @type {Record<string, { dash: import('../../charts/core/markers.js').Dash,
 *   tone: 'rope' | 'ink' | 'muted' }>}
 */
const LOOK = {
  default: { dash: 'dotted', tone: 'ink' },
  linear: { dash: 'dashed', tone: 'ink' },
  ntk: { dash: 'solid', tone: 'ink' },
  dynamic: { dash: 'solid', tone: 'muted' },
  yarn: { dash: 'solid', tone: 'rope' },
  longrope: { dash: 'dotted', tone: 'rope' },
  llama3: { dash: 'dashed', tone: 'rope' },
}

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountWavelengths(host) {
  const { el, t } = host
  /** @type {WavelengthsModel | undefined} */
  let model
  /** @type {import('../../charts/pairs.js').PairsPlot | undefined} */
  let plot
  const figure = createFigure(host, {
    className: 'pairs',
    hue: 'hue-rope',
    draw,
    onPointer: aim,
    table: () =>
      model ? pairsTable(t, model) : { caption: t('stage.loading'), columns: [], rows: [] },
    matrix: () => model && pairsMatrix(model),
  })
  const types = host.radioGroup({
    label: t('field.ropeType'),
    className: 'chips',
    name: host.uniqueId('type'),
    values: ROPE_TYPES,
    describe: (value) => typeName(t, value),
    onChange: (ropeType) => host.accept(withPatch(host.state(), { ropeType })),
  })
  const controls = [
    host.numberControl('ropeFactor'),
    host.numberControl('reach'),
    host.numberControl('ropePair'),
    host.flagControl('ropeAll'),
  ]
  const typeCard = mountTypeCard(host)
  const further = mountFurtherCard(host)
  host.root.append(
    el(
      'div',
      { class: 'main' },
      types.element,
      figure.element,
      host.sentence,
      el('div', { class: 'under' }, ...controls.map(({ element }) => element)),
    ),
    el('div', { class: 'side' }, typeCard.element, further.element),
  )

  /** @param {WavelengthsModel} now */
  function curvesOf(now) {
    const { ropeAll, ropeType } = now.state
    const others = ROPE_TYPES.filter((type) => type !== ropeType)
    return ropeAll ? others : others.filter((type) => type === 'default')
  }

  /** @param {Frame} frame */
  function draw({ ctx, width, height, theme }) {
    if (!model) return
    const { state, length } = model
    const now = model.types[state.ropeType]
    const names = curvesOf(model)
    const curves = names.map((type) => ({
      wavelengths: /** @type {WavelengthsModel} */ (model).types[type].wavelengths,
      colour: theme[LOOK[type].tone],
      dash: LOOK[type].dash,
      label: typeName(t, type),
    }))
    const legend =
      curves.length > 0
        ? drawLegend(ctx, { x: 4, y: 0, width: width - 8, theme, items: curves })
        : 0
    ctx.translate(0, legend)
    const found = drawPairs(ctx, {
      width,
      height: height - legend,
      theme,
      colour: theme.rope,
      data: {
        wavelengths: now.wavelengths,
        turns: now.turns,
        unseenFrom: now.unseenFrom,
        trained: state.trainedLength,
        reach: length,
        bands: bandsOf(t, model),
        curves,
        cursor: state.ropePair,
      },
      labels: {
        position: t('wavelengths.axis'),
        pair: t('wavelengths.pair'),
        trained: t('wavelengths.wall', { length: formatCount(state.trainedLength) }),
        reach: t('wavelengths.reach', { length: formatCount(length) }),
        format: (value) => formatShort(t, value),
      },
    })
    plot = { ...found, pairAt: (y) => found.pairAt(y - legend) }
  }

  /**
   * Drag over the rows to choose a pair.
   * @param {PointerEvent} _event
   * @param {{ y: number }} point
   * @param {boolean} dragging
   */
  function aim(_event, point, dragging) {
    if (!dragging || !plot) return
    host.accept(withPatch(host.state(), { ropePair: plot.pairAt(point.y) }))
  }

  return {
    /** @type {import('../../kit/memo.js').Memory} */
    memory: {},
    /** @param {State} next */
    sync(next) {
      types.select(next.ropeType)
      for (const control of controls) control.sync(next)
    },
    /** @param {State} _next @param {WavelengthsModel} found */
    draw(_next, found) {
      model = found
      figure.say(pairsWords(t, model))
      typeCard.draw(model)
      further.draw(model)
      figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      figure.invalidate()
    },
    destroy() {
      figure.destroy()
      host.root.replaceChildren()
    },
  }
}
