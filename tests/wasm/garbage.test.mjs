// Random garbage: whatever is called with whatever, either the call is right or an EngineError says
// what was wrong, and the engine still answers.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as bad from './bad_calls.mjs'
import { assertEngineError, assertStillRight, builds, loadEngine } from './support.mjs'
import { ropeOptions } from './trainer_calls.mjs'
import { times } from '../sampling.mjs'

// Values travel in functions: fast-check looks into what it generates, and some of these object.
const pool = [...bad.notNumbers, ...bad.notIntegers, ...bad.notArrays, ...bad.notOptions]
const value = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .anything({ withBigInt: true, withTypedArray: true, maxDepth: 2 })
      .map((one) => () => one),
  },
  { weight: 2, arbitrary: fc.integer({ min: -3, max: 300 }).map((one) => () => one) },
  { weight: 1, arbitrary: fc.double().map((one) => () => one) },
  { weight: 2, arbitrary: fc.nat(pool.length - 1).map((index) => () => pool[index]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 5 }).map((one) => () => one),
  },
)

/** One or two arguments of an otherwise good call are replaced, or all of them. */
const call = fc.constantFrom(...Object.entries(bad.optionCalls)).chain(([method, { good }]) =>
  fc.record({
    method: fc.constant(method),
    options: fc.oneof(
      { weight: 1, arbitrary: value },
      {
        weight: 9,
        arbitrary: fc
          .dictionary(fc.constantFrom(...Object.keys(good)), value, { minKeys: 1, maxKeys: 2 })
          .map((replaced) => () => ({ ...good, ...evaluated(replaced) })),
      },
    ),
  }),
)

/** @param {Record<string, () => unknown>} functions */
const evaluated = (functions) =>
  Object.fromEntries(Object.entries(functions).map(([key, get]) => [key, get()]))

/** @param {unknown} error */
function assertKnown(error) {
  const { code } = /** @type {any} */ (error)
  const codes = ['invalid-argument', 'position-out-of-range']
  assertEngineError(error, { code: codes.includes(code) ? code : codes[0] })
}

for (const [name, simd] of builds) {
  const engine = /** @type {any} */ (await loadEngine({ simd }))

  test(`${name}: random arguments of the engine`, async () => {
    fc.assert(
      fc.property(call, ({ method, options }) => {
        try {
          engine[method](options()).dispose?.()
        } catch (error) {
          assertKnown(error)
        }
      }),
      { numRuns: times(3000) },
    )
    assert.equal(engine.liveHandles(), 0)
    await assertStillRight(engine)
  })

  test(`${name}: random arguments of a table`, async () => {
    const table = engine.createTable({ tMax: 4, dModel: 3 })
    const names = ['trainTowardSinusoid', 'lookup', 'grow', 'values', 'info', 'gradientRows']
    fc.assert(
      fc.property(fc.constantFrom(...names), value, value, (method, one, other) => {
        try {
          table[method](one(), other())
        } catch (error) {
          assertKnown(error)
        }
      }),
      { numRuns: times(2000) },
    )
    assert.equal(table.info().dModel, 3)
    assert.ok(table.values().data.every(Number.isFinite))
    table.dispose()
    await assertStillRight(engine)
  })

  test(`${name}: random arguments of a trainer`, async () => {
    const trainer = engine.createTrainer({ ...ropeOptions, code: 'learned' })
    const names = ['train', 'evaluate', 'attention', 'table', 'info']
    const keys = ['steps', 'sequences', 'length', 'layer', 'head', 'example', 'extend']
    const options = fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 2 })
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.oneof(value, options), (method, given) => {
        const read = typeof given === 'function' ? given() : evaluated(given)
        try {
          trainer[method](read)
        } catch (error) {
          assertKnown(error)
        }
      }),
      { numRuns: times(1000) },
    )
    assert.equal(trainer.evaluate({ sequences: 1 }).lengths.length, 32)
    assert.ok(trainer.table().values.data.every(Number.isFinite))
    trainer.dispose()
    await assertStillRight(engine)
  })

  test(`${name}: a trainer's snapshot with random bytes in it is refused or restored`, async () => {
    const trainer = engine.createTrainer(ropeOptions)
    trainer.train({ steps: 2 })
    const bytes = trainer.snapshot()
    trainer.dispose()
    const at = fc.oneof(fc.nat(bytes.length - 1), fc.nat(200))
    const change = fc.record({ at, to: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const changed = bytes.slice()
        for (const { at: place, to } of changes) changed[place] = to
        try {
          const restored = engine.restoreTrainer(changed)
          assert.equal(restored.info().maxLength, 32)
          restored.dispose()
        } catch (error) {
          assertKnown(error)
        }
      }),
      { numRuns: times(300) },
    )
    assert.equal(engine.liveHandles(), 0)
    await assertStillRight(engine)
  })

  test(`${name}: a snapshot with random bytes in it is refused or restored, never half`, async () => {
    const table = engine.createTable({ tMax: 2, dModel: 2 })
    const bytes = table.snapshot()
    table.dispose()
    const change = fc.record({ at: fc.nat(bytes.length - 1), to: fc.integer({ min: 0, max: 255 }) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const changed = bytes.slice()
        for (const { at, to } of changes) changed[at] = to
        try {
          const restored = engine.restoreTable(changed)
          assert.deepEqual(restored.values().shape, [2, 2])
          restored.dispose()
        } catch (error) {
          assertKnown(error)
        }
      }),
      { numRuns: times(500) },
    )
    assert.equal(engine.liveHandles(), 0)
    await assertStillRight(engine)
  })
}
