// Compare: a table whose cells lead to the figures.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import { openLab, sentenceBecomes, stateOf } from '../stage.mjs'

inBrowsers('compare: six rows; a button leads to what it says', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=compare&mode=t5')
  await sentenceBecomes(page, /^T5 bias learns a number/)
  const rows = page.locator('#lab .family tbody tr')
  assert.equal(await rows.count(), 6)
  const all = await page.locator('#lab .family').innerText()
  for (const name of [
    ...['BERT', 'GPT-2', 'RoBERTa', 'BART', 'T5', 'BLOOM', 'MPT'],
    ...['LLaMA', 'Qwen', 'Mistral', 'DeepSeek', 'gpt-oss'],
  ]) {
    assert.ok(all.includes(name), name)
  }
  await page.locator('#lab [data-mode=alibi] .far button').nth(2).press('Enter')
  await sentenceBecomes(page, /^64 tokens, 8×/)
  assert.equal((await stateOf(page)).mode, 'alibi')
  await page.locator('#lab .tabs input[value=compare]').check()
  await sentenceBecomes(page, /^ALiBi needs no parameters/)
  await page.locator('#lab [data-mode=learned] .far button').first().click()
  await sentenceBecomes(page, /100/)
  const { scene, position, tMax } = await stateOf(page)
  assert.deepEqual([scene, position, tMax], ['beyond', 100, 50])
  assert.deepEqual(problems, [])
})

inBrowsers('compare: cards on a phone, in Chinese', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=compare&mode=nope&lang=zh', {
    viewport: { width: 360, height: 740 },
  })
  await sentenceBecomes(page, /^NoPE 什么也不加/)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  assert.equal(wide, false)
  // Firefox gives the rule itself, not the words it stands for.
  const [label, content] = await page
    .locator('#lab [data-mode=rope] td')
    .first()
    .evaluate((cell) => [
      cell.getAttribute('data-label'),
      getComputedStyle(cell, '::before').content,
    ])
  assert.equal(label, '用在哪里')
  assert.notEqual(content, 'none')
})
