// Inside the models of the length lab: what the page shows is what the kernel gives for the same run.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { planOf } from '../../../web/src/lab/run/plan.js'
import { initialState, withPatch } from '../../../web/src/state/state.js'
import { inBrowsers } from '../harness.mjs'
import { assertCanvasesReadable, kernel, openLab, stateOf, tableOf, written } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

const inside = '#lab .lab-inside'
/** One task, one seed, and so short a training that a test can repeat it. */
const SHORT = { lt: 'back', ls: 'back', ln: 1, lst: 60, ll: 8 }

/** @param {Record<string, string | number>} more of the link */
const linkTo = (more) =>
  new URLSearchParams(
    Object.entries({ scene: 'length', ...SHORT, ...more }).map(([key, value]) => [
      key,
      String(value),
    ]),
  ).toString()

/**
 * The same model, trained here.
 * @param {any} engine
 * @param {string} code
 * @param {Partial<import('../../../web/src/state/state.js').State>} [patch]
 */
function trainerOf(engine, code, patch = {}) {
  const state = withPatch(initialState(), { scene: 'length', labSteps: 60, labLength: 8, ...patch })
  const { options } = planOf(state, 'full')
  const trainer = engine.createTrainer({ ...options, task: 'back', code, seed: state.seed })
  trainer.train({ steps: 60 })
  return trainer
}

/** Waits for the numbers that stand when a model has finished. @param {Page} page */
const finished = (page) => page.locator(`${inside} .inside-after table`).waitFor()

/** @param {Page} page @returns {Promise<string[][]>} rows of the amounts after training */
const amounts = (page) =>
  page
    .locator(`${inside} .inside-after tbody tr`)
    .evaluateAll((rows) => rows.map((row) => [...row.children].map((one) => one.textContent ?? '')))

/** The accuracy up to a length: the mean over as many lengths as a quarter of the training's eight. */
function upTo(/** @type {any} */ { accuracies }, /** @type {number} */ length) {
  return (accuracies[length - 1] + accuracies[length - 2]) / 2
}

/** Whole percents agree; what is near to 100 or to 0 has more digits. */
function assertPercent(/** @type {string} */ text, /** @type {number} */ share) {
  const shown = parseFloat(text)
  assert.ok(Math.abs(shown - 100 * share) <= 0.55, `${text} for ${100 * share}`)
}

inBrowsers('before a run there is a sentence, and no empty figure', async ({ visit }) => {
  const { page, problems } = await openLab(visit, linkTo({ mode: 'rope' }))
  assert.match(await page.locator(`${inside} .status`).innerText(), /^Nothing is trained yet\./)
  assert.equal(await page.locator(`${inside} canvas`).locator('visible=true').count(), 0)
  assert.deepEqual(problems, [])
})

inBrowsers(
  'the learned table, its similarity and its gradients are the kernel’s',
  async (visitor) => {
    const more = { mode: 'learned', lc: 'learned', ltb: 'untrained', lgo: 'full' }
    const { page, problems } = await openLab(visitor.visit, linkTo(more))
    await finished(page)
    const trainer = trainerOf(await kernel(), 'learned', { labTable: 'untrained' })
    const { values, gradientRows, similarity } = trainer.table()
    assert.deepEqual(
      [...gradientRows],
      Array.from({ length: 32 }, (_, row) => (row < 8 ? 1 : 0)),
    )
    assert.equal(
      await page.locator(`${inside} .marks`).innerText(),
      'Rows 8 to 31 never had a gradient: still their random start.',
    )
    const rows = (await tableOf(page, 'inside-table')).slice(1)
    const [columns] = (await tableOf(page, 'inside-table')).map((cells) =>
      cells.slice(1).map(Number),
    )
    assert.ok(columns.includes(7) && columns.includes(8), 'the table shows where training ended')
    const width = values.shape[1]
    assert.equal(rows.length, width)
    rows.forEach(([, ...cells], dimension) => {
      cells.forEach((cell, i) => {
        assert.equal(cell, written(values.data[columns[i] * width + dimension]))
      })
    })
    const alike = (await tableOf(page, 'inside-similarity')).slice(1)
    assert.equal(alike.length, 32)
    alike.forEach(([, ...cells], row) => {
      cells.forEach((cell, i) => {
        assert.equal(cell, written(similarity.data[columns[i] * 32 + row]))
      })
    })

    // The file that NumPy reads ends with the same numbers. Drivers of Firefox report no downloads.
    if (visitor.browserName === 'chromium') {
      const table = page.locator(`${inside} .inside-table`)
      await table.locator('summary').click()
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        table.locator('[data-save="npy"]').click(),
      ])
      assert.equal(file.suggestedFilename(), 'posenc-length-inside-table.npy')
      const bytes = await readFile(await file.path())
      const numbers = new Float64Array(new Uint8Array(bytes.subarray(-8 * 32 * width)).buffer)
      assert.deepEqual([...numbers], [...values.data])
    }
    trainer.dispose()
    await assertCanvasesReadable(page)
    assert.deepEqual(problems, [])
  },
)

inBrowsers('a head is shown on an example inside and one past the training', async ({ visit }) => {
  const more = { mode: 't5', lc: 't5', lgo: 'full', lat: 20, lhd: 2, lxm: 5 }
  const { page, problems } = await openLab(visit, linkTo(more))
  await attended(page)
  const trainer = trainerOf(await kernel(), 't5')
  const rows = (await tableOf(page, 'inside-attention')).slice(1)
  assert.equal(rows.length, 8 + 20)
  const right = [8, 20].map((length, panel) => {
    const example = trainer.attention({ layer: 0, head: 2, example: 5, length })
    const own = rows.slice(panel === 0 ? 0 : 8, panel === 0 ? 8 : 28)
    let good = 0
    own.forEach(([query, tokens, token, wanted, said, key, weight], i) => {
      assert.deepEqual([query, tokens], [String(i), String(length)])
      assert.equal(token, 'abcdefgh'[example.tokens[i]])
      assert.equal(wanted, example.targets[i] < 0 ? '–' : 'abcdefgh'[example.targets[i]])
      if (example.targets[i] >= 0) {
        const hit = example.targets[i] === example.predictions[i]
        good += hit ? 1 : 0
        assert.equal(said, `${'abcdefgh'[example.predictions[i]]} ${hit ? '✓' : '✗'}`)
      }
      const seen = example.weights.slice(i * length, (i + 1) * length)
      assert.equal(seen[Number(key)], Math.max(...seen))
      assert.equal(weight, written(seen[Number(key)]))
    })
    return good
  })
  const summary = await page
    .locator(`${inside} .inside-attention .visually-hidden`)
    .first()
    .textContent()
  assert.ok(
    summary?.includes(`Length 8, as in training: ${right[0]} of 5 answers right`),
    summary ?? '',
  )
  assert.ok(summary?.includes(`Length 20, past it: ${right[1]} of 17 answers right`), summary ?? '')
  assert.match(
    await page.locator(`${inside} .inside-after`).innerText(),
    /Distances past the last bucket already share it/,
  )
  // By keyboard: another length, another head.
  await page.locator(`${inside} .attention .slider input`).press('ArrowRight')
  assert.equal((await stateOf(page)).labAt, 21)
  await page
    .locator(`${inside} .attention .choice-of:not([hidden]) input:checked`)
    .press('ArrowLeft')
  assert.equal((await stateOf(page)).labHead, 1)
  await page.waitForFunction(() =>
    /head 2 in layer 1/i.test(
      document.querySelector('#lab')?.shadowRoot?.querySelector('.inside-attention .name')
        ?.textContent ?? '',
    ),
  )
  trainer.dispose()
  assert.deepEqual(problems, [])
})

/** A code that nothing can be done to has no numbers; its attention has. @param {Page} page */
const attended = (page) =>
  page.waitForFunction(() => {
    const root = document.querySelector('#lab')?.shadowRoot
    const summary = root?.querySelector('.inside-attention .visually-hidden')?.textContent ?? ''
    return summary.includes('after step 60.')
  })

inBrowsers('RoPE is stretched after training, and the numbers move', async ({ visit }) => {
  const more = { mode: 'rope', lc: 'rope', lgo: 'full' }
  const { page, problems } = await openLab(visit, linkTo(more))
  await finished(page)
  const trainer = trainerOf(await kernel(), 'rope')
  const before = trainer.evaluate()
  const after = `${inside} .inside-after`
  assert.deepEqual(
    (await amounts(page)).map((cells) => cells.length),
    [2, 2, 2],
  )
  for (const [type, words] of [
    ['linear', /Position interpolation divides every position/],
    ['yarn', /YaRN stretches only pairs/],
    ['ntk', /Its alpha is no ratio of lengths/],
  ]) {
    await page.locator(`${after} .chips input[value="${type}"]`).check()
    await page.locator(`${after} table:not(.waiting)`).waitFor()
    assert.match(await page.locator(`${after} .what`).innerText(), /** @type {RegExp} */ (words))
    const curve = trainer.evaluate({ scaling: { type, factor: 4 } })
    const rows = await amounts(page)
    ;[8, 16, 32].forEach((length, i) => {
      assert.equal(rows[i][0], `${length - 1}–${length}`)
      assertPercent(rows[i][1], upTo(before, length))
      assertPercent(rows[i][2], upTo(curve, length))
    })
  }
  // Another base, by keyboard, from the one of the training on.
  await page.locator(`${after} .slider input`).press('ArrowRight')
  assert.equal((await stateOf(page)).labTestBase, 2)
  await page.locator(`${after} table:not(.waiting)`).waitFor()
  const curve = trainer.evaluate({ scaling: { type: 'ntk', factor: 4 }, ropeBase: 2 })
  const rows = await amounts(page)
  ;[8, 16, 32].forEach((length, i) => assertPercent(rows[i][2], upTo(curve, length)))
  trainer.dispose()
  assert.deepEqual(problems, [])
})

inBrowsers('a table of L rows is a wall, until it is extended', async ({ visit }) => {
  const more = { mode: 'learned', lc: 'learned', ltb: 'wall', lgo: 'full' }
  const { page, problems } = await openLab(visit, linkTo(more))
  await finished(page)
  assert.match(
    await page.locator(`${inside} .marks`).innerText(),
    /The table ends after row 7: a longer sequence finds no row/,
  )
  assert.deepEqual(
    (await amounts(page)).slice(1).map(([, cell]) => cell),
    ['no row', 'no row'],
  )
  const trainer = trainerOf(await kernel(), 'learned', { labTable: 'wall' })
  for (const extend of ['zeros', 'last', 'wrap', 'interpolate']) {
    await page.locator(`${inside} .chips input[value="${extend}"]`).check()
    await page.locator(`${inside} .inside-after table:not(.waiting)`).waitFor()
    const curve = trainer.evaluate({ extend })
    const rows = await amounts(page)
    ;[8, 16, 32].forEach((length, i) => assertPercent(rows[i][2], upTo(curve, length)))
  }
  trainer.dispose()
  assert.deepEqual(problems, [])
})
