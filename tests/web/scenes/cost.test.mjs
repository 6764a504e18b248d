// The scene of cost: products of whole numbers, shares of published models, nothing ever trained.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatCount, formatPercent } from '../../../web/src/kit/format.js'
import { axisEnd, modelNamed, modelSize, sizeOf } from '../../../web/src/scenes/cost/models.js'
import { PRESETS, withPreset } from '../../../web/src/state/presets.js'
import { initialState, withField, withPatch } from '../../../web/src/state/state.js'
import { inBrowsers } from '../harness.mjs'
import {
  assertCanvasesReadable,
  kernel,
  openLab,
  sentenceBecomes,
  stateOf,
  tableOf,
} from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

const plain = (/** @type {string} */ _key, /** @type {any} */ { value } = {}) => `${value} %`

test('sizes: published models and their shares', () => {
  // Devlin et al. 2019; Brown et al. 2020, table 2.1; OpenAI's GPT-2; Turc et al. 2019.
  /** @type {['tiny' | 'bert' | 'gpt2' | 'gpt3', number, string][]} */
  const expected = [
    ['tiny', 65536, '1.5 %'],
    ['bert', 393216, '0.36 %'],
    ['gpt2', 786432, '0.63 %'],
    ['gpt3', 25165824, '0.014 %'],
  ]
  for (const [name, parameters, share] of expected) {
    const size = modelSize(name, '4')
    assert.equal(size.parameters, parameters, name)
    assert.equal(size.bytes, 4 * parameters, name)
    assert.equal(formatPercent(plain, size.share), share, name)
    const state = withPreset(initialState(), PRESETS.cost[name])
    assert.equal(modelNamed(state), name)
  }
  const long = sizeOf(withPreset(initialState(), PRESETS.cost.text))
  assert.equal(long.parameters, 16 * 393216)
  assert.equal(modelNamed(withPreset(initialState(), PRESETS.cost.text)), undefined)
})

test('a table of the kernel has as many entries as the scene counts', async () => {
  const engine = await kernel()
  const table = engine.createTable({ tMax: 512, dModel: 768 })
  assert.equal(table.values().data.length, modelSize('bert', '4').parameters)
  table.dispose()
})

test('amounts are written without hiding anything', () => {
  assert.equal(formatCount(393216), '393,216')
  assert.equal(formatBytes(0), '0\u00a0B')
  assert.equal(formatBytes(1572864), '1.57\u00a0MB')
  assert.equal(formatBytes(999.7), '1.00\u00a0kB')
  assert.equal(formatBytes(100663296), '101\u00a0MB')
  assert.equal(formatPercent(plain, 0), '0 %')
  assert.equal(formatPercent(plain, 0.3936), '39 %')
  assert.equal(formatPercent(plain, 0.99999), '99.9 %')
  assert.equal(formatPercent(plain, 1), '100 %')
  assert.equal(formatPercent(plain, 1.5e-9), '0.00000015 %')
})

test('the fields of this scene go further than any table that is trained', () => {
  let state = initialState()
  for (const [name, value] of [
    ['costRows', '131072'],
    ['costWidth', '12288'],
    ['costModel', '1e6'],
  ]) {
    const result = withField(state, name, value)
    assert.ok('state' in result, name)
    state = result.state
  }
  assert.equal(sizeOf(state).parameters, 131072 * 12288)
  assert.equal(state.tMax, 50)
  assert.ok('refused' in withField(state, 'costRows', '131073'))
  assert.ok('refused' in withField(state, 'costRows', '2.5'))
  assert.ok('refused' in withField(state, 'costModel', '0'))
  assert.equal(sizeOf(withPatch(state, { costBytes: '2' })).bytes, 2 * 131072 * 12288)
})

test('the axis of T_max has room and stays put while the cursor moves a little', () => {
  for (const rows of [1, 96, 97, 512, 1024, 8192, 131072]) {
    assert.ok(rows <= 0.75 * axisEnd(rows), String(rows))
  }
  assert.equal(axisEnd(400), axisEnd(1500))
})

inBrowsers('BERT-base: 393,216 parameters, 0.36 % of 110 M', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=cost')
  await sentenceBecomes(page, /^512 × 768 = 393,216 parameters\. .*0\.36\s% of BERT-base’s 110M/)
  assert.equal(await page.locator('#lab .amount-learned .count').innerText(), '393,216')
  assert.equal(await page.locator('#lab .amount-sinusoidal .count').innerText(), '0')
  const growth = await tableOf(page, 'growth')
  assert.deepEqual(
    growth.find(([rows]) => rows === '512'),
    ['512', '393,216', '1.57\u00a0MB', '0'],
  )
  const doubled = growth.find(([rows]) => rows === '1,024')
  assert.equal(doubled?.[1], '786,432')
  assert.equal((await tableOf(page, 'part'))[1][1], '393,216')
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^512 × 768 = 393,216 个参数。/)
  assert.deepEqual(problems, [])
})

inBrowsers('presets, the list of models, bytes, focus', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=cost')
  await page.locator('#lab .sheet').evaluate((sheet) => sheet.setAttribute('open', ''))
  await page.locator('#lab [data-preset=text]').click()
  await sentenceBecomes(page, /6,291,456 parameters\. 16 times the 512 rows of BERT-base/)
  await page.locator('#lab [data-model=gpt3]').click()
  await sentenceBecomes(page, /25,165,824 parameters\. .*0\.014\s% of GPT-3’s 175B/)
  assert.equal(await page.locator('#lab [data-model=gpt3]').getAttribute('aria-pressed'), 'true')
  await page.locator('#lab .amounts .chips input[value="2"]').check()
  assert.equal((await stateOf(page)).costBytes, '2')
  await sentenceBecomes(page, /50\.3\sMB to store/)
  await page.locator('#lab .field-costModel .number').fill('1')
  await page.locator('#lab .field-costModel .number').press('Enter')
  await sentenceBecomes(page, /larger than the whole model: 2,517\s%/)
  await page.locator('#lab .toggle input[value=sinusoidal]').check()
  await sentenceBecomes(page, /^No parameters\. The formula needs no table for 2,048 rows/)
})

inBrowsers('dragging along the line moves T_max and keeps the axis still', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=cost')
  const picture = page.locator('#lab .growth .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.4, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 12, y, { steps: 5 })
  assert.equal((await stateOf(page)).costRows, 2048)
  await page.mouse.move(box.x + 4, y, { steps: 5 })
  assert.equal((await stateOf(page)).costRows, 1)
  await page.mouse.up()
})

inBrowsers('nothing is trained for it, however large', async ({ visit }) => {
  const { page, problems } = await openLab(
    visit,
    'scene=cost&crows=131072&cwidth=12288&cmodel=175000',
  )
  await sentenceBecomes(page, /1,610,612,736 parameters\./)
  const { tMax, dModel } = await stateOf(page)
  assert.deepEqual([tMax, dModel], [50, 16])
  assert.deepEqual(problems, [])
})
