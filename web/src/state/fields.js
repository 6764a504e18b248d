// One declarative table of everything a reader can set. Attributes, controls and links all go
// through it, so that a bound is written once. Knows no DOM.
import { labFields } from './lab_fields.js'
import { MODES } from './modes.js'
import { MAX_RESOLVED, readResolved } from './resolved.js'
import { choice, fitsSubset, flag, integer, membersOf, number, subsetText } from './rules.js'
import { splitWords } from './words.js'

export { MODES }

/**
 * @typedef {import('./rules.js').Rule} Rule
 * @typedef {import('./rules.js').NumberRule} NumberRule
 * @typedef {import('./rules.js').ChoiceRule} ChoiceRule
 * @typedef {import('./rules.js').SubsetRule} SubsetRule
 * @typedef {import('./rules.js').TextRule} TextRule
 * @typedef {import('./rules.js').Field} Field
 */

/** @type {import('./rules.js').ModelRule} */
const resolved = { type: 'model', maxLength: MAX_RESOLVED }
/** @type {TextRule} */
const sentence = { type: 'text', maxLength: 80, maxWords: 12 }

export const MAX_SEATS = 2048

const INPUT_CODES = Object.freeze(['sinusoidal', 'learned'])

/**
 * The codes that a scene can have in focus, its usual one first. A choice of scenes offers those
 * that know the code in focus.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const SCENE_MODES = Object.freeze({
  waves: INPUT_CODES,
  training: INPUT_CODES,
  beyond: INPUT_CODES,
  similarity: INPUT_CODES,
  order: MODES,
  sum: INPUT_CODES,
  cost: INPUT_CODES,
  rotation: ['rope', 'sinusoidal'],
  wavelengths: ['rope'],
  biases: ['alibi', 't5'],
  offsets: MODES,
  precision: ['rope'],
  model: ['rope', 'learned', 'alibi', 't5', 'nope', 'sinusoidal'],
  compare: MODES,
  length: MODES,
})

/**
 * Where a reader arrives who chooses a code that the scene in sight does not know.
 * @type {Readonly<Record<string, string>>}
 */
export const HOME_SCENES = Object.freeze({
  sinusoidal: 'waves',
  learned: 'training',
  rope: 'rotation',
  alibi: 'biases',
  t5: 'biases',
  nope: 'order',
})

export const BEHAVIOURS = Object.freeze([
  'raise',
  'assert',
  'clamp',
  'nan',
  'zeros',
  'wrap',
  'untrained',
])

/** As config.json spells them; `ntk` is the static one, which has no name there. */
export const ROPE_TYPES = Object.freeze([
  'default',
  'linear',
  'ntk',
  'dynamic',
  'yarn',
  'longrope',
  'llama3',
])

export const NUMBER_FORMATS = Object.freeze(['float32', 'bfloat16', 'float16'])

/**
 * Where a scene begins, while the reader has not chosen otherwise: with what its idea is plainest at.
 * @type {Readonly<Record<string, Readonly<Record<string, string | number>>>>}
 */
export const SCENE_STARTS = Object.freeze({
  waves: { mode: 'sinusoidal', position: 10 },
  training: { position: 10 },
  similarity: { mode: 'sinusoidal', position: 10 },
  order: { mode: 'sinusoidal', position: 0 },
  sum: { mode: 'sinusoidal', position: 10 },
  length: { mode: 'learned' },
})

/** The kernel's attention is for sentences: it is no wider than this. */
export const WIDEST_ATTENTION = 128

/**
 * In the order in which links write them. Bounds keep every picture drawable within a frame and
 * every table well below the limits of the engine.
 */
const fields = {
  scene: {
    key: 'scene',
    attribute: 'scene',
    rule: choice(...Object.keys(SCENE_MODES)),
    initial: 'beyond',
  },
  // which code is in focus
  mode: {
    key: 'mode',
    attribute: 'mode',
    rule: choice(...MODES),
    initial: 'learned',
  },
  // cursor, 0-based, below `length`
  position: {
    key: 'pos',
    attribute: 'position',
    rule: integer(0, MAX_SEATS - 1),
    initial: 60,
  },
  // second cursor of the similarity scene, below `length`
  position2: { key: 'pos2', rule: integer(0, MAX_SEATS - 1), initial: 30 },
  // from either cursor to the row it is compared with
  offset: { key: 'off', rule: integer(0, 511), initial: 3 },
  measure: { key: 'sim', rule: choice('dot', 'cosine'), initial: 'dot' },
  // highlighted dimension, below `dModel`
  dimension: { key: 'dim', rule: integer(0, 511), initial: 0 },
  // rows of the learned table that were trained
  tMax: { key: 'tmax', attribute: 't-max', rule: integer(1, 512), initial: 50 },
  // positions shown
  length: { key: 'len', attribute: 'length', rule: integer(2, MAX_SEATS), initial: 100 },
  // rows added to the table after training
  grown: { key: 'grown', rule: integer(0, MAX_SEATS), initial: 0 },
  dModel: { key: 'd', attribute: 'd-model', rule: integer(1, 512), initial: 16 },
  base: {
    key: 'base',
    attribute: 'base',
    rule: number(1, 1e9),
    initial: 10000,
    logarithmic: true,
  },
  seed: { key: 'seed', attribute: 'seed', rule: integer(0, 4294967295), initial: 42 },
  // training steps of the learned table
  steps: { key: 'steps', rule: integer(0, 5000), initial: 500 },
  rate: { key: 'rate', rule: number(0.001, 1), initial: 0.05, logarithmic: true }, // learning rate
  // of the random start of the learned table
  scale: { key: 'scale', rule: number(0.001, 2), initial: 0.1, logarithmic: true },
  // which table the training scene shows
  shown: { key: 'show', rule: choice('start', 'now', 'target'), initial: 'now' },
  // training steps an animation frame
  speed: { key: 'speed', rule: choice('1', '5', '25', '100'), initial: '5' },
  // what a lookup past the table does
  behaviour: { key: 'past', rule: choice(...BEHAVIOURS), initial: 'raise' },
  sentenceA: { key: 'a', rule: sentence, initial: '' }, // empty: the example of the language
  sentenceB: { key: 'b', rule: sentence, initial: '' }, // empty: the example of the language
  causal: { key: 'causal', rule: flag, initial: false },
  heads: { key: 'heads', rule: integer(1, 8), initial: 2 },
  // T_max of the cost scene, where nothing is trained
  costRows: { key: 'crows', rule: integer(1, 131072), initial: 512, logarithmic: true },
  costWidth: { key: 'cwidth', rule: integer(1, 12288), initial: 768, logarithmic: true },
  // millions of parameters
  costModel: { key: 'cmodel', rule: number(0.1, 1e6), initial: 110, logarithmic: true },
  costBytes: { key: 'cbytes', rule: choice('4', '2'), initial: '4' }, // of one parameter
  // seat of the query in the offsets scene
  queryAt: { key: 'q', rule: integer(0, MAX_SEATS - 1), initial: 0 },
  queryAt2: { key: 'q2', rule: integer(0, MAX_SEATS - 1), initial: 20 }, // of the other query
  // from the query to the key, below `length`
  distance: { key: 'dist', rule: integer(0, MAX_SEATS - 1), initial: 60 },
  // whether query and key are the same word
  pairing: { key: 'pair', rule: choice('same', 'other'), initial: 'same' },
  // half the head size, for the scenes about RoPE's frequencies
  ropePairs: { key: 'rpairs', rule: integer(2, 128), initial: 64 },
  ropeBase: { key: 'rbase', rule: number(2, 1e9), initial: 10000, logarithmic: true }, // theta
  // positions of the pretraining
  trainedLength: { key: 'ltrain', rule: integer(16, 131072), initial: 4096, logarithmic: true },
  // times the training length that is looked at
  reach: { key: 'reach', rule: number(1, 16), initial: 4, logarithmic: true },
  ropeType: { key: 'rtype', rule: choice(...ROPE_TYPES), initial: 'default' },
  ropeFactor: { key: 'rfac', rule: number(1, 32), initial: 4, logarithmic: true },
  // whether the other scalings are drawn, too
  ropeAll: { key: 'rall', rule: flag, initial: false },
  // highlighted pair, below `ropePairs`
  ropePair: { key: 'rpair', rule: integer(0, 127), initial: 46 },
  // cursor of the precision scene
  farPosition: { key: 'far', rule: integer(1, 1000000), initial: 2000, logarithmic: true },
  numberFormat: { key: 'fmt', rule: choice(...NUMBER_FORMATS), initial: 'bfloat16' },
  // the resolved positions of a model, as resolved.js writes them; empty: an example of the code in focus
  model: { key: 'model', rule: resolved, initial: '' },
  // of the sequence that the reader thinks of
  modelLength: { key: 'mlen', rule: integer(1, 2 ** 24), initial: 4096, logarithmic: true },
  // of dimensions whose planes the rotation scene shows
  pairs: { key: 'pairs', rule: integer(1, 8), initial: 4 },
  // which dimensions of a vector RoPE pairs
  layout: { key: 'layout', rule: choice('interleaved', 'half-split'), initial: 'interleaved' },
  // whether the keys of the biases scene lie on one side of a query or on both
  sided: { key: 'side', rule: choice('causal', 'symmetric'), initial: 'causal' },
  biasHead: { key: 'bhead', rule: integer(1, 8), initial: 3 }, // whose bias is shown, from 1
  biasLength: { key: 'blen', rule: integer(2, 64), initial: 32 }, // tokens of the biases scene
  // whose weights are drawn as a curve, below `biasLength`
  biasQuery: { key: 'bquery', rule: integer(0, 63), initial: 31 },
  numBuckets: { key: 'buckets', rule: integer(4, 32), initial: 16 }, // of the T5 bias
  // from which on every T5 distance has the last bucket
  maxDistance: { key: 'bmax', rule: integer(3, 128), initial: 32 },
  ...labFields,
  lang: { key: 'lang', attribute: 'lang', rule: choice('auto', 'en', 'zh'), initial: 'auto' },
  theme: {
    key: 'theme',
    attribute: 'theme',
    rule: choice('auto', 'light', 'dark', 'projector'),
    initial: 'auto',
  },
  controls: {
    key: 'controls',
    attribute: 'controls',
    rule: choice('none', 'minimal', 'full'),
    initial: 'full',
  },
}

/** @type {Readonly<Record<string, Field>>} */
export const FIELDS = Object.freeze(fields)

/** What is visible, a value a field. @typedef {import('./rules.js').Values<typeof fields>} State */

/**
 * Why a value was refused: carries what a translated sentence needs.
 * @typedef {{ name: string, value: unknown, rule: Rule }} Refusal
 */

/**
 * Reads a value strictly: nothing is coerced but the text that a control or an attribute always
 * gives ("60" for 60).
 * @param {string} name a field of FIELDS
 * @param {unknown} raw text or an already typed value
 * @returns {{ value: string | number | boolean } | { refused: Refusal }}
 */
export function readField(name, raw) {
  const { rule } = FIELDS[name]
  const refused = { refused: { name, value: raw, rule } }
  if (rule.type === 'choice') {
    return typeof raw === 'string' && rule.values.includes(raw) ? { value: raw } : refused
  }
  if (rule.type === 'subset') {
    const good = typeof raw === 'string' && fitsSubset(raw, rule)
    return good ? { value: subsetText(rule, membersOf(raw)) } : refused
  }
  if (rule.type === 'text') {
    return typeof raw === 'string' && fitsText(raw, rule) ? { value: raw } : refused
  }
  if (rule.type === 'model') {
    const good = typeof raw === 'string' && (raw === '' || readResolved(raw) !== undefined)
    return good ? { value: raw } : refused
  }
  if (rule.type === 'flag') {
    if (raw === true || raw === '1' || raw === 'true' || raw === '') return { value: true }
    return raw === false || raw === '0' || raw === 'false' ? { value: false } : refused
  }
  const value = typeof raw === 'string' ? parseNumber(raw) : raw
  if (typeof value !== 'number' || !Number.isFinite(value)) return refused
  if (rule.type === 'integer' && !Number.isInteger(value)) return refused
  return value >= rule.min && value <= rule.max ? { value } : refused
}

/**
 * Reads a value leniently, for links: numbers are clamped into their bounds and rounded, unknown
 * members of a subset are dropped, whatever cannot be read at all gives undefined.
 * @param {string} name
 * @param {string} raw
 */
export function clampField(name, raw) {
  const { rule } = FIELDS[name]
  if (rule.type === 'integer' || rule.type === 'number') {
    const value = parseNumber(raw)
    if (Number.isNaN(value)) return undefined
    const inside = Math.min(rule.max, Math.max(rule.min, value))
    return rule.type === 'integer' ? Math.round(inside) : inside
  }
  if (rule.type === 'subset') return subsetText(rule, membersOf(raw)) || undefined
  const result = readField(name, raw)
  return 'value' in result ? result.value : undefined
}

/**
 * The empty text stands for the example of the language; any other has at least one word.
 * @param {string} text
 * @param {TextRule} rule
 */
function fitsText(text, { maxLength, maxWords }) {
  if (text === '') return true
  const words = splitWords(text).length
  return [...text].length <= maxLength && words >= 1 && words <= maxWords
}

/**
 * A decimal number written in full, or NaN. `Number('')` is 0 and `Number('0x10')` is 16: neither is
 * what a reader who typed that meant.
 * @param {string} text
 */
function parseNumber(text) {
  const trimmed = text.trim().replace(/^\u2212/, '-')
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed) ? Number(trimmed) : NaN
}
