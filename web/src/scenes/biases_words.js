// Biases: the tables of its numbers.
import { formatNumber } from '../text/text.js'
import { PANELS, TRAINED, offsetsOf, percent, slopeText } from './biases_common.js'
import { largestAbsolute, numberCell } from './numbers.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('./biases.js').BiasesModel} BiasesModel
 */

/**
 * What the colours of a square mean.
 * @param {import('./biases.js').Attended} now
 * @param {string} mode
 * @param {typeof PANELS[number]} name
 */
export function rangeOf(now, mode, name) {
  // What lies beyond these has the colours of the ends.
  if (name === 'scores') return { limit: 3, ends: '≤ −3 … ≥ 3' }
  if (name !== 'bias') return { limit: 0.25, ends: '0 … ≥ 0.25' }
  const limit =
    largestAbsolute(Array.from(now.bias, (value) => (value > -Infinity ? value : 0))) || 1
  const end = formatNumber(limit, limit > 8 ? 0 : 2)
  return { limit, ends: `−${end} … ${mode === 't5' ? end : 0}` }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {BiasesModel | undefined} model
 * @returns {import('./figure.js').NumberTable}
 */
export function rowTable(t, state, model) {
  const query = state.biasQuery
  const { now } = model ?? {}
  const n = now?.length ?? 0
  return {
    caption: t('biases.table.row', { query }),
    columns: [t('biases.axis.key'), ...PANELS.map((name) => t(`biases.panel.${name}`))],
    rows: Array.from({ length: state.sided === 'causal' ? query + 1 : n }, (_, key) => [
      key,
      ...PANELS.map((name) => numberCell(now?.[name][query * n + key])),
    ]),
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {BiasesModel | undefined} model
 * @returns {import('./figure.js').NumberTable}
 */
export function biasTable(t, state, model) {
  const { from, to } = offsetsOf(state)
  const t5 = state.mode === 't5'
  const { lines: heads = [], buckets: found = [], slopes = [] } = model ?? {}
  return {
    caption: t(t5 ? 'biases.buckets' : 'biases.slopes'),
    columns: [
      t('biases.axis.offset'),
      ...(t5 ? [t('biases.bucket')] : Array.from(slopes, (slope) => slopeText(slope))),
    ],
    rows: Array.from({ length: to - from + 1 }, (_, i) => [
      from + i,
      ...(t5 ? [found[i]] : heads.map((line) => numberCell(line[i]))),
    ]),
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {BiasesModel | undefined} model
 * @returns {import('./figure.js').NumberTable}
 */
export function thinTable(t, state, model) {
  return {
    caption: t('biases.thin.caption', { near: TRAINED }),
    columns: [t('field.biasLength'), t('biases.without'), t('biases.with')],
    rows: (model?.lengths ?? []).map(({ length: n, near }) => [
      n,
      ...near.map((share) => numberCell(share, percent(share))),
    ]),
  }
}
