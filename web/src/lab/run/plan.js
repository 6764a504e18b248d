// What a run of the length lab consists of, as plain data: from the state, and into entries.
import { membersOf } from '../../state/rules.js'

/** @import { State } from '../../state/state.js' */

/**
 * @typedef {ReturnType<typeof planOf>} Plan
 * @typedef {Plan['options']} PlanOptions what every trainer of a run has in common: the options of
 *   `engine.createTrainer` but for task, code and seed
 */

/** Steps of a quick look. */
const QUICK_STEPS = 400

/** Steps over which the learning rate rises. */
const WARM_UP = 50

/**
 * @param {State} state
 * @param {'quick' | 'full'} extent a quick look is one seed of the task in sight
 */
export function planOf(state, extent) {
  const quick = extent === 'quick'
  const seeds = quick ? 1 : state.labSeeds
  const steps = quick ? Math.min(QUICK_STEPS, state.labSteps) : state.labSteps
  return {
    tasks: quick ? [state.labShown] : membersOf(state.labTasks),
    codes: membersOf(state.labCodes),
    // A seed has 32 bits.
    seeds: Array.from({ length: seeds }, (_, index) => (state.seed + index) % 2 ** 32),
    options: {
      length: state.labLength,
      reach: Number(state.labReach),
      vocabulary: state.labVocabulary,
      layers: state.labLayers,
      dModel: Number(state.labWidth),
      heads: Number(state.labHeads),
      mlp: state.labMlp,
      causal: state.labCausal,
      batch: state.labBatch,
      steps,
      learningRate: state.labRate,
      warmUp: Math.min(WARM_UP, steps),
      lengths: /** @type {'upTo' | 'fixed'} */ (state.labUpTo ? 'upTo' : 'fixed'),
      randomized: state.labRandomized,
      table: state.labTable,
      taskShift: state.labShift,
      taskModulo: state.labModulo,
      t5Buckets: state.labBuckets,
      t5MaxDistance: state.labBucketEnd,
      alibiExponent: state.labSlopes,
      ropeBase: state.labBase,
      sinusoidBase: state.labBase,
    },
  }
}

/**
 * What of the state changes a model that was trained, as options of `trainer.evaluate`.
 * @param {State} state
 * @param {string} code of the model; what does not concern it is left out
 * @returns {Record<string, unknown>}
 */
export function testOptionsOf(state, code) {
  if (code === 'learned') return state.labExtend === 'none' ? {} : { extend: state.labExtend }
  if (code !== 'rope') return {}
  const { labScaling: type, labFactor: factor, labTestBase } = state
  return {
    ...(type === 'none' ? {} : { scaling: { type, factor } }),
    ...(labTestBase > 0 ? { ropeBase: labTestBase } : {}),
  }
}

/**
 * @param {Plan} one
 * @param {Plan} other
 * @returns {boolean} whether both give the same numbers, entry by entry
 */
export const samePlan = (one, other) => planText(one) === planText(other)

/** @param {Plan} plan */
const planText = ({ tasks, codes, seeds, options }) =>
  JSON.stringify([tasks, codes, seeds, Object.entries(options).sort()])
