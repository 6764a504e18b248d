// Paper says, your run says: when an order is the same, another, or not to be compared.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  ORDERS,
  RANDOMIZED,
  disagreements,
  orderOf,
  pairsOf,
} from '../../web/src/scenes/lab_published.js'
import {
  accuracyBetween,
  differs,
  judge,
  judgeGain,
  matchingLength,
  pointWithin,
  runOf,
} from '../../web/src/scenes/lab_verdict.js'

const [ALIBI, RANKING] = ORDERS
const OPTIONS = { length: 16, reach: 4, causal: true, randomized: false }
/** The order of Kazemnejad et al., with accuracies that leave no doubt. */
const AS_RANKED = { nope: 0.9, t5: 0.8, alibi: 0.7, rope: 0.5, sinusoidal: 0.2 }

/**
 * A curve that is `inside` up to L, and `past` beyond it.
 * @param {number} past
 * @param {{ inside?: number, length?: number, reach?: number }} [options]
 */
function curve(past, { inside = 1, length = 16, reach = 4 } = {}) {
  const lengths = Int32Array.from({ length: length * reach }, (_, i) => i + 1)
  return {
    lengths,
    accuracies: Float64Array.from(lengths, (n) => (n <= length ? inside : past)),
    counts: new Int32Array(lengths.length).fill(64),
    inside,
    final: true,
  }
}

/**
 * @param {Record<string, number | number[]>} accuracies past L, by code: of each seed, or about the same of
 *   three
 * @param {{ task?: string, options?: object, inside?: Record<string, number>, status?: string }} [more]
 * @returns {any}
 */
function run(accuracies, { task = 'copy', options, inside = {}, status = 'done' } = {}) {
  const entries = Object.entries(accuracies).flatMap(([code, past]) =>
    (Array.isArray(past) ? past : [past - 0.003, past, past + 0.003]).map((value, seed) => ({
      task,
      code,
      seed,
      status,
      curve: status === 'done' ? curve(value, { inside: inside[code] }) : undefined,
    })),
  )
  return runOf(/** @type {any} */ (entries), { ...OPTIONS, ...options }, task)
}

test('the papers’ orders', () => {
  assert.deepEqual(orderOf(ALIBI, ALIBI.points[2]), ['alibi', 't5', 'rope', 'sinusoidal'])
  assert.deepEqual(orderOf(ALIBI, ALIBI.points[0])[0], 't5')
  assert.deepEqual(orderOf(RANKING, RANKING.points[0]), [
    ...['nope', 't5', 'alibi', 'rope', 'sinusoidal'],
  ])
  assert.deepEqual(disagreements(ALIBI, RANKING), [['alibi', 't5']])
  // Codes that are level have no order.
  const level = { length: 40, values: { alibi: 0.57, rope: 0.04, sinusoidal: 0.04 } }
  assert.deepEqual(pairsOf(RANKING, level), [
    ['alibi', 'rope'],
    ['alibi', 'sinusoidal'],
  ])
})

test('the length of the lab that stands for one of a paper', () => {
  assert.equal(pointWithin(ALIBI, 4)?.length, 1012)
  assert.equal(pointWithin(ALIBI, 8)?.length, 3512)
  assert.equal(pointWithin(ALIBI, 1.5), undefined)
  assert.equal(matchingLength(ALIBI, 1012, 16), 32)
  assert.equal(matchingLength(RANKING, 40, 64), 128)
})

test('the accuracy of a stretch weighs each target alike, and knows nothing past a wall', () => {
  const broken = {
    lengths: [1, 2, 3, 4],
    accuracies: [1, 0.5, NaN, NaN],
    counts: [10, 30, 0, 0],
  }
  assert.equal(accuracyBetween(broken, 0, 4), 25 / 40)
  assert.equal(accuracyBetween(broken, 1, 2), 0.5)
  assert.ok(Number.isNaN(accuracyBetween(broken, 2, 4)))
})

test('a difference counts when a paired t test says so', () => {
  assert.equal(differs([0.2, 0.21, 0.19]).certain, true)
  // t = mean / (sd / sqrt(3)) = 2: below 4.303, the bound for 3 seeds.
  assert.equal(differs([0.02, 0.1, 0.18]).certain, false)
  assert.equal(differs([-0.2, -0.21, -0.19]).certain, true)
  assert.equal(differs([0.3]).certain, false, 'one seed tells nothing')
  assert.equal(differs([0.01, 0.01, 0.01]).certain, false, 'a hundredth is level')
})

test('same order: no pair against the paper, and at least half of them certain', () => {
  const { verdict, agree, against, close, order, point } = judge(RANKING, run(AS_RANKED))
  assert.deepEqual(
    { verdict, agree, against, close },
    {
      ...{ verdict: 'same', agree: 10, against: 0, close: 0 },
    },
  )
  assert.deepEqual(order, ['nope', 't5', 'alibi', 'rope', 'sinusoidal'])
  assert.equal(point?.length, 40)
})

test('other order: the clearest pair is named, the better one of the paper first', () => {
  const found = judge(RANKING, run({ ...AS_RANKED, nope: 0.1 }))
  assert.equal(found.verdict, 'other')
  assert.deepEqual([found.agree, found.against], [6, 4])
  assert.deepEqual(found.clearest, ['nope', 't5'])
})

test('too close: seeds that differ as much as the codes', () => {
  const wide = [0.2, 0.5, 0.8]
  const shuffled = { nope: wide, t5: [0.5, 0.8, 0.2], alibi: [0.8, 0.2, 0.5] }
  const found = judge(RANKING, run(shuffled))
  assert.deepEqual([found.verdict, found.reason, found.close], ['not', 'close', 3])
  const level = judge(RANKING, run({ nope: 1, t5: 1, alibi: 1, rope: 0.2, sinusoidal: 1 }))
  // RoPE is certainly below three, and above the sinusoid in the paper: that pair decides.
  assert.deepEqual([level.verdict, level.clearest], ['other', ['rope', 'sinusoidal']])
})

test('not comparable: another task, yet the pairs are counted', () => {
  const found = judge(ALIBI, run({ alibi: 0.9, t5: 0.7, rope: 0.4 }, { task: 'latest' }))
  assert.deepEqual([found.verdict, found.reason, found.agree], ['not', 'task', 3])
  assert.deepEqual(found.missing, ['sinusoidal'])
  assert.equal(judge(RANKING, run(AS_RANKED, { task: 'back' })).reason, 'task')
})

test('not comparable: mask, randomized positions, size, codes, training', () => {
  /** @param {any} other */
  const reason = (other) => judge(RANKING, other).reason
  assert.equal(reason(run({})), 'none')
  assert.equal(reason(run(AS_RANKED, { options: { causal: false } })), 'mask')
  assert.equal(reason(run(AS_RANKED, { options: { randomized: true } })), 'randomized')
  assert.equal(reason(run(AS_RANKED, { options: { reach: 1.5 } })), 'size')
  assert.equal(reason(run({ nope: 0.9, learned: 0.2 })), 'missing')
  assert.equal(reason(run(AS_RANKED, { status: 'running' })), 'unfinished')
  const below = { nope: 0.3, t5: 0.94, alibi: 0.3, rope: 0.949 }
  assert.equal(reason(run(AS_RANKED, { inside: below })), 'untrained')
  assert.equal(reason(run({ nope: [0.9], t5: [0.5] })), 'seeds')
})

test('what did not learn the task is left out, and named only when it is done', () => {
  const found = judge(RANKING, run(AS_RANKED, { inside: { nope: 0.27 } }))
  assert.deepEqual([found.verdict, found.untrained], ['same', ['nope']])
  assert.ok(!found.order.includes('nope'))
  assert.deepEqual(judge(RANKING, run(AS_RANKED, { status: 'running' })).untrained, [])
})

test('failed runs end the waiting and count as nothing', () => {
  const entries = ['nope', 't5', 'alibi'].flatMap((code) =>
    [0, 1, 2].map((seed) => ({
      ...{ task: 'copy', code, seed },
      ...(code === 'nope'
        ? { status: 'failed' }
        : { status: 'done', curve: curve(code === 't5' ? 0.8 : 0.4) }),
    })),
  )
  const found = judge(RANKING, runOf(/** @type {any} */ (entries), OPTIONS, 'copy'))
  assert.deepEqual([found.verdict, found.untrained], ['same', ['nope']])
})

test('randomized positions: two runs that differ in the switch alone', () => {
  const both = { task: 'reverse', options: { causal: false } }
  const switched = { task: 'reverse', options: { causal: false, randomized: true } }
  const plain = run({ learned: 0.2, sinusoidal: 0.3, nope: 0.9 }, both)
  const better = run({ learned: 0.9, sinusoidal: 0.4, nope: 0.1 }, switched)
  const found = judgeGain(RANDOMIZED, plain, better)
  assert.equal(found.verdict, 'same')
  assert.ok(Math.abs(found.gain - 0.4) < 1e-9, 'the mean of 0.7 and 0.1; NoPE has no positions')
  assert.deepEqual(judgeGain(RANDOMIZED, better, plain), found, 'whichever was run last')
  const worse = run({ learned: 0.1, sinusoidal: 0.2 }, switched)
  assert.equal(judgeGain(RANDOMIZED, worse, plain).verdict, 'other')
  assert.equal(judgeGain(RANDOMIZED, plain, undefined).reason, 'single')
  assert.equal(judgeGain(RANDOMIZED, run({ learned: 0.2 }), undefined).reason, 'task')
  const causal = run({ learned: 0.2 }, { task: 'reverse' })
  assert.equal(judgeGain(RANDOMIZED, causal, undefined).reason, 'mask')
  const level = run({ learned: 0.2, sinusoidal: 0.3 }, switched)
  assert.equal(judgeGain(RANDOMIZED, plain, level).reason, 'close')
})

test('every task and every reason of the core has words in both languages', async () => {
  const read = (/** @type {string} */ file) =>
    readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  const [tasks, options] = await Promise.all(
    ['tasks.h', 'lab_options.h'].map((name) => read(`cpp/include/posenc/train/${name}`)),
  )
  const list = /solvability_reasons = \{([^]*?)\};/.exec(tasks)?.[1] ?? ''
  const reasons = [...list.matchAll(/"([a-z-]+)"/g)].map(([, id]) => `reason.${id}`)
  const names = /enum class LabTask \{([^}]*)\}/.exec(options)?.[1].match(/\w+/g) ?? []
  assert.ok(reasons.length > 10 && names.length === 12)
  const needed = names.flatMap((id) => [`task.${id}`, `task.${id}.what`])
  for (const language of ['en', 'zh']) {
    const words = JSON.parse(await read(`web/text/lab.${language}.json`))
    const worded = Object.keys(words)
    for (const key of [...needed, ...reasons]) assert.ok(words[key]?.length > 1, key)
    const spare = worded.filter((key) => /^reason\./.test(key) && !reasons.includes(key))
    assert.deepEqual(spare, [], 'no words for what the core never says')
  }
})
