// Named states that a reader can jump to. Each is a patch on the initial state, so that a preset
// gives the same picture from wherever it is chosen.
import { initialState, withPatch } from './state.js'

/** @typedef {Partial<import('./state.js').State>} Patch */

/** @type {Readonly<Record<string, Readonly<Record<string, Patch>>>>} scene -> preset -> patch */
export const PRESETS = Object.freeze({
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
