// From the text of a config.json to the positions that the model really has. Pure: no DOM, no kernel,
// and whatever the text is, the answer is data.
import { areBuckets, writeResolved } from '../state/resolved.js'
import { parseJson } from './json.js'
import { CODE_OF_TYPE, KEYS, NESTED, OTHERS, PADDED, SHIFTED, codeOfFamily } from './keys.js'
import { readRopes } from './rope.js'
import { Refused, Source, isObject, note, wrong } from './source.js'

/** Files that are longer are not read, in characters. */
export const MAX_CONFIG = 256 * 1024

/**
 * @typedef {import('../state/resolved.js').Resolved} Resolved
 * @typedef {import('./source.js').Origin} Origin
 * @typedef {'size' | 'empty' | 'end' | 'found' | 'deep' | 'comma' | 'object' | 'unknown' | 'nothing' |
 *   'value' | 'missing' | 'odd' | 'list' | 'long' | 'disentangled' | 'relative' | 'state'} ErrorKey of a text
 *   `model.error.…`
 * @typedef {{ name: string, layers?: string, value: number | string | number[], from: Origin }} Field
 *   `name` of a text `model.field.…`
 * @typedef {{ key: string, params: Record<string, string | number>, warns: boolean }} Note `key` of a
 *   text `model.note.…`
 */

/**
 * @typedef {object} Reading
 * @property {true} ok
 * @property {Resolved} resolved
 * @property {string} code of the link
 * @property {Field[]} fields
 * @property {Note[]} notes on the file; what follows from the fields alone is in advice.js
 */

/** @typedef {{ ok: false, error: { key: ErrorKey, params: Record<string, string | number> } }} NotRead */

/** @param {string} text @returns {Reading | NotRead} */
export function readConfig(text) {
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ok: false, error: { key: error.key, params: error.params } }
  }
}

/** @param {string} text @returns {Reading} */
function read(text) {
  if (text.length > MAX_CONFIG) throw new Refused('size', { limit: MAX_CONFIG / 1024 })
  if (text.trim() === '') throw new Refused('empty')
  const json = parseJson(text)
  if ('error' in json) throw new Refused(json.error, { line: json.line, found: json.found })
  if (!isObject(json.value)) throw new Refused('object')
  /** @type {Note[]} */
  const notes = json.twice
    .slice(0, 3)
    .map((key) => note('twice', { key, line: json.lines.get(key) ?? 0 }))
  const source = languageModel(json.value, json.lines, notes)
  const family = familyOf(source.object)
  if (Object.hasOwn(OTHERS, family)) throw new Refused(OTHERS[family], { family })

  const reading = new Fields()
  const encoding = encodingOf(source, family)
  if (family) reading.add('family', family, source.found('model_type').from)
  /** @type {Resolved} */
  const resolved = { encoding, ...(isName(family) && { family }), ropes: [] }
  const whole = { source, family, resolved, reading, notes }
  readSizes(whole)
  if (encoding === 'rope') readRopes(whole)
  if (encoding === 'learned') readTable(whole)
  if (encoding === 't5') readBuckets(whole)
  if (encoding === 'alibi') readAlibi(whole)
  const code = writeResolved(resolved)
  if (code === undefined) throw new Refused('long')
  return { ok: true, resolved, code, fields: reading.fields, notes }
}

/** What was found, in the order of a table. */
export class Fields {
  /** @type {Field[]} */
  fields = []

  /**
   * @param {string} name
   * @param {Field['value']} value
   * @param {Origin} from
   * @param {string} [layers]
   */
  add(name, value, from, layers) {
    this.fields.push({ name, value, from, ...(layers && { layers }) })
  }
}

/**
 * @typedef {object} Whole what the parts of the reader share
 * @property {Source} source
 * @property {string} family
 * @property {Resolved} resolved
 * @property {Fields} reading
 * @property {Note[]} notes
 */

/**
 * A model of pictures and words keeps its language model in an object of its own.
 * @param {Record<string, unknown>} root
 * @param {Map<string, number>} lines
 * @param {Note[]} notes
 */
function languageModel(root, lines, notes) {
  /** @type {Record<string, unknown>} */
  let object = root
  let path = ''
  for (let depth = 0; depth < 3; depth += 1) {
    const key = NESTED.find((name) => Object.hasOwn(object, name) && isObject(object[name]))
    const known =
      codeOfFamily(familyOf(object)) && KEYS.width.some((name) => Object.hasOwn(object, name))
    if (key === undefined || known) break
    object = /** @type {Record<string, unknown>} */ (object[key])
    path = path ? `${path}.${key}` : key
  }
  if (path) notes.push({ ...note('nested', { key: path }), warns: false })
  return new Source(object, path, lines, familyOf(object))
}

/** @param {Record<string, unknown>} object */
function familyOf(object) {
  const type = Object.hasOwn(object, 'model_type') ? object.model_type : ''
  return typeof type === 'string' ? type.slice(0, 40) : ''
}

/** Whether it can stand in a link. @param {string} text */
const isName = (text) => /^[a-z][\w-]{0,39}$/i.test(text)

const ROPE_KEYS = ['rope_scaling', 'rope_parameters', 'rotary_dim', ...KEYS.theta, ...KEYS.partial]

/**
 * What a file says itself counts before what its family usually does.
 * @param {Source} source
 * @param {string} family
 * @returns {Resolved['encoding']}
 */
function encodingOf(source, family) {
  const attention = source.inside('attn_config')
  if (source.get('alibi') === true || source.get('use_alibi') === true) return 'alibi'
  if (attention?.get('alibi') === true) return 'alibi'
  if (attention?.get('rope') === true) return 'rope'
  if (family === 'mpt') return 'learned'
  // Two sizes share a name; the larger one has linear biases.
  if (family === 'baichuan' && source.get('hidden_size') === 5120) return 'alibi'
  const type = source.get('position_embedding_type')
  if (typeof type === 'string') {
    if (Object.hasOwn(CODE_OF_TYPE, type)) return CODE_OF_TYPE[type]
    if (type.startsWith('relative_key')) throw new Refused('relative', { family })
  }
  for (const key of [
    'static_position_embeddings',
    'sinusoidal_pos_embds',
    'sinusoidal_embeddings',
  ]) {
    if (source.get(key) === true) return 'sinusoidal'
  }
  const usual = codeOfFamily(family)
  if (usual) return usual
  if (ROPE_KEYS.some((key) => source.has(key))) return 'rope'
  if (source.has('relative_attention_num_buckets')) return 't5'
  if (family) throw new Refused('unknown', { family })
  throw new Refused('nothing')
}

/** @param {Whole} whole */
function readSizes({ source, resolved, reading }) {
  for (const name of /** @type {const} */ (['width', 'heads'])) {
    const most = name === 'width' ? 65536 : 1024
    const found = source.number(KEYS[name], { most })
    if (!found) continue
    resolved[name] = found.value
    reading.add(name, found.value, found.from)
  }
  const { encoding } = resolved
  if (encoding === 't5') return
  const positions = source.number(KEYS.positions)
  if (positions) {
    resolved.declared = resolved.positions = positions.value
    if (encoding !== 'learned') reading.add('positions', positions.value, positions.from)
  }
  if (encoding === 'sinusoidal' && !resolved.width) throw missing(KEYS.width)
  const key = KEYS.window.find((name) => Number.isInteger(source.get(name)))
  const window = source.number(key ? [key] : KEYS.window, { least: -1, most: 2 ** 53 })
  const used = source.get('use_sliding_window') !== false && encoding !== 'learned'
  if (window && window.value > 0 && window.value <= 2 ** 24 && used) {
    resolved.window = window.value
    reading.add('window', window.value, window.from)
  }
}

/** @param {readonly string[]} keys */
const missing = (keys) => new Refused('missing', { keys: keys.slice(0, 3).join(', ') })

/** Rows of a learned table, and how many of them a position can have. @param {Whole} whole */
function readTable({ source, family, resolved, reading }) {
  const found = source.number(KEYS.positions)
  if (!found) throw missing(KEYS.positions)
  let rows = found.value
  let offset = 0
  /** @type {import('./source.js').Found | undefined} */
  let padding
  /** @type {Origin} */
  let from = { computed: '0' }
  if (PADDED.has(family)) {
    padding = source.number(['pad_token_id'], { least: 0 })
    offset = (padding?.value ?? 1) + 1
    from = { computed: 'pad_token_id + 1' }
  } else if (SHIFTED.has(family)) {
    offset = 2
    rows += 2
    from = { computed: family }
  }
  const positions = rows - offset
  if (positions < 1) throw wrong(offset > rows ? (padding ?? found) : found)
  Object.assign(resolved, { rows, offset, positions })
  const computed = { computed: `${found.key} + 2` }
  reading.add('rows', rows, SHIFTED.has(family) ? computed : found.from)
  if (offset > 0) reading.add('offset', offset, from)
  reading.add('positions', positions, offset > 0 ? { computed: `${rows} − ${offset}` } : found.from)
}

/** @param {Whole} whole */
function readBuckets({ source, resolved, reading }) {
  const t5 = new Source(source.object, source.path, source.lines, 't5')
  const buckets = t5.number(['relative_attention_num_buckets'], { least: 4, most: 65536 })
  const distance = t5.number(['relative_attention_max_distance'])
  if (!buckets || !distance) throw missing(['relative_attention_num_buckets'])
  const bidirectional = source.get('is_encoder_decoder') === false ? 0 : 1
  const found = { buckets: buckets.value, distance: distance.value, bidirectional }
  if (!areBuckets(found)) throw wrong(distance)
  Object.assign(resolved, found)
  reading.add('buckets', buckets.value, buckets.from)
  reading.add('distance', distance.value, distance.from)
}

/** @param {Whole} whole */
function readAlibi({ source, resolved, notes }) {
  if (!resolved.heads) throw missing(KEYS.heads)
  const attention = source.inside('attn_config')
  const most = attention?.get('alibi_bias_max')
  if (typeof most === 'number' && most !== 8) {
    notes.push(note('biasMax', { key: 'attn_config.alibi_bias_max', value: most }))
  }
}
