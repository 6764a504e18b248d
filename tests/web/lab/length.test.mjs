// The length lab: a run in the page has the kernel's numbers; what is said of it is true of them; what a
// reader does meanwhile does not lose it.
import assert from 'node:assert/strict'
import { hostPage, inBrowsers, siteOrigin, steady } from '../harness.mjs'
import {
  assertCanvasesReadable,
  kernel,
  openLab,
  sentenceBecomes,
  sentenceOf,
  stateOf,
  tableOf,
} from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

const lab = '#lab'
/** Two codes, one seed, a task that both can learn in no time; the table ends at length 8. */
const FIELDS = { lt: 'seen', ls: 'seen', lc: 'learned.rope', ln: 1, ll: 8, lst: 200, lw: 16, lh: 2 }
/** @param {Record<string, string | number>} [other] */
const link = (other) =>
  Object.entries({ scene: 'length', ...FIELDS, ...other })
    .map((pair) => pair.join('='))
    .join('&')
const SMALL = link()
const RUNNING = link({ lgo: 'full' })
/** Of the curve of a finished model: lab/run/job.js. */
const SEQUENCES = 64
const OPTIONS = /** @type {const} */ ({
  task: 'seen',
  length: 8,
  steps: 200,
  dModel: 16,
  heads: 2,
  table: 'wall',
})

/**
 * A run ends when it does: how long that takes is not what these tests are about.
 * @param {Page} page
 */
async function runEnds(page) {
  await page
    .locator(`${lab} .sentence strong`, { hasText: /trained up to/ })
    .waitFor({ timeout: 80000 })
}

/** @param {Page} page @param {string} code */
async function row(page, code) {
  const cells = page.locator(`${lab} .length-codes [data-code=${code}] :is(.status, td)`)
  return cells.allInnerTexts()
}

inBrowsers('before a run it says what will happen, and how long', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=length')
  assert.match(await sentenceOf(page), /^Nothing is trained yet\./)
  const begin = await page.locator(`${lab} .length-begin`).innerText()
  assert.match(begin, /54 small Transformers \(3 tasks × 6 codes × 3 seeds\)/)
  assert.match(begin, /length 16 only.*up to 64.*about \d+ (s|min)/s)
  assert.match(begin, /Run it here\s+Quick look \(about/)
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^还没有训练。/)
  assert.deepEqual(problems, [])
})

inBrowsers('a run has the numbers of the kernel, and the wall is a wall', async ({ visit }) => {
  const { page, problems } = await openLab(visit, SMALL)
  await page.locator(`${lab} .press-begin`).click()
  assert.equal((await stateOf(page)).labRun, 'full')
  await runEnds(page)
  const table = (await tableOf(page, 'length-curves')).slice(1)
  assert.equal(table.length, 32)
  const engine = await kernel()
  const holds = []
  for (const [i, code] of /** @type {const} */ (['learned', 'rope']).entries()) {
    const trainer = engine.createTrainer({ ...OPTIONS, code, seed: 42 })
    trainer.train({ steps: 200 })
    const curve = trainer.evaluate({ sequences: SEQUENCES })
    const { accuracies, wall } = curve
    trainer.dispose()
    holds.push(engine.summarizeCurves({ task: 'seen', length: 8, curves: [curve] }).holds)
    assert.equal(wall, code === 'learned' ? 9 : 0)
    const shown = table.map((cells) => cells[i + 1].replace(/\s/g, ' '))
    assert.deepEqual(
      shown,
      Array.from(accuracies, (value) =>
        Number.isNaN(value) ? '–' : `${(100 * value).toFixed(1)} %`,
      ),
    )
  }
  assert.deepEqual((await row(page, 'learned')).slice(0, 1), ['ends before 9'])
  assert.equal((await row(page, 'learned'))[2], 'no row')
  // Both are trained; the table cannot hold beyond its wall.
  assert.deepEqual([holds[0], holds[1] > 8], [8, true])
  const sentence = `Stays above 95 % up to: Learned 8, RoPE ${holds[1]}.`
  assert.ok((await sentenceOf(page)).includes(sentence), await sentenceOf(page))
  assert.match(await sentenceOf(page), /no row for length 9: its line ends/)
  await assertCanvasesReadable(page)
  assert.deepEqual(problems, [])
})

inBrowsers('what has not learned its task is called untrained', async ({ visit }) => {
  const { page } = await openLab(
    visit,
    link({ lt: 'back', ls: 'back', lc: 'nope', lst: 20, lgo: 'full' }),
  )
  await runEnds(page)
  await sentenceBecomes(page, /^Token 3 back.*trained up to 8\. Not learned even inside 8: NoPE/)
  assert.equal((await row(page, 'nope'))[0], 'untrained')
  assert.match(
    (await page.locator(`${lab} .length-codes [data-code=nope]`).getAttribute('class')) ?? '',
    /untrained/,
  )
})

inBrowsers('another language, another scene: the run goes on', async ({ visit }) => {
  // More than the fastest machine does meanwhile.
  const long = link({ lst: 20000, lw: 128, ln: 10, lgo: 'full' })
  const { page, problems } = await openLab(visit, long)
  const steps = async () => {
    const text = (await page.locator(`${lab} .length-codes .status`).allInnerTexts()).join(' ')
    return Math.max(...[...text.matchAll(/\d+/g)].map(Number).filter((one) => one !== 20000), 0)
  }
  const later = async (/** @type {number} */ than) => {
    while ((await steps()) <= than) await page.waitForTimeout(50)
    return steps()
  }
  const first = await later(200)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /模型/)
  const second = await later(first)
  await page.locator(`${lab} .tabs input[value=compare]`).check()
  await page.locator(`${lab} .scene-compare`).waitFor()
  await page.locator(`${lab} .tabs input[value=length]`).check()
  await page.locator(`${lab} .scene-length`).waitFor()
  const third = await later(second)
  // The large button pauses.
  const run = page.locator(`${lab} .press-run`)
  await run.click()
  await page.waitForFunction(
    () =>
      !document
        .querySelector('#lab')
        ?.shadowRoot?.querySelector('.press-run')
        ?.classList.contains('running'),
  )
  const paused = await steady(steps)
  assert.ok(paused >= third)
  await run.click()
  await later(paused)
  await page.locator(`${lab} .press-stop`).click()
  await page.locator(`${lab} .press-stop`).waitFor({ state: 'hidden' })
  assert.deepEqual(problems, [])
})

inBrowsers('curves of other settings say so; a link with a run starts it', async ({ visit }) => {
  const { page } = await openLab(visit, RUNNING)
  await runEnds(page)
  const stale = page.locator(`${lab} .length-stale`)
  assert.equal(await stale.isVisible(), false)
  await page.locator(`${lab} .field-labWidth input[value="32"]`).check()
  await stale.waitFor()
  assert.equal(await page.locator(`${lab} .press-run`).innerText(), 'Run with these settings')
  await page.locator(`${lab} .field-labWidth input[value="16"]`).check()
  await stale.waitFor({ state: 'hidden' })
  // Another link in the same page.
  await page.evaluate(
    (hash) => (location.hash = hash),
    `v=0&${link({ lc: 'rope', seed: 7, lgo: 'full' })}`,
  )
  await runEnds(page)
  const [head] = await tableOf(page, 'length-curves')
  assert.deepEqual(head.slice(1), ['RoPE'])
})

inBrowsers('a length is read by keyboard and by pointer', async ({ visit }) => {
  const { page } = await openLab(visit, RUNNING)
  await runEnds(page)
  const slider = page.locator(`${lab} .length-cursor input`)
  await slider.focus()
  await slider.press('ArrowRight')
  assert.equal(await slider.getAttribute('aria-valuetext'), 'length 9')
  const table = (await tableOf(page, 'length-curves')).slice(1)
  const rope = await row(page, 'rope')
  assert.equal(Number.parseInt(rope[3], 10), Math.round(Number.parseFloat(table[8][2])))
  assert.equal((await row(page, 'learned'))[3], 'no row')
  const picture = page.locator(`${lab} .length-curves .picture`)
  const box = await picture.boundingBox()
  assert.ok(box)
  await page.mouse.move(box.x + 48, box.y + box.height / 2)
  await page.waitForFunction(
    () =>
      document
        .querySelector('#lab')
        ?.shadowRoot?.querySelector('.length-cursor input')
        ?.getAttribute('aria-valuetext') === 'length 1',
  )
})

inBrowsers('settings have bounds and say them; the last task stays', async ({ visit }) => {
  const { page } = await openLab(visit, SMALL)
  const field = page.locator(`${lab} .field-labLength .number`)
  await field.fill('3')
  await field.press('Enter')
  assert.match(
    await page.locator(`${lab} .field-labLength .problem`).innerText(),
    /“3” was not taken.*from 4 to 64/,
  )
  const tasks = page.locator(`${lab} .field-labTasks`)
  await tasks.locator('input[value=seen]').click()
  assert.equal(await tasks.locator('input[value=seen]').isChecked(), true)
  assert.match(await tasks.locator('.problem').innerText(), /at least one/)
  await tasks.locator('input[value=back]').check()
  assert.equal((await stateOf(page)).labTasks, 'back.seen')
  // What no chosen task or code knows is not asked for.
  assert.equal(await page.locator(`${lab} .field-labShift`).isVisible(), true)
  assert.equal(await page.locator(`${lab} .field-labBuckets`).isVisible(), false)
})

inBrowsers('it says on which lengths it trains', async ({ visit }) => {
  const { page } = await openLab(visit, SMALL)
  await sentenceBecomes(page, /learns on length 8 only\./)
  await page.locator(`${lab} .field-labUpTo input`).check()
  await sentenceBecomes(page, /learns on lengths up to 8\./)
  assert.match(await page.locator(`${lab} .length-begin`).innerText(), /on lengths up to 8, and/)
})

inBrowsers('what takes more than 256 MB is refused, and by how much', async ({ visit }) => {
  const large = { lt: 'copy', ls: 'copy', ll: 64, lr: 8, lla: 4, lw: 128, lb: 128, lca: 0 }
  const { page, problems } = await openLab(visit, link({ ...large, lgo: 'full' }))
  const failure = page.locator(`${lab} .length-place ~ .problem`)
  // The models fail one after the other.
  await failure.filter({ hasText: 'Learned, RoPE' }).waitFor({ timeout: 60000 })
  const [, most] =
    /^Not trained: Learned, RoPE\. [A-Z][\w ]+: “\d+” was not taken\. It must be at most (\d+), so that memory stays under 256 MB\.$/.exec(
      await failure.innerText(),
    ) ?? []
  assert.ok(Number(most) > 0, await failure.innerText())
  await sentenceBecomes(page, /^Nothing is trained yet\./)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^还没有训练。/)
  assert.match(
    await failure.innerText(),
    /^可学习、RoPE 没有训练。训练长度 L：没有采用“\d+”。要求：不超过 \d+，使内存在 256 MB 以内。$/,
  )
  assert.deepEqual(problems, [])
})

inBrowsers('the focus stays at the buttons of the run', async ({ visit }) => {
  const { page } = await openLab(visit, link({ lst: 20000, lw: 128 }))
  const focused = () =>
    page.evaluate(() => document.querySelector('#lab')?.shadowRoot?.activeElement?.className)
  await page.locator(`${lab} .press-begin`).press('Enter')
  await page.locator(`${lab} .press-stop`).waitFor()
  assert.match((await focused()) ?? '', /press-run/)
  await page.locator(`${lab} .press-stop`).press('Enter')
  await page.locator(`${lab} .press-stop`).waitFor({ state: 'hidden' })
  assert.match((await focused()) ?? '', /press-run/)
})

inBrowsers(
  'what is on the page trains without a network',
  async ({ visit }) => {
    const { page } = await openLab(visit, SMALL)
    await page.context().setOffline(true)
    await page.locator(`${lab} .press-begin`).click()
    await runEnds(page)
    assert.equal(await page.locator(`${lab} .length-place ~ .problem`).isVisible(), false)
  },
  { timeout: 120000 },
)

/**
 * What a button hands to the browser as a file: drivers of Firefox report no downloads.
 * @param {Page} page
 * @param {string} kind
 * @returns {Promise<string>}
 */
const saved = (page, kind) =>
  page.evaluate(async (wanted) => {
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
    const button = root?.querySelector(`[data-keep=${wanted}]`)
    if (button instanceof HTMLElement) button.click()
    return text
  }, kind)

/** @param {string} text @returns a file as an input takes it */
const file = (text) => ({
  name: 'run.json',
  mimeType: 'application/json',
  buffer: Buffer.from(text),
})

inBrowsers(
  'a run is saved and loaded again; a damaged file is refused',
  async ({ visit }) => {
    const { page } = await openLab(visit, RUNNING)
    await runEnds(page)
    const before = await tableOf(page, 'length-curves')
    const text = await saved(page, 'run')
    const fresh = await openLab(visit, 'scene=length')
    const input = fresh.page.locator(`${lab} .length-keep input[type=file]`)
    const damaged = text.replace(/"step":\s*200/, '"step":199')
    assert.notEqual(damaged, text)
    await input.setInputFiles(file(damaged))
    const problem = fresh.page.locator(`${lab} .length-keep .problem`)
    await problem.waitFor()
    assert.match(await problem.innerText(), /^This run is damaged/)
    assert.match(await sentenceOf(fresh.page), /^Nothing is trained yet/)
    await input.setInputFiles(file(text))
    // It has another task than the one that was looked at.
    await runEnds(fresh.page)
    assert.equal((await stateOf(fresh.page)).labShown, 'seen')
    assert.equal(await problem.isVisible(), false)
    assert.deepEqual(await tableOf(fresh.page, 'length-curves'), before)
    const { runs } = JSON.parse(await saved(fresh.page, 'json'))
    assert.deepEqual(
      runs.map((/** @type {any} */ one) => one.code),
      ['learned', 'rope'],
    )
    const [head, ...rows] = (await saved(fresh.page, 'csv')).trim().split('\r\n')
    assert.match(head, /^\ufeff?task,code,seed,step,final,untrained,length,accuracy/)
    assert.deepEqual(
      rows.map((line) => line.split(',')).map((cells) => [cells[1], Number(cells[7])]),
      runs.flatMap((/** @type {any} */ { code, curve }) =>
        curve.accuracies.map((/** @type {number | null} */ value) => [code, value ?? NaN]),
      ),
    )
  },
  { timeout: 240000 },
)

inBrowsers(
  'a frame that may not save offers the curves as text',
  async ({ visit }) => {
    const address = `${await siteOrigin()}/posenc-lab.html#${RUNNING}`
    const { page } = await visit(
      await hostPage(
        `<iframe sandbox="allow-scripts" src="${address}" width="1000" height="900"></iframe>`,
      ),
    )
    const keep = page.frameLocator('iframe').locator('.length-keep')
    await keep.locator('[data-keep=csv]:enabled').click({ timeout: 80000 })
    await keep.locator('textarea').waitFor()
    assert.match(await keep.locator('textarea').inputValue(), /^\ufeff?task,code,seed/)
    assert.match(await keep.locator('[role=alert]').innerText(), /may not save/)
  },
  { timeout: 120000 },
)

inBrowsers('at 360 px nothing runs out of the page', async ({ visit }) => {
  const { page } = await openLab(visit, RUNNING, {
    viewport: { width: 360, height: 740 },
  })
  await runEnds(page)
  assert.ok(
    (await page.evaluate(() => document.documentElement.scrollWidth)) <= 360,
    'no sideways scrolling',
  )
  const stage = await page.locator(`${lab} .stage`).boundingBox()
  const cards = await page.locator(`${lab} .scene-length .card`).all()
  for (const card of cards) {
    const box = await card.boundingBox()
    assert.ok(!box || (stage && box.x + box.width <= stage.x + stage.width), 'a card is cut')
  }
})
