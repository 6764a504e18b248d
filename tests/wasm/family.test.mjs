// RoPE and its scalings, ALiBi, T5 and the rest of the family: reference values in both builds and
// over the worker, and what config.json may bring along.

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  assertRefused,
  assertSameBits,
  assertStillRight,
  builds,
  connectEngine,
  golden,
  grouped,
  loadEngine,
} from './support.mjs'

/** @type {[string, any][]} */
const engines = []
for (const [name, simd] of builds) engines.push([name, await loadEngine({ simd })])
engines.push(['worker', await connectEngine()])
after(() => engines.at(-1)?.[1].close())

/** @param {string} name @param {(engine: any) => Promise<unknown>} body */
function each(name, body) {
  for (const [build, engine] of engines) test(`${build}: ${name}`, () => body(engine))
}

/** The names of rope_frequencies.csv and those of config.json. */
const scalingNames = {
  kind: 'rope_type',
  factor: 'factor',
  orig: 'original_max_position_embeddings',
  mscale: 'mscale',
  mscale_all: 'mscale_all_dim',
  truncate: 'truncate',
  low: 'low_freq_factor',
  high: 'high_freq_factor',
  short: 'short_factor',
  long: 'long_factor',
}

/** @param {string} parameters such as `dim=64;base=10000;kind=linear;factor=4` */
function ropeOptions(parameters) {
  /** @type {Record<string, any>} */
  const options = {}
  /** @type {Record<string, any>} */
  const scaling = {}
  for (const field of parameters.split(';')) {
    const [key = '', text = ''] = field.split('=')
    const list = text.split('|').map(Number)
    if (key === 'dim') options.headDim = Number(text)
    else if (key === 'base') options.theta = Number(text)
    else if (key === 'seq') options.length = Number(text)
    else {
      const name = scalingNames[/** @type {keyof typeof scalingNames} */ (key)]
      if (key === 'kind') scaling[name] = text
      else if (key === 'truncate') scaling[name] = text === 'True'
      else scaling[name] = list.length > 1 ? list : list[0]
    }
  }
  if ('rope_type' in scaling) options.scaling = scaling
  return options
}

each('RoPE frequencies and attention factors', async (engine) => {
  const rows = await golden('rope_frequencies.csv')
  for (const group of grouped(rows, (row) => String(row.case))) {
    const answer = await engine.ropeFrequencies(ropeOptions(String(group[0]?.parameters)))
    assert.ok(answer.inverseFrequencies instanceof Float64Array)
    assert.equal(answer.inverseFrequencies.length, group.length - 1)
    assert.equal(answer.rotaryDim, 2 * (group.length - 1))
    for (const row of group) {
      const index = Number(row.index)
      const value = index < 0 ? answer.attentionFactor : answer.inverseFrequencies[index]
      const error = Math.abs(value / Number(row.value) - 1)
      assert.ok(error <= 1e-14, `${row.case} ${index}: off by ${error}`)
    }
  }
})

each('RoPE: distances at angles that training never showed', async (engine) => {
  const rope = { headDim: 4, theta: 10000 }
  // Frequencies 1 and 1/100: the first pair turns in 7 positions, the second in 629.
  const plain = await engine.ropeCoverage({ ...rope, trainedLength: 500, length: 501 })
  assert.deepEqual([...plain.unseenFrom], [Infinity, 500])
  assert.deepEqual([plain.turned, plain.unseen], [1, 1])
  assert.deepEqual([...plain.kept], [1, 1])
  for (const [index, speed] of [1, 0.01].entries()) {
    assert.ok(Math.abs((plain.turns[index] * 2 * Math.PI) / (500 * speed) - 1) < 1e-14)
    assert.ok(Math.abs((plain.wavelengths[index] * speed) / (2 * Math.PI) - 1) < 1e-14)
  }
  assert.deepEqual(plain.plainWavelengths, plain.wavelengths)
  // The length is the trained one unless another is given.
  assert.equal((await engine.ropeCoverage({ ...rope, trainedLength: 500 })).unseen, 0)
  const scaling = { rope_type: 'linear', factor: 7 }
  const at = async (/** @type {object} */ more) =>
    (await engine.ropeCoverage({ ...rope, trainedLength: 500, scaling, ...more })).unseen
  assert.equal(await at({ length: 3500 }), 0)
  assert.equal(await at({ length: 3501 }), 1)
  assert.equal(await at({ length: 3501, window: 3500 }), 0)
  assert.equal(await at({ length: 3501, trainedFurther: 3501 }), 0)
})

// 40 and 4096 of DeepSeek-V3's config.json; transformers, DeepseekV3Attention:
// scaling * (0.1 * mscale_all_dim * ln(factor) + 1)^2.
each('DeepSeek-V3: the rotation is not scaled, the scores are', async (engine) => {
  const yarn = { rope_type: 'yarn', factor: 40, original_max_position_embeddings: 4096 }
  const deepseek = { headDim: 64, scaling: { ...yarn, mscale: 1, mscale_all_dim: 1 } }
  const { attentionFactor, scoreFactor } = await engine.ropeFrequencies(deepseek)
  assert.equal(attentionFactor, 1)
  assert.equal(scoreFactor.toFixed(4), '1.8739')
  assert.equal((await engine.ropeFrequencies({ headDim: 64, scaling: yarn })).scoreFactor, 1)
})

each('RoPE rotation', async (engine) => {
  const rows = await golden('rope_apply.csv')
  for (const group of grouped(rows, (row) => `${row.head_dim} ${row.layout}`)) {
    const headDim = Number(group[0]?.head_dim)
    const positions = grouped(group, (row) => String(row.position)).map((vector) =>
      Number(vector[0]?.position),
    )
    const options = {
      headDim,
      layout: group[0]?.layout,
      positions,
      vectors: group.map((row) => Number(row.input)),
    }
    const { data, shape } = await engine.ropeRotate(options)
    assert.ok(data instanceof Float32Array)
    assert.deepEqual(shape, [positions.length, headDim])
    for (const [index, row] of group.entries()) {
      const error = Math.abs(data[index] - Number(row.value))
      assert.ok(error <= 1e-6, `${JSON.stringify(row)}: off by ${error}`)
    }
    const vectors = Float32Array.from(options.vectors)
    const typed = { ...options, vectors, positions: Int32Array.from(positions) }
    assertSameBits((await engine.ropeRotate(typed)).data, data)
  }
})

each('ALiBi slopes and biases', async (engine) => {
  for (const group of grouped(await golden('alibi_slopes.csv'), (row) => String(row.heads))) {
    const heads = group.length
    const slopes = await engine.alibiSlopes({ heads })
    assert.ok(slopes instanceof Float64Array)
    for (const [head, row] of group.entries()) {
      assert.ok(Math.abs(slopes[head] / Number(row.slope) - 1) <= 1e-15)
    }
    for (const causal of [undefined, true, false]) {
      const [queries, keys] = [3, 5]
      const { data, shape } = await engine.alibiBias({ heads, queries, keys, causal })
      assert.ok(data instanceof Float32Array)
      assert.deepEqual(shape, [heads, queries, keys])
      for (const [index, entry] of data.entries()) {
        const key = index % keys
        const query = (Math.floor(index / keys) % queries) + keys - queries
        const slope = slopes[Math.floor(index / keys / queries)]
        const hidden = causal !== false && key > query
        const expected = hidden ? -Infinity : 0 - Math.fround(slope * Math.abs(query - key))
        assert.ok(Object.is(entry, expected), `${index}: ${entry} for ${expected}`)
      }
    }
  }
  assert.deepEqual((await engine.alibiBias({ heads: 2, queries: 0, keys: 9 })).shape, [2, 0, 9])
})

each('T5 buckets and biases', async (engine) => {
  const rows = await golden('t5_buckets.csv')
  for (const group of grouped(rows, (row) => String(row.bidirectional))) {
    const bidirectional = group[0]?.bidirectional === 'true'
    const offsets = group.map((row) => Number(row.key_minus_query))
    const options = { bidirectional, numBuckets: 32, maxDistance: 128, offsets }
    const buckets = await engine.t5Buckets(options)
    assert.ok(buckets instanceof Int32Array)
    assert.deepEqual(
      [...buckets],
      group.map((row) => Number(row.bucket)),
    )
    const defaults = await engine.t5Buckets({ bidirectional, offsets: Int32Array.from(offsets) })
    assert.deepEqual(defaults, buckets)

    const [heads, queries, keys] = [2, 3, 4]
    const values = Float64Array.from({ length: 64 }, (_, index) => index)
    const { data, shape } = await engine.t5Bias({ heads, queries, keys, bidirectional, values })
    assert.deepEqual(shape, [heads, queries, keys])
    for (const [index, entry] of data.entries()) {
      const query = Math.floor(index / keys) % queries
      const offset = (index % keys) - query - (keys - queries)
      const [bucket] = await engine.t5Buckets({ bidirectional, offsets: [offset] })
      const head = Math.floor(index / keys / queries)
      assert.equal(entry, !bidirectional && offset > 0 ? -Infinity : heads * bucket + head)
    }
  }
})

each('randomized positions', async (engine) => {
  const options = { length: 40, maxPosition: 2047, seed: 7 }
  const positions = await engine.randomizedPositions(options)
  assert.ok(positions instanceof Int32Array)
  assert.equal(positions.length, 40)
  for (const [index, position] of positions.entries()) {
    assert.ok(position > (positions[index - 1] ?? -1) && position <= 2047)
  }
  assert.deepEqual(await engine.randomizedPositions(options), positions)
  assert.notDeepEqual(await engine.randomizedPositions({ ...options, seed: 8 }), positions)
})

each('precision of angles: gpt-neox #1003 and where neighbours fall together', async (engine) => {
  const positions = Int32Array.from({ length: 2048 }, (_, position) => position)
  const half = await engine.positionPrecision({ headDim: 32, format: 'float16', positions })
  assert.ok(Math.abs(Math.max(...half.maxErrors) - 0.7819) < 5e-4)
  assert.equal(half.firstCollision, 2048)
  const brain = await engine.positionPrecision({ headDim: 64, format: 'bfloat16', positions: [] })
  assert.equal(brain.firstCollision, 256)
  assert.equal(brain.maxErrors.length, 0)
  const short = { headDim: 64, format: 'bfloat16', positions: [] }
  assert.equal((await engine.positionPrecision({ ...short, searchEnd: 256 })).firstCollision, null)
  assert.equal((await engine.positionPrecision({ ...short, searchEnd: 257 })).firstCollision, 256)
  const single = await engine.positionPrecision({ headDim: 64, format: 'float32', positions })
  assert.equal(single.firstCollision, null)
  assert.ok(Math.max(...single.maxErrors) < 2e-4)
})

each('RoPE: what a config.json may bring along', async (engine) => {
  const plain = await engine.ropeFrequencies({ headDim: 64 })
  /** @param {any} scaling @param {object} [more] */
  const frequencies = async (scaling, more) =>
    engine.ropeFrequencies({ headDim: 64, scaling, ...more })
  for (const scaling of [
    undefined,
    null,
    { type: 'default' },
    { rope_type: 'default', type: 'yarn', factor: 'none of its business', mrope_section: [16, 24] },
    { rope_type: 'linear', factor: 1, unknown_key: {}, beta_fast: -1, truncate: 'no' },
    { rope_type: 'default', rope_theta: null, partial_rotary_factor: null },
  ]) {
    assert.deepEqual(await frequencies(scaling), plain)
  }
  const linear = await frequencies({ type: 'linear', factor: 4 })
  assert.equal(linear.inverseFrequencies[0], 0.25)
  const derived = { maxPositions: 8192, originalMaxPositions: 2048 }
  assert.deepEqual(await frequencies({ type: 'linear' }, derived), linear)
  assert.deepEqual(await frequencies({ type: 'linear', factor: null }, derived), linear)

  const inside = { rope_type: 'default', rope_theta: 100, partial_rotary_factor: 0.25 }
  const partial = await frequencies(inside)
  assert.equal(partial.rotaryDim, 16)
  assert.ok(Math.abs(partial.inverseFrequencies[4] - 0.1) < 1e-16)
  const outside = await frequencies(inside, { theta: 10000, partialRotaryFactor: 1 })
  assert.deepEqual(outside, plain)
})

each('RoPE: the attention factor, and dimensions past rotaryDim', async (engine) => {
  const scaling = { rope_type: 'yarn', factor: 16, original_max_position_embeddings: 4096 }
  const options = {
    headDim: 8,
    scaling,
    partialRotaryFactor: 0.5,
    vectors: [3, 4, 0, 0, 5, 6, 7, 8],
  }
  const { data } = await engine.ropeRotate({ ...options, positions: [9] })
  assert.deepEqual([...data.subarray(4)], [5, 6, 7, 8])
  assert.ok(Math.abs(Math.hypot(data[0], data[1]) - 5) < 1e-6)
  const longer = { ...options, positions: [9], applyAttentionFactor: true }
  const stretched = (await engine.ropeRotate(longer)).data
  assert.ok(Math.abs(Math.hypot(stretched[0], stretched[1]) - 5 * (0.1 * Math.log(16) + 1)) < 1e-6)
  assert.deepEqual([...stretched.subarray(4)], [5, 6, 7, 8])
})

const yarn = { rope_type: 'yarn', factor: 4, original_max_position_embeddings: 4096 }
const longrope = {
  ...yarn,
  rope_type: 'longrope',
  short_factor: new Array(32).fill(1),
  long_factor: new Array(32).fill(2),
}
const llama3 = { ...yarn, rope_type: 'llama3', low_freq_factor: 1, high_freq_factor: 4 }

/** @type {[name: string, options: object][]} */
const badScalings = [
  ['scaling', { scaling: 'yarn' }],
  ['scaling', { scaling: [yarn] }],
  ['rope_type', { scaling: {} }],
  ['rope_type', { scaling: { factor: 4 } }],
  ['rope_type', { scaling: { ...yarn, rope_type: 'su' } }],
  ['rope_type', { scaling: { ...yarn, rope_type: 'toString' } }],
  ['rope_type', { scaling: { ...yarn, rope_type: ['yarn'] } }],
  ['type', { scaling: { type: 'YaRN' } }],
  ['factor', { scaling: { rope_type: 'linear' } }],
  ['factor', { scaling: { rope_type: 'linear', factor: 0.5 } }],
  ['factor', { scaling: { rope_type: 'linear', factor: '4' } }],
  ['factor', { scaling: { ...yarn, factor: NaN } }],
  ['factor', { scaling: { ...yarn, factor: undefined } }],
  ['maxPositions', { scaling: { ...yarn, factor: undefined }, maxPositions: 2048 }],
  ['original_max_position_embeddings', { scaling: { rope_type: 'yarn', factor: 4 } }],
  ['original_max_position_embeddings', { scaling: { rope_type: 'dynamic', factor: 4 } }],
  [
    'original_max_position_embeddings',
    { scaling: { ...yarn, original_max_position_embeddings: 0.5 } },
  ],
  [
    'original_max_position_embeddings',
    { scaling: { ...longrope, original_max_position_embeddings: 1 } },
  ],
  ['beta_fast', { scaling: { ...yarn, beta_fast: 0.5 } }],
  ['beta_slow', { scaling: { ...yarn, beta_slow: 0 } }],
  ['mscale', { scaling: { ...yarn, mscale: -1 } }],
  ['mscale_all_dim', { scaling: { ...yarn, mscale_all_dim: '1' } }],
  ['attention_factor', { scaling: { ...yarn, attention_factor: 0 } }],
  ['truncate', { scaling: { ...yarn, truncate: 0 } }],
  ['theta', { scaling: yarn, theta: 1 }],
  ['rope_theta', { scaling: { ...yarn, rope_theta: 0 } }],
  ['partial_rotary_factor', { scaling: { ...yarn, partial_rotary_factor: 2 } }],
  ['partial_rotary_factor', { scaling: { ...yarn, partial_rotary_factor: 0.05 } }],
  ['short_factor', { scaling: { ...longrope, short_factor: undefined } }],
  ['short_factor', { scaling: { ...longrope, short_factor: new Array(31).fill(1) } }],
  ['long_factor', { scaling: { ...longrope, long_factor: new Float64Array(33).fill(1) } }],
  ['long_factor', { scaling: { ...longrope, long_factor: new Array(32).fill(0) } }],
  ['long_factor', { scaling: { ...longrope, long_factor: 4 } }],
  ['low_freq_factor', { scaling: { ...llama3, low_freq_factor: undefined } }],
  ['high_freq_factor', { scaling: { ...llama3, high_freq_factor: null } }],
  ['high_freq_factor', { scaling: { ...llama3, high_freq_factor: 0.5 } }],
  ['headDim', { scaling: { rope_type: 'ntk', factor: 4 }, headDim: 2 }],
  ['headDim', { scaling: { ...yarn, rope_type: 'dynamic' }, partialRotaryFactor: 2 / 64 }],
]

each('RoPE: a bad configuration names its key', async (engine) => {
  for (const good of [yarn, longrope, llama3]) {
    await engine.ropeFrequencies({ headDim: 64, scaling: good })
  }
  for (const [name, options] of badScalings) {
    const vectors = new Float32Array(64)
    const all = { headDim: 64, vectors, positions: [1], format: 'bfloat16', ...options }
    const refused = { code: 'invalid-argument', name }
    const error = await assertRefused(() => engine.ropeFrequencies(all), refused)
    assert.ok(
      error.message.startsWith(`${name} must be `) || /\[\d+\] must be /.test(error.message),
    )
    await assertRefused(() => engine.positionPrecision(all), refused)
    if (all.headDim === 64) await assertRefused(() => engine.ropeRotate(all), refused)
  }
  const missing = await assertRefused(
    () => engine.ropeFrequencies({ headDim: 64, scaling: { rope_type: 'linear' } }),
    { code: 'invalid-argument' },
  )
  assert.equal(missing.details.value, undefined)
  assert.match(missing.message, /from 1 to 1000000000 \(or give maxPositions\), got undefined\.$/)
  await assertStillRight(engine)
})

each('pieces make the same as a whole', async (engine) => {
  // More than one piece of 2^20 elements on this thread, and several slices in a worker.
  const [rows, headDim] = [20000, 64]
  const vectors = Float32Array.from({ length: rows * headDim }, (_, index) => Math.sin(index) * 2)
  const positions = Int32Array.from({ length: rows }, (_, row) => row * 50)
  const whole = await engine.ropeRotate({ headDim, vectors, positions })
  for (const row of [0, 7777, 16383, 16384, 19999]) {
    const one = await engine.ropeRotate({
      headDim,
      vectors: vectors.subarray(row * headDim, (row + 1) * headDim),
      positions: [row * 50],
    })
    assertSameBits(whole.data.slice(row * headDim, (row + 1) * headDim), one.data)
  }
  const { data } = await engine.alibiBias({ heads: 3, queries: 700, keys: 701, causal: false })
  const [, , slope] = await engine.alibiSlopes({ heads: 3 })
  assert.equal(data.at(-1), 0)
  assert.equal(data.at(-701), Math.fround(-700 * slope))
})
