// Compare: the family in one table. Facts with their sources; what is behaviour leads to its figure.
import { mountCompare } from './view.js'

/** @typedef {import('../../state/state.js').State} State */

/**
 * @param {unknown} _codes
 * @param {State} state
 */
async function compute(_codes, state) {
  return { scene: 'compare', state }
}

/**
 * @param {import('../../text/text.js').Translate} t
 * @param {State} state
 */
function say(t, { mode }) {
  return { lead: t(`mode.${mode}`), body: t(`compare.say.${mode}`), failing: false }
}

export const compare = Object.freeze({
  id: 'compare',
  fields: [],
  compute,
  say,
  mount: mountCompare,
})
