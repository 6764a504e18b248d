// The state as the fragment of a link. Knows no DOM: takes and gives strings.
import { FIELDS, clampField } from './fields.js'
import { initialState, startOf, withPatch } from './state.js'

/** Longer fragments are cut before anything is parsed. */
export const MAX_HASH_LENGTH = 4096

const NAME_BY_KEY = new Map(Object.entries(FIELDS).map(([name, field]) => [field.key, name]))

/**
 * @param {import('./state.js').State} state
 * @param {string} version of the build that the link comes from
 * @returns {string} without the leading '#'; fields where the scene begins are left out
 */
export function encodeState(state, version) {
  const start = { ...startOf(state.scene), scene: FIELDS.scene.initial }
  const parts = [`v=${encodeURIComponent(version)}`]
  for (const [name, field] of Object.entries(FIELDS)) {
    const key = /** @type {keyof typeof state} */ (name)
    if (Object.is(state[key], start[key])) continue
    const value = state[key]
    const text = typeof value === 'boolean' ? (value ? '1' : '0') : String(value)
    parts.push(`${field.key}=${encodeURIComponent(text)}`)
  }
  return parts.join('&')
}

/**
 * Never throws. Unknown keys are dropped, numbers clamped, the first of a repeated key counts.
 * A link that names its version stands for a whole view; one written by hand changes what it names.
 * @param {string} hash with or without the leading '#'
 * @param {import('./state.js').State} [start] what fields a link written by hand does not name keep
 */
export function decodeState(hash, start = initialState()) {
  const text = hash.replace(/^#/, '').slice(0, MAX_HASH_LENGTH)
  /** @type {Map<string, string | number | boolean>} */
  const patch = new Map()
  let version
  for (const part of text.split('&')) {
    const split = part.indexOf('=')
    if (split < 1) continue
    const key = part.slice(0, split)
    const raw = decodePart(part.slice(split + 1))
    if (raw === undefined) continue
    if (key === 'v') {
      version ??= raw
      continue
    }
    const name = NAME_BY_KEY.get(key)
    if (name === undefined || patch.has(name)) continue
    const value = clampField(name, raw)
    if (value !== undefined) patch.set(name, value)
  }
  const from = version === undefined ? start : initialState()
  return { state: withPatch(from, Object.fromEntries(patch)), version }
}

/**
 * Whether a link comes from another release. What stands after a plus sign says which build of the
 * same release it was: that changes nothing in a link.
 * @param {string | undefined} version of the link; undefined where it names none
 * @param {string} here
 */
export function otherVersion(version, here) {
  return version !== undefined && version.split('+')[0] !== here.split('+')[0]
}

/** @param {string} part */
function decodePart(part) {
  try {
    return decodeURIComponent(part.replace(/\+/g, ' '))
  } catch {
    return undefined
  }
}
