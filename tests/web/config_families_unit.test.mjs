// Families whose files leave out what their classes assume, or say it in a way of their own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { advise } from '../../web/src/config/advice.js'
import { readConfig } from '../../web/src/config/read.js'

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
