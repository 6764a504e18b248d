// Similarity: the two small tables beside the curves, which are read rather than looked at.
import { formatNumber } from '../../text/text.js'
import { shown } from './words.js'

/** @typedef {import('./index.js').SimilarityModel} SimilarityModel */
/** @typedef {import('../../text/text.js').TextKey} TextKey */

/** Below this two rows are told apart with difficulty. */
const CLOSE = 0.05

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {HTMLElement} above chips and fields over the table
 */
export function mountSameCard({ el, t, setText, uniqueId }, above) {
  const id = uniqueId('same')
  const name = el('p', { class: 'name', id })
  const heads = [el('th', { scope: 'col' }, '–'), el('th', { scope: 'col' }, '–')]
  const rows = /** @type {const} */ (['sinusoidal', 'learned']).map((code) => {
    const one = el('td')
    const sign = el('td', { class: 'sign' })
    const two = el('td')
    const dot = el('i', { class: 'dot' })
    const head = el('th', { scope: 'row', class: `hue-${code}` }, dot, ' ', t(`mode.${code}`))
    return { code, one, sign, two, element: el('tr', {}, head, one, sign, two) }
  })
  const table = el(
    'table',
    { class: 'pairs', 'aria-labelledby': id },
    el('thead', {}, el('tr', {}, el('td'), heads[0], el('td'), heads[1])),
    el('tbody', {}, ...rows.map(({ element }) => element)),
  )
  return {
    element: el('section', { class: 'card same', 'aria-labelledby': id }, name, above, table),
    /** @param {SimilarityModel} model */
    show(model) {
      const { position, position2, offset, measure } = model.state
      setText(name, t('similarity.same', { offset }))
      ;[position, position2].forEach((from, which) => {
        setText(heads[which], t('similarity.step', { from, to: from + offset }))
      })
      for (const { code, one, sign, two } of rows) {
        const [first, second] = model[code].pairs.map((pair) => shown(pair?.[measure]))
        setText(one, first)
        setText(two, second)
        const known = first !== '–' && second !== '–'
        setText(sign, known ? (first === second ? '=' : '≠') : '')
        for (const [cell, text] of /** @type {[HTMLElement, string][]} */ ([
          [one, first],
          [two, second],
        ])) {
          cell.classList.toggle('missing', text === '–')
        }
      }
    },
  }
}

/**
 * @param {import('../../kit/host.js').SceneHost} host
 */
export function mountSpreadCard({ el, t, setText, uniqueId }) {
  const id = uniqueId('spread')
  const name = el('p', { class: 'name', id })
  const codes = /** @type {const} */ (['sinusoidal', 'learned'])
  const lines = /** @type {const} */ (['distance', 'rows', 'minimum', 'maximum']).map((line) => {
    const cells = codes.map(() => el('td'))
    const head = el('th', { scope: 'row' }, t(`similarity.spread.${line}`))
    return { line, cells, element: el('tr', {}, head, ...cells) }
  })
  const table = el(
    'table',
    { 'aria-labelledby': id },
    el(
      'thead',
      {},
      el(
        'tr',
        {},
        el('td'),
        ...codes.map((code) =>
          el(
            'th',
            { scope: 'col', class: `hue-${code}` },
            el('i', { class: 'dot' }),
            ' ',
            t(`mode.${code}`),
          ),
        ),
      ),
    ),
    el('tbody', {}, ...lines.map(({ element }) => element)),
  )
  const bounded = el('p', { class: 'rest' }, t('similarity.bounded'))
  return {
    element: el('section', { class: 'card spread', 'aria-labelledby': id }, name, table, bounded),
    /** @param {SimilarityModel} model */
    show({ spread }) {
      const least = spread.sinusoidal.closest?.distance ?? Infinity
      /** @type {TextKey} */
      const key =
        least === 0
          ? 'similarity.spread.equal'
          : least < CLOSE
            ? 'similarity.spread.close'
            : 'similarity.spread'
      setText(name, t(key))
      for (const { line, cells } of lines) {
        codes.forEach((code, i) => {
          const { closest, minimum, maximum } = spread[code]
          const text = {
            distance: closest ? showDistance(closest.distance) : '–',
            rows: closest ? `${closest.first}, ${closest.second}` : '–',
            minimum: formatNumber(minimum),
            maximum: formatNumber(maximum),
          }
          setText(cells[i], text[line])
        })
      }
    },
  }
}

/**
 * Four places, or the two leading figures of a distance that would read as nothing.
 * @param {number} distance
 */
function showDistance(distance) {
  if (distance === 0 || distance >= 5e-4) return formatNumber(distance)
  return distance.toExponential(1).replace('-', '−')
}
