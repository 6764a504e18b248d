// What a model was trained on, and whether a text brings it to angles that this never showed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { advise } from '../../../web/src/config/advice.js'
import { PUBLIC_MODELS, configText } from '../../../web/src/config/models.js'
import { readConfig } from '../../../web/src/config/read.js'
import { trainingOf, turnsOf } from '../../../web/src/config/training.js'
import { kernel } from '../stage.mjs'
import { times } from '../../sampling.mjs'

/** @param {string | Record<string, unknown>} facts of a file, or the id of a public model */
function resolvedOf(facts) {
  const reading = readConfig(typeof facts === 'string' ? configText(facts) : JSON.stringify(facts))
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading.resolved
}

/** @param {string | Record<string, unknown>} facts @param {number} length */
async function turnsAt(facts, length) {
  const resolved = resolvedOf(facts)
  return turnsOf(await kernel(), resolved, resolved.ropes[0], length)
}

/** @param {string | Record<string, unknown>} facts @param {number} length */
const unseenAt = async (facts, length) => (await turnsAt(facts, length)).unseen

const LLAMA = { model_type: 'llama', hidden_size: 4096, num_attention_heads: 32 }

/**
 * Pairs that need more than `length` positions for a turn, 2 pi theta^(2j/d): in logarithms.
 * @param {number} headDim
 * @param {number} theta
 * @param {number} length
 */
const unturned = (headDim, theta, length) =>
  Array.from({ length: headDim / 2 }, (_, j) => (2 * j * Math.log(theta)) / headDim).filter(
    (log) => Math.log(2 * Math.PI) + log > Math.log(length),
  ).length

test('Qwen3 at its 40,960 positions meets no new angle', async () => {
  const file = { ...LLAMA, max_position_embeddings: 40960, rope_theta: 1000000 }
  assert.equal(await unseenAt(file, 40960), 0)
  assert.equal(await unseenAt(file, 40961), unturned(128, 1e6, 40960))
  // config.json of 0.6B, 1.7B, 4B, 8B, 14B and 32B, of 30B-A3B and 235B-A22B.
  for (const [width, heads, type] of /** @type {const} */ ([
    [1024, 16, 'qwen3'],
    [2048, 16, 'qwen3'],
    [2560, 32, 'qwen3'],
    [4096, 32, 'qwen3'],
    [5120, 40, 'qwen3'],
    [5120, 64, 'qwen3'],
    [2048, 32, 'qwen3_moe'],
    [4096, 64, 'qwen3_moe'],
  ])) {
    const own = { model_type: type, hidden_size: width, num_attention_heads: heads, head_dim: 128 }
    assert.equal(await unseenAt({ ...file, ...own }, 40960), 0, `${width} ${heads}`)
  }
})

test('every public model knows the angles of the positions that it promises', async () => {
  for (const id of Object.keys(PUBLIC_MODELS)) {
    const { ropes, positions } = resolvedOf(id)
    if (ropes.length > 0) assert.equal(await unseenAt(id, positions ?? 1), 0, id)
  }
})

test('a text that is longer than the window has no distance beyond it', async () => {
  // Jiang et al. 2023: each layer of Mistral 7B sees 4,096 positions.
  const mistral = { ...LLAMA, model_type: 'mistral', max_position_embeddings: 4096 }
  assert.equal(await unseenAt(mistral, 16384), unturned(128, 10000, 4096))
  assert.equal(await unseenAt({ ...mistral, sliding_window: 4096 }, 16384), 0)
  assert.equal(await unseenAt('mistral', 2 ** 24), 0)
  // Every other layer of gpt-oss, five of six of Gemma 3 have a window; the others see everything.
  for (const id of ['gptoss', 'gemma3']) {
    const turns = await turnsAt(id, 2 ** 24)
    assert.deepEqual([turns.window, turns.unseen > 0], [undefined, true], id)
  }
})

test('trained on beyond the first length, where the authors say so of this very scaling', async () => {
  for (const [id, trained] of /** @type {const} */ ([
    ['llama31', 8192],
    ['deepseek', 4096],
    ['gptoss', 4096],
    ['gemma3', 32768],
  ])) {
    const turns = await turnsAt(id, 131072)
    assert.deepEqual([turns.trained, turns.further, turns.unseen], [trained, 131072, 0], id)
  }
  // 8 times 8,192 is 65,536: the first training alone does not reach Llama 3.1's 131,072.
  const llama31 = /** @type {any} */ (PUBLIC_MODELS.llama31.facts)
  const { rope_scaling: scaling } = llama31
  const own = { ...llama31, rope_scaling: { ...scaling, factor: 9 } }
  assert.equal((await turnsAt(own, 131072)).further, undefined)
  assert.equal(await unseenAt(own, 65536), 0)
  assert.ok((await unseenAt(own, 131072)) > 0)
  const { ropes } = resolvedOf('llama2')
  assert.equal(trainingOf(resolvedOf('llama2'), ropes[0]).further, undefined)
})

test('within the trained length nothing is new, past it what has not turned', async () => {
  const engine = await kernel()
  const sizes = fc.constantFrom(2, 16, 64, 96, 128, 256)
  const thetas = fc.double({ min: 1.01, max: 1e9, noNaN: true })
  const lengths = fc.integer({ min: 1, max: 2 ** 20 })
  await fc.assert(
    fc.asyncProperty(sizes, thetas, lengths, lengths, async (head, theta, trained, length) => {
      const resolved = resolvedOf({
        ...LLAMA,
        head_dim: head,
        rope_theta: theta,
        max_position_embeddings: trained,
      })
      const { unseen } = await turnsOf(engine, resolved, resolved.ropes[0], length)
      assert.equal(unseen, length > trained ? unturned(head, theta, trained) : 0)
    }),
    { numRuns: times(2000) },
  )
})

test('what is said of a scaling: needed by weights that were trained with it, else in vain', () => {
  const keysAt = (/** @type {string | Record<string, unknown>} */ facts, /** @type {number} */ n) =>
    advise(resolvedOf(facts), n).map(({ key }) => key)
  for (const id of ['deepseek', 'gptoss']) {
    const keys = keysAt(id, 1024)
    assert.ok(keys.includes('expected') && !keys.includes('always'), id)
  }
  // Qwen2.5's model card: add YaRN for long texts only.
  const yarn = { type: 'yarn', factor: 4, original_max_position_embeddings: 32768 }
  const qwen = { ...LLAMA, model_type: 'qwen2', max_position_embeddings: 32768, rope_scaling: yarn }
  assert.ok(keysAt(qwen, 1024).includes('always') && !keysAt(qwen, 1024).includes('expected'))
  assert.ok(!keysAt(qwen, 32769).includes('always'))
  assert.ok(!keysAt('gemma3', 1024).includes('linear.unsaid'))
  const linear = advise(resolvedOf('gemma3'), 1024).find(({ key }) => key === 'type.linear')
  assert.equal(linear?.params.layers, 'full_attention')
})

test('Jamba has its order from Mamba layers, too', () => {
  const keys = (/** @type {string | Record<string, unknown>} */ facts) =>
    advise(resolvedOf(facts), 1).map(({ key }) => key)
  assert.ok(keys('jamba').includes('code.mamba'))
  const pure = { ...LLAMA, max_position_embeddings: 64, position_embedding_type: 'nope' }
  assert.ok(keys(pure).includes('code.nope'))
})
