// The reader of config.json: every style of file, every mistake, and no text that breaks it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wordsOf } from '../../../web/build/words.mjs'
import { advise } from '../../../web/src/config/advice.js'
import { parseJson } from '../../../web/src/config/json.js'
import { EXAMPLE_OF, PUBLIC_MODELS, configText } from '../../../web/src/config/models.js'
import { MAX_CONFIG, readConfig } from '../../../web/src/config/read.js'
import { MAX_RESOLVED, readResolved } from '../../../web/src/state/resolved.js'
import { times } from '../../sampling.mjs'

const LLAMA = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32 }

/** @param {unknown} facts @returns {any} */
function good(facts) {
  const reading = readConfig(typeof facts === 'string' ? facts : JSON.stringify(facts))
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading
}

/** @param {unknown} facts @returns {{ key: string, params: Record<string, string | number> }} */
function bad(facts) {
  const reading = readConfig(typeof facts === 'string' ? facts : JSON.stringify(facts))
  assert.ok(!reading.ok)
  return reading.error
}

/** @param {any} reading @param {string} name */
const field = (reading, name) =>
  reading.fields.find((/** @type {any} */ found) => found.name === name)

/** @param {any} reading */
const noteKeys = (reading) => reading.notes.map((/** @type {any} */ { key }) => key)

/** @param {any} reading @param {number} length */
const adviceKeys = (reading, length) => advise(reading.resolved, length).map(({ key }) => key)

test('learned tables: BERT, GPT-2, RoBERTa, OPT', () => {
  /** @type {[string, number, number, number][]} rows, offset, positions */
  const expected = [
    ['bert', 512, 0, 512],
    ['gpt2', 1024, 0, 1024],
    ['roberta', 514, 2, 512],
    ['opt', 2050, 2, 2048],
  ]
  for (const [id, rows, offset, positions] of expected) {
    const { resolved } = good(configText(id))
    assert.equal(resolved.encoding, 'learned', id)
    assert.deepEqual(
      [resolved.rows, resolved.offset, resolved.positions],
      [rows, offset, positions],
    )
  }
  const roberta = good(configText('roberta'))
  assert.deepEqual(field(roberta, 'rows').from, { key: 'max_position_embeddings', line: 5 })
  assert.deepEqual(field(roberta, 'offset').from, { computed: 'pad_token_id + 1' })
  assert.deepEqual(adviceKeys(roberta, 512), ['inside', 'offset.inside'])
  const [wall] = advise(roberta.resolved, 513)
  assert.deepEqual([wall.key, wall.warns, wall.params.last], ['wall', true, 511])
  assert.ok(adviceKeys(good(configText('opt')), 1).includes('offset.added'))
})

test('head sizes: given, of DeepSeek, computed; partial rotations of three spellings', () => {
  const rope = (/** @type {string} */ id) => good(configText(id)).resolved.ropes[0]
  assert.equal(rope('gptoss').headDim, 64)
  assert.equal(rope('deepseek').headDim, 64)
  assert.equal(rope('falcon').headDim, 64)
  assert.equal(rope('llama31').headDim, 128)
  assert.equal(good({ ...LLAMA, head_dim: null }).resolved.ropes[0].headDim, 128)
  assert.equal(good({ ...LLAMA, head_dim: 96 }).resolved.ropes[0].headDim, 96)
  assert.deepEqual([rope('phi2').headDim, rope('phi2').partial], [80, 0.4])
  assert.deepEqual([rope('neox').headDim, rope('neox').partial], [96, 0.25])
  assert.deepEqual([rope('gptj').headDim, rope('gptj').partial], [256, 0.25])
  assert.equal(bad({ ...LLAMA, num_attention_heads: 33 }).key, 'odd')
  assert.equal(bad({ model_type: 'mistral', hidden_size: 4096 }).key, 'missing')
})

test('scalings: older and newer spelling, and one set for each kind of layers', () => {
  const older = good(configText('llama31'))
  const newer = good({
    ...LLAMA,
    max_position_embeddings: 131072,
    rope_parameters: {
      rope_theta: 500000,
      rope_type: 'llama3',
      factor: 8,
      low_freq_factor: 1,
      high_freq_factor: 4,
      original_max_position_embeddings: 8192,
    },
  })
  assert.equal(newer.code, older.code)
  const layers = good({
    ...LLAMA,
    model_type: 'gemma3_text',
    rope_parameters: {
      full_attention: { rope_type: 'linear', factor: 8, rope_theta: 1e6 },
      sliding_attention: { rope_type: 'default', rope_theta: 10000 },
    },
  })
  const gemma = good(configText('gemma3'))
  for (const { resolved } of [layers, gemma]) {
    const [full, sliding] = resolved.ropes
    assert.deepEqual(
      [full.layers, full.type, full.factor, full.theta],
      ['full_attention', 'linear', 8, 1e6],
    )
    assert.deepEqual(
      [sliding.layers, sliding.type, sliding.theta],
      ['sliding_attention', 'default', 10000],
    )
  }
  assert.deepEqual(noteKeys(gemma), ['nested'])
  assert.deepEqual(field(gemma, 'theta').from, { assumed: true })
  assert.deepEqual(field(gemma, 'factor').from, { key: 'text_config.rope_scaling.factor', line: 9 })
})

test('LongRoPE: lists of the right length, without the digits of float32', () => {
  const half = 48
  const facts = {
    model_type: 'phi3',
    hidden_size: 3072,
    num_attention_heads: 32,
    max_position_embeddings: 131072,
    original_max_position_embeddings: 4096,
    rope_scaling: {
      type: 'su',
      short_factor: Array(half).fill(Math.fround(1.08)),
      long_factor: Array(half).fill(64.5),
    },
  }
  const reading = good(facts)
  const [rope] = reading.resolved.ropes
  assert.deepEqual([rope.type, rope.short_factor[0], rope.original], ['longrope', 1.08, 4096])
  assert.ok(adviceKeys(reading, 4096).includes('longrope.short'))
  assert.ok(adviceKeys(reading, 4097).includes('longrope.long'))
  facts.rope_scaling.long_factor.pop()
  assert.deepEqual(bad(facts), { key: 'list', params: { key: 'long_factor', count: 47, half } })
})

test('what a user should know', () => {
  const base = { ...LLAMA, max_position_embeddings: 4096 }
  const dynamic = good({ ...base, rope_scaling: { type: 'dynamic', factor: 2 } })
  assert.equal(dynamic.resolved.positions, 8192)
  assert.ok(adviceKeys(dynamic, 4096).includes('dynamic.off'))
  assert.ok(adviceKeys(dynamic, 4097).includes('dynamic.on'))
  const yarn = { type: 'yarn', factor: 4, original_max_position_embeddings: 4096 }
  const unraised = good({ ...base, rope_scaling: yarn })
  assert.equal(unraised.resolved.positions, 16384)
  assert.ok(adviceKeys(unraised, 100).includes('factor'))
  assert.ok(adviceKeys(unraised, 100).includes('always'))
  const raised = good({ ...base, max_position_embeddings: 16384, rope_scaling: yarn })
  assert.equal(raised.resolved.positions, 16384)
  assert.ok(!adviceKeys(raised, 16384).includes('factor'))
  const one = good({ ...base, rope_scaling: { type: 'linear', factor: 1 } })
  assert.ok(adviceKeys(one, 1).includes('factor.one'))
  const ignored = good({ ...base, rope_scaling: { type: 'linear', factor: 2, beta_fast: 32 } })
  assert.deepEqual(ignored.notes[0].params, { keys: 'beta_fast', type: 'linear' })
  const theta = good({ ...base, rope_theta: 1e4, rope_parameters: { rope_theta: 5e5 } })
  assert.deepEqual(noteKeys(theta), ['theta'])
  assert.equal(theta.resolved.ropes[0].theta, 5e5)
  const both = good({ ...base, rope_parameters: {}, rope_scaling: { type: 'linear', factor: 2 } })
  assert.deepEqual(noteKeys(both), ['both'])
  // transformers 5, convert_rope_params_to_dict: `rope_scaling or self.rope_parameters`.
  assert.equal(both.resolved.ropes[0].type, 'linear')
  const other = good({ ...base, rope_scaling: { rope_type: 'brandnew', factor: 2 } })
  assert.deepEqual(
    [other.resolved.ropes[0].type, other.resolved.ropes[0].name],
    ['other', 'brandnew'],
  )
  assert.ok(adviceKeys(other, 1).includes('type.other'))
  const mrope = good({ ...base, rope_scaling: { type: 'mrope', mrope_section: [16, 24, 24] } })
  assert.deepEqual(mrope.resolved.ropes[0].mrope_section, [16, 24, 24])
  assert.ok(adviceKeys(mrope, 1).includes('mrope'))
  assert.ok(adviceKeys(good({ ...base, no_rope_layer_interval: 4 }), 1).includes('every'))
  assert.ok(adviceKeys(good(configText('mistral')), 1).includes('window'))
  assert.ok(!adviceKeys(good(configText('qwen2')), 1).includes('window'))
})

test('codes by what a file says: ALiBi, T5, none, sinusoidal', () => {
  const codeOf = (/** @type {unknown} */ facts) => good(facts).resolved.encoding
  assert.equal(codeOf({ ...LLAMA, model_type: 'falcon', alibi: true }), 'alibi')
  assert.equal(codeOf({ ...LLAMA, model_type: 'falcon', alibi: false }), 'rope')
  assert.equal(
    codeOf({ ...LLAMA, model_type: 'granitemoehybrid', position_embedding_type: 'nope' }),
    'nope',
  )
  assert.equal(codeOf({ ...LLAMA, model_type: 'quite_new', rope_theta: 1e4 }), 'rope')
  assert.equal(codeOf({ ...LLAMA, model_type: 'mpt', max_seq_len: 2048 }), 'learned')
  const { resolved } = good(configText('t5'))
  assert.deepEqual([resolved.buckets, resolved.distance, resolved.bidirectional], [32, 128, 1])
  for (const [encoding, id] of Object.entries(EXAMPLE_OF)) {
    assert.equal(good(configText(id)).resolved.encoding, encoding)
  }
  assert.equal(bad({ ...LLAMA, model_type: 'deberta-v2' }).key, 'disentangled')
  assert.equal(bad({ ...LLAMA, model_type: 'mamba' }).key, 'state')
})

test('broken JSON: the line, and what stands there', () => {
  /** @type {[string, string, number, string?][]} */
  const cases = [
    ['{', 'end', 1],
    ['{\n"a": [1, 2\n', 'end', 3],
    ['{"a": "b', 'found', 1, '"'],
    ['{\n  "a": NaN\n}', 'found', 2, 'NaN'],
    ['{\n  "a": None\n}', 'found', 2, 'None'],
    ["{\n\n'a': 1}", 'found', 3, "'"],
    ['{\n  "a": 1,\n}', 'comma', 2],
    ['{"a": 1}\n}', 'found', 2, '}'],
    ['{"a": 01}', 'found', 1, '01'],
    ['{"a" 1}', 'found', 1, '1'],
    [`${'['.repeat(100)}`, 'deep', 1],
  ]
  for (const [text, key, line, found] of cases) {
    const error = bad(text)
    assert.deepEqual([error.key, error.params.line], [key, line], text)
    if (found !== undefined) assert.equal(error.params.found, found, text)
  }
  assert.equal(bad('').key, 'empty')
  assert.equal(bad('[1]').key, 'object')
  assert.equal(bad('null').key, 'object')
  assert.deepEqual(bad({ model_type: 'unheard_of' }), {
    key: 'unknown',
    params: { family: 'unheard_of' },
  })
  assert.equal(bad({ tokenizer_class: 'x' }).key, 'nothing')
  const value = bad('{"model_type": "llama",\n"hidden_size": "4096"}')
  assert.deepEqual(value, {
    key: 'value',
    params: { key: 'hidden_size', line: 2, value: '"4096"' },
  })
  assert.equal(bad(`"${'x'.repeat(MAX_CONFIG)}"`).key, 'size')
  const twice = good('{"model_type": "bert", "n_positions": 4,\n"n_positions": 8}')
  assert.deepEqual(twice.notes[0].params, { key: 'n_positions', line: 2 })
  assert.equal(twice.resolved.positions, 8)
})

test('what JSON.parse takes is read the same, with lines', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), (text) => {
      const read = parseJson(text)
      assert.ok(!('error' in read), text)
      assert.deepEqual(JSON.stringify(read.value), JSON.stringify(JSON.parse(text)))
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'{}[]",:0.e-\\ntru \n') }), (text) => {
      let parsed = true
      try {
        JSON.parse(text)
      } catch {
        parsed = false
      }
      assert.equal(!('error' in parseJson(text)), parsed, text)
    }),
    { numRuns: times(5000) },
  )
})

test('whatever is pasted, the answer is data', () => {
  const keys = [
    ...'model_type hidden_size num_attention_heads head_dim rope_theta rope_scaling rope_parameters'.split(
      ' ',
    ),
    ...'max_position_embeddings text_config attn_config alibi rotary_dim rotary_pct type rope_type'.split(
      ' ',
    ),
    ...'factor short_factor long_factor mrope_section sliding_window pad_token_id constructor'.split(
      ' ',
    ),
    ...'__proto__ toString hasOwnProperty position_embedding_type low_freq_factor n_head'.split(
      ' ',
    ),
    'relative_attention_num_buckets',
  ]
  const values = fc.oneof(
    fc.constantFrom(
      'llama',
      'bert',
      'roberta',
      't5',
      'mpt',
      'gemma3_text',
      'yarn',
      'longrope',
      'llama3',
    ),
    fc.constantFrom(0, 1, 2, 64, 4096, 131072, -1, 1e9, 1e300, 0.25, null, true, false),
    fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { maxLength: 4 }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  const { config } = fc.letrec((/** @type {any} */ tie) => ({
    config: fc
      .array(fc.tuple(fc.constantFrom(...keys), fc.oneof({ maxDepth: 3 }, values, tie('config'))), {
        maxLength: 10,
      })
      .map((entries) => {
        const pairs = entries.map(([key, value]) => `${JSON.stringify(key)}: ${raw(value)}`)
        return { raw: `{${pairs.join(',\n')}}` }
      }),
  }))
  /** @param {any} value */
  const raw = (value) => value?.raw ?? JSON.stringify(value) ?? 'null'
  // Later keys count, so that most of these are models with something odd about them.
  const started = config.map(
    (found) =>
      `{${JSON.stringify(LLAMA).slice(1, -1)}${raw(found) === '{}' ? '' : ','}${raw(found).slice(1)}`,
  )
  let read = 0
  fc.assert(
    fc.property(fc.oneof({ weight: 6, arbitrary: started }, fc.string()), (text) => {
      const reading = readConfig(text)
      if (!reading.ok) {
        assert.equal(typeof reading.error.key, 'string')
        return
      }
      read += 1
      assert.deepEqual(
        JSON.stringify(readResolved(reading.code)?.encoding),
        JSON.stringify(reading.resolved.encoding),
      )
      assert.ok(reading.code.length <= MAX_RESOLVED)
      advise(reading.resolved, 4096)
    }),
    { numRuns: times(5000) },
  )
  assert.ok(read > times(300), `${read} of them were models`)
  assert.equal(Object.keys(Object.prototype).length, 0)
  assert.equal(/** @type {any} */ ({}).hidden_size, undefined)
})

test('every message has a text in both languages', async () => {
  const texts = [await wordsOf('en'), await wordsOf('zh')]
  /** @param {string} key @param {Record<string, unknown>} params */
  const said = (key, params) => {
    for (const text of texts) {
      assert.ok(text[key], key)
      for (const [, hole] of text[key].matchAll(/\{(\w+)\}/g))
        assert.ok(hole in params, `${key} ${hole}`)
    }
  }
  const scalings = [
    ...['linear', 'ntk', 'dynamic', 'yarn', 'unheard', 'mrope'].map((type) => ({
      type,
      factor: 4,
    })),
    { type: 'dynamic', factor: 1, mrope_section: [16, 24, 24] },
    { type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4 },
    { type: 'longrope', short_factor: Array(64).fill(1), long_factor: Array(64).fill(2) },
    { type: 'yarn', factor: 4, original_max_position_embeddings: 4096, alpha: 1 },
  ]
  const files = [
    ...Object.keys(PUBLIC_MODELS).map(configText),
    ...scalings.map((rope_scaling) =>
      JSON.stringify({
        ...LLAMA,
        max_position_embeddings: 4096,
        no_rope_layer_interval: 4,
        rope_scaling,
      }),
    ),
  ]
  for (const text of files) {
    const { resolved, notes } = good(text)
    for (const length of [1, 512, 4097, 2 ** 24]) {
      for (const { key, params } of [...advise(resolved, length), ...notes])
        said(`model.note.${key}`, params)
    }
  }
  for (const text of [
    '',
    '{',
    '{"a": x}',
    '{"a": 1,}',
    '[]',
    '['.repeat(99),
    '{}',
    '{"model_type": "x"}',
  ]) {
    const { key, params } = bad(text)
    said(`model.error.${key}`, params)
  }
})
