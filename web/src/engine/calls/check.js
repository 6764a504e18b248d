// Checks of everything a caller hands in. Nothing is coerced, each value is read once (a getter
// may answer differently the second time), and arrays are copied before they are looked at, so
// that what was checked is what is used.
//
// An optional argument is one whose value is `undefined`; `null` is a value, and a wrong one.

import { invalidArgument } from '../errors.js'

/** @import { Rule } from '../types.js' */

/** Elements of the largest array or matrix. */
const largest = 2 ** 26

const typedArray = Object.getPrototypeOf(Int8Array.prototype)
// The prototype's own getters: a subclass or an object with a forged `length` cannot deceive them.
const tagOf = getter(typedArray, Symbol.toStringTag)
const lengthOf = getter(typedArray, 'length')
const bufferOf = getter(typedArray, 'buffer')

/** @param {object} prototype @param {string | symbol} key @returns {(of: unknown) => any} */
function getter(prototype, key) {
  const get = /** @type {() => any} */ (Object.getOwnPropertyDescriptor(prototype, key)?.get)
  return (of) => get.call(of)
}

/**
 * Reads an object of options.
 * @template {string} K
 * @param {unknown} options `undefined` counts as an empty object
 * @param {readonly K[]} keys other keys are ignored, so that a newer caller works with an older engine
 * @param {string} [name]
 */
export function fields(options, keys, name = 'options') {
  const read = /** @type {Record<K, unknown>} */ ({})
  if (options === undefined) return read
  const isObject = typeof options === 'object' && options !== null
  if (!isObject || isArray(options) || ArrayBuffer.isView(options)) {
    throw invalidArgument(name, options, { type: 'object' })
  }
  for (const key of keys) {
    try {
      read[key] = /** @type {any} */ (options)[key]
    } catch {
      throw invalidArgument(key, 'a property that cannot be read', { type: 'readable' })
    }
  }
  return read
}

/**
 * The same where an option that is not read would change the meaning of a long run.
 * @template {string} K
 * @param {unknown} options
 * @param {readonly K[]} keys other keys are refused
 * @param {string} [name]
 */
export function exactFields(options, keys, name = 'options') {
  const read = fields(options, keys, name)
  /** @type {string[]} */
  let given
  try {
    given = Object.keys(options ?? {})
  } catch {
    throw invalidArgument(name, options, { type: 'object' })
  }
  const others = given.filter((key) => !keys.includes(/** @type {K} */ (key)))
  for (const [key, value] of Object.entries(fields(options, others, name))) {
    if (value === undefined) continue
    throw invalidArgument(key, value, { type: 'absent', values: [...keys] })
  }
  return read
}

/**
 * @param {unknown} value
 * @returns {value is unknown[]} false for a revoked proxy, where `Array.isArray` throws
 */
function isArray(value) {
  try {
    return Array.isArray(value)
  } catch {
    return false
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} min
 * @param {number} max
 * @param {string[]} [given] other arguments on which the bounds depend
 * @returns {number} never -0
 */
export function integer(name, value, min, max, given) {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
    return value + 0
  }
  const rule = withoutUndefined({ type: /** @type {const} */ ('integer'), min, max, for: given })
  throw invalidArgument(name, value, rule)
}

/**
 * A finite number within the bounds given; `above` excludes the bound itself.
 * @param {string} name
 * @param {unknown} value
 * @param {{ min?: number, max?: number, above?: number }} [bounds]
 */
export function number(name, value, bounds = {}) {
  const { min = -Infinity, max = Infinity, above = -Infinity } = bounds
  if (
    typeof value === 'number' &&
    Number.isFinite(value) &&
    value >= min &&
    value <= max &&
    value > above
  ) {
    return value
  }
  throw invalidArgument(name, value, { type: 'number', ...bounds })
}

/** @param {string} name @param {unknown} value */
export function boolean(name, value) {
  if (typeof value === 'boolean') return value
  throw invalidArgument(name, value, { type: 'boolean' })
}

/** @param {string} name @param {unknown} value @returns {(...args: any[]) => any} */
export function callback(name, value) {
  if (typeof value === 'function') return /** @type {(...args: any[]) => any} */ (value)
  throw invalidArgument(name, value, { type: 'function' })
}

/**
 * @template {string | number} T
 * @param {string} name
 * @param {unknown} value
 * @param {readonly T[]} values
 */
export function choice(name, value, values) {
  if (values.includes(/** @type {any} */ (value))) return /** @type {T} */ (value)
  throw invalidArgument(name, value, { type: 'choice', values: [...values] })
}

/**
 * @typedef {object} ArrayBounds
 * @property {number} [length] exactly so many elements
 * @property {number} [minLength] at least so many; default 0
 * @property {number} [maxLength] at most so many; default 2^26
 * @property {number} [min] of every element
 * @property {number} [max]
 * @property {boolean} [nan] whether NaN may stand for none
 */

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} maxLength
 * @returns {unknown[]} a copy
 */
export function list(name, value, maxLength) {
  try {
    const array = /** @type {any[]} */ (value)
    if (Array.isArray(array) && array.length <= maxLength) {
      return Array.from({ length: array.length }, (_, i) => array[i])
    }
  } catch {
    // A proxy that cannot be read is none, either.
  }
  throw invalidArgument(name, value, { type: 'array', maxLength })
}

/**
 * A plain array or any typed array of finite numbers.
 * @param {string} name
 * @param {unknown} value
 * @param {ArrayBounds} [bounds]
 * @returns {Float64Array<ArrayBuffer>} a copy
 */
export function numbers(name, value, bounds = {}) {
  const { min, max, nan = false } = bounds
  const items = withoutUndefined({ type: /** @type {const} */ ('number'), min, max })
  return copyArray(
    name,
    value,
    { ...bounds, items },
    (element) => Number.isFinite(element) || (nan && Number.isNaN(element)),
  )
}

/**
 * A plain array or any typed array of integers.
 * @param {string} name
 * @param {unknown} value
 * @param {ArrayBounds & { min: number, max: number }} bounds
 * @returns {Float64Array<ArrayBuffer>} a copy; doubles hold every integer that any argument may have
 */
export function integers(name, value, bounds) {
  const { min, max } = bounds
  const items = { type: /** @type {const} */ ('integer'), min, max }
  return copyArray(name, value, { ...bounds, items }, Number.isInteger)
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {ArrayBounds & { items: Extract<Rule, { type: 'integer' | 'number' }> }} wanted
 * @param {(element: unknown) => boolean} isRight
 */
function copyArray(name, value, wanted, isRight) {
  const { length, items } = wanted
  const { minLength = length ?? 0, maxLength = length ?? largest } = wanted
  /** @type {Rule} */
  const rule = { type: 'array', items, minLength, maxLength }
  /** @param {unknown} shown */
  const wrong = (shown) => invalidArgument(name, shown, rule)

  const size = sizeOfArray(value)
  if (size === undefined) throw wrong(value)
  if (size < minLength || size > maxLength) throw wrong(`an array of ${size}`)

  const { min = -Infinity, max = Infinity } = items
  const copy = new Float64Array(size)
  for (let i = 0; i < size; ++i) {
    let element
    try {
      element = /** @type {any} */ (value)[i]
    } catch {
      throw wrong('an array that cannot be read')
    }
    if (typeof element !== 'number' || !isRight(element) || element < min || element > max) {
      throw invalidArgument(name, element, rule, i)
    }
    copy[i] = element
  }
  return copy
}

/**
 * @param {unknown} value
 * @returns {number | undefined} undefined where it is no array of numbers: an array-like object, a
 *   view of 64-bit integers, a view whose memory is shared with another thread (it could change
 *   while it is read), was transferred away, or has shrunk
 */
function sizeOfArray(value) {
  if (isArray(value)) {
    try {
      return value.length
    } catch {
      return undefined
    }
  }
  const tag = tagOf(value)
  if (tag === undefined || tag.startsWith('Big') || !isAlive(value)) return undefined
  return lengthOf(value)
}

/** @param {unknown} view a typed array */
function isAlive(view) {
  try {
    // Every method of typed arrays throws when the memory is gone; this one does nothing else.
    typedArray.keys.call(view)
    // An ArrayBuffer of another realm is fine, so no instanceof: this getter takes unshared ones only.
    arrayBufferLength(bufferOf(view))
    return true
  } catch {
    return false
  }
}

const arrayBufferLength = getter(ArrayBuffer.prototype, 'byteLength')

/**
 * @param {string} name
 * @param {unknown} value
 * @param {{ maxLength?: number }} [bounds]
 * @returns {Uint8Array<ArrayBuffer>} a copy
 */
export function bytes(name, value, { maxLength = 2 ** 30 } = {}) {
  if (tagOf(value) === 'Uint8Array' && isAlive(value) && lengthOf(value) <= maxLength) {
    return new Uint8Array(/** @type {Uint8Array} */ (value))
  }
  throw invalidArgument(name, value, { type: 'bytes', maxLength })
}

/**
 * @typedef {object} MatrixBounds
 * @property {number} [minRows]
 * @property {number} [maxRows]
 * @property {number} [minColumns]
 * @property {number} [maxColumns]
 * @property {number} [min] of every element
 * @property {number} [max]
 */

/**
 * A matrix as the engine returns them.
 * @param {string} name empty where `data` and `shape` are arguments of their own
 * @param {unknown} value `{ data, shape: [rows, columns] }`
 * @param {MatrixBounds} [bounds]
 */
export function matrix(name, value, bounds = {}) {
  const { minRows = 0, minColumns = 0, maxRows = largest, maxColumns = largest, min, max } = bounds
  const prefix = name && `${name}.`
  const read = fields(value ?? null, ['data', 'shape'], name || 'options')
  const shape = integers(`${prefix}shape`, read.shape, { length: 2, min: 0, max: largest })
  const rows = integer(`${prefix}shape[0]`, shape[0], minRows, maxRows)
  const columns = integer(`${prefix}shape[1]`, shape[1], minColumns, maxColumns)
  if (rows * columns > largest) {
    const rule = { type: /** @type {const} */ ('matrix'), maxLength: largest }
    throw invalidArgument(`${prefix}shape`, [rows, columns], rule)
  }
  const data = numbers(`${prefix}data`, read.data, { length: rows * columns, min, max })
  return { data, rows, columns }
}

/**
 * @template {object} T
 * @param {T} object
 * @returns {T} without the keys that are undefined, which structured clones would carry along
 */
function withoutUndefined(object) {
  return /** @type {T} */ (
    Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
  )
}

// A call's options as a table of fields, read in its order: each is a function of its name, its value
// and what was read before it.

/** @typedef {(name: string, value: unknown, read: any) => unknown} Field */
/** @typedef {number | ((read: any) => number)} Bound that other arguments may move */
/** @typedef {ArrayBounds | ((read: any) => ArrayBounds)} Size */

/** @param {any} bound @param {any} read */
const at = (bound, read) => (typeof bound === 'function' ? bound(read) : bound)

/** Where it is left out: `usual`. @param {unknown} usual @param {Field} field @returns {Field} */
const orElse = (usual, field) => (name, value, read) =>
  value === undefined && usual !== undefined ? usual : field(name, value, read)

/** Where it is left out there is none. @param {Field} field @returns {Field} */
export const maybe = (field) => (name, value, read) =>
  value === undefined ? undefined : field(name, value, read)

/** @param {Bound} min @param {Bound} max @param {number} [usual] @param {string[]} [given] */
export const int = (min, max, usual, given) =>
  orElse(usual, (name, value, read) => integer(name, value, at(min, read), at(max, read), given))

/** @param {{ min?: number, max?: number, above?: number }} bounds @param {number} [usual] */
export const num = (bounds, usual) => orElse(usual, (name, value) => number(name, value, bounds))

/** @param {boolean} [usual] */
export const flag = (usual) => orElse(usual, boolean)

/** @param {readonly (string | number)[]} values @param {string | number} [usual] */
export const oneOf = (values, usual) => orElse(usual, (name, value) => choice(name, value, values))

/** @param {Size} bounds @returns {Field} */
export const nums = (bounds) => (name, value, read) => numbers(name, value, at(bounds, read))

/** @param {Size} bounds @returns {Field} */
export const ints = (bounds) => (name, value, read) => integers(name, value, at(bounds, read))

/**
 * @param {Record<string, Field>} spec
 * @param {object} [more]
 * @param {MatrixBounds} [more.matrix] `data` and `shape` stand beside the fields
 * @param {boolean} [more.exact] other options are refused
 * @param {(args: any) => any} [more.also] what several arguments must keep together
 * @returns {(given: unknown) => any}
 */
export function taking(spec, { matrix: bounds, exact = false, also = (args) => args } = {}) {
  const keys = Object.keys(spec)
  return (given) => {
    const all = bounds ? ['data', 'shape', ...keys] : keys
    const read = exact ? exactFields(given, all) : fields(given, all)
    /** @type {Record<string, unknown>} */
    const args = bounds ? { ...matrix('', read, bounds) } : {}
    for (const key of keys) {
      const value = spec[key](key, read[key], args)
      if (value !== undefined) args[key] = value
    }
    return also(args)
  }
}
