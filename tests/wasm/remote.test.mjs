// Calls over a worker: order, turns, cancelling, the newest of a kind, progress, closing.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import {
  assertRefused,
  assertSameBits,
  assertStillRight,
  connectEngine,
  distUrl,
  loadEngine,
} from './support.mjs'

/** Long enough to be stopped in the middle on any machine, and far from converging. */
const long = { steps: 1000000, learningRate: 1e-4 }
const shape = { tMax: 512, dModel: 128 }

const local = await loadEngine()

for (const worker of [true, false]) {
  const where = worker ? 'worker' : 'this thread'
  const remote = await connectEngine({ worker })
  after(() => remote.close())

  test(`${where}: says where it works`, () => {
    assert.equal(remote.mode, worker ? 'worker' : 'main')
    assert.equal(remote.debug.worker === null, !worker)
  })

  test(`${where}: a signal that is aborted before, at once, and in the middle`, async () => {
    const options = { length: 10, dModel: 4 }
    const aborted = { code: 'aborted' }
    await assertRefused(() => remote.sinusoidal(options, { signal: AbortSignal.abort() }), aborted)

    const early = new AbortController()
    const call = remote.sinusoidal(options, { signal: early.signal })
    early.abort()
    const error = await assertRefused(() => call, aborted)
    assert.deepEqual(error.details, { reason: 'signal' })

    const table = await remote.createTable(shape)
    const late = new AbortController()
    let told = 0
    const training = table.trainTowardSinusoid(long, {
      signal: late.signal,
      onProgress({ done, total }) {
        assert.equal(total, long.steps)
        assert.ok(done > told)
        told = done
        late.abort()
      },
    })
    await assertRefused(() => training, aborted)
    assert.ok(told > 0)

    // The steps that were done stay, and are counted right: the bits are those of so many steps.
    const { steps } = await table.info()
    assert.ok(steps >= told && steps < long.steps)
    const twin = local.createTable(shape)
    twin.trainTowardSinusoid({ ...long, steps })
    assertSameBits((await table.values()).data, twin.values().data)
    twin.dispose()
    await table.dispose()
  })

  test(`${where}: a signal is let go of after the call`, async () => {
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (/** @type {any} */ ...args) => {
      listeners += 1
      add(.../** @type {[any, any]} */ (args))
    }
    signal.removeEventListener = (/** @type {any} */ ...args) => {
      listeners -= 1
      remove(.../** @type {[any, any]} */ (args))
    }
    await remote.sinusoidal({ length: 1, dModel: 2 }, { signal })
    await assertRefused(() => remote.sinusoidal({ length: -1, dModel: 2 }, { signal }), {
      code: 'invalid-argument',
    })
    assert.equal(listeners, 0)
  })

  test(`${where}: of calls with the same key only the newest is answered`, async () => {
    const table = await remote.createTable(shape)
    const first = table.trainTowardSinusoid(long, { latest: 'train' })
    const other = remote.sinusoidal({ length: 1, dModel: 2 }, { latest: 'code' })
    const second = table.trainTowardSinusoid({ ...long, steps: 5 }, { latest: 'train' })
    const error = await assertRefused(() => first, { code: 'aborted' })
    assert.deepEqual(error.details, { reason: 'superseded' })
    assert.equal((await other).data.length, 2)
    const { steps } = await second
    assert.ok(steps >= 5 && steps < long.steps)
    // A key is free again after its call.
    await table.trainTowardSinusoid({ ...long, steps: 1 }, { latest: 'train' })
    await table.dispose()
  })

  test(`${where}: a dragged slider: of many calls the last one counts`, async () => {
    const calls = Array.from({ length: 50 }, (_, start) =>
      remote.sinusoidal({ length: 100, dModel: 8, start }, { latest: 'drag' }),
    )
    const results = await Promise.allSettled(calls)
    assert.ok(results.slice(0, -1).every(({ status }) => status === 'rejected'))
    const last = results.at(-1)
    assert.ok(last?.status === 'fulfilled')
    const expected = local.sinusoidal({ length: 100, dModel: 8, start: 49 })
    assertSameBits(last.value.data, expected.data)
  })

  test(`${where}: short calls do not wait for a long one, nor one table for another`, async () => {
    const [busy, idle] = [await remote.createTable(shape), await remote.createTable(shape)]
    const stop = new AbortController()
    let over = false
    const training = busy
      .trainTowardSinusoid(long, { signal: stop.signal })
      .finally(() => (over = true))
    await assertStillRight(remote)
    assert.equal((await idle.trainTowardSinusoid({ steps: 3 })).steps, 3)
    assert.equal((await idle.lookup(3)).length, shape.dModel)
    assert.equal(over, false)
    stop.abort()
    await assertRefused(() => training, { code: 'aborted' })
    await busy.dispose()
    await idle.dispose()
  })

  test(`${where}: the calls of one table keep their order`, async () => {
    const table = await remote.createTable({ tMax: 50, dModel: 16 })
    const results = await Promise.all([
      table.trainTowardSinusoid({ steps: 400 }),
      table.info(),
      table.trainTowardSinusoid({ steps: 100 }),
      table.grow(60),
      table.info(),
      table.dispose(),
    ])
    assert.equal(results[1].steps, 400)
    assert.deepEqual(results[4], { tMax: 60, dModel: 16, trainedRows: 50, steps: 500 })
    assert.equal(await remote.liveHandles(), 0)
  })

  test(`${where}: a table that nobody waits for any more is not kept`, async () => {
    const stop = new AbortController()
    const call = remote.createTable(shape, { signal: stop.signal })
    stop.abort()
    await assertRefused(() => call, { code: 'aborted' })
    while ((await remote.liveHandles()) > 0);
    await assertStillRight(remote)
  })

  test(`${where}: large results tell how far they are, and this thread goes on meanwhile`, async () => {
    let told = 0
    let turns = 0
    const timer = setInterval(() => (turns += 1), 1)
    const { data } = await remote.sinusoidal(
      { length: 2 ** 24, dModel: 2 },
      {
        onProgress({ done, total }) {
          assert.equal(total, 2 ** 24)
          assert.ok(done > told && done < total)
          told = done
        },
      },
    )
    clearInterval(timer)
    assert.equal(data.length, 2 ** 25)
    assert.ok(told > 0)
    assert.ok(turns > 10, `${turns} turns`)
    const last = local.sinusoidal({ length: 3, dModel: 2, start: 2 ** 24 - 3 })
    assertSameBits(data.slice(-6), last.data)
  })

  test(`${where}: options of a lookup and of its call, together or apart`, async () => {
    const table = await remote.createTable({ tMax: 4, dModel: 2 })
    const stopped = { signal: AbortSignal.abort() }
    await assertRefused(() => table.lookup(1, /** @type {any} */ (stopped)), { code: 'aborted' })
    await assertRefused(() => table.lookup(1, {}, stopped), { code: 'aborted' })
    const { signal } = new AbortController()
    const zeros = await table.lookup(9, { behaviour: 'zeros', signal })
    assert.deepEqual(zeros, new Float64Array(2))
    await assertRefused(() => table.dispose(stopped), { code: 'aborted' })
    assert.equal((await table.info()).tMax, 4)
    await table.dispose()
  })
}

test('closing rejects what is pending and whatever comes later', async () => {
  const remote = await connectEngine()
  const table = await remote.createTable(shape)
  const pending = [table.trainTowardSinusoid(long), table.values(), remote.liveHandles()]
  const exit = once(remote.debug.worker, 'exit')
  await remote.close()
  for (const call of pending) await assertRefused(() => call, { code: 'disposed' })
  await assertRefused(() => remote.sinusoidal({ length: 1, dModel: 1 }), { code: 'disposed' })
  await assertRefused(() => table.info(), { code: 'disposed' })
  await remote.close()
  await exit
})

test('connections do not disturb one another', async () => {
  const remotes = await Promise.all([connectEngine(), connectEngine({ simd: false })])
  const [one, other] = remotes
  const table = await one.createTable({ tMax: 4, dModel: 2 })
  assert.equal(await other.liveHandles(), 0)
  await other.close()
  assert.equal((await table.info()).tMax, 4)
  await one.close()
})

test('a connection that is not closed does not keep Node from ending', async () => {
  const script = `
    import { connectEngine } from ${JSON.stringify(distUrl('posenc-lab.js').href)}
    const remote = await connectEngine()
    console.log((await remote.sinusoidal({ length: 3, dModel: 2 })).data.length)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.equal(output.trim(), '6')
})
