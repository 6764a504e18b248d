// Precision: the kernel's errors on the page, and the public report that they reproduce.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import {
  assertCanvasesReadable,
  kernel,
  openLab,
  sentenceBecomes,
  stateOf,
  tableOf,
} from '../stage.mjs'

inBrowsers('the error at the cursor is the kernel’s, in both languages', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=precision')
  const engine = await kernel()
  /** @param {any} format @param {number} position */
  const error = (format, position) =>
    engine.positionPrecision({ headDim: 128, format, positions: [position], searchEnd: 0 })
      .maxErrors[0]
  await sentenceBecomes(page, /^Position 2,000 in bfloat16\. .* 256 and 257 were the first/)
  await sentenceBecomes(page, new RegExp(`wrong by ${error('bfloat16', 2000).toPrecision(3)}`))
  await assertCanvasesReadable(page)
  const formats = page.locator('#lab .formats tbody td')
  assert.deepEqual(await formats.allInnerTexts(), [
    '5.1 × 10⁻⁵',
    'none to 10⁶',
    error('bfloat16', 2000).toPrecision(3),
    '256',
    error('float16', 2000).toPrecision(3),
    '2,048',
  ])
  // A position that no curve has: asked for on its own.
  await page.locator('#lab .field-farPosition .number').fill('12345')
  await page.locator('#lab .field-farPosition .number').press('Enter')
  await page.locator('#lab .chips input[value=float16]').check()
  await sentenceBecomes(page, new RegExp(`^Position 12,345 in float16\\. .*2,048 and 2,049`))
  const row = (await tableOf(page, 'errors')).find(([position]) => position === '12,345')
  assert.equal(row?.[3], error('float16', 12345).toPrecision(3))
  await page.locator('#lab .field-farPosition .number').fill('70000')
  await page.locator('#lab .field-farPosition .number').press('Enter')
  await sentenceBecomes(page, /has no room here: .* 65,504/)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^第 70,000 号座，float16。这里的角度放不下/)
  assert.deepEqual(problems, [])
})

inBrowsers('gpt-neox #1003 is reproduced; the cursor can be dragged', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=precision')
  const reports = await page.locator('#lab .reports').innerText()
  assert.match(
    reports,
    /in float16, head size 32.* wrong by 0\.7819\. This kernel, now, in float16: 0\.78\d\d\./,
  )
  await page.locator('#lab [data-report=neox]').click()
  await sentenceBecomes(page, /^Position 1,857 in float16\. The worst of 16 pairs/)
  const picture = page.locator('#lab .errors .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width / 2, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, y, { steps: 8 })
  await page.mouse.up()
  assert.equal((await stateOf(page)).farPosition, 1000000)
  await sentenceBecomes(page, /^Position 1,000,000 in float16/)
  await page.locator('#lab .field-farPosition input[type=range]').focus()
  await page.keyboard.press('ArrowLeft')
  assert.ok((await stateOf(page)).farPosition < 1e6)
  await page.keyboard.press('End')
  assert.equal((await stateOf(page)).farPosition, 1e6)
  await page.keyboard.press('Home')
  await sentenceBecomes(page, /^Position 1 in float16\. .*will have the same code/)
  assert.deepEqual(problems, [])
})
