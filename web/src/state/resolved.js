// What a model's configuration comes down to, and the text that stands for it in a link. Pure.

/**
 * One set of rotations. Keys of a scaling are those of config.json.
 * @typedef {object} Rope
 * @property {string} [layers] the kind of layers that turn like this, where there are several
 * @property {number} headDim
 * @property {number} theta
 * @property {number} [partial] share of the head that turns; 1 where absent
 * @property {string} type default, linear, ntk, dynamic, yarn, longrope, llama3, or `other`
 * @property {string} [name] of another type, as the file spells it
 * @property {number} [factor]
 * @property {number} [original] the pretrained context L0
 * @property {number} [attention_factor]
 * @property {number} [beta_fast]
 * @property {number} [beta_slow]
 * @property {number} [mscale]
 * @property {number} [mscale_all_dim]
 * @property {number} [truncate] 0 or 1
 * @property {number} [low_freq_factor]
 * @property {number} [high_freq_factor]
 * @property {number[]} [short_factor]
 * @property {number[]} [long_factor]
 * @property {number[]} [mrope_section] pairs for time, height and width
 */

/**
 * @typedef {object} Resolved
 * @property {'rope' | 'learned' | 'alibi' | 't5' | 'nope' | 'sinusoidal'} encoding
 * @property {string} [family] `model_type`
 * @property {number} [positions] that the file promises
 * @property {number} [declared] `max_position_embeddings`
 * @property {number} [rows] of a learned table
 * @property {number} [offset] rows that no position uses
 * @property {number} [width] of a vector of the model
 * @property {number} [heads]
 * @property {number} [window] of sliding attention
 * @property {number} [buckets]
 * @property {number} [distance]
 * @property {number} [bidirectional] 1 where the keys on both sides are seen
 * @property {number} [every] each so many layers there is one without a position code
 * @property {Rope[]} ropes
 */

/** Longer texts are not read. LongRoPE's two lists take most of it. */
export const MAX_RESOLVED = 3400

const ENCODINGS = ['rope', 'learned', 'alibi', 't5', 'nope', 'sinusoidal']
export const ROPE_TYPES = ['default', 'linear', 'ntk', 'dynamic', 'yarn', 'longrope', 'llama3']

/** @typedef {{ key: string, least?: number, most?: number, whole?: boolean, list?: boolean, words?: boolean }} Part */

const MOST = 2 ** 24

/** @param {string} key @param {number} [least] @param {number} [most] @returns {Part} */
const whole = (key, least = 1, most = MOST) => ({ key, least, most, whole: true })
/** @param {string} key @param {number} [least] @param {number} [most] @returns {Part} */
const real = (key, least = 1e-9, most = 1e9) => ({ key, least, most })
/** @param {string} key @returns {Part} */
const words = (key) => ({ key, words: true })

/** The letters of a link and what they stand for. @type {Record<string, Part>} */
const MODEL_PARTS = {
  n: words('family'),
  p: whole('positions'),
  m: whole('declared'),
  r: whole('rows'),
  o: whole('offset', 0),
  w: whole('width', 1, 65536),
  h: whole('heads', 1, 1024),
  s: whole('window'),
  b: whole('buckets', 2, 65536),
  d: whole('distance'),
  bi: whole('bidirectional', 0, 1),
  e: whole('every', 1, 1024),
}

/** @type {Record<string, Part>} */
const ROPE_PARTS = {
  l: words('layers'),
  hd: whole('headDim', 2, 65536),
  th: real('theta', 1, 1e100),
  pr: real('partial', 1e-4, 1),
  ty: words('type'),
  tn: words('name'),
  fa: real('factor', 1),
  op: whole('original'),
  af: real('attention_factor'),
  bf: real('beta_fast'),
  bs: real('beta_slow'),
  ms: real('mscale', 0),
  ma: real('mscale_all_dim', 0),
  tr: whole('truncate', 0, 1),
  lo: real('low_freq_factor'),
  hi: real('high_freq_factor'),
  sf: { ...real('short_factor'), list: true },
  lf: { ...real('long_factor'), list: true },
  mr: { ...whole('mrope_section', 1, 4096), list: true },
}

/** What must be there, or nothing can be shown. @type {Record<string, (keyof Resolved)[]>} */
const NEEDED = {
  learned: ['rows', 'offset', 'positions'],
  alibi: ['heads'],
  t5: ['buckets', 'distance'],
  sinusoidal: ['width'],
}

/**
 * @param {Resolved} resolved
 * @returns {string | undefined} undefined where it does not fit into a link
 */
export function writeResolved(resolved) {
  const groups = [
    [resolved.encoding, ...writeParts(MODEL_PARTS, resolved)].join('~'),
    ...resolved.ropes.map((rope) => writeParts(ROPE_PARTS, rope).join('~')),
  ]
  const text = groups.join('!')
  return readResolved(text) ? text : undefined
}

/** Reads strictly: whatever `writeResolved` would not write is refused. @param {string} text */
export function readResolved(text) {
  if (text.length > MAX_RESOLVED || !/^[\w.~!*-]+$/.test(text)) return undefined
  const [head, ...tail] = text.split('!')
  const [encoding, ...parts] = head.split('~')
  if (!ENCODINGS.includes(encoding) || tail.length > 3) return undefined
  const model = readParts(MODEL_PARTS, parts)
  const ropes = tail.map((group) => readParts(ROPE_PARTS, group.split('~')))
  if (!model || !ropes.every(isRope)) return undefined
  if ((encoding === 'rope') !== ropes.length > 0) return undefined
  const resolved = /** @type {Resolved} */ ({ encoding, ...model, ropes })
  if (!(NEEDED[encoding] ?? []).every((key) => key in resolved)) return undefined
  if (encoding === 't5' && !areBuckets(resolved)) return undefined
  return resolved
}

/**
 * The first half of the buckets of a side hold one distance each; the last has to lie beyond.
 * @param {Pick<Resolved, 'buckets' | 'distance' | 'bidirectional'>} of
 */
export function areBuckets({ buckets = 0, distance = 0, bidirectional }) {
  const sides = bidirectional === 1 ? 2 : 1
  return buckets >= 2 * sides && distance > Math.floor(buckets / (2 * sides))
}

/** @param {string} text @returns {Resolved['encoding'] | undefined} */
export const encodingOf = (text) => readResolved(text)?.encoding

/** @param {any} rope */
function isRope(rope) {
  if (!rope || !('headDim' in rope) || !('theta' in rope)) return false
  const turned = Math.floor(rope.headDim * (rope.partial ?? 1))
  if (rope.headDim % 2 !== 0 || turned < 2 || turned % 2 !== 0) return false
  return rope.type === 'other' ? 'name' in rope : ROPE_TYPES.includes(rope.type)
}

/** @param {Record<string, Part>} parts @param {any} values */
function writeParts(parts, values) {
  return Object.entries(parts).flatMap(([letter, { key, list }]) => {
    const value = values[key]
    if (value === undefined) return []
    return `${letter}.${list ? value.map(writeNumber).join('*') : writeNumber(value)}`
  })
}

/** @param {number | string} value */
const writeNumber = (value) => String(value).replace('e+', 'e')

/**
 * @param {Record<string, Part>} parts
 * @param {string[]} texts in the order of `parts`, none twice
 */
function readParts(parts, texts) {
  const letters = Object.keys(parts)
  /** @type {Record<string, unknown>} */
  const values = {}
  let last = -1
  for (const text of texts) {
    const dot = text.indexOf('.')
    const place = letters.indexOf(text.slice(0, dot))
    if (dot < 1 || place <= last) return undefined
    last = place
    const part = parts[letters[place]]
    const raw = text.slice(dot + 1)
    const items = (part.list ? raw.split('*') : [raw]).map((item) => readPart(part, item))
    if (items.includes(undefined)) return undefined
    values[part.key] = part.list ? items : items[0]
  }
  return values
}

/** @param {Part} part @param {string} raw */
function readPart({ words: isWords, least = 0, most = 0, whole: isWhole }, raw) {
  if (isWords) return /^[a-z][\w-]{0,39}$/i.test(raw) ? raw : undefined
  const value = Number(raw)
  const fits = value >= least && value <= most && (!isWhole || Number.isInteger(value))
  return fits && writeNumber(value) === raw ? value : undefined
}
