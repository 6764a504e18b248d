// A real model: what its config.json says of positions. What is computed and what is said.
import { advise } from '../../config/advice.js'
import { turnsOf } from '../../config/training.js'
import { counted, nameOf, noteText, refusedNote, shownOf } from './shown.js'
import { mountModel } from './view.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../config/training.js').Turns} Turns
 * @typedef {import('./shown.js').ModelModel} ModelModel
 */

/**
 * @param {any} codes
 * @param {State} state
 * @returns {Promise<ModelModel>}
 */
async function compute({ engine }, state) {
  const shown = shownOf(state)
  const { resolved } = shown.reading
  const { encoding, width = 1, heads = 1, distance = 1, buckets } = resolved
  const model = { scene: /** @type {const} */ ('model'), state, shown }
  const turns = await Promise.all(
    resolved.ropes.map((rope) => turnsOf(engine, resolved, rope, state.modelLength)),
  )
  const waves =
    encoding === 'sinusoidal'
      ? (await engine.pairPhasors({ dModel: width, position: 0 })).wavelength
      : undefined
  const slopes = encoding === 'alibi' ? await engine.alibiSlopes({ heads }) : undefined
  const shownDistance = Math.min(4096, 2 * distance)
  const found =
    encoding === 't5'
      ? await engine.t5Buckets({
          offsets: Int32Array.from({ length: shownDistance + 1 }, (_, i) => -i),
          bidirectional: resolved.bidirectional === 1,
          numBuckets: buckets,
          maxDistance: distance,
        })
      : undefined
  return { ...model, turns, waves, slopes, buckets: found }
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} state
 * @param {ModelModel} model
 */
function say(t, state, model) {
  const { resolved } = model.shown.reading
  const { encoding, positions } = resolved
  const lead = t('model.say.lead', {
    name: nameOf(t, model.shown),
    code: t(`mode.${encoding}`),
  })
  const refused = model.turns.find((one) => one.refused)?.refused
  const [first] = advise(resolved, state.modelLength)
  const past = positions !== undefined && state.modelLength > positions
  const failing = encoding === 'learned' && past
  let body = refused ? refusedNote(t, refused) : first ? noteText(t, first) : ''
  const turns = model.turns[0]
  if (turns?.trained !== undefined) {
    body = t('model.say.both', { first: body, second: sayUnseen(t, turns, state.modelLength) })
  }
  return { lead, body, failing }
}

/**
 * Which angles of its longest distances the model has not met.
 * @param {Translate} t
 * @param {Turns} turns
 * @param {number} length
 */
function sayUnseen(t, { trained = 0, further, window = 0, unseen, unseenFrom }, length) {
  let key = unseen > 0 ? 'unseen' : 'seen'
  if (further) key += '.further'
  else if (!unseen && window > 0 && window < length) key = 'window'
  const values = { pairs: unseen, all: unseenFrom.length, trained: further ?? trained }
  return t(`model.say.${key}`, counted({ ...values, length, window: window ?? length }))
}

export const model = Object.freeze({
  id: 'model',
  /** The length has its place under the picture. */
  fields: [],
  compute,
  say,
  mount: mountModel,
})
