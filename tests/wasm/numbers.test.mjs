// The small calls about given numbers, in both builds and over a worker, and what they refuse.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { assertRefused, builds, connectEngine, loadEngine } from './support.mjs'

const given = { data: [3, 4, 1, 1], shape: [2, 2] }
const zeros = { data: [0, 0, 1, -6], shape: [2, 2] }
const softmax = { scores: [0, 9, 0, Math.log(3)], heads: 1, tokens: 2, causal: true, near: 1 }

/** Each call, an answer that is known, and what is refused with the name of the argument. */
const calls = {
  rowDifferences: [
    { one: given, other: zeros },
    Float64Array.of(4, 7),
    [['other.shape[0]', { other: { data: [1, 2], shape: [1, 2] } }]],
  ],
  offsetSimilarity: [
    { dModel: 2, base: 1, position: 0, offsets: [0] },
    { dot: Float64Array.of(1), cosine: Float64Array.of(1) },
    [
      ['offsets', { offsets: [-1] }],
      ['base', { base: 0.5 }],
      ['position', { position: -1 }],
    ],
  ],
  // softmax([0, ln 3]) = [1/4, 3/4]
  scoreSoftmax: [
    softmax,
    { weights: Float64Array.of(1, 0, 0.25, 0.75), nearShare: 0.75 },
    [
      ['scores', { scores: [0, NaN, 0, 0] }],
      ['bias', { bias: [0, 0, 0] }],
      ['bias', { bias: [0, 0, -Infinity, 0] }],
      ['near', { near: 0 }],
      ['causal', { causal: 1 }],
    ],
  ],
  // numpy.random.RandomState(42).randn(2)
  normals: [
    { seed: 42, count: 2 },
    Float64Array.of(0.4967141530112327, -0.13826430117118466),
    [
      ['count', { count: -1 }],
      ['seed', { seed: 2 ** 32 }],
    ],
  ],
  // Half the code: sin 1 and cos 1 in the second row.
  trainingTarget: [
    { tMax: 2, dModel: 2 },
    { data: Float64Array.of(0, 0.5, Math.sin(1) / 2, Math.cos(1) / 2), shape: [2, 2] },
    [
      ['tMax', { tMax: 0 }],
      ['targetScale', { targetScale: NaN }],
    ],
  ],
  codeAddition: [
    { dModel: 1, seed: 42, code: [2] },
    {
      root: 1,
      codeNorm: 2,
      word: Float64Array.of(0.4967141530112327, 0.4967141530112327),
      sum: Float64Array.of(2 + 0.4967141530112327, 2 + 0.4967141530112327),
      wordNorm: Float64Array.of(0.4967141530112327, 0.4967141530112327),
      sumNorm: Float64Array.of(2 + 0.4967141530112327, 2 + 0.4967141530112327),
      ratio: Float64Array.of(2 / 0.4967141530112327, 2 / 0.4967141530112327),
    },
    [
      ['code', { code: [1, 2] }],
      ['dModel', { dModel: 0 }],
    ],
  ],
}

/** @param {any} answer @param {any} expected @param {string} what */
function assertNear(answer, expected, what) {
  if (typeof expected === 'number') {
    assert.ok(Math.abs(answer - expected) <= 1e-12, `${what}: ${answer}, not ${expected}`)
    return
  }
  assert.deepEqual(Object.keys(answer), Object.keys(expected), what)
  for (const key of Object.keys(expected)) assertNear(answer[key], expected[key], `${what}.${key}`)
}

const engines = [
  ...(await Promise.all(
    builds.map(async ([name, simd]) => /** @type {const} */ ([name, await loadEngine({ simd })])),
  )),
  /** @type {const} */ (['worker', await connectEngine()]),
]

for (const [name, engine] of engines) {
  for (const [call, [options, expected, refused]] of Object.entries(calls)) {
    const ask = async (/** @type {any} */ args) => /** @type {any} */ (engine.numbers)[call](args)

    test(`${name}: ${call}`, async () => {
      assertNear(await ask(options), expected, call)
      for (const [wrong, patch] of /** @type {[string, object][]} */ (refused)) {
        const bad = { .../** @type {object} */ (options), ...patch }
        await assertRefused(() => ask(bad), { code: 'invalid-argument', name: wrong })
      }
    })
  }
}

test('every call is named here', async () => {
  const names = Object.keys(engines[0]?.[1].numbers ?? {})
  assert.deepEqual(names.sort(), Object.keys(calls).sort())
  for (const [, engine] of engines) if ('close' in engine) await engine.close()
})
