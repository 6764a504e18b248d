// How the files spell things, and which family of models uses which position code.
// Sources: the configuration classes of huggingface/transformers and of the models' own repositories.

/** What is meant, and the keys that say it, the first that is there counts. */
export const KEYS = Object.freeze({
  width: ['hidden_size', 'd_model', 'n_embd', 'n_embed', 'dim', 'emb_dim'],
  heads: [
    'num_attention_heads',
    'n_head',
    'n_heads',
    'num_heads',
    'decoder_attention_heads',
    'encoder_attention_heads',
    'attention_heads',
  ],
  positions: [
    'max_position_embeddings',
    'n_positions',
    'max_seq_len',
    'max_sequence_length',
    'seq_length',
    'seq_len',
    'n_ctx',
    'max_target_positions',
    'max_source_positions',
  ],
  theta: ['rope_theta', 'rotary_emb_base', 'global_rope_theta', 'rope_base', 'rotary_base'],
  partial: ['partial_rotary_factor', 'rotary_pct', 'rope_pct', 'rotary_emb_fraction'],
  head: ['qk_rope_head_dim', 'head_dim', 'attention_head_dim', 'kv_channels', 'd_kv'],
  original: ['original_max_position_embeddings', 'initial_context_length'],
  window: ['sliding_window', 'local_attention', 'sliding_window_size', 'attention_window_size'],
})

/** Where the language model of a larger one is described. */
export const NESTED = Object.freeze([
  'text_config',
  'llm_config',
  'language_config',
  'thinker_config',
  'decoder',
  'text_model',
])

/** @param {string} names */
const set = (names) => new Set(names.split(' '))

const LEARNED = set(
  'bert roberta xlm-roberta xlm-roberta-xl camembert electra albert distilbert mobilebert gpt2 ' +
    'openai-gpt gpt_neo gpt_bigcode bart mbart opt longformer big_bird biogpt blenderbot blenderbot-small ' +
    'layoutlm ernie convbert clip_text_model whisper data2vec-text blip_text_model imagegpt git',
)
const SINUSOIDAL = set('marian pegasus m2m_100 ctrl xglm fsmt speech_to_text')
const ROPE = set(
  'llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe qwen2_vl qwen2_5_vl gpt_neox gptj codegen ' +
    'falcon phi phi3 gemma gemma2 gemma3 gemma3_text stablelm olmo olmo2 cohere cohere2 starcoder2 ' +
    'deepseek_v2 deepseek_v3 gpt_oss glm glm4 persimmon internlm internlm2 baichuan ' +
    'modernbert nomic_bert roformer RefinedWebModel RefinedWeb smollm3 llama4_text llama4 granite ' +
    'exaone4 mllama_text_model minicpm esm',
)
const T5 = set('t5 mt5 umt5 longt5 switch_transformers pop2piano')
const ALIBI = set('bloom')
const NOPE = set('jamba')

/** Families with a code of their own, which the lab knows by name only: a text key each. */
export const OTHERS = Object.freeze(
  /** @type {Record<string, 'disentangled' | 'relative' | 'state'>} */ ({
    deberta: 'disentangled',
    'deberta-v2': 'disentangled',
    xlnet: 'relative',
    'transfo-xl': 'relative',
    mpnet: 'relative',
    mamba: 'state',
    mamba2: 'state',
    falcon_mamba: 'state',
    rwkv: 'state',
  }),
)

/** @typedef {import('../state/resolved.js').Resolved['encoding']} Encoding */

/** @param {string} family @returns {Encoding | undefined} */
export function codeOfFamily(family) {
  const found = Object.entries({
    learned: LEARNED,
    sinusoidal: SINUSOIDAL,
    rope: ROPE,
    t5: T5,
    alibi: ALIBI,
    nope: NOPE,
  }).find(([, families]) => families.has(family))
  return /** @type {Encoding | undefined} */ (found?.[0])
}

/** `position_embedding_type` and what it means. */
export const CODE_OF_TYPE = Object.freeze(
  /** @type {Record<string, Encoding>} */ ({
    absolute: 'learned',
    learned_absolute: 'learned',
    learned: 'learned',
    rotary: 'rope',
    rope: 'rope',
    alibi: 'alibi',
    nope: 'nope',
    sinusoidal: 'sinusoidal',
  }),
)

/** Position 0 reads row `pad_token_id + 1`, and the file counts all rows (transformers #14243). */
export const PADDED = set(
  'roberta xlm-roberta xlm-roberta-xl camembert longformer data2vec-text esm',
)

/** Two rows more than the file says, and position 0 reads row 2 (transformers #20761). */
export const SHIFTED = set('opt bart mbart biogpt')

/**
 * What the classes of transformers assume where a file says nothing. A file that was saved from
 * inside another one often leaves them out.
 * @type {Record<string, Record<string, number>>}
 */
export const DEFAULTS = Object.freeze({
  llama: { hidden_size: 4096, num_attention_heads: 32, max_position_embeddings: 2048 },
  t5: { relative_attention_num_buckets: 32, relative_attention_max_distance: 128 },
  gpt_neox: { rotary_pct: 0.25 },
  gptj: { rotary_dim: 64 },
  persimmon: { partial_rotary_factor: 0.5 },
  phi: { partial_rotary_factor: 0.5 },
  stablelm: { partial_rotary_factor: 0.25 },
  glm: { partial_rotary_factor: 0.5 },
  glm4: { partial_rotary_factor: 0.5 },
  llama4_text: { rope_theta: 500000, no_rope_layer_interval: 4 },
  cohere2: { no_rope_layer_interval: 4 },
  gemma3_text: {
    rope_theta: 1e6,
    rope_local_base_freq: 10000,
    max_position_embeddings: 131072,
    num_attention_heads: 8,
    head_dim: 256,
    sliding_window: 4096,
  },
  modernbert: { global_rope_theta: 160000, local_rope_theta: 10000, local_attention: 128 },
  falcon: { max_position_embeddings: 2048 },
  whisper: { max_target_positions: 448 },
})

/** Names of RoPE types that mean one of the kernel's. @type {Record<string, string>} */
export const SAME_TYPE = Object.freeze({
  su: 'longrope',
  mrope: 'default',
  deepseek_yarn: 'yarn',
  none: 'default',
})

/** What each type reads of its object. @type {Record<string, string[]>} */
export const READ_BY_TYPE = Object.freeze({
  default: [],
  linear: ['factor'],
  ntk: ['factor'],
  dynamic: ['factor'],
  yarn: [
    'factor',
    'attention_factor',
    'beta_fast',
    'beta_slow',
    'mscale',
    'mscale_all_dim',
    'truncate',
  ],
  longrope: ['factor', 'attention_factor', 'short_factor', 'long_factor'],
  llama3: ['factor', 'low_freq_factor', 'high_freq_factor'],
})
