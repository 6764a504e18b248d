// What is said of the curves of several models; a part of the table in calls.js, where `check` and `run`
// are explained.

import * as check from './check.js'
import { unwrap } from '../core.js'
import { invalidArgument } from '../errors.js'
import * as limits from './limits.js'

/** @typedef {import('../core.js').Core} Core */

/**
 * @typedef {object} CurveOptions
 * @property {import('./limits.js').LabTask} task
 * @property {number} [length] L of the training, default 16
 * @property {boolean} [causal] default true
 * @property {'fixed' | 'upTo'} [lengths] default `fixed`
 * @property {Pick<import('./trainer.js').Curve, 'accuracies' | 'counts'>[]} curves of the same
 *   lengths, one a seed: at most 64, or none
 */

/**
 * Near a length are, of the lengths up to it, a quarter of L; it alone where a length has sequences of
 * its own and training knew L alone. Every target counts alike. NaN where nothing was judged.
 * @typedef {object} CurveSummary
 * @property {Float64Array} mean accuracy by length, from length 1
 * @property {Float64Array} low of the curves
 * @property {Float64Array} high
 * @property {import('../core.js').Matrix<Float64Array>} near accuracy near each length, a row a curve
 * @property {Float64Array} about mean of `near`
 * @property {Float64Array} past accuracy over all that is longer than L, one a curve
 * @property {number} window how many lengths are near one
 * @property {number} inside `about` at L: the mean of the curves' `inside`
 * @property {boolean} trained inside is at least 0.95
 * @property {number} holds last length up to which, from L on, `mean` stays at 0.95 or above; 0: none
 */

export const summarizeCurves = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['task', 'length', 'causal', 'lengths', 'curves'])
    const { labIntegers, labChoices, labFlags } = limits
    const [usual, min, max] = labIntegers.length
    const { length = usual, lengths = labChoices.lengths[0], causal = labFlags.causal } = read
    const args = {
      task: check.choice('task', read.task, limits.labTasks),
      length: check.integer('length', length, min, max),
      causal: check.boolean('causal', causal),
      lengths: check.choice('lengths', lengths, labChoices.lengths),
    }
    const curves = check.list('curves', read.curves, limits.maxLabCurves).map((one, i) => {
      const { accuracies, counts } = check.fields(one, ['accuracies', 'counts'], `curves[${i}]`)
      const bounds = { minLength: args.length, maxLength: limits.maxLabLength, min: 0 }
      const known = check.integers('counts', counts, { ...bounds, max: 2 ** 31 - 1 })
      const share = { length: known.length, min: 0, max: 1, nan: true }
      return { accuracies: check.numbers('accuracies', accuracies, share), counts: known }
    })
    const size = curves[0]?.counts.length ?? args.length
    const accuracies = new Float64Array(curves.length * size)
    const counts = new Int32Array(accuracies.length)
    curves.forEach((one, i) => {
      if (one.counts.length !== size) {
        const rule = { type: /** @type {const} */ ('array'), minLength: size, maxLength: size }
        throw invalidArgument('curves', one.counts.length, rule)
      }
      accuracies.set(one.accuracies, i * size)
      counts.set(one.counts, i * size)
    })
    return { ...args, size, accuracies, counts }
  },
  /**
   * @param {Core} core
   * @param {{ size: number, counts: Int32Array }} args
   * @returns {CurveSummary}
   */
  run(core, args) {
    const { near, ...rest } = unwrap(core.curveSummary(args))
    delete rest.ok
    return { ...rest, near: { data: near, shape: [args.counts.length / args.size, args.size] } }
  },
}

/**
 * @typedef {object} PairedTests
 * @property {Float64Array} means of the groups
 * @property {Float64Array} differences of each group (row) and each (column), seed by seed
 * @property {Uint8Array} certain the same, 1 where they differ: by 0.02 at least, and in a two-sided
 *   paired t test at 95 %
 */

export const pairedTests = {
  /** @param {unknown} options */
  check(options) {
    const { data, shape } = check.fields(options, ['data', 'shape'])
    const bounds = { length: 3, min: 0, max: limits.maxLabCurves }
    const [groups, seeds, columns] = check.integers('shape', shape, bounds)
    const length = groups * seeds * columns
    return { groups, seeds, columns, values: check.numbers('data', data, { length, nan: true }) }
  },
  /**
   * @param {Core} core
   * @param {object} args
   * @returns {PairedTests}
   */
  run(core, args) {
    const { means, differences, certain } = unwrap(core.pairedTests(args))
    return { means, differences, certain }
  },
}
