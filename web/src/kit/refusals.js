// What was wrong, in the reader's language: from the data of a refusal or of an engine error.

import { LANGUAGE_TAGS, formatBound, translator } from '../text/text.js'
import { el } from './dom.js'

/** @import { Translate } from '../text/text.js' */
/** @typedef {import('../engine/types.js').Rule | import('../state/rules.js').Rule} Rule */

/**
 * @param {Translate} t
 * @param {string} name of a field of the state, or an argument of the engine
 * @returns {string} what its control is called; where there is none, the name as it is written
 */
export function labelOf(t, name) {
  const key = `field.${name === 'learningRate' ? 'rate' : name}`
  const label = t(key)
  return label === key ? name : label
}

/**
 * What was due. Every kind of rule that the kernel, the engine or a field can have is worded here.
 * @param {Translate} t
 * @param {Rule} rule
 * @param {(name: string) => string} [label] of another argument
 * @returns {string}
 */
export function ruleWords(t, rule, label = (name) => labelOf(t, name)) {
  const listed = (/** @type {readonly unknown[]} */ all) => all.join(t('length.say.comma'))
  const names = (/** @type {readonly string[]} */ given) => listed(given.map(label))
  switch (rule.type) {
    case 'integer':
    case 'number': {
      const given = /** @type {{ or?: string[], for?: string[] }} */ (rule)
      let words = numeralWords(t, rule)
      if (given.for) words = t('rule.for', { rule: words, names: names(given.for) })
      return given.or ? t('rule.or', { rule: words, names: names(given.or) }) : words
    }
    case 'array': {
      const { items = { type: 'number' }, minLength = 0, maxLength } = rule
      const each = ruleWords(t, items, label)
      // It is an entry that was wrong.
      if (minLength === 0 && maxLength === undefined) return each
      const least = formatBound(minLength)
      const most = maxLength === undefined ? '' : formatBound(maxLength)
      const count = !most ? `≥ ${least}` : least === most ? most : `${least}–${most}`
      return t('rule.array', { count, rule: each })
    }
    case 'choice':
    case 'subset':
      if (rule.values.length === 0) return t('rule.known')
      if (rule.values.length === 1) return String(rule.values[0])
      return t('rule.choice', { values: listed(rule.values) })
    case 'absent':
      return t('rule.absent', { values: listed(rule.values) })
    case 'only':
      return t('rule.only', { name: label(rule.with), rule: ruleWords(t, rule.rule, label) })
    case 'memory':
      if (rule.max === undefined) return t('rule.memory.smaller')
      return t('rule.memory', { max: formatBound(rule.max) })
    case 'rate':
      return t('rule.rate', { max: formatBound(rule.max) })
    case 'share':
      return t('rule.share', { of: formatBound(rule.of) })
    case 'matrix':
      return t('rule.matrix', { max: formatBound(rule.maxLength) })
    case 'text':
      return t('rule.text', { words: rule.maxWords, characters: rule.maxLength })
    case 'flag':
    case 'model':
    case 'snapshot':
      return t(`rule.${rule.type}`)
    default:
      return t('rule.type', { type: TYPES[rule.type] })
  }
}

/** As JavaScript calls them. */
const TYPES = {
  boolean: 'boolean',
  string: 'string',
  object: 'object',
  readable: 'object',
  function: 'function',
  signal: 'AbortSignal',
  bytes: 'Uint8Array',
}

/**
 * @param {Translate} t
 * @param {Rule} rule of a number
 */
function numeralWords(t, rule) {
  const { type, multipleOf, divides, min, max, above } = /** @type {any} */ (rule)
  if (divides !== undefined) return t('rule.divides', { divides: formatBound(divides) })
  const [low, high] = [above ?? min, max].map((end) => (end === undefined ? '' : formatBound(end)))
  const from = above === undefined ? 'from' : 'above'
  const ends = [low && from, high && 'to'].filter(Boolean).join('.')
  const range = ends && t(`rule.${ends}`, { low, high })
  const kind = type === 'integer' ? 'rule.integer' : 'rule.number'
  return t(multipleOf ? 'rule.even' : kind, { range })
}

/**
 * @param {Translate} t
 * @param {{ name?: unknown, value?: unknown, rule?: Rule }} refused details of an error; one that was
 *   saved by an earlier release has no rule
 * @param {(name: string) => string} [label] of an argument
 */
export function refusalText(t, { name, value, rule }, label = (one) => labelOf(t, one)) {
  const said = { label: label(String(name)), value: showValue(t, value) }
  return rule
    ? t('error.refused', { ...said, rule: ruleWords(t, rule, label) })
    : t('error.taken', said)
}

/** @param {Translate} t @param {{ name?: unknown, value?: unknown, rule?: Rule }} refused */
export function refusalSentence(t, refused) {
  const sentence = refusalText(t, refused)
  return sentence + (/[.]$/.test(sentence) ? ' ' : '') + t('error.kept')
}

/**
 * As it is told to whoever listens to the element.
 * @param {Translate} t
 * @param {import('../state/fields.js').Refusal} refused
 */
export const refusalError = (t, refused) => ({
  code: 'invalid-argument',
  message: refusalSentence(t, refused),
  details: { ...refused, expected: ruleWords(t, refused.rule) },
})

/** @param {Translate} t @param {unknown} value */
function showValue(t, value) {
  if (value === '' || value === null || value === undefined) return t('error.empty')
  const text = typeof value === 'string' ? value : String(value)
  return `“${text.length > 24 ? `${text.slice(0, 24)}…` : text}”`
}

/** Codes of the engine that have a sentence of their own. */
const WORDED = new Set(['out-of-memory', 'no-webassembly', 'wasm-blocked', 'wasm-broken'])

/** Failures after which nothing can be computed at all: the still picture stays. */
export const FATAL = new Set(['no-webassembly', 'wasm-blocked', 'wasm-broken'])

/** @param {Translate} t @param {{ code?: string, details?: any }} error */
export function engineSentence(t, { code = 'internal', details }) {
  if (code === 'invalid-argument') return refusalSentence(t, details)
  return t(`error.${WORDED.has(code) ? code : 'internal'}`)
}

/**
 * What ends everything is said in both languages: nothing on the page can switch them any more.
 * @param {{ code?: string, details?: any }} error
 * @returns {HTMLElement[]} a paragraph a language
 */
export function bilingual(error) {
  return /** @type {const} */ (['zh', 'en']).map((language) =>
    el('p', { lang: LANGUAGE_TAGS[language] }, engineSentence(translator(language), error)),
  )
}
