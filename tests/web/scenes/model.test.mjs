// A real model: what is pasted, dropped or picked is shown with the kernel's numbers, and stays here.
import assert from 'node:assert/strict'
import { configText } from '../../../web/src/config/models.js'
import { readConfig } from '../../../web/src/config/read.js'
import { inBrowsers } from '../harness.mjs'
import {
  assertCanvasesReadable,
  kernel,
  openLab,
  sentenceBecomes,
  sentenceOf,
  stateOf,
  tableOf,
  written,
} from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

const YARN = {
  model_type: 'my_own',
  hidden_size: 512,
  num_attention_heads: 8,
  max_position_embeddings: 8192,
  rope_theta: 20000,
  rope_scaling: { type: 'yarn', factor: 4, original_max_position_embeddings: 2048, alpha: 1 },
}
const PASTED = JSON.stringify(YARN, null, 2)

/** @param {Page} page @returns {Promise<string[][]>} */
const fieldsOf = (page) =>
  page
    .locator('#lab .resolved tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
    )

/** @param {string} id of a public model */
function codeOf(id) {
  const reading = readConfig(configText(id))
  return reading.ok ? reading.code : ''
}

inBrowsers('RoBERTa: 514 rows serve 512 positions, and the wall', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=model&mode=learned&mlen=512&lang=en')
  await sentenceBecomes(page, /^RoBERTa-base: Learned\. 512 positions fit: positions 0 to 511/)
  const fields = await fieldsOf(page)
  assert.deepEqual(fields[3], ['rows of the table', '514', 'line 5: max_position_embeddings'])
  assert.deepEqual(fields.at(-1), ['positions', '512', '514 − 2'])
  assert.match(await page.locator('#lab .notes').innerText(), /514 rows, but only 512 positions/)
  await page.locator('#lab [data-times="2"]').click()
  await sentenceBecomes(page, /1,024 positions do not fit: 511 is the last position with a row/)
  assert.equal(await page.locator('#lab .sentence.failing').count(), 1)
  await assertCanvasesReadable(page)
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /1,024 个位置放不下：位置 511 是最后一个有行的/)
  assert.deepEqual(problems, [])
})

inBrowsers(
  'a pasted file: the kernel’s wavelengths, and a link that shows the same',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit, 'scene=model&mode=rope&lang=en&mlen=8192')
    const area = page.locator('#lab .chooser textarea')
    await area.fill(PASTED)
    await sentenceBecomes(page, /^my_own: RoPE\. 8,192 positions fit into the model’s 8,192/)
    const engine = await kernel()
    const { inverseFrequencies, attentionFactor } = engine.ropeFrequencies({
      headDim: 64,
      theta: 20000,
      scaling: YARN.rope_scaling,
      maxPositions: 8192,
      length: 8192,
    })
    const rows = (await tableOf(page, 'positions')).slice(1)
    assert.equal(rows.length, 32)
    for (const [i, row] of rows.entries()) {
      assert.equal(row[1], written(inverseFrequencies[i], 10))
      const wavelength = (2 * Math.PI) / inverseFrequencies[i]
      assert.equal(row[2], wavelength < 1e6 ? written(wavelength) : wavelength.toExponential(4))
    }
    const readout = await page.locator('#lab .positions .readout').innerText()
    assert.ok(readout.includes(`attention factor ${written(attentionFactor)}`), readout)
    assert.match(
      await page.locator('#lab .notes').innerText(),
      /Not read for the frequencies of “yarn”: alpha/,
    )
    const sentence = await sentenceOf(page)
    const { model } = await stateOf(page)
    assert.ok(model.length < 120 && !model.includes('alpha'))

    // What is wrong is said, and the last good picture stays.
    await area.fill('{\n  "model_type": "llama",\n  "hidden_size": None\n}')
    const problem = page.locator('#lab .chooser .problem')
    await problem.waitFor()
    assert.equal(
      await problem.innerText(),
      'Line 3 is not JSON: “None” cannot stand there. The picture still shows the last good file.',
    )
    assert.equal((await stateOf(page)).model, model)
    assert.equal(await sentenceOf(page), sentence)
    await area.fill(PASTED)
    await problem.waitFor({ state: 'hidden' })

    // The file survives another language; the link carries the fields alone.
    await page.locator('#language input[value=zh]').check()
    await sentenceBecomes(page, /^my_own：RoPE。/)
    assert.equal(await area.inputValue(), PASTED)
    await page.waitForFunction(() => location.hash.includes('model=rope'))
    const hash = await page.evaluate(() => location.hash)
    const other = await openLab(visit, `${hash.slice(1)}&lang=en`)
    await sentenceBecomes(other.page, /my_own.{1,2}RoPE/)
    assert.equal((await stateOf(other.page)).model, model)
    assert.equal(await other.page.locator('#lab .chooser textarea').inputValue(), '')
    assert.deepEqual((await tableOf(other.page, 'positions')).slice(1), rows)
    assert.deepEqual(problems, [])
  },
)

inBrowsers('public models by keyboard; a code brings its own example', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=model&mode=rope&lang=en')
  const choice = page.locator('#lab .chooser select')
  await choice.focus()
  await choice.selectOption('gptoss')
  await sentenceBecomes(page, /^gpt-oss-20b: RoPE/)
  assert.match(await page.locator('#lab .notes').innerText(), /see only 128 positions/)
  assert.match(
    await page.locator('#lab .origin').innerText(),
    /^huggingface\.co\/openai\/gpt-oss-20b/,
  )
  await choice.selectOption('bloom')
  await sentenceBecomes(page, /^BLOOM: ALiBi/)
  assert.equal((await stateOf(page)).mode, 'alibi')
  const engine = await kernel()
  const slopes = engine.alibiSlopes({ heads: 112 })
  const rows = (await tableOf(page, 'positions')).slice(1)
  assert.deepEqual(
    rows.map(([, slope]) => slope),
    Array.from(slopes, (slope) => written(slope, 8)),
  )
  await page.locator('#lab .toggle input[value=t5]').check()
  await sentenceBecomes(page, /^T5-base: T5 bias/)
  const buckets = (await tableOf(page, 'positions')).slice(1).map(([, bucket]) => Number(bucket))
  const offsets = buckets.map((_, distance) => -distance)
  assert.deepEqual(buckets, [...engine.t5Buckets({ offsets })])
  await page.locator('#lab .toggle input[value=sinusoidal]').check()
  await sentenceBecomes(page, /^OPUS-MT en-de: Sinusoidal/)
  await page.locator('#lab .toggle input[value=nope]').check()
  await sentenceBecomes(page, /^Jamba 1\.5 Mini: NoPE/)
  assert.match(await page.locator('#lab .notes').innerText(), /its Mamba layers supply order/)
  await assertCanvasesReadable(page)
})

inBrowsers('which angles training has shown, and with what scaling', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=model&mode=rope&lang=en&mlen=163840')
  const choice = page.locator('#lab .chooser select')
  await choice.selectOption('deepseek')
  await sentenceBecomes(
    page,
    /training went on, with this scaling, to 131,072 positions: no distance below 163,840 brings any of the 32 pairs/,
  )
  const readout = await page.locator('#lab .positions .readout').innerText()
  // transformers, DeepseekV3Attention: (0.1 ln 40 + 1)^2.
  assert.ok(readout.includes(`softmax scale × ${((0.1 * Math.log(40) + 1) ** 2).toFixed(4)}`))
  await choice.selectOption('llama2')
  const { turned } = (await kernel()).ropeCoverage({ headDim: 128, trainedLength: 4096 })
  await sentenceBecomes(
    page,
    new RegExp(`below 163,840, ${64 - turned} of 64 pairs come to angles`),
  )
  await choice.selectOption('mistral')
  await sentenceBecomes(page, /through a window of 4,096: no larger distance/)
  await choice.selectOption('gemma3')
  await sentenceBecomes(page, /^Gemma 3 12B/)
  assert.match(
    await page.locator('#lab .notes').innerText(),
    /Only in its global layers\. Linear .* every wavelength is 8 times/,
  )
  await page.locator('#language input[value=zh]').check()
  await page.locator('#lab .chooser select').selectOption('deepseek')
  await sentenceBecomes(page, /继续训练到 131,072 个位置：距离不到 163,840 时，32 对里没有一对/)
  assert.deepEqual(problems, [])
})

inBrowsers('a file that is picked or dropped', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=model&mode=rope&lang=en')
  const buffer = Buffer.from(PASTED)
  await page
    .locator('#lab .chooser input[type=file]')
    .setInputFiles({ name: 'config.json', mimeType: 'application/json', buffer })
  await sentenceBecomes(page, /^my_own: RoPE/)
  await page.locator('#lab .chooser').evaluate((chooser, text) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([text], 'config.json'))
    chooser.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  }, configText('mpt'))
  await sentenceBecomes(page, /^MPT-7B: ALiBi/)
  assert.equal(await page.locator('#lab .chooser select').inputValue(), 'mpt')
  await page
    .locator('#lab .chooser input[type=file]')
    .setInputFiles({ name: 'config.json', mimeType: 'application/json', buffer: Buffer.alloc(2e6) })
  const problem = page.locator('#lab .chooser .problem')
  await problem.waitFor()
  assert.match(await problem.innerText(), /at most 256 KB/)
  assert.deepEqual(problems, [])
})

inBrowsers('copied without a clipboard: the text is chosen for the reader', async ({ visit }) => {
  const { page } = await openLab(visit, `scene=model&lang=en&model=${codeOf('gptj')}`)
  await sentenceBecomes(page, /^GPT-J 6B: RoPE/)
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.locator('#lab [data-copy]').click()
  const byHand = page.locator('#lab .by-hand')
  await byHand.waitFor()
  const text = await byHand.inputValue()
  assert.match(text, /^field\tvalue\twhere from\nmodel_type\tgptj\tline 2: model_type\n/)
  const engine = await kernel()
  const { inverseFrequencies } = engine.ropeFrequencies({ headDim: 256, partialRotaryFactor: 0.25 })
  assert.ok(text.includes(`\n31\t${inverseFrequencies[31]}\t`))
  const chosen = await byHand.evaluate((area) => {
    const { selectionStart, selectionEnd } = /** @type {HTMLTextAreaElement} */ (area)
    return selectionEnd - selectionStart
  })
  assert.equal(chosen, text.length)
})

inBrowsers(
  'a link that nobody wrote is refused, one the kernel cannot compute is said',
  async ({ visit }) => {
    const forged = await openLab(
      visit,
      'scene=model&mode=rope&model=rope!hd.7~th.1~ty.default&lang=en',
    )
    await sentenceBecomes(forged.page, /^Llama 3\.1 8B/)
    const odd = 'rope~m.4096!hd.8~th.10000~ty.llama3~fa.8~op.4096~lo.4~hi.1'
    const { page, problems } = await openLab(visit, `scene=model&model=${odd}&lang=en`)
    await sentenceBecomes(page, /^Your model: RoPE/)
    assert.match(
      await page.locator('#lab .notes').innerText(),
      /cannot be computed \(high_freq_factor/,
    )
    assert.deepEqual(problems, [])
  },
)

inBrowsers('typing a file with another code leaves the reader where he is', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'scene=model&mode=rope&lang=en')
  const area = page.locator('#lab .chooser textarea')
  const tag = () =>
    page.evaluate(() => document.querySelector('#lab')?.shadowRoot?.activeElement?.tagName)
  await area.fill('{"model_type":"gpt2","n_positions":1024}')
  await sentenceBecomes(page, /^gpt2: Learned\./)
  assert.equal(await tag(), 'TEXTAREA')
  assert.ok((await page.locator('#lab .tabs').innerText()).includes('Training'))
  // A file that names no length is no obstacle to the next.
  await area.fill('{"model_type":"marian","d_model":512}')
  await sentenceBecomes(page, /^marian: Sinusoidal\./)
  const { taken, told } = await page.evaluate(() => {
    const lab = /** @type {any} */ (document.querySelector('#lab'))
    const accepted = lab.set('model', 'of my own')
    return { taken: accepted, told: lab.shadowRoot.querySelector('.stage > .problem').innerText }
  })
  assert.equal(taken, false)
  assert.match(told, /comes from a link or a config\.json/)
  await area.fill('{broken')
  await page.locator('#lab .chooser .problem').waitFor()
  await page.locator('#language input[value=zh]').check()
  await sentenceBecomes(page, /^marian：/)
  assert.equal(await area.inputValue(), '{broken')
  assert.match(await page.locator('#lab .chooser .problem').innerText(), /第 1 行/)
  assert.deepEqual(problems, [])
})
