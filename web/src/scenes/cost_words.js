// Cost: the tables of its numbers.
import { formatBytes, formatCount, formatPercent } from './amounts.js'
import { axisEnd, sizeOf } from './cost_models.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('./figure.js').NumberTable} NumberTable
 */

/**
 * @param {Translate} t
 * @param {State} state
 * @returns {NumberTable} parameters at doublings of T_max, and at the reader's own
 */
export function growthTable(t, state) {
  const lengths = [state.costRows]
  for (let rows = axisEnd(state.costRows); rows >= 1 && lengths.length < 10; rows /= 2) {
    if (!lengths.includes(rows)) lengths.push(rows)
  }
  lengths.sort((a, b) => a - b)
  return {
    caption: t('cost.table.growth', { width: formatCount(state.costWidth) }),
    columns: ['T_max', t('mode.learned'), t('cost.table.bytes'), t('mode.sinusoidal')],
    rows: lengths.map((costRows) => {
      const { parameters, bytes } = sizeOf({ ...state, costRows })
      return [
        { value: costRows, text: formatCount(costRows) },
        { value: parameters, text: formatCount(parameters) },
        { value: bytes, text: formatBytes(bytes) },
        0,
      ]
    }),
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @returns {NumberTable}
 */
export function shareTable(t, state) {
  const { parameters, model, share } = sizeOf(state)
  return {
    caption: t('cost.table.share'),
    columns: ['', t('cost.amounts.parameters')],
    rows: [
      [t('cost.table.share.table'), { value: parameters, text: formatCount(parameters) }],
      [t('cost.table.share.model'), { value: model, text: formatCount(model) }],
      [t('cost.table.share.share'), { value: share, text: formatPercent(t, share) }],
    ],
  }
}
