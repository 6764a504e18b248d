// The two builds and the worker give the same bits, run after run; what does not is named here.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertSameBits, connectEngine, loadEngine, simdSupported } from './support.mjs'

const simd = await loadEngine({ simd: true })
const plain = await loadEngine({ simd: false })
const remote = await connectEngine()
after(() => remote.close())

test('this Node runs the SIMD build, and the info says which one runs', () => {
  assert.equal(simdSupported(), true)
  assert.equal(simd.info.simd, true)
  assert.equal(plain.info.simd, false)
  assert.equal(remote.info.simd, true)
  assert.equal(remote.mode, 'worker')
  for (const { info } of [simd, plain, remote]) {
    assert.match(info.version, /^\d+\.\d+\.\d+/)
    assert.match(info.toolchain, /^emscripten \d+\.\d+/)
    assert.throws(() => Object.assign(info, { version: '' }), TypeError)
  }
})

test('codes: the same bits in both builds, in the worker, and wherever the call starts', async () => {
  const options = { length: 3000, dModel: 65, base: 500, start: 123456 }
  const whole = simd.sinusoidal(options)
  assertSameBits(plain.sinusoidal(options).data, whole.data)
  assertSameBits((await remote.sinusoidal(options)).data, whole.data)
  const later = simd.sinusoidal({ ...options, start: options.start + 1001, length: 7 })
  assertSameBits(later.data, whole.data.slice(1001 * 65, 1008 * 65))
})

test('tables: the same bits in both builds, in the worker, and however training is cut', async () => {
  const tables = [simd, plain].map((engine) => engine.createTable({ tMax: 40, dModel: 9, seed: 5 }))
  const [one, other] = tables
  const far = await remote.createTable({ tMax: 40, dModel: 9, seed: 5 })
  assert.ok(one && other)
  const report = one.trainTowardSinusoid({ steps: 700, learningRate: 0.3 })
  for (const steps of [1, 0, 299, 400]) other.trainTowardSinusoid({ steps, learningRate: 0.3 })
  assert.deepEqual(await far.trainTowardSinusoid({ steps: 700, learningRate: 0.3 }), report)
  const { distances: start } = one.progress({ start: [] })
  for (const from of [[], start]) {
    const progress = one.progress({ start: from })
    assert.deepEqual(other.progress({ start: from }), progress)
    assert.deepEqual(await far.progress({ start: from }), progress)
  }
  assert.throws(() => one.progress({ start: [1] }), { code: 'invalid-argument' })
  for (const table of [one, other, far]) await table.grow(61)
  assertSameBits(other.values().data, one.values().data)
  assertSameBits((await far.values()).data, one.values().data)
  assert.deepEqual(await far.snapshot(), one.snapshot())
  for (const table of [one, other, far]) await table.dispose()
})

test('figures: the same bits in both builds, in the worker, and in pieces', async () => {
  const { data, shape } = simd.sinusoidal({ length: 300, dModel: 24 })
  const offsets = Int32Array.from({ length: 600 }, (_, index) => index - 300)
  const tokens = [7, 1, 4, 4, 2 ** 32 - 1]
  const inverseFrequencies = [1, 0.1, 0.01]
  /** @type {((engine: any) => any)[]} */
  const figures = [
    (engine) => engine.similarity({ data, shape, row: 150 }),
    (engine) => engine.similarity({ data, shape, row: 150, measure: 'dot' }),
    (engine) => engine.offsetProfile({ dModel: 65, position: 300, offsets }),
    (engine) => engine.blockRotation({ dModel: 8, offset: -3 }),
    (engine) => engine.pairPhasors({ dModel: 31, position: 2 ** 24 }),
    (engine) => engine.rowSpread({ data, shape }),
    (engine) => engine.sinusoidalSpread({ length: 100, dModel: 15 }),
    (engine) => engine.attention({ tokens, causal: true }),
    (engine) => engine.attention({ tokens, inverseFrequencies, bias: data.slice(0, 50) }),
    (engine) => engine.scoreProfile({ dModel: 9, distances: 40, inverseFrequencies }),
  ]
  for (const figure of figures) {
    const expected = figure(simd)
    assert.deepEqual(figure(simd), expected, 'the same again')
    assert.deepEqual(figure(plain), expected, `both builds: ${figure}`)
    assert.deepEqual(await figure(remote), expected, `the worker: ${figure}`)
  }
})

test('similarity and profile do not depend on where pieces begin', () => {
  // More than the 2^20 entries that cross into WebAssembly at a time.
  const rows = 2 ** 15
  const { data, shape } = simd.sinusoidal({ length: rows, dModel: 50 })
  const whole = simd.similarity({ data, shape, row: 30000 })
  assert.equal(whole[30000], 1)
  const part = data.slice(29990 * 50, 30010 * 50)
  const few = simd.similarity({ data: part, shape: [20, 50], row: 10 })
  assertSameBits(few, whole.slice(29990, 30010))
})
