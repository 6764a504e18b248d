// Past T_max: both codes under each other, one cursor. What is computed and what is said.
import { mountBeyond } from './view.js'
import { inputMode } from '../../state/state.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../kit/codes.js').Matrix} Matrix
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 */

/**
 * What a lookup in the learned table gave.
 * @typedef {object} Lookup
 * @property {number} position
 * @property {string} behaviour
 * @property {Float64Array | undefined} row undefined where nothing came back
 * @property {boolean} past whether the position is past the table
 * @property {boolean} wrong whether this is not the row that training wrote for this position
 * @property {number | undefined} source the seat whose row came back instead
 * @property {{ position: number, tMax: number } | undefined} error as the kernel reported it
 * @property {boolean} dead whether the process of the device is gone
 */

/**
 * What the reader has done that is not part of the state.
 * @typedef {object} Memory
 * @property {number | undefined} [deadSince] where the device asserted, until the restart
 */

/**
 * @typedef {object} BeyondModel
 * @property {'beyond'} scene
 * @property {State} state what was computed
 * @property {Matrix} sinusoidal
 * @property {import('../../kit/codes.js').Learned} learned
 * @property {Lookup} lookup
 */

/** What a position past the table gives, for the behaviours that the kernel knows. */
const KERNEL_BEHAVIOUR = new Set(['clamp', 'nan', 'zeros', 'wrap'])

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {Memory} [memory]
 * @returns {Promise<BeyondModel>}
 */
async function compute(codes, state, { deadSince } = {}) {
  const [sinusoidal, learned] = await Promise.all([codes.sinusoidal(state), codes.learned(state)])
  const lookup = await lookUp(codes, state, learned, deadSince)
  return { scene: 'beyond', state, sinusoidal, learned, lookup }
}

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {import('../../kit/codes.js').Learned} learned
 * @param {number | undefined} deadSince
 * @returns {Promise<Lookup>}
 */
async function lookUp(codes, state, learned, deadSince) {
  const { position, behaviour, tMax } = state
  const past = position >= learned.rows
  const found = { position, behaviour, past, dead: false, source: undefined, error: undefined }
  if (behaviour === 'assert' && deadSince !== undefined) {
    return { ...found, dead: true, wrong: true, row: undefined }
  }
  if (past && behaviour === 'untrained') {
    const row = await codes.untrainedRow(learned, position, state.length)
    return { ...found, wrong: true, row }
  }
  const asked = KERNEL_BEHAVIOUR.has(behaviour) ? behaviour : 'raise'
  try {
    const row = await learned.table.lookup(position, { behaviour: asked })
    const source = past ? sourceOf(behaviour, position, learned.rows) : undefined
    return { ...found, row, source, wrong: position >= tMax }
  } catch (error) {
    const { code, details } = /** @type {{ code?: string, details?: any }} */ (error)
    if (code !== 'position-out-of-range') throw error
    return { ...found, wrong: true, row: undefined, error: details }
  }
}

/**
 * @param {string} behaviour
 * @param {number} position
 * @param {number} rows
 * @returns {number | undefined} the seat whose row the lookup silently returns
 */
function sourceOf(behaviour, position, rows) {
  if (behaviour === 'clamp') return rows - 1
  if (behaviour === 'wrap') return position % rows
  return undefined
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} state
 * @param {BeyondModel} model
 * @param {Memory} [memory]
 * @returns {{ lead: string, body: string, failing: boolean } | undefined} undefined while the kernel
 *   has not yet answered for this state: the sentence before stays
 */
function say(t, state, { lookup, state: computed }, { deadSince } = {}) {
  const { position, tMax, grown } = state
  const mode = inputMode(state)
  if (lookup.position !== position || lookup.behaviour !== state.behaviour) return undefined
  if (computed.tMax !== tMax || computed.grown !== grown) return undefined
  const lead = t('beyond.say.lead', { position })
  const last = tMax + grown - 1
  /** @param {TextKey} key @param {Record<string, string | number>} [values] */
  const told = (key, values) => t(key, { position, last, rows: tMax + grown, ...values })
  if (lookup.dead) {
    const at = deadSince ?? position
    const key = lookup.past ? 'beyond.say.assert' : 'beyond.say.dead'
    return { lead, body: told(key, { at }), failing: true }
  }
  if (!lookup.past && position >= tMax) {
    return { lead, body: told('beyond.say.grown'), failing: true }
  }
  if (!lookup.past) {
    return { lead, body: told(`beyond.say.inside.${mode}`, { last }), failing: false }
  }
  if (mode === 'sinusoidal' && state.behaviour === 'raise') {
    return { lead, body: told('beyond.say.raise.sinusoidal'), failing: false }
  }
  const key = `beyond.say.${state.behaviour}`
  return { lead, body: told(key, { source: lookup.source ?? '' }), failing: true }
}

export const beyond = Object.freeze({
  id: 'beyond',
  /** Fields under the figure; the cursor has its own place in the figure. */
  fields: ['tMax', 'grown', 'length', 'dModel', 'dimension', 'steps', 'rate', 'base', 'seed'],
  compute,
  say,
  mount: mountBeyond,
})
