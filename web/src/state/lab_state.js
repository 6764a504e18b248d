// How the fields of the length lab hang together. Pure.
import { LAB_FIELDS } from './lab_fields.js'
import { membersOf, subsetText } from './rules.js'

/**
 * @typedef {object} LabState
 * @property {string} labTasks subset of LAB_TASKS, joined by dots
 * @property {string} labShown the task whose figures are in sight; one of `labTasks`
 * @property {string} labCodes subset of MODES, joined by dots
 * @property {number} labSeeds how many runs of each code and task, from `seed` on
 * @property {number} labLength L, the longest length of the training
 * @property {'4' | '8'} labReach times L, up to which is tested
 * @property {number} labVocabulary content tokens
 * @property {number} labModel which of the seeds is looked into, from 1
 * @property {number} labLayers
 * @property {'16' | '32' | '64' | '128'} labWidth d
 * @property {'1' | '2' | '4' | '8'} labHeads
 * @property {boolean} labMlp
 * @property {boolean} labCausal
 * @property {number} labBatch sequences a step
 * @property {number} labSteps
 * @property {number} labRate learning rate
 * @property {boolean} labUpTo train on lengths up to L, not on L alone
 * @property {boolean} labRandomized randomized positions
 * @property {'wall' | 'untrained'} labTable rows of the learned table: L alone, or as many as are tested
 * @property {number} labShift of the task `back`, below L
 * @property {number} labModulo of the task `modulo`
 * @property {number} labBuckets of T5, even
 * @property {number} labBucketEnd from which distance on T5 has its last bucket
 * @property {number} labSlopes exponent of ALiBi's slopes 2^(-e h / H)
 * @property {number} labBase of RoPE and of the sinusoid
 * @property {'no' | 'quick' | 'full'} labRun what a link starts by itself
 * @property {'none' | 'linear' | 'ntk' | 'yarn'} labScaling of RoPE, after training
 * @property {number} labFactor of the scaling
 * @property {number} labTestBase of RoPE after training; 0: as trained
 * @property {'none' | 'zeros' | 'last' | 'wrap' | 'interpolate'} labExtend of the learned table
 * @property {number} labLayer looked into, from 0
 * @property {number} labHead looked into, from 0
 * @property {number} labExample which sequence is looked at, from 0
 * @property {number} labAt its length, at most labReach * labLength
 */

/** Buckets that hold one distance each: half of a side's; a model that sees both sides halves them.
 * @param {LabState} state */
const leastBucketEnd = ({ labBuckets, labCausal }) =>
  Math.floor(labBuckets / (labCausal ? 2 : 4)) + 1

/** The smallest base of a rotation. */
const LEAST_BASE = 2

/**
 * @param {LabState} state
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
 * @param {LabState} next is changed: the task in sight is one of those that are trained, and numbers
 *   are within one another's bounds
 * @param {Partial<LabState>} patch that led to it
 */
export function settleLab(next, patch) {
  const tasks = membersOf(next.labTasks)
  if (!tasks.includes(next.labShown)) {
    const rule = /** @type {import('./rules.js').SubsetRule} */ (LAB_FIELDS.labTasks.rule)
    // Whoever looks at a task has it trained; whoever drops the task in sight sees another.
    if ('labShown' in patch) next.labTasks = subsetText(rule, [...tasks, next.labShown])
    else next.labShown = tasks[0]
  }
  next.labBuckets -= next.labBuckets % 2
  if (next.labTestBase > 0) next.labTestBase = Math.max(LEAST_BASE, next.labTestBase)
  for (const name of BOUND) {
    const rule = /** @type {import('./rules.js').NumberRule} */ (LAB_FIELDS[name].rule)
    const { min, max } = labBounds(next, name, rule)
    next[name] = Math.min(max, Math.max(min, next[name]))
  }
}
