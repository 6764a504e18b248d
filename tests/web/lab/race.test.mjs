// The length lab under trouble: whatever happens to workers and to the page, the curves are those of
// an unbroken run, to the last digit that is shown.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import { openLab, recordWorkers, sentenceBecomes, tableOf } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

/** Long enough that something can happen on the way. */
const RUN = 'scene=length&lt=seen&ls=seen&lc=learned.rope&ln=1&ll=8&lst=1500&lw=16&lh=2&lgo=full'

/** @param {Page} page */
async function curvesOf(page) {
  await sentenceBecomes(page, /^(Token 0 seen\?|Seen token 0\?).*trained up to/)
  return tableOf(page, 'length-curves')
}

/** A page that nobody sees: it says so, and has no animation frames. */
const hideLater = (/** @type {Page} */ page) =>
  page.addInitScript(() => {
    const { requestAnimationFrame: frame } = window
    let hidden = false
    Object.defineProperty(document, 'hidden', { get: () => hidden })
    Object.defineProperty(document, 'visibilityState', {
      get: () => (hidden ? 'hidden' : 'visible'),
    })
    window.requestAnimationFrame = (callback) => (hidden ? 0 : frame(callback))
    Object.assign(window, {
      /** @param {boolean} now */
      hide_(now) {
        hidden = now
        document.dispatchEvent(new Event('visibilitychange'))
      },
    })
  })

/** @param {Page} page @param {number} least step that some model has reached */
const underWay = (page, least) =>
  page.waitForFunction((from) => {
    const root = document.querySelector('#lab')?.shadowRoot
    const texts = [...(root?.querySelectorAll('.length-codes .status') ?? [])]
    return texts.some(({ textContent }) => Number(/step (\d+)/.exec(textContent ?? '')?.[1]) > from)
  }, least)

inBrowsers('a killed worker, a hidden page: the curves of an unbroken run', async ({ visit }) => {
  const whole = await curvesOf((await openLab(visit, RUN)).page)

  const { page } = await openLab(visit, RUN, { before: recordWorkers })
  await underWay(page, 100)
  const before = await page.evaluate(() => {
    const workers = /** @type {Worker[]} */ (/** @type {any} */ (window).workers_)
    // The first is the page's own engine; the others train.
    for (const worker of workers.slice(1)) worker.terminate()
    return workers.length
  })
  assert.ok(before > 1, 'no worker was training')
  assert.deepEqual(await curvesOf(page), whole)
  const after = await page.evaluate(() => /** @type {any} */ (window).workers_.length)
  assert.ok(after > before, 'nobody took the place of the killed workers')

  const unseen = await openLab(visit, RUN, { before: hideLater })
  await underWay(unseen.page, 100)
  await unseen.page.evaluate(() => /** @type {any} */ (window).hide_(true))
  await unseen.page.waitForTimeout(3000)
  await unseen.page.evaluate(() => /** @type {any} */ (window).hide_(false))
  assert.deepEqual(await curvesOf(unseen.page), whole)
})

inBrowsers(
  'a kernel slower than the race: it is drawn on the way all the same',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit, RUN.replace('lst=1500', 'lst=5000'), {
      // Longer than it takes until a race has news.
      before: (opened) =>
        opened.addInitScript(() => {
          const { postMessage: post } = Worker.prototype
          Worker.prototype.postMessage = function (/** @type {any[]} */ ...args) {
            const late = args[0]?.method === 'summarizeCurves' ? 400 : 0
            if (late) setTimeout(() => post.apply(this, /** @type {any} */ (args)), late)
            else post.apply(this, /** @type {any} */ (args))
          }
        }),
    })
    await underWay(page, 100)
    await page.locator('#lab .press-stop').click()
    assert.deepEqual(problems, [])
  },
)
