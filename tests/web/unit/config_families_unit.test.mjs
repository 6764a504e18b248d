// Families whose files leave out what their classes assume, or say it in a way of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advise } from '../../../web/src/config/advice.js'
import { readConfig } from '../../../web/src/config/read.js'

/** @param {Record<string, unknown>} facts @returns {any} */
const read = (facts) => readConfig(JSON.stringify(facts))

/** @param {any} reading */
const adviceKeys = (reading) => advise(reading.resolved, 1).map(({ key }) => key)

const SIZES = { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 32768 }

test('what a class assumes: share of the head, base, layers without RoPE', () => {
  // transformers: GlmConfig and Glm4Config, Llama4TextConfig, Cohere2Config.
  assert.equal(read({ model_type: 'glm4', ...SIZES }).resolved.ropes[0].partial, 0.5)
  const llama4 = read({ model_type: 'llama4_text', ...SIZES, no_rope_layers: [] })
  assert.equal(llama4.resolved.ropes[0].theta, 500000)
  assert.ok(adviceKeys(llama4).includes('every'))
  assert.ok(adviceKeys(read({ model_type: 'cohere2', ...SIZES })).includes('every'))
})

test('Blenderbot has a learned table; ESM reads its rows after the padding', () => {
  // transformers: BlenderbotLearnedPositionalEmbedding; EsmEmbeddings (padding_idx + 1).
  const blenderbot = read({ model_type: 'blenderbot', d_model: 512, max_position_embeddings: 128 })
  assert.deepEqual([blenderbot.resolved.encoding, blenderbot.resolved.rows], ['learned', 128])
  const esm = read({
    model_type: 'esm',
    hidden_size: 1280,
    position_embedding_type: 'absolute',
    max_position_embeddings: 1026,
    pad_token_id: 1,
  })
  assert.deepEqual([esm.resolved.rows, esm.resolved.positions], [1026, 1024])
})

test('dynamic scaling starts past max_position_embeddings, whatever stands beside it', () => {
  // transformers: _compute_dynamic_ntk_parameters reads config.max_position_embeddings alone.
  const scaling = { rope_type: 'dynamic', factor: 2, original_max_position_embeddings: 8192 }
  const { resolved } = read({ model_type: 'llama', ...SIZES, rope_scaling: scaling })
  assert.deepEqual([resolved.ropes[0].original, resolved.positions], [undefined, 65536])
})

test('a scaling of another kind is named, and nothing is claimed of it', () => {
  const hunyuan = read({
    model_type: 'llama',
    ...SIZES,
    rope_scaling: { type: 'dynamic', alpha: 1000, factor: 1 },
  })
  assert.deepEqual(
    [hunyuan.resolved.ropes[0].type, hunyuan.resolved.ropes[0].name],
    ['other', 'dynamic-alpha'],
  )
  assert.ok(!adviceKeys(hunyuan).includes('factor.one'))
  const proportional = read({
    model_type: 'llama',
    ...SIZES,
    rope_parameters: { rope_type: 'proportional', partial_rotary_factor: 0.25 },
  })
  assert.deepEqual(adviceKeys(proportional), ['within', 'type.other'])
})

test('a family whose rotation is not known is not guessed', () => {
  const reading = read({ model_type: 'chatglm', ...SIZES, rope_ratio: 500 })
  assert.deepEqual([reading.ok, reading.error.key], [false, 'unknown'])
})

test('a key that a scaling needs is asked for by its name, or follows from the two lengths', () => {
  const scaled = (/** @type {Record<string, unknown>} */ scaling) =>
    read({ model_type: 'llama', ...SIZES, rope_scaling: scaling })
  for (const type of ['linear', 'dynamic', 'yarn']) {
    const { error } = scaled({ rope_type: type })
    assert.deepEqual([error.key, error.params.keys], ['missing', 'rope_scaling.factor'])
  }
  // transformers: config.max_position_embeddings / original_max_position_embeddings.
  const yarn = scaled({ rope_type: 'yarn', original_max_position_embeddings: 8192 })
  assert.equal(yarn.resolved.ropes[0].factor, 4)
  const lists = scaled({ rope_type: 'longrope', short_factor: 3, long_factor: 4 })
  assert.deepEqual([lists.error.key, lists.error.params.key], ['list', 'short_factor'])
})

test('the key that is wrong is named, with its line', () => {
  const roberta = { model_type: 'roberta', max_position_embeddings: 514, pad_token_id: 50000 }
  const { error } = /** @type {any} */ (readConfig(JSON.stringify(roberta, null, 1)))
  assert.deepEqual(error, {
    key: 'value',
    params: { key: 'pad_token_id', line: 4, value: '50000' },
  })
})

test('a language model inside another one, with what its class assumes', () => {
  const inner = { model_type: 'llama', max_position_embeddings: 4096 }
  for (const outer of [{}, { hidden_size: 1024 }]) {
    const { resolved } = read({ model_type: 'llava', ...outer, text_config: inner })
    assert.deepEqual([resolved.encoding, resolved.ropes[0].headDim], ['rope', 128])
  }
})

test('of several kinds of layers those that see the whole text come first', () => {
  const { resolved } = read({
    model_type: 'gemma3_text',
    ...SIZES,
    rope_parameters: { sliding_attention: {}, full_attention: { rope_type: 'linear', factor: 8 } },
  })
  assert.deepEqual(
    resolved.ropes.map((/** @type {any} */ { layers }) => layers),
    ['full_attention', 'sliding_attention'],
  )
})

test('two lists of 64 long factors fit into a link', () => {
  const list = Array.from({ length: 64 }, (_, j) => 1 + Math.sqrt(j) / 3)
  const scaling = { rope_type: 'longrope', short_factor: list, long_factor: list, factor: 4 }
  assert.ok(read({ model_type: 'llama', ...SIZES, rope_scaling: scaling }).ok)
})
