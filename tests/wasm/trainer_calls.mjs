// The calls about trainers for bad_calls.mjs, which explains the tables.

/** @typedef {import('./bad_calls.mjs').Argument} Argument */

/** @param {number[]} values that are no choice */
const oneOf = (...values) => ({ integer: true, wrong: [...values, '4', 0, -1, 1e9] })
const base = { number: true, wrong: [1, 0, -10000, 1.1e9] }

/** @type {{ good: Record<string, unknown>, bad: Record<string, Argument> }} */
export const createTrainer = {
  good: {
    task: 'back',
    code: 't5',
    length: 8,
    reach: 4,
    vocabulary: 4,
    layers: 1,
    dModel: 16,
    heads: 2,
    mlp: true,
    causal: true,
    batch: 2,
    steps: 10,
    learningRate: 0.01,
    warmUp: 3,
    clip: 1,
    weightDecay: 0.01,
    lengths: 'upTo',
    randomized: false,
    table: 'wall',
    seed: 7,
    taskShift: 2,
    taskModulo: 3,
    t5Buckets: 8,
    t5MaxDistance: 9,
    alibiExponent: 8,
    ropeBase: 100,
    sinusoidBase: 100,
  },
  bad: {
    task: { choice: true, wrong: [undefined, 'Back', 'none', 'constructor'] },
    code: { choice: true, wrong: [undefined, 'RoPE', 'rotary', 'toString'] },
    length: { integer: true, wrong: [3, 65, -8] },
    reach: oneOf(1, 2, 16),
    vocabulary: { integer: true, wrong: [3, 33, -4] },
    layers: { integer: true, wrong: [0, 5, -1] },
    dModel: oneOf(8, 24, 256),
    heads: oneOf(3, 16),
    mlp: { flag: true },
    causal: { flag: true },
    batch: { integer: true, wrong: [0, 129, -1] },
    steps: { integer: true, wrong: [0, 20001, -1] },
    learningRate: { number: true, wrong: [0, 9e-6, 1.01, -0.01] },
    warmUp: { integer: true, wrong: [-1, 11, 20001] },
    clip: { number: true, wrong: [0, -1] },
    weightDecay: { number: true, wrong: [-0.01, 1.01] },
    lengths: { choice: true, wrong: ['fix', 'upto'] },
    randomized: { flag: true },
    table: { choice: true, wrong: ['none', 'walls'] },
    seed: { integer: true, wrong: [-1, 2 ** 32] },
    taskShift: { integer: true, wrong: [0, 9, 8] },
    taskModulo: { integer: true, wrong: [1, 9] },
    t5Buckets: { integer: true, wrong: [2, 3, 7, 66] },
    t5MaxDistance: { integer: true, wrong: [1, 4, 1025] },
    alibiExponent: { number: true, wrong: [0, 0.4, 16.1] },
    ropeBase: base,
    sinusoidBase: base,
    // No such option at all.
    colour: { wrong: ['red', null, 0] },
    dmodel: { wrong: [16] },
  },
}

/** A trainer of code `rope`, length 8, reach 4, 1 layer, 2 heads of 8. */
export const ropeOptions = {
  ...createTrainer.good,
  code: 'rope',
  randomized: false,
}

const test = {
  scaling: { wrong: [null, 7, 'linear', [], () => {}] },
  'scaling.type': {
    choice: true,
    wrong: [undefined, 'default', 'dynamic', 'longrope', 'llama3', 'Linear'],
  },
  'scaling.factor': { number: true, wrong: [undefined, 0.9, 65, -2] },
  ropeBase: base,
  // It has no table.
  extend: { choice: true, wrong: ['zeros', 'last', 'wrap', 'interpolate', 'more'] },
}

/**
 * @param {string} argument
 * @param {unknown} value
 */
const testOptions = (argument, value) => {
  const [outer = '', inner] = argument.split('.')
  return { [outer]: inner ? { type: 'linear', factor: 2, [inner]: value } : value }
}

/**
 * Calls of a trainer with the options above.
 * @type {[name: string, call: (trainer: any, value: unknown) => unknown, argument: Argument][]}
 */
export const trainerCalls = [
  [
    'steps',
    (trainer, steps) => trainer.train({ steps }),
    { integer: true, wrong: [undefined, -1, 20001] },
  ],
  [
    'sequences',
    (trainer, sequences) => trainer.evaluate({ sequences }),
    { integer: true, wrong: [0, -1, 513] },
  ],
  ...Object.entries(test).flatMap(
    ([name, argument]) =>
      /** @type {[string, (trainer: any, value: unknown) => unknown, Argument][]} */ ([
        [name, (trainer, value) => trainer.evaluate(testOptions(name, value)), argument],
        [
          name,
          (trainer, value) => trainer.attention({ length: 4, ...testOptions(name, value) }),
          argument,
        ],
      ]),
  ),
  [
    'length',
    (trainer, length) => trainer.attention({ length }),
    { integer: true, wrong: [undefined, 0, -1, 33, 513] },
  ],
  [
    'layer',
    (trainer, layer) => trainer.attention({ length: 4, layer }),
    { integer: true, wrong: [-1, 1, 4] },
  ],
  [
    'head',
    (trainer, head) => trainer.attention({ length: 4, head }),
    { integer: true, wrong: [-1, 2, 8] },
  ],
  [
    'example',
    (trainer, example) => trainer.attention({ length: 4, example }),
    { integer: true, wrong: [-1, 2 ** 32] },
  ],
  ['colour', (trainer, colour) => trainer.train({ steps: 1, colour }), { wrong: ['red', null] }],
  ['colour', (trainer, colour) => trainer.evaluate({ colour }), { wrong: ['red', null] }],
  ['layer', (trainer, layer) => trainer.evaluate({ layer }), { wrong: [0] }],
  [
    'sequences',
    (trainer, sequences) => trainer.attention({ length: 4, sequences }),
    { wrong: [4] },
  ],
  [
    'original',
    (trainer, original) => trainer.evaluate({ scaling: { type: 'linear', factor: 2, original } }),
    { wrong: [16] },
  ],
]
