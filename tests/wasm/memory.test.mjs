// Memory: it grows without breaking what was returned, is given back, and results belong to callers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSameBits, assertStillRight, builds, connectEngine, loadEngine } from './support.mjs'
import { times } from '../sampling.mjs'

for (const [name, simd] of builds) {
  test(`${name}: the largest matrix, then a small call`, async () => {
    const engine = await loadEngine({ simd })
    const small = engine.sinusoidal({ length: 5, dModel: 6, start: 70 })
    const copy = small.data.slice()
    const { data, shape } = engine.sinusoidal({ length: 2 ** 20, dModel: 64 })
    assert.deepEqual(shape, [2 ** 20, 64])
    assert.equal(data.length, 2 ** 26)
    assertSameBits(small.data, copy)
    const last = engine.sinusoidal({ length: 1, dModel: 64, start: 2 ** 20 - 1 })
    assertSameBits(last.data, data.slice(-64))
    await assertStillRight(engine)
  })

  test(`${name}: results are copies: writing into one changes no other`, async () => {
    const engine = await loadEngine({ simd })
    const table = engine.createTable({ tMax: 6, dModel: 4 })
    const trainer = engine.createTrainer({ task: 'back', code: 'learned', steps: 2 })
    trainer.train({ steps: 1 })
    /** @type {(() => Float32Array | Float64Array | Uint8Array)[]} */
    const sources = [
      () => engine.sinusoidal({ length: 3, dModel: 4 }).data,
      () => table.values().data,
      () => table.lookup(2),
      () => table.gradientRows(),
      () => table.snapshot(),
      () => engine.attention({ tokens: [1, 2] }).weights.data,
      () => trainer.evaluate({ sequences: 1 }).losses,
      () => trainer.attention({ length: 5 }).weights,
      () => trainer.table().similarity.data,
      () => trainer.snapshot(),
    ]
    for (const source of sources) {
      const first = source()
      const kept = first.slice()
      assert.equal(first.buffer.byteLength, first.byteLength, 'a buffer of its own')
      first.fill(99)
      assert.deepEqual(source(), kept)
    }
    // Growing WebAssembly's memory detaches views of it: none of these may be one.
    const values = table.values()
    const kept = values.data.slice()
    const big = engine.createTable({ tMax: 2 ** 16, dModel: 64 })
    assertSameBits(values.data, kept)
    big.dispose()
    table.dispose()
    trainer.dispose()
  })

  test(`${name}: arguments are read, never kept or changed`, async () => {
    const engine = await loadEngine({ simd })
    const table = engine.createTable({ tMax: 6, dModel: 4 })
    const bytes = table.snapshot()
    const kept = bytes.slice()
    const twin = engine.restoreTable(bytes)
    twin.trainTowardSinusoid({ steps: 3 })
    assert.deepEqual(bytes, kept)
    bytes.fill(0)
    assert.equal(twin.info().steps, 3)
    const data = Float64Array.of(3, 4, 0, 5)
    engine.similarity({ data, shape: [2, 2], row: 0 })
    assert.deepEqual(data, Float64Array.of(3, 4, 0, 5))
    table.dispose()
    twin.dispose()
  })

  test(`${name}: what is disposed of is given back`, async () => {
    const engine = await loadEngine({ simd })
    const work = () => {
      const table = engine.createTable({ tMax: 2 ** 9, dModel: 2 ** 9 })
      table.trainTowardSinusoid({ steps: 1 })
      table.grow(2 ** 9 + 1)
      const twin = engine.restoreTable(table.snapshot())
      assert.equal(engine.liveHandles(), 2)
      table.dispose()
      twin.dispose()
      assert.throws(() => engine.createTable({ tMax: 2 ** 22, dModel: 2 }))
      const trainer = engine.createTrainer({ task: 'sort', code: 't5', dModel: 128, mlp: true })
      trainer.train({ steps: 1 })
      trainer.evaluate({ sequences: 1 })
      const other = engine.restoreTrainer(trainer.snapshot())
      trainer.dispose()
      other.dispose()
      engine.sinusoidal({ length: 2 ** 14, dModel: 2 ** 6 })
      assert.equal(engine.liveHandles(), 0)
    }
    work()
    work()
    // From here on every byte that is not given back is missing.
    withoutGrowth(() => {
      for (let n = 0; n < times(10, 2); ++n) work()
    })
    await assertStillRight(engine)
  })

  test(`${name}: no memory left is an error like any other, and what exists goes on`, async () => {
    const engine = await loadEngine({ simd })
    const table = engine.createTable({ tMax: 50, dModel: 16 })
    const largest = { tMax: 2 ** 10, dModel: 2 ** 12 }
    withoutGrowth(() => {
      assert.throws(() => engine.createTable(largest), { code: 'out-of-memory' })
      assert.throws(() => table.grow(2 ** 18), { code: 'out-of-memory' })
    })
    assert.equal(engine.liveHandles(), 1)
    assert.equal(table.info().tMax, 50)
    assert.equal(table.trainTowardSinusoid({ steps: 500 }).steps, 500)
    await assertStillRight(engine)
    engine.createTable(largest).dispose()
    table.dispose()
    assert.equal(engine.liveHandles(), 0)
  })

  test(`${name}: a step of training that gets no memory can be taken later`, async () => {
    const engine = await loadEngine({ simd })
    /** @type {any} */
    const wide = { task: 'copy', code: 'rope', dModel: 128, layers: 4, mlp: true, steps: 2 }
    const trainer = engine.createTrainer(wide)
    assert.ok(trainer.info().memoryBytes > 2 ** 25)
    withoutGrowth(() => {
      assert.throws(() => trainer.train({ steps: 1 }), { code: 'out-of-memory' })
    })
    assert.equal(trainer.info().step, 0)
    const { losses } = trainer.train({ steps: 2 })
    const twin = engine.createTrainer(wide)
    assertSameBits(losses, twin.train({ steps: 2 }).losses)
    trainer.dispose()
    twin.dispose()
    await assertStillRight(engine)
  })
}

/**
 * WebAssembly refuses to grow its memory, as when the machine has no more.
 * @param {() => void} action
 */
function withoutGrowth(action) {
  const { prototype } = WebAssembly.Memory
  const { grow } = prototype
  prototype.grow = () => {
    throw new RangeError('WebAssembly.Memory.grow(): no memory, as asked for')
  }
  try {
    action()
  } finally {
    prototype.grow = grow
  }
}

test('the worker holds what is not disposed of, and nothing else', async () => {
  const remote = await connectEngine()
  const tables = []
  for (let seed = 0; seed < 20; ++seed) {
    tables.push(await remote.createTable({ tMax: 50, dModel: 16, seed }))
  }
  assert.equal(await remote.liveHandles(), 20)
  await Promise.all(tables.map((table) => table.dispose()))
  assert.equal(await remote.liveHandles(), 0)
  await remote.close()
})

test('a result from the worker belongs to the caller', async () => {
  const remote = await connectEngine()
  const table = await remote.createTable({ tMax: 6, dModel: 4 })
  const first = await table.values()
  const kept = first.data.slice()
  first.data.fill(99)
  assertSameBits((await table.values()).data, kept)
  const bytes = await table.snapshot()
  await remote.restoreTable(bytes)
  assert.ok(bytes.length > 0, 'an argument is copied, not taken')
  await remote.close()
})
