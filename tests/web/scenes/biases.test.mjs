// Biases: what ALiBi and T5 add, and how the softmax thins out with and without them.
import assert from 'node:assert/strict'
import { inBrowsers } from '../harness.mjs'
import {
  assertCanvasesReadable,
  kernel,
  openLab,
  sentenceBecomes,
  stateOf,
  tableOf,
  written,
} from '../stage.mjs'

/** @param {any} engine the contents that the figure draws by its seed */
function contents(engine) {
  const table = engine.createTable({ tMax: 512, dModel: 64, seed: 42, scale: 1 })
  const { data } = table.values()
  table.dispose()
  return data
}

/** Softmax of the last row of n, apart from the kernel. @param {ArrayLike<number>} scores */
function softmax(scores) {
  const powers = Array.from(scores, (score) => Math.exp(score))
  const sum = powers.reduce((all, one) => all + one, 0)
  return powers.map((power) => power / sum)
}

inBrowsers('biases: scores, bias and both softmaxes of the last query', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=biases&mode=alibi&blen=16')
  await sentenceBecomes(page, /^16 tokens, 2× the training length of 8/)
  const engine = await kernel()
  const data = contents(engine)
  const row = data.slice(15 * 64, 15 * 64 + 16)
  const bias = engine.alibiBias({ heads: 8, queries: 1, keys: 16 }).data.slice(32, 48)
  const plain = softmax(row)
  const biased = softmax(
    row.map((/** @type {number} */ score, /** @type {number} */ i) => score + bias[i]),
  )
  const rows = (await tableOf(page, 'maps')).slice(1)
  assert.deepEqual(
    rows.map((cells) => cells.slice(1)),
    Array.from(row, (_, i) =>
      [row[i], bias[i], plain[i], biased[i]].map((value) => written(value)),
    ),
  )
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^16 个词元，是训练长度 8 的 2 倍。/)
  assert.deepEqual(problems, [])
})

inBrowsers('biases: what is left near by at 1, 2, 4 and 8 times the length', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=biases&mode=alibi')
  const engine = await kernel()
  const data = contents(engine)
  for (const head of [1, 8]) {
    const field = page.locator('#lab .field-biasHead .number')
    await field.fill(String(head))
    await field.press('Enter')
    await sentenceBecomes(page, new RegExp(`head ${head} of 8, with slope 1/${2 ** head}`))
    const expected = [8, 16, 32, 64].map((n) =>
      [0, 2 ** -head].map((slope) => {
        let near = 0
        for (let content = 0; content < 8; content += 1) {
          const start = (content * 64 + n - 1) * 64
          const scores = Array.from(
            data.slice(start, start + n),
            (score, key) => /** @type {number} */ (score) - slope * (n - 1 - key),
          )
          near +=
            softmax(scores)
              .slice(-8)
              .reduce((all, one) => all + one, 0) / 8
        }
        return (100 * near).toFixed(0)
      }),
    )
    const rows = (await tableOf(page, 'thin')).slice(1)
    assert.deepEqual(
      rows.map((cells) => cells.slice(1)),
      expected,
    )
    // Without a bias the softmax thins out.
    assert.ok(Number(rows[3][1]) < Number(rows[0][1]) / 4)
  }
})

inBrowsers('biases: T5 buckets, and a query chosen by hand', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=biases&mode=t5&side=symmetric&blen=64&bquery=63')
  const engine = await kernel()
  const distances = Int32Array.from({ length: 33 }, (_, i) => -i)
  const far = engine
    .t5Buckets({ offsets: distances, numBuckets: 16, maxDistance: 32 })
    .findIndex((/** @type {number} */ bucket) => bucket === 7)
  await sentenceBecomes(
    page,
    new RegExp(`^64 tokens.*From distance ${far} on.*Symmetric, each side`),
  )
  const offsets = Int32Array.from({ length: 129 }, (_, i) => i - 64)
  const buckets = engine.t5Buckets({ offsets, numBuckets: 16, maxDistance: 32 })
  const rows = (await tableOf(page, 'lines')).slice(1)
  assert.deepEqual(
    rows.map((cells) => cells[1]),
    Array.from(buckets, String),
  )
  const picture = page.locator('#lab .maps .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  await page.mouse.click(box.x + 40, box.y + box.height / 2)
  await page.waitForFunction(() => {
    const { biasQuery } = /** @type {any} */ (document.querySelector('#lab')).state
    return biasQuery > 20 && biasQuery < 44
  })
  await page.locator('#lab .what input[value="16"]').check()
  // No key stands so far off.
  await sentenceBecomes(page, /^16 tokens(?!.*From distance)/)
  assert.equal((await stateOf(page)).biasQuery, 15)
  await page.locator('#lab .field-biasLength input[type=range]').press('ArrowRight')
  await sentenceBecomes(page, /^17 tokens/)
})
