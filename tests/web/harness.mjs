// Real browsers for the tests: the distribution's own Chromium and Firefox, one of each for the
// whole run, a server for dist/, and a record of everything a page complains about or asks for.
import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium, firefox } from 'playwright-core'
import { programOf } from '../../web/build/browsers.mjs'
import { serveFolder } from '../../web/build/serve.mjs'

/** @typedef {import('../../web/build/browsers.mjs').BrowserName} BrowserName */
/** @typedef {import('playwright-core').Browser} Browser */
/** @typedef {import('playwright-core').Page} Page */

const root = fileURLToPath(new URL('../..', import.meta.url))
export const dist = join(root, 'dist')
/** The one-file page, as it is opened from a USB stick. */
export const oneFileUrl = pathToFileURL(join(dist, 'posenc-lab.html')).href

/** POSENC_BROWSERS=chromium leaves Firefox out, for a quick look while working. */
const wanted = (process.env.POSENC_BROWSERS ?? 'chromium,firefox').split(',')
/** @type {BrowserName[]} */
export const browserNames = /** @type {BrowserName[]} */ (['chromium', 'firefox']).filter((name) =>
  wanted.includes(name),
)

/** Waiting costs nothing where all is well, and a machine may have other work: in ms. */
const PATIENCE = 60000

/** @type {Map<BrowserName, Promise<Browser>>} */
const running = new Map()
/** @type {ReturnType<typeof serveFolder> | undefined} */
let serving

/**
 * The one browser of this kind; Firefox takes seconds to start.
 * @param {BrowserName} name
 * @returns {Promise<Browser>}
 */
export function launch(name) {
  const known = running.get(name)
  if (known) return known
  const executablePath = programOf(name)
  if (!executablePath) throw new Error(`${name} was not found`)
  const starting =
    name === 'chromium'
      ? chromium.launch({ executablePath, args: ['--no-sandbox'] })
      : firefox.launch({
          executablePath,
          channel: 'moz-firefox',
          // As in a Firefox that nobody set up for tests: a file may not read its neighbours.
          firefoxUserPrefs: { 'security.fileuri.strict_origin_policy': true },
        })
  running.set(name, starting)
  return starting
}

/** @returns {Promise<string>} the origin of a server for dist/ */
export async function siteOrigin() {
  serving ??= serveFolder(dist)
  return (await serving).origin
}

/** @type {import('node:http').Server[]} */
const hosts = []

/**
 * Somebody else's page: another origin than the site's, on this machine as well, because Chromium
 * lets no other page reach a local address.
 * @param {string} html
 * @returns {Promise<string>} its address
 */
export async function hostPage(html) {
  const server = createServer((request, response) => {
    const known = request.url === '/'
    response.writeHead(known ? 200 : 204, { 'content-type': 'text/html; charset=utf-8' })
    response.end(known ? `<!doctype html><title>host</title>${html}` : undefined)
  })
  hosts.push(server)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return `http://127.0.0.1:${address.port}/`
}

after(async () => {
  const browsers = await Promise.allSettled(running.values())
  await Promise.all(browsers.map((one) => one.status === 'fulfilled' && one.value.close()))
  await (await serving)?.close()
  for (const server of hosts) {
    server.close()
    server.closeAllConnections()
  }
})

/**
 * @typedef {object} Visit
 * @property {Page} page
 * @property {import('playwright-core').BrowserContext} context
 * @property {string[]} problems  console errors and warnings, uncaught errors, failed requests
 * @property {string[]} requests  every address asked for over a network or from a disk
 */

/**
 * @typedef {object} Visitor
 * @property {BrowserName} browserName
 * @property {Browser} browser
 * @property {(url: string, options?: VisitOptions) => Promise<Visit>} visit
 *   opens a page of its own, closed after the test
 */

/**
 * @typedef {import('playwright-core').BrowserContextOptions & {
 *   before?: (page: Page) => Promise<unknown>,
 * }} VisitOptions
 *   before: what to do with the page before it goes anywhere, e.g. `page.addInitScript`
 */

/** Runs in the page. */
function preferReducedMotion() {
  const ask = window.matchMedia.bind(window)
  window.matchMedia = (query) =>
    ask(query.replace(/\(prefers-reduced-motion:\s*reduce\)/, '(min-width: 0px)'))
}

/**
 * @param {Browser} browser
 * @param {string} url
 * @param {VisitOptions} [options]
 * @returns {Promise<Visit>}
 */
export async function openVisit(browser, url, { before, ...options } = {}) {
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  context.setDefaultTimeout(PATIENCE)
  const page = await context.newPage()
  // Firefox, as it is driven here, does not emulate this preference: scripts are told instead.
  if (options.reducedMotion === 'reduce' && browser.browserType().name() === 'firefox') {
    await page.addInitScript(preferReducedMotion)
  }
  /** @type {string[]} */
  const problems = []
  /** @type {string[]} */
  const requests = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) {
      problems.push(`console ${message.type()}: ${message.text()}`)
    }
  })
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
  page.on('requestfailed', (request) => problems.push(`request failed: ${request.url()}`))
  page.on('request', (request) => {
    if (!/^(data|blob|about):/.test(request.url())) requests.push(request.url())
  })
  if (before) await before(page)
  await page.goto(url)
  return { page, context, problems, requests }
}

/**
 * Reads until the same comes three times in a row: what moves by itself has come to rest. A sleep of
 * fixed length was too short beside two busy loops.
 * @template T
 * @param {() => Promise<T>} read
 * @param {(value: T) => boolean} [good] what it may come to rest at
 * @returns {Promise<T>}
 */
export async function steady(read, good = () => true) {
  const last = Date.now() + PATIENCE
  for (let before = '', same = 0; ;) {
    const value = await read()
    const now = JSON.stringify(value)
    same = now === before && good(value) ? same + 1 : 0
    before = now
    if (same === 2) return value
    if (Date.now() > last) throw new Error(`it never came to rest: ${now}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/**
 * Declares one test for each browser.
 * @param {string} name
 * @param {(visitor: Visitor) => Promise<void>} body
 * @param {{ only?: BrowserName, timeout?: number }} [options]
 *   only: for what just one of them can show, such as forced colours
 */
export function inBrowsers(name, body, { only, timeout = 4 * PATIENCE } = {}) {
  for (const browserName of browserNames) {
    if (only && only !== browserName) continue
    const skip = programOf(browserName) ? false : `${browserName} was not found`
    test(`${browserName}: ${name}`, { timeout, skip }, async () => {
      const browser = await launch(browserName)
      /** @type {Visit[]} */
      const visits = []
      try {
        await body({
          browserName,
          browser,
          async visit(url, options) {
            const visit = await openVisit(browser, url, options)
            visits.push(visit)
            return visit
          },
        })
      } finally {
        await Promise.all(visits.map(({ context }) => context.close()))
      }
    })
  }
}

/**
 * Keeps a picture of the page in build/screenshots/, to look at. Playwright adds a style to the page
 * for it, which the page's policy refuses and Firefox reports: look at `problems` before.
 * @param {Page} page
 * @param {string} name
 * @param {import('playwright-core').PageScreenshotOptions} [options]
 */
export async function screenshot(page, name, options) {
  const folder = join(root, 'build', 'screenshots')
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), ...options })
}
