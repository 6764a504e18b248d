// What stands in the file of a run, value by value: one description, from which it is written and
// strictly read. Whatever does not keep its rule is named by its place.
import { LAB_FIELDS, LAB_TASKS } from '../../state/lab_fields.js'
import { MODES } from '../../state/modes.js'
import { fromBase64, fromNumberText, toBase64, toNumberText } from './bytes.js'

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
 * @typedef {{ read: (value: unknown, where: string) => T, write: (value: any) => any }} Field
 *   `read` throws Damage
 */

/** @param {boolean} good @param {string} where */
export function assertGood(good, where) {
  if (!good) throw new Damage(where)
}

/**
 * @template T
 * @param {(value: any) => T | undefined} accept undefined: the rule is broken
 * @param {(value: any) => unknown} [write]
 * @returns {Field<T>}
 */
const kind = (accept, write = (value) => value) => ({
  read(value, where) {
    const found = accept(value)
    if (found === undefined) throw new Damage(where)
    return found
  },
  write,
})

/** @template T @param {(value: any) => boolean} good @param {(value: any) => unknown} [write] */
const plain = (good, write) =>
  kind((value) => (good(value) ? /** @type {T} */ (value) : undefined), write)

/** @param {number} min @param {number} max @returns {Field<number>} */
const whole = (min, max) =>
  plain((value) => Number.isInteger(value) && value >= min && value <= max)

/** @param {number} min @param {number} max @returns {Field<number>} */
const finite = (min, max) =>
  plain((value) => typeof value === 'number' && value >= min && value <= max)

/** @type {Field<boolean>} */
const flag = plain((value) => typeof value === 'boolean')

/** @param {number} longest @returns {Field<string>} */
const text = (longest) =>
  plain(
    (value) => typeof value === 'string' && value.length <= longest,
    (value) => value.slice(0, longest),
  )

/** @template {string} T @param {readonly T[]} values @returns {Field<T>} */
const oneOf = (values) => plain((value) => values.includes(value))

/** Null stands for nothing. @template T @param {Field<T>} field @returns {Field<T | undefined>} */
const optional = ({ read, write }) => ({
  read: (value, where) => (value === null ? undefined : read(value, where)),
  write: (value) => (value === undefined || value === null ? null : write(value)),
})

/** @template T @param {Field<T>} field @param {number} longest @returns {Field<T[]>} */
const list = ({ read, write }, longest) => ({
  read(value, where) {
    assertGood(Array.isArray(value) && value.length <= longest, where)
    return /** @type {unknown[]} */ (value).map((item, i) => read(item, `${where}[${i}]`))
  },
  write: (values) => Array.from(values, (item) => write(item)),
})

/**
 * @template {Record<string, Field<any>>} T
 * @param {T} fields all of them; others are refused, and not written
 * @returns {Field<{ [K in keyof T]: ReturnType<T[K]['read']> }>}
 */
const shape = (fields) => ({
  read(value, where) {
    assertGood(typeof value === 'object' && value !== null && !Array.isArray(value), where)
    const found = /** @type {Record<string, unknown>} */ (value)
    for (const name of Object.keys(found)) {
      assertGood(Object.hasOwn(fields, name), `${where}.${name.slice(0, 40)}`)
    }
    const entries = Object.entries(fields).map(([name, { read }]) => {
      assertGood(Object.hasOwn(found, name), `${where}.${name}`)
      return [name, read(found[name], `${where}.${name}`)]
    })
    return Object.fromEntries(entries)
  },
  write: (value) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { write }]) => [name, write(value[name])]),
    ),
})

/** @param {import('../../state/rules.js').Rule} rule @returns {Field<any>} */
function byRule(rule) {
  if (rule.type === 'integer') return whole(rule.min, rule.max)
  if (rule.type === 'number') return finite(rule.min, rule.max)
  if (rule.type !== 'choice') return flag
  // What the state has as text is a number in a plan.
  const numbers = rule.values.map(Number)
  return numbers.some(Number.isNaN) ? oneOf(rule.values) : plain((value) => numbers.includes(value))
}

const field = (/** @type {string} */ name) => byRule(LAB_FIELDS[name].rule)
const number = kind(fromNumberText, toNumberText)
const share = kind((value) => {
  const found = fromNumberText(value)
  return found === undefined || found < 0 || found > 1 ? undefined : found
}, toNumberText)
const count = whole(0, 2 ** 31 - 1)
const seed = whole(0, 2 ** 32 - 1)
const name = text(60)
/** Lengths that a curve has at most, and points of a loss. */
const LONGEST = 512
const base64 = kind(
  (value) => (typeof value === 'string' ? fromBase64(value) : undefined),
  toBase64,
)

/** @type {Field<import('./plan.js').Plan>} */
const plan = shape({
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

export const curve = shape({
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
const detail = plain(
  (value) => ['number', 'boolean', 'string'].includes(typeof value) && String(value).length <= 200,
  (value) =>
    typeof value === 'number' || typeof value === 'boolean'
      ? value
      : String(value ?? '').slice(0, 200),
)

/** Kinds of rules that the options of a trainer can break. */
const RULE_TYPES = /** @type {const} */ (['integer', 'number', 'memory'])

const bound = optional(finite(-1e300, 1e300))
const brokenRule = shape({
  type: oneOf(RULE_TYPES),
  min: bound,
  max: bound,
  above: bound,
  multipleOf: optional(whole(2, 2)),
})
const rule = optional({
  ...brokenRule,
  write: (value) => (RULE_TYPES.includes(value.type) ? brokenRule.write(value) : null),
})

const details = shape({ name: detail, value: detail, rule })
/** Of earlier releases: an English phrase, and no rule. */
const phrase = shape({ name: detail, value: detail, expected: detail })

/** What a trainer says of itself, `trainer.info()`. */
const info = shape({
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
})

const entry = shape({
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
      details: {
        ...details,
        read: (/** @type {unknown} */ found, /** @type {string} */ where) =>
          Object.hasOwn(Object(found), 'expected')
            ? { ...phrase.read(found, where), rule: undefined }
            : details.read(found, where),
      },
    }),
  ),
  info: optional(info),
  losses: list(number, LONGEST),
  accuracies: list(number, LONGEST),
  curve: optional(curve),
  snapshot: optional(base64),
})

export const content = shape({
  build: optional(shape({ version: name, simd: flag, toolchain: text(200) })),
  plan,
  entries: list(entry, LAB_TASKS.length * MODES.length * 10),
})
