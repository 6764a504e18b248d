// A real model: which one is shown, and what is said of it.
import { EXAMPLE_OF, PUBLIC_MODELS, configText } from '../../config/models.js'
import { readConfig } from '../../config/read.js'
import { readResolved } from '../../state/resolved.js'
import { ruleWords } from '../../kit/refusals.js'
import { formatCount } from '../../kit/format.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../state/resolved.js').Resolved} Resolved
 * @typedef {import('../../config/read.js').Reading} Reading
 * @typedef {import('../../config/training.js').Turns} Turns
 * @typedef {import('../../text/text.js').Translate} Translate
 */

/**
 * A model as it is shown: from a file, one of the public ones, or only what a link carries.
 * @typedef {object} Shown
 * @property {string} [id] of a public model
 * @property {string} text of its config.json, empty where there is only a link
 * @property {Reading} reading
 */

/**
 * @typedef {object} ModelModel
 * @property {'model'} scene
 * @property {State} state
 * @property {Shown} shown
 * @property {Turns[]} turns
 * @property {Float64Array | undefined} waves wavelengths of a sinusoidal code
 * @property {Float64Array | undefined} slopes of ALiBi
 * @property {Int32Array | undefined} buckets of T5, by distance to a key before the query
 */

/** Files that were read here, so that a change of language or scene does not lose them. */
/** @type {Map<string, Shown>} */
const read = new Map()
const MOST_READ = 4

/**
 * @param {string} text of a config.json
 * @returns {ReturnType<typeof readConfig>}
 */
export function readHere(text) {
  const reading = readConfig(text)
  if (reading.ok) {
    read.delete(reading.code)
    // Another file may come down to the same fields: only the very text is the public model's.
    if (publicModels().get(reading.code)?.text === text) return reading
    read.set(reading.code, { text, reading })
    if (read.size > MOST_READ) read.delete([...read.keys()][0])
  }
  return reading
}

/** @type {Map<string, Shown> | undefined} */
let published

/** Public models by their code. */
function publicModels() {
  published ??= new Map(
    Object.keys(PUBLIC_MODELS).map((id) => {
      const text = configText(id)
      const reading = /** @type {Reading} */ (readConfig(text))
      return [reading.code, { id, text, reading }]
    }),
  )
  return published
}

/** @param {string} id of a public model @returns {string} for the state */
export const codeOf = (id) => [...publicModels()].find(([, shown]) => shown.id === id)?.[0] ?? ''

/**
 * @param {Pick<State, 'model' | 'mode'>} state
 * @returns {Shown}
 */
export function shownOf({ model, mode }) {
  const code = model || codeOf(EXAMPLE_OF[mode])
  const found = read.get(code) ?? publicModels().get(code)
  if (found) return found
  const resolved = /** @type {Resolved} */ (readResolved(code))
  return { text: '', reading: { ok: true, resolved, code, fields: [], notes: [] } }
}

/**
 * @param {Translate} t
 * @param {Shown} shown
 */
export function nameOf(t, { id, reading }) {
  if (id) return PUBLIC_MODELS[id].name
  return reading.resolved.family ?? t('model.yours')
}

/** Numbers as they are read. @param {Record<string, string | number>} params */
export const counted = (params) =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      typeof value === 'number' && value >= 1000 ? formatCount(value) : value,
    ]),
  )

/**
 * @param {Translate} t
 * @param {NonNullable<Turns['refused']>} refused
 */
export const refusedNote = (t, { name, rule }) =>
  t('model.note.refused', { name, rule: ruleWords(t, rule) })

/**
 * @param {Translate} t
 * @param {import('../../config/read.js').Note} note
 */
export function noteText(t, { key, params }) {
  const { layers } = params
  const note = t(`model.note.${key}`, counted(params))
  if (!layers) return note
  const global = String(layers).startsWith('full')
  return t('model.note.layers', { layers: global ? t('model.layers.full') : layers, note })
}
