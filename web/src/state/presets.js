// Named states that a reader can jump to. Each is a patch on the initial state, so that a preset
// gives the same picture from wherever it is chosen.
import { initialState, withPatch } from './state.js'

/** @typedef {Partial<import('./state.js').State>} Patch */

/** @type {Readonly<Record<string, Readonly<Record<string, Patch>>>>} scene -> preset -> patch */
export const PRESETS = Object.freeze({
  beyond: {
    // The NumPy example of the issue that the lab grew from: test length 80.
    numpy: { tMax: 50, dModel: 16, rate: 0.05, steps: 500, length: 80, position: 60 },
    cinema: { tMax: 50, length: 250, grown: 200, position: 120, mode: 'learned' },
    long: { tMax: 256, length: 512, dModel: 64, position: 300 },
  },
  order: {},
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
