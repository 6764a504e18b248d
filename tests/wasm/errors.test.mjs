// Bad input of every kind gives a typed error, changes nothing, and the next call is right.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as bad from './bad_calls.mjs'
import { ropeOptions, trainerCalls } from './trainer_calls.mjs'
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

  test(`${name}: a trainer refuses every wrong argument and stays as it was`, async () => {
    const trainer = await engine.createTrainer(ropeOptions)
    await trainer.train({ steps: 2 })
    const before = await trainer.snapshot()
    for (const [argument, call, expected] of trainerCalls) {
      for (const value of bad.wrongValues(expected)) {
        const refused = { code: 'invalid-argument', name: argument }
        await assertRefused(() => call(trainer, value), refused)
      }
    }
    for (const options of bad.notOptions) {
      const refused = { code: 'invalid-argument' }
      await assertRefused(() => trainer.train(options), refused)
      await assertRefused(() => trainer.attention(options), refused)
    }
    // The last one has no option of these.
    for (const options of bad.notOptions) {
      await assertRefused(() => trainer.evaluate(options), { code: 'invalid-argument' })
    }
    await assertRefused(() => trainer.table(), { code: 'invalid-argument', name: 'code' })
    assert.deepEqual(await trainer.snapshot(), before)
    await trainer.dispose()
  })

  test(`${name}: what belongs to another code is refused with its own value`, async () => {
    for (const code of ['nope', 'sinusoidal', 'learned', 'alibi', 't5']) {
      const trainer = await engine.createTrainer({ ...ropeOptions, code })
      const scaling = { type: 'yarn', factor: 4 }
      for (const [argument, call] of Object.entries({
        scaling: () => trainer.evaluate({ scaling }),
        ropeBase: () => trainer.attention({ length: 3, ropeBase: 10000 }),
        extend: () => trainer.evaluate({ extend: 'wrap' }),
      })) {
        if (code === 'learned' && argument === 'extend') continue
        const refused = { code: 'invalid-argument', name: argument }
        const { details } = await assertRefused(call, refused)
        const own = /** @type {any} */ ({ scaling: 'yarn', ropeBase: 10000, extend: 'wrap' })
        assert.equal(details.value, own[argument])
      }
      const evaluated = await trainer.evaluate({ extend: 'none', sequences: 1 })
      assert.equal(evaluated.lengths.length, 32)
      await trainer.dispose()
    }
    assert.equal(await engine.liveHandles(), 0)
  })

  test(`${name}: a run that takes too much memory names the option to lower`, async () => {
    const large = { task: 'sort', code: 't5', layers: 4, dModel: 128, mlp: true }
    const options = { ...large, length: 64, reach: 8, batch: 128 }
    const error = await assertRefused(() => engine.createTrainer(options), {
      code: 'invalid-argument',
    })
    assert.ok(error.details.name in options, error.details.name)
    assert.match(error.details.expected, /256 MB/)
    await assertStillRight(engine)
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

  test(`${name}: after dispose every call of a trainer says so`, async () => {
    const trainer = await engine.createTrainer(ropeOptions)
    await trainer.dispose()
    for (const method of [
      'info',
      'train',
      'evaluate',
      'attention',
      'table',
      'snapshot',
      'dispose',
    ]) {
      const error = await assertRefused(() => trainer[method](), { code: 'disposed' })
      assert.deepEqual(error.details, { what: 'trainer' })
    }
    assert.equal(await engine.liveHandles(), 0)
  })

  test(`${name}: a snapshot that is none, of a table or of a trainer`, async () => {
    const table = await engine.createTable({ tMax: 4, dModel: 3 })
    const ofTable = await table.snapshot()
    await table.dispose()
    const trainer = await engine.createTrainer(ropeOptions)
    const ofTrainer = await trainer.snapshot()
    await trainer.dispose()
    for (const [restore, bytes, other] of [
      ['restoreTable', ofTable, ofTrainer],
      ['restoreTrainer', ofTrainer, ofTable],
    ]) {
      const turned = bytes.slice()
      turned[turned.length - 20] ^= 1
      const parts = [turned, bytes.slice(1), bytes.slice(0, -8), new Uint8Array(0), [...bytes]]
      const others = [other, 'bytes', bytes.buffer, new Float64Array(40), null, undefined]
      for (const value of [...parts, ...others]) {
        const refused = { code: 'invalid-argument', name: 'bytes' }
        await assertRefused(() => engine[restore](value), refused)
      }
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
