// Similarity: the same offset gives the same number, for the formula and not for the table.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
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

/** @typedef {import('playwright-core').Page} Page */

/** @param {Page} page @param {string} hash */
const show = (page, hash) =>
  page.evaluate((link) => /** @type {any} */ (document.querySelector('#lab')).restore(link), hash)

/**
 * @param {Page} page
 * @returns {Promise<string[]>} both numbers and the sign between them: of the formula, of the table
 */
const pairs = (page) =>
  page
    .locator('#lab .pairs tbody td')
    .evaluateAll((cells) => cells.map((cell) => cell.textContent ?? ''))

/**
 * @param {Page} page
 * @param {string} text of the heading of the small table
 */
const offsetIs = (page, text) =>
  page.waitForFunction(
    (wanted) =>
      document.querySelector('#lab')?.shadowRoot?.querySelector('.same .name')?.textContent ===
      wanted,
    text,
  )

inBrowsers('the NumPy example: two cursors, same offset, same number', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=similarity&mode=sinusoidal&len=80&pos=10')
  const engine = await kernel()
  const table = exampleTable(engine)
  const values = table.values()
  // science: PE[10].PE[10+k] = PE[30].PE[30+k] for k = 1, 3, 5.
  for (const [offset, number] of /** @type {[number, string][]} */ ([
    [1, '7.4852'],
    [3, '5.5431'],
    [5, '6.1370'],
  ])) {
    const field = page.locator('#lab .field-offset .number')
    await field.fill(String(offset))
    await field.press('Enter')
    await offsetIs(page, `Same offset: ${offset}`)
    const learned = [10, 30].map((row) => {
      const dots = engine.similarity({ ...values, row, measure: 'dot' })
      return written(dots[row + offset])
    })
    assert.deepEqual(await pairs(page), [number, '=', number, learned[0], '≠', learned[1]])
    await sentenceBecomes(page, new RegExp(`${number}.*${number}: the same number`))
  }
  table.dispose()
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^第 10 号座与第 30 号座，间隔 5。.*同一个数/)
  await assertCanvasesReadable(page)
  assert.deepEqual(problems, [])
})

inBrowsers('the d 512 example: its two cosines', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=similarity&mode=sinusoidal')
  await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
  await page.locator('#lab [data-preset=wide]').click()
  await sentenceBecomes(page, /cos\(PE\[0\], PE\[1\]\) = 0\.9731/)
  const rows = (await tableOf(page, 'curves-sinusoidal')).slice(1)
  assert.deepEqual([rows[1][2], rows[49][2]], ['0.9731', '0.5119'])
})

inBrowsers('the second cursor can be dragged; only the table notices', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=similarity&mode=learned&pos=10&len=50')
  await offsetIs(page, 'Same offset: 3')
  const before = await pairs(page)
  const picture = page.locator('#lab .curves-sinusoidal .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  const xOf = (/** @type {number} */ at) => box.x + 46 + ((box.width - 60) * (at + 0.5)) / 50
  const y = box.y + box.height / 2
  await page.mouse.move(xOf(30), y)
  await page.mouse.down()
  await page.mouse.move(xOf(22), y, { steps: 4 })
  await page.mouse.up()
  await sentenceBecomes(page, /^Positions 10 and 22, offset 3\. The table gives/)
  const after = await pairs(page)
  assert.deepEqual(after.slice(0, 3), ['5.5431', '=', '5.5431'])
  assert.equal(after[3], before[3])
  assert.notEqual(after[5], before[5])
  // Far from the second cursor a press takes hold of the first.
  await page.mouse.click(xOf(5), y)
  await sentenceBecomes(page, /^Positions 5 and 22/)
})

inBrowsers('the learned curve changes as training goes on', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=similarity&mode=learned&pos=10&steps=0')
  await sentenceBecomes(page, /without training its rows are random/)
  const engine = await kernel()
  for (const steps of [200, 1000]) {
    const field = page.locator('#lab .moves .field-steps .number')
    await field.fill(String(steps))
    await field.press('Enter')
    await sentenceBecomes(page, new RegExp(`Training, ${steps} steps so far`))
    const table = engine.createTable({ tMax: 50, dModel: 16 })
    table.trainTowardSinusoid({ steps })
    const values = table.values()
    const rows = (await tableOf(page, 'curves-learned')).slice(1)
    assert.equal(rows.length, 50)
    const expected = [10, 30].flatMap((row) =>
      /** @type {const} */ (['dot', 'cosine']).map((measure) =>
        engine.similarity({ ...values, row, measure }),
      ),
    )
    rows.forEach((cells, position) => {
      assert.deepEqual(
        cells.slice(1),
        expected.map((numbers) => written(numbers[position])),
      )
    })
    table.dispose()
  }
})

inBrowsers('no two rows coincide and no entry leaves [-1, 1]', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=similarity&mode=sinusoidal')
  const engine = await kernel()
  for (const [length, dModel, base] of [
    [100, 16, 10000],
    [100, 64, 10000],
    [400, 16, 500],
    [1000, 2, 10000],
    [60, 5, 7],
  ]) {
    await show(page, `len=${length}&d=${dModel}&base=${base}&tmax=50&pos=10`)
    const { closest, minimum, maximum } = engine.sinusoidalSpread({ length, dModel, base })
    assert.ok(closest)
    assert.ok(closest.distance > 0 && minimum >= -1 && maximum <= 1)
    const expected = [
      closest.distance >= 5e-4 ? written(closest.distance) : undefined,
      `${closest.first}, ${closest.second}`,
      written(minimum),
      written(maximum),
    ]
    // The pair may be the same for two settings: all of it has to be there.
    await page.waitForFunction((texts) => {
      const root = document.querySelector('#lab')?.shadowRoot
      const cells = root?.querySelectorAll('.spread tbody td') ?? []
      return texts.every((text, line) => text == null || cells[2 * line]?.textContent === text)
    }, expected)
  }
})

inBrowsers('every pair turns by its block of the rotation', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=similarity&mode=sinusoidal&pos=10&off=7')
  await offsetIs(page, 'Same offset: 7')
  const { data } = (await kernel()).blockRotation({ dModel: 16, offset: 7 })
  const rows = (await tableOf(page, 'turns')).slice(1)
  assert.equal(rows.length, 8)
  rows.forEach((cells, pair) => {
    const top = 2 * pair * 16 + 2 * pair
    const block = [data[top], data[top + 1], data[top + 16], data[top + 17]]
    assert.deepEqual(
      cells.slice(2),
      block.map((value) => written(value)),
    )
  })
  assert.match(await page.locator('#lab .turns .rest').innerText(), /R\(7\) · PE\(p\)/)
  await show(page, 'd=15')
  await sentenceBecomes(page, /with an odd d the last sine has no cosine/)
  assert.match(await page.locator('#lab .turns .rest').innerText(), /the other 14 dimensions/)
})

inBrowsers('where the table has no row there is nothing to compare', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=similarity&mode=learned&pos=48')
  await sentenceBecomes(page, /The table has no row 51: it ends at seat 49/)
  assert.deepEqual((await pairs(page)).slice(3, 5), ['–', ''])
  await show(page, 'pos=70')
  await sentenceBecomes(page, /The table has no row 70/)
  await show(page, 'pos=45&pos2=45')
  await sentenceBecomes(page, /Both cursors are on the same seat, and the table gives/)
  await show(page, 'mode=sinusoidal&pos2=20&off=0')
  await sentenceBecomes(page, /Offset 0 compares a row with itself: 8\.0000/)
})

inBrowsers('cursors, offset and measure are in the link', async ({ visit }) => {
  const hash = 'scene=similarity&pos=7&pos2=23&off=5&sim=cosine'
  const { page } = await openLab(visit, hash)
  await sentenceBecomes(page, /^Positions 7 and 23, offset 5\. cos/)
  const link = await page.evaluate(() => /** @type {any} */ (document.querySelector('#lab')).link)
  for (const part of hash.split('&')) assert.ok(link.split('&').includes(part), part)
  await page.locator('#lab .same .chips input[value=dot]').check()
  await sentenceBecomes(page, /PE\[7\]·PE\[12\]/)
  assert.equal((await stateOf(page)).measure, 'dot')
})
