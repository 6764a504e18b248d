// Every kind of bad argument, as a table: which call, which argument, which value.

import { familyCalls } from './family_calls.mjs'
import { createTrainer } from './trainer_calls.mjs'

/** @typedef {import('./support.mjs').Engine} Engine */

/** Wrong wherever a number is due. None of them may be coerced. */
export const notNumbers = [
  '7',
  '',
  'seven',
  null,
  true,
  NaN,
  Infinity,
  -Infinity,
  7n,
  Symbol('seven'),
  Object(7),
  [7],
  [],
  {},
  () => 7,
  new Date(7),
  { valueOf: () => 7, toString: () => '7', [Symbol.toPrimitive]: () => 7 },
]

/** Numbers, and wrong wherever an integer is due. */
export const notIntegers = [2.7, -0.5, 5e-324, 1e300, 2 ** 53, -1e-7]

/** Wrong wherever an array of numbers is due. */
export const notArrays = [
  7,
  '1,2,3',
  null,
  {},
  { length: 3, 0: 1, 1: 2, 2: 3 },
  new Set([1, 2, 3]),
  new ArrayBuffer(24),
  new DataView(new ArrayBuffer(24)),
  BigInt64Array.of(1n, 2n, 3n),
  new Float64Array(new SharedArrayBuffer(24)),
  transferredAway(),
  function* numbers() {
    yield 1
  },
  ['1', 2, 3],
  [1, null, 3],
  [1, , 3], // eslint-disable-line no-sparse-arrays
  [1, NaN, 3],
  [1, Infinity, 3],
  [1, 2n, 3],
  [1, { valueOf: () => 2 }, 3],
  Float32Array.of(1, NaN, 3),
  Object.defineProperty([1, 2, 3], 1, {
    get() {
      throw new Error('unreadable')
    },
  }),
  new Proxy([1, 2, 3], {
    get() {
      throw new Error('unreadable')
    },
  }),
  revoked([1, 2, 3]),
]

/** Wrong wherever an object of options is due. */
export const notOptions = [
  null,
  7,
  'length',
  [],
  Float32Array.of(1),
  () => {},
  Symbol('options'),
  revoked({}),
  new Proxy(
    {},
    {
      get() {
        throw new Error('unreadable')
      },
    },
  ),
  {
    get length() {
      throw new Error('unreadable')
    },
    get dModel() {
      throw new Error('unreadable')
    },
  },
]

function transferredAway() {
  const array = Float64Array.of(1, 2, 3)
  structuredClone(array, { transfer: [array.buffer] })
  return array
}

/** @param {object} target */
function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/**
 * @typedef {object} Argument
 * @property {unknown[]} [wrong] values of its own that are wrong
 * @property {boolean} [integer] an integer is due
 * @property {boolean} [number] a finite number is due
 * @property {boolean} [array] an array of three numbers, or as many as the call wants, is due
 * @property {boolean} [flag] true or false is due
 * @property {boolean} [choice] one of a few strings is due
 * @property {string} [name] of a derived bound, where the error names another argument
 */

const dModel = { integer: true, wrong: [0, -1, 65537, 2 ** 32] }
const base = { number: true, wrong: [0, 0.5, -10000] }
const position = { integer: true, wrong: [-1, 2 ** 24 + 1] }
const seed = { integer: true, wrong: [-1, 2 ** 32] }
const numbers = { array: true, wrong: [[], [1, 2], [1, 2, 3, 4], new Array(2 ** 32 - 1)] }

/**
 * Calls with an options object: good arguments, and what to know about each.
 * @type {Record<string, { good: Record<string, unknown>, bad: Record<string, Argument> }>}
 */
export const optionCalls = {
  sinusoidal: {
    good: { length: 3, dModel: 4, base: 100, start: 2 },
    bad: {
      length: { integer: true, wrong: [-1, 2 ** 24 + 2, 2 ** 32, 2 ** 24 + 1] },
      dModel,
      base,
      start: { integer: true, wrong: [-1, 2 ** 24 - 1, 2 ** 24 + 1] },
    },
  },
  similarity: {
    good: { data: [1, 2, 3], shape: [3, 1], row: 1, measure: 'dot' },
    bad: {
      data: numbers,
      row: { integer: true, wrong: [-1, 3] },
      measure: { choice: true },
    },
  },
  offsetProfile: {
    good: { dModel: 6, base: 50, position: 3, offsets: [1, 2, 3] },
    bad: { dModel, base, position, offsets: { array: true, wrong: [[0.5], [-4], [2 ** 24]] } },
  },
  blockRotation: {
    good: { dModel: 4, base: 10, offset: -3 },
    bad: {
      dModel: { integer: true, wrong: [0, -1, 1025] },
      base,
      offset: { integer: true, wrong: [2 ** 24 + 1, -(2 ** 24) - 1] },
    },
  },
  pairPhasors: {
    good: { dModel: 4, base: 10, position: 3 },
    bad: { dModel, base, position },
  },
  rowSpread: {
    good: { data: [1, 2, 3], shape: [3, 1] },
    bad: { data: numbers },
  },
  sinusoidalSpread: {
    good: { length: 3, dModel: 4, base: 100, start: 2 },
    bad: {
      length: { integer: true, wrong: [0, -1, 2 ** 24] },
      dModel,
      base,
      start: { integer: true, wrong: [-1, 2 ** 24 - 1] },
    },
  },
  attention: {
    good: { tokens: [1, 2, 3], dModel: 6, heads: 3, seed: 1, causal: true },
    bad: {
      tokens: {
        array: true,
        wrong: [[], [0.5], [-1], [2 ** 32], new Float64Array(65), new Array(2 ** 32 - 1)],
      },
      dModel: { integer: true, wrong: [0, -1, 129] },
      heads: { integer: true, wrong: [0, -1, 7, 4] },
      seed,
      causal: { flag: true },
      inverseFrequencies: { array: true, wrong: [[1, 2], [2e9]] },
      bias: { array: true, wrong: [[], new Array(26).fill(1), new Array(27).fill(2e9)] },
    },
  },
  scoreProfile: {
    good: { dModel: 4, distances: 3, contents: 2, sameWord: false, seed: 1, position: 5 },
    bad: {
      dModel: { integer: true, wrong: [0, -1, 129] },
      distances: { integer: true, wrong: [0, -1, 4097] },
      contents: { integer: true, wrong: [0, -1, 1025] },
      sameWord: { flag: true },
      seed,
      position,
      inverseFrequencies: { array: true, wrong: [[1, 2, 3], [2e9]] },
      bias: { array: true, wrong: [[], [1, 2], [1, 2, 2e9]] },
    },
  },
  createTable: {
    good: { tMax: 3, dModel: 2, seed: 1, scale: 0.5 },
    bad: {
      tMax: { integer: true, wrong: [0, -1, 2 ** 22, 2 ** 22 + 1, 2 ** 32] },
      dModel,
      seed,
      scale: { number: true, wrong: [1e101, -1e101] },
    },
  },
  summarizeCurves: {
    good: { task: 'back', length: 4, causal: false, lengths: 'upTo', curves: [] },
    bad: {
      task: { choice: true, wrong: [undefined, 'Back'] },
      length: { integer: true, wrong: [3, 65] },
      causal: { flag: true },
      lengths: { choice: true, wrong: ['fix', 'upto'] },
      curves: { wrong: [undefined, null, 7, 'curves', {}, Float64Array.of(1), new Array(65)] },
    },
  },
  pairedTests: {
    good: { data: [1, NaN, 3], shape: [1, 3, 1] },
    bad: {
      data: { wrong: [[], [1, 2], [1, 2, Infinity], ['1', 2, 3], [1, null, 3], 7, {}] },
      shape: {
        array: true,
        wrong: [
          [1, 3],
          [1, 3, 65],
          [-1, 3, 1],
          [1, 2.5, 1],
        ],
      },
    },
  },
  ...familyCalls,
  createTrainer,
}

/**
 * The values that are wrong for an argument.
 * @param {Argument} argument
 * @returns {unknown[]}
 */
export function wrongValues({ wrong = [], integer, number, array, flag, choice }) {
  const values = [...wrong]
  if (integer || number) values.push(...notNumbers)
  if (integer) values.push(...notIntegers)
  if (array) values.push(...notArrays)
  if (flag) values.push(0, 1, 'true', '', null, {}, Object(true))
  if (choice) values.push('', 'DOT', 'cosine ', null, 0, ['dot'], {}, Symbol('dot'), Object('dot'))
  return values
}

/**
 * Calls of a table of 4 rows.
 * @type {[name: string, call: (table: any, value: unknown) => unknown, argument: Argument][]}
 */
export const tableCalls = [
  [
    'steps',
    (table, steps) => table.trainTowardSinusoid({ steps }),
    { integer: true, wrong: [-1, 1000001] },
  ],
  [
    'learningRate',
    (table, learningRate) => table.trainTowardSinusoid({ steps: 1, learningRate }),
    { number: true, wrong: [-0.1] },
  ],
  [
    'targetScale',
    (table, targetScale) => table.trainTowardSinusoid({ steps: 1, targetScale }),
    { number: true, wrong: [1e101] },
  ],
  [
    'tMax',
    (table, tMax) => table.grow(tMax),
    { integer: true, wrong: [undefined, 3, 0, -1, 2 ** 22] },
  ],
  [
    'position',
    (table, at) => table.lookup(at),
    { ...position, wrong: [...position.wrong, undefined] },
  ],
  ['behaviour', (table, behaviour) => table.lookup(1, { behaviour }), { choice: true }],
]
