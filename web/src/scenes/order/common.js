// Word order: what its computing, its pictures and its words have in common.
import { formatNumber } from '../../text/text.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 */

/** `none` has no positions; `nope` has none either, but a causal mask. */
/** @typedef {'none' | State['mode']} WayName */

/**
 * The ways a sentence goes in: without positions, and with the code in focus. The two that are added
 * to the input stand together.
 * @param {State} state
 * @returns {WayName[]}
 */
export function waysOf({ mode }) {
  return mode === 'sinusoidal' || mode === 'learned'
    ? ['none', 'sinusoidal', 'learned']
    : ['none', mode]
}

/**
 * @param {State} state
 * @param {Translate} t
 * @returns {{ a: string, b: string }} what the reader wrote, else the example of the language
 */
export function sentencesOf(state, t) {
  return {
    a: state.sentenceA || t('order.exampleA'),
    b: state.sentenceB || t('order.exampleB'),
  }
}

/** Zero is written without places: it is exactly zero. */
export function showDifference(/** @type {number} */ value) {
  return value === 0 ? '0' : value < 5e-5 ? value.toExponential(1) : formatNumber(value)
}
