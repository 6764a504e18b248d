// What a user of a model should know, as text keys with parameters. It follows from the resolved
// fields alone, so that a link says the same as the file did.
import { trainingOf } from './training.js'

/**
 * @typedef {import('../state/resolved.js').Resolved} Resolved
 * @typedef {import('../state/resolved.js').Rope} Rope
 * @typedef {import('./read.js').Note} Note
 */

/** Codes that need a word of their own. */
const TOLD = ['alibi', 't5', 'nope']

/** NoPE beside layers that read word by word (Lieber et al. 2024; IBM Granite 4.0). */
const MAMBA = ['jamba', 'granitemoehybrid']

/** @param {string} key @param {Note['params']} [params] @returns {Note} */
const says = (key, params = {}) => ({ key, params, warns: false })
/** @param {string} key @param {Note['params']} [params] @returns {Note} */
const warns = (key, params = {}) => ({ key, params, warns: true })

/**
 * @param {Resolved} resolved
 * @param {number} length of the reader's own sequence
 * @returns {Note[]} the most important first
 */
export function advise(resolved, length) {
  const { encoding, positions, offset = 0, rows = 0, window, every, ropes } = resolved
  /** @type {Note[]} */
  const notes = []
  if (positions !== undefined && encoding !== 't5') {
    const past = length > positions
    const kind = encoding === 'learned' ? (past ? 'wall' : 'inside') : past ? 'past' : 'within'
    const key = kind === 'past' && encoding !== 'rope' ? `past.${encoding}` : kind
    notes.push({ ...says(key, { length, positions, last: positions - 1 }), warns: past })
  }
  if (offset > 0) {
    const { declared = rows } = resolved
    notes.push(
      says(declared === rows ? 'offset.inside' : 'offset.added', {
        rows,
        offset,
        positions: positions ?? 0,
      }),
    )
  }
  if (encoding === 'rope')
    for (const rope of ropes) notes.push(...adviseRope(resolved, rope, length))
  else if (TOLD.includes(encoding)) {
    const mixed = encoding === 'nope' && MAMBA.includes(resolved.family ?? '')
    const key = `code.${mixed ? 'mamba' : encoding}`
    notes.push(says(key, { distance: resolved.distance ?? 0 }))
  }
  if (window !== undefined && window < (positions ?? Infinity))
    notes.push(says('window', { window }))
  if (every !== undefined) notes.push(says('every', { every }))
  return notes
}

/** @param {Resolved} resolved @param {Rope} rope @param {number} length */
function adviseRope(resolved, rope, length) {
  const { declared, positions } = resolved
  const { type, name = '', factor = 1, partial, headDim, mrope_section: mrope } = rope
  /** @type {Note[]} */
  const notes = []
  const { trained, further } = trainingOf(resolved, rope)
  if (type === 'other') notes.push(warns('type.other', { name }))
  else if (!rope.layers || type !== 'default')
    notes.push(says(`type.${type}`, { factor, layers: rope.layers ?? '' }))
  if (trained !== undefined && type !== 'default')
    notes.push(...adviseLength(rope, trained, length, further))
  if (rope.original !== undefined && declared !== undefined && rope.factor !== undefined) {
    const product = rope.original * factor
    if (Math.abs(product - declared) > 0.01 * declared) {
      notes.push({
        ...warns('factor', {
          factor,
          original: rope.original,
          product: Math.round(product),
          declared,
        }),
        warns: type !== 'llama3',
      })
    }
  }
  if (type === 'linear' && rope.original === undefined && declared === positions && !further) {
    notes.push(says('linear.unsaid', { factor }))
  }
  if (partial !== undefined && type !== 'other') {
    notes.push(says('partial', { turned: Math.floor(headDim * partial), head: headDim }))
  }
  if (mrope) notes.push(says('mrope', { sections: mrope.join(' + ') }))
  return notes
}

/**
 * Whether a scaling does anything at this length.
 * @param {Rope} rope
 * @param {number} trained
 * @param {number} length
 * @param {number} [further]
 * @returns {Note[]}
 */
function adviseLength({ type, factor, original, long_factor: long }, trained, length, further) {
  const values = { length, trained }
  if (type === 'longrope' && long)
    return [says(length > trained ? 'longrope.long' : 'longrope.short', values)]
  if (factor === 1) return [warns('factor.one')]
  if (type === 'dynamic') return [says(length > trained ? 'dynamic.on' : 'dynamic.off', values)]
  // These change the frequencies at every length. Whether training has seen it, only L0 can say.
  if (length > trained) return []
  if (further) return [says('expected', { further })]
  return original !== undefined && type !== 'llama3' ? [says('always', values)] : []
}
