// Named states that a reader can jump to. Each is a patch on the initial state, so that a preset
// gives the same picture from wherever it is chosen.
import { initialState, withPatch } from './state.js'

/** @typedef {Partial<import('./state.js').State>} Patch */

/** @type {Readonly<Record<string, Readonly<Record<string, Patch>>>>} scene -> preset -> patch */
export const PRESETS = Object.freeze({
  waves: {
    numpy: { tMax: 50, dModel: 16, rate: 0.05, steps: 500, length: 80, position: 10 },
    wide: { tMax: 50, dModel: 512, length: 50, position: 1 },
  },
  similarity: {
    numpy: {
      tMax: 50,
      dModel: 16,
      rate: 0.05,
      steps: 500,
      length: 80,
      position: 10,
      position2: 30,
    },
    wide: {
      tMax: 50,
      dModel: 512,
      length: 50,
      position: 0,
      position2: 40,
      offset: 1,
      measure: 'cosine',
    },
  },
  training: {
    numpy: { tMax: 50, dModel: 16, rate: 0.05, steps: 500, position: 10 },
    blank: { steps: 0 },
    hall: { tMax: 512, dModel: 128, rate: 1, steps: 0 },
  },
  beyond: {
    numpy: { tMax: 50, dModel: 16, rate: 0.05, steps: 500, length: 80, position: 60 },
    cinema: { tMax: 50, length: 250, grown: 200, position: 120, mode: 'learned' },
    long: { tMax: 256, length: 512, dModel: 64, position: 300 },
  },
  order: {
    dog: { sentenceA: 'dog bites man', sentenceB: 'man bites dog', position: 0 },
    love: { sentenceA: '我爱你', sentenceB: '你爱我', position: 0 },
    twice: { sentenceA: 'the cat saw the dog', sentenceB: 'the dog saw the cat', position: 1 },
    short: { tMax: 2, length: 4, steps: 500, position: 2 },
  },
  sum: {
    narrow: { dModel: 16, position: 10, mode: 'sinusoidal' },
    broad: { dModel: 512, position: 10, mode: 'sinusoidal' },
  },
  cost: {
    bert: { costRows: 512, costWidth: 768, costModel: 110 },
    gpt2: { costRows: 1024, costWidth: 768, costModel: 124 },
    gpt3: { costRows: 2048, costWidth: 12288, costModel: 175000 },
    tiny: { costRows: 512, costWidth: 128, costModel: 4.4 },
    text: { costRows: 8192, costWidth: 768, costModel: 110 },
  },
})

/** What a preset leaves as the reader has it. */
const KEPT = /** @type {const} */ (['scene', 'mode', 'lang', 'theme', 'controls'])

/**
 * @param {import('./state.js').State} state
 * @param {Patch} [patch]
 * @returns {import('./state.js').State}
 */
export function withPreset(state, patch = {}) {
  const kept = Object.fromEntries(KEPT.map((name) => [name, state[name]]))
  return withPatch(initialState(), { ...kept, ...patch })
}
