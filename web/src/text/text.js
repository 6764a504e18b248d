// Every word a person reads, in both languages, looked up by key.
import TEXTS from 'posenc-words'

/** @typedef {string} TextKey of a file in web/text */
/** @typedef {'en' | 'zh'} Language */
/** @typedef {Record<string, string | number>} Parameters */
/** @typedef {(key: TextKey, parameters?: Parameters) => string} Translate */

/** @type {Readonly<Record<Language, string>>} BCP 47 */
export const LANGUAGE_TAGS = Object.freeze({ en: 'en', zh: 'zh-CN' })

/** Chinese characters and marks: between two of them a value has no room, which NUL marks. */
const WIDE = '[\u2018-\u201d\u3000-\u9fff\uff00-\uffef]'
const ROOM = new RegExp(`(${WIDE})(?:\0 \0?| \0)(?=${WIDE})|\0`, 'g')

/**
 * `{steps}` is the value of `steps`; `{steps step}` counts: "1 step", "500 steps"; `{n:is|are}` is what
 * goes with the count `n`, `dim{n:s}` what is added to all but one.
 * @param {Language} language
 * @returns {Translate} a missing key shows itself instead of an empty place
 */
export function translator(language) {
  const texts = TEXTS[language]
  const rules = new Intl.PluralRules(LANGUAGE_TAGS[language])
  const room = language === 'zh' ? '\0' : ''
  return (key, parameters = {}) =>
    (texts[key] ?? key)
      .replace(
        /\{(\w+)(?: ([^}]+)|:(?:([^|}]*)\|)?([^}]*))?\}/g,
        (hole, name, noun, one, other) => {
          const value = parameters[name] ?? hole
          // Not 1.0: what is written with a fraction is no single thing.
          const single = String(+value) === String(value) && rules.select(+value) === 'one'
          if (other !== undefined) return single ? (one ?? '') : other
          return room + value + room + (noun ? ` ${noun}${single ? '' : 's'}` : '')
        },
      )
      .replace(ROOM, '$1')
}

/**
 * @param {readonly string[]} preferred BCP 47 tags, best first
 * @returns {Language} Chinese of any script or region, else English
 */
export function pickLanguage(preferred) {
  for (const tag of preferred) {
    if (/^zh\b/i.test(tag)) return 'zh'
    if (/^en\b/i.test(tag)) return 'en'
  }
  return 'en'
}

/**
 * @param {number} value
 * @param {number} [places]
 * @returns {string} with a real minus sign, so that columns line up
 */
export function formatNumber(value, places = 4) {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞'
  const text = value.toFixed(places)
  return text.startsWith('-') ? `−${text.slice(1)}` : text
}

/**
 * @param {number} value
 * @returns {string} grouped, as a reader takes in how large a bound is
 */
export function formatBound(value) {
  if (value === 2 ** 32 - 1) return '2³² − 1'
  const text =
    Math.abs(value) < 1e15
      ? value.toLocaleString('en-US', { maximumFractionDigits: 9 })
      : String(value).replace('+', '')
  return text.replace('-', '−')
}
