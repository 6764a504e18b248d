// What a reader sees on small and low screens, with large text, in forced colours, on paper.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import { SCENES, SMALL_RUN, openLab, ready } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {number} percent */
const enlarge = (page, percent) =>
  page.evaluate((size) => {
    document.documentElement.style.fontSize = `${size}%`
    dispatchEvent(new Event('resize'))
  }, percent)

inBrowsers('only the toggle stays in sight, and it is slim', async ({ visit }) => {
  for (const [hash, width, height, percent, most] of /** @type {const} */ ([
    ['', 360, 740, 100, 56],
    ['theme=projector', 360, 740, 100, 60],
    ['', 360, 740, 200, 72],
    ['', 740, 360, 100, 40],
    ['', 1440, 900, 100, 56],
  ])) {
    const { page } = await openLab(visit, hash, { viewport: { width, height } })
    await enlarge(page, percent)
    const seen = await page.evaluate(() => {
      const root = /** @type {ShadowRoot} */ (document.querySelector('#lab')?.shadowRoot)
      const map = root.querySelector('.map-learned')
      if (map) window.scrollTo(0, scrollY + map.getBoundingClientRect().bottom - 200)
      /** @param {string} name */
      const box = (name) =>
        /** @type {Element} */ (root.querySelector(name)).getBoundingClientRect()
      return { bar: box('.bar'), toggle: box('.toggle'), tabs: box('.tabs') }
    })
    const where = `${hash} ${width} x ${height}, ${percent} %`
    assert.ok(seen.bar.height <= most, `${where}: ${seen.bar.height} px`)
    assert.ok(seen.toggle.top >= 0 && seen.toggle.bottom <= most, `${where}: in sight`)
    assert.ok(seen.tabs.bottom <= 0, `${where}: the tabs scroll away`)
  }
})

inBrowsers('the row of tabs shows the chosen one, and scrolls to the others', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=cost', { viewport: { width: 360, height: 740 } })
  const places = () =>
    page.locator('#lab .tabs').evaluate((tabs) => {
      const chosen = /** @type {Element} */ (tabs.querySelector('.choice:has(:checked)'))
      const { left, right } = chosen.getBoundingClientRect()
      const row = tabs.getBoundingClientRect()
      return { inside: left >= row.left && right <= row.right, height: row.height }
    })
  assert.equal((await places()).inside, true)
  assert.ok((await places()).height < 64)
  await page.locator('#lab .tabs input[value=cost]').focus()
  for (let i = 0; i < SCENES.indexOf('cost'); i++) await page.keyboard.press('ArrowLeft')
  await page.locator('#lab .scene-waves').waitFor()
  assert.equal((await places()).inside, true)
})

inBrowsers('no control that has the focus hides under the toggle', async ({ visit }) => {
  const { page } = await openLab(visit, '', { viewport: { width: 360, height: 560 } })
  await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
  await page.locator('#lab .copy-link').focus()
  let steps = 0
  for (; steps < 60; steps++) {
    await page.keyboard.press('Shift+Tab')
    const found = await page.evaluate(() => {
      const root = document.querySelector('#lab')?.shadowRoot
      const active = root?.activeElement
      if (!active || active.closest('.bar, .tabs')) return undefined
      const bar = /** @type {Element} */ (root.querySelector('.bar')).getBoundingClientRect()
      const { top } = active.getBoundingClientRect()
      return { name: active.className || active.tagName, hidden: top < bar.bottom }
    })
    if (!found) break
    assert.equal(found.hidden, false, found.name)
  }
  assert.ok(steps > 10)
})

for (const locale of ['en-GB', 'zh-CN']) {
  inBrowsers(`200 % text fits a phone in every scene: ${locale}`, async ({ visit }) => {
    const { page } = await openLab(visit, '', { viewport: { width: 360, height: 740 }, locale })
    await enlarge(page, 200)
    for (const scene of SCENES) {
      const run = scene === 'length' ? SMALL_RUN : ''
      await page.evaluate((hash) => (location.hash = hash), `scene=${scene}${run}`)
      await page.locator(`#lab .scene-${scene}`).waitFor()
      if (run) await page.locator('#lab .lab-inside .attention').waitFor({ timeout: 80000 })
      await ready(page)
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      assert.equal(over, 0, scene)
      const wide = await page.locator('#lab .scene').evaluate((all) =>
        [...all.querySelectorAll('*')]
          .filter((node) => !node.closest('.numbers, .visually-hidden, .menu, .pairs, table'))
          .filter((node) => node.getBoundingClientRect().right > innerWidth)
          .map((node) => `${node.tagName}.${node.className}`),
      )
      assert.deepEqual(wide, [], scene)
    }
  })
}

inBrowsers('before an audience seats and slider are seen with both maps', async ({ visit }) => {
  const viewport = { width: 1280, height: 720 }
  const { page } = await openLab(visit, 'theme=projector', { viewport })
  const slider = await page.locator('#lab .main > .field-position input[type=range]').boundingBox()
  assert.ok(slider && slider.y + slider.height <= 720, `${slider?.y}`)
})

// Chromium alone: Firefox as it is driven here emulates neither dark systems nor paper.
inBrowsers(
  'the lab has its name, and the system’s theme is offered',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', { colorScheme: 'dark' })
    assert.equal(await page.locator('.lab').innerText(), 'Positional Encoding Lab')
    const shown = () =>
      page.evaluate(() => [
        document.documentElement.dataset.theme,
        /** @type {HTMLElement} */ (document.querySelector('#lab')).dataset.theme,
      ])
    assert.equal(await page.locator('#theme input[value=auto]').isChecked(), true)
    await page.locator('#theme input[value=light]').check()
    assert.deepEqual(await shown(), ['light', 'light'])
    await page.locator('#theme input[value=auto]').check()
    assert.deepEqual(await shown(), [undefined, 'dark'])
    await page.locator('#theme input[value=projector]').check()
    await page.waitForFunction(() => /theme=projector/.test(location.hash))
    await page.reload()
    assert.equal(await page.locator('#theme input[value=projector]').isChecked(), true)
  },
  { only: 'chromium' },
)

inBrowsers(
  'in forced colours the chosen one is the system’s, and what is drawn stays',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', { forcedColors: 'active' })
    const colours = await page.evaluate(() => {
      const probe = document.createElement('i')
      probe.style.cssText = 'forced-color-adjust: none; background: Highlight; color: HighlightText'
      document.body.append(probe)
      const root = /** @type {ShadowRoot} */ (document.querySelector('#lab')?.shadowRoot)
      /** @param {Element | null} node */
      const of = (node) => {
        const { backgroundColor, color } = getComputedStyle(/** @type {Element} */ (node))
        return `${color} on ${backgroundColor}`
      }
      const ramp = getComputedStyle(/** @type {Element} */ (root.querySelector('.ramp')))
      return {
        system: of(probe),
        chosen: [...root.querySelectorAll('input:checked + span')].map(of),
        ramp: ramp.backgroundImage !== 'none' && ramp.getPropertyValue('forced-color-adjust'),
      }
    })
    assert.ok(colours.chosen.length > 2)
    for (const chosen of colours.chosen) assert.equal(chosen, colours.system)
    assert.equal(colours.ramp, 'none')
  },
  { only: 'chromium' },
)

// Chromium alone: Firefox as it is driven here emulates neither dark systems nor paper.
inBrowsers(
  'paper is light, without controls, and the screen comes back',
  async ({ visit }) => {
    const { page } = await openLab(visit, 'theme=dark')
    const ground = () =>
      page.evaluate(() => {
        const canvas = document.querySelector('#lab')?.shadowRoot?.querySelector('canvas')
        const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, 40).data ?? []
        let sum = 0
        for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) sum += data[i]
        return sum
      })
    const dark = await ground()
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    assert.notEqual(await ground(), dark, 'the figures are drawn again at once')
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme)
    assert.equal(await theme(), 'light')
    for (const part of ['.tabs', '.copy-link', '.sheet', '.numbers-button', '.lookup .chips']) {
      assert.equal(await page.locator(`#lab ${part}`).first().isVisible(), false, part)
    }
    assert.equal(await page.locator('.switches').isVisible(), false)
    assert.equal(await page.locator('#lab .sentence').isVisible(), true)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    assert.equal(await theme(), 'dark')
  },
  { only: 'chromium' },
)
