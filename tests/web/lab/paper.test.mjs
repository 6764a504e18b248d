// Paper says, your run says: the panel under the curves of the length lab.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dist, inBrowsers } from '../harness.mjs'
import { openLab, stateOf } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

/** A short run of a task: two codes, three seeds. @param {string} task @param {string} [more] */
const short = (task, more = '') =>
  `scene=length&lt=${task}&ls=${task}&lc=rope.alibi.t5&ln=3&ll=8&lst=400&lgo=full${more}`

/** @param {Page} page @param {string} id */
const paper = (page, id) => page.locator(`#lab [data-paper=${id}]`)

/** Waits until a paper's verdict says something. @param {Page} page @param {string} id @param {RegExp} words */
const says = (page, id, words) =>
  paper(page, id).locator('.verdict').filter({ hasText: words }).waitFor({ timeout: 120000 })

/** @param {Page} page @param {string} id @returns {Promise<string[][]>} the names of both orders */
const orders = (page, id) =>
  paper(page, id)
    .locator('ol')
    .evaluateAll((lists) =>
      lists.map((list) =>
        [...list.querySelectorAll('li')].map(
          (item) => item.querySelector('span')?.textContent ?? '',
        ),
      ),
    )

test('nothing says any more that the lab is missing', async () => {
  const html = await readFile(join(dist, 'index.html'), 'utf8')
  const script = await readFile(join(dist, 'posenc-lab.js'), 'utf8')
  for (const text of [html, script]) {
    assert.doesNotMatch(text, /does not have it yet|这个版本还没有/)
  }
  assert.match(html, /scene="length"/)
})

inBrowsers(
  'the orders stand side by side, and another task is no comparison',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit, short('latest'))
    await says(page, 'alibi', /another task/i)
    await says(page, 'ranking', /“Latest non-blank”/)
    // All three are trained, and the pairs are counted.
    const ranks = paper(page, 'alibi').locator('ol').nth(1)
    await ranks.locator('li').nth(2).waitFor({ timeout: 120000 })
    const facts = paper(page, 'alibi').locator('.verdict + ul')
    await facts.filter({ hasText: /pairs as in the paper/ }).waitFor()
    const [theirs, ours] = await orders(page, 'alibi')
    assert.deepEqual(theirs, ['ALiBi', 'T5 bias', 'RoPE', 'Sinusoidal'])
    assert.deepEqual([...ours].sort(), ['ALiBi', 'RoPE', 'T5 bias'])
    assert.equal(await paper(page, 'alibi').getAttribute('data-verdict'), 'not')
    assert.match(await paper(page, 'alibi').innerText(), /Not in the run: Sinusoidal/)
    // What theory says of each code, in words.
    const theory = await page.locator('#lab .theory li').allInnerTexts()
    assert.equal(theory.length, 3)
    assert.ok(
      theory.every((text) => /(can|cannot|in part): \w/.test(text)),
      theory.join('\n'),
    )
    assert.deepEqual(problems, [])
  },
  { timeout: 240000 },
)

inBrowsers('the sources are named, and the papers’ quarrel is told', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=length')
  const text = await page.locator('#lab .lab-paper').innerText()
  for (const source of [
    /Press et al\. 2022, appendix, table 2/,
    /Kazemnejad et al\. 2023, figure 1/,
    /Ruoss et al\. 2023, abstract/,
    /Peng et al\. 2023/,
    /18\.40 against 22\.91 at 3512/,
    /twice the training length \(copy and reverse 20 to 40, arithmetic 8 to 16\)/,
    /NoPE\s+0\.69\s+T5 bias\s+0\.55\s+ALiBi\s+0\.50\s+RoPE\s+0\.33\s+Sinusoidal\s+0\.22/,
    /T5 on the doubled copy of one repeated token has 0\.41, 0\.73, 0\.53, all at 0\.99 inside/,
    /NoPE 0\.97 > T5 bias 0\.56 > ALiBi 0\.19/,
    /early-token curse/,
    /fine-tuned to 8k each/,
    /appendix B/,
  ]) {
    assert.match(text, source)
  }
  assert.match(text, /has not been run/)
})

inBrowsers('a paper’s task is set up by keyboard', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=length&lrd=1')
  await paper(page, 'ranking').locator('button').focus()
  await page.keyboard.press('Enter')
  await page.locator('#lab .theory h2').filter({ hasText: 'Sort' }).waitFor()
  const { labTasks, labShown, labLength, labUpTo, labRandomized, labCausal } = await stateOf(page)
  assert.deepEqual(
    [labTasks, labShown, labLength, labUpTo, labRandomized, labCausal],
    ['sort', 'sort', 20, true, false, true],
  )
})

for (const locale of ['en-GB', 'zh-CN']) {
  inBrowsers(`the panel fits a phone: ${locale}`, async ({ visit }) => {
    const viewport = { width: 360, height: 740 }
    const { page } = await openLab(visit, 'scene=length&theme=dark', { viewport, locale })
    const over = await page
      .locator('#lab .lab-paper')
      .evaluate((panel) =>
        [...panel.querySelectorAll('*')]
          .filter(
            (node) =>
              node.clientWidth > 0 &&
              !node.closest('.visually-hidden') &&
              node.getBoundingClientRect().right > panel.getBoundingClientRect().right + 1,
          )
          .map((node) => `${node.tagName} ${node.textContent}`),
      )
    assert.deepEqual(over, [])
    const chips = await page.locator('#lab .verdict strong').allInnerTexts()
    assert.deepEqual(
      [...new Set(chips)],
      [locale === 'zh-CN' ? '不可比' : 'Not comparable'],
      'before a run nothing is compared',
    )
  })
}
