// What stands in the file of a run, value by value.
import { LAB_FIELDS, LAB_TASKS } from '../../state/lab_fields.js'
import { MODES } from '../../state/modes.js'
import { fromBase64, fromNumberText } from './bytes.js'
import { finite, flag, list, oneOf, optional, reader, shape, text, whole } from './rules.js'

/** @typedef {import('./plan.js').Plan} Plan */

/** @param {import('../../state/rules.js').Rule} rule @returns {import('./rules.js').Reader<any>} */
function byRule(rule) {
  if (rule.type === 'integer') return whole(rule.min, rule.max)
  if (rule.type === 'number') return finite(rule.min, rule.max)
  if (rule.type !== 'choice') return flag
  // What the state has as text is a number in a plan.
  const numbers = rule.values.map(Number)
  if (numbers.some(Number.isNaN)) return oneOf(rule.values)
  return reader((value) => (numbers.includes(value) ? value : undefined))
}

const field = (/** @type {string} */ name) => byRule(LAB_FIELDS[name].rule)
const number = reader(fromNumberText)
const share = reader((value) => {
  const found = fromNumberText(value)
  return found === undefined || found < 0 || found > 1 ? undefined : found
})
const count = whole(0, 2 ** 31 - 1)
const seed = whole(0, 2 ** 32 - 1)
const name = text(60)
/** Lengths that a curve has at most, and points of a loss. */
const LONGEST = 512
const base64 = reader((value) => (typeof value === 'string' ? fromBase64(value) : undefined))

/** @type {import('./rules.js').Reader<Plan>} */
const readPlan = shape({
  tasks: list(oneOf(LAB_TASKS), LAB_TASKS.length),
  codes: list(oneOf(MODES), MODES.length),
  seeds: list(seed, 10),
  options: shape({
    length: field('labLength'),
    reach: field('labReach'),
    vocabulary: field('labVocabulary'),
    layers: field('labLayers'),
    dModel: field('labWidth'),
    heads: field('labHeads'),
    mlp: flag,
    causal: flag,
    batch: field('labBatch'),
    steps: field('labSteps'),
    learningRate: field('labRate'),
    warmUp: whole(0, 20000),
    lengths: oneOf(/** @type {const} */ (['fixed', 'upTo'])),
    randomized: flag,
    table: field('labTable'),
    taskShift: field('labShift'),
    taskModulo: field('labModulo'),
    t5Buckets: field('labBuckets'),
    t5MaxDistance: field('labBucketEnd'),
    alibiExponent: field('labSlopes'),
    ropeBase: field('labBase'),
    sinusoidBase: field('labBase'),
  }),
})

const readCurve = shape({
  step: count,
  sequences: whole(1, 512),
  lengths: list(count, LONGEST),
  accuracies: list(share, LONGEST),
  counts: list(count, LONGEST),
  losses: list(number, LONGEST),
  wall: count,
  inside: share,
})

/** What was wrong with an argument, as far as a sentence about it needs it. */
const detail = reader((value) =>
  ['number', 'boolean', 'string'].includes(typeof value) && String(value).length <= 200
    ? value
    : undefined,
)

/** Kinds of rules that the options of a trainer can break. */
export const RULE_TYPES = Object.freeze(/** @type {const} */ (['integer', 'number', 'memory']))

const bound = optional(finite(-1e300, 1e300))
export const RULE = {
  type: oneOf(RULE_TYPES),
  min: bound,
  max: bound,
  above: bound,
  multipleOf: optional(whole(2, 2)),
}

const readDetails = shape({ name: detail, value: detail, rule: optional(shape(RULE)) })
/** Of earlier releases: an English phrase, and no rule. */
const readPhrase = shape({ name: detail, value: detail, expected: detail })

/** What a trainer says of itself, `trainer.info()`. */
export const INFO = {
  step: count,
  steps: count,
  parameters: count,
  inputs: count,
  outputs: count,
  chance: share,
  rows: count,
  wall: count,
  maxLength: count,
  memoryBytes: finite(0, 2 ** 32),
  solvable: oneOf(/** @type {const} */ (['yes', 'no', 'partly'])),
  reason: name,
}

const readEntry = shape({
  task: oneOf(LAB_TASKS),
  code: oneOf(MODES),
  seed,
  status: oneOf(/** @type {const} */ (['waiting', 'done', 'failed'])),
  step: count,
  replaced: count,
  error: optional(
    shape({
      code: name,
      message: text(1000),
      details: (found, where) =>
        Object.hasOwn(Object(found), 'expected')
          ? { ...readPhrase(found, where), rule: undefined }
          : readDetails(found, where),
    }),
  ),
  info: optional(shape(INFO)),
  losses: list(number, LONGEST),
  accuracies: list(number, LONGEST),
  curve: optional(readCurve),
  snapshot: optional(base64),
})

export const readContent = shape({
  build: optional(shape({ version: name, simd: flag, toolchain: text(200) })),
  plan: readPlan,
  entries: list(readEntry, LAB_TASKS.length * MODES.length * 10),
})
