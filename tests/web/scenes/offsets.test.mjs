// The scene of scores by distance: every encoding on one axis, and what is relative.
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

const HERE = 'scene=offsets&dist=60'

/** The kernel's scores of every encoding in the order of the columns, at 100 distances from seat 0. */
async function scores() {
  const engine = await kernel()
  const distances = 100
  const offsets = Array.from({ length: distances }, (_, k) => k)
  const table = exampleTable(engine)
  const drawn = engine.createTable({ tMax: 32, dModel: 2, seed: 42, scale: 1 })
  const values = drawn.values().data
  const [slope] = engine.alibiSlopes({ heads: 2 })
  const profile = (/** @type {any} */ more) =>
    engine.scoreProfile({ dModel: 16, distances, seed: 42, ...more })
  const { inverseFrequencies } = engine.ropeFrequencies({ headDim: 16 })
  const lines = [
    profile({ codes: engine.sinusoidal({ length: distances, dModel: 16 }) }),
    profile({ codes: table.values(), distances: 50 }),
    profile({ inverseFrequencies }),
    profile({ bias: offsets.map((k) => -slope * k) }),
    profile({ bias: Array.from(engine.t5Buckets({ offsets }), (bucket) => values[bucket * 2]) }),
    profile({}),
  ]
  const rope = [0, 20].map((position) => profile({ inverseFrequencies, position }))
  table.dispose()
  drawn.dispose()
  return { lines, rope }
}

inBrowsers('every line is the kernel’s, and the table ends at its wall', async ({ visit }) => {
  const { page, problems } = await openLab(visit, `${HERE}&mode=learned`)
  await sentenceBecomes(page, /The table ends at seat 49: a key 60 seats after seat 0 has no row/)
  const { lines } = await scores()
  const table = await tableOf(page, 'means')
  for (const k of [0, 1, 20, 49, 50, 99]) {
    const expected = lines.map(({ mean }) => (k < mean.length ? written(mean[k]) : '–'))
    assert.deepEqual(table[k + 1], [String(k), ...expected])
  }
  await assertCanvasesReadable(page)
  assert.deepEqual(problems, [])
})

inBrowsers('relative codes score the same from both seats, others do not', async ({ visit }) => {
  const { page } = await openLab(visit, `${HERE}&mode=rope`)
  await sentenceBecomes(page, /only the distance counts/)
  const { rope } = await scores()
  const row = (await tableOf(page, 'pair'))[61]
  assert.deepEqual(row, ['60', ...rope.map(({ one }) => written(one[60]))])
  assert.equal(row[1], row[2])
  for (const [mode, pattern] of /** @type {[string, RegExp][]} */ ([
    ['alibi', /^ALiBi, .*Head 1 of 2 takes off 1\/16 for every seat.*only the distance counts/],
    ['t5', /One number for a bucket.*only the distance counts/],
    ['nope', /neither seat nor distance counts.*a flat line\.$/],
    ['sinusoidal', /the seat itself counts, too/],
  ])) {
    await page.locator(`#lab .toggle input[value="${mode}"]`).check({ force: true })
    await sentenceBecomes(page, pattern)
  }
})

inBrowsers('by keyboard, by hand, in Chinese', async ({ visit }) => {
  const { page } = await openLab(visit, `${HERE}&mode=alibi`, { locale: 'zh-CN' })
  await sentenceBecomes(page, /^ALiBi，相隔 60 座。/)
  const slider = page.locator('#lab .field-distance input[type="range"]')
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await sentenceBecomes(page, /^ALiBi，相隔 61 座。/)
  await page.keyboard.press('Home')
  await sentenceBecomes(page, /^ALiBi，相隔 0 座。/)
  const picture = page.locator('#lab .means .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 })
  await page.mouse.up()
  const { distance } = await stateOf(page)
  assert.ok(distance > 40 && distance < 75, `distance ${distance}`)
  await sentenceBecomes(page, new RegExp(`^ALiBi，相隔 ${distance} 座`))
  await page.locator('#lab .chips input[value="other"]').check({ force: true })
  await page.waitForFunction(
    () => /** @type {any} */ (document.querySelector('#lab')).state.pairing === 'other',
  )
  assert.match(await sentenceOf(page), /只看距离/)
})
