// The scene of word order: real attention, exactly blind to order without positions.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import {
  assertCanvasesReadable,
  openLab,
  sentenceBecomes,
  sentenceOf,
  stateOf,
  tableOf,
} from '../stage.mjs'

/** The three differences that the sentence names, in its order: none, sinusoidal, learned. */
const numbersIn = (/** @type {string} */ sentence) =>
  [...sentence.matchAll(/(?<![\w.])(\d+(?:\.\d+)?(?:e-\d+)?)(?=[ ,.;，。；]|$)/g)].map(
    ([, value]) => Number(value),
  )

inBrowsers(
  'without positions the output is the same to the last digit, with a code it is not',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit, 'scene=order&pos=0')
    await sentenceBecomes(page, /^“dog”\. Without positions its output is the same/)
    const [none, sinusoidal, learned] = numbersIn(await sentenceOf(page))
    assert.equal(none, 0)
    assert.ok(sinusoidal > 0.001, `sinusoidal ${sinusoidal}`)
    assert.ok(learned > 0.001, `learned ${learned}`)
    const blind = (await tableOf(page, 'way-none')).slice(1, 17)
    for (const [, inA, inB] of blind) assert.equal(inA, inB)
    assert.ok(
      blind.some(([, inA]) => inA.length > 12),
      'every digit is shown',
    )
    const seen = (await tableOf(page, 'way-sinusoidal')).slice(1, 17)
    assert.ok(seen.every(([, inA, inB]) => inA !== inB))
    await assertCanvasesReadable(page)
    assert.deepEqual(problems, [])
  },
)

inBrowsers('the same in Chinese, with the words chosen by keyboard', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=order&pos=0', { locale: 'zh-CN' })
  await sentenceBecomes(page, /^“我”。没有位置时/)
  assert.equal(numbersIn(await sentenceOf(page))[0], 0)
  const words = page.locator('#lab .words-of-a input')
  assert.equal(await words.count(), 3)
  await words.first().focus()
  await page.keyboard.press('ArrowRight')
  await sentenceBecomes(page, /^“爱”。/)
  await page.keyboard.press('ArrowRight')
  await sentenceBecomes(page, /^“你”。/)
  assert.equal((await stateOf(page)).position, 2)
})

inBrowsers('a causal model sees order even without positions', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=order&pos=0')
  await page.locator('#lab .field-causal input').check()
  await sentenceBecomes(page, /^“dog”\. In a causal model/)
  const [none] = numbersIn(await sentenceOf(page))
  assert.ok(none > 0.001)
  // “bites” of “dog bites man” and “man bites dog” sees other words before it; a shared start does not.
  await page.locator('#lab .field-sentenceA input').fill('dog bites man')
  await page.locator('#lab .field-sentenceB input').fill('dog bites cat')
  await sentenceBecomes(page, /It sees the same words before it/)
  assert.equal(numbersIn(await sentenceOf(page))[0], 0)
})

inBrowsers('sentences can be edited; what cannot be used is refused', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=order&pos=1')
  const a = page.locator('#lab .field-sentenceA input')
  const b = page.locator('#lab .field-sentenceB input')
  await a.fill('the cat saw the dog')
  await b.fill('the dog saw the cat')
  await sentenceBecomes(page, /^“cat”\. Without positions its output is the same/)
  assert.equal(numbersIn(await sentenceOf(page))[0], 0)
  await b.fill('birds sing')
  await sentenceBecomes(page, /stands in one of the two sentences only/)
  await b.fill('?!')
  await page.locator('#lab .field-sentenceB .problem').waitFor()
  assert.match(
    await page.locator('#lab .field-sentenceB .problem').innerText(),
    /1 to 12 words of letters or digits and at most 80 characters/,
  )
  assert.equal((await stateOf(page)).sentenceB, 'birds sing')
  await b.fill('cat')
  await sentenceBecomes(page, /^“cat”\./)
})

inBrowsers('a table that is too short for the sentence fails it', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=order&tmax=2&len=4&pos=1')
  await sentenceBecomes(page, /has 2 rows, and seat 2 is past the last/)
  assert.match(
    await page.locator('#lab .way-learned .readout').innerText(),
    /^index 2 is out of bounds for axis 0 with size 2$/,
  )
  assert.match(await sentenceOf(page), /difference of 0\./)
})

inBrowsers('heads divide the width: typed, stepped and dragged', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=order')
  const field = page.locator('#lab .field-heads')
  await field.locator('.number').fill('3')
  await field.locator('.number').press('Enter')
  assert.match(await field.locator('.problem').innerText(), /1, 2, 4, 8/)
  assert.equal((await stateOf(page)).heads, 2)
  await field.locator('.number').fill('2')
  await field.locator('.number').press('ArrowUp')
  assert.equal((await stateOf(page)).heads, 4)
  await field.locator('[type=range]').fill('7')
  assert.equal((await stateOf(page)).heads, 4)
  assert.equal(await field.locator('[type=range]').inputValue(), '4')
})

inBrowsers('attention is no wider than the kernel’s: the field says so', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=order&d=510&heads=5')
  const state = await stateOf(page)
  assert.equal(state.dModel, 128)
  assert.equal(state.dModel % state.heads, 0)
  const field = page.locator('#lab .field-dModel')
  await field.locator('.number').fill('300')
  await field.locator('.number').press('Enter')
  assert.match(await field.locator('.problem').innerText(), /128/)
  assert.deepEqual(problems, [])
})

inBrowsers('each code in focus says whether it tells the orders apart', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=order&pos=0&mode=alibi')
  await sentenceBecomes(page, /again a difference of 0\. It cannot tell left from right/)
  for (const [, inA, inB] of (await tableOf(page, 'way-alibi')).slice(1, 17)) assert.equal(inA, inB)
  assert.deepEqual(await page.locator('#lab .way .name').allInnerTexts(), ['No positions', 'ALiBi'])

  const [, rope] = await differencesOf(page, 'rope', /RoPE turns it by its seat/)
  assert.ok(rope > 0.001)
  const [, t5] = await differencesOf(page, 't5', /one number for a word before it/)
  assert.ok(t5 > 0.001)
  const [both, causal] = await differencesOf(page, 'nope', /A causal mask is enough/)
  assert.equal(both, 0)
  assert.ok(causal > 0.001)
  assert.equal(await page.locator('#lab .field-causal').isVisible(), false)
  await assertCanvasesReadable(page)

  // Another order that is no mirror image: there ALiBi sees other distances.
  await page.locator('#lab .toggle input[value="alibi"]').check({ force: true })
  await page.locator('#lab .field-sentenceB input').fill('bites dog man')
  await page.locator('#lab .field-sentenceB input').blur()
  await sentenceBecomes(page, /With ALiBi’s penalty for distance it differs by/)
  assert.deepEqual(problems, [])
})

/**
 * @param {import('playwright-core').Page} page
 * @param {string} mode
 * @param {RegExp} pattern
 */
async function differencesOf(page, mode, pattern) {
  await page.locator(`#lab .toggle input[value="${mode}"]`).check({ force: true })
  await sentenceBecomes(page, pattern)
  return numbersIn(await sentenceOf(page))
}
