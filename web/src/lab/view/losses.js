// Loss and accuracy by step, a line a code.
import { drawLines } from '../../charts/line.js'
import { linearAxis, mark } from '../../kit/scene.js'
import { numberCell } from '../../kit/numbers.js'
import { formatNumber } from '../../text/text.js'
import { pathOf } from '../run/lines.js'
import { LOOK, codeName, percent, taskName } from '../words.js'

/** @param {'losses' | 'accuracies'} kind @returns {import('../scene.js').LabFigure} */
export function steps(kind) {
  const losses = kind === 'losses'
  const shown = (/** @type {any} */ t, /** @type {number} */ value) =>
    losses ? formatNumber(value) : percent(t, value)
  /** @param {import('../scene.js').LengthModel} model */
  const pathsOf = ({ lines }) =>
    lines.map((line) => ({ line, ...pathOf(line.entries, kind) })).filter(({ y }) => y.length > 0)
  /** The steps of the longest. @param {{ x: number[] }[]} paths */
  const longestOf = (paths) =>
    paths.reduce((most, { x }) => (x.length > most.length ? x : most), /** @type {number[]} */ ([]))
  return {
    className: `card length-${kind}`,
    x: ({ t, model: { lines, state } }) => {
      const most = Math.max(0, ...lines.map(({ entries }) => entries[0].steps))
      return linearAxis(0, most || state.labSteps, t('training.axis.steps'), { line: true })
    },
    y({ t, model }) {
      if (!losses) {
        const format = (/** @type {number} */ value) => percent(t, value)
        return linearAxis(0, 1, undefined, { format, ticks: [0, 0.5, 1] })
      }
      const all = pathsOf(model).flatMap(({ y }) => y)
      // Where nothing has come yet: the loss of a uniform answer.
      const least = all.length > 0 ? 0.1 : Math.log(model.state.labVocabulary)
      return linearAxis(0, 1.04 * all.reduce((most, loss) => Math.max(most, loss), least))
    },
    marks({ model, theme }) {
      const { lines, state } = model
      const front = (/** @type {{ line: { code: string } }} */ { line }) =>
        Number(line.code === state.mode)
      return [
        mark(drawLines, {
          zero: 0,
          series: pathsOf(model)
            .sort((a, b) => front(a) - front(b))
            .map(({ line, x, y }) => ({
              x,
              y,
              colour: theme[line.code],
              ...LOOK[line.code],
              phase: lines.indexOf(line) / lines.length,
              hollow: !line.trained && line.final,
              width: line.code === state.mode ? 3 : 1.5,
            })),
        }),
      ]
    },
    words({ t, model }) {
      const told = pathsOf(model).map(
        ({ line, y }) => `${codeName(t, line.code)} ${shown(t, y[y.length - 1])}`,
      )
      const task = taskName(t, model.task, model.drawn)
      const name = t(`length.${kind}`)
      return {
        summary:
          told.length > 0
            ? t(`length.summary.${kind}`, { task, told: told.join(', ') })
            : t('length.summary.none', { name }),
      }
    },
    table({ t, model }) {
      const paths = pathsOf(model)
      return {
        caption: t(`length.table.${kind}`),
        columns: [t('training.axis.steps'), ...paths.map(({ line }) => codeName(t, line.code))],
        rows: longestOf(paths).map((step, i) => [
          step,
          ...paths.map(({ y }) => (i < y.length ? numberCell(y[i], shown(t, y[i])) : '–')),
        ]),
      }
    },
    matrix({ model }) {
      const paths = pathsOf(model)
      const longest = longestOf(paths)
      if (longest.length === 0) return undefined
      const data = longest.flatMap((step, i) => [step, ...paths.map(({ y }) => y[i] ?? NaN)])
      return { data, shape: [longest.length, paths.length + 1] }
    },
  }
}
