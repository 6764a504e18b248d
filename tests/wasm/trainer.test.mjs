// Trainers of the length lab: the same numbers on this thread, in the worker, and however they are cut.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertRefused, assertSameBits, builds, connectEngine, loadEngine } from './support.mjs'
import { times } from '../sampling.mjs'

/** @typedef {import('../../web/src/element/index.js').Curve} Curve */
/** @typedef {import('../../web/src/element/index.js').TrainerOptions} TrainerOptions */

/** @type {TrainerOptions} */
const small = {
  task: 'back',
  code: 'rope',
  length: 8,
  vocabulary: 4,
  dModel: 16,
  heads: 2,
  batch: 8,
  steps: 60,
  warmUp: 5,
  seed: 3,
  taskShift: 1,
}
const codes = /** @type {const} */ (['nope', 'sinusoidal', 'learned', 'rope', 'alibi', 't5'])
const tasks = /** @type {const} */ ([
  'back',
  'latest',
  'order',
  'first',
  'modulo',
  'seen',
  'induction',
  'previous',
  'copy',
  'reverse',
  'sort',
  'addition',
])

/** @type {[string, any][]} */
const engines = []
for (const [name, simd] of builds) engines.push([name, await loadEngine({ simd })])
const local = engines[0]?.[1]
engines.push(
  ['worker', await connectEngine()],
  ['this thread', await connectEngine({ worker: false })],
)
after(() => Promise.all(engines.slice(2).map(([, remote]) => remote.close())))

/**
 * NaN exactly where nothing was judged, or where the model has no row.
 * @param {Curve} curve
 * @param {number} maxLength
 */
function assertCurve({ lengths, accuracies, losses, counts, wall, inside }, maxLength) {
  assert.deepEqual(
    lengths,
    Int32Array.from({ length: maxLength }, (_, index) => index + 1),
  )
  for (const list of [accuracies, losses, counts]) assert.equal(list.length, maxLength)
  for (const [index, accuracy] of accuracies.entries()) {
    const judged = (counts[index] ?? 0) > 0 && !(wall > 0 && index + 1 >= wall)
    assert.equal(Number.isNaN(accuracy), !judged, `length ${index + 1}`)
    assert.equal(Number.isNaN(losses[index]), !judged)
    if (judged) assert.ok(accuracy >= 0 && accuracy <= 1 && (losses[index] ?? NaN) >= 0)
  }
  assert.ok(inside >= 0 && inside <= 1)
}

for (const [name, engine] of engines) {
  test(`${name}: trains to the end of its run, an entry a step, and no further`, async () => {
    const trainer = await engine.createTrainer(small)
    const info = await trainer.info()
    assert.deepEqual(Object.keys(info).sort(), [
      'chance',
      'inputs',
      'maxLength',
      'memoryBytes',
      'outputs',
      'parameters',
      'reason',
      'rows',
      'solvable',
      'step',
      'steps',
      'wall',
    ])
    const { step, steps, rows, wall, maxLength, outputs, solvable } = info
    assert.deepEqual(
      { step, steps, rows, wall, maxLength, outputs, solvable },
      { step: 0, steps: 60, rows: 0, wall: 0, maxLength: 32, outputs: 4, solvable: 'yes' },
    )
    assert.ok(info.parameters > 16 * 16 * 4 && info.memoryBytes > info.parameters * 16)

    const first = await trainer.train({ steps: 50 })
    assert.equal(first.step, 50)
    assert.equal(first.finished, false)
    const rest = await trainer.train({ steps: 50 })
    assert.deepEqual([rest.step, rest.finished], [60, true])
    assert.deepEqual([first.losses.length, rest.losses.length], [50, 10])
    assert.deepEqual([first.accuracies.length, rest.accuracies.length], [50, 10])
    for (const { losses, accuracies } of [first, rest]) {
      assert.ok(losses.every((/** @type {number} */ loss) => loss > 0 && loss < 10))
      assert.ok(accuracies.every((/** @type {number} */ share) => share >= 0 && share <= 1))
    }
    const nothing = await trainer.train({ steps: 5 })
    assert.deepEqual(nothing, {
      step: 60,
      finished: true,
      losses: new Float32Array(0),
      accuracies: new Float32Array(0),
    })
    assert.equal((await trainer.info()).step, 60)
    await trainer.dispose()
    assert.equal(await engine.liveHandles(), 0)
  })

  test(`${name}: learns the token before, and knows it inside the training length`, async () => {
    const trainer = await engine.createTrainer({ ...small, steps: 300 })
    const { losses } = await trainer.train({ steps: 300 })
    assert.ok(losses.at(-1) < losses[0] / 10)
    const curve = await trainer.evaluate({ sequences: 16 })
    assertCurve(curve, 32)
    assert.ok(curve.inside > 0.95, `${curve.inside}`)
    await trainer.dispose()
  })

  test(`${name}: a snapshot goes on bit for bit, and holds the whole run`, async () => {
    const trainer = await engine.createTrainer({ ...small, code: 'learned', mlp: true })
    const { losses } = await trainer.train({ steps: 20 })
    assert.equal(losses.length, 20)
    const bytes = await trainer.snapshot()
    const twin = await engine.restoreTrainer(bytes)
    assert.deepEqual(await twin.info(), await trainer.info())
    assert.deepEqual(await twin.snapshot(), bytes)
    const [one, other] = [await trainer.train({ steps: 40 }), await twin.train({ steps: 40 })]
    assertSameBits(other.losses, one.losses)
    assertSameBits(other.accuracies, one.accuracies)
    assert.deepEqual(await twin.snapshot(), await trainer.snapshot())
    assert.equal(await engine.liveHandles(), 2)
    await trainer.dispose()
    await twin.dispose()
  })

  test(`${name}: looking at a run does not change it, and shows the same again`, async () => {
    const trainer = await engine.createTrainer({ ...small, code: 'learned', heads: 4 })
    await trainer.train({ steps: 5 })
    const before = await trainer.snapshot()
    const looks = [
      () => trainer.evaluate({ sequences: 3 }),
      () => trainer.evaluate({ sequences: 3, extend: 'interpolate' }),
      () => trainer.attention({ length: 12, head: 3, example: 2 ** 32 - 1 }),
      () => trainer.table(),
    ]
    const seen = []
    for (const look of looks) seen.push(await look())
    for (const [index, look] of looks.entries()) assert.deepEqual(await look(), seen[index])
    assert.deepEqual(await trainer.snapshot(), before)
    await trainer.dispose()
  })

  test(`${name}: the table of learned positions, its wall, and what gets past it`, async () => {
    const walled = { ...small, code: 'learned', table: 'wall', dModel: 32 }
    const trainer = await engine.createTrainer(walled)
    await trainer.train({ steps: 10 })
    const { rows, wall } = await trainer.info()
    assert.deepEqual([rows, wall], [8, 9])
    const { values, gradientRows, similarity } = await trainer.table()
    assert.deepEqual(
      [values.shape, similarity.shape],
      [
        [8, 32],
        [8, 8],
      ],
    )
    assert.deepEqual(gradientRows, new Uint8Array(8).fill(1))
    for (let row = 0; row < 8; ++row) {
      assert.ok(Math.abs(similarity.data[row * 8 + row] - 1) < 1e-6)
    }
    const curve = await trainer.evaluate({ sequences: 4 })
    assert.equal(curve.wall, 9)
    assertCurve(curve, 32)
    assert.ok(curve.accuracies.subarray(8).every(Number.isNaN))
    const refused = { code: 'position-out-of-range' }
    const { details } = await assertRefused(() => trainer.attention({ length: 9 }), refused)
    assert.deepEqual(details, { position: 8, tMax: 8 })
    for (const extend of ['zeros', 'last', 'wrap', 'interpolate']) {
      const extended = await trainer.evaluate({ sequences: 4, extend })
      assert.equal(extended.wall, 0)
      assertCurve(extended, 32)
      assertSameBits(extended.accuracies.slice(0, 8), curve.accuracies.slice(0, 8))
      assert.equal((await trainer.attention({ length: 9, extend })).length, 9)
    }
    await trainer.dispose()

    const untrained = await engine.createTrainer({ ...walled, table: 'untrained' })
    await untrained.train({ steps: 10 })
    const table = await untrained.table()
    assert.deepEqual(table.values.shape, [32, 32])
    assert.deepEqual([...table.gradientRows], [...Array(8).fill(1), ...Array(24).fill(0)])
    await untrained.dispose()
  })

  test(`${name}: attention over one example`, async () => {
    for (const causal of [true, false]) {
      const trainer = await engine.createTrainer({ ...small, task: 'previous', causal, layers: 2 })
      for (const scaling of [undefined, { type: 'yarn', factor: 4 }]) {
        const example = await trainer.attention({ length: 20, layer: 1, head: 1, scaling })
        const { length, tokens, targets, predictions, weights } = example
        assert.equal(length, 20)
        assert.deepEqual([...targets], [-1, ...tokens.subarray(0, 19)])
        assert.ok(predictions.every((/** @type {number} */ said) => said >= 0 && said < 4))
        for (let query = 0; query < 20; ++query) {
          const row = weights.subarray(query * 20, query * 20 + 20)
          const sum = row.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0)
          assert.ok(Math.abs(sum - 1) < 1e-5)
          const future = row.subarray(query + 1)
          if (causal) assert.ok(future.every((/** @type {number} */ weight) => weight === 0))
          else if (query < 19) assert.ok(future[0] > 0)
        }
      }
      await trainer.dispose()
    }
  })
}

test('every task with every code: all builds and the worker give the same bits, in small pieces', async () => {
  const all = engines.map(([, engine]) => engine)
  for (const task of tasks.slice(0, times(tasks.length, 2))) {
    for (const code of codes) {
      const lengths = task === 'copy' ? 'upTo' : 'fixed'
      const randomized = task === 'back'
      const own = { task, code, lengths, randomized, causal: task !== 'previous' }
      const options = { ...small, ...own, steps: 6, warmUp: 2, layers: 2, mlp: true }
      const trainers = []
      for (const engine of all) trainers.push(await engine.createTrainer(options))
      const [one, ...others] = trainers
      const { losses, accuracies } = one.train({ steps: 6 })
      const [curve, bytes] = [one.evaluate({ sequences: 2 }), one.snapshot()]
      assertCurve(curve, 32)
      for (const other of others) {
        const pieces = []
        for (const steps of [1, 0, 3, 2]) pieces.push(await other.train({ steps }))
        const joined = pieces.flatMap((piece) => [...piece.losses])
        assertSameBits(Float32Array.from(joined), losses, `${task} ${code}`)
        const shares = pieces.flatMap((piece) => [...piece.accuracies])
        assertSameBits(Float32Array.from(shares), accuracies)
        assert.deepEqual(await other.evaluate({ sequences: 2 }), curve)
        assert.deepEqual(await other.snapshot(), bytes)
      }
      for (const trainer of trainers) await trainer.dispose()
    }
  }
})

test('the defaults are those that the types promise', async () => {
  const trainer = local.createTrainer({ task: 'back', code: 'rope' })
  const said = {
    ...{ length: 16, reach: 4, vocabulary: 8, layers: 1, dModel: 32, heads: 4, mlp: false },
    ...{ causal: true, batch: 16, steps: 1000, learningRate: 0.01, warmUp: 50, clip: 1 },
    ...{ weightDecay: 0, lengths: 'fixed', randomized: false, table: 'untrained', seed: 42 },
    ...{ taskShift: 3, taskModulo: 4, t5Buckets: 16, t5MaxDistance: 16, alibiExponent: 4 },
    ...{ ropeBase: 10000, sinusoidBase: 10000 },
  }
  const twin = local.createTrainer({ task: 'back', code: 'rope', ...said })
  assert.deepEqual(twin.snapshot(), trainer.snapshot())
  // A short run warms up for all of it.
  local.createTrainer({ task: 'back', code: 'rope', steps: 7 }).dispose()
  assertSameBits(
    trainer.evaluate({ sequences: 64 }).accuracies,
    twin.evaluate().accuracies,
    'sequences',
  )
  trainer.dispose()
  twin.dispose()
  assert.equal(local.liveHandles(), 0)
})
