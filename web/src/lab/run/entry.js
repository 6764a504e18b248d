// One model of a race: what is known of it while it trains, and after.

/** @import { Plan } from './plan.js' */

/** @import { Curve as Evaluated, TrainedTable, TrainerInfo } from '../../engine/types.js' */

/**
 * Accuracy by length, `final` after the last step, over many sequences; `step` after which the model was
 * asked, with so many `sequences` of each length.
 * @typedef {Evaluated & { final: boolean, step: number, sequences: number }} Curve
 */

/**
 * @typedef {object} Entry
 * @property {number} index in the race
 * @property {string} task
 * @property {string} code
 * @property {number} seed
 * @property {'waiting' | 'running' | 'done' | 'failed'} status
 * @property {number} step how many are done
 * @property {number} steps of the whole run
 * @property {number} stride steps that each point of `losses` and `accuracies` is the mean of
 * @property {number[]} at the last step of each point
 * @property {number[]} losses
 * @property {number[]} accuracies
 * @property {Curve | undefined} curve
 * @property {TrainedTable | undefined} table of the code `learned`
 * @property {{ code: string, message: string, details: Record<string, any> } | undefined} error
 * @property {number} replaced workers that died under it
 * @property {TrainerInfo | undefined} info as it was made
 * @property {Uint8Array | undefined} snapshot of the trainer: the last one taken while it trains, the
 *   finished one afterwards. Without one a finished entry can no more be tested: there was no room
 * @property {number} snapshotStep
 */

/** Points that a curve over the steps has at most. */
const MOST_POINTS = 250

/**
 * @param {Plan} plan
 * @returns {Entry[]} in the order in which they run: the first task is complete first
 */
export function entriesOf({ tasks, codes, seeds, options: { steps } }) {
  const names = tasks.flatMap((task) =>
    seeds.flatMap((seed) => codes.map((code) => ({ task, code, seed }))),
  )
  return names.map((name, index) => ({
    index,
    ...name,
    status: 'waiting',
    step: 0,
    steps,
    stride: Math.ceil(steps / MOST_POINTS),
    at: [],
    losses: [],
    accuracies: [],
    curve: undefined,
    table: undefined,
    error: undefined,
    replaced: 0,
    info: undefined,
    snapshot: undefined,
    snapshotStep: 0,
  }))
}
