// The calls that make a trainer of the length lab and those of the trainer itself, like those of
// calls.js. What only several options together make wrong, the core finds.

import * as check from './check.js'
import { matrixOf, unwrap } from '../core.js'
import * as limits from './limits.js'

/** @typedef {import('../core.js').Core} Core */
/** @typedef {import('../core.js').TrainerHandle} TrainerHandle */
/** @typedef {import('./limits.js').LabCode} LabCode */
/** @typedef {import('./limits.js').LabExtension} LabExtension */
/** @typedef {import('./limits.js').LabScaling} LabScaling */
/** @typedef {import('./limits.js').LabTask} LabTask */
/** @typedef {import('./slices.js').Pace} Pace */
/**
 * @template R
 * @typedef {import('./slices.js').Sliced<R>} Sliced
 */

/**
 * @typedef {object} TrainerOptions
 * @property {LabTask} task
 * @property {LabCode} code
 * @property {number} [length] L, the longest that is trained on: 4 to 64, default 16
 * @property {4 | 8} [reach] the curve goes to reach * length; default 4
 * @property {number} [vocabulary] content tokens: 4 to 32, default 8
 * @property {number} [layers] 1 to 4, default 1
 * @property {16 | 32 | 64 | 128} [dModel] default 32
 * @property {1 | 2 | 4 | 8} [heads] default 4
 * @property {boolean} [mlp] a hidden layer of 4 dModel after each attention; default false
 * @property {boolean} [causal] a query sees no key after it; default true
 * @property {number} [batch] sequences a step: 1 to 128, default 16
 * @property {number} [steps] of the whole run: 1 to 20000, default 1000
 * @property {number} [learningRate] 1e-5 to 1, default 0.01
 * @property {number} [warmUp] steps of linear warm-up: 0 to steps, default 50 or all
 * @property {number} [clip] global norm of the gradient: above 0, default 1
 * @property {number} [weightDecay] on matrices: 0 to 1, default 0
 * @property {'fixed' | 'upTo'} [lengths] train on L alone (default) or on 1 to L
 * @property {boolean} [randomized] positions, Ruoss et al. 2023; default false
 * @property {'untrained' | 'wall'} [table] of code `learned`: rows past L stay as drawn (default), or
 *   are not there
 * @property {number} [seed] default 42
 * @property {number} [taskShift] of `back`: 1 to 8, default 3
 * @property {number} [taskModulo] of `modulo`: 2 to 8, default 4
 * @property {number} [t5Buckets] even, 4 to 64, default 16
 * @property {number} [t5MaxDistance] default 16, at most 1024
 * @property {number} [alibiExponent] slopes 2^(-exponent * h / heads): 0.5 to 16, default 4
 * @property {number} [ropeBase] 2 to 1e9, default 10000
 * @property {number} [sinusoidBase] the same
 */

/**
 * @typedef {object} TestOptions
 * @property {{ type: LabScaling, factor: number }} [scaling] of code `rope`; factor 1 to 64
 * @property {number} [ropeBase] of code `rope`, instead of the one of training
 * @property {LabExtension} [extend] of code `learned`: what stands for rows that no gradient
 *   reached; default none
 */

/** @typedef {TestOptions & { sequences?: number }} EvaluateOptions 1 to 512 a length, default 64 */
/**
 * @typedef {TestOptions & { length: number, layer?: number, head?: number, example?: number }
 *   } ExampleOptions layer, head and the number of the example: default 0
 */

/**
 * @typedef {object} TrainerInfo
 * @property {number} step done so far
 * @property {number} steps of the whole run
 * @property {number} parameters
 * @property {number} inputs ids that it reads
 * @property {number} outputs ids that it says
 * @property {number} chance accuracy of the best blind answer
 * @property {number} rows of the learned table; 0 for other codes
 * @property {number} wall first length without a row; 0 where there is none
 * @property {number} maxLength reach * length
 * @property {number} memoryBytes
 * @property {'yes' | 'no' | 'partly'} solvable by this code in theory, at the training length
 * @property {string} reason an id
 */

/**
 * @typedef {object} StepReport
 * @property {number} step done since creation
 * @property {boolean} finished
 * @property {Float32Array} losses one for each step of this call
 * @property {Float32Array} accuracies
 */

/**
 * @typedef {object} Curve
 * @property {Int32Array} lengths 1 to maxLength
 * @property {Float64Array} accuracies NaN where there is no answer
 * @property {Float64Array} losses
 * @property {Int32Array} counts targets judged at each length
 * @property {number} wall first length without a row under these options, or 0
 * @property {number} inside accuracy over the targets at lengths in (3L/4, L]; at L alone where a length
 *   has sequences of its own (copy, reverse, sort, addition; no causal mask) and training knew L alone.
 *   NaN where nothing is asked there
 * @property {boolean} trained inside is at least 0.95
 */

/**
 * @typedef {object} AttentionExample
 * @property {number} length T, of the sequence in tokens
 * @property {Int32Array} tokens
 * @property {Int32Array} targets -1: none
 * @property {Int32Array} predictions
 * @property {Float32Array} weights T * T, row = query
 */

/** @typedef {import('../core.js').Matrix<Float32Array>} Matrix */
/**
 * @typedef {object} TrainedTable
 * @property {Matrix} values row = position
 * @property {Uint8Array} gradientRows 1 for a row that a gradient has ever reached
 * @property {Matrix} similarity cosine of each row with each
 */

const trainerKeys = [
  'task',
  'code',
  'clip',
  ...Object.keys({
    ...limits.labIntegers,
    ...limits.labNumbers,
    ...limits.labChoices,
    ...limits.labFlags,
  }),
]

export const createTrainer = {
  /** @param {unknown} options */
  check(options) {
    const read = check.exactFields(options, trainerKeys)
    const { task, code, clip = 1 } = read
    /** @type {Record<string, any>} */
    const args = {
      task: check.choice('task', task, limits.labTasks),
      code: check.choice('code', code, limits.labCodes),
      clip: check.number('clip', clip, { above: 0 }),
    }
    for (const [key, [usual, min, max]] of Object.entries(limits.labIntegers)) {
      const { [key]: value = usual } = read
      args[key] = check.integer(key, value, min, max)
    }
    for (const [key, [usual, min, max]] of Object.entries(limits.labNumbers)) {
      const { [key]: value = usual } = read
      args[key] = check.number(key, value, { min, max })
    }
    for (const [key, [usual, ...values]] of Object.entries(limits.labChoices)) {
      const { [key]: value = usual } = read
      args[key] = check.choice(key, value, values)
    }
    for (const [key, usual] of Object.entries(limits.labFlags)) {
      const { [key]: value = usual } = read
      args[key] = check.boolean(key, value)
    }
    if (read.warmUp === undefined) args.warmUp = Math.min(args.warmUp, args.steps)
    return args
  },
  /**
   * @param {Core} core
   * @param {Record<string, any>} args
   * @returns {TrainerHandle}
   */
  run: (core, args) => unwrap(core.createTrainer(args), args).trainer,
}

export const restoreTrainer = {
  /** @param {unknown} bytes */
  check: (bytes) => ({ bytes: check.bytes('bytes', bytes, { maxLength: limits.maxLabSnapshot }) }),
  /**
   * @param {Core} core
   * @param {{ bytes: Uint8Array }} args
   * @returns {TrainerHandle}
   */
  run: (core, args) => unwrap(core.restoreTrainer(args)).trainer,
}

const nothing = () => ({})

/**
 * @param {import('../core.js').CoreAnswer} answer
 * @param {Record<string, unknown>} [args]
 * @returns {any} what the core found, and nothing else
 */
function found(answer, args) {
  const fields = { ...unwrap(answer, args) }
  delete fields.ok
  return fields
}

const info = {
  check: nothing,
  /**
   * @param {TrainerHandle} trainer
   * @returns {TrainerInfo}
   */
  run: (trainer) => found(trainer.info()),
}

const train = {
  mutates: true,
  /** @param {unknown} options */
  check(options) {
    const { steps } = check.exactFields(options, ['steps'])
    return { steps: check.integer('steps', steps, 0, limits.labIntegers.steps[2]) }
  },
  /**
   * The same bits however it is cut.
   * @param {TrainerHandle} trainer
   * @param {{ steps: number }} args
   * @param {Pace} pace
   * @returns {Sliced<StepReport>}
   */
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
  /**
   * @param {StepReport} before
   * @param {StepReport} after
   * @returns {StepReport}
   */
  join: (before, after) => ({
    ...after,
    losses: Float32Array.from([...before.losses, ...after.losses]),
    accuracies: Float32Array.from([...before.accuracies, ...after.accuracies]),
  }),
}

const testKeys = /** @type {const} */ (['scaling', 'ropeBase', 'extend'])

/**
 * @param {Record<typeof testKeys[number], unknown>} read
 * @returns {Record<string, any>} what was not given is not there
 */
function checkTest({ scaling, ropeBase, extend }) {
  /** @type {Record<string, any>} */
  const args = {}
  if (scaling !== undefined) {
    const { type, factor } = check.exactFields(scaling, ['type', 'factor'], 'scaling')
    args.scaling = check.choice('scaling.type', type, limits.labScalings)
    args.factor = check.number('scaling.factor', factor, { min: 1, max: limits.maxLabFactor })
  }
  if (ropeBase !== undefined) {
    const [, min, max] = limits.labNumbers.ropeBase
    args.ropeBase = check.number('ropeBase', ropeBase, { min, max })
  }
  if (extend !== undefined) args.extend = check.choice('extend', extend, limits.labExtensions)
  return args
}

const evaluate = {
  /** @param {unknown} options */
  check(options) {
    const read = check.exactFields(options, [...testKeys, 'sequences'])
    const { sequences = 64 } = read
    const args = checkTest(read)
    args.sequences = check.integer('sequences', sequences, 1, limits.maxLabSequences)
    return args
  },
  /**
   * @param {TrainerHandle} trainer
   * @param {Record<string, any>} args
   * @returns {Sliced<Curve>}
   */
  *run(trainer, args) {
    const { pieces: total } = unwrap(trainer.startCurve(args), args)
    for (let done = 0; done < total;) {
      unwrap(trainer.curvePiece({ piece: done }))
      done += 1
      if (done < total) yield { done, total }
    }
    return found(trainer.curve())
  },
}

const attention = {
  /** @param {unknown} options */
  check(options) {
    const read = check.exactFields(options, [...testKeys, 'length', 'layer', 'head', 'example'])
    const { length, layer = 0, head = 0, example = 0 } = read
    return {
      ...checkTest(read),
      length: check.integer('length', length, 1, limits.maxLabLength),
      layer: check.integer('layer', layer, 0, limits.labIntegers.layers[2] - 1),
      head: check.integer('head', head, 0, Math.max(...limits.labChoices.heads) - 1),
      example: check.integer('example', example, 0, limits.maxSeed),
    }
  },
  /**
   * @param {TrainerHandle} trainer
   * @param {Record<string, any>} args
   * @returns {AttentionExample}
   */
  run: (trainer, args) => found(trainer.attention(args), args),
}

const table = {
  check: nothing,
  /**
   * @param {TrainerHandle} trainer
   * @returns {TrainedTable}
   */
  run(trainer) {
    const { values, gradientRows, similarity, rows, columns } = unwrap(trainer.table())
    return {
      values: matrixOf({ data: values, rows, columns }),
      gradientRows,
      similarity: matrixOf({ data: similarity, rows, columns: rows }),
    }
  },
}

const snapshot = {
  check: nothing,
  /**
   * @param {TrainerHandle} trainer
   * @returns {Uint8Array} all of the run
   */
  run: (trainer) => unwrap(trainer.snapshot()).data,
}

/** The calls of a trainer by name. */
export const trainerCalls = { info, train, evaluate, attention, table, snapshot }
