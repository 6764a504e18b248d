// The programs beside the figures of the lesson print the kernel's numbers. Runs where NumPy is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsOf } from '../../../web/build/words.mjs'
import { EXAMPLES, SNIPPETS } from '../../../web/src/lesson/snippets.js'
import { MODES } from '../../../web/src/state/fields.js'
import { matchWords, splitWords, wordId } from '../../../web/src/state/words.js'
import { kernel } from '../stage.mjs'
import { FLOAT32, assertClose, codeOf, run, skip, state, tableOf } from '../python.mjs'

test('waves: the row and the wavelengths', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    {},
    { position: 10, dModel: 15, base: 500 },
    { position: 2047, dModel: 7 },
  ]) {
    const now = state(patch)
    const { numbers } = run('waves', now)
    assertClose(numbers.slice(0, now.dModel), codeOf(engine, now), FLOAT32)
    // One radian a seat for the first pair.
    assert.ok(Math.abs(numbers[now.dModel] - 2 * Math.PI) < 1e-12)
    assert.equal(numbers.length, now.dModel + Math.ceil(now.dModel / 2))
  }
})

test('training: the NumPy example and another table', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    { position: 10 },
    { tMax: 8, dModel: 5, steps: 30, rate: 0.5, seed: 7, position: 3 },
  ]) {
    const now = state(patch)
    const table = tableOf(engine, now)
    const { meanSquaredError } = table.trainTowardSinusoid({ steps: 0 })
    const { numbers } = run('training', now)
    assertClose(numbers.slice(0, 1), [meanSquaredError], 1e-12)
    assert.equal(numbers[1], now.position)
    assertClose(numbers.slice(2), table.lookup(now.position), 1e-12)
    table.dispose()
  }
})

test('past T_max: the same error, and the same rows for every behaviour', { skip }, async () => {
  const engine = await kernel()
  const table = tableOf(engine, state({}))
  const larger = tableOf(engine, state({ grown: 50 }))
  /** @type {[string, ArrayLike<number>][]} */
  const answers = [
    ['clamp', table.lookup(60, { behaviour: 'clamp' })],
    ['wrap', table.lookup(60, { behaviour: 'wrap' })],
    ['zeros', table.lookup(60, { behaviour: 'zeros' })],
    ['nan', table.lookup(60, { behaviour: 'nan' })],
    ['untrained', larger.lookup(60)],
  ]
  for (const [behaviour, row] of answers) {
    const now = state({ behaviour })
    const { numbers } = run('beyond', now)
    assertClose(numbers.slice(0, 16), codeOf(engine, now), FLOAT32)
    assertClose(numbers.slice(16), row, 1e-12)
  }
  const { output } = run('beyond', state({}))
  assert.match(output, /IndexError: index 60 is out of bounds for axis 0 with size 50/)
  const grown = run('beyond', state({ grown: 50 }))
  assertClose(grown.numbers.slice(16), larger.lookup(60), 1e-12)
  table.dispose()
  larger.dispose()
})

test('word order: the difference of a word between two orders', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    { position: 0 },
    { lang: 'zh', position: 2, heads: 4, seed: 3 },
    {
      sentenceA: 'the cat saw the dog',
      sentenceB: 'the dog saw the cat',
      position: 1,
      causal: true,
    },
    { sentenceA: 'one two', sentenceB: 'three two', position: 0, dModel: 12 },
  ]) {
    const now = state(patch)
    const [a, b] = EXAMPLES[now.lang === 'zh' ? 'zh' : 'en'].map((example, i) =>
      splitWords((i === 0 ? now.sentenceA : now.sentenceB) || example),
    )
    const { dModel, heads, seed, causal, base } = now
    const partner = matchWords(a, b)[now.position]
    const codes = engine.sinusoidal({ length: Math.max(a.length, b.length), dModel, base })
    /** @type {number[]} */
    const expected = []
    for (const code of [undefined, codes]) {
      const outputs = [a, b].map((words) => {
        const rows = code && {
          data: code.data.slice(0, words.length * dModel),
          shape: [words.length, dModel],
        }
        const tokens = Uint32Array.from(words, wordId)
        return engine.attention({ tokens, dModel, heads, seed, causal, codes: rows }).output.data
      })
      const one = outputs[0].subarray(now.position * dModel, (now.position + 1) * dModel)
      if (partner === undefined) expected.push(...one)
      else {
        const other = outputs[1].subarray(partner * dModel, (partner + 1) * dModel)
        expected.push(Math.max(...Array.from(one, (value, i) => Math.abs(value - other[i]))))
      }
    }
    const { numbers } = run('order', now)
    assertClose(numbers, expected, 1e-6)
  }
})

test('similarity: product and cosine', { skip }, async () => {
  const engine = await kernel()
  // science.md: PE[10] . PE[13] of the NumPy example.
  assertClose(run('similarity', state({ position: 10 })).numbers.slice(0, 1), [5.5431], 5e-5)
  const now = state({ position: 30, offset: 5, dModel: 12 })
  const [product] = engine.offsetProfile({ dModel: 12, position: 30, offsets: [5] })
  assertClose(run('similarity', now).numbers, [product, product / 6], 1e-9)
})

test('into the model: the lengths of word, code and sum', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    { mode: 'sinusoidal', position: 10 },
    { mode: 'sinusoidal', position: 3, dModel: 512, seed: 1 },
    { mode: 'learned', position: 10 },
  ]) {
    const now = state(patch)
    const { dModel, seed, mode, position } = now
    const words = engine.createTable({ tMax: 1, dModel, seed, scale: 1 / Math.sqrt(dModel) })
    const word = words.values().data
    const table = tableOf(engine, now)
    const code = mode === 'learned' ? table.lookup(position) : codeOf(engine, now)
    const length = (/** @type {ArrayLike<number>} */ row) => Math.hypot(...Array.from(row))
    const expected = [1, Math.sqrt(dModel)].flatMap((factor) => {
      const scaled = Array.from(word, (value) => /** @type {number} */ (value) * factor)
      return [length(scaled), length(code), length(scaled.map((value, i) => value + code[i]))]
    })
    assertClose(run('sum', now).numbers, expected, 1e-5)
    words.dispose()
    table.dispose()
  }
})

test('cost: BERT-base', { skip }, () => {
  const { numbers } = run('cost', state({ costRows: 512, costWidth: 768, costModel: 110 }))
  assert.deepEqual(numbers.slice(0, 2), [393216, 1572864])
  assert.equal(numbers[2].toFixed(2), '0.36')
})

test('without words of the reader the program takes those of the figure', async () => {
  for (const language of /** @type {const} */ (['en', 'zh'])) {
    const text = await wordsOf(language)
    assert.deepEqual(EXAMPLES[language], [text['order.exampleA'], text['order.exampleB']])
  }
})

test('a program asks for nothing but NumPy, whatever the state', () => {
  for (const [scene, write] of Object.entries(SNIPPETS)) {
    for (const mode of MODES) {
      const text = write(state({ scene, mode }))
      assert.doesNotMatch(text, /undefined|NaN\b|\[object/)
    }
    for (const behaviour of ['raise', 'assert', 'clamp', 'nan', 'zeros', 'wrap', 'untrained']) {
      const text = write(state({ scene, behaviour, sentenceA: '"; import os # ＂' }))
      const imports = text.match(/^\s*(import|from) .*$/gm) ?? []
      assert.ok(imports.every((line) => line === 'import numpy as np'))
      assert.doesNotMatch(text, /undefined|NaN\b|\[object/)
    }
  }
})
