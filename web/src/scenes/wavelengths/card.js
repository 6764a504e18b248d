// Wavelengths: what the chosen scaling does and who uses it; and all of them at 2, 4 and 8 times.
import { ROPE_TYPES } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { formatPercent } from '../../kit/format.js'
import { TIMES } from './model.js'
import { typeName } from './words.js'

/**
 * @typedef {import('./model.js').WavelengthsModel} WavelengthsModel
 */

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountTypeCard(host) {
  const { el, t, setText } = host
  const name = el('h2', {}, typeName(t, host.state().ropeType))
  const does = el('p', {})
  const who = el('p', { class: 'muted' })
  const factor = el('b', { class: 'count' })
  return {
    element: el(
      'section',
      { class: 'card type' },
      name,
      does,
      who,
      el('p', { class: 'attention' }, t('wavelengths.attention'), ' ', factor),
      el('p', { class: 'muted' }, t('wavelengths.attention.what')),
    ),
    /** @param {WavelengthsModel} model */
    draw({ state: { ropeType }, types }) {
      setText(name, typeName(t, ropeType))
      setText(does, t(`wavelengths.does.${ropeType}`))
      setText(who, t(`wavelengths.who.${ropeType}`))
      setText(factor, formatNumber(types[ropeType].attentionFactor))
    },
  }
}

/**
 * How many pairs come to angles that training never showed, a row a scaling.
 * @param {import('../../kit/host.js').SceneHost} host
 */
export function mountFurtherCard(host) {
  const { el, t, setText } = host
  const buttons = TIMES.map((times) =>
    el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-times': times,
        'aria-label': t('wavelengths.further.go', { times }),
        onclick: () => host.accept(withPatch(host.state(), { reach: times })),
      },
      t('wavelengths.times', { times }),
    ),
  )
  const rows = ROPE_TYPES.map((type) => {
    const cells = TIMES.map(() => el('td', {}))
    const step = el('td', {})
    const row = el('tr', {}, el('th', { scope: 'row' }, typeName(t, type)), ...cells, step)
    return { type, row, cells, step }
  })
  const caption = el('caption', {})
  return {
    element: el(
      'section',
      { class: 'card further' },
      el('h2', {}, t('wavelengths.further')),
      el(
        'table',
        {},
        caption,
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            el('td', {}),
            ...buttons.map((button) => el('th', { scope: 'col' }, button)),
            el('th', { scope: 'col' }, t('wavelengths.further.step')),
          ),
        ),
        el('tbody', {}, ...rows.map(({ row }) => row)),
      ),
      el('p', { class: 'muted' }, t('wavelengths.further.note')),
    ),
    /** @param {WavelengthsModel} model */
    draw({ state, further }) {
      const { ropePairs, ropeFactor, ropeType, reach } = state
      setText(caption, t('wavelengths.further.caption', { pairs: ropePairs, factor: ropeFactor }))
      buttons.forEach((button, i) =>
        button.setAttribute('aria-pressed', String(TIMES[i] === reach)),
      )
      for (const { type, row, cells, step } of rows) {
        row.classList.toggle('now', type === ropeType)
        cells.forEach((cell, i) => {
          const { unseen } = further[type][i]
          setText(cell, String(unseen))
          cell.classList.toggle('bad', unseen > 0)
        })
        setText(step, formatPercent(t, further[type][TIMES.length - 1].kept[0]))
      }
    },
  }
}
