// Wavelengths: which pairs have turned in training, and what each scaling makes of the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compute } from '../../../web/src/scenes/wavelengths/coverage.js'
import { ROPE_TYPES } from '../../../web/src/state/fields.js'
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

const remote = async () => /** @type {any} */ (await kernel())

test('what lies beyond the angles of the training, scaling by scaling', async () => {
  const model = await compute(await remote(), initialState(), {})
  // Llama 2: 64 pairs, theta 10000, 4096 positions.
  assert.equal(model.plain.turned, 46)
  const unseen = Object.fromEntries(
    ROPE_TYPES.map((type) => [type, model.further[type].map((one) => one.unseen)]),
  )
  assert.deepEqual(unseen.default, [18, 18, 18])
  // A factor of 4 takes what is interpolated to four times the length and no further.
  for (const type of ['linear', 'yarn', 'longrope', 'llama3']) {
    assert.deepEqual(unseen[type], [0, 0, 18], type)
  }
  // NTK: only the slowest pair is slowed by the whole factor (text-generation-webui #3149).
  assert.deepEqual(unseen.ntk, [0, 17, 18])
  assert.deepEqual(unseen.dynamic, [0, 0, 0])
  assert.ok(Math.abs(model.types.linear.kept[0] - 0.25) < 1e-15)
  for (const type of ROPE_TYPES.filter((name) => name !== 'linear')) {
    assert.equal(model.types[type].kept[0], 1, type)
  }
  assert.ok(Math.abs(model.types.yarn.attentionFactor - (0.1 * Math.log(4) + 1)) < 1e-15)
})

test('a factor of 1 changes nothing, within the training length nothing is new', async () => {
  const state = withPatch(initialState(), { ropeFactor: 1, reach: 1 })
  const { types, plain } = await compute(await remote(), state, {})
  for (const type of ROPE_TYPES) {
    assert.equal(types[type].unseen, 0, type)
    types[type].wavelengths.forEach((value, pair) => {
      assert.ok(Math.abs(value / plain.wavelengths[pair] - 1) < 1e-12, `${type} ${pair}`)
    })
  }
})

test('the kernel takes every corner of the fields', async () => {
  const engine = await remote()
  for (const ropePairs of [2, 3, 128]) {
    for (const ropeBase of [2, 1e9]) {
      for (const trainedLength of [16, 131072]) {
        for (const ropeFactor of [1, 32]) {
          const patch = { ropePairs, ropeBase, trainedLength, ropeFactor, reach: 16 }
          const { types } = await compute(engine, withPatch(initialState(), patch), {})
          for (const type of ROPE_TYPES) {
            assert.ok(types[type].wavelengths.every((value) => value > 0 && value < Infinity))
          }
        }
      }
    }
  }
})

test('the pair that is looked at stays among the pairs', () => {
  const state = withPatch(initialState(), { ropePairs: 16 })
  assert.equal(state.ropePair, 15)
  assert.ok('refused' in withField(state, 'ropePair', '16'))
  for (const patch of Object.values(PRESETS.wavelengths)) {
    const next = withPreset(withPatch(initialState(), { mode: 'rope' }), patch)
    assert.ok(next.ropePair < next.ropePairs)
  }
})

inBrowsers('the page tells the kernel’s numbers, in both languages', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=wavelengths')
  await sentenceBecomes(
    page,
    /^Unscaled\. At the distances of training, below 4,096, 46 of 64 pairs/,
  )
  await sentenceBecomes(page, /distances below 16,384, all of the other 18 come to angles/)
  await assertCanvasesReadable(page)
  // The first new distance is the training length itself, to the last digit.
  assert.equal((await tableOf(page, 'pairs')).at(-1)?.at(-1), '4,096')
  await page.locator('#lab .chips input[value=yarn]').check()
  await sentenceBecomes(page, /^YaRN, factor 4\. .*none of the other 18/)
  assert.equal(await page.locator('#lab .attention .count').innerText(), '1.1386')
  const engine = await kernel()
  const { inverseFrequencies } = engine.ropeFrequencies({
    headDim: 128,
    scaling: { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 4096 },
  })
  const rows = await tableOf(page, 'pairs')
  assert.equal(rows.length, 65)
  const now = Number(rows[64][3].replaceAll(',', ''))
  assert.ok(Math.abs((now * inverseFrequencies[63]) / (2 * Math.PI) - 1) < 1e-3)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^YaRN，4 倍。训练时的距离都小于 4,096，64 对维度有 46 对/)
  assert.deepEqual(problems, [])
})

inBrowsers('by keyboard, by pointer, by the columns of the table', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=wavelengths&rtype=linear')
  await sentenceBecomes(page, /^PI \(linear\), factor 4\. .*none of the other 18/)
  await page.locator('#lab [data-times="8"]').press('Enter')
  await sentenceBecomes(page, /distances below 32,768, all of the other 18/)
  assert.equal((await stateOf(page)).reach, 8)
  await page.locator('#lab .field-ropeFactor .number').fill('8')
  await page.locator('#lab .field-ropeFactor .number').press('Enter')
  await sentenceBecomes(page, /factor 8\. .*none of the other 18/)
  await page.locator('#lab .chips input[value=linear]').focus()
  await page.keyboard.press('ArrowRight')
  await sentenceBecomes(page, /^NTK-aware, factor 8\. .*17 of the other 18/)
  const slider = page.locator('#lab .field-ropePair input[type=range]')
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  assert.equal((await stateOf(page)).ropePair, 47)
  const picture = page.locator('#lab .pairs .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 60, { steps: 6 })
  await page.mouse.up()
  const { ropePair } = await stateOf(page)
  assert.ok(ropePair < 10, String(ropePair))
  await page.waitForFunction((pair) => {
    const root = document.querySelector('#lab')?.shadowRoot
    return root?.querySelector('.pairs .readout')?.textContent?.startsWith(`pair ${pair}:`)
  }, ropePair)
  assert.deepEqual(problems, [])
})
