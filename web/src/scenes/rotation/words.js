// Rotation: the tables of its numbers.
import { numberCell } from '../../kit/numbers.js'
import { namesOf, pairsOf, show, signed, speedOf } from './common.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('./index.js').RotationModel} RotationModel
 */

/**
 * @param {Translate} t
 * @param {State} state
 * @param {RotationModel | undefined} model
 * @returns {import('../../kit/figure.js').NumberTable}
 */
export function planesTable(t, state, model) {
  const rows = (model?.pairs ?? []).map((pair, j) => {
    const { shown, frequencies } = /** @type {RotationModel} */ (model)
    const cells = [shown.q[pair[0]], shown.q[pair[1]], shown.k[pair[0]], shown.k[pair[1]]]
    return [
      pair.join(', '),
      numberCell(frequencies[j], speedOf(frequencies[j])),
      ...[...cells, shown.parts[j]].map((value) => numberCell(value, show(value))),
    ]
  })
  const [a, b] = namesOf(state)
  return {
    caption: t('rotation.table', { m: state.position, n: state.position2 }),
    columns: [t('rotation.column.pair'), t('rotation.column.speed')].concat(
      [`${a}₀`, `${a}₁`, `${b}₀`, `${b}₁`],
      t('rotation.column.part'),
    ),
    rows,
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @returns {import('../../kit/figure.js').NumberTable}
 */
export function orderTable(t, state) {
  const count = state.pairs
  const [one, other] = ['interleaved', 'half-split'].map((name) => pairsOf(count, name))
  return {
    caption: t('rotation.order'),
    columns: [
      t('rotation.column.pair'),
      t('rotation.layout.interleaved'),
      t('rotation.layout.half-split'),
    ],
    rows: one.map((pair, j) => [j, pair.join(', '), other[j].join(', ')]),
  }
}

/**
 * @param {Translate} t
 * @param {State} state
 * @param {RotationModel | undefined} model
 * @returns {import('../../kit/figure.js').NumberTable}
 */
export function blockTable(t, state, model) {
  const { data, shape } = model?.rotation ?? { data: new Float64Array(), shape: [0, 0] }
  return {
    caption: t('rotation.block', { offset: signed(state.position2 - state.position) }),
    columns: [t('beyond.axis.dimension'), ...Array.from({ length: shape[1] }, (_, i) => String(i))],
    rows: Array.from({ length: shape[0] }, (_, row) => [
      row,
      ...Array.from(data.subarray(row * shape[1], (row + 1) * shape[1]), (value) =>
        numberCell(value),
      ),
    ]),
  }
}
