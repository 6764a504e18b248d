// A real model: what its config.json says of positions. What is computed and what is said.
import { advise } from '../config/advice.js'
import { READ_BY_TYPE } from '../config/keys.js'
import { counted, nameOf, noteText, refusedNote, shownOf, countUnseen } from './model_shown.js'
import { mountModel } from './model_view.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../state/resolved.js').Resolved} Resolved
 * @typedef {import('../state/resolved.js').Rope} Rope
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('./model_shown.js').Turns} Turns
 * @typedef {import('./model_shown.js').ModelModel} ModelModel
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
 * @param {any} engine
 * @param {Resolved} resolved
 * @param {Rope} rope
 * @param {number} length
 * @returns {Promise<Turns>}
 */
async function turnsOf(engine, { declared }, rope, length) {
  const { headDim, theta, partial, type } = rope
  const base = { headDim, theta, partialRotaryFactor: partial ?? 1 }
  const plain = await engine.ropeFrequencies(base)
  const waves = (/** @type {any} */ { inverseFrequencies }) =>
    Float64Array.from(inverseFrequencies, (frequency) => (2 * Math.PI) / frequency)
  /** @param {any} answer @param {Turns['refused']} [refused] */
  const turns = (answer, refused) => ({
    rope,
    plain: waves(plain),
    scaled: waves(answer),
    frequencies: answer.inverseFrequencies,
    attentionFactor: answer.attentionFactor,
    refused,
  })
  if (type === 'default' || type === 'other') return turns(plain)
  try {
    const scaling = scalingOf(rope)
    return turns(await engine.ropeFrequencies({ ...base, maxPositions: declared, length, scaling }))
  } catch (error) {
    const { code, details } = /** @type {any} */ (error)
    if (code !== 'invalid-argument') throw error
    return turns(plain, details)
  }
}

/** @param {Rope} rope @returns {Record<string, unknown>} as the kernel takes it */
function scalingOf(rope) {
  const keys = READ_BY_TYPE[rope.type].filter((key) => key in rope)
  const values = keys.map((key) => [key, /** @type {any} */ (rope)[key]])
  return {
    rope_type: rope.type,
    ...Object.fromEntries(values),
    ...(rope.original !== undefined && { original_max_position_embeddings: rope.original }),
    ...(rope.truncate !== undefined && { truncate: rope.truncate === 1 }),
  }
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
  const found = encoding === 'rope' ? countUnseen(model, state.modelLength) : undefined
  if (found) {
    const key = found.pairs > 0 ? 'model.say.unseen' : 'model.say.seen'
    body = t('model.say.both', {
      first: body,
      second: t(key, counted({ ...found, length: state.modelLength })),
    })
  }
  return { lead, body, failing }
}

export const model = Object.freeze({
  id: 'model',
  /** The length has its place under the picture. */
  fields: [],
  compute,
  say,
  mount: mountModel,
})
