// What a model was trained on, and which angles that has shown: the second by the kernel. No DOM.
import { READ_BY_TYPE } from './keys.js'

/**
 * @typedef {import('../state/resolved.js').Resolved} Resolved
 * @typedef {import('../state/resolved.js').Rope} Rope
 */

/**
 * @typedef {object} Training
 * @property {number} [trained] the pretrained context L0, as the kernel takes it
 * @property {number} [further] how far training went on with the scaling
 * @property {number} [window] how far a query sees
 */

/**
 * One set of rotations; `refused` is what the kernel says of a scaling that it cannot compute.
 * @typedef {Training & import('../engine/types.js').RopeCoverage & { rope: Rope,
 *   refused?: import('../engine/types.js').InvalidArgumentDetails }} Turns
 */

/** All their layers slide; of others some see the whole text (transformers, their masks). */
const ALL_SLIDE = ['mistral', 'mixtral', 'phi3', 'starcoder2']

/**
 * To what length authors say that they trained on with the very scaling: family, type, factor (0: none in
 * the file), L0.
 * @type {Record<string, number>}
 */
const TRAINED_FURTHER = {
  // Llama 3.1, 3.2: Grattafiori et al. 2024, section 3.4.2, and Meta's model cards.
  'llama llama3 8 8192': 131072,
  'llama llama3 32 8192': 131072,
  'mllama_text_model llama3 8 8192': 131072,
  // Technical report, section 4.3: 32K, then 128K.
  'deepseek_v3 yarn 40 4096': 131072,
  // gpt-oss model card, section 2.
  'gpt_oss yarn 32 4096': 131072,
  // Phi-3 technical report: long-context mid-training.
  'phi3 longrope 0 4096': 131072,
  // Gemma 3 technical report, on long context: first on 32K, which the file does not say.
  'gemma3_text linear 8 32768': 131072,
}

/** @param {Resolved} resolved @param {Rope} rope @returns {Training} */
export function trainingOf({ declared, family = '', window }, { type, factor, original, layers }) {
  const slides = layers ? layers.startsWith('sliding') : ALL_SLIDE.includes(family)
  const gemma = family === 'gemma3_text' && type === 'linear' && original === undefined
  const trained = gemma ? 32768 : (original ?? declared)
  const further = TRAINED_FURTHER[`${family} ${type} ${factor ?? ''} ${trained}`]
  return { trained, further, ...(slides && { window }) }
}

/**
 * @param {any} engine
 * @param {Resolved} resolved
 * @param {Rope} rope
 * @param {number} length
 * @returns {Promise<Turns>}
 */
export async function turnsOf(engine, resolved, rope, length) {
  const { headDim, theta, partial, type } = rope
  const { trained, further, window } = trainingOf(resolved, rope)
  const asked = {
    headDim,
    theta,
    partialRotaryFactor: partial ?? 1,
    maxPositions: resolved.declared,
    length,
    // Nothing is said of a model whose training length nobody knows.
    trainedLength: trained ?? length,
    window,
  }
  /** @type {Turns['refused']} */
  let refused
  if (type !== 'default' && type !== 'other') {
    try {
      const scaling = scalingOf(rope)
      const found = await engine.ropeCoverage({ ...asked, scaling, trainedFurther: further })
      return { rope, trained, further, window, ...found }
    } catch (error) {
      const { code, details } = /** @type {any} */ (error)
      if (code !== 'invalid-argument') throw error
      refused = details
    }
  }
  return { rope, trained, window, refused, ...(await engine.ropeCoverage(asked)) }
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
