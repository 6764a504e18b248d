// The scene past T_max, as a reader sees and uses it, in both browsers and both languages.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import {
  assertCanvasesReadable,
  exampleTable,
  kernel,
  openLab,
  sentenceBecomes,
  sentenceOf,
  stateOf,
  tableOf,
  written,
} from '../stage.mjs'

inBrowsers(
  'position 60 of a 50-row table: the formula goes on, the lookup fails',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit)
    assert.match(await sentenceOf(page), /^Position 60\. The formula still gives a row\./)
    assert.equal(
      await page.locator('#lab .error-text').innerText(),
      // NumPy's own message for table[60] on 50 rows.
      'IndexError: index 60 is out of bounds for axis 0 with size 50',
    )
    await page.locator('#language input[value=zh]').check()
    await sentenceBecomes(page, /^第 60 号座。公式照常算出/)
    assert.equal(await page.locator('#lab .row-learned .name').innerText(), '可学习：查无第 60 行')
    await assertCanvasesReadable(page)
    assert.deepEqual(problems, [])
  },
)

inBrowsers('the tables show the NumPy example to four places', async ({ visit }) => {
  const { page } = await openLab(visit, 'len=80&pos=10')
  const engine = await kernel()
  const code = engine.sinusoidal({ length: 80, dModel: 16 })
  const learned = exampleTable(engine)
  const shown = await tableOf(page, 'row-learned')
  const rows = shown.slice(1)
  assert.equal(rows.length, 16)
  const row = learned.lookup(10)
  rows.forEach(([dimension, formula, looked], i) => {
    assert.equal(dimension, String(i))
    assert.equal(formula, written(code.data[10 * 16 + i]))
    assert.equal(looked, written(row[i]))
  })
  // science.md: PE[10, :4] and learned[10, :4] of the NumPy example.
  assert.deepEqual(
    rows.slice(0, 4).map((cells) => cells[1]),
    ['−0.5440', '−0.8391', '−0.0207', '−0.9998'],
  )
  assert.deepEqual(
    rows.slice(0, 4).map((cells) => cells[2]),
    ['−0.1662', '−0.1174', '0.0662', '−0.2465'],
  )
  const map = await tableOf(page, 'map-sinusoidal')
  assert.deepEqual(map[0].slice(1), ['7', '8', '9', '10', '11', '12', '13'])
  assert.equal(map[4][5], written(code.data[11 * 16 + 3]))
  assert.match(await page.locator('#lab .what').innerText(), /0\.050464/)
  learned.dispose()
})

inBrowsers('every behaviour past the table returns what the kernel returns', async ({ visit }) => {
  const { page } = await openLab(visit)
  const engine = await kernel()
  const table = exampleTable(engine)
  const grown = exampleTable(engine)
  grown.grow(100)
  /** @type {[string, ArrayLike<number>, RegExp][]} */
  const expected = [
    ['clamp', table.lookup(49), /row 49, the last one/],
    ['nan', new Float64Array(16).fill(NaN), /NaN/],
    ['zeros', new Float64Array(16), /zeros/],
    ['wrap', table.lookup(10), /row 10/],
    ['untrained', grown.lookup(60), /training never reached it/],
  ]
  for (const [behaviour, row, words] of expected) {
    await page.locator(`#lab .chips input[value=${behaviour}]`).check()
    await sentenceBecomes(page, words)
    const shown = await tableOf(page, 'row-learned')
    assert.deepEqual(
      shown.slice(1).map((cells) => cells[2]),
      Array.from(row, (value) => written(value)),
      behaviour,
    )
  }
  await page.locator('#lab .chips input[value=raise]').check()
  await sentenceBecomes(page, /nothing here to look up/)
  const shown = await tableOf(page, 'row-learned')
  assert.deepEqual([...new Set(shown.slice(1).map((cells) => cells[2]))], ['–'])
  table.dispose()
  grown.dispose()
})

inBrowsers(
  'a device assert kills valid lookups too, until the process is restarted',
  async ({ visit }) => {
    const { page } = await openLab(visit)
    await page.locator('#lab .chips input[value=assert]').check()
    await sentenceBecomes(page, /kills the process/)
    await page.locator('#lab .field-position .number').fill('10')
    await page.locator('#lab .field-position .number').press('Enter')
    await sentenceBecomes(page, /^Position 10\..*dead since position 60/)
    assert.match(await page.locator('#lab .error-text').innerText(), /device-side assert/)
    await page.locator('#lab .restart').click()
    await sentenceBecomes(page, /^Position 49\. The table has a name plate/)
  },
)

inBrowsers('dragging the cursor across the wall', async ({ visit }) => {
  const { page } = await openLab(visit, 'pos=40')
  const map = page.locator('#lab .map-learned .picture')
  await map.scrollIntoViewIfNeeded()
  const box = await map.boundingBox()
  assert.ok(box)
  // The plot begins 46 px from the left and ends 14 px from the right.
  const xOf = (/** @type {number} */ position) =>
    box.x + 46 + ((box.width - 60) * (position + 0.5)) / 100
  const y = box.y + box.height / 2
  await page.mouse.move(xOf(40), y)
  await page.mouse.down()
  await page.mouse.move(xOf(49), y, { steps: 4 })
  await sentenceBecomes(page, /^Position 49\. The table has a name plate/)
  await page.mouse.move(xOf(50), y)
  await sentenceBecomes(page, /^Position 50\. The formula still gives a row/)
  await page.mouse.move(xOf(73), box.y - 80, { steps: 4 })
  await page.mouse.up()
  await sentenceBecomes(page, /^Position 73\./)
  assert.equal((await stateOf(page)).position, 73)
  await page.mouse.move(xOf(20), y)
  assert.equal((await stateOf(page)).position, 73)
})

inBrowsers(
  'by keyboard alone: across the wall, the toggle, the switch, the numbers',
  async ({ visit }) => {
    const { page } = await openLab(visit, 'pos=48')
    /** Presses Tab until the focus is on something that matches. */
    const tabTo = async (/** @type {string} */ selector) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press('Tab')
        const there = await page.evaluate((wanted) => {
          const outer = document.activeElement
          const inner = outer?.shadowRoot?.activeElement ?? outer
          return inner?.matches(wanted) ?? false
        }, selector)
        if (there) return
      }
      assert.fail(`Tab does not reach ${selector}`)
    }
    await tabTo('.toggle input')
    await page.keyboard.press('ArrowLeft')
    assert.equal((await stateOf(page)).mode, 'sinusoidal')
    await tabTo('.tabs input')
    await tabTo('.numbers-button')
    await page.keyboard.press('Enter')
    assert.equal(await page.locator('#lab .map-sinusoidal .numbers').isVisible(), true)
    await tabTo('.field-position input[type=range]')
    await page.keyboard.press('ArrowRight')
    await sentenceBecomes(page, /^Position 49\./)
    await page.keyboard.press('ArrowRight')
    await sentenceBecomes(page, /^Position 50\. The formula gives a row here as everywhere/)
    await page.keyboard.press('End')
    await sentenceBecomes(page, /^Position 99\./)
    await tabTo('.chips input')
    await page.keyboard.press('ArrowRight')
    assert.equal((await stateOf(page)).behaviour, 'assert')
  },
)

inBrowsers('the switch names frameworks, the number its seat', async ({ visit }) => {
  const { page } = await openLab(visit)
  assert.equal(await page.locator('#lab .lookup .label').innerText(), 'What would happen in')
  const names = () => page.locator('#lab .lookup .chips .words').allInnerTexts()
  const english = ['NumPy', 'PyTorch GPU', 'JAX index', 'jnp.take', 'TF GPU', 'modulo code']
  assert.deepEqual(await names(), [...english, 'oversized table'])
  await page.locator('#lab .chips input[value=zeros]').check()
  assert.match(await page.locator('#lab .lookup .who').innerText(), /WebGL.*its CPU backend throws/)
  const field = page.locator('#lab .field-position')
  const places = () =>
    field.evaluate((element) =>
      ['.number', '.unit'].map(
        (one) => element.querySelector(one)?.getBoundingClientRect().x ?? NaN,
      ),
    )
  const [number, seat] = await places()
  assert.ok(seat < number, 'seat 60')
  assert.equal(await field.locator('[type=range]').getAttribute('aria-valuetext'), 'seat 60')
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^第 60 号座。/)
  const chinese = [
    'NumPy',
    'PyTorch GPU',
    'JAX 下标',
    'jnp.take',
    'TF GPU',
    '取模的代码',
    '加大的表',
  ]
  assert.deepEqual(await names(), chinese)
  const [before, after] = await places()
  assert.ok(before < after, '60 号座')
  // On a phone, too, the seat stands beside its number.
  await page.locator('#language input[value=en]').check()
  await page.setViewportSize({ width: 360, height: 700 })
  await sentenceBecomes(page, /^Position 60\./)
  const rows = await field.evaluate((element) =>
    ['.number', '.unit'].map((one) => {
      const { y = 0, height = 0 } = element.querySelector(one)?.getBoundingClientRect() ?? {}
      return y + height / 2
    }),
  )
  assert.ok(Math.abs(rows[0] - rows[1]) < 6, `${rows}`)
})

inBrowsers(
  'growing the table: rows that no gradient reached are marked and named',
  async ({ visit }) => {
    const { page } = await openLab(visit)
    await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
    await page.locator('#lab [data-preset=cinema]').click()
    await sentenceBecomes(page, /^Position 120\..*no gradient ever reached it/)
    const seats = await tableOf(page, 'seats')
    assert.deepEqual(seats.slice(1), [
      ['0–49', '50', 'written in training'],
      ['50–249', '200', 'added later, never trained'],
    ])
    const engine = await kernel()
    const table = exampleTable(engine)
    table.grow(250)
    const rows = (await tableOf(page, 'row-learned')).slice(1)
    assert.deepEqual(
      rows.map((cells) => cells[2]),
      Array.from(table.lookup(120), (value) => written(value)),
    )
    await page.locator('#lab .grow').click()
    await sentenceBecomes(page, /nothing here to look up/)
    table.dispose()
  },
)

inBrowsers(
  'what cannot be taken is refused in words that name the bounds; the next value works',
  async ({ visit }) => {
    const { page } = await openLab(visit)
    const field = page.locator('#lab .field-position .number')
    const problem = page.locator('#lab .field-position .problem')
    for (const wrong of ['abc', '2.5', '-1', '99999', '', 'NaN', '1e400', '0x10']) {
      await field.fill(wrong)
      await field.press('Enter')
      assert.match(
        await problem.innerText(),
        /^Position: .*whole number from 0 to 2,047\. Nothing has changed\.$/,
        wrong,
      )
      assert.equal(await field.getAttribute('aria-invalid'), 'true')
      assert.equal((await stateOf(page)).position, 60)
    }
    await field.fill('12')
    await field.press('Enter')
    await sentenceBecomes(page, /^Position 12\./)
    assert.equal(await problem.isVisible(), false)
    // Past the seats shown: there are more of them then.
    await field.fill('700')
    await field.press('Enter')
    await sentenceBecomes(page, /^Position 700\./)
    assert.ok((await stateOf(page)).length > 700)
  },
)

inBrowsers('attributes are checked like everything else', async ({ visit }) => {
  const { page } = await openLab(visit)
  const heard = await page.evaluate(() => {
    const lab = /** @type {any} */ (document.querySelector('#lab'))
    /** @type {any[]} */
    const errors = []
    lab.addEventListener('posenc-error', (/** @type {any} */ event) => errors.push(event.detail))
    for (const [name, value] of [
      ['t-max', 'abc'],
      ['t-max', '0'],
      ['d-model', '2.5'],
      ['seed', '-1'],
      ['scene', 'nothing'],
      ['base', 'Infinity'],
    ]) {
      lab.setAttribute(name, value)
    }
    lab.setAttribute('t-max', '70')
    return { errors: errors.map(({ code, details }) => [code, details.name]), tMax: lab.state.tMax }
  })
  assert.deepEqual(heard.errors, [
    ['invalid-argument', 'tMax'],
    ['invalid-argument', 'tMax'],
    ['invalid-argument', 'dModel'],
    ['invalid-argument', 'seed'],
    ['invalid-argument', 'scene'],
    ['invalid-argument', 'base'],
  ])
  assert.equal(heard.tMax, 70)
  await sentenceBecomes(page, /^Position 60\. The table has a name plate/)
})
