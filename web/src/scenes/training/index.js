// Training: the learned table while it is being written. What is computed and what is said.
import { formatPercent } from '../../kit/format.js'
import { LAST_STEP, TrainingRun, shareWalked } from './run.js'
import { mountTraining } from './view.js'
import { inputMode } from '../../state/state.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 */

/**
 * The table in training belongs to the view: it is freed with it.
 * @typedef {{ run: TrainingRun | undefined }} Memory
 */

/**
 * @typedef {import('./run.js').Standing & { scene: 'training', state: State }} TrainingModel
 */

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {Memory} memory
 * @returns {Promise<TrainingModel>}
 */
async function compute(codes, state, memory) {
  memory.run ??= new TrainingRun(codes.engine)
  const standing = await memory.run.at(state)
  return { scene: 'training', state, ...standing }
}

/**
 * The one sentence under the figure. It tells of the table that is drawn, not of the one that is
 * still being trained.
 * @param {Translate} t
 * @param {State} state
 * @param {TrainingModel} model
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, state, model) {
  const { steps, loss, startLoss } = model
  const share = shareWalked(model)
  const values = {
    steps,
    loss: loss.toFixed(6),
    start: startLoss.toFixed(6),
    walked: formatPercent(t, share),
    seed: model.state.seed,
    scale: model.state.scale,
    max: LAST_STEP,
  }
  const lead = state.shown === 'now' ? 'training.say.lead' : `training.say.lead.${state.shown}`
  return {
    lead: t(lead, values),
    body: t(situation(state, steps, share), values),
    failing: false,
  }
}

/**
 * @param {State} state
 * @param {number} steps
 * @param {number} share walked
 * @returns {TextKey}
 */
function situation(state, steps, share) {
  const { shown } = state
  const mode = inputMode(state)
  if (shown === 'target') return `training.say.target.${mode}`
  if (shown === 'start') return 'training.say.start'
  if (mode === 'sinusoidal') return steps === 0 ? 'training.say.formula' : 'training.say.sinusoidal'
  if (steps === 0) return 'training.say.zero'
  if (steps >= LAST_STEP) return 'training.say.end'
  return share > 0.99 ? 'training.say.near' : 'training.say.now'
}

export const training = Object.freeze({
  id: 'training',
  /** The steps and the row have their own places in the figure. */
  fields: ['tMax', 'dModel', 'rate', 'scale', 'seed'],
  compute,
  say,
  mount: mountTraining,
})
