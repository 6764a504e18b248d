// A real model: which one is shown, and what is said of it.
import { pretrained } from '../config/advice.js'
import { EXAMPLE_OF, PUBLIC_MODELS, configText } from '../config/models.js'
import { readConfig } from '../config/read.js'
import { readResolved } from '../state/resolved.js'
import { ruleWords } from '../ui/refusals.js'
import { formatCount } from './amounts.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../state/resolved.js').Resolved} Resolved
 * @typedef {import('../state/resolved.js').Rope} Rope
 * @typedef {import('../config/read.js').Reading} Reading
 * @typedef {import('../text/text.js').Translate} Translate
 */

/**
 * A model as it is shown: from a file, one of the public ones, or only what a link carries.
 * @typedef {object} Shown
 * @property {string} [id] of a public model
 * @property {string} text of its config.json, empty where there is only a link
 * @property {Reading} reading
 */

/**
 * @typedef {object} Turns one set of rotations
 * @property {Rope} rope
 * @property {Float64Array} plain wavelengths without the scaling, positions a turn
 * @property {Float64Array} scaled the model's own
 * @property {Float64Array} frequencies of `scaled`, radians a position
 * @property {number} attentionFactor
 * @property {import('../engine/errors.js').InvalidArgumentDetails} [refused] why the kernel cannot
 *   compute a scaling
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

/**
 * From which position on each pair stands at angles that training never showed: none of those that
 * came round once without the scaling; the others later, as the scaling has stretched them.
 * @param {ModelModel} model
 * @returns {{ from: Float64Array, trained: number } | undefined}
 */
export function unseen({ turns: [first], shown }) {
  const trained = first && pretrained(first.rope, shown.reading.resolved.declared)
  if (trained === undefined) return undefined
  const from = first.plain.map((wavelength, i) =>
    wavelength <= trained ? Infinity : (trained * first.scaled[i]) / wavelength,
  )
  return { from, trained }
}

/**
 * How many pairs do within a length.
 * @param {ModelModel} model
 * @param {number} length
 */
export function countUnseen(model, length) {
  const found = unseen(model)
  if (!found) return undefined
  const { from, trained } = found
  return { pairs: from.filter((position) => position < length).length, all: from.length, trained }
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
 * @param {import('../config/read.js').Note} note
 */
export const noteText = (t, { key, params }) =>
  t(/** @type {import('../text/text.js').TextKey} */ (`model.note.${key}`), counted(params))
