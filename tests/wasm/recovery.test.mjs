// A worker that dies, hangs or throws is replaced, and nobody can tell from the numbers.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { OperationLog } from '../../web/src/engine/remote/operation_log.js'
import { Watch } from '../../web/src/engine/remote/watch.js'
import {
  assertRefused,
  assertSameBits,
  assertStillRight,
  connectEngine,
  distUrl,
  loadEngine,
} from './support.mjs'

/** @typedef {import('./support.mjs').RemoteEngine} RemoteEngine */

const shape = { tMax: 64, dModel: 32, seed: 3 }
/** Seconds of work, more than the half second between snapshots, and far from converging. */
const long = { steps: 1000000, learningRate: 1e-4 }

const local = await loadEngine()
const unbroken = local.createTable(shape)
const report = unbroken.trainTowardSinusoid(long)
const expected = unbroken.values().data
unbroken.dispose()

/** @type {RemoteEngine[]} */
const open = []
after(() => Promise.all(open.map((remote) => remote.close())))

/** @param {import('../../web/src/engine/types.js').ConnectOptions} [options] */
async function connect(options) {
  /** @type {import('../../web/src/engine/types.js').Notice[]} */
  const notices = []
  const remote = await connectEngine({ onNotice: (notice) => notices.push(notice), ...options })
  open.push(remote)
  return { remote, notices }
}

/** @type {['kill' | 'hang' | 'crash', number][]} */
const faults = [
  ['kill', 1],
  ['hang', 1],
  ['crash', 1],
  ['kill', 600000],
  ['hang', 600000],
]
for (const [fault, atStep] of faults) {
  test(`${fault} after step ${atStep}: training goes on to the same bits`, async () => {
    const { remote, notices } = await connect()
    const table = await remote.createTable(shape)
    let struck = false
    let told = 0
    const training = table.trainTowardSinusoid(long, {
      onProgress({ done, total }) {
        assert.equal(total, long.steps)
        // After a replacement it may begin again from a snapshot, not from the start.
        if (!struck) assert.ok(done > told)
        told = done
        if (struck || done < atStep) return
        struck = true
        remote.debug[fault]()
      },
    })
    assert.deepEqual(await training, report)
    assert.ok(struck)
    assertSameBits((await table.values()).data, expected)
    assert.deepEqual(notices, [{ code: 'worker-replaced', failures: 1 }])
    assert.equal(remote.mode, 'worker')
    await table.dispose()
    assert.equal(await remote.liveHandles(), 0)
  })
}

test('an idle worker that was killed, hangs or crashed serves the next call', async () => {
  const { remote, notices } = await connect()
  const table = await remote.createTable({ tMax: 50, dModel: 16 })
  await table.trainTowardSinusoid({ steps: 100 })
  await table.grow(70)
  await table.trainTowardSinusoid({ steps: 100, learningRate: 0.1 })
  const before = await table.snapshot()
  remote.debug.kill()
  assert.deepEqual(await table.snapshot(), before)
  remote.debug.hang()
  assert.deepEqual(await table.snapshot(), before)
  assert.deepEqual(notices, [
    { code: 'worker-replaced', failures: 1 },
    { code: 'worker-replaced', failures: 2 },
  ])
  const twin = await remote.restoreTable(before)
  assert.equal(await remote.liveHandles(), 2)
  await twin.dispose()
})

test('every pending call is answered once, in order, after a replacement', async () => {
  const { remote } = await connect()
  const table = await remote.createTable(shape)
  const doomed = await remote.createTable({ tMax: 4, dModel: 2 })
  const calls = [
    remote.sinusoidal({ length: 2 ** 20, dModel: 8 }),
    table.trainTowardSinusoid({ steps: 400 }),
    table.info(),
    table.grow(80),
    table.trainTowardSinusoid({ steps: 100 }),
    table.info(),
    remote.createTable({ tMax: 3, dModel: 3 }),
    doomed.dispose(),
    remote.attention({ tokens: [1, 2, 3] }),
  ]
  remote.debug.kill()
  const results = /** @type {any[]} */ (await Promise.all(calls))
  assert.equal(results[2].steps, 400)
  assert.deepEqual(results[5], { tMax: 80, dModel: 32, trainedRows: 64, steps: 500 })
  const twin = local.createTable(shape)
  twin.trainTowardSinusoid({ steps: 400 })
  twin.grow(80)
  twin.trainTowardSinusoid({ steps: 100 })
  assertSameBits((await table.values()).data, twin.values().data)
  assert.deepEqual(results[8], local.attention({ tokens: [1, 2, 3] }))
  assert.equal(await remote.liveHandles(), 2)
  twin.dispose()
})

test('a call that was aborted before the worker died is not taken up again', async () => {
  const { remote } = await connect()
  const table = await remote.createTable(shape)
  const stop = new AbortController()
  const training = table.trainTowardSinusoid(long, { signal: stop.signal })
  remote.debug.hang()
  stop.abort()
  await assertRefused(() => training, { code: 'aborted' })
  const { steps } = await table.info()
  assert.ok(steps < long.steps)
  const twin = local.createTable(shape)
  twin.trainTowardSinusoid({ ...long, steps })
  assertSameBits((await table.values()).data, twin.values().data)
  twin.dispose()
})

test('after three failures this thread takes over, in short slices, to the same bits', async () => {
  const { remote, notices } = await connect()
  const table = await remote.createTable(shape)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const training = table.trainTowardSinusoid(long, {
    onProgress: () => (remote.mode === 'worker' ? remote.debug.kill() : undefined),
  })
  assert.deepEqual(await training, report)
  clearInterval(timer)
  assert.ok(turns > 20, `${turns} turns`)
  assertSameBits((await table.values()).data, expected)
  assert.deepEqual(notices, [
    { code: 'worker-replaced', failures: 1 },
    { code: 'worker-replaced', failures: 2 },
    { code: 'worker-fallback', failures: 3 },
  ])
  assert.equal(remote.mode, 'main')
  // Nothing is left to fail.
  remote.debug.kill()
  remote.debug.hang()
  remote.debug.crash()
  await assertStillRight(remote)
})

test('closing in the middle of a replacement', async () => {
  const { remote, notices } = await connect()
  const pending = remote.sinusoidal({ length: 10, dModel: 2 })
  remote.debug.crash()
  await new Promise((resolve) => setImmediate(resolve))
  await remote.close()
  await pending.catch(() => {})
  await assertRefused(() => remote.liveHandles(), { code: 'disposed' })
  assert.deepEqual(notices, [])
})

test('a worker that cannot start, is no worker of ours, or never speaks', async () => {
  const wasm = (/** @type {boolean} */ simd) =>
    import('node:fs/promises').then(async ({ readFile }) => {
      return new Uint8Array(await readFile(distUrl(`posenc-${simd ? 'simd' : 'plain'}.wasm`)))
    })
  const script = (/** @type {string} */ text) => `data:text/javascript,${encodeURIComponent(text)}`
  const answer = (/** @type {object} */ message) =>
    script(`import('node:worker_threads').then(({ parentPort }) => {
      parentPort.postMessage(${JSON.stringify(message)})
      parentPort.on('message', () => {})
    })`)
  const urls = [
    new URL('missing.js', distUrl('.')).href,
    script('throw new Error("not today")'),
    script('1'),
    answer({ type: 'hello', version: 'another' }),
  ]
  const addresses = [
    ...urls.map((url) => () => url),
    () => null,
    () => 'no address: at all',
    () => {
      throw new Error('nor any')
    },
  ]
  for (const workerUrl of addresses) {
    const { remote, notices } = await connect({ sources: { wasm, workerUrl } })
    assert.equal(remote.mode, 'main')
    await assertStillRight(remote)
    // No worker where there never was one is nothing to tell.
    assert.deepEqual(notices, [])
  }
})

test('an engine that is beyond use is replaced, its call is told, the next ones are served', async () => {
  const { readFile } = await import('node:fs/promises')
  const { version, toolchain } = local.info
  // Speaks like a worker of ours, and fails in every call as a trap would.
  const script = `import('node:worker_threads').then(({ parentPort }) => {
    const say = (message) => parentPort.postMessage(message)
    parentPort.on('message', ({ type, id }) => {
      if (type === 'start') say({ type: 'ready', info: ${JSON.stringify({ version, simd: true, toolchain })} })
      const error = { code: 'internal', message: 'The engine failed.', details: {} }
      if (type === 'call') say({ type: 'error', id, error, done: 0, fatal: true })
    })
    say({ type: 'hello', version: ${JSON.stringify(version)} })
  })`
  const sources = {
    wasm: async () => new Uint8Array(await readFile(distUrl('posenc-simd.wasm'))),
    workerUrl: () => `data:text/javascript,${encodeURIComponent(script)}`,
  }
  const { remote, notices } = await connect({ simd: true, sources })
  for (let n = 0; n < 3; ++n) {
    assert.equal(remote.mode, 'worker')
    await assertRefused(() => remote.liveHandles(), { code: 'internal' })
    while (notices.length === n) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.equal(notices.at(-1)?.code, 'worker-fallback')
  await assertStillRight(remote)
})

test('messages that are none of ours are dropped on both sides', async () => {
  const { remote, notices } = await connect()
  const { worker } = remote.debug
  const strange = [null, 7, 'hello', {}, { type: 'call' }, { type: 'start', bytes: 'x' }, [1, 2]]
  for (const message of strange) {
    worker.postMessage(message)
    worker.emit('message', message)
  }
  worker.emit('message', { type: 'result', id: 999999, value: 1, snapshot: null })
  worker.emit('message', { type: 'constructor' })
  await assertStillRight(remote)
  assert.deepEqual(notices, [])
})

test('a call with a method or a target that the worker does not know', async () => {
  const worker = new Worker(distUrl('posenc-worker.js'))
  const { readFile } = await import('node:fs/promises')
  const bytes = new Uint8Array(await readFile(distUrl('posenc-plain.wasm')))
  const [hello] = await once(worker, 'message')
  assert.equal(hello.type, 'hello')
  const early = { type: 'call', id: 1, target: 0, method: 'sinusoidal', args: {} }
  worker.postMessage(early)
  assert.equal((await once(worker, 'message'))[0].error.code, 'internal')
  worker.postMessage({ type: 'start', bytes, simd: false, sliceMs: 200 })
  assert.equal((await once(worker, 'message'))[0].type, 'ready')
  for (const method of ['constructor', 'toString', '__proto__', 'nothing', 'dispose', 'values']) {
    for (const target of [0, 77]) {
      worker.postMessage({ type: 'call', id: 2, target, method, args: {} })
      const [reply] = await once(worker, 'message')
      assert.equal(reply.type, 'error', method)
      assert.equal(reply.error.code, 'internal')
      assert.equal(reply.fatal, false)
    }
  }
  await worker.terminate()
})

test('the log: training of the same kind is one entry, a snapshot replaces all', () => {
  const log = new OperationLog({ method: 'createTable', args: { tMax: 4, dModel: 2 } }, shape)
  const train = (/** @type {number} */ steps, learningRate = 0.1) =>
    log.add({
      method: 'trainTowardSinusoid',
      args: { steps, learningRate, targetScale: 0.5 },
    })
  train(3)
  train(0)
  train(4)
  train(1, 0.2)
  log.add({ method: 'grow', args: { tMax: 9 } })
  train(2, 0.2)
  assert.deepEqual(
    log.operations.map(({ args }) => args.steps ?? args.tMax),
    [4, 7, 1, 9, 2],
  )
  const bytes = new Uint8Array(3)
  log.snapshot(bytes)
  assert.deepEqual(log.operations, [{ method: 'restoreTable', args: { bytes } }])
})

test('silence is counted in waking time only', (t) => {
  let now = 0
  let ticks = () => {}
  t.mock.method(performance, 'now', () => now)
  t.mock.method(globalThis, 'setInterval', (/** @type {() => void} */ tick) => {
    ticks = tick
    return 1
  })
  t.mock.method(globalThis, 'clearInterval', () => (ticks = () => {}))
  /** @type {string[]} */
  const calls = []
  const watch = new Watch(
    1000,
    () => calls.push('silence'),
    () => calls.push('quiet'),
  )
  /** @param {number} ms @param {number} [times] */
  const pass = (ms, times = 1) => {
    for (let n = 0; n < times; ++n) {
      now += ms
      ticks()
    }
  }
  watch.start()
  // A page that was suspended for an hour, again and again, has heard nothing: no wonder.
  pass(3600000, 3)
  assert.deepEqual(calls, [])
  watch.heard()
  pass(100, 4)
  assert.deepEqual(calls, [])
  pass(100)
  assert.deepEqual(calls, ['quiet'])
  pass(100, 4)
  assert.deepEqual(calls, ['quiet'])
  pass(100)
  assert.deepEqual(calls, ['quiet', 'silence'])
  pass(100, 100)
  assert.deepEqual(calls, ['quiet', 'silence'])
})
