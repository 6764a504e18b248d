// Finding, reading and starting WebAssembly, and what is said when that fails.

import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  assertRefused,
  assertStillRight,
  connectEngine,
  distUrl,
  loadEngine,
  simdSupported,
} from './support.mjs'

const folder = await mkdtemp(join(tmpdir(), 'posenc-load-'))
after(() => rm(folder, { recursive: true, force: true }))

const wasm = {
  simd: new Uint8Array(await readFile(distUrl('posenc-simd.wasm'))),
  plain: new Uint8Array(await readFile(distUrl('posenc-plain.wasm'))),
}

/** @param {Uint8Array} bytes */
const sourcesOf = (bytes) => ({ wasm: async () => bytes, workerUrl: () => null })

test('detection: true here, false where vectors or exceptions are missing', (t) => {
  assert.equal(simdSupported(), true)
  t.mock.method(WebAssembly, 'validate', () => false)
  assert.equal(simdSupported(), false)
  t.mock.restoreAll()
  t.mock.method(WebAssembly, 'validate', () => {
    throw new WebAssembly.CompileError('not even asked')
  })
  assert.equal(simdSupported(), false)
})

test('where SIMD is missing the plain build is taken, and the other one refused', async (t) => {
  t.mock.method(WebAssembly, 'validate', () => false)
  const engine = await loadEngine()
  assert.equal(engine.info.simd, false)
  await assertStillRight(engine)
  const error = await assertRefused(() => loadEngine({ simd: true }), { code: 'no-webassembly' })
  assert.equal(error.details.reason, 'no-simd')
})

test('each build is asked for by name, once', async () => {
  /** @type {boolean[]} */
  const asked = []
  const sources = {
    wasm: async (/** @type {boolean} */ simd) => {
      asked.push(simd)
      return simd ? wasm.simd : wasm.plain
    },
    workerUrl: () => null,
  }
  for (const simd of [undefined, true, false]) await loadEngine({ simd, sources })
  assert.deepEqual(asked, [true, true, false])
})

test('no WebAssembly', async () => {
  const { WebAssembly: kept } = globalThis
  try {
    Reflect.deleteProperty(globalThis, 'WebAssembly')
    await assertRefused(() => loadEngine(), { code: 'no-webassembly' })
    await assertRefused(() => connectEngine(), { code: 'no-webassembly' })
  } finally {
    globalThis.WebAssembly = kept
  }
  await assertStillRight(await loadEngine())
})

test('a policy that forbids compiling', async (t) => {
  // What browsers throw: a CompileError in Chromium and Firefox, an EvalError in Safari.
  for (const Kind of [WebAssembly.CompileError, EvalError]) {
    t.mock.method(WebAssembly, 'Module', function Module() {
      throw new Kind('blocked by Content Security Policy')
    })
    for (const start of [loadEngine, connectEngine]) {
      const error = await assertRefused(() => start(), { code: 'wasm-blocked' })
      assert.match(error.message, /wasm-unsafe-eval/)
    }
    t.mock.restoreAll()
  }
  await assertStillRight(await loadEngine())
})

for (const name of /** @type {const} */ (['simd', 'plain'])) {
  const simd = name === 'simd'
  const bytes = wasm[name]

  test(`${name}: a file that is cut off, changed or no WebAssembly`, async () => {
    const html = new TextEncoder().encode('<!doctype html><title>Not found</title>')
    const flipped = bytes.slice()
    flipped.fill(0xff, 200, 260)
    /** @type {[string, Uint8Array][]} */
    const broken = [
      ['not-wasm', html],
      ['not-wasm', new Uint8Array(0)],
      ['not-wasm', bytes.slice(0, 7)],
      ['damaged', bytes.slice(0, 8)],
      ['damaged', bytes.slice(0, 1000)],
      ['damaged', bytes.slice(0, -1)],
      ['damaged', bytes.slice(0, bytes.length >> 1)],
      ['damaged', flipped],
    ]
    for (const [reason, content] of broken) {
      for (const start of [loadEngine, connectEngine]) {
        const refused = { code: 'wasm-broken' }
        const error = await assertRefused(
          () => start({ simd, sources: sourcesOf(content) }),
          refused,
        )
        assert.equal(error.details.reason, reason, `${content.length} bytes`)
      }
    }
    await assertStillRight(await loadEngine({ simd, sources: sourcesOf(bytes) }))
  })
}

for (const [how, broken] of /** @type {[string, () => Promise<Uint8Array>][]} */ ([
  ['missing', () => Promise.reject(new Error('404'))],
  ['a page of HTML', async () => new TextEncoder().encode('<!doctype html>')],
  ['damaged', async () => wasm.simd.slice(0, 5000)],
])) {
  test(`the SIMD file is ${how}: the plain build starts, and that is said once`, async (t) => {
    const warn = t.mock.method(console, 'warn', () => {})
    const sources = {
      wasm: (/** @type {boolean} */ simd) => (simd ? broken() : Promise.resolve(wasm.plain)),
      workerUrl: () => null,
    }
    for (const start of [loadEngine, connectEngine, loadEngine]) {
      const engine = await start({ sources })
      assert.equal(engine.info.simd, false)
      await assertStillRight(engine)
      await assertRefused(() => start({ simd: true, sources }), { code: 'wasm-broken' })
    }
    assert.equal(warn.mock.callCount(), 1)
    assert.match(String(warn.mock.calls[0].arguments[0]), /without SIMD/)
  })
}

test('sources that are none, fail, or give something else', async () => {
  const workerUrl = () => null
  for (const start of [loadEngine, connectEngine]) {
    const wrong = [null, 7, [], {}, { wasm: 'bytes', workerUrl }, { wasm: async () => wasm.simd }]
    for (const sources of /** @type {any[]} */ (wrong)) {
      await assertRefused(() => start({ sources }), { code: 'invalid-argument' })
    }
    const failing = async () => {
      throw new TypeError('no network')
    }
    const error = await assertRefused(() => start({ sources: { wasm: failing, workerUrl } }), {
      code: 'wasm-broken',
    })
    assert.equal(error.details.reason, 'missing')
    for (const content of [undefined, null, 'text', 7, {}, wasm.simd.buffer]) {
      const sources = /** @type {any} */ ({ wasm: async () => content, workerUrl })
      await assertRefused(() => start({ sources }), { code: 'wasm-broken' })
    }
  }
})

test('files missing or cut off beside the module', async () => {
  const copy = join(folder, 'dist')
  await cp(fileURLToPath(distUrl('.')), copy, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await truncate(join(copy, 'posenc-simd.wasm'), 30000)
  await rm(join(copy, 'posenc-plain.wasm'))
  /** @type {typeof import('../../web/src/element/index.js')} */
  const other = await import(pathToFileURL(join(copy, 'posenc-lab.js')).href)
  /** @type {[boolean, string][]} */
  const cases = [
    [true, 'damaged'],
    [false, 'missing'],
  ]
  for (const [simd, reason] of cases) {
    for (const start of [other.loadEngine, other.connectEngine]) {
      await assert.rejects(start({ simd }), (/** @type {any} */ error) => {
        assert.ok(error instanceof other.EngineError)
        assert.equal(error.code, 'wasm-broken')
        assert.equal(error.details.reason, reason)
        return true
      })
    }
  }
})

test('nothing is printed, and no global is left behind', async (t) => {
  const before = Object.getOwnPropertyNames(globalThis)
  const logged = ['log', 'warn', 'error'].map((name) =>
    t.mock.method(console, /** @type {'log'} */ (name), () => {}),
  )
  const engine = await loadEngine()
  engine.createTable({ tMax: 4, dModel: 4 }).dispose()
  const sources = sourcesOf(wasm.simd.slice(0, 5000))
  await assertRefused(() => loadEngine({ sources }), { code: 'wasm-broken' })
  assert.deepEqual(Object.getOwnPropertyNames(globalThis), before)
  for (const { mock } of logged) assert.equal(mock.callCount(), 0)
})
