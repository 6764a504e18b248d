// The length lab: loss and accuracy by step, a line a code.
import { axisXHeight, drawAxisX, drawAxisY, axisYWidth } from '../../charts/core/axis.js'
import { drawLines } from '../../charts/line.js'
import { linear } from '../../charts/core/scale.js'
import { formatNumber } from '../../text/text.js'
import { createFigure } from '../../kit/figure.js'
import { pathOf } from '../run/lines.js'
import { LOOK, codeName, percent, taskName } from '../words.js'
import { numberCell } from '../../kit/numbers.js'

/**
 * @typedef {import('../scene.js').LengthModel} LengthModel
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {'losses' | 'accuracies'} Kind
 */

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {Kind} kind
 */
export function createSteps(host, kind) {
  const { t } = host
  /** @type {LengthModel | undefined} */
  let model
  const figure = createFigure(host, {
    className: `card length-${kind}`,
    draw: (frame) => model && draw(frame, model),
    table: () => stepTable(model),
    matrix() {
      const paths = pathsOf(model)
      const longest = longestOf(paths)
      if (longest.length === 0) return undefined
      const data = longest.flatMap((step, i) => [step, ...paths.map(({ y }) => y[i] ?? NaN)])
      return { data, shape: [longest.length, paths.length + 1] }
    },
  })

  /** @param {LengthModel | undefined} now */
  function pathsOf(now) {
    const paths = (now?.lines ?? []).map((line) => ({ line, ...pathOf(line.entries, kind) }))
    return paths.filter(({ y }) => y.length > 0)
  }

  /** @param {Frame} frame @param {LengthModel} now */
  function draw({ ctx, width, height, theme }, now) {
    const paths = pathsOf(now)
    const label = t('training.axis.steps')
    const bottom = Math.max(9, height - axisXHeight(theme, { label }))
    const most =
      Math.max(...now.lines.map(({ entries }) => entries[0].steps), 0) || now.state.labSteps
    // Where nothing has come yet: the loss of a uniform answer.
    let top = paths.length > 0 ? 0.1 : Math.log(now.state.labVocabulary)
    if (kind === 'losses')
      for (const { y } of paths) for (const loss of y) top = Math.max(top, loss)
    const yScale = linear([0, kind === 'losses' ? top * 1.04 : 1], [bottom, 8])
    const format = (/** @type {number} */ value) => percent(t, value)
    const axis = {
      scale: yScale,
      theme,
      ...(kind === 'losses' ? {} : { format, ticks: [0, 0.5, 1] }),
    }
    const x = axisYWidth(ctx, axis)
    const rect = { x, y: 8, width: Math.max(1, width - x - 12), height: bottom - 8 }
    const xScale = linear([0, most], [rect.x, rect.x + rect.width])
    drawAxisY(ctx, { ...axis, x, grid: rect })
    const { mode } = now.state
    const ordered = [...paths].sort(
      (a, b) => Number(a.line.code === mode) - Number(b.line.code === mode),
    )
    drawLines(ctx, {
      rect,
      xScale,
      yScale,
      theme,
      zero: 0,
      series: ordered.map(({ line, x: at, y }) => ({
        x: at,
        y,
        colour: theme[line.code],
        ...LOOK[line.code],
        phase: now.lines.indexOf(line) / now.lines.length,
        hollow: !line.trained && line.final,
        width: line.code === mode ? 3 : 1.5,
      })),
    })
    drawAxisX(ctx, {
      scale: xScale,
      theme,
      y: bottom,
      label,
      line: true,
      rect: { x: 0, y: bottom, width, height: height - bottom },
    })
  }

  /** @param {LengthModel | undefined} now */
  function stepTable(now) {
    const paths = pathsOf(now)
    return {
      caption: t(`length.table.${kind}`),
      columns: [t('training.axis.steps'), ...paths.map(({ line }) => codeName(t, line.code))],
      rows: longestOf(paths).map((step, i) => [
        step,
        ...paths.map(({ y }) => (i < y.length ? numberCell(y[i], shown(y[i])) : '–')),
      ]),
    }
  }

  /** @param {number} value */
  const shown = (value) => (kind === 'losses' ? formatNumber(value) : percent(t, value))

  return {
    figure,
    /** @param {LengthModel} now */
    draw(now) {
      model = now
      const told = pathsOf(now).map(({ line, y }) => {
        return `${codeName(t, line.code)} ${shown(y[y.length - 1])}`
      })
      const task = taskName(t, now.task, now.drawn)
      figure.say({
        name: t(`length.${kind}`),
        summary:
          told.length > 0
            ? t(`length.summary.${kind}`, { task, told: told.join(', ') })
            : t('length.summary.none', { name: t(`length.${kind}`) }),
      })
      figure.invalidate()
    },
    invalidate: figure.invalidate,
    destroy: figure.destroy,
  }
}

/** @param {{ x: number[] }[]} paths @returns {number[]} the steps of the longest */
function longestOf(paths) {
  return paths.reduce(
    (/** @type {number[]} */ most, { x }) => (x.length > most.length ? x : most),
    [],
  )
}
