// Bad input of every kind gives a typed error, changes nothing, and the next call is right.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as bad from './bad_calls.mjs'
import { assertRefused, assertStillRight, builds, connectEngine, loadEngine } from './support.mjs'

/** @type {[string, any][]} */
const engines = []
for (const [name, simd] of builds) engines.push([name, await loadEngine({ simd })])
engines.push(['worker', await connectEngine()])
after(() => engines.at(-1)?.[1].close())

for (const [name, engine] of engines) {
  for (const [method, { good, bad: arguments_ }] of Object.entries(bad.optionCalls)) {
    test(`${name}: ${method} refuses every wrong argument`, async () => {
      const made = await engine[method](good)
      await made.dispose?.()
      for (const [argument, expected] of Object.entries(arguments_)) {
        for (const value of bad.wrongValues(expected)) {
          const refused = { code: 'invalid-argument', name: argument }
          await assertRefused(() => engine[method]({ ...good, [argument]: value }), refused)
        }
        if (method !== 'sinusoidal') continue
        // Values that are no bounds of their own are told as they came.
        const error = await assertRefused(() => engine[method]({ ...good, [argument]: '7' }), {
          code: 'invalid-argument',
        })
        assert.equal(error.details.value, '7')
        assert.match(error.message, new RegExp(`^${argument} must be .*, got "7"\\.$`))
      }
      for (const options of bad.notOptions) {
        await assertRefused(() => engine[method](options), { code: 'invalid-argument' })
      }
      await assertRefused(() => engine[method](), { code: 'invalid-argument' })
      await assertStillRight(engine)
      assert.equal(await engine.liveHandles(), 0)
    })
  }

  test(`${name}: a table refuses every wrong argument and stays as it was`, async () => {
    const table = await engine.createTable({ tMax: 4, dModel: 3 })
    const before = await table.snapshot()
    for (const [argument, call, expected] of bad.tableCalls) {
      for (const value of bad.wrongValues(expected)) {
        const refused = { code: 'invalid-argument', name: argument }
        await assertRefused(() => call(table, value), refused)
      }
    }
    const refused = { code: 'invalid-argument' }
    for (const options of bad.notOptions) {
      await assertRefused(() => table.trainTowardSinusoid(options), refused)
    }
    // The last one misbehaves only where a lookup does not look.
    for (const options of bad.notOptions.slice(0, -1)) {
      await assertRefused(() => table.lookup(1, options), refused)
    }
    assert.deepEqual(await table.snapshot(), before)
    await table.dispose()
  })

  test(`${name}: a rate that diverges is refused before anything has changed`, async () => {
    const table = await engine.createTable({ tMax: 4, dModel: 3 })
    const before = await table.snapshot()
    const options = { steps: 1000000, learningRate: 1e10 }
    const refused = { code: 'invalid-argument', name: 'learningRate' }
    await assertRefused(() => table.trainTowardSinusoid(options), refused)
    assert.deepEqual(await table.snapshot(), before)
    await table.dispose()
  })

  test(`${name}: a lookup past the table`, async () => {
    const table = await engine.createTable({ tMax: 50, dModel: 3 })
    for (const position of [50, 60, 2 ** 24]) {
      for (const options of [undefined, {}, { behaviour: 'raise' }, { behaviour: undefined }]) {
        const error = await assertRefused(() => table.lookup(position, options), {
          code: 'position-out-of-range',
        })
        assert.deepEqual(error.details, { position, tMax: 50 })
      }
    }
    const last = await table.lookup(49)
    assert.deepEqual(await table.lookup(60, { behaviour: 'clamp' }), last)
    assert.deepEqual(await table.lookup(60, { behaviour: 'zeros' }), new Float64Array(3))
    assert.deepEqual(await table.lookup(60, { behaviour: 'nan' }), new Float64Array(3).fill(NaN))
    assert.deepEqual(await table.lookup(99, { behaviour: 'wrap' }), last)
    await table.dispose()
  })

  test(`${name}: after dispose every call says so`, async () => {
    const table = await engine.createTable({ tMax: 4, dModel: 3 })
    assert.equal(await table.trainedRows, 4)
    await table.dispose()
    /** @type {(() => unknown)[]} */
    const calls = [
      () => table.values(),
      () => table.info(),
      () => table.trainedRows,
      () => table.trainTowardSinusoid({ steps: 1 }),
      () => table.grow(5),
      () => table.lookup(1),
      () => table.gradientRows(),
      () => table.snapshot(),
      () => table.dispose(),
    ]
    for (const call of calls) await assertRefused(call, { code: 'disposed' })
    assert.equal(await engine.liveHandles(), 0)
    await assertStillRight(engine)
  })

  test(`${name}: a snapshot that is none`, async () => {
    const table = await engine.createTable({ tMax: 4, dModel: 3 })
    const bytes = await table.snapshot()
    await table.dispose()
    const turned = bytes.slice()
    turned[turned.length - 20] ^= 1
    const wrong = [
      turned,
      bytes.slice(1),
      bytes.slice(0, -8),
      new Uint8Array(0),
      [...bytes],
      'bytes',
    ]
    for (const value of [...wrong, bytes.buffer, new Float64Array(40), null, undefined]) {
      const refused = { code: 'invalid-argument', name: 'bytes' }
      await assertRefused(() => engine.restoreTable(value), refused)
    }
    assert.equal(await engine.liveHandles(), 0)
  })

  test(`${name}: what is right although it looks odd`, async () => {
    assert.deepEqual((await engine.sinusoidal({ length: 0, dModel: 3 })).shape, [0, 3])
    assert.deepEqual((await engine.sinusoidal({ length: -0, dModel: 3, start: -0 })).shape, [0, 3])
    const last = await engine.sinusoidal({ length: 1, dModel: 1, start: 2 ** 24, base: 1 })
    assert.ok(Math.abs(last.data[0] - Math.sin(2 ** 24)) <= 6.1e-8)
    const unknown = await engine.sinusoidal({
      length: 1,
      dModel: 1,
      colour: 'red',
      base: undefined,
    })
    assert.equal(unknown.data[0], 0)
    // Options may be inherited, and a typed array may be a view of a part.
    const inherited = await engine.sinusoidal(Object.create({ length: 1, dModel: 2 }))
    assert.deepEqual(inherited.shape, [1, 2])
    const part = Float32Array.of(9, 1, 2, 3, 9).subarray(1, 4)
    const dots = await engine.similarity({ data: part, shape: [3, 1], row: 1, measure: 'dot' })
    assert.deepEqual(dots, Float64Array.of(2, 4, 6))
    assert.equal((await engine.offsetProfile({ dModel: 2, position: 0, offsets: [] })).length, 0)
  })
}

test('arguments of loadEngine and connectEngine', async () => {
  const refused = { code: 'invalid-argument' }
  for (const start of [loadEngine, connectEngine]) {
    for (const simd of [1, 'true', null, {}]) {
      const error = await assertRefused(() => start(/** @type {any} */ ({ simd })), refused)
      assert.equal(error.details.name, 'simd')
    }
    for (const options of [null, 7, 'simd', []]) {
      await assertRefused(() => start(/** @type {any} */ (options)), refused)
    }
  }
  await assertRefused(() => connectEngine(/** @type {any} */ ({ worker: 1 })), refused)
  await assertRefused(() => connectEngine(/** @type {any} */ ({ onNotice: 'tell' })), refused)
})

test('the options of a call over the worker', async () => {
  const engine = engines.at(-1)?.[1]
  const good = { length: 1, dModel: 2 }
  const wrong = [null, 7, [], { signal: {} }, { signal: null }, { latest: 1 }, { onProgress: true }]
  for (const options of wrong) {
    await assertRefused(() => engine.sinusoidal(good, options), { code: 'invalid-argument' })
  }
  await assertStillRight(engine)
})
