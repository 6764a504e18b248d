// What a field of the state accepts, as data.

/**
 * @typedef {{ type: 'integer' | 'number', min: number, max: number }} NumberRule
 * @typedef {{ type: 'choice', values: readonly string[] }} ChoiceRule
 * @typedef {{ type: 'subset', values: readonly string[] }} SubsetRule at least one of them, joined by
 *   dots in their own order
 * @typedef {{ type: 'text', maxLength: number, maxWords: number }} TextRule
 * @typedef {{ type: 'flag' }} FlagRule
 * @typedef {{ type: 'model', maxLength: number }} ModelRule the text of resolved.js, or nothing
 * @typedef {NumberRule | ChoiceRule | SubsetRule | TextRule | FlagRule | ModelRule} Rule
 */

/**
 * @typedef {object} Field
 * @property {string} key name in links
 * @property {string} [attribute] name on the element, where it has one
 * @property {Rule} rule what is accepted
 * @property {string | number | boolean} initial
 * @property {boolean} [logarithmic] whether a slider runs over powers of ten
 */

/**
 * Of fields their values.
 * @template F
 * @typedef {{ [K in keyof F]: F[K] extends { rule: NumberRule } ? number
 *   : F[K] extends { rule: FlagRule } ? boolean
 *   : F[K] extends { rule: { type: 'choice', values: readonly (infer T)[] } } ? T : string }} Values
 */

/** @param {number} min @param {number} max @returns {NumberRule} */
export const integer = (min, max) => ({ type: 'integer', min, max })
/** @param {number} min @param {number} max @returns {NumberRule} */
export const number = (min, max) => ({ type: 'number', min, max })
/** @template {string} T @param {T[]} values @returns {{ type: 'choice', values: readonly T[] }} */
export const choice = (...values) => ({ type: 'choice', values })
/** @type {FlagRule} */
export const flag = { type: 'flag' }
/** @param {readonly string[]} values @returns {SubsetRule} */
export const subset = (...values) => ({ type: 'subset', values })

/**
 * @param {string} text of a subset
 * @returns {string[]} its members
 */
export const membersOf = (text) => text.split('.')

/**
 * @param {SubsetRule} rule
 * @param {readonly string[]} members in any order
 * @returns {string} the text of the subset: each member once, in the order of the rule
 */
export const subsetText = ({ values }, members) =>
  values.filter((value) => members.includes(value)).join('.')

/**
 * @param {string} text
 * @param {SubsetRule} rule
 * @returns {boolean} whether it names members of the rule, each once
 */
export function fitsSubset(text, { values }) {
  const members = membersOf(text)
  return new Set(members).size === members.length && members.every((one) => values.includes(one))
}
