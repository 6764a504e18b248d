// The length lab: what is said of the curves of several models, the calls that make a trainer and those
// of the trainer itself. What only several options together make wrong, the core finds.
import { found, matrixOf, unwrap } from '../core.js'
import { invalidArgument } from '../errors.js'
import * as check from './check.js'
import { flag, int, maybe, num, oneOf, taking } from './check.js'
import * as limits from './limits.js'

/** @import { Calls } from '../types.js' */
/** @import { Field } from './check.js' */

const { labChoices, labFlags, labIntegers, labNumbers } = limits
const nothing = () => ({})

/** Every option of a run, its bounds and default from the one table. @type {Record<string, Field>} */
const trainerFields = {
  task: oneOf(limits.labTasks),
  code: oneOf(limits.labCodes),
  clip: num({ above: 0 }, 1),
  ...mapped(labIntegers, ([usual, min, max]) => int(min, max, usual)),
  ...mapped(labNumbers, ([usual, min, max]) => num({ min, max }, usual)),
  ...mapped(labChoices, ([usual, ...values]) => oneOf(values, usual)),
  ...mapped(labFlags, flag),
  // The usual one, or all.
  warmUp(name, value, { steps }) {
    const [usual, min, max] = labIntegers.warmUp
    return check.integer(name, value === undefined ? Math.min(usual, steps) : value, min, max)
  },
}

/**
 * @template T
 * @param {Record<string, T>} table
 * @param {(row: T) => Field} field
 * @returns {Record<string, Field>}
 */
function mapped(table, field) {
  return Object.fromEntries(Object.entries(table).map(([key, row]) => [key, field(row)]))
}

/** @type {Calls} */
export const curveCalls = {
  summarizeCurves: {
    check: taking(
      {
        task: trainerFields.task,
        length: trainerFields.length,
        causal: trainerFields.causal,
        lengths: trainerFields.lengths,
        curves: (name, value, { length }) =>
          check.list(name, value, limits.maxLabCurves).map((one, i) => {
            const { accuracies, counts } = check.fields(
              one,
              ['accuracies', 'counts'],
              `curves[${i}]`,
            )
            const bounds = { minLength: length, maxLength: limits.maxLabLength, min: 0 }
            const known = check.integers('counts', counts, { ...bounds, max: 2 ** 31 - 1 })
            const share = { length: known.length, min: 0, max: 1, nan: true }
            return { accuracies: check.numbers('accuracies', accuracies, share), counts: known }
          }),
      },
      { also: besideOneAnother },
    ),
    run(core, args) {
      const { near, ...rest } = found(core.curveSummary(args))
      return { ...rest, near: { data: near, shape: [args.counts.length / args.size, args.size] } }
    },
  },
  pairedTests: {
    check(given) {
      const { data, shape } = check.fields(given, ['data', 'shape'])
      const bounds = { length: 3, min: 0, max: limits.maxLabCurves }
      const [groups, seeds, columns] = check.integers('shape', shape, bounds)
      const length = groups * seeds * columns
      return { groups, seeds, columns, values: check.numbers('data', data, { length, nan: true }) }
    },
    run: (core, args) => found(core.pairedTests(args)),
  },
}

/** Curves of the same lengths as rows of one matrix. @param {any} args */
function besideOneAnother({ curves, ...args }) {
  const size = curves[0]?.counts.length ?? args.length
  const accuracies = new Float64Array(curves.length * size)
  const counts = new Int32Array(accuracies.length)
  curves.forEach((/** @type {any} */ one, /** @type {number} */ i) => {
    if (one.counts.length !== size) {
      const rule = /** @type {const} */ ({ type: 'array', minLength: size, maxLength: size })
      throw invalidArgument('curves', one.counts.length, rule)
    }
    accuracies.set(one.accuracies, i * size)
    counts.set(one.counts, i * size)
  })
  return { ...args, size, accuracies, counts }
}

/** @type {Calls} */
export const trainerOpenings = {
  createTrainer: {
    check: taking(trainerFields, { exact: true }),
    run: (core, args) => unwrap(core.createTrainer(args), args).trainer,
  },
  restoreTrainer: {
    check: (bytes) => ({
      bytes: check.bytes('bytes', bytes, { maxLength: limits.maxLabSnapshot }),
    }),
    run: (core, args) => unwrap(core.restoreTrainer(args)).trainer,
  },
}

/** What may be changed after training; what was not given is not there. @type {Record<string, Field>} */
const testFields = {
  scaling: maybe((name, value) => check.exactFields(value, ['type', 'factor'], name)),
  ropeBase: maybe(trainerFields.ropeBase),
  extend: maybe(oneOf(limits.labExtensions)),
}

/** The kernel takes a scaling's type and factor side by side. @param {any} args */
function withFactor({ scaling, ...args }) {
  if (scaling === undefined) return args
  const { type, factor } = scaling
  return {
    ...args,
    scaling: check.choice('scaling.type', type, limits.labScalings),
    factor: check.number('scaling.factor', factor, { min: 1, max: limits.maxLabFactor }),
  }
}
const testOptions = (/** @type {Record<string, Field>} */ fields) =>
  taking({ ...testFields, ...fields }, { exact: true, also: withFactor })

/** @type {Calls} */
export const trainerCalls = {
  info: { check: nothing, run: (trainer) => found(trainer.info()) },
  train: {
    mutates: true,
    check: taking({ steps: int(0, labIntegers.steps[2]) }, { exact: true }),
    // The same bits however it is cut.
    *run(trainer, { steps }, pace) {
      const { step, steps: last } = unwrap(trainer.info())
      const total = Math.min(steps, last - step)
      const losses = new Float32Array(total)
      const accuracies = new Float32Array(total)
      let done = 0
      const part = () => ({
        step: step + done,
        finished: step + done >= last,
        losses: losses.slice(0, done),
        accuracies: accuracies.slice(0, done),
      })
      for (;;) {
        const count = pace.take(total - done, 1)
        const answer = unwrap(trainer.train({ steps: count }))
        losses.set(answer.losses, done)
        accuracies.set(answer.accuracies, done)
        done += count
        if (done >= total) return part()
        yield { done, total, part }
      }
    },
    join: (before, after) => ({
      ...after,
      losses: Float32Array.from([...before.losses, ...after.losses]),
      accuracies: Float32Array.from([...before.accuracies, ...after.accuracies]),
    }),
  },
  evaluate: {
    check: testOptions({ sequences: int(1, limits.maxLabSequences, 64) }),
    *run(trainer, args) {
      const { pieces: total } = unwrap(trainer.startCurve(args), args)
      for (let done = 0; done < total;) {
        unwrap(trainer.curvePiece({ piece: done }))
        done += 1
        if (done < total) yield { done, total }
      }
      return found(trainer.curve())
    },
  },
  attention: {
    check: testOptions({
      length: int(1, limits.maxLabLength),
      layer: int(0, labIntegers.layers[2] - 1, 0),
      head: int(0, Math.max(...labChoices.heads) - 1, 0),
      example: int(0, limits.maxSeed, 0),
    }),
    run: (trainer, args) => found(trainer.attention(args), args),
  },
  table: {
    check: nothing,
    run(trainer) {
      const { values, gradientRows, similarity, rows, columns } = unwrap(trainer.table())
      return {
        values: matrixOf({ data: values, rows, columns }),
        gradientRows,
        similarity: matrixOf({ data: similarity, rows, columns: rows }),
      }
    },
  },
  snapshot: { check: nothing, run: (trainer) => unwrap(trainer.snapshot()).data },
}
