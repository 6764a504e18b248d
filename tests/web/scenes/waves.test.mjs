// The waves: strips, hands, heatmap, counter and seats on one axis, in both browsers and languages.
import assert from 'node:assert/strict'
import { inBrowsers, steady } from '../harness.mjs'
import {
  assertCanvasesReadable,
  exampleTable,
  kernel,
  openLab,
  sentenceBecomes,
  stateOf,
  tableOf,
  written,
} from '../stage.mjs'

inBrowsers('low dimensions turn fastest, and every hand is the kernel’s', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=37')
  await sentenceBecomes(page, /^Position 37\. .*low dimensions turn fastest/)
  const engine = await kernel()
  const phasors = engine.pairPhasors({ dModel: 16, position: 37 })
  const rows = (await tableOf(page, 'hands')).slice(1)
  assert.deepEqual(
    rows.map(([pair]) => pair),
    Array.from({ length: 8 }, (_, pair) => `${2 * pair}, ${2 * pair + 1}`),
  )
  rows.forEach((cells, pair) => {
    const { wavelength, angle, sine, cosine } = phasors
    const expected = [wavelength[pair], angle[pair], sine[pair], cosine[pair]]
    assert.deepEqual(
      cells.slice(1),
      Array.from(expected, (value) => written(value)),
    )
  })
  const turns = rows.map((cells) => Number(cells[1]))
  assert.deepEqual(
    turns,
    [...turns].sort((a, b) => a - b),
  )
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^第 37 号座。.*维度越低转得越快/)
  await assertCanvasesReadable(page)
  assert.deepEqual(problems, [])
})

inBrowsers('the d 512 example shows its published numbers', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal')
  await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
  await page.locator('#lab [data-preset=wide]').click()
  await sentenceBecomes(page, /^Position 1\. .*the slowest once in 60,611/)
  const rows = (await tableOf(page, 'wave-row')).slice(1)
  assert.equal(rows.length, 512)
  // The d 512 example: PE[1, :8] to four places.
  assert.deepEqual(
    rows.slice(0, 8).map((cells) => cells[1]),
    ['0.8415', '0.5403', '0.8219', '0.5697', '0.8020', '0.5974', '0.7819', '0.6234'],
  )
})

inBrowsers('dragging anywhere on the axis moves all of it together', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=10')
  const engine = await kernel()
  for (const [figure, position] of /** @type {[string, number][]} */ ([
    ['strips', 25],
    ['wave-map', 71],
    ['counter', 44],
    ['seats', 90],
  ])) {
    const picture = page.locator(`#lab .${figure} .picture`)
    await picture.scrollIntoViewIfNeeded()
    const box = await picture.boundingBox()
    assert.ok(box)
    // The plot begins 46 px from the left and ends 14 px from the right.
    const xOf = (/** @type {number} */ at) => box.x + 46 + ((box.width - 60) * (at + 0.5)) / 100
    const y = box.y + box.height * 0.6
    await page.mouse.move(xOf(5), y)
    await page.mouse.down()
    await page.mouse.move(xOf(position), y, { steps: 3 })
    await page.mouse.up()
    await sentenceBecomes(page, new RegExp(`^Position ${position}\\.`))
    const { data } = engine.sinusoidal({ length: 1, dModel: 16, start: position })
    const row = (await tableOf(page, 'wave-row')).slice(1)
    assert.deepEqual(
      row.map((cells) => cells[1]),
      Array.from(data, (value) => written(value)),
      figure,
    )
    const name = await page.locator('#lab .lamps .name').innerText()
    assert.equal(name, `${position} = ${position.toString(2).padStart(7, '0')}`)
  }
})

inBrowsers('the counter counts in binary', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&pos=12&len=64')
  const [head, ...rows] = await tableOf(page, 'counter')
  assert.deepEqual(
    rows.map(([worth]) => worth),
    ['1', '2', '4', '8', '16', '32'],
  )
  head.slice(1).forEach((position, column) => {
    const digits = rows.map((cells) => cells[column + 1]).reverse()
    assert.equal(parseInt(digits.join(''), 2), Number(position))
  })
})

inBrowsers('the columns of the table follow no formula and end at the wall', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=learned&pos=10&len=80')
  await sentenceBecomes(page, /^Position 10\. .*every number is stored, none is computed/)
  assert.equal(await page.locator('#lab .strips .name').innerText(), 'Columns of the table')
  assert.equal(await page.locator('#lab .hands').isVisible(), false)
  assert.match(await page.locator('#lab .no-hands').innerText(), /^No clock hands here/)
  const table = exampleTable(await kernel())
  const rows = (await tableOf(page, 'wave-row')).slice(1)
  assert.deepEqual(
    rows.map((cells) => cells[2]),
    Array.from(table.lookup(10), (value) => written(value)),
  )
  table.dispose()
  await page.locator('#lab .field-position .number').fill('50')
  await page.locator('#lab .field-position .number').press('Enter')
  await sentenceBecomes(page, /^Position 50\. The table has no row for this seat/)
  assert.equal(await page.locator('#lab .wave-row .name').innerText(), 'No row 50')
  await page.locator('#lab .toggle input[value=sinusoidal]').check()
  await sentenceBecomes(page, /^Position 50\. Every pair of dimensions is a hand/)
  assert.equal(await page.locator('#lab .hands').isVisible(), true)
})

inBrowsers('one dimension, an odd number of them, base 1, seat 0', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=20')
  const show = (/** @type {string} */ hash) =>
    page.evaluate((link) => /** @type {any} */ (document.querySelector('#lab')).restore(link), hash)
  await show('d=1')
  await sentenceBecomes(page, /One dimension is a single sine/)
  await show('d=2')
  await sentenceBecomes(page, /Two dimensions make one hand/)
  await show('d=7')
  await sentenceBecomes(page, /low dimensions turn fastest/)
  const rows = (await tableOf(page, 'hands')).slice(1)
  assert.deepEqual([rows[3][0], rows[3][4]], ['6', '–'])
  await show('d=16&base=1')
  await sentenceBecomes(page, /With base 1 every hand turns at the same speed/)
  await show('base=10000&pos=0')
  await sentenceBecomes(page, /Every hand points to twelve/)
})

inBrowsers('play walks through the seats; pause stops', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=2')
  const play = page.locator('#lab .play')
  await play.focus()
  await page.keyboard.press('Enter')
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.position > 6,
  )
  assert.equal(await play.innerText(), 'Pause')
  await page.keyboard.press('Enter')
  const stopped = (await stateOf(page)).position
  assert.equal(await play.innerText(), 'Play')
  assert.equal((await steady(() => stateOf(page))).position, stopped)
})

inBrowsers('with reduced motion the end is there at once', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=2', {
    reducedMotion: 'reduce',
  })
  await page.locator('#lab .play').click()
  assert.equal((await stateOf(page)).position, 99)
  assert.equal(await page.locator('#lab .play').innerText(), 'Play')
})
