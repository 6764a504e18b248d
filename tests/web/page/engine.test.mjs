// The engine where only a browser can show it: workers of another origin, policies, and workers that
// hang, throw or die there.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { serveFolder } from '../../../web/build/serve.mjs'
import { dist, hostPage, inBrowsers } from '../harness.mjs'

/** @type {Promise<{ origin: string, close: () => Promise<void> }> | undefined} */
let serving
after(async () => (await serving)?.close())

/** @returns {Promise<string>} the module's address on an origin that lets others read it */
async function foreignModule() {
  serving ??= serveFolder(dist, { headers: { 'access-control-allow-origin': '*' } })
  return `${(await serving).origin}/posenc-lab.js`
}

/** Runs in the page: a sum over both engines, where the remote one worked, and what it was told. */
const compare = async (/** @type {string} */ url) => {
  const { connectEngine, loadEngine } = await import(url)
  const [engine, remote] = [await loadEngine(), await connectEngine()]
  const options = { length: 200, dModel: 33, start: 1000 }
  const [near, far] = [engine.sinusoidal(options), await remote.sinusoidal(options)]
  const same = near.data.every(
    (/** @type {number} */ x, /** @type {number} */ i) => x === far.data[i],
  )
  const { mode, info } = remote
  await remote.close()
  return { mode, same, simd: info.simd }
}

inBrowsers('a module of another origin works in a worker', async ({ visit }) => {
  const url = await foreignModule()
  const { page, problems } = await visit(await hostPage('<p>blog</p>'))
  assert.deepEqual(await page.evaluate(compare, url), { mode: 'worker', same: true, simd: true })
  assert.deepEqual(problems, [])
})

inBrowsers('a policy without workers: everything on the page’s own thread', async ({ visit }) => {
  const url = await foreignModule()
  const policy = `script-src 'unsafe-inline' 'wasm-unsafe-eval' ${new URL(url).origin}; worker-src 'none'`
  const html = `<meta http-equiv="content-security-policy" content="${policy}">`
  const { page } = await visit(await hostPage(html))
  assert.deepEqual(await page.evaluate(compare, url), { mode: 'main', same: true, simd: true })
})

inBrowsers('no Worker at all', async ({ visit }) => {
  const url = await foreignModule()
  const { page, problems } = await visit(await hostPage(''), {
    before: (fresh) => fresh.addInitScript(() => Reflect.deleteProperty(window, 'Worker')),
  })
  assert.deepEqual(await page.evaluate(compare, url), { mode: 'main', same: true, simd: true })
  assert.deepEqual(problems, [])
})

inBrowsers('no SIMD: the plain build', async ({ visit }) => {
  const url = await foreignModule()
  const { page } = await visit(await hostPage(''), {
    before: (fresh) => fresh.addInitScript(() => (WebAssembly.validate = () => false)),
  })
  assert.deepEqual(await page.evaluate(compare, url), { mode: 'worker', same: true, simd: false })
})

inBrowsers('a policy against WebAssembly is named as such', async ({ visit }) => {
  const url = await foreignModule()
  const policy = `script-src 'unsafe-inline' ${new URL(url).origin}`
  const html = `<meta http-equiv="content-security-policy" content="${policy}">`
  const { page } = await visit(await hostPage(html))
  const codes = await page.evaluate(async (address) => {
    const { connectEngine, loadEngine } = await import(address)
    const attempts = await Promise.allSettled([loadEngine(), connectEngine()])
    return attempts.map((attempt) => attempt.status === 'rejected' && attempt.reason.code)
  }, url)
  assert.deepEqual(codes, ['wasm-blocked', 'wasm-blocked'])
})

inBrowsers(
  'a worker that is killed, hangs and crashes in mid-run: the same bits in the end',
  async ({ visit }) => {
    const url = await foreignModule()
    const { page } = await visit(await hostPage(''))
    const outcome = await page.evaluate(async (address) => {
      const { connectEngine, loadEngine } = await import(address)
      const engine = await loadEngine()
      const shape = { tMax: 64, dModel: 32, seed: 3 }
      const long = { steps: 1000000, learningRate: 1e-4 }
      const table = engine.createTable(shape)
      const report = table.trainTowardSinusoid(long)
      const expected = table.values().data

      /** @type {string[]} */
      const notices = []
      const remote = await connectEngine({
        onNotice: (/** @type {any} */ { code, failures }) => notices.push(`${code} ${failures}`),
      })
      const far = await remote.createTable(shape)
      const faults = ['kill', 'hang', 'crash']
      let struckAt = -1
      const answer = await far.trainTowardSinusoid(long, {
        onProgress(/** @type {{ done: number }} */ { done }) {
          // One fault after another, each to a worker that has come further than the last.
          if (remote.mode === 'main' || done <= struckAt) return
          struckAt = done
          const fault = faults.shift()
          if (fault) remote.debug[fault]()
        },
      })
      const { data } = await far.values()
      const { mode } = remote
      await remote.close()
      return {
        mode,
        notices,
        same: data.every((/** @type {number} */ x, /** @type {number} */ i) => x === expected[i]),
        steps: answer.steps,
        error: answer.meanSquaredError === report.meanSquaredError,
      }
    }, url)
    assert.deepEqual(outcome, {
      mode: 'main',
      notices: ['worker-replaced 1', 'worker-replaced 2', 'worker-fallback 3'],
      same: true,
      steps: 1000000,
      error: true,
    })
  },
  { timeout: 180000 },
)
