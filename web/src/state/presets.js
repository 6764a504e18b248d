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
    mirror: {
      sentenceA: 'one two three four five',
      sentenceB: 'five four three two one',
      position: 1,
    },
    short: { tMax: 2, length: 4, steps: 500, position: 2 },
  },
  offsets: {
    near: { length: 100, tMax: 50, queryAt: 0, queryAt2: 20, distance: 60 },
    far: { length: 1024, tMax: 256, dModel: 128, queryAt: 0, queryAt2: 100, distance: 600 },
    slopes: { heads: 8, distance: 20 },
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
  wavelengths: {
    longLlama2: { ropeType: 'default' },
    longVicuna: { ropeType: 'linear', ropeFactor: 4, reach: 4 },
    longQwen: { ropeBase: 1e6, trainedLength: 32768, ropeType: 'yarn', ropeFactor: 4, reach: 4 },
    longLlama31: {
      ropeBase: 500000,
      trainedLength: 8192,
      ropeType: 'llama3',
      ropeFactor: 8,
      reach: 16,
      ropePair: 35,
    },
  },
  precision: {
    neox: { ropePairs: 16, farPosition: 1857, numberFormat: 'float16' },
    brain: { farPosition: 256, numberFormat: 'bfloat16' },
    million: { farPosition: 1000000, numberFormat: 'float32' },
  },
  // Its models are facts with a source: config/models.js.
  model: {},
  rotation: {
    apart: { position: 60, position2: 30 },
    beside: { position: 31, position2: 30 },
    farApart: { position: 1030, position2: 1000, length: 1200 },
  },
  biases: {
    steep: { mode: 'alibi', biasHead: 1, biasLength: 64, biasQuery: 63 },
    flat: { mode: 'alibi', biasHead: 8, biasLength: 64, biasQuery: 63 },
    buckets: { mode: 't5', biasLength: 64, biasQuery: 63 },
  },
  compare: {},
  length: {
    wall: { labTasks: 'back.first', labShown: 'back', labCodes: 'sinusoidal.learned.t5' },
    alibi: { labTasks: 'back.latest.order', labShown: 'back', labCodes: 'rope.alibi.t5' },
    induction: {
      labTasks: 'induction',
      labShown: 'induction',
      labLayers: 2,
      labRate: 0.005,
      labSteps: 2000,
    },
    random: {
      labTasks: 'back.latest',
      labShown: 'latest',
      labCodes: 'sinusoidal.learned.rope',
      labRandomized: true,
    },
    blind: { labTasks: 'order', labShown: 'order', labCausal: false },
  },
})

/** What a preset leaves as the reader has it. */
const KEPT = /** @type {const} */ (['scene', 'mode', 'lang', 'theme', 'controls'])

/** @param {import('./state.js').State} state @param {Patch} [patch] */
export function withPreset(state, patch = {}) {
  const kept = Object.fromEntries(KEPT.map((name) => [name, state[name]]))
  return withPatch(initialState(), { ...kept, ...patch })
}
