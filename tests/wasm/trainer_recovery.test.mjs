// A trainer in a worker that dies, hangs, throws or is told to stop: nobody can tell from the numbers.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { OperationLog } from '../../web/src/engine/remote/operation_log.js'
import { trainerCalls } from '../../web/src/engine/calls/lab.js'
import { assertRefused, assertSameBits, connectEngine, loadEngine } from './support.mjs'

/** @typedef {import('./support.mjs').RemoteEngine} RemoteEngine */

/** Seconds of work: more than the half second between snapshots. @type {any} */
const options = { task: 'latest', code: 'learned', length: 16, steps: 4000, seed: 5 }

const local = await loadEngine()
const unbroken = local.createTrainer(options)
const report = unbroken.train({ steps: options.steps })
const curve = unbroken.evaluate()
const expected = unbroken.snapshot()
unbroken.dispose()

/** @type {RemoteEngine[]} */
const open = []
after(() => Promise.all(open.map((remote) => remote.close())))

/** @param {import('../../web/src/engine/types.js').ConnectOptions} [connectOptions] */
async function connect(connectOptions) {
  /** @type {string[]} */
  const notices = []
  const onNotice = (/** @type {{ code: string }} */ { code }) => notices.push(code)
  const remote = await connectEngine({ onNotice, ...connectOptions })
  open.push(remote)
  return { remote, notices }
}

/** @param {any} actual @param {any} wanted */
function assertSameReport(actual, wanted) {
  assert.equal(actual.step, wanted.step)
  assert.equal(actual.finished, wanted.finished)
  assertSameBits(actual.losses, wanted.losses)
  assertSameBits(actual.accuracies, wanted.accuracies)
}

/** @type {['kill' | 'hang' | 'crash', boolean][]} */
const faults = [
  ['kill', false],
  ['kill', true],
  ['hang', true],
  ['crash', true],
]
for (const [fault, afterSnapshot] of faults) {
  const when = afterSnapshot ? 'after a snapshot' : 'at once'
  test(`${fault} ${when}: one call of the whole run goes on to the same bits`, async () => {
    const { remote, notices } = await connect()
    const trainer = await remote.createTrainer(options)
    let saved = !afterSnapshot
    remote.debug.worker.on('message', (/** @type {any} */ { type, done, part }) => {
      if (type !== 'snapshot') return
      // What was done by then comes along, an entry a step.
      assert.equal(part.losses.length, done)
      assert.equal(part.step, done)
      saved = true
    })
    let struck = false
    const training = trainer.train(
      { steps: options.steps },
      {
        onProgress({ done, total }) {
          assert.ok(done > 0 && done < total)
          assert.equal(total, options.steps)
          if (struck || !saved) return
          struck = true
          remote.debug[fault]()
        },
      },
    )
    assertSameReport(await training, report)
    assert.ok(struck)
    assert.deepEqual(notices, ['worker-replaced'])
    assert.deepEqual(await trainer.snapshot(), expected)
    assert.deepEqual(await trainer.evaluate(), curve)
    await trainer.dispose()
    assert.equal(await remote.liveHandles(), 0)
  })
}

test('short calls, a worker lost between and within them', async () => {
  const { remote, notices } = await connect()
  const trainer = await remote.createTrainer(options)
  const losses = []
  for (let call = 0; losses.length < 1000; ++call) {
    const training = trainer.train({ steps: 25 })
    if (call === 3) remote.debug.kill()
    losses.push(...(await training).losses)
    if (call === 20) remote.debug.hang()
  }
  assertSameBits(Float32Array.from(losses), report.losses.slice(0, 1000))
  assert.deepEqual(notices, ['worker-replaced', 'worker-replaced'])
  const twin = local.createTrainer(options)
  twin.train({ steps: 1000 })
  assert.deepEqual(await trainer.snapshot(), twin.snapshot())
  twin.dispose()
})

for (const worker of [true, false]) {
  const where = worker ? 'worker' : 'this thread'

  test(`${where}: a call that is aborted in the middle keeps its steps`, async () => {
    const { remote } = await connect({ worker })
    const trainer = await remote.createTrainer(options)
    const stop = new AbortController()
    let told = 0
    const training = trainer.train(
      { steps: options.steps },
      {
        signal: stop.signal,
        onProgress({ done }) {
          told = done
          stop.abort()
        },
      },
    )
    await assertRefused(() => training, { code: 'aborted' })
    const { step } = await trainer.info()
    assert.ok(told > 0 && step >= told && step < options.steps)
    // Also after the worker is lost, whether a snapshot has them or the call is made again.
    remote.debug.kill()
    assert.equal((await trainer.info()).step, step)
    const rest = await trainer.train({ steps: options.steps })
    assertSameBits(rest.losses, report.losses.slice(step))
    assert.deepEqual(await trainer.snapshot(), expected)
    await trainer.dispose()
  })

  test(`${where}: a curve is taken in pieces, and can be stopped between them`, async () => {
    const { remote } = await connect({ worker })
    const trainer = await remote.createTrainer(options)
    const stop = new AbortController()
    let pieces = 0
    const evaluating = trainer.evaluate(
      { sequences: 512 },
      {
        signal: stop.signal,
        onProgress({ done, total }) {
          assert.ok(done > 0 && done < total)
          pieces = total
          stop.abort()
        },
      },
    )
    await assertRefused(() => evaluating, { code: 'aborted' })
    assert.ok(pieces > 1)
    const other = local.createTrainer(options)
    assert.deepEqual(await trainer.evaluate({ sequences: 2 }), other.evaluate({ sequences: 2 }))
    other.dispose()
    await trainer.dispose()
  })

  test(`${where}: trainers and other calls take turns, calls of one keep their order`, async () => {
    const { remote } = await connect({ worker })
    const [busy, idle] = [await remote.createTrainer(options), await remote.createTrainer(options)]
    const stop = new AbortController()
    let over = false
    const training = busy
      .train({ steps: options.steps }, { signal: stop.signal })
      .finally(() => (over = true))
    const [first, info, second, table] = await Promise.all([
      idle.train({ steps: 3 }),
      idle.info(),
      idle.train({ steps: 2 }),
      idle.table(),
    ])
    assert.deepEqual([first.step, info.step, second.step], [3, 3, 5])
    assert.equal(table.values.shape[0], 64)
    assert.equal((await remote.alibiSlopes({ heads: 4 })).length, 4)
    assert.equal(over, false)
    stop.abort()
    await assertRefused(() => training, { code: 'aborted' })
    await busy.dispose()
    await idle.dispose()
    assert.equal(await remote.liveHandles(), 0)
  })
}

test('a worker that is lost while a curve is taken', async () => {
  const { remote, notices } = await connect()
  const trainer = await remote.restoreTrainer(expected)
  const evaluating = trainer.evaluate()
  remote.debug.kill()
  assert.deepEqual(await evaluating, curve)
  assert.deepEqual(notices, ['worker-replaced'])
})

test('after three failures this thread takes over, to the same bits', async () => {
  const { remote, notices } = await connect()
  const trainer = await remote.createTrainer(options)
  const table = await remote.createTable({ tMax: 4, dModel: 2 })
  const training = trainer.train(
    { steps: options.steps },
    { onProgress: () => void (remote.mode === 'worker' && remote.debug.kill()) },
  )
  assertSameReport(await training, report)
  assert.equal(remote.mode, 'main')
  assert.deepEqual(notices, ['worker-replaced', 'worker-replaced', 'worker-fallback'])
  assert.deepEqual(await trainer.snapshot(), expected)
  assert.equal((await table.info()).tMax, 4)
})

test('a restored trainer is made again from what it was restored from', async () => {
  const { remote } = await connect()
  const half = local.createTrainer(options)
  half.train({ steps: 100 })
  const bytes = half.snapshot()
  const trainer = await remote.restoreTrainer(bytes)
  bytes.fill(0)
  remote.debug.kill()
  const { losses } = await trainer.train({ steps: 50 })
  assertSameBits(losses, half.train({ steps: 50 }).losses)
  half.dispose()
})

test('the log of a trainer: steps add up, a snapshot replaces all', () => {
  const log = new OperationLog({ method: 'createTrainer', args: {} }, {})
  for (const steps of [3, 0, 4]) log.add({ method: 'train', args: { steps } })
  assert.deepEqual(log.operations.slice(1), [{ method: 'train', args: { steps: 7 } }])
  const bytes = new Uint8Array(3)
  log.snapshot(bytes)
  assert.deepEqual(log.operations, [{ method: 'restoreTrainer', args: { bytes } }])
})

test('two parts of a call make one answer', () => {
  const list = (/** @type {number[]} */ ...values) => Float32Array.from(values)
  const joined = trainerCalls.train?.join?.(
    { step: 2, finished: false, losses: list(4, 3), accuracies: list(0, 0.5) },
    { step: 3, finished: true, losses: list(2), accuracies: list(1) },
  )
  const whole = { step: 3, finished: true, losses: list(4, 3, 2), accuracies: list(0, 0.5, 1) }
  assert.deepEqual(joined, whole)
})
