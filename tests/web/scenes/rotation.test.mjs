// Rotation: the score knows the offset alone, and the layouts agree after permuting.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
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

/** @param {Page} page @param {string} part */
const text = (page, part) => page.locator(`#lab ${part}`).innerText()

/** The three scores beside the permutation. @param {Page} page */
const layouts = (page) =>
  page.locator('#lab .scores td').evaluateAll((all) => all.map((cell) => cell.textContent ?? ''))

/** @param {any} engine @param {number} m @param {number} n @param {string} layout */
function scoreOf(engine, m, n, layout, d = 8) {
  const table = engine.createTable({ tMax: 2, dModel: d, seed: 42, scale: 1 })
  const vectors = table.values().data
  table.dispose()
  const rotated = engine.ropeRotate({ vectors, positions: [m, n], headDim: d, layout })
  return written(engine.similarity({ ...rotated, row: 0, measure: 'dot' })[1], 3)
}

inBrowsers('rotation: both cursors together leave the score', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=rotation&mode=rope&pos=60&pos2=30')
  const engine = await kernel()
  const score = scoreOf(engine, 60, 30, 'interleaved')
  assert.equal(await text(page, '.amount-score'), score)
  assert.equal(await text(page, '.amount-offset'), '30')
  for (const step of [10, 1, 1, -10]) {
    await page.locator(`#lab [data-step="${step}"]`).click()
  }
  await sentenceBecomes(page, /^m = 62, n = 32: offset 30/)
  assert.equal(await text(page, '.amount-score'), score)
  const field = page.locator('#lab .field-position2 .number')
  await field.fill('33')
  await field.press('Enter')
  await sentenceBecomes(page, /^m = 62, n = 33: offset 29/)
  assert.equal(await text(page, '.amount-score'), scoreOf(engine, 62, 33, 'interleaved'))
  const rows = (await tableOf(page, 'planes')).slice(1)
  const { inverseFrequencies } = engine.ropeFrequencies({ headDim: 8 })
  assert.equal(rows.length, inverseFrequencies.length)
  assert.equal(rows[0][1], '57.3°')
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^m = 62，n = 33，间隔 29。/)
  assert.deepEqual(problems, [])
})

inBrowsers('rotation: a drag of one, and of both by what lies between', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=rotation&mode=rope&pos=60&pos2=20&len=100')
  const picture = page.locator('#lab .seats .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  const xOf = (/** @type {number} */ at) => box.x + 46 + ((box.width - 60) * (at + 0.5)) / 100
  const y = box.y + box.height / 3
  const drag = async (/** @type {number} */ from, /** @type {number} */ to) => {
    await page.mouse.move(xOf(from), y)
    await page.mouse.down()
    await page.mouse.move(xOf(to), y, { steps: 5 })
    await page.mouse.up()
  }
  await drag(40, 55)
  await sentenceBecomes(page, /^m = 75, n = 35: offset 40/)
  await drag(75, 90)
  await sentenceBecomes(page, /^m = 90, n = 35: offset 55/)
  await drag(35, 10)
  await sentenceBecomes(page, /^m = 90, n = 10: offset 80/)
})

inBrowsers('rotation: layouts agree after permuting, and not before', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=rotation&mode=rope&pos=11&pos2=4')
  const engine = await kernel()
  const one = scoreOf(engine, 11, 4, 'interleaved')
  const other = scoreOf(engine, 11, 4, 'half-split')
  assert.notEqual(one, other)
  assert.deepEqual(await layouts(page), [one, other, one])
  await page.locator('#lab .permutation input[value=half-split]').check()
  await sentenceBecomes(page, new RegExp(`score ${other}`))
  assert.equal((await stateOf(page)).layout, 'half-split')
  assert.deepEqual((await tableOf(page, 'planes'))[1][0], '0, 4')
})

inBrowsers('rotation: the sinusoidal code by its block rotation', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=rotation&mode=rope&pos=60&pos2=30')
  await page.locator('#lab .toggle input[value=sinusoidal]').check()
  await sentenceBecomes(page, /carries row 60 into row 30/)
  const engine = await kernel()
  const [product] = engine.offsetProfile({ dModel: 8, position: 60, offsets: [-30] })
  assert.equal(await text(page, '.amount-score'), written(product, 3))
  const { data } = engine.blockRotation({ dModel: 8, offset: -30 })
  const rows = (await tableOf(page, 'block')).slice(1)
  assert.deepEqual(
    rows.flatMap((cells) => cells.slice(1)),
    Array.from(data, (value) => written(value)),
  )
})
