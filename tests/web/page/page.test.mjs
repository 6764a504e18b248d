// The page around the stage: languages, themes, links, small screens, large text, accessibility.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { hostPage, inBrowsers, siteOrigin, steady } from '../harness.mjs'
import {
  SCENES,
  SMALL_RUN,
  openLab,
  ready,
  sentenceBecomes,
  showScene,
  stateOf,
} from '../stage.mjs'

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

inBrowsers(
  'the language is the browser’s, and changes at once without a reload',
  async ({ visit }) => {
    const { page, requests } = await openLab(visit, '', { locale: 'zh-CN' })
    await sentenceBecomes(page, /^第 60 号座/)
    assert.equal(await page.title(), '位置编码实验室')
    assert.equal(await page.locator('h1').innerText(), '这个词坐几号座？')
    const before = requests.length
    await page.locator('#language input[value=en]').check()
    await sentenceBecomes(page, /^Position 60\./)
    assert.equal(await page.title(), 'Positional Encoding Lab')
    assert.equal(await page.locator('h1').innerText(), 'Which seat is this word in?')
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en')
    assert.equal(requests.length, before)
    const left = await page.evaluate(() => {
      const root = document.querySelector('#lab')?.shadowRoot
      const words = [document.body, root?.querySelector('.stage')]
        .map((node) => /** @type {HTMLElement} */ (node).innerText)
        .join(' ')
      return words.match(/[\u4e00-\u9fff]+/g)
    })
    assert.deepEqual(left, ['中文'], 'no Chinese is left but the name of the language')
  },
)

inBrowsers('in Chinese no English sentence is left', async ({ visit }) => {
  const { page } = await openLab(visit, '', { locale: 'zh-CN' })
  const around = await page.locator('body').innerText()
  for (const scene of SCENES) {
    await showScene(page, scene)
    const stage = await page.locator('#lab .stage').evaluate((element) => {
      for (const sheet of element.querySelectorAll('details')) sheet.open = true
      return /** @type {HTMLElement} */ (element).innerText
    })
    const words = `${around}\n${stage}`.replace(
      /EleutherAI gpt-neox|Hugging Face transformers|PyTorch GPU/g,
      '',
    )
    // Two English words in a row; NumPy's error and names of software stay as they are.
    const english = words
      .split('\n')
      .filter((line) => /[a-z]{3,} [a-z]{3,}/i.test(line))
      .filter((line) => !/IndexError|index \d+ is out of bounds|^axis 0|dog bites man/.test(line))
    assert.deepEqual(english, [])
  }
})

inBrowsers('themes: light, dark, projector; the canvases follow', async ({ visit }) => {
  const { page } = await openLab(visit, '', { colorScheme: 'light' })
  const seen = new Set()
  for (const theme of ['dark', 'projector', 'light']) {
    await page.locator(`#theme input[value=${theme}]`).check()
    await page.waitForFunction(
      (name) => /** @type {any} */ (document.querySelector('#lab')).dataset.theme === name,
      theme,
    )
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    )
    const picture = await page.evaluate(() => {
      const canvas = document.querySelector('#lab')?.shadowRoot?.querySelector('canvas')
      return canvas?.toDataURL() ?? ''
    })
    seen.add(picture)
  }
  assert.equal(seen.size, 3)
})

inBrowsers(
  'a link shows what its sender saw, and follows what the reader does',
  async ({ visit }) => {
    const { page } = await openLab(visit, 'pos=72&tmax=64&past=wrap&mode=sinusoidal&nonsense=1')
    const state = await stateOf(page)
    assert.deepEqual(
      [state.position, state.tMax, state.behaviour, state.mode],
      [72, 64, 'wrap', 'sinusoidal'],
    )
    await page.locator('#lab .field-position .number').fill('33')
    await page.locator('#lab .field-position .number').press('Enter')
    await page.waitForFunction(() => /pos=33/.test(location.hash))
    const hash = await page.evaluate(() => location.hash)
    const other = await openLab(visit, hash.slice(1))
    assert.deepEqual(await stateOf(other.page), await stateOf(page))
    await page.evaluate(() => (location.hash = '#pos=5'))
    await sentenceBecomes(page, /^Position 5\./)
  },
)

for (const { name, hash, options } of [
  { name: '360 px', hash: '', options: { viewport: { width: 360, height: 740 } } },
  {
    name: '360 px, order',
    hash: 'scene=order',
    options: { viewport: { width: 360, height: 740 } },
  },
  {
    name: '320 px, Chinese',
    hash: '',
    options: { viewport: { width: 320, height: 640 }, locale: 'zh-CN' },
  },
]) {
  inBrowsers(`nothing is wider than the screen at ${name}`, async ({ visit }) => {
    const { page } = await openLab(visit, hash, options)
    await page.locator('#lab .sheet summary').click()
    await assertNoOverflow(page)
  })
}

inBrowsers('at 200 % text nothing is cut and the canvases’ text grows too', async ({ visit }) => {
  for (const width of [1280, 400]) {
    const { page } = await openLab(visit, '', { viewport: { width, height: 900 } })
    await page.addStyleTag({ content: '' }).catch(() => {})
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
      dispatchEvent(new Event('resize'))
    })
    await assertNoOverflow(page)
    const scale = await page.evaluate(() =>
      getComputedStyle(/** @type {Element} */ (document.querySelector('#lab'))).getPropertyValue(
        '--type-scale',
      ),
    )
    assert.equal(Number(scale), 2)
  }
})

/** @param {import('playwright-core').Page} page */
async function assertNoOverflow(page) {
  const wide = await page.evaluate(() => {
    const limit = document.documentElement.clientWidth
    const root = document.querySelector('#lab')?.shadowRoot
    const all = [...document.body.querySelectorAll('*'), ...(root?.querySelectorAll('*') ?? [])]
    return all
      .filter((node) => !node.closest('.numbers, .visually-hidden, .skip, legend, math'))
      .filter((node) => !node.parentElement?.closest('.toggle, .tabs')) // rows that scroll
      .filter((node) => node.getBoundingClientRect().right > limit + 1)
      .map((node) => `${node.tagName}.${node.className} ${node.getBoundingClientRect().right}`)
  })
  assert.deepEqual(wide, [])
  const scrolls = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  assert.equal(scrolls, 0)
}

inBrowsers(
  'with reduced motion no animation frame runs on after the picture stands',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', {
      reducedMotion: 'reduce',
      before: (fresh) =>
        fresh.addInitScript(() => {
          const original = window.requestAnimationFrame
          Object.assign(window, { frames_: 0 })
          window.requestAnimationFrame = (callback) => {
            Object.assign(window, { frames_: /** @type {any} */ (window).frames_ + 1 })
            return original.call(window, callback)
          }
        }),
    })
    await page.locator('#lab .field-position .number').fill('5')
    await page.locator('#lab .field-position .number').press('Enter')
    await sentenceBecomes(page, /^Position 5\./)
    await steady(() => page.evaluate(() => /** @type {any} */ (window).frames_))
  },
)

inBrowsers(
  'nothing jumps while the page loads',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', {
      before: (fresh) =>
        fresh.addInitScript(() => {
          Object.assign(window, { shift_: 0 })
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) {
              Object.assign(window, {
                shift_: /** @type {any} */ (window).shift_ + /** @type {any} */ (entry).value,
              })
            }
          }).observe({ type: 'layout-shift', buffered: true })
        }),
    })
    await page.waitForTimeout(500)
    const shift = await page.evaluate(() => /** @type {any} */ (window).shift_)
    assert.ok(shift < 0.02, `cumulative layout shift ${shift}`)
  },
  { only: 'chromium' },
)

/**
 * The content policy of the page forbids axe's own style, so the check is evaluated.
 * @param {import('playwright-core').Page} page
 */
async function violationsOf(page) {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    const result = await /** @type {any} */ (window).axe.run(document, {
      resultTypes: ['violations'],
    })
    return result.violations.map((/** @type {any} */ violation) => ({
      id: violation.id,
      nodes: violation.nodes.map((/** @type {any} */ node) => node.html.slice(0, 160)).slice(0, 5),
    }))
  })
}

inBrowsers(
  'axe finds nothing while the kernel is on its way',
  async ({ visit }) => {
    const { page } = await visit('about:blank')
    /** @type {(value?: unknown) => void} */
    let release = () => {}
    const held = new Promise((resolve) => (release = resolve))
    await page.route('**/*.wasm', async (route) => {
      await held
      await route.continue()
    })
    for (const scene of SCENES) {
      await page.goto('about:blank')
      await page.goto(`${await siteOrigin()}/#scene=${scene}`)
      await page.locator(`#lab .scene-${scene} :is(.save, .family)`).first().waitFor()
      assert.deepEqual(await violationsOf(page), [], scene)
    }
    release()
    await ready(page)
  },
  { only: 'chromium', timeout: 240000 },
)

for (const theme of ['light', 'dark', 'projector']) {
  for (const locale of ['en-GB', 'zh-CN']) {
    inBrowsers(
      `axe finds nothing: ${theme}, ${locale}, every scene`,
      async ({ visit }) => {
        const { page } = await openLab(visit, `theme=${theme}`, { locale })
        for (const scene of SCENES) {
          const run = scene === 'length' ? SMALL_RUN : ''
          await showScene(page, scene, `&theme=${theme}${run}`)
          // What looks inside the models is seen after a run alone.
          if (run) await page.locator('#lab .lab-inside .attention').waitFor({ timeout: 80000 })
          await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
          for (const button of await page.locator('#lab .numbers-button').all())
            if (await button.isVisible()) await button.click()
          assert.deepEqual(await violationsOf(page), [], `${scene}`)
        }
      },
      { only: 'chromium', timeout: 300000 },
    )
  }
}

inBrowsers('an element speaks the language that it is given', async ({ visit }) => {
  const { page } = await openLab(visit, '', { locale: 'en-GB' })
  for (const [lang, expected] of [
    ['zh', /座/],
    ['zh-CN', /座/],
    ['en', /[a-z]/],
  ]) {
    const said = await page.evaluate(async (given) => {
      const lab = document.createElement('posenc-lab')
      lab.setAttribute('lang', /** @type {string} */ (given))
      const shown = new Promise((resolve) => lab.addEventListener('posenc-ready', resolve))
      document.body.append(lab)
      await shown
      const text = lab.shadowRoot?.querySelector('.sentence')?.textContent
      lab.remove()
      return text ?? ''
    }, lang)
    assert.match(said, /** @type {RegExp} */ (expected), String(lang))
  }
})

inBrowsers('a framed page shows the figure first', async ({ visit }) => {
  const frameOf = `<iframe src="${await siteOrigin()}/" width="700" height="900"></iframe>`
  const { page } = await visit(await hostPage(frameOf))
  const frame = page.frames()[1]
  await ready(frame)
  assert.equal(await frame.locator('h1').isVisible(), false)
})

inBrowsers(
  'touch: a drag across the picture moves the cursor',
  async ({ visit }) => {
    const { page } = await openLab(visit, 'pos=10', {
      hasTouch: true,
      viewport: { width: 390, height: 800 },
    })
    const map = page.locator('#lab .map-learned .picture')
    await map.scrollIntoViewIfNeeded()
    const box = await map.boundingBox()
    assert.ok(box)
    await page.touchscreen.tap(box.x + box.width * 0.8, box.y + 20)
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('#lab')).state.position > 60,
    )
  },
  { only: 'chromium' },
)
