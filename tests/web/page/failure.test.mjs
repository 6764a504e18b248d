// What breaks in front of a class: no WebAssembly, a policy, a damaged file, no script, a dead worker.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serveFolder } from '../../../web/build/serve.mjs'
import { dist, inBrowsers, oneFileUrl, siteOrigin } from '../harness.mjs'
import { openLab, ready, recordWorkers, sentenceBecomes, stateOf } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

/**
 * The message and the still picture, instead of a blank.
 * @param {Page} page
 * @param {RegExp} words
 */
async function assertExplained(page, words) {
  const problem = page.locator('#lab div.problem')
  await problem.waitFor()
  assert.match(await problem.innerText(), words)
  assert.equal(await page.locator('.still svg').isVisible(), true)
}

inBrowsers(
  'no WebAssembly: a message and the still picture, in both languages',
  async ({ visit }) => {
    const url = `${await siteOrigin()}/`
    const before = (/** @type {Page} */ page) =>
      page.addInitScript(() => Reflect.deleteProperty(window, 'WebAssembly'))
    const { page } = await visit(url, { before })
    await assertExplained(page, /This browser has no WebAssembly/)
    await page.locator('#language input[value=zh]').check()
    await page.locator('#lab .problem', { hasText: '没有 WebAssembly' }).waitFor()
  },
)

inBrowsers(
  'a policy without wasm-unsafe-eval: a message and the still picture',
  async ({ visit }) => {
    const html = await readFile(join(dist, 'index.html'), 'utf8')
    const { page } = await visit(`${await siteOrigin()}/`, {
      before: (fresh) =>
        fresh.route('**/', (route) =>
          route.fulfill({
            contentType: 'text/html',
            body: html.replaceAll("'wasm-unsafe-eval'", ''),
          }),
        ),
    })
    await assertExplained(page, /content policy of this page forbids WebAssembly/)
  },
)

for (const [name, answer] of /** @type {const} */ ([
  ['truncated', { contentType: 'application/wasm', body: 'half' }],
  ['missing', { status: 404, contentType: 'text/html', body: '<h1>404</h1>' }],
  ['replaced by a web page', { contentType: 'text/html', body: '<!doctype html><p>Sign in' }],
])) {
  inBrowsers(`the kernel’s file is ${name}: a message and the still picture`, async ({ visit }) => {
    const bytes = await readFile(join(dist, 'posenc-simd.wasm'))
    const body = answer.body === 'half' ? bytes.subarray(0, bytes.length / 2) : answer.body
    const { page } = await visit(`${await siteOrigin()}/`, {
      before: (fresh) =>
        fresh.route('**/*.wasm', (route) =>
          route.fulfill({ ...answer, body: /** @type {any} */ (body) }),
        ),
    })
    await assertExplained(page, /file is missing or damaged/)
  })
}

/** @param {Page} page */
async function assertStillPage(page) {
  const words = await page.locator('body').innerText()
  assert.match(words, /This figure needs JavaScript/)
  assert.match(words, /需要 JavaScript/)
  assert.equal(await page.locator('.still svg').isVisible(), true)
}

// Chromium alone, because Firefox as it is driven here cannot switch scripts off.
inBrowsers(
  'scripts off: both languages and the still picture',
  async ({ visit }) => {
    for (const url of [`${await siteOrigin()}/`, oneFileUrl]) {
      const { page } = await visit(url, { javaScriptEnabled: false })
      await assertStillPage(page)
    }
  },
  { only: 'chromium' },
)

inBrowsers(
  'scripts stopped by a policy: both languages and the still picture',
  async ({ visit }) => {
    const headers = { 'content-security-policy': "script-src 'none'" }
    const { origin, close } = await serveFolder(dist, { headers })
    try {
      for (const url of [`${origin}/`, `${origin}/posenc-lab.html`]) {
        const { page } = await visit(url)
        await assertStillPage(page)
      }
    } finally {
      await close()
    }
  },
)

/**
 * The one-file page with something wrong in it.
 * @param {(html: string) => string} spoil
 */
async function spoiledOneFile(spoil) {
  const folder = await mkdtemp(join(tmpdir(), 'posenc-spoiled-'))
  const path = join(folder, 'posenc-lab.html')
  await writeFile(path, spoil(await readFile(join(dist, 'posenc-lab.html'), 'utf8')))
  return { url: pathToFileURL(path).href, remove: () => rm(folder, { recursive: true }) }
}

/** @type {[string, (html: string) => string][]} */
const spoilings = [
  ['cut off', (html) => html.slice(0, html.indexOf('id="posenc-program"') + 5000)],
  ['altered', (html) => html.replace(/(id="posenc-program"[^>]*>.{40000})..../s, '$1AAAA')],
  [
    'packed wrongly',
    (html) =>
      html.replace(/(id="posenc-program"[^>]*>.{1000})(.)/s, (_, before, letter) =>
        before.concat(letter === '!' ? '#' : '!'),
      ),
  ],
]
for (const [how, spoil] of spoilings) {
  inBrowsers(`the one-file page is ${how}: it says so, with the still picture`, async (visitor) => {
    const { url, remove } = await spoiledOneFile(spoil)
    try {
      const { page } = await visitor.visit(url)
      await page.locator('.broken :text("This page is incomplete")').waitFor()
      assert.equal(await page.locator('.still svg').isVisible(), true)
    } finally {
      await remove()
    }
  })
}

inBrowsers('the module of the site is missing: it says so, in Chinese', async ({ visit }) => {
  const { page } = await visit('about:blank', { locale: 'zh-CN' })
  await page.route('**/posenc-lab.js', (route) => route.fulfill({ status: 404, body: 'no' }))
  await page.goto(`${await siteOrigin()}/`)
  await page.locator('.broken :text("这一页不完整")').waitFor()
  assert.equal(await page.locator('.still svg').isVisible(), true)
})

inBrowsers('no SIMD: the plain build simply works', async ({ visit }) => {
  const { page, requests } = await openLab(visit, '', {
    before: (fresh) =>
      fresh.addInitScript(() => {
        const validate = WebAssembly.validate
        // Only the detection asks about so few bytes.
        WebAssembly.validate = (bytes) =>
          /** @type {ArrayBuffer} */ (bytes).byteLength > 1000 && validate(bytes)
      }),
  })
  await sentenceBecomes(page, /^Position 60\./)
  assert.ok(requests.some((url) => url.endsWith('/posenc-plain.wasm')))
  assert.ok(!requests.some((url) => url.endsWith('/posenc-simd.wasm')))
})

/** @type {[string, object][]} */
const answers = [
  ['missing', { status: 404 }],
  ['damaged', { contentType: 'application/wasm', body: '\0asm\x01\0\0\0damaged' }],
]
for (const [how, answer] of answers) {
  inBrowsers(
    `the SIMD file is ${how}: plain build, told once in the console`,
    async ({ visit }) => {
      const { page, problems } = await openLab(visit, '', {
        before: (fresh) => fresh.route('**/posenc-simd.wasm', (route) => route.fulfill(answer)),
      })
      await sentenceBecomes(page, /^Position 60\./)
      const module = `${await siteOrigin()}/posenc-lab.js`
      const simd = await page.evaluate(async (url) => {
        const engine = await (await import(url)).connectEngine()
        engine.close()
        return engine.info.simd
      }, module)
      assert.equal(simd, false)
      assert.equal(problems.filter((text) => text.includes('runs without SIMD')).length, 1)
      assert.equal(await page.locator('#lab .notice').innerText(), '')
    },
  )
}

/** Runs in the page: records which builds are given to workers. */
function recordBuilds() {
  /** @type {boolean[]} */
  const builds = []
  Object.assign(window, { builds_: builds })
  const { postMessage } = Worker.prototype
  Worker.prototype.postMessage = function (/** @type {any} */ message, /** @type {any} */ more) {
    if (message?.type === 'start') builds.push(message.simd)
    postMessage.call(this, message, more)
  }
}

inBrowsers('the one-file page: SIMD, or the plain build where it cannot be', async (visitor) => {
  const html = await readFile(join(dist, 'posenc-lab.html'), 'utf8')
  const both = html.includes(' data-simd="')
  const { url, remove } = await spoiledOneFile((text) =>
    text.replace(/ data-simd="0 \d+"/, ' data-simd="0 5000"'),
  )
  try {
    for (const { address, stub = () => {}, simd = false, told = 0 } of [
      { address: oneFileUrl, simd: both },
      { address: oneFileUrl, stub: () => Object.assign(WebAssembly, { validate: () => false }) },
      { address: url, told: both ? 1 : 0 },
    ]) {
      const before = async (/** @type {Page} */ fresh) => {
        await fresh.addInitScript(recordBuilds)
        await fresh.addInitScript(stub)
      }
      const { page, problems } = await visitor.visit(address, { before })
      await sentenceBecomes(page, /^Position 60\./)
      assert.equal(await page.evaluate(() => /** @type {any} */ (window).builds_.at(-1)), simd)
      assert.equal(problems.length, told, problems.join())
      for (const problem of problems) assert.match(problem, /runs without SIMD/)
    }
  } finally {
    await remove()
  }
})

inBrowsers('no Worker: the page computes by itself', async ({ visit }) => {
  const { page } = await openLab(visit, '', {
    before: (fresh) => fresh.addInitScript(() => Reflect.deleteProperty(window, 'Worker')),
  })
  await page.locator('#lab .field-position .number').fill('7')
  await page.locator('#lab .field-position .number').press('Enter')
  await sentenceBecomes(page, /^Position 7\./)
})

inBrowsers(
  'a worker killed in mid-run is replaced; nothing is lost and the reader is told',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', { before: recordWorkers })
    await page.evaluate(() => {
      const lab = /** @type {any} */ (document.querySelector('#lab'))
      lab.set('tMax', 512)
      lab.set('dModel', 128)
      lab.set('steps', 5000)
      setTimeout(() => /** @type {any} */ (window).workers_.at(-1).terminate(), 30)
    })
    await page.locator('#lab .notice', { hasText: 'was replaced. Nothing is lost.' }).waitFor()
    const state = await stateOf(page)
    assert.deepEqual([state.tMax, state.dModel, state.steps], [512, 128, 5000])
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).workers_.length), 2)
    await page.locator('#lab .field-position .number').fill('3')
    await page.locator('#lab .field-position .number').press('Enter')
    await sentenceBecomes(page, /^Position 3\. The table has a name plate/)
    await page.locator('#lab .what', { hasText: 'after 5000 steps' }).waitFor()
  },
  { timeout: 120000 },
)

inBrowsers(
  'workers that keep dying: the page goes on by itself',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', { before: recordWorkers })
    for (let time = 0; time < 4; time += 1) {
      const text = await page.locator('#lab .notice').textContent()
      if (/in the page itself/.test(text ?? '')) break
      const started = await page.evaluate((position) => {
        const lab = /** @type {any} */ (document.querySelector('#lab'))
        const { workers_: workers } = /** @type {any} */ (window)
        workers.at(-1).terminate()
        lab.set('position', position)
        return workers.length
      }, 20 + time)
      // The next one is killed only when it is there; after the last failure there is none.
      await page.waitForFunction((before) => {
        const notice = document.querySelector('#lab')?.shadowRoot?.querySelector('.notice')
        const more = /** @type {any} */ (window).workers_.length > before
        return more || /in the page itself/.test(notice?.textContent ?? '')
      }, started)
      await sentenceBecomes(
        page,
        new RegExp(`^Position ${20 + time}\\. The table has a name plate`),
      )
    }
    await page.locator('#lab .notice', { hasText: 'in the page itself' }).waitFor()
  },
  { timeout: 120000 },
)

inBrowsers(
  'the one-file page from a disk: both scenes, no request, no complaint',
  async ({ visit }) => {
    const { page, problems, requests } = await visit(oneFileUrl)
    await ready(page)
    await sentenceBecomes(page, /^Position 60\./)
    await page.locator('#lab .tabs input[value=order]').check()
    await sentenceBecomes(page, /^“/)
    // Firefox does not count the page itself among the requests from a disk.
    assert.ok(requests.length <= 1, requests.join())
    assert.deepEqual(
      requests.filter((url) => url !== oneFileUrl),
      [],
    )
    assert.deepEqual(problems, [])
  },
)

inBrowsers(
  'the one-file page in a sandboxed srcdoc frame, without storage or origin',
  async ({ visit }) => {
    const { page, problems } = await visit('about:blank')
    const html = await readFile(join(dist, 'posenc-lab.html'), 'utf8')
    await page.evaluate((text) => {
      const frame = document.createElement('iframe')
      frame.setAttribute('sandbox', 'allow-scripts')
      frame.setAttribute('width', '1000')
      frame.setAttribute('height', '900')
      frame.setAttribute('srcdoc', text)
      document.body.append(frame)
    }, html)
    await page.waitForFunction(() => window.frames.length === 1)
    const frame = page.frames()[1]
    await ready(frame)
    await frame.locator('#lab .field-position .number').fill('10')
    await frame.locator('#lab .field-position .number').press('Enter')
    await frame.locator('#lab .sentence', { hasText: 'Position 10.' }).waitFor()
    assert.deepEqual(problems, [])
  },
)
