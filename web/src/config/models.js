// Facts about public models: only what their positions follow from, under the names that their own
// config.json uses; `source` is where it is published.

/**
 * @typedef {object} PublicModel
 * @property {string} name
 * @property {string} source address of its config.json
 * @property {Record<string, unknown>} facts
 */

/** @param {string} path on huggingface.co */
const file = (path) => `https://huggingface.co/${path}/blob/main/config.json`

/** @type {Readonly<Record<string, PublicModel>>} */
export const PUBLIC_MODELS = Object.freeze({
  llama31: {
    name: 'Llama 3.1 8B',
    source: file('meta-llama/Llama-3.1-8B'),
    facts: {
      model_type: 'llama',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 131072,
      rope_theta: 500000,
      rope_scaling: {
        rope_type: 'llama3',
        factor: 8,
        low_freq_factor: 1,
        high_freq_factor: 4,
        original_max_position_embeddings: 8192,
      },
    },
  },
  llama2: {
    name: 'Llama 2 7B',
    source: file('meta-llama/Llama-2-7b-hf'),
    facts: {
      model_type: 'llama',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 4096,
      rope_scaling: null,
    },
  },
  gptoss: {
    name: 'gpt-oss-20b',
    source: file('openai/gpt-oss-20b'),
    facts: {
      model_type: 'gpt_oss',
      hidden_size: 2880,
      num_attention_heads: 64,
      head_dim: 64,
      max_position_embeddings: 131072,
      sliding_window: 128,
      rope_theta: 150000,
      rope_scaling: {
        rope_type: 'yarn',
        factor: 32,
        beta_fast: 32,
        beta_slow: 1,
        original_max_position_embeddings: 4096,
        truncate: false,
      },
    },
  },
  deepseek: {
    name: 'DeepSeek-V3',
    source: file('deepseek-ai/DeepSeek-V3'),
    facts: {
      model_type: 'deepseek_v3',
      hidden_size: 7168,
      num_attention_heads: 128,
      qk_nope_head_dim: 128,
      qk_rope_head_dim: 64,
      max_position_embeddings: 163840,
      rope_theta: 10000,
      rope_scaling: {
        type: 'yarn',
        factor: 40,
        beta_fast: 32,
        beta_slow: 1,
        mscale: 1,
        mscale_all_dim: 1,
        original_max_position_embeddings: 4096,
      },
    },
  },
  mistral: {
    name: 'Mistral 7B v0.1',
    source: file('mistralai/Mistral-7B-v0.1'),
    facts: {
      model_type: 'mistral',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 32768,
      sliding_window: 4096,
      rope_theta: 10000,
    },
  },
  qwen2: {
    name: 'Qwen2 7B Instruct',
    source: file('Qwen/Qwen2-7B-Instruct'),
    facts: {
      model_type: 'qwen2',
      hidden_size: 3584,
      num_attention_heads: 28,
      max_position_embeddings: 32768,
      rope_theta: 1000000,
      sliding_window: 131072,
      use_sliding_window: false,
    },
  },
  gemma3: {
    name: 'Gemma 3 12B',
    source: file('google/gemma-3-12b-it'),
    facts: {
      model_type: 'gemma3',
      text_config: {
        model_type: 'gemma3_text',
        hidden_size: 3840,
        num_attention_heads: 16,
        rope_scaling: { rope_type: 'linear', factor: 8 },
        sliding_window: 1024,
      },
    },
  },
  phi2: {
    name: 'Phi-2',
    source: file('microsoft/phi-2'),
    facts: {
      model_type: 'phi',
      hidden_size: 2560,
      num_attention_heads: 32,
      max_position_embeddings: 2048,
      partial_rotary_factor: 0.4,
      rope_theta: 10000,
    },
  },
  neox: {
    name: 'GPT-NeoX 20B',
    source: file('EleutherAI/gpt-neox-20b'),
    facts: {
      model_type: 'gpt_neox',
      hidden_size: 6144,
      num_attention_heads: 64,
      max_position_embeddings: 2048,
      rotary_pct: 0.25,
      rotary_emb_base: 10000,
    },
  },
  gptj: {
    name: 'GPT-J 6B',
    source: file('EleutherAI/gpt-j-6b'),
    facts: { model_type: 'gptj', n_embd: 4096, n_head: 16, n_positions: 2048, rotary_dim: 64 },
  },
  falcon: {
    name: 'Falcon 7B',
    source: file('tiiuae/falcon-7b'),
    facts: { model_type: 'falcon', hidden_size: 4544, num_attention_heads: 71, alibi: false },
  },
  bert: {
    name: 'BERT-base',
    source: file('google-bert/bert-base-uncased'),
    facts: {
      model_type: 'bert',
      hidden_size: 768,
      num_attention_heads: 12,
      max_position_embeddings: 512,
      position_embedding_type: 'absolute',
    },
  },
  gpt2: {
    name: 'GPT-2',
    source: file('openai-community/gpt2'),
    facts: { model_type: 'gpt2', n_embd: 768, n_head: 12, n_positions: 1024 },
  },
  roberta: {
    name: 'RoBERTa-base',
    source: file('FacebookAI/roberta-base'),
    facts: {
      model_type: 'roberta',
      hidden_size: 768,
      num_attention_heads: 12,
      max_position_embeddings: 514,
      pad_token_id: 1,
    },
  },
  opt: {
    name: 'OPT 125M',
    source: file('facebook/opt-125m'),
    facts: {
      model_type: 'opt',
      hidden_size: 768,
      num_attention_heads: 12,
      max_position_embeddings: 2048,
    },
  },
  bloom: {
    name: 'BLOOM',
    source: file('bigscience/bloom'),
    facts: { model_type: 'bloom', n_embed: 14336, num_attention_heads: 112, seq_length: 2048 },
  },
  mpt: {
    name: 'MPT-7B',
    source: file('mosaicml/mpt-7b'),
    facts: {
      model_type: 'mpt',
      d_model: 4096,
      n_heads: 32,
      max_seq_len: 2048,
      attn_config: { alibi: true, alibi_bias_max: 8 },
    },
  },
  t5: {
    name: 'T5-base',
    source: file('google-t5/t5-base'),
    facts: {
      model_type: 't5',
      d_model: 768,
      num_heads: 12,
      d_kv: 64,
      relative_attention_num_buckets: 32,
    },
  },
  jamba: {
    name: 'Jamba 1.5 Mini',
    source: file('ai21labs/AI21-Jamba-Mini-1.5'),
    facts: {
      model_type: 'jamba',
      hidden_size: 4096,
      num_attention_heads: 32,
      max_position_embeddings: 262144,
    },
  },
  marian: {
    name: 'OPUS-MT en-de',
    source: file('Helsinki-NLP/opus-mt-en-de'),
    facts: {
      model_type: 'marian',
      d_model: 512,
      decoder_attention_heads: 8,
      max_position_embeddings: 512,
      static_position_embeddings: true,
    },
  },
})

/** What is shown of a code before the reader has chosen a model. */
export const EXAMPLE_OF = Object.freeze(
  /** @type {Record<import('../state/resolved.js').Resolved['encoding'], string>} */ ({
    rope: 'llama31',
    learned: 'roberta',
    alibi: 'bloom',
    t5: 't5',
    nope: 'jamba',
    sinusoidal: 'marian',
  }),
)

/** The facts as a text that can be read, and changed, like any config.json. @param {string} id */
export const configText = (id) => JSON.stringify(PUBLIC_MODELS[id].facts, null, 2)
