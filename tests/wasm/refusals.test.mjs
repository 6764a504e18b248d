// What is refused reaches a reader in his language: every kind of rule, and what every function of
// the kernel refuses, is worded in Chinese and in English from its data.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { build } from 'esbuild'
import { wasmFiles } from '../../web/build/emscripten.mjs'
import { filesBelow } from '../../web/build/common.mjs'
import { wordsPlugin } from '../../web/build/words.mjs'
import { unwrap } from '../../web/src/engine/core.js'
import { inEnglish } from '../../web/src/engine/rules.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The words of the page, which stand in JSON and need a bundler. */
const { outputFiles } = await build({
  stdin: {
    contents: `export * from './web/src/kit/refusals.js'
      export { translator } from './web/src/text/text.js'
      export { failureText, refusedText } from './web/src/lab/words.js'`,
    resolveDir: root,
  },
  bundle: true,
  plugins: [wordsPlugin],
  // As Node reads lit-html: there is no document.
  platform: 'node',
  write: false,
  format: 'esm',
})
const source = Buffer.from(outputFiles[0].contents).toString('base64')
const words = await import(`data:text/javascript;base64,${source}`)
const languages = /** @type {const} */ (['zh', 'en'])

/** One of every kind and of every form that its bounds can have. @type {any[]} */
const samples = [
  { type: 'integer' },
  { type: 'integer', min: 1, max: 65536 },
  { type: 'integer', min: 0, max: 4294967295 },
  { type: 'integer', min: -16777216, max: 16777216 },
  { type: 'integer', min: 0 },
  { type: 'integer', max: 9 },
  { type: 'integer', min: 4, max: 64, multipleOf: 2 },
  { type: 'integer', min: 1, divides: 16 },
  { type: 'integer', min: 1, max: 8, for: ['dModel', 'heads'] },
  { type: 'integer', min: 2, max: 8, or: ['maxPositions'] },
  { type: 'number' },
  { type: 'number', min: 1e-9, max: 1e9 },
  { type: 'number', min: 1 },
  { type: 'number', above: 0 },
  { type: 'number', above: 0, max: 1e100 },
  { type: 'choice', values: ['dot', 'cosine'] },
  { type: 'choice', values: [1, 2, 4] },
  { type: 'choice', values: ['learned'] },
  { type: 'choice', values: [] },
  { type: 'subset', values: ['rope', 'alibi'] },
  { type: 'array', minLength: 3, maxLength: 3 },
  { type: 'array', minLength: 1, maxLength: 64, items: { type: 'integer', min: 0, max: 5 } },
  { type: 'array', minLength: 1 },
  { type: 'array', items: { type: 'number', min: -1e30, max: 1e30 } },
  { type: 'matrix', maxLength: 67108864 },
  { type: 'bytes', maxLength: 40 },
  { type: 'share', of: 64 },
  { type: 'rate', max: 100 },
  { type: 'memory', max: 40 },
  { type: 'memory' },
  { type: 'snapshot', of: 'table' },
  { type: 'snapshot', of: 'trainer' },
  { type: 'only', with: 'code', rule: { type: 'choice', values: ['rope'] } },
  { type: 'only', with: 'dModel', rule: { type: 'integer', min: 32 } },
  { type: 'absent', values: ['steps', 'seed'] },
  { type: 'text', maxLength: 200, maxWords: 24 },
  { type: 'model', maxLength: 400 },
  { type: 'flag' },
  ...['boolean', 'string', 'object', 'function', 'signal', 'readable'].map((type) => ({ type })),
]
/** Types of JavaScript, as it calls them. */
const TYPES = ['boolean', 'string', 'object', 'function', 'AbortSignal', 'Uint8Array']

/** @param {any} rule @returns {string[]} what stands in no language: names and values */
function namesIn({ values = [], or = [], for: given = [], with: other, rule, items }) {
  const inner = [rule, items].flatMap((one) => (one ? namesIn(one) : []))
  return [...values.map(String), ...or, ...given, ...(other ? [other] : []), ...inner]
}

/**
 * @param {string} text
 * @param {'zh' | 'en'} language
 * @param {string[]} names that may stand in it
 */
function assertWorded(text, language, names) {
  // What was given stands as it was given.
  const own = text.replace(/“[^”]*”/g, '')
  assert.doesNotMatch(own, /[{}]|undefined|null|NaN|\brule\.|\bfield\.|\berror\./, text)
  assert.doesNotMatch(own, /4294967295|16777216|67108864/, text)
  if (language === 'en') {
    assert.doesNotMatch(text, /[\u3000-\u9fff\uff00-\uffef]/, text)
    return
  }
  const t = words.translator(language)
  let rest = own.replace(/\d+e[−+-]?\d+|\bMB\b|config\.json/g, '')
  const known = [...names.map((name) => words.labelOf(t, name)), ...names, ...TYPES]
  for (const name of known.sort((a, b) => b.length - a.length)) rest = rest.replaceAll(name, '')
  assert.doesNotMatch(rest, /[A-Za-z]/, `${text} (left: ${rest})`)
  assert.match(rest, /[\u4e00-\u9fff]/, text)
}

test('the samples have every kind of rule that the sources name', async () => {
  const read = (/** @type {string} */ file) => readFile(`${root}web/src/${file}`, 'utf8')
  const [, engineRules = ''] =
    /export type Rule =([^]*?)\n\n/.exec(await read('engine/types.d.ts')) ?? []
  const kinds = [engineRules, await read('state/rules.js')].flatMap((text) =>
    [...text.matchAll(/\{\s*type: ((?:'[a-z]+'(?: \| )?)+)/g)].flatMap(([, list]) =>
      [...list.matchAll(/'([a-z]+)'/g)].map(([, kind]) => kind),
    ),
  )
  assert.deepEqual([...new Set(samples.map(({ type }) => type))].sort(), [...new Set(kinds)].sort())
})

test('every kind of rule is worded in both languages', () => {
  for (const language of languages) {
    const t = words.translator(language)
    const said = samples.map((rule) => {
      const text = words.ruleWords(t, rule)
      assertWorded(words.refusalSentence(t, { name: 'offsets', value: 7, rule }), language, [
        'offsets',
        ...namesIn(rule),
      ])
      return text
    })
    // Nothing is left out: but for types of the same name, no two are worded alike.
    const own = said.filter((_, index) => !['readable', 'snapshot'].includes(samples[index].type))
    assert.equal(new Set(own).size, own.length)
  }
})

test('bounds are grouped, and that of a seed is a power of two', () => {
  const [zh, en] = languages.map((language) => words.translator(language))
  const seed = { type: 'integer', min: 0, max: 2 ** 32 - 1 }
  assert.equal(words.ruleWords(en, seed), 'a whole number from 0 to 2³² − 1')
  assert.equal(words.ruleWords(zh, seed), '0 到 2³² − 1 的整数')
  const far = { type: 'integer', min: -(2 ** 24), max: 2 ** 24 }
  assert.equal(words.ruleWords(en, far), 'a whole number from −16,777,216 to 16,777,216')
  const rate = { type: 'number', min: 1e-5, max: 1 }
  assert.equal(words.ruleWords(en, rate), 'a number from 0.00001 to 1')
})

test('a control is named by its label', () => {
  const rule = { type: 'integer', min: 1, max: 3 }
  const error = { code: 'invalid-argument', details: { name: 'taskShift', value: 8, rule } }
  const [zh, en] = languages.map((language) => words.translator(language))
  assert.equal(
    words.refusedText(en, error),
    'Tokens back: “8” was not taken. It must be a whole number from 1 to 3.',
  )
  assert.match(words.refusedText(zh, error), /^[\u4e00-\u9fff]+：没有采用“8”。/)
  assert.doesNotMatch(words.refusedText(zh, error), /taskShift/)
  // One from a file of an earlier release, which has no rule.
  const old = { code: 'rope', error: { ...error, details: { name: 'batch', value: 128 } } }
  assert.equal(
    words.failureText(en, [old]),
    'Not trained: RoPE. Sequences a step: “128” was not taken.',
  )
  assertWorded(words.failureText(zh, [old]), 'zh', ['RoPE', 'batch'])
})

const glue = await readFile(wasmFiles('plain').glue, 'utf8')
const createPosenc = runInThisContext(`(() => { ${glue}; return createPosenc })()`)
const wasmBinary = await readFile(wasmFiles('plain').wasm)
const core = await createPosenc({ wasmBinary })

const six = Float64Array.of(1, 2, 3, 4, 5, 6)
const nothing = new Uint8Array(40)
const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 64 }
const rope = (/** @type {object} */ changed) => () =>
  core.ropeFrequencies({ headDim: 64, ...changed })
const scaled = (/** @type {object} */ changed) => rope({ scaling: { ...yarn, ...changed } })
const bias = { heads: 2, queries: 3, keys: 3, first: 0, count: 18, causal: true }
const buckets = { bidirectional: true, numBuckets: 8, maxDistance: 16 }
const lab = {
  ...{ task: 'back', code: 'rope', length: 8, reach: 4, vocabulary: 4, layers: 1, dModel: 16 },
  ...{ heads: 8, mlp: false, causal: true, batch: 2, steps: 10, learningRate: 0.01, warmUp: 3 },
  ...{ clip: 1, weightDecay: 0, lengths: 'fixed', randomized: false, table: 'wall', seed: 7 },
  ...{ taskShift: 2, taskModulo: 3, t5Buckets: 8, t5MaxDistance: 9, alibiExponent: 8 },
  ...{ ropeBase: 100, sinusoidBase: 100 },
}
const trainer = unwrap(core.createTrainer(lab)).trainer
const other = unwrap(core.createTrainer({ ...lab, code: 'nope' })).trainer
const table = unwrap(core.createTable(4, 3, 1, 0.1)).table
const made = (/** @type {object} */ changed) => () => core.createTrainer({ ...lab, ...changed })
const scores = { dModel: 4, distances: 3, contents: 2, sameWord: false, seed: 1, position: 5 }
const ones = new Array(8).fill(1)
const summed = {
  task: 'back',
  length: 8,
  causal: true,
  lengths: 'exact',
  size: 8,
  accuracies: ones,
  counts: ones,
}
const large = { task: 'copy', length: 64, reach: 8, layers: 4, dModel: 128, batch: 128, heads: 8 }

/** A refusal at least of each function that takes anything. @type {Record<string, (() => any)[]>} */
const refused = {
  sinusoidal: [
    () => core.sinusoidal(1, 65537, 10000, 0),
    () => core.sinusoidal(1, 4, 0.5, 0),
    () => core.sinusoidal(0.5, 4, 1, 0),
    () => core.sinusoidal(2 ** 26, 4, 1, 0),
  ],
  createTable: [
    () => core.createTable(4, 3, 2 ** 32, 0.1),
    () => core.createTable(0, 3, 1, 0.1),
    () => core.createTable(1, 1, 1, 1e101),
  ],
  restoreTable: [() => core.restoreTable(nothing), () => core.restoreTable(7)],
  benchSinusoidal: [() => core.benchSinusoidal(1, 0, 1)],
  benchFill: [() => core.benchFill(1, 0, 1)],
  checkTraining: [() => table.checkTraining(1e6, 1e10, 1), () => table.checkTraining(1, -1, 1)],
  train: [() => table.train(1e7, 0.1, 1), () => trainer.train({ steps: -1 })],
  progress: [() => table.progress([1, 2, 3], 1), () => table.progress([], 1e101)],
  grow: [() => table.grow(1)],
  lookup: [() => table.lookup(-1, 'nan'), () => table.lookup(1, 'explode')],
  similarity: [
    () => core.similarity(six, 2, 3, 2, 'dot'),
    () => core.similarity(six, 2, 2, 0, 'dot'),
    () => core.similarity(six, 2, 3, 0, 'Dot'),
  ],
  blockRotation: [() => core.blockRotation(1025, 10, 0)],
  pairPhasors: [() => core.pairPhasors(4, 10, -1)],
  rowSpread: [() => core.rowSpread([1, NaN], 1, 2), () => core.rowSpread(six, 0, 3)],
  rowDifferences: [() => core.rowDifferences({ data: six, other: [1], rows: 2, columns: 3 })],
  codeAddition: [() => core.codeAddition({ dModel: 2, seed: 1, code: six })],
  offsetSimilarity: [
    () => core.offsetSimilarity({ dModel: 4, base: 10, position: 3, offsets: [-4] }),
  ],
  scoreSoftmax: [
    () => core.scoreSoftmax({ scores: six, heads: 1, tokens: 2, causal: true, near: 1 }),
    () => core.scoreSoftmax({ scores: [NaN], heads: 1, tokens: 1, causal: true, near: 1 }),
  ],
  normals: [() => core.normals({ seed: 1, count: -1 })],
  trainingTarget: [() => core.trainingTarget({ tMax: 0, dModel: 2, targetScale: 1 })],
  sinusoidalSpread: [() => core.sinusoidalSpread(8193, 3, 10, 0)],
  attention: [
    () => core.attention([1, 2, 3], 4, 3, 1, true, null, null, null),
    () => core.attention([1, 2, 3], 4, 2, 1, true, null, [1, 2], null),
    () => core.attention([1, 2, 3], 4, 2, 1, true, new Float64Array(12).fill(2e6), null, null),
    () => core.attention([0.5], 4, 2, 1, true, null, null, null),
    () => trainer.attention({ layer: 1, head: 0, length: 3, example: 0 }),
  ],
  scoreProfile: [
    () => core.scoreProfile({ ...scores, contents: 1025 }),
    () => core.scoreProfile({ ...scores, bias: [1] }),
  ],
  ropeCoverage: [
    () => core.ropeCoverage({ headDim: 64, length: 64, trainedLength: 0 }),
    () => core.ropeCoverage({ headDim: 64, length: 64, trainedLength: 64, window: 0 }),
  ],
  curveSummary: [
    () => core.curveSummary({ ...summed, accuracies: [1, 1] }),
    () => core.curveSummary({ ...summed, counts: [1] }),
  ],
  pairedTests: [
    () => core.pairedTests({ groups: 1, seeds: 11, columns: 1, values: new Array(11).fill(1) }),
    () => core.pairedTests({ groups: 2, seeds: 2, columns: 1, values: [1] }),
  ],
  ropeFrequencies: [
    rope({ headDim: 63 }),
    rope({ partialRotaryFactor: 0.08 }),
    rope({ theta: 0.5 }),
    rope({ scaling: { rope_type: 'spiral' } }),
    rope({ scaling: { rope_type: 'linear' } }),
    rope({
      scaling: { rope_type: 'longrope', factor: 4, short_factor: [1], long_factor: [1] },
      maxPositions: 64,
    }),
    scaled({ original_max_position_embeddings: undefined }),
    scaled({ beta_slow: 40 }),
    scaled({ rope_type: 'ntk', partial_rotary_factor: 1 / 32 }),
    scaled({ rope_type: 'llama3', low_freq_factor: 4, high_freq_factor: 1 }),
  ],
  ropeRotate: [
    () =>
      core.ropeRotate({
        ...{ inverseFrequencies: [1], layout: 'interleaved', headDim: 2, magnitude: 1 },
        ...{ vectors: [1, 2], positions: [0.5] },
      }),
  ],
  alibiSlopes: [() => core.alibiSlopes({ heads: 0 })],
  alibiBias: [() => core.alibiBias({ ...bias, count: 19 })],
  t5Buckets: [() => core.t5Buckets({ ...buckets, maxDistance: 2, offsets: [1] })],
  t5Bias: [() => core.t5Bias({ ...bias, ...buckets, values: [1] })],
  randomizedPositions: [() => core.randomizedPositions({ length: 12, maxPosition: 10, seed: 0 })],
  positionErrors: [
    () => core.positionErrors({ inverseFrequencies: [1], format: 'bfloat16', positions: [-1] }),
    () => core.positionErrors({ inverseFrequencies: [1], format: 'float8', positions: [1] }),
  ],
  firstCollision: [
    () => core.firstCollision({ inverseFrequencies: [1], format: 'float32', begin: 2, end: 1 }),
  ],
  createTrainer: [
    made({ length: 65 }),
    made({ heads: 3 }),
    made({ taskShift: 8 }),
    made({ t5Buckets: 5 }),
    made({ code: 't5', t5MaxDistance: 2 }),
    made({ learningRate: NaN }),
    made({ clip: 0 }),
    made({ code: 'spin' }),
    made({ ...large, causal: false }),
  ],
  restoreTrainer: [() => core.restoreTrainer({ bytes: nothing })],
  startCurve: [
    () => trainer.startCurve({ sequences: 0 }),
    () => other.startCurve({ sequences: 1, scaling: 'yarn', factor: 4 }),
    () => trainer.startCurve({ sequences: 1, scaling: 'ntk', factor: 4 }),
    () => trainer.startCurve({ sequences: 1, scaling: 'yarn', factor: 65 }),
    () => trainer.startCurve({ sequences: 1, extend: 'wrap' }),
  ],
  curvePiece: [() => trainer.curvePiece({ piece: 1e6 })],
  table: [() => trainer.table()],
}

/** What takes no arguments cannot refuse one. */
const WITHOUT = ['info', 'values', 'gradientRows', 'snapshot', 'curve']

test('no function of the bindings is left out', async () => {
  const files = await filesBelow(`${root}cpp/bindings`)
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\bfunction\("(\w+)"/g)].map(([, name]) => name),
  )
  assert.ok(names.length > 40)
  assert.deepEqual(
    [...new Set([...Object.keys(refused), ...WITHOUT])].sort(),
    [...new Set(names)].sort(),
  )
})

for (const [name, calls] of Object.entries(refused)) {
  test(`what ${name} of the kernel refuses is said in Chinese and in English`, () => {
    for (const call of calls) {
      const answer = call()
      assert.deepEqual([answer.ok, answer.code], [false, 'invalid-argument'], String(call))
      assert.equal(answer.expected, undefined, 'the kernel has no words')
      const error = /** @type {any} */ (catching(() => unwrap(answer)))
      assert.equal(error.code, 'invalid-argument')
      const { details } = error
      assert.equal(details.expected, inEnglish(details.rule))
      assert.ok(error.message.includes(`must be ${details.expected}, got `), error.message)
      structuredClone(details)
      for (const language of languages) {
        const t = words.translator(language)
        const names = [details.name, ...namesIn(details.rule)]
        const told = { ...details, value: 7 }
        assertWorded(words.engineSentence(t, { code: error.code, details: told }), language, names)
      }
    }
  })
}

/** @param {() => unknown} call */
function catching(call) {
  try {
    call()
  } catch (error) {
    return error
  }
  return assert.fail('accepted')
}
