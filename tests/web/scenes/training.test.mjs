// The scene of training: the NumPy example's numbers, playing, links that reproduce the table exactly.
import assert from 'node:assert/strict'
import { inBrowsers, steady } from '../harness.mjs'
import {
  assertCanvasesReadable,
  kernel,
  openLab,
  sentenceBecomes,
  stateOf,
  tableOf,
  written,
} from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

const lab = '#lab'

/** Waits until the training stands at a step, and the sentence says so. */
const stepBecomes = (/** @type {Page} */ page, /** @type {number} */ step) =>
  sentenceBecomes(page, new RegExp(`^Step ${step}\\.`))

/** Columns of the table of the row card: dimension, start, now, target. */
const rowNumbers = async (/** @type {Page} */ page) =>
  (await tableOf(page, 'row-training')).slice(1).map((cells) => cells.slice(1))

inBrowsers('500 steps show the numbers of the NumPy example', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=training&pos=10')
  await sentenceBecomes(page, /from 0\.137245 to 0\.050464\. Every row has walked 39\s% of the way/)
  const rows = await rowNumbers(page)
  // science of the example: learned[10, :4]
  assert.deepEqual(
    rows.slice(0, 4).map(([, now]) => now),
    ['−0.1662', '−0.1174', '0.0662', '−0.2465'],
  )
  const engine = await kernel()
  const table = engine.createTable({ tMax: 50, dModel: 16 })
  const start = table.lookup(10)
  const formula = engine.sinusoidal({ length: 50, dModel: 16 }).data
  rows.forEach(([before, , target], i) => {
    assert.equal(before, written(start[i]))
    // The page's target is in double precision, the formula's rows in single.
    assert.ok(Math.abs(Number(target.replace('−', '-')) - formula[160 + i] / 2) < 6e-5)
  })
  table.dispose()
  const curve = (await tableOf(page, 'loss')).slice(1)
  assert.deepEqual(curve[0], ['0', '0.137245'])
  assert.deepEqual(curve.at(-1), ['500', '0.050464'])
  const distances = (await tableOf(page, 'distances')).slice(1)
  assert.equal(distances.length, 50)
  assert.deepEqual(distances[10], ['10', '1.3373', '0.8109'])
  await assertCanvasesReadable(page)
  assert.deepEqual(problems, [])
})

inBrowsers('it says that it is a miniature, why, and how far the rows came', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training')
  const words = await page.locator(`${lab} .miniature`).innerText()
  assert.match(words, /half the sinusoidal row/)
  assert.match(words, /half the squared distance of a row/)
  assert.match(words, /divided by Tmax, and a step walks 0\.05 \/ 50/)
  assert.match(words, /500 steps went 39\s% of the way/)
  assert.match(words, /over the 16 dimensions, too; its own gradient is 2 \/ 16 of that/)
  // T_max has its subscript wherever it stands in a sentence.
  assert.deepEqual(await page.locator(`${lab} .miniature sub`).allInnerTexts(), ['max'])
  assert.match(words, /Real training is another matter/)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^第 500 步。.*0\.137245.*0\.050464.*39%/)
  assert.match(await page.locator(`${lab} .miniature`).innerText(), /真正的训练是另一回事/)
})

inBrowsers('one step, reset, and the switch between start, now and target', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&pos=10&steps=41')
  await stepBecomes(page, 41)
  await page.locator(`${lab} .press-step`).click()
  await stepBecomes(page, 42)
  assert.equal((await stateOf(page)).steps, 42)
  const engine = await kernel()
  const table = engine.createTable({ tMax: 50, dModel: 16 })
  table.trainTowardSinusoid({ steps: 42 })
  assert.deepEqual(
    (await rowNumbers(page)).map(([, now]) => now),
    Array.from(table.lookup(10), (value) => written(value)),
  )
  table.dispose()
  await page.locator(`${lab} .shown input[value=target]`).check()
  await sentenceBecomes(page, /^The target\. Half the sinusoidal code/)
  await page.locator(`${lab} .shown input[value=start]`).check()
  await sentenceBecomes(page, /^The start\. Random numbers from seed 42, scaled by 0\.1/)
  await page.locator(`${lab} .press-reset`).click()
  await sentenceBecomes(page, /^Step 0\. Nothing is written yet/)
  assert.equal((await stateOf(page)).shown, 'now')
  assert.equal(await page.locator(`${lab} .press-reset`).isDisabled(), true)
})

inBrowsers('play, pause: the state stands where the picture stands', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&pos=10&steps=0')
  await page.locator(`${lab} .press-play`).click()
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.steps >= 40,
  )
  await page.locator(`${lab} .press-play`).click()
  await page.waitForFunction(() => {
    const button = document.querySelector('#lab')?.shadowRoot?.querySelector('.press-play')
    return button?.textContent === 'Play'
  })
  // Nothing moves after the pause, once the steps that were under way are there.
  const { steps } = await steady(() => stateOf(page))
  await stepBecomes(page, steps)
  const engine = await kernel()
  const table = engine.createTable({ tMax: 50, dModel: 16 })
  const { meanSquaredError } = table.trainTowardSinusoid({ steps })
  assert.deepEqual(
    (await rowNumbers(page)).map(([, now]) => now),
    Array.from(table.lookup(10), (value) => written(value)),
  )
  table.dispose()
  assert.match(
    await page.locator(`${lab} .loss .readout`).innerText(),
    new RegExp(meanSquaredError.toFixed(6)),
  )
})

inBrowsers('training ends by itself at the last step, and can begin again', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&steps=4900&speed=25')
  await page.locator(`${lab} .press-play`).click()
  await sentenceBecomes(page, /^Step 5000\. Training ends here/)
  const play = page.locator(`${lab} .press-play`)
  assert.equal(await play.innerText(), 'Play again')
  assert.equal((await stateOf(page)).steps, 5000)
  await play.click()
  await page.waitForFunction(() => {
    const { steps } = /** @type {any} */ (document.querySelector('#lab')).state
    return steps > 0 && steps < 4900
  })
  await play.click()
})

inBrowsers('another hand takes the training over', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&steps=0')
  await page.locator(`${lab} .press-play`).click()
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.steps > 0,
  )
  const field = page.locator(`${lab} .field-steps .number`)
  // The number counts on under the caret. What is typed then replaces it: 60 once became 603.
  await field.click()
  const { steps } = await stateOf(page)
  await page.waitForFunction(
    (before) => /** @type {any} */ (document.querySelector('#lab')).state.steps > before,
    steps,
  )
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await stepBecomes(page, 3)
  assert.equal((await steady(() => stateOf(page))).steps, 3)
})

inBrowsers(
  'with reduced motion play shows the end at once, without an animation frame of its own',
  async ({ visit }) => {
    const { page } = await openLab(visit, 'scene=training&steps=0', { reducedMotion: 'reduce' })
    await stepBecomes(page, 0)
    const play = page.locator(`${lab} .press-play`)
    assert.equal(await play.innerText(), 'Train to the end')
    const before = await page.evaluate(() => {
      const seen = /** @type {any} */ (window)
      seen.told = []
      document
        .querySelector('#lab')
        ?.addEventListener('posenc-change', (/** @type {any} */ event) =>
          seen.told.push(event.detail.state.steps),
        )
      return seen.told.length
    })
    assert.equal(before, 0)
    await play.click()
    await sentenceBecomes(page, /^Step 5000\./)
    assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).told), [5000])
    assert.equal(await play.isDisabled(), true)
  },
)

inBrowsers('a worker that dies in mid-play does not lose the run', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&pos=10&steps=0', {
    before: (fresh) =>
      fresh.addInitScript(() => {
        /** @type {Worker[]} */
        const all = []
        Object.assign(window, { workers_: all })
        window.Worker = class extends Worker {
          /** @param {string | URL} url @param {WorkerOptions} [options] */
          constructor(url, options) {
            super(url, options)
            all.push(this)
          }
        }
      }),
  })
  const steps = () =>
    page.evaluate(() => /** @type {any} */ (document.querySelector('#lab')).state.steps)
  await page.locator(`${lab} .press-play`).click()
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.steps >= 20,
  )
  const at = await steps()
  await page.evaluate(() => /** @type {any} */ (window).workers_.at(-1).terminate())
  await page.waitForFunction(
    (before) => /** @type {any} */ (document.querySelector('#lab')).state.steps > before + 40,
    at,
  )
  await page.locator(`${lab} .press-play`).click()
  const end = await steady(steps)
  await stepBecomes(page, end)
  const engine = await kernel()
  const table = engine.createTable({ tMax: 50, dModel: 16 })
  table.trainTowardSinusoid({ steps: end })
  assert.deepEqual(
    (await rowNumbers(page)).map(([, now]) => now),
    Array.from(table.lookup(10), (value) => written(value)),
  )
  table.dispose()
})

inBrowsers('the row by keyboard and by dragging; the initial scale', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=training&pos=10&scale=0.2')
  const engine = await kernel()
  const table = engine.createTable({ tMax: 50, dModel: 16, scale: 0.2 })
  const start = table.lookup(11)
  table.dispose()
  const slider = page.locator(`${lab} .row-slider input`)
  await slider.focus()
  await slider.press('ArrowRight')
  assert.equal((await stateOf(page)).position, 11)
  assert.equal(await slider.getAttribute('aria-valuetext'), 'row 11')
  await page.waitForFunction(() =>
    document
      .querySelector('#lab')
      ?.shadowRoot?.querySelector('.row-training .name')
      ?.textContent?.includes('11'),
  )
  assert.deepEqual(
    (await rowNumbers(page)).map(([before]) => before),
    Array.from(start, (value) => written(value)),
  )
  const map = page.locator(`${lab} .map-training .picture`)
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  assert.ok(box)
  // The plot begins 46 px from the left and ends 14 px from the right.
  await page.mouse.move(box.x + 46 + ((box.width - 60) * 30.5) / 50, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.up()
  assert.equal((await stateOf(page)).position, 30)
})

inBrowsers('leaving the scene while it plays frees the table', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=training&steps=0')
  await page.locator(`${lab} .press-play`).click()
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.steps > 0,
  )
  await page.locator(`${lab} .tabs input[value=beyond]`).check()
  await sentenceBecomes(page, /^Position/)
  const { steps } = await stateOf(page)
  assert.equal((await steady(() => stateOf(page))).steps, steps)
  await page.evaluate(() => document.querySelector('#lab')?.remove())
  await page.waitForTimeout(200)
  assert.deepEqual(problems, [])
})
