// One model of a race: what is known of it while it trains, and after.

/** @import { Plan } from './plan.js' */
/** @import { Matrix } from '../../kit/codes.js' */

/**
 * Accuracy by length, as `trainer.evaluate` gives it.
 * @typedef {object} Curve
 * @property {boolean} final after the last step, over many sequences
 * @property {number} step after which the model was asked
 * @property {number} sequences of each length
 * @property {Int32Array} lengths 1 to reach * L
 * @property {Float64Array} accuracies 0 to 1; NaN where there is none
 * @property {Int32Array} counts targets behind each of them
 * @property {Float64Array} losses mean cross-entropy; NaN where there is none
 * @property {number} wall first length without a row of the learned table; 0: there is no such
 * @property {number} inside accuracy near L
 * @property {boolean} trained whether that is enough
 */

/**
 * @typedef {object} LearnedTable
 * @property {{ data: Float32Array, shape: [number, number] }} values rows x d
 * @property {Uint8Array} gradientRows 1 for each row that a gradient has ever reached
 * @property {{ data: Float32Array, shape: [number, number] }} similarity cosines, rows x rows
 */

/**
 * @typedef {object} TrainerInfo
 * @property {number} step
 * @property {number} steps
 * @property {number} parameters
 * @property {number} inputs ids that the model reads
 * @property {number} outputs ids that it says
 * @property {number} chance accuracy of the best constant or uniform answer
 * @property {number} rows of the learned table; 0 for other codes
 * @property {number} wall
 * @property {number} maxLength
 * @property {number} memoryBytes
 * @property {'yes' | 'no' | 'partly'} solvable
 * @property {string} reason an id
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
 * @property {LearnedTable | undefined} table of the code `learned`
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
