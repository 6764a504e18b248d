// The lesson under the stage: figures that start when they come near, programs, formulas, languages.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { dist, inBrowsers } from '../harness.mjs'
import { openLab } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Scrolls through the page until every figure stands. @param {Page} page */
async function startAll(page) {
  const labs = page.locator('.plate posenc-lab')
  for (let i = 0; i < (await labs.count()); i += 1) {
    await labs.nth(i).evaluate((lab) => lab.scrollIntoView())
    await labs.nth(i).locator('.sentence strong').filter({ hasText: /./ }).waitFor()
  }
}

test('the page keeps its policy: no style attribute, no element of style, formulas as MathML', async () => {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  assert.doesNotMatch(html, /\sstyle=|<style|\son\w+=/)
  assert.ok((html.match(/<math/g) ?? []).length >= 12)
  assert.doesNotMatch(html, /<!--/)
})

inBrowsers(
  'figures start as they come near, and nothing jumps',
  async ({ visit, browserName }) => {
    const { page, problems } = await openLab(visit, '', {
      before: (fresh) =>
        fresh.addInitScript(() => {
          Object.assign(window, { shift_: 0 })
          if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) return
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              Object.assign(window, {
                shift_: /** @type {any} */ (window).shift_ + /** @type {any} */ (entry).value,
              })
            }
          }).observe({ type: 'layout-shift', buffered: true })
        }),
    })
    const started = () =>
      page
        .locator('.plate posenc-lab')
        .evaluateAll((labs) => labs.filter((lab) => lab.shadowRoot !== null).length)
    assert.ok((await started()) <= 1, 'below the fold nothing runs')
    await page.evaluate(() => Object.assign(window, { shift_: 0 }))
    // As a reader scrolls: a little at a time.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    for (let y = 0; y < height; y += 500) {
      await page.mouse.wheel(0, 500)
      await page.waitForTimeout(150)
    }
    await startAll(page)
    assert.equal(await started(), await page.locator('.plate').count())
    if (browserName === 'chromium') {
      const shift = await page.evaluate(() => /** @type {any} */ (window).shift_)
      assert.ok(shift < 0.1, `layout shift ${shift}`)
    }
    assert.equal(
      await page.evaluate(() => location.hash),
      '',
      'the lesson leaves the address alone',
    )
    assert.deepEqual(problems, [])
  },
  { timeout: 180000 },
)

inBrowsers(
  'language and theme reach every figure',
  async ({ visit }) => {
    const { page } = await openLab(visit)
    await startAll(page)
    await page.locator('#language input[value=zh]').check()
    await page.locator('#theme input[value=dark]').check()
    const shown = await page
      .locator('.plate posenc-lab')
      .evaluateAll((labs) =>
        labs.map((lab) => [
          lab.shadowRoot?.querySelector('.stage')?.getAttribute('lang'),
          /** @type {HTMLElement} */ (lab).dataset.theme,
        ]),
      )
    for (const [lang, theme] of shown) assert.deepEqual([lang, theme], ['zh-CN', 'dark'])
    const prose = await page.locator('main').innerText()
    assert.match(prose, /影院/)
    assert.doesNotMatch(prose, /cinema/)
  },
  { timeout: 120000 },
)

inBrowsers(
  'the program beside a figure follows its numbers, and is copied',
  async ({ visit, browserName }) => {
    const { page, context } = await openLab(visit)
    const plate = page.locator('.plate', { has: page.locator('posenc-lab[scene=beyond]') })
    const lab = plate.locator('posenc-lab')
    await lab.evaluate((node) => node.scrollIntoView())
    await lab.locator('.field-position .number').waitFor()
    await plate.locator('.code summary').focus()
    await page.keyboard.press('Enter')
    const program = plate.locator('.code pre')
    await program.filter({ hasText: 'import numpy as np' }).waitFor()
    assert.match(await program.innerText(), /^import numpy as np\n/)
    assert.match(await program.innerText(), /position = 60\n/)
    assert.equal(await program.getAttribute('lang'), 'en')
    await lab.locator('.field-position .number').fill('33')
    await lab.locator('.field-position .number').press('Enter')
    await program.filter({ hasText: 'position = 33' }).waitFor()
    // In Chinese the program is still there.
    await page.locator('#language input[value=zh]').check()
    assert.equal(await program.isVisible(), true)
    await plate.locator('.code pre').focus()
    if (browserName === 'chromium') {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      await plate.locator('.copy-code').click()
      await plate.locator('.copied').waitFor()
      const text = await page.evaluate(() => navigator.clipboard.readText())
      assert.equal(text, await program.evaluate((node) => node.textContent))
    }
  },
)

inBrowsers(
  'at 360 px nothing of the lesson is wider than the screen',
  async ({ visit }) => {
    for (const locale of ['en-GB', 'zh-CN']) {
      const { page } = await openLab(visit, '', { viewport: { width: 360, height: 740 }, locale })
      await startAll(page)
      for (const panel of await page.locator('.code').all()) {
        await panel.evaluate((node) => node.setAttribute('open', ''))
      }
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.equal(over, 0)
    }
  },
  { timeout: 180000 },
)

for (const theme of ['light', 'dark', 'projector']) {
  for (const locale of ['en-GB', 'zh-CN']) {
    inBrowsers(
      `axe finds nothing in the lesson: ${theme}, ${locale}`,
      async ({ visit }) => {
        const { page } = await openLab(visit, `theme=${theme}`, { locale })
        await startAll(page)
        const themes = await page
          .locator('.plate posenc-lab')
          .evaluateAll((labs) => labs.map((lab) => lab.getAttribute('data-theme')))
        assert.deepEqual([...new Set(themes)], [theme], 'the theme of a link reaches every figure')
        for (const panel of await page.locator('.code').all()) {
          await panel.evaluate((node) => node.setAttribute('open', ''))
        }
        await page.evaluate(axeSource)
        const violations = await page.evaluate(async () => {
          const result = await /** @type {any} */ (window).axe.run(document, {
            resultTypes: ['violations'],
          })
          return result.violations.map((/** @type {any} */ violation) => ({
            id: violation.id,
            nodes: violation.nodes
              .map((/** @type {any} */ node) => node.html.slice(0, 160))
              .slice(0, 5),
          }))
        })
        assert.deepEqual(violations, [])
      },
      { only: 'chromium', timeout: 180000 },
    )
  }
}
