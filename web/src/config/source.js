// Looking things up in a file, and keeping where each was found.
import { DEFAULTS } from './keys.js'

/**
 * Where a value comes from: a key with its line, something computed from others, or what a program
 * assumes that finds nothing.
 * @typedef {{ key: string, line?: number } | { computed: string } | { assumed: true }} Origin
 * @typedef {{ value: any, key: string, from: Origin }} Found
 */

/** What is wrong with a file as a whole, as data. */
export class Refused extends Error {
  /** @param {import('./read.js').ErrorKey} key @param {Record<string, string | number>} [params] */
  constructor(key, params = {}) {
    super(key)
    this.key = key
    this.params = params
  }
}

export class Source {
  /**
   * @param {any} object of the file
   * @param {string} path of it in the file
   * @param {Map<string, number>} lines
   * @param {string} family
   */
  constructor(object, path, lines, family) {
    this.object = object
    this.path = path
    this.lines = lines
    this.defaults = Object.hasOwn(DEFAULTS, family) ? DEFAULTS[family] : {}
  }

  /** @param {string} key @returns {boolean} null counts as absent */
  has(key) {
    return Object.hasOwn(this.object, key) && this.object[key] !== null
  }

  /** @param {string} key */
  get(key) {
    return this.has(key) ? this.object[key] : undefined
  }

  /** @param {string} key @returns {Found} */
  found(key) {
    const full = this.path ? `${this.path}.${key}` : key
    return { value: this.object[key], key, from: { key: full, line: this.lines.get(full) } }
  }

  /** @param {readonly string[]} keys @returns {Found | undefined} */
  first(keys) {
    const key = keys.find((name) => this.has(name))
    if (key !== undefined) return this.found(key)
    const assumed = keys.find((name) => Object.hasOwn(this.defaults, name))
    if (assumed === undefined) return undefined
    return { value: this.defaults[assumed], key: assumed, from: { assumed: true } }
  }

  /**
   * @param {readonly string[]} keys
   * @param {{ least?: number, most?: number, whole?: boolean }} [bounds]
   * @returns {(Found & { value: number }) | undefined}
   */
  number(keys, { least = 1, most = 2 ** 24, whole = true } = {}) {
    const found = this.first(keys)
    if (!found) return undefined
    const { value } = found
    const fits = typeof value === 'number' && value >= least && value <= most
    if (fits && (!whole || Number.isInteger(value))) return found
    throw wrong(found)
  }

  /** @param {string} key @returns {Source | undefined} the object there */
  inside(key) {
    const inner = this.get(key)
    if (!isObject(inner)) return undefined
    const source = new Source(inner, this.path ? `${this.path}.${key}` : key, this.lines, '')
    return source
  }
}

/** @param {Found} found */
export function wrong({ value, from }) {
  const { key, line = 0 } = /** @type {{ key: string, line?: number }} */ (from)
  const shown = JSON.stringify(value) ?? ''
  return new Refused('value', { key, line, value: shown.slice(0, 40) })
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
export const isObject = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * @param {string} key
 * @param {import('./read.js').Note['params']} [params]
 * @returns {import('./read.js').Note} a warning
 */
export const note = (key, params = {}) => ({ key, params, warns: true })
