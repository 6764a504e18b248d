// How the fields of the length lab hang together. Pure.
import { LAB_FIELDS } from './lab_fields.js'
import { membersOf, subsetText } from './rules.js'

/** @import { State } from './fields.js' */

/** Buckets that hold one distance each: half of a side's; a model that sees both sides halves them.
 * @param {State} state */
const leastBucketEnd = ({ labBuckets, labCausal }) =>
  Math.floor(labBuckets / (labCausal ? 2 : 4)) + 1

/** The smallest base of a rotation. */
const LEAST_BASE = 2

/**
 * @param {State} state
 * @param {string} name
 * @param {{ min: number, max: number }} bounds of the field's rule
 * @returns {{ min: number, max: number }} those that hold now
 */
export function labBounds(state, name, { min, max }) {
  if (name === 'labShift') return { min, max: Math.min(max, state.labLength - 1) }
  if (name === 'labBucketEnd') return { min: leastBucketEnd(state), max }
  if (name === 'labLayer') return { min, max: state.labLayers - 1 }
  if (name === 'labHead') return { min, max: Number(state.labHeads) - 1 }
  if (name === 'labAt') return { min, max: state.labLength * Number(state.labReach) }
  return { min, max }
}

/** Numbers that other fields bound. */
const BOUND = /** @type {const} */ (['labShift', 'labBucketEnd', 'labLayer', 'labHead', 'labAt'])

/**
 * @param {State} next is changed: the task in sight is one of those that are trained, and numbers
 *   are within one another's bounds
 * @param {Partial<State>} patch that led to it
 */
export function settleLab(next, patch) {
  const tasks = membersOf(next.labTasks)
  if (!tasks.includes(next.labShown)) {
    const rule = /** @type {import('./rules.js').SubsetRule} */ (LAB_FIELDS.labTasks.rule)
    // Whoever looks at a task has it trained; whoever drops the task in sight sees another.
    if ('labShown' in patch) next.labTasks = subsetText(rule, [...tasks, next.labShown])
    else next.labShown = /** @type {State['labShown']} */ (tasks[0])
  }
  next.labBuckets -= next.labBuckets % 2
  if (next.labTestBase > 0) next.labTestBase = Math.max(LEAST_BASE, next.labTestBase)
  for (const name of BOUND) {
    const rule = /** @type {import('./rules.js').NumberRule} */ (LAB_FIELDS[name].rule)
    const { min, max } = labBounds(next, name, rule)
    next[name] = Math.min(max, Math.max(min, next[name]))
  }
}
