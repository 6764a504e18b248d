// What was due where a value is refused, as data, and its English wording for who reads a message. A
// page words rules in any language by itself.

/** @import { Rule } from './types.js' */

/** @type {Record<string, string>} */
const fixed = {
  boolean: 'true or false',
  string: 'a string',
  object: 'an object',
  function: 'a function',
  signal: 'an AbortSignal',
  readable: 'a readable property',
}

/** @type {Record<string, string>} */
const snapshots = { table: 'a learned table', trainer: 'a trainer' }

/**
 * @param {Rule} rule
 * @returns {string} such as "an integer from 1 to 65536"
 */
export function inEnglish(rule) {
  switch (rule.type) {
    case 'integer':
    case 'number': {
      const { or, for: given } = /** @type {Extract<Rule, { type: 'integer' }>} */ (rule)
      return [
        numeral(rule),
        given && `with this ${given.join(' and ')}`,
        or && `(or give ${or.join(' or ')})`,
      ]
        .filter(Boolean)
        .join(' ')
    }
    case 'choice':
      return rule.values.length > 0 ? `one of ${rule.values.join(', ')}` : 'a known name'
    case 'array':
      return `an array of ${numberOf(rule)}${numeral(rule.items ?? { type: 'number' }, true)}`
    case 'matrix':
      return `at most ${rule.maxLength} elements in all`
    case 'bytes':
      return `a Uint8Array of at most ${rule.maxLength} bytes`
    case 'share':
      return `a number above 0, at most 1, that makes an even number of ${rule.of} dimensions`
    case 'rate':
      return `a rate that keeps the table finite; above ${rule.max} it diverges`
    case 'memory':
      return `${rule.max === undefined ? 'a smaller model' : `at most ${rule.max}`}, which keeps memory under 256 MB`
    case 'snapshot':
      return `a whole snapshot of ${snapshots[rule.of]}, version 1`
    case 'only':
      return `left out unless ${rule.with} is ${inEnglish(rule.rule).replace(/^one of /, '')}`
    case 'absent':
      return `left out (what may be given: ${rule.values.join(', ')})`
    default:
      return fixed[rule.type]
  }
}

/**
 * @param {Rule} rule of one number
 * @param {boolean} [many]
 */
function numeral(rule, many = false) {
  const { type, min, max, above, multipleOf, divides } =
    /** @type {{ type: string } & Record<string, number | undefined>} */ (rule)
  const kind = type === 'integer' ? 'integer' : 'finite number'
  const one = `${multipleOf ? 'an even' : /^i/.test(kind) ? 'an' : 'a'} ${kind}`
  const words = [many ? `${kind}s` : one]
  if (divides !== undefined) words.push(`that divides ${divides}`)
  else if (min !== undefined && max !== undefined) words.push(`from ${min} to ${max}`)
  else if (min !== undefined) words.push(`at least ${min}`)
  else if (above !== undefined)
    words.push(`above ${above}${max === undefined ? '' : ` and at most ${max}`}`)
  else if (max !== undefined) words.push(`at most ${max}`)
  return words.join(' ')
}

/** @param {{ minLength?: number, maxLength?: number }} rule of an array */
function numberOf({ minLength = 0, maxLength }) {
  if (maxLength === undefined) return minLength > 0 ? `at least ${minLength} ` : ''
  return minLength === maxLength ? `${maxLength} ` : `${minLength} to ${maxLength} `
}
