// A model that the kernel calls trained is drawn as one: card, curve, sentence and status.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import { kernel, openLab, sentenceBecomes, sentenceOf, tableOf } from '../stage.mjs'

/** As the page asks: lab/run/job.js. */
const SEQUENCES = 64

/** @param {import('playwright-core').Page} page @returns {Promise<string>} the curve as an SVG file */
const picture = (page) =>
  page.evaluate(async () => {
    const make = URL.createObjectURL
    /** @type {Promise<string>} */
    const text = new Promise((resolve) => {
      URL.createObjectURL = (blob) => {
        URL.createObjectURL = make
        resolve(/** @type {Blob} */ (blob).text())
        return make(blob)
      }
    })
    const root = document.querySelector('#lab')?.shadowRoot
    const button = root?.querySelector('.length-curves [data-save=svg]')
    if (button instanceof HTMLElement) button.click()
    return text
  })

const engine = await kernel()
/** The same model, trained here once. */
const trained = () => {
  const options = { length: 16, layers: 2, steps: 1500, learningRate: 0.005 }
  const trainer = engine.createTrainer({ task: 'copy', code: 'learned', ...options })
  trainer.train({ steps: 1500 })
  const curve = trainer.evaluate({ sequences: SEQUENCES })
  trainer.dispose()
  return curve
}

inBrowsers(
  'copy, trained on one length alone',
  async ({ visit }) => {
    // It knows L and nothing else: the page once took the mean over (3L/4, L], had 0.38 and drew it
    // hollow. The table has all its rows, so that its status is not that of the wall.
    const link =
      'scene=length&lt=copy&ls=copy&lc=learned&ln=1&ll=16&lla=2&lst=1500&lrt=0.005' +
      '&ltb=untrained&lgo=full'
    const { page, problems } = await openLab(visit, link)
    await page
      .locator('#lab .sentence strong', { hasText: /trained up to 16/ })
      .waitFor({ timeout: 300000 })
    const curve = trained()
    assert.ok(curve.trained && curve.inside > 0.99, `${curve.inside}`)
    const table = await tableOf(page, 'length-curves')
    assert.equal(table[16][1].replace(/\s/g, ' '), `${(100 * curve.inside).toFixed(1)} %`)
    const own = page.locator('#lab .length-codes [data-code=learned]')
    assert.equal(await own.locator('.status').innerText(), 'trained')
    const near = await own.locator('td').first().innerText()
    assert.equal(parseFloat(near), Math.round(100 * curve.inside))
    assert.doesNotMatch((await own.getAttribute('class')) ?? '', /untrained/)
    const heads = await page.locator('#lab .length-codes thead th:visible').allInnerTexts()
    assert.deepEqual(heads, ['16', '64'], 'a length with sequences of its own stands for itself')
    const { holds } = engine.summarizeCurves({ task: 'copy', length: 16, curves: [curve] })
    const sentence = await sentenceOf(page)
    assert.ok(sentence.includes(`Stays above 95 % up to: Learned ${holds}.`), sentence)
    assert.doesNotMatch(sentence, /Not learned/)
    // The words at the end of the line.
    const svg = await picture(page)
    assert.match(svg, />Learned \d+/)
    assert.doesNotMatch(svg, /untrained/)
    await page.locator('#language input[value=zh]').check()
    await sentenceBecomes(page, /准确率保持在 95% 以上，一直到：/)
    assert.deepEqual(problems, [])
  },
  { timeout: 600000 },
)
