// The calls about RoPE, ALiBi and T5 for bad_calls.mjs, which explains the table.

/** @typedef {import('./bad_calls.mjs').Argument} Argument */

const limit = 2 ** 24

/** Arguments that describe RoPE, in every call that takes them. */
const rope = {
  headDim: { integer: true, wrong: [0, 2.5, -2, 7, 65538] },
  theta: { number: true, wrong: [0, 0.5, -1, 1e101] },
  maxPositions: { integer: true, wrong: [0, -1, limit + 1] },
  originalMaxPositions: { integer: true, wrong: [0, -1, limit + 1] },
  length: { integer: true, wrong: [0, -1, limit + 1] },
  partialRotaryFactor: { number: true, wrong: [0, -0.5, 1.01, 0.4] },
}
const goodRope = {
  headDim: 4,
  theta: 100,
  maxPositions: 64,
  originalMaxPositions: 16,
  length: 32,
  partialRotaryFactor: 0.5,
}
const positions = {
  array: true,
  wrong: [
    [-1, 0, 1],
    [0.5, 1, 2],
    [0, 1, limit + 1],
    [1, 2],
  ],
}
const heads = { integer: true, wrong: [0, -1, 1025] }
const queries = { integer: true, wrong: [-1, limit + 1] }
const keys = { integer: true, wrong: [-1, limit + 1, limit] }
const buckets = {
  bidirectional: { flag: true },
  numBuckets: { integer: true, wrong: [0, 1, 3, 65537] },
  maxDistance: { integer: true, wrong: [0, 2, limit + 1] },
}
const goodBuckets = { bidirectional: true, numBuckets: 8, maxDistance: 16 }

/** @type {Record<string, { good: Record<string, unknown>, bad: Record<string, Argument> }>} */
export const familyCalls = {
  ropeFrequencies: { good: goodRope, bad: rope },
  ropeCoverage: {
    good: { ...goodRope, trainedLength: 16, trainedFurther: 24, window: 20 },
    bad: {
      ...rope,
      trainedLength: { integer: true, wrong: [0, -1, limit + 1] },
      trainedFurther: { integer: true, wrong: [-1, limit + 1] },
      window: { integer: true, wrong: [0, limit + 1] },
    },
  },
  ropeRotate: {
    good: {
      ...goodRope,
      vectors: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
      positions: [0, 5, limit],
      layout: 'half-split',
      applyAttentionFactor: true,
    },
    bad: {
      theta: rope.theta,
      vectors: { array: true, wrong: [[], new Float32Array(11), new Array(12).fill(2e30)] },
      // With another number of positions it is the vectors that do not fit.
      positions: { ...positions, wrong: positions.wrong.slice(0, 3) },
      layout: { choice: true },
      applyAttentionFactor: { flag: true },
    },
  },
  alibiSlopes: { good: { heads: 3 }, bad: { heads } },
  alibiBias: {
    good: { heads: 9, queries: 2, keys: 3, causal: false },
    bad: { heads, queries, keys, causal: { flag: true } },
  },
  t5Buckets: {
    good: { ...goodBuckets, offsets: [-3, 0, 3] },
    bad: {
      ...buckets,
      offsets: { array: true, wrong: [[0.5], [limit + 1], [-limit - 1]] },
    },
  },
  t5Bias: {
    good: { ...goodBuckets, heads: 1, queries: 2, keys: 2, values: [1, 2, 3, 4, 5, 6, 7, 8] },
    bad: {
      ...buckets,
      heads,
      queries,
      keys: { integer: true, wrong: [-1, limit + 1] },
      values: { array: true, wrong: [[], [1, 2, 3, 4, 5, 6, 7], new Array(8).fill(1e31)] },
    },
  },
  randomizedPositions: {
    good: { length: 3, maxPosition: 9, seed: 1 },
    bad: {
      length: { integer: true, wrong: [-1, 11] },
      maxPosition: { integer: true, wrong: [-1, limit + 1] },
      seed: { integer: true, wrong: [-1, 2 ** 32] },
    },
  },
  positionPrecision: {
    good: { headDim: 4, format: 'bfloat16', positions: [0, 1, 2] },
    bad: {
      headDim: rope.headDim,
      format: { choice: true },
      positions: { ...positions, wrong: positions.wrong.slice(0, 3) },
    },
  },
}
