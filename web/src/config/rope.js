// What a file says of RoPE: head size, base, scaling, of one kind of layers or of several.
import { ROPE_TYPES } from '../state/resolved.js'
import { KEYS, READ_BY_TYPE, SAME_TYPE } from './keys.js'
import { Refused, Source, isObject, note, wrong } from './source.js'

/**
 * @typedef {import('../state/resolved.js').Rope} Rope
 * @typedef {import('./read.js').Whole} Whole
 * @typedef {import('./source.js').Found} Found
 */

/** Keys of a scaling that are read elsewhere, or by nobody but to tell. */
const TOLD = new Set([
  'rope_type',
  'type',
  'rope_theta',
  'partial_rotary_factor',
  'original_max_position_embeddings',
  'mrope_section',
  'mrope_interleaved',
])

/** Adds one set of rotations, or one for each kind of layers. @param {Whole} whole */
export function readRopes(whole) {
  const { source, notes } = whole
  // Where there are both, transformers 5 takes rope_scaling, and 4 knows nothing else.
  const both = ['rope_scaling', 'rope_parameters'].filter((key) => isObject(source.get(key)))
  if (both.length > 1) notes.push(note('both'))
  const object = both.length > 0 ? source.inside(both[0]) : undefined
  // The sentence under the figure speaks of the first: the layers that see the whole text.
  const kinds = Object.keys(object?.object ?? {})
    .filter((key) => isObject(object?.get(key)))
    .sort((one, other) => Number(other.startsWith('full')) - Number(one.startsWith('full')))
  if (object && kinds.length > 0) {
    for (const kind of kinds.slice(0, 3)) readRope(whole, object.inside(kind), { layers: kind })
  } else {
    const local = source.first(['rope_local_base_freq', 'local_rope_theta'])
    readRope(whole, object, local ? { layers: 'full_attention' } : {})
    if (local) readRope(whole, undefined, { layers: 'sliding_attention', theta: local })
  }
  readLayersWithout(whole)
  promise(whole)
}

/**
 * @param {Whole} whole
 * @param {Source | undefined} scaling
 * @param {{ layers?: string, theta?: Found }} given
 */
function readRope({ source, resolved, reading, notes }, scaling, { layers, theta: local }) {
  const empty = new Source({}, '', source.lines, '')
  const inner = scaling ?? empty
  const name = layers && /^[a-z][\w-]{0,39}$/i.test(layers) ? layers : undefined
  /** @param {string} key @param {Found['value']} value @param {Found['from']} from */
  const tell = (key, value, from) => reading.add(key, value, from, name)

  const headDim = readHead(source, resolved, tell, resolved.ropes.length === 0)
  const theta =
    local ??
    inner.number(['rope_theta'], { most: 1e100, whole: false }) ??
    source.number(KEYS.theta, { most: 1e100, whole: false })
  if (local && !(typeof local.value === 'number' && local.value >= 1)) throw wrong(local)
  tell('theta', theta?.value ?? 10000, theta?.from ?? { assumed: true })
  const outer = scaling && source.number(['rope_theta'], { most: 1e100, whole: false })
  if (!name && outer && theta && outer.value !== theta.value && !('assumed' in outer.from)) {
    notes.push(note('theta', { inner: theta.value, outer: outer.value }))
  }
  /** @type {Rope} */
  const rope = { ...(name && { layers: name }), headDim, theta: theta?.value ?? 10000, type: '' }
  readPartial(source, inner, rope, tell)
  const written = inner.first(['rope_type', 'type'])
  const type = typeof written?.value === 'string' ? written.value : 'default'
  const known = Object.hasOwn(SAME_TYPE, type) ? SAME_TYPE[type] : type
  // HunYuan's alpha grows the base at every length: another scaling under the same name.
  if (known === 'dynamic' && inner.has('alpha')) {
    rope.type = 'other'
    rope.name = 'dynamic-alpha'
  } else if (ROPE_TYPES.includes(known)) rope.type = known
  else {
    rope.type = 'other'
    rope.name = /^[a-z][\w-]{0,39}$/i.test(type) ? type : 'unknown'
  }
  if (written || scaling) tell('type', type, written?.from ?? { assumed: true })
  readScaling(source, inner, rope, tell)
  tellIgnored(inner, rope, notes)
  resolved.ropes.push(rope)
}

/**
 * @param {Source} source
 * @param {import('../state/resolved.js').Resolved} resolved
 * @param {(key: string, value: any, from: Found['from']) => void} tell
 * @param {boolean} first
 */
function readHead(source, { width, heads }, tell, first) {
  const found = source.number(KEYS.head, { least: 2, most: 65536 })
  let head = found?.value
  /** @type {Found['from'] | undefined} */
  let from = found?.from
  if (head === undefined) {
    if (!width || !heads) {
      throw new Refused('missing', { keys: 'head_dim, hidden_size, num_attention_heads' })
    }
    head = width / heads
    from = { computed: `${width} / ${heads}` }
  }
  if (!Number.isInteger(head) || head % 2 !== 0) throw new Refused('odd', { value: head })
  if (first && from) tell('headDim', head, from)
  return head
}

/**
 * @param {Source} source
 * @param {Source} inner
 * @param {Rope} rope
 * @param {(key: string, value: any, from: Found['from']) => void} tell
 */
function readPartial(source, inner, rope, tell) {
  const share = { least: 1e-4, most: 1, whole: false }
  const found = inner.number(['partial_rotary_factor'], share) ?? source.number(KEYS.partial, share)
  const dims = found ? undefined : source.number(['rotary_dim'], { least: 2, most: rope.headDim })
  // A head that is split into a part with and a part without rotation has no share besides.
  if (source.has('qk_rope_head_dim')) return
  const partial = found?.value ?? (dims ? dims.value / rope.headDim : 1)
  const turned = Math.floor(rope.headDim * partial)
  if (turned < 2 || turned % 2 !== 0) throw new Refused('odd', { value: turned })
  if (partial === 1) return
  rope.partial = partial
  const from = found?.from ?? dims?.from
  if (from) tell('partial', partial, from)
}

/**
 * @param {Source} source
 * @param {Source} inner
 * @param {Rope} rope
 * @param {(key: string, value: any, from: Found['from']) => void} tell
 */
function readScaling(source, inner, rope, tell) {
  const mrope = inner.get('mrope_section')
  if (
    Array.isArray(mrope) &&
    mrope.length <= 8 &&
    mrope.every((n) => Number.isInteger(n) && n > 0)
  ) {
    rope.mrope_section = mrope
    tell('mrope', mrope, inner.found('mrope_section').from)
  }
  if (rope.type === 'default' || rope.type === 'other') return
  // transformers reckons dynamic scaling from max_position_embeddings, whatever else is there.
  const original =
    rope.type === 'dynamic'
      ? undefined
      : (inner.number(KEYS.original) ?? source.number(KEYS.original))
  if (original) {
    rope.original = original.value
    tell('original', original.value, original.from)
  }
  for (const key of READ_BY_TYPE[rope.type]) {
    if (!inner.has(key)) continue
    const found = inner.found(key)
    /** @type {any} */
    let { value } = found
    if (/^(short|long)_factor$/.test(key)) {
      const half = Math.floor((rope.headDim * (rope.partial ?? 1)) / 2)
      const items = Array.isArray(value) ? value : []
      const good = items.filter((item) => typeof item === 'number' && item >= 1e-9 && item <= 1e9)
      if (good.length !== half || items.length !== half) {
        throw new Refused('list', { key, count: good.length, half })
      }
      value = items.map(shortest)
    } else if (key === 'truncate') value = value === false ? 0 : 1
    else {
      const least = key.startsWith('mscale') ? 0 : key === 'factor' ? 1 : 1e-9
      value = inner.number([key], { least, most: 1e9, whole: false })?.value
    }
    Object.assign(rope, { [key]: value })
    tell(key, value, found.from)
  }
  const declared = source.number(KEYS.positions)
  if (rope.factor === undefined && rope.original && declared && rope.type !== 'longrope') {
    rope.factor = declared.value / rope.original
    tell('factor', rope.factor, { computed: `${declared.value} / ${rope.original}` })
  }
  const due = {
    longrope: ['short_factor', 'long_factor'],
    llama3: ['factor', 'low_freq_factor', 'high_freq_factor'],
  }
  for (const key of /** @type {Record<string, string[]>} */ (due)[rope.type] ?? ['factor']) {
    if (!(key in rope)) throw new Refused('missing', { keys: `${inner.path}.${key}` })
  }
}

/** A number that was once a float32, without the digits that float64 gave it. @param {number} value */
function shortest(value) {
  if (Math.fround(value) !== value) return value
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}

/** @param {Source} inner @param {Rope} rope @param {import('./read.js').Note[]} notes */
function tellIgnored(inner, rope, notes) {
  if (rope.type === 'other') return
  const read = READ_BY_TYPE[rope.type]
  const ignored = Object.keys(inner.object).filter(
    (key) =>
      inner.has(key) &&
      !read.includes(key) &&
      (!TOLD.has(key) || (rope.type === 'dynamic' && KEYS.original.includes(key))),
  )
  if (ignored.length === 0) return
  const keys = ignored.slice(0, 4).map((key) => key.slice(0, 40))
  notes.push(note('ignored', { keys: keys.join(', '), type: rope.type }))
}

/** Layers that see no positions at all. @param {Whole} whole */
function readLayersWithout({ source, resolved, reading }) {
  const every = source.number(['no_rope_layer_interval', 'nope_layer_interval'], {
    least: 0,
    most: 1024,
  })
  if (!every || every.value < 2) return
  resolved.every = every.value
  reading.add('every', every.value, every.from)
}

/**
 * How many positions the file promises: a scaling may add to what it declares.
 * @param {Whole} whole
 */
function promise({ family, resolved, reading }) {
  const { declared } = resolved
  const [{ type, factor, original, layers }] = resolved.ropes
  if (declared === undefined || factor === undefined || type === 'longrope') return
  if (!['linear', 'ntk', 'dynamic', 'yarn'].includes(type) || layers || family.startsWith('gemma'))
    return
  // Whoever adds a scaling to a finished model often leaves the declared length as it was.
  if (original !== undefined && original !== declared) return
  const positions = Math.floor(declared * factor)
  if (positions === declared || positions > 2 ** 24) return
  resolved.positions = positions
  reading.add('promised', positions, { computed: `${declared} × ${factor}` })
}
