// Cost: both codes in numbers, and the published models.
import { FIELDS } from '../state/fields.js'
import { PRESETS } from '../state/presets.js'
import { withPatch } from '../state/state.js'
import { formatBytes, formatCount, formatPercent, formatShort } from './amounts.js'
import { MODELS, modelNamed, modelSize, sizeOf } from './cost_models.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').TextKey} TextKey
 */

/**
 * Both codes beside each other: parameters, bytes, share.
 * @param {import('../stage.js').SceneHost} host
 */
export function mountAmounts(host) {
  const { el, t, setText } = host
  /** @param {'sinusoidal' | 'learned'} code */
  const column = (code) => {
    const count = el('b', { class: 'count' })
    const noun = el('span', {})
    const bytes = el('span', {})
    const share = el('span', {})
    const element = el(
      'div',
      { class: `amount amount-${code} hue-${code}` },
      el('p', { class: 'who' }, el('i', { class: 'dot' }), t(`mode.${code}`)),
      el('p', {}, count, ' ', noun),
      el('p', { class: 'muted' }, bytes, ' ', t('cost.amounts.bytes')),
      el('p', { class: 'muted' }, share),
    )
    return { element, count, noun, bytes, share }
  }
  const learned = column('learned')
  const sinusoidal = column('sinusoidal')
  const { rule } = FIELDS.costBytes
  const bytes = host.radioGroup({
    label: t('field.costBytes'),
    className: 'chips',
    name: host.uniqueId('bytes'),
    values: rule.type === 'choice' ? rule.values : [],
    describe: (value) => t(/** @type {TextKey} */ (`cost.bytes.${value}`)),
    onChange: (costBytes) => host.accept(withPatch(host.state(), { costBytes })),
  })
  return {
    element: el(
      'section',
      { class: 'card amounts' },
      el('h2', {}, t('cost.amounts')),
      learned.element,
      sinusoidal.element,
      bytes.element,
      el('p', { class: 'muted' }, t('cost.amounts.note')),
    ),
    /** @param {State} state */
    sync(state) {
      const size = sizeOf(state)
      const none = { parameters: 0, bytes: 0, share: 0 }
      for (const [{ count, noun, bytes: stored, share }, found] of /** @type {const} */ ([
        [learned, size],
        [sinusoidal, none],
      ])) {
        setText(count, formatCount(found.parameters))
        setText(noun, t('cost.amounts.parameters', { n: found.parameters }))
        setText(stored, formatBytes(found.bytes))
        const model = formatShort(t, size.model)
        setText(share, t('cost.amounts.share', { percent: formatPercent(t, found.share), model }))
      }
      bytes.select(state.costBytes)
    },
  }
}

/**
 * Published models, each with its source; a press shows it.
 * @param {import('../stage.js').SceneHost} host
 */
export function mountModels(host) {
  const { el, t } = host
  const items = MODELS.map((name) => {
    const size = modelSize(name, '4')
    const button = el(
      'button',
      {
        type: 'button',
        class: 'model',
        'aria-pressed': 'false',
        'data-model': name,
        onclick: () => host.accept(withPatch(host.state(), PRESETS.cost[name])),
      },
      el('b', {}, t(/** @type {TextKey} */ (`preset.${name}`))),
      el('span', { class: 'percent' }, formatPercent(t, size.share)),
    )
    const line = t('cost.models.line', {
      rows: formatCount(size.rows),
      width: formatCount(size.width),
      count: formatCount(size.parameters),
      model: formatShort(t, size.model),
    })
    const element = el(
      'li',
      {},
      button,
      el('p', {}, line),
      el('p', { class: 'muted' }, t(/** @type {TextKey} */ (`cost.source.${name}`))),
    )
    return { name, button, element }
  })
  return {
    element: el(
      'section',
      { class: 'card models' },
      el('h2', {}, t('cost.models')),
      el('ul', {}, ...items.map(({ element }) => element)),
    ),
    /** @param {State} state */
    sync(state) {
      const now = modelNamed(state)
      for (const { name, button } of items) {
        button.setAttribute('aria-pressed', String(name === now))
      }
    },
  }
}
