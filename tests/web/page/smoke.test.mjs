// The built pages open, in both browsers, without a complaint.
import assert from 'node:assert/strict'
import { hostPage, inBrowsers, oneFileUrl, screenshot, siteOrigin } from '../harness.mjs'
import { SCENES, assertCanvasesReadable, openLab, showScene } from '../stage.mjs'

/** @param {import('playwright-core').Page | import('playwright-core').Frame} page */
const ready = (page) =>
  page.waitForFunction(
    () => document.querySelector('#lab')?.shadowRoot?.querySelector('canvas') != null,
    undefined,
    { polling: 100 },
  )

inBrowsers('the site opens and draws', async ({ visit, browserName }) => {
  const origin = await siteOrigin()
  const { page, problems, requests } = await visit(`${origin}/`)
  await ready(page)
  assert.deepEqual(problems, [])
  const foreign = requests.filter((url) => !url.startsWith(`${origin}/`))
  assert.deepEqual(foreign, [])
  await screenshot(page, `site-${browserName}`)
})

inBrowsers(
  'the one file opens from a disk and asks for nothing',
  async ({ visit, browserName }) => {
    const { page, problems, requests } = await visit(oneFileUrl)
    await ready(page)
    assert.deepEqual(problems, [])
    // Firefox does not list the file itself.
    const others = requests.filter((url) => url !== oneFileUrl)
    assert.deepEqual(others, [])
    await screenshot(page, `one-file-${browserName}`)
  },
)

inBrowsers('every scene draws and has words', async ({ visit }) => {
  const { page, problems } = await openLab(visit)
  for (const scene of SCENES) {
    await showScene(page, scene)
    // The comparison is a table and has no picture.
    if (scene !== 'compare') await assertCanvasesReadable(page)
    assert.match(await page.locator('#lab .sentence').innerText(), /\p{L}{3}/u, scene)
  }
  assert.deepEqual(problems, [])
})

inBrowsers('the one file works in a sandboxed frame', async ({ visit, browserName }) => {
  const address = `${await siteOrigin()}/posenc-lab.html`
  const host = await hostPage(
    `<iframe sandbox="allow-scripts" src="${address}" width="1000" height="900"></iframe>`,
  )
  const { page, problems } = await visit(host)
  const frame = page.frames()[1]
  assert.ok(frame)
  await ready(frame)
  assert.deepEqual(problems, [])
  await screenshot(page, `frame-${browserName}`)
})
