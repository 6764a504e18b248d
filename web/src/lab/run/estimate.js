// How long a run will take, before it has begun: by the multiplications of its models, and by what
// this machine did last.

import { finalShare } from './job.js'

/** @import { Plan } from './plan.js' */

/** Multiplications with their additions, a second of one worker on an old core; mended by what was measured. */
const SLOW_CORE = 4e9
/** The part of a step that does not shrink with the model, in seconds. */
const OVERHEAD = 1e-4

/** Work of one training step, forward and back. @param {Plan['options']} options */
function stepWork({ layers, dModel, length, batch, mlp, vocabulary }) {
  const tokens = batch * length
  const block = (mlp ? 12 : 4) * dModel * dModel + 2 * length * dModel
  return 3 * tokens * (layers * block + 2 * vocabulary * dModel)
}

/**
 * @param {Plan} plan
 * @param {{ pace?: number }} [measured] seconds that a run took for each second that was expected
 * @param {number} [jobs] models at once
 * @returns {number} seconds, roughly
 */
export function estimate({ tasks, codes, seeds, options }, { pace = 1 } = {}, jobs = jobsHere()) {
  const models = tasks.length * codes.length * seeds.length
  const each = options.steps * (stepWork(options) / SLOW_CORE + OVERHEAD)
  const shares = tasks.map((task) => finalShare({ task, steps: options.steps }, { options }))
  const tested = 1 + shares.reduce((sum, share) => sum + share, 0) / shares.length
  return (pace * tested * each * models) / Math.min(jobs, models)
}

/** More workers than this do not make it faster on any machine that a reader has. */
const MOST_JOBS = 6

/** @returns {number} how many models are trained at once */
export const jobsHere = () => Math.max(1, Math.min(MOST_JOBS, navigator.hardwareConcurrency || 2))
