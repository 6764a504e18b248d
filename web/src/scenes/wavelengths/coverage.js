// Wavelengths: what the kernel says of every scaling, and of angles that training never showed.
import { ROPE_TYPES } from '../../state/fields.js'
import { memo } from '../../kit/memo.js'

/** @import { State } from '../../state/state.js' */

/** Times the training length that the table tells. */
export const TIMES = Object.freeze([2, 4, 8])

/** @typedef {import('../../engine/types.js').RopeCoverage} RopeCoverage */

/** @typedef {Awaited<ReturnType<typeof compute>> & { state: State }} Model */

/**
 * @param {import('../../kit/codes.js').Codes['engine']} engine
 * @param {State} state
 * @param {import('../../kit/memo.js').Memory} memory
 */
export async function compute(engine, state, memory) {
  const { ropePairs, ropeBase, ropeFactor, trainedLength, reach } = state
  const rope = { headDim: 2 * ropePairs, theta: ropeBase, trainedLength }
  const lengths = [reach, ...TIMES].map((times) => Math.round(trainedLength * times))
  const [length] = lengths
  /** @param {string} type @param {number} slot of the length @param {object} [scaling] */
  const ask = (type, slot, scaling) => {
    const key = [ropePairs, ropeBase, scaling && ropeFactor, trainedLength, lengths[slot]]
    return memo(memory, type + slot, key, async () =>
      engine.ropeCoverage({ ...rope, length: lengths[slot], scaling }),
    )
  }
  const plain = await ask('default', 0)
  const answers = await Promise.all(
    ROPE_TYPES.map((type) => {
      const scaling = type === 'default' ? undefined : scalingOf(type, state, plain)
      return Promise.all(lengths.map((_, slot) => ask(type, slot, scaling)))
    }),
  )
  /** At the length that is looked at. @type {Record<string, RopeCoverage>} */
  const types = {}
  /** At 2, 4 and 8 times the training length. @type {Record<string, RopeCoverage[]>} */
  const further = {}
  ROPE_TYPES.forEach((type, i) => {
    ;[types[type], ...further[type]] = answers[i]
  })
  return { length, plain, types, further }
}

/**
 * The `rope_scaling` of a config.json.
 * @param {string} type
 * @param {State} state
 * @param {RopeCoverage} plain
 */
function scalingOf(type, { ropeFactor, trainedLength }, { turns }) {
  /** @type {import('../../engine/types.js').RopeScaling} */
  const scaling = {
    rope_type: type,
    factor: ropeFactor,
    original_max_position_embeddings: trainedLength,
  }
  if (type === 'llama3') return { ...scaling, low_freq_factor: 1, high_freq_factor: 4 }
  if (type !== 'longrope') return scaling
  // A list for demonstration; a published one is found by search. It rises evenly from 1, and reaches
  // the factor at the first pair that has not turned in training.
  const all = turns.findIndex((many) => many < 1)
  const last = Math.max(1, all < 0 ? turns.length - 1 : all)
  const rise = turns.map((_, pair) => 1 + (ropeFactor - 1) * Math.min(1, pair / last))
  return { ...scaling, short_factor: turns.map(() => 1), long_factor: rise }
}
