// Strict reading of what comes out of a file: every value has a rule, and whatever does not keep it
// is named by its place.

/** What is wrong stands at `where`. */
export class Damage extends Error {
  /** @param {string} where */
  constructor(where) {
    super(`not as it was written: ${where}`)
    this.where = where
  }
}

/**
 * @template T
 * @typedef {(value: unknown, where: string) => T} Reader throws Damage
 */

/**
 * @param {boolean} good
 * @param {string} where
 */
export function assertGood(good, where) {
  if (!good) throw new Damage(where)
}

/**
 * @template T
 * @param {(value: any) => T | undefined} read undefined: the rule is broken
 * @returns {Reader<T>}
 */
export const reader = (read) => (value, where) => {
  const found = read(value)
  if (found === undefined) throw new Damage(where)
  return found
}

/** @param {number} min @param {number} max @returns {Reader<number>} */
export const whole = (min, max) =>
  reader((value) => (Number.isInteger(value) && value >= min && value <= max ? value : undefined))

/** @param {number} min @param {number} max @returns {Reader<number>} */
export const finite = (min, max) =>
  reader((value) => (typeof value === 'number' && value >= min && value <= max ? value : undefined))

/** @type {Reader<boolean>} */
export const flag = reader((value) => (typeof value === 'boolean' ? value : undefined))

/** @param {number} longest @returns {Reader<string>} */
export const text = (longest) =>
  reader((value) => (typeof value === 'string' && value.length <= longest ? value : undefined))

/**
 * @template {string} T
 * @param {readonly T[]} values
 * @returns {Reader<T>}
 */
export const oneOf = (values) =>
  reader((value) => (values.includes(value) ? /** @type {T} */ (value) : undefined))

/**
 * @template T
 * @param {Reader<T>} read
 * @returns {Reader<T | undefined>} null stands for nothing
 */
export const optional = (read) => (value, where) =>
  value === null ? undefined : read(value, where)

/**
 * @template T
 * @param {Reader<T>} read
 * @param {number} longest
 * @returns {Reader<T[]>}
 */
export const list = (read, longest) => (value, where) => {
  assertGood(Array.isArray(value) && value.length <= longest, where)
  return /** @type {unknown[]} */ (value).map((item, index) => read(item, `${where}[${index}]`))
}

/**
 * @template {Record<string, Reader<any>>} T
 * @param {T} rules of every property; others are refused
 * @returns {Reader<{ [K in keyof T]: ReturnType<T[K]> }>}
 */
export const shape = (rules) => (value, where) => {
  const good = typeof value === 'object' && value !== null && !Array.isArray(value)
  assertGood(good, where)
  const found = /** @type {Record<string, unknown>} */ (value)
  for (const name of Object.keys(found)) {
    assertGood(Object.hasOwn(rules, name), `${where}.${name.slice(0, 40)}`)
  }
  const entries = Object.entries(rules).map(([name, read]) => {
    assertGood(Object.hasOwn(found, name), `${where}.${name}`)
    return [name, read(found[name], `${where}.${name}`)]
  })
  return Object.fromEntries(entries)
}
