// The address and the view: links, back and forward, versions, "Copy link".
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeState, encodeState, otherVersion } from '../../../web/src/state/url_state.js'
import { initialState, withPatch } from '../../../web/src/state/state.js'
import { inBrowsers, oneFileUrl, siteOrigin } from '../harness.mjs'
import { openLab, ready, sentenceBecomes, stateOf } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

test('a link with a version is a whole view; one written by hand changes what it names', () => {
  const now = withPatch(initialState(), { scene: 'order', tMax: 64, position: 3 })
  assert.equal(decodeState('#pos=5', now).state.tMax, 64)
  assert.equal(decodeState('#pos=5', now).state.scene, 'order')
  const whole = decodeState('#v=0.1.0&pos=5', now).state
  assert.deepEqual(whole, withPatch(initialState(), { position: 5 }))
  assert.deepEqual(decodeState(encodeState(now, '0.1.0'), initialState()).state, now)
})

test('builds of one release understand each other', () => {
  assert.equal(otherVersion('0.1.0+abc', '0.1.0+def'), false)
  assert.equal(otherVersion('0.1.0', '0.2.0'), true)
  assert.equal(otherVersion(undefined, '0.2.0'), false)
  assert.equal(otherVersion('', '0.2.0'), true)
})

/** @param {Page} page @param {RegExp} pattern */
const hashBecomes = (page, pattern) =>
  page.waitForFunction(([source]) => new RegExp(source).test(location.hash), [pattern.source])

/** @param {Page} page @param {string} value */
async function typePosition(page, value) {
  await page.locator('#lab .field-position .number').fill(value)
  await page.locator('#lab .field-position .number').press('Enter')
}

inBrowsers(
  'back and forward go through scenes and presets, not through every seat',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit)
    await typePosition(page, '33')
    await typePosition(page, '34')
    await hashBecomes(page, /pos=34/)
    await page.locator('#lab .tabs input[value=order]').check()
    await sentenceBecomes(page, /^“/)
    await hashBecomes(page, /scene=order/)
    await page.locator('#lab .tabs input[value=beyond]').check()
    await sentenceBecomes(page, /^Position 34\./)
    await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
    await page.locator('#lab [data-preset=cinema]').click()
    await sentenceBecomes(page, /^Position 120\./)
    await hashBecomes(page, /grown=200/)

    await page.goBack()
    await sentenceBecomes(page, /^Position 34\./)
    assert.equal((await stateOf(page)).grown, 0)
    await page.goBack()
    await sentenceBecomes(page, /^“/)
    await page.goBack()
    await sentenceBecomes(page, /^Position 34\./)
    await page.goForward()
    await sentenceBecomes(page, /^“/)
    await page.goForward()
    await page.goForward()
    await sentenceBecomes(page, /^Position 120\./)
    assert.deepEqual(problems, [])
  },
)

inBrowsers('back keeps the language that the reader chose meanwhile', async ({ visit }) => {
  const { page } = await openLab(visit)
  await page.locator('#lab .tabs input[value=order]').check()
  await sentenceBecomes(page, /^“dog”/)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^“我”/)
  await page.goBack()
  await sentenceBecomes(page, /^第 60 号座/)
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN')
})

inBrowsers('a link of another version says so, in both languages', async ({ visit }) => {
  const { page } = await openLab(visit, 'v=0.0.1&pos=12')
  const notice = page.locator('#lab .notice')
  assert.match(await notice.innerText(), /made with version 0\.0\.1/)
  await page.locator('#language input[value=zh]').check()
  await page.locator('#lab .notice', { hasText: '来自版本 0.0.1' }).waitFor()
  // What stands in a link is text, whatever it looks like.
  await page.goto('about:blank')
  await page.goto(`${await siteOrigin()}/#v=${encodeURIComponent('<img src=x onerror=alert(1)>')}`)
  await ready(page)
  assert.equal(await page.locator('#lab .notice img').count(), 0)
  const same = await openLab(visit, `v=${encodeURIComponent((await versionOf(page)) ?? '')}&pos=12`)
  assert.equal(await same.page.locator('#lab .notice').isVisible(), false)
})

/** @param {Page} page */
const versionOf = (page) =>
  page.evaluate(() => {
    const { link } = /** @type {any} */ (document.querySelector('#lab'))
    return new URLSearchParams(link).get('v')
  })

inBrowsers(
  '“Copy link” gives the view, or a field to copy from',
  async ({ visit, browserName }) => {
    for (const blocked of [false, true]) {
      const { page, context } = await openLab(visit, 'pos=72&tmax=64&past=wrap&theme=dark', {
        before: (fresh) =>
          fresh.addInitScript((no) => {
            if (no) Object.defineProperty(navigator, 'clipboard', { value: undefined })
          }, blocked),
      })
      if (!blocked && browserName === 'chromium') {
        await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      }
      await page.locator('#lab .copy-link').click()
      let link
      const field = page.locator('#lab .link-line input')
      if (blocked) {
        link = await field.inputValue()
        const chosen = await field.evaluate((input) => {
          const { selectionStart, selectionEnd, value } = /** @type {HTMLInputElement} */ (input)
          return value.slice(selectionStart ?? 0, selectionEnd ?? 0)
        })
        assert.equal(chosen, link)
        await page.keyboard.press('Escape')
        assert.equal(await field.isVisible(), false)
      } else {
        await page.locator('#lab .copy-link', { hasText: 'Copied' }).waitFor()
        link =
          browserName === 'chromium' && (await page.evaluate(() => navigator.clipboard.readText()))
      }
      if (!link) continue
      const other = await visit(link)
      await ready(other.page)
      assert.deepEqual(await stateOf(other.page), await stateOf(page))
    }
  },
)

inBrowsers('the one-file page from a disk follows its address too', async ({ visit }) => {
  const { page } = await visit(`${oneFileUrl}#scene=order&pos=1`)
  await sentenceBecomes(page, /^“bites”/)
  await page.locator('#lab .tabs input[value=beyond]').check()
  await hashBecomes(page, /pos=1/)
  await page.goBack()
  await sentenceBecomes(page, /^“bites”/)
})

inBrowsers('in a frame the address is read and never written', async ({ visit }) => {
  const origin = await siteOrigin()
  const { page } = await visit(`${origin}/frame-test`, {
    before: (fresh) =>
      fresh.route('**/frame-test', (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<iframe src="/#pos=7" width="900" height="800"></iframe>',
        }),
      ),
  })
  const frame = page.frames()[1]
  await ready(frame)
  const before = await page.evaluate(() => history.length)
  await frame.locator('#lab .tabs input[value=order]').check()
  await frame.locator('#lab .sentence', { hasText: '“man”' }).waitFor()
  assert.equal(await frame.evaluate(() => location.hash), '#pos=7')
  assert.equal(await page.evaluate(() => history.length), before)
})

inBrowsers('the address of a link is that of the view that stands', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=order&d=16&heads=3&unknown=1')
  await page.waitForFunction(() => /heads=1|scene=order(?!.*heads)/.test(location.hash))
  assert.doesNotMatch(new URL(page.url()).hash, /unknown|heads=3/)
  // The link to the figure moves the focus, and leaves the address to the stage.
  await page.locator('.skip').focus()
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'stage')
  assert.match(new URL(page.url()).hash, /scene=order/)
  await page.goto(`${new URL(page.url()).origin}/#nowhere`)
  await page.reload()
  await ready(page)
  await page.waitForFunction(() => location.hash.startsWith('#v='))
})

inBrowsers('another language leaves tables open and lets the training go on', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&steps=0')
  await page.locator('#lab .map-training .numbers-button').click()
  await page.locator('#lab .transport .press-play').click()
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.steps > 0,
  )
  await page.locator('#language input[value=zh]').check()
  await page.locator('#lab .map-training .numbers').waitFor()
  const steps = (await stateOf(page)).steps
  await page.waitForFunction(
    (before) => /** @type {any} */ (document.querySelector('#lab')).state.steps > before + 20,
    steps,
  )
  assert.equal(
    await page.locator('#lab .map-training .numbers-button').getAttribute('aria-expanded'),
    'true',
  )
})

inBrowsers('what attributes name is kept by another scene, in any order', async ({ visit }) => {
  const { page } = await openLab(visit)
  const states = await page.evaluate(() => {
    const lab = /** @type {any} */ (document.createElement('posenc-lab'))
    const shown = () => [lab.state.scene, lab.state.mode, lab.state.position]
    for (const [name, value] of [
      ['mode', 'learned'],
      ['position', '60'],
      ['scene', 'waves'],
    ]) {
      lab.setAttribute(name, value)
    }
    const named = shown()
    lab.set('position', 5)
    lab.setAttribute('scene', 'sum')
    return [named, shown()]
  })
  assert.deepEqual(states, [
    ['waves', 'learned', 60],
    ['sum', 'learned', 5],
  ])
})
