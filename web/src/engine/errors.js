// The one error type that leaves the engine, on the page, in a worker and in Node.

import { inEnglish } from './rules.js'

/** @import { ErrorCode, ErrorData, InvalidArgumentDetails, Rule } from './types.js' */

const codes = new Set([
  'invalid-argument',
  'position-out-of-range',
  'disposed',
  'aborted',
  'out-of-memory',
  'no-webassembly',
  'wasm-blocked',
  'wasm-broken',
  'worker-lost',
  'bad-run-file',
  'internal',
])

export class EngineError extends Error {
  /**
   * @param {ErrorCode} code
   * @param {string} message
   * @param {Record<string, any>} [details] structured-cloneable
   */
  constructor(code, message, details = {}) {
    super(message)
    this.name = 'EngineError'
    /** @type {ErrorCode} */
    this.code = code
    /** @type {Record<string, any>} */
    this.details = details
  }
}

/** @param {'table' | 'trainer' | 'connection'} what */
export function disposedError(what) {
  return new EngineError('disposed', `This ${what} was closed before.`, { what })
}

/**
 * @param {unknown} error
 * @returns {ErrorData} what crosses from worker to page: a class would lose its own fields there
 */
export function errorToData(error) {
  const { code, message, details } = asEngineError(error)
  return { code, message, details }
}

/** @param {unknown} data */
export function errorFromData(data) {
  const { code, message, details } = /** @type {any} */ (data ?? {})
  if (!codes.has(code)) return new EngineError('internal', 'The worker sent an unknown error.')
  return new EngineError(code, String(message), details ?? {})
}

/**
 * @param {unknown} error
 * @returns {EngineError} itself, or what a foreign exception means to the caller
 */
export function asEngineError(error) {
  if (error instanceof EngineError) return error
  const text = errorText(error)
  if (
    error instanceof RangeError &&
    /alloc|memory|array (buffer|length)|invalid.*length/i.test(text)
  ) {
    return new EngineError('out-of-memory', `Not enough memory: ${text}`)
  }
  return new EngineError('internal', `The engine failed: ${text}`)
}

/** @param {unknown} error anything that can be thrown, objects that throw when read included */
export function errorText(error) {
  try {
    if (error instanceof Error) return error.message || error.name
    return String(error)
  } catch {
    return 'an exception without a readable message'
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {Rule} rule
 * @param {number} [index] of the wrong element
 */
export function invalidArgument(name, value, rule, index) {
  const wanted = index !== undefined && rule.type === 'array' && rule.items ? rule.items : rule
  const expected = inEnglish(wanted)
  const shown = describe(value)
  const place = index === undefined ? name : `${name}[${index}]`
  /** @type {InvalidArgumentDetails} */
  const details = { name, value: shown, expected, rule }
  if (index !== undefined) details.index = index
  return new EngineError(
    'invalid-argument',
    `${place} must be ${expected}, got ${inWords(shown, value)}.`,
    details,
  )
}

const longestShown = 80

/**
 * @param {unknown} value
 * @returns {unknown} a primitive or a small array of primitives as it is (so that it can be posted
 *   to another thread), anything else as a short description
 */
export function describe(value) {
  switch (typeof value) {
    case 'string':
      return value.length > longestShown ? `${value.slice(0, longestShown)}…` : value
    case 'symbol':
      return 'a symbol'
    case 'function':
      return 'a function'
    case 'object':
      return value === null ? null : describeObject(value)
    default:
      return value
  }
}

/** @param {object} value @returns {unknown} */
function describeObject(value) {
  try {
    if (Array.isArray(value)) {
      if (value.length > 8) return `an array of ${value.length}`
      const items = Array.from(value)
      return items.every((item) => item === null || !/^(object|function|symbol)$/.test(typeof item))
        ? items.map(describe)
        : `an array of ${value.length}`
    }
    const tag = Object.prototype.toString.call(value).slice(8, -1)
    if (ArrayBuffer.isView(value)) {
      const { length } = /** @type {Uint8Array} */ (value)
      return length === undefined ? tag : `${tag} of ${length}`
    }
    return tag === 'Object' ? 'an object' : `${tag} object`
  } catch {
    return 'an object that cannot be read'
  }
}

/** @param {unknown} shown @param {unknown} value @returns {string} */
function inWords(shown, value) {
  if (typeof value === 'string') return JSON.stringify(shown)
  if (Array.isArray(shown)) return `[${shown.map((item) => inWords(item, item)).join(', ')}]`
  if (typeof shown === 'bigint') return `${shown}n`
  return Object.is(shown, -0) ? '-0' : String(shown)
}
