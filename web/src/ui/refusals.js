// What was wrong, in the reader's language: from the data of a refusal or of an engine error.

import { LANGUAGE_TAGS, translator } from '../text/text.js'
import { el } from './dom.js'

/** @typedef {import('../text/text.js').Translate} Translate */
/** @typedef {import('../text/text.js').TextKey} TextKey */

/**
 * @param {Translate} t
 * @param {import('../state/fields.js').Refusal} refused
 * @returns {string}
 */
export function refusalSentence(t, { name, value, rule }) {
  const label = t(/** @type {TextKey} */ (`field.${name}`))
  const shown = showValue(t, value)
  const kept = t('error.kept')
  /** @param {string} sentence */
  const withKept = (sentence) => sentence + (/[.]$/.test(sentence) ? ' ' : '') + kept
  switch (rule.type) {
    case 'integer':
    case 'number':
      return withKept(
        t(`error.${rule.type}`, { label, value: shown, min: rule.min, max: rule.max }),
      )
    case 'choice':
    case 'subset':
      return withKept(t('error.choice', { label, value: shown, values: rule.values.join(', ') }))
    case 'text':
      return withKept(
        t('error.text', { label, maxLength: rule.maxLength, maxWords: rule.maxWords }),
      )
    case 'model':
    case 'flag':
      return withKept(t(`error.${rule.type}`, { label, value: shown }))
  }
}

/**
 * @param {Translate} t
 * @param {unknown} value
 */
function showValue(t, value) {
  if (value === '' || value === null || value === undefined) return t('error.empty')
  const text = typeof value === 'string' ? value : String(value)
  return `“${text.length > 24 ? `${text.slice(0, 24)}…` : text}”`
}

/** Codes of the engine that have a sentence of their own. */
const WORDED = new Set([
  'out-of-memory',
  'no-webassembly',
  'wasm-blocked',
  'wasm-broken',
  'invalid-argument',
])

/** Failures after which nothing can be computed at all: the still picture stays. */
export const FATAL = new Set(['no-webassembly', 'wasm-blocked', 'wasm-broken'])

/**
 * @param {Translate} t
 * @param {{ code?: string, details?: Record<string, unknown> }} error
 * @returns {string}
 */
export function engineSentence(t, { code = 'internal', details = {} }) {
  if (code === 'invalid-argument') {
    return t('error.kernel', {
      name: String(details.name),
      value: String(details.value),
      expected: String(details.expected),
    })
  }
  return t(/** @type {TextKey} */ (`error.${WORDED.has(code) ? code : 'internal'}`))
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
