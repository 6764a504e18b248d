// A real model: which one is shown, and what the kernel computes of it.
import { EXAMPLE_OF, PUBLIC_MODELS, configText } from '../../config/models.js'
import { readConfig } from '../../config/read.js'
import { turnsOf } from '../../config/training.js'
import { readResolved } from '../../state/resolved.js'

/** @import { Reading } from '../../config/read.js' */

/**
 * A model as it is shown: from a file, one of the public ones, or only what a link carries.
 * @typedef {object} Shown
 * @property {string} [id] of a public model
 * @property {string} text of its config.json, empty where there is only a link
 * @property {Reading} reading
 */

/** Files that were read here, so that a change of language or scene does not lose them. */
/** @type {Map<string, Shown>} */
const read = new Map()
const MOST_READ = 4

/** @type {Shown[] | undefined} */
let published

function publicModels() {
  published ??= Object.keys(PUBLIC_MODELS).map((id) => {
    const text = configText(id)
    return { id, text, reading: /** @type {Reading} */ (readConfig(text)) }
  })
  return published
}

const publicModel = (/** @type {string} */ code) =>
  publicModels().find(({ reading }) => reading.code === code)

/** @param {string} id of a public model @returns {string} for the state */
export const codeOf = (id) => publicModels().find((one) => one.id === id)?.reading.code ?? ''

/** @param {string} text of a config.json */
export function readHere(text) {
  const reading = readConfig(text)
  if (!reading.ok) return reading
  read.delete(reading.code)
  // Another file may come down to the same fields: only the very text is the public model's.
  if (publicModel(reading.code)?.text !== text) read.set(reading.code, { text, reading })
  if (read.size > MOST_READ) read.delete([...read.keys()][0])
  return reading
}

/** @param {Pick<import('../../state/state.js').State, 'model' | 'mode'>} state */
export function shownOf({ model, mode }) {
  const code = model || codeOf(EXAMPLE_OF[mode])
  const resolved = /** @type {Reading['resolved']} */ (readResolved(code))
  const linked = { ok: /** @type {const} */ (true), resolved, code, fields: [], notes: [] }
  return read.get(code) ?? publicModel(code) ?? { text: '', reading: linked }
}

/** @param {{ engine: any, state: import('../../state/state.js').State }} asked */
export async function computeModel({ engine, state }) {
  const shown = shownOf(state)
  const { resolved } = shown.reading
  const { width: dModel = 1, heads = 1, distance: maxDistance = 1, buckets: numBuckets } = resolved
  const bidirectional = resolved.bidirectional === 1
  /** @type {Record<string, () => Promise<Float64Array | Int32Array>>} */
  const ask = {
    sinusoidal: async () => (await engine.pairPhasors({ dModel, position: 0 })).wavelength,
    alibi: () => engine.alibiSlopes({ heads }),
    t5() {
      const count = Math.min(4096, 2 * maxDistance) + 1
      const offsets = Int32Array.from({ length: count }, (_, i) => -i)
      return engine.t5Buckets({ offsets, bidirectional, numBuckets, maxDistance })
    },
  }
  return {
    shown,
    resolved,
    /** Of RoPE: of each kind of layers. */
    turns: await Promise.all(
      resolved.ropes.map((rope) => turnsOf(engine, resolved, rope, state.modelLength)),
    ),
    /** Of another code: wavelengths, slopes of the heads, or buckets by distance to an earlier key. */
    numbers: (await ask[resolved.encoding]?.()) ?? new Float64Array(),
  }
}
