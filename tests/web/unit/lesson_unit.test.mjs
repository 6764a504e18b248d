// The numbers that the lesson states, beside the kernel's.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { kernel } from '../stage.mjs'
import { run, skip, state } from '../python.mjs'
import { EXAMPLES } from '../../../web/src/lesson/snippets.js'
import { initialState } from '../../../web/src/state/state.js'
import { splitWords, wordId } from '../../../web/src/state/words.js'

const lesson = (await readFile(new URL('../../../web/lesson.html', import.meta.url), 'utf8'))
  .replaceAll('&#8239;', ' ')
  .replace(/\s+/g, ' ')

/** How far rows have walked whose squared distances all shrink alike. */
const walked = (/** @type {number} */ before, /** @type {number} */ after) =>
  100 * (1 - Math.sqrt(after / before))

test('500 steps walk 39 % of the way; down the mean squared error it would be 6.1 %', async () => {
  const engine = await kernel()
  const { tMax, dModel, seed, scale, rate, steps } = initialState()
  const share = (/** @type {number} */ learningRate) => {
    const table = engine.createTable({ tMax, dModel, seed, scale })
    const start = table.trainTowardSinusoid({ steps: 0 }).meanSquaredError
    const end = table.trainTowardSinusoid({ steps, learningRate }).meanSquaredError
    table.dispose()
    return walked(start, end)
  }
  // A step of the kernel is rate / T_max of (P - target), the gradient of half the squared distance of
  // a row, averaged over T_max rows. That of the mean over rows and dimensions is 2 / (T_max d) of it.
  const own = share(rate)
  const error = share((rate * 2) / dModel)
  assert.ok(Math.abs(own - 100 * (1 - (1 - rate / tMax) ** steps)) < 1e-6)
  assert.ok(Math.abs(error - 100 * (1 - (1 - (2 * rate) / (tMax * dModel)) ** steps)) < 1e-6)
  assert.deepEqual([own.toFixed(0), error.toFixed(1)], ['39', '6.1'])
  assert.match(lesson, /500 steps walk only 39 % .* they would walk 6\.1 %/)
  assert.match(lesson, /500 步只走完 39% .*只走 6\.1%/)
})

test('without positions: 0 in the kernel, 2e-16 of rounding in NumPy', { skip }, async () => {
  const engine = await kernel()
  for (const lang of /** @type {const} */ (['en', 'zh'])) {
    const now = state({ scene: 'order', position: 0, lang })
    const { dModel, heads, seed } = now
    const [a, b] = EXAMPLES[lang].map((example) => splitWords(example))
    const [one, two] = [a, b].map((words) => {
      const tokens = Uint32Array.from(words, wordId)
      return engine.attention({ tokens, dModel, heads, seed, causal: false }).output.data
    })
    const seat = b.indexOf(a[0])
    assert.deepEqual(one.slice(0, dModel), two.slice(seat * dModel, (seat + 1) * dModel))
    // Its sums are made in another order, and another library may make them in a third.
    const [rounding] = run('order', now).numbers
    assert.ok(rounding < 1e-15, `${rounding}`)
  }
  assert.match(lesson, /0, or in NumPy about 2×10<sup>−16<\/sup> of rounding/)
  assert.match(lesson, /全是 0；NumPy 的舍入会留下约 2×10<sup>−16<\/sup>/)
})

test('a word from N(0, 1/d) is about 1 long, one from N(0, 1) about the root of d', async () => {
  const engine = await kernel()
  for (const dModel of [16, 128, 512]) {
    for (const [scale, expected] of [
      [1 / Math.sqrt(dModel), 1],
      [1, Math.sqrt(dModel)],
    ]) {
      const table = engine.createTable({ tMax: 400, dModel, seed: 1, scale })
      const { data } = table.values()
      let sum = 0
      for (let row = 0; row < 400; row += 1)
        sum += Math.hypot(...data.subarray(row * dModel, (row + 1) * dModel))
      // 1 - 1 / (4 d) of it, the mean of a chi distribution: 1.6 % below at d 16.
      assert.ok(Math.abs(sum / 400 / expected - 1) < 0.03, `d ${dModel}: ${sum / 400}`)
      table.dispose()
    }
  }
})

test('the slopes of ALiBi that figures name: head 1 of 2, head 3 of 8', async () => {
  const engine = await kernel()
  const { heads, biasHead } = initialState()
  // Press et al. 2022, section 3: 2^(-8h/n).
  assert.equal(heads, 2)
  assert.equal(engine.alibiSlopes({ heads })[0], 1 / 16)
  assert.equal(biasHead, 3)
  assert.equal(engine.alibiSlopes({ heads: 8 })[biasHead - 1], 1 / 8)
})
