// Cost: how many parameters and bytes each code takes. What is computed and what is said.
import { formatBytes, formatCount, formatPercent, formatShort } from './amounts.js'
import { modelNamed, modelSize, sizeOf } from './cost_models.js'
import { mountCost } from './cost_view.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('../text/text.js').TextKey} TextKey
 */

/**
 * @typedef {object} CostModel
 * @property {'cost'} scene
 * @property {State} state
 * @property {import('./cost_models.js').Size} size
 */

/**
 * @param {unknown} _codes
 * @param {State} state
 * @returns {Promise<CostModel>}
 */
async function compute(_codes, state) {
  return { scene: 'cost', state, size: sizeOf(state) }
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} state
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, state) {
  const size = sizeOf(state)
  const base = modelSize('bert', state.costBytes)
  const name = modelNamed(state)
  const values = {
    rows: formatCount(size.rows),
    width: formatCount(size.width),
    count: formatCount(size.parameters),
    bytes: formatBytes(size.bytes),
    percent: formatPercent(t, size.share),
    model: formatShort(t, size.model),
    name: name ? t(`preset.${name}`) : '',
    times: formatCount(size.rows / base.rows),
  }
  return {
    lead: t(/** @type {TextKey} */ (`cost.say.lead.${state.mode}`), values),
    body: t(situation(state.mode, size, base.rows, name), values),
    failing: false,
  }
}

/**
 * @param {State['mode']} mode
 * @param {import('./cost_models.js').Size} size
 * @param {number} baseRows
 * @param {string | undefined} name
 * @returns {TextKey}
 */
function situation(mode, { rows, share }, baseRows, name) {
  if (mode === 'sinusoidal') return 'cost.say.sinusoidal'
  if (share > 1) return 'cost.say.over'
  if (name) return 'cost.say.named'
  return rows > baseRows && rows % baseRows === 0 ? 'cost.say.times' : 'cost.say.share'
}

export const cost = Object.freeze({
  id: 'cost',
  fields: ['costRows', 'costWidth', 'costModel'],
  compute,
  say,
  mount: mountCost,
})
