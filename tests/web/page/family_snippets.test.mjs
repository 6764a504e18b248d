// The programs beside the figures of what came later print the kernel's numbers, where NumPy is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from '../../../web/src/lesson/snippets.js'
import { compute } from '../../../web/src/scenes/wavelengths/coverage.js'
import { NUMBER_FORMATS, ROPE_TYPES } from '../../../web/src/state/fields.js'
import { matchWords, splitWords, wordId } from '../../../web/src/state/words.js'
import { kernel } from '../stage.mjs'
import { assertClose, run, skip, state, tableOf } from '../python.mjs'
import { times } from '../../sampling.mjs'

test('word order with RoPE, ALiBi, T5 bias and NoPE', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    { position: 0 },
    { position: 1, heads: 3, dModel: 15, seed: 5 },
    { sentenceA: 'a b c d', sentenceB: 'd a b c', position: 2, heads: 4, causal: true },
  ]) {
    for (const mode of /** @type {const} */ (['rope', 'alibi', 't5', 'nope'])) {
      const now = state({ ...patch, mode })
      const [a, b] = EXAMPLES.en.map((example, i) =>
        splitWords((i === 0 ? now.sentenceA : now.sentenceB) || example),
      )
      const partner = matchWords(a, b)[now.position] ?? NaN
      const expected = ['none', mode].map((way) => {
        const [one, other] = [a, b].map((words) => attended(engine, way, now, words))
        const row = (/** @type {Float64Array} */ data, /** @type {number} */ at) =>
          data.subarray(at * now.dModel, (at + 1) * now.dModel)
        const near = row(other, partner)
        return Math.max(
          ...Array.from(row(one, now.position), (value, i) => Math.abs(value - near[i])),
        )
      })
      // The name of T5 has a number in it, too.
      const lines = run('order', now).output.trim().split('\n')
      assertClose(
        lines.map((line) => Number(line.split(': ')[1])),
        expected,
        1e-6,
      )
    }
  }
})

/**
 * The outputs of a sentence, as the scene asks for them.
 * @param {any} engine
 * @param {string} way
 * @param {any} now
 * @param {string[]} words
 * @returns {Float64Array}
 */
function attended(engine, way, now, words) {
  const { dModel, heads, seed, mode } = now
  const causal = mode === 'nope' ? way === 'nope' : now.causal
  const shape = { heads, queries: words.length, keys: words.length }
  /** @type {any} */
  const beside = {}
  if (way === 'rope') beside.inverseFrequencies = ropeOf(engine, dModel / heads)
  if (way === 'alibi') beside.bias = engine.alibiBias({ ...shape, causal: false }).data
  if (way === 't5') {
    const values = drawn(engine, seed, heads)
    const { data } = engine.t5Bias({ ...shape, values, bidirectional: !causal })
    beside.bias = data.map((/** @type {number} */ entry) => (entry === -Infinity ? 0 : entry))
  }
  const tokens = Uint32Array.from(words, wordId)
  return engine.attention({ tokens, dModel, heads, seed, causal, ...beside }).output.data
}

/** @param {any} engine @param {number} size */
const ropeOf = (engine, size) =>
  engine.ropeFrequencies({ headDim: size - (size % 2) }).inverseFrequencies

/** @param {any} engine @param {number} seed @param {number} heads */
function drawn(engine, seed, heads) {
  const table = engine.createTable({ tMax: 32, dModel: heads, seed, scale: 1 })
  const { data } = table.values()
  table.dispose()
  return data
}

test('distance: the scores of every encoding', { skip }, async () => {
  const engine = await kernel()
  for (const pairing of ['same', 'other']) {
    for (const mode of /** @type {const} */ ([
      'sinusoidal',
      'learned',
      'rope',
      'alibi',
      't5',
      'nope',
    ])) {
      const now = state({ mode, pairing, queryAt: 3, distance: 40, dModel: 12, heads: 3 })
      const { dModel, heads, seed } = now
      const distances = 41
      /** @type {any} */
      const options = { dModel, distances, sameWord: pairing === 'same', seed, position: 3 }
      if (mode === 'sinusoidal') {
        options.codes = engine.sinusoidal({ length: distances, dModel, start: 3 })
      }
      if (mode === 'learned') {
        const table = tableOf(engine, now)
        const data = table.values().data.slice(3 * dModel, (3 + distances) * dModel)
        options.codes = { data, shape: [distances, dModel] }
        table.dispose()
      }
      if (mode === 'rope') options.inverseFrequencies = ropeOf(engine, dModel)
      if (mode === 'alibi') {
        const [slope] = engine.alibiSlopes({ heads })
        options.bias = Array.from({ length: distances }, (_, k) => -slope * k)
      }
      if (mode === 't5') {
        const offsets = Array.from({ length: distances }, (_, k) => k)
        const values = drawn(engine, seed, heads)
        options.bias = Array.from(
          engine.t5Buckets({ offsets }),
          (bucket) => values[/** @type {number} */ (bucket) * heads],
        )
      }
      const { one, mean } = engine.scoreProfile(options)
      const expected = [0, 40].flatMap((k) => [k, one[k], mean[k]])
      assertClose(run('offsets', now).numbers, expected, 1e-6)
    }
  }
  const { output } = run('offsets', state({ mode: 'learned', distance: 60 }))
  assert.match(output, /distance 60 IndexError: index 60 is out of bounds for axis 0 with size 50/)
})

test('wavelengths: every scaling', { skip }, async () => {
  const engine = await kernel()
  for (const ropeType of ROPE_TYPES) {
    for (const patch of [
      { ropeType },
      { ropeType, ropePairs: 20, ropeBase: 500, trainedLength: 100, ropeFactor: 2.5, reach: 8 },
      { ropeType, ropeBase: 500000, ropeFactor: 1, reach: 1 },
      // Interpolation by 3 ends at 3 times the length, the next distance is new.
      { ropeType, trainedLength: 1000, ropeFactor: 3, reach: 3 },
      { ropeType, trainedLength: 1000, ropeFactor: 3, reach: 3.001 },
    ].slice(0, times(5, 2))) {
      const now = state(patch)
      const found = await compute(/** @type {any} */ (engine), now, {})
      const own = found.types[ropeType]
      const { numbers } = run('wavelengths', now)
      const last = now.ropePairs
      for (let pair = 0; pair < last; pair += 1) {
        const share = numbers[pair] / own.wavelengths[pair]
        assert.ok(Math.abs(share - 1) < 1e-9, `${ropeType} pair ${pair}: ${share}`)
      }
      assertClose(numbers.slice(last, last + 1), [own.attentionFactor], 1e-9)
      assert.deepEqual(numbers.slice(last + 1), [found.plain.turned, own.unseen], ropeType)
    }
  }
})

test('precision: the error and whether neighbours are one', { skip }, async () => {
  const engine = await kernel()
  for (const numberFormat of NUMBER_FORMATS) {
    for (const farPosition of [256, 1857, 1, 2048, 2049, 70000, 1000000].slice(0, times(7, 2))) {
      const now = state({ ropePairs: 16, numberFormat, farPosition })
      const { maxErrors } = engine.positionPrecision({
        headDim: 32,
        format: /** @type {any} */ (numberFormat),
        positions: [farPosition],
      })
      const { numbers, output } = run('precision', now)
      assertClose(numbers.slice(0, 1), maxErrors, 1e-9)
      if (farPosition === 256 || farPosition === 2048) {
        const short =
          numberFormat === 'bfloat16' || (numberFormat === 'float16' && farPosition > 256)
        assert.match(output, short ? /True/ : /False/, `${numberFormat} ${farPosition}`)
      }
    }
  }
})

test('a real model: wavelengths, slopes, buckets, the last row', { skip }, async () => {
  const engine = await kernel()
  /** @param {any} patch @param {ArrayLike<number>} expected @param {number} [tolerance] of the whole */
  const prints = (patch, expected, tolerance = 1e-12) => {
    const { output } = run('model', state({ scene: 'model', ...patch }))
    const numbers = output.slice(output.indexOf(':')).match(/\d[\d.]*(?:e[+-]?\d+)?/g) ?? []
    assert.equal(numbers.length, expected.length)
    for (let i = 0; i < expected.length; i += 1) {
      assert.ok(
        Math.abs(Number(numbers[i]) / expected[i] - 1) <= tolerance ||
          Number(numbers[i]) === expected[i],
      )
    }
  }
  const list = [1, 1.5, 2, 3]
  for (const [tail, scaling, modelLength = 4096] of /** @type {[string, any, number?][]} */ ([
    ['ty.default', null],
    ['ty.linear~fa.4', { rope_type: 'linear', factor: 4 }],
    ['ty.ntk~fa.4', { rope_type: 'ntk', factor: 4 }],
    ['ty.dynamic~fa.4', { rope_type: 'dynamic', factor: 4 }, 4096],
    ['ty.dynamic~fa.4', { rope_type: 'dynamic', factor: 4 }, 1024],
    [
      'ty.yarn~fa.4~op.512',
      { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 512 },
    ],
    ['ty.yarn~fa.4~tr.0', { rope_type: 'yarn', factor: 4, truncate: false }],
    [
      'ty.llama3~fa.8~lo.1~hi.4',
      { rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
    ],
    [
      'ty.longrope~fa.2~sf.1*1*1*1~lf.1*1.5*2*3',
      { rope_type: 'longrope', factor: 2, short_factor: [1, 1, 1, 1], long_factor: list },
    ],
  ])) {
    const { inverseFrequencies } = engine.ropeFrequencies({
      headDim: 8,
      theta: 10000,
      scaling,
      maxPositions: 2048,
      length: modelLength,
    })
    const expected = Array.from(inverseFrequencies, (/** @type {number} */ w) => (2 * Math.PI) / w)
    prints({ model: `rope~m.2048!hd.8~th.10000~${tail}`, modelLength }, expected)
  }
  for (const heads of [8, 12, 112]) {
    prints({ model: `alibi~h.${heads}` }, engine.alibiSlopes({ heads }))
  }
  for (const bidirectional of [true, false]) {
    const offsets = Array.from({ length: 257 }, (_, i) => -i)
    const model = `t5~b.32~d.128~bi.${Number(bidirectional)}`
    prints({ model }, engine.t5Buckets({ offsets, bidirectional }))
  }
  prints({ mode: 'sinusoidal' }, engine.pairPhasors({ dModel: 512, position: 0 }).wavelength)
  const wall = (/** @type {number} */ modelLength) =>
    run('model', state({ scene: 'model', mode: 'learned', modelLength })).output
  assert.match(wall(512), /positions: 512\nthe last of 512 positions has a row/)
  assert.match(wall(513), /IndexError: index 514 is out of bounds for axis 0 with size 514/)
})

test('rotation: the score, and the rows that a block rotation carries', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    {},
    { layout: 'half-split', pairs: 3, position: 7, position2: 41, seed: 5 },
  ]) {
    const now = state({ ...patch, scene: 'rotation', mode: 'rope' })
    const d = 2 * now.pairs
    const table = engine.createTable({ tMax: 2, dModel: d, seed: now.seed, scale: 1 })
    const vectors = table.values().data
    table.dispose()
    const positions = [now.position, now.position2]
    const layout = /** @type {any} */ (now.layout)
    const rows = engine.ropeRotate({ vectors, positions, headDim: d, layout })
    const [, score] = engine.similarity({ ...rows, row: 0, measure: 'dot' })
    assertClose(run('rotation', now).numbers, [score, score], 1e-5)
  }
  const now = state({ scene: 'rotation', mode: 'sinusoidal', position: 60, position2: 30 })
  const [product] = engine.offsetProfile({ dModel: 8, position: 60, offsets: [-30] })
  assertClose(run('rotation', now).numbers, [product, 0], 1e-12)
})

test('biases: the weights of a query without and with the bias', { skip }, async () => {
  const engine = await kernel()
  for (const patch of [
    { mode: 'alibi', biasLength: 9, biasQuery: 8, biasHead: 2 },
    { mode: 'alibi', sided: 'symmetric', biasLength: 12, biasQuery: 4 },
    { mode: 't5', biasLength: 40, biasQuery: 39, seed: 3 },
    { mode: 't5', sided: 'symmetric', biasLength: 64, biasQuery: 20, maxDistance: 20 },
  ]) {
    const now = state({ ...patch, scene: 'biases' })
    const { biasLength: n, biasQuery: query, biasHead: head, seed, numBuckets } = now
    const draw = (/** @type {number} */ tMax, /** @type {number} */ dModel) => {
      const table = engine.createTable({ tMax, dModel, seed, scale: 1 })
      const { data } = table.values()
      table.dispose()
      return data
    }
    const causal = now.sided === 'causal'
    const shape = { heads: 8, queries: n, keys: n }
    const { data } =
      now.mode === 't5'
        ? engine.t5Bias({
            ...shape,
            values: draw(numBuckets, 8),
            bidirectional: !causal,
            numBuckets,
            maxDistance: now.maxDistance,
          })
        : engine.alibiBias({ ...shape, causal })
    const start = ((head - 1) * n + query) * n
    const bias = data.subarray(start, start + n)
    const scores = draw(512, 64).subarray(query * 64, query * 64 + n)
    const expected = [0, 1].flatMap((factor) => {
      const powers = Array.from(bias, (added, key) =>
        added === -Infinity ? 0 : Math.exp(scores[key] + factor * added),
      )
      const sum = powers.reduce((all, power) => all + power, 0)
      return powers.map((power) => power / sum)
    })
    assertClose(run('biases', now).numbers, expected, 1e-6)
  }
})

test(
  'the comparison: what BERT-base and T5-base learn, and the error past the table',
  { skip },
  () => {
    // Devlin et al. 2019: 512 x 768; Raffel et al. 2020: 32 buckets, 12 heads in the base size.
    const lines = run('compare', state({ scene: 'compare' }))
      .output.trim()
      .split('\n')
    assert.equal(lines[1], 'learned learns 393216')
    assert.equal(lines[4], 'T5 bias learns 384')
    assert.equal(lines[6], 'IndexError: index 1024 is out of bounds for axis 0 with size 512')
  },
)
