// Wavelengths: the bands of a scaling, the numbers as a table, and what is written beside the picture.
import { formatNumber } from '../../text/text.js'
import { formatCount } from '../../kit/format.js'
import { numberCell } from '../../kit/numbers.js'

/**
 * @typedef {import('./model.js').WavelengthsModel} WavelengthsModel
 * @typedef {import('../../text/text.js').Translate} Translate
 */

/** Short enough to be read at a glance, in both languages. @param {number} positions */
export const formatPositions = (positions) =>
  formatCount(Number(positions.toPrecision(positions >= 1e4 ? 4 : 3)))

/** @param {Translate} t @param {string} type */
export const typeName = (t, type) => t(`ropeType.${type}`)

/**
 * The bands of YaRN and of llama3: pairs that stay, pairs that are stretched in full, the ramp between.
 * @param {Translate} t
 * @param {WavelengthsModel} model
 * @returns {import('../../charts/pairs.js').PairBand[]}
 */
export function bandsOf(t, { state: { ropeType, ropeFactor }, types }) {
  if (!['yarn', 'llama3'].includes(ropeType) || ropeFactor === 1) return []
  const { kept } = types[ropeType]
  const stays = kept.findIndex((ratio) => ratio < 1 - 1e-9)
  const full = kept.findIndex((ratio) => Math.abs(ratio * ropeFactor - 1) < 1e-9)
  const ramp = stays < 0 ? kept.length : stays
  const stretched = full < 0 ? kept.length : full
  return [
    { from: 0, to: ramp - 1, label: t('wavelengths.band.stays'), alpha: 0 },
    { from: ramp, to: stretched - 1, label: t('wavelengths.band.ramp'), alpha: 0.2 },
    {
      from: stretched,
      to: kept.length - 1,
      label: t('wavelengths.band.stretched', { factor: ropeFactor }),
      alpha: 0.09,
    },
  ].filter(({ from, to }) => to >= from)
}

/**
 * @param {Translate} t
 * @param {WavelengthsModel} model
 * @returns {import('../../kit/figure.js').NumberTable}
 */
export function pairsTable(t, { state, types }) {
  const { unseenFrom, turns, plainWavelengths, wavelengths } = types[state.ropeType]
  return {
    caption: t('wavelengths.table', { name: typeName(t, state.ropeType) }),
    columns: [
      t('wavelengths.pair'),
      t('wavelengths.column.trained'),
      t('wavelengths.column.turns'),
      t('wavelengths.column.now'),
      t('wavelengths.column.unseen'),
    ],
    rows: Array.from(plainWavelengths, (wavelength, pair) => {
      const from = unseenFrom[pair]
      return [
        pair,
        numberCell(wavelength, formatPositions(wavelength)),
        numberCell(turns[pair], formatNumber(turns[pair], 2)),
        numberCell(wavelengths[pair], formatPositions(wavelengths[pair])),
        Number.isFinite(from) ? numberCell(from, formatCount(from)) : '–',
      ]
    }),
  }
}

/**
 * @param {WavelengthsModel} model
 * @returns {import('../../kit/save_menu.js').NumberMatrix} wavelengths in training and now, a row a pair
 */
export function pairsMatrix({ state, types }) {
  const { plainWavelengths, wavelengths } = types[state.ropeType]
  const data = new Float64Array(2 * wavelengths.length)
  plainWavelengths.forEach((value, pair) => data.set([value, wavelengths[pair]], 2 * pair))
  return { data, shape: [wavelengths.length, 2] }
}

/**
 * @param {Translate} t
 * @param {WavelengthsModel} model
 * @returns {import('../../kit/figure.js').FigureWords}
 */
export function pairsWords(t, { state, types, length }) {
  const { ropeType, ropePair, ropePairs, trainedLength } = state
  const { wavelengths: now, plainWavelengths, turns, turned, unseen, unseenFrom } = types[ropeType]
  const values = {
    pair: ropePair,
    pairs: ropePairs,
    turn: formatPositions(plainWavelengths[ropePair]),
    now: formatPositions(now[ropePair]),
    turns: formatNumber(turns[ropePair], 2),
    name: typeName(t, ropeType),
    turned,
    trained: formatCount(trainedLength),
    length: formatCount(length),
    fast: formatPositions(now[0]),
    slow: formatPositions(now[ropePairs - 1]),
    unseen,
    from: formatCount(unseenFrom[ropePair]),
  }
  const moved = values.now !== values.turn
  const read = t(moved ? 'wavelengths.readout.moved' : 'wavelengths.readout', values)
  const past = Number.isFinite(unseenFrom[ropePair])
  return {
    name: t('wavelengths.title'),
    note: t('wavelengths.note'),
    readout: past ? `${read} ${t('wavelengths.readout.unseen', values)}` : read,
    summary: t('wavelengths.summary', values),
  }
}
