// The visible state as one frozen object, and the only functions that make a new one. Pure.
import {
  FIELDS,
  HOME_SCENES,
  MAX_SEATS,
  SCENE_MODES,
  SCENE_STARTS,
  WIDEST_ATTENTION,
  readField,
} from './fields.js'
import { labBounds, settleLab } from './lab_state.js'
import { encodingOf } from './resolved.js'

/** @typedef {import('./fields.js').State} State */

/** @returns {State} */
export function initialState() {
  const entries = Object.entries(FIELDS).map(([name, field]) => [name, field.initial])
  return Object.freeze(/** @type {State} */ (Object.fromEntries(entries)))
}

/** What another scene may begin with. */
export const STARTED = /** @type {const} */ (['mode', 'position'])

/**
 * @param {string} scene
 * @returns {State} where a scene begins
 */
export function startOf(scene) {
  return withPatch(initialState(), { scene })
}

/**
 * @param {State} state
 * @param {Partial<State>} patch values that already passed `readField`
 * @returns {State} the same object when nothing changed
 */
export function withPatch(state, patch) {
  const next = settle(inScene(state, patch), patch)
  const names = /** @type {(keyof State)[]} */ (Object.keys(FIELDS))
  return names.every((name) => Object.is(next[name], state[name])) ? state : Object.freeze(next)
}

/**
 * @param {State} state
 * @param {string} name
 * @param {unknown} raw
 * @returns {{ state: State } | { refused: import('./fields.js').Refusal }}
 */
export function withField(state, name, raw) {
  const result = readField(name, raw)
  if ('refused' in result) return result
  const bounds = boundsOf(state, name)
  if (bounds && typeof result.value === 'number') {
    if (result.value < bounds.min || result.value > bounds.max) {
      const rule = /** @type {import('./fields.js').NumberRule} */ (FIELDS[name].rule)
      return { refused: { name, value: raw, rule: { ...rule, ...bounds } } }
    }
    if (name === 'heads' && state.dModel % result.value !== 0) {
      return { refused: { name, value: raw, rule: { type: 'choice', values: headCounts(state) } } }
    }
  }
  return { state: withPatch(state, { [name]: result.value }) }
}

/**
 * @param {State} state
 * @returns {string[]} the numbers of heads that divide the width
 */
export function headCounts({ dModel }) {
  const { max } = /** @type {import('./fields.js').NumberRule} */ (FIELDS.heads.rule)
  const all = Array.from({ length: max }, (_, index) => index + 1)
  return all.filter((count) => dModel % count === 0).map(String)
}

/**
 * The bounds a number field has now: the row of seats is never shorter than the table. The cursor may
 * go past the seats that are shown: there will then be more of them.
 * @param {State} state
 * @param {string} name
 * @returns {{ min: number, max: number } | undefined} undefined for a field that is not a number
 */
export function boundsOf(state, name) {
  const { rule } = FIELDS[name]
  if (rule.type !== 'integer' && rule.type !== 'number') return undefined
  const { min, max } = rule
  if (name === 'dModel' && state.scene === 'order') return { min, max: WIDEST_ATTENTION }
  if (name === 'dimension') return { min, max: state.dModel - 1 }
  if (name === 'position2' || name === 'distance') return { min, max: state.length - 1 }
  if (name === 'ropePair') return { min, max: state.ropePairs - 1 }
  if (name === 'biasQuery') return { min, max: state.biasLength - 1 }
  if (name === 'maxDistance') return { min: leastMaxDistance(state), max }
  if (name === 'length') return { min: Math.max(min, tableRows(state)), max }
  if (name === 'grown') return { min, max: max - state.tMax }
  return labBounds(state, name, { min, max })
}

/**
 * Where a slider ends: the cursor's with the seats that are shown.
 * @param {State} state
 * @param {string} name
 */
export function sliderBounds(state, name) {
  const bounds = boundsOf(state, name)
  return bounds && name === 'position' ? { ...bounds, max: state.length - 1 } : bounds
}

/**
 * The code in focus, for scenes that know only the two that are added to the input.
 * @param {State} state
 * @returns {'sinusoidal' | 'learned'}
 */
export function inputMode({ mode }) {
  return mode === 'sinusoidal' ? mode : 'learned'
}

/** How many rows the table has, trained and grown together. @param {State} state */
export function tableRows(state) {
  return state.tMax + state.grown
}

/**
 * The state after a patch, before it is settled: another scene begins with what its idea is plainest
 * at, but for what the reader has chosen.
 * @param {State} state
 * @param {Partial<State>} patch
 */
function inScene(state, patch) {
  const { scene = state.scene } = patch
  if (scene === state.scene) return { ...state, ...patch }
  const [before, after] = [state.scene, scene].map((id) => ({
    mode: FIELDS.mode.initial,
    position: FIELDS.position.initial,
    ...SCENE_STARTS[id],
  }))
  /** @type {Record<string, unknown>} */
  const start = {}
  for (const name of STARTED) {
    if (state[name] === before[name]) start[name] = after[name]
  }
  return /** @type {State} */ ({ ...state, ...start, ...patch })
}

/**
 * The near half of the T5 buckets hold one distance each; the last one has to lie beyond them.
 * @param {State} state
 */
const leastMaxDistance = ({ numBuckets }) => Math.floor(numBuckets / 2) + 1

/**
 * Keeps fields consistent with one another after a change: the wall stays in sight when the table
 * grows, whoever shortens the row of seats moves the cursor with it, and heads divide the width.
 * @param {State} state
 * @param {Partial<State>} patch
 * @returns {State}
 */
function settle(state, patch) {
  const next = { ...state }
  if (!SCENE_MODES[next.scene].includes(next.mode)) {
    // Whoever chooses a code goes where it is shown; whoever chooses a scene sees its own code.
    if ('mode' in patch && !('scene' in patch)) next.scene = HOME_SCENES[next.mode]
    else next.mode = /** @type {State['mode']} */ (SCENE_MODES[next.scene][0])
  }
  if (next.scene === 'order') next.dModel = Math.min(next.dModel, WIDEST_ATTENTION)
  if (next.scene === 'model' && next.model !== '') {
    const encoding = encodingOf(next.model)
    // Whoever chooses another code leaves the model; whoever chooses a model sees its code.
    if ('mode' in patch && !('model' in patch) && next.mode !== encoding) next.model = ''
    else next.mode = encoding ?? next.mode
  }
  next.grown = Math.min(next.grown, MAX_SEATS - next.tMax)
  const rows = tableRows(next)
  if ('tMax' in patch && !('length' in patch) && rows > 0.8 * next.length) next.length = 2 * rows
  // A cursor that is sent past the last seat shown finds a longer row, with some seats after it.
  if ('position' in patch && next.position >= next.length) {
    next.length = Math.ceil((next.position + 1) / 8) * 10
  }
  next.length = Math.min(MAX_SEATS, Math.max(next.length, rows))
  next.position = Math.min(next.position, next.length - 1)
  next.position2 = Math.min(next.position2, next.length - 1)
  next.distance = Math.min(next.distance, next.length - 1)
  next.dimension = Math.min(next.dimension, next.dModel - 1)
  next.ropePair = Math.min(next.ropePair, next.ropePairs - 1)
  next.biasQuery = Math.min(next.biasQuery, next.biasLength - 1)
  next.maxDistance = Math.max(next.maxDistance, leastMaxDistance(next))
  settleLab(next, patch)
  while (next.dModel % next.heads !== 0) next.heads -= 1
  return next
}
