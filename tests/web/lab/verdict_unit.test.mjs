// Paper says, your run says: when an order is the same, another, or not to be compared.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { wordsOf } from '../../../web/build/words.mjs'
import {
  ORDERS,
  RANDOMIZED,
  disagreements,
  orderOf,
  pairsOf,
} from '../../../web/src/lab/paper/published.js'
import { linesOf } from '../../../web/src/lab/run/lines.js'
import {
  gainOf,
  judge,
  judgeGain,
  matchingLength,
  pointWithin,
  runOf,
  tallyOf,
} from '../../../web/src/lab/paper/verdict.js'
import { kernel } from '../stage.mjs'

/** Means, tests and what counts as trained are the kernel's own. @type {any} */
const engine = await kernel()
const [ALIBI, RANKING] = ORDERS
const OPTIONS = { length: 16, reach: 4, causal: true, randomized: false, lengths: 'fixed' }
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
    counts: new Int32Array(lengths.length).fill(1000),
  }
}

/** @param {any[]} entries @param {any} options @param {string} task */
async function runWith(entries, options, task) {
  const codes = [...new Set(entries.map(({ code }) => code))]
  const lines = await linesOf(engine, entries, { codes, options }, task)
  return runOf(lines, { ...options, seeds: [0, 1, 2] }, task)
}

/** @param {import('../../../web/src/lab/paper/published.js').Published} paper @param {any} of */
const judged = async (paper, of) => judge(paper, of, await tallyOf(engine, paper, of))

/** @param {any} of @param {any} [other] */
const gained = async (of, other) =>
  judgeGain(RANDOMIZED, of, other, await gainOf(engine, of, other))

/**
 * @param {Record<string, number | number[]>} accuracies past L, by code: of each seed, or about the same of
 *   three
 * @param {{ task?: string, options?: object, inside?: Record<string, number>, status?: string }} [more]
 * @returns {Promise<any>}
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
  return runWith(entries, { ...OPTIONS, ...options }, task)
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

test('same order: no pair against the paper, and at least half of them certain', async () => {
  const { verdict, agree, against, close, order, point } = await judged(
    RANKING,
    await run(AS_RANKED),
  )
  assert.deepEqual(
    { verdict, agree, against, close },
    { verdict: 'same', agree: 10, against: 0, close: 0 },
  )
  assert.deepEqual(order, ['nope', 't5', 'alibi', 'rope', 'sinusoidal'])
  assert.equal(point?.length, 40)
})

test('other order: the clearest pair is named, the better one of the paper first', async () => {
  const found = await judged(RANKING, await run({ ...AS_RANKED, nope: 0.1 }))
  assert.equal(found.verdict, 'other')
  assert.deepEqual([found.agree, found.against], [6, 4])
  assert.deepEqual(found.clearest, ['nope', 't5'])
})

test('too close: seeds that differ as much as the codes', async () => {
  const wide = [0.2, 0.5, 0.8]
  const shuffled = { nope: wide, t5: [0.5, 0.8, 0.2], alibi: [0.8, 0.2, 0.5] }
  const found = await judged(RANKING, await run(shuffled))
  assert.deepEqual([found.verdict, found.reason, found.close], ['not', 'close', 3])
  const level = await judged(
    RANKING,
    await run({ nope: 0.99, t5: 0.99, alibi: 0.99, rope: 0.2, sinusoidal: 0.99 }),
  )
  // RoPE is certainly below three, and above the sinusoid in the paper: that pair decides.
  assert.deepEqual([level.verdict, level.clearest], ['other', ['rope', 'sinusoidal']])
})

test('not comparable: another task, yet the pairs are counted', async () => {
  const latest = await run({ alibi: 0.9, t5: 0.7, rope: 0.4 }, { task: 'latest' })
  const found = await judged(ALIBI, latest)
  assert.deepEqual([found.verdict, found.reason, found.agree], ['not', 'task', 3])
  assert.deepEqual(found.missing, ['sinusoidal'])
  assert.equal((await judged(RANKING, await run(AS_RANKED, { task: 'back' }))).reason, 'task')
})

test('not comparable: mask, randomized positions, size, codes, training', async () => {
  /** @param {Parameters<typeof run>} of */
  const reason = async (...of) => (await judged(RANKING, await run(...of))).reason
  assert.equal(await reason({}), 'none')
  assert.equal(await reason(AS_RANKED, { options: { causal: false } }), 'mask')
  assert.equal(await reason(AS_RANKED, { options: { randomized: true } }), 'randomized')
  assert.equal(await reason(AS_RANKED, { options: { reach: 1.5 } }), 'size')
  assert.equal(await reason({ nope: 0.9, learned: 0.2 }), 'missing')
  assert.equal(await reason(AS_RANKED, { status: 'running' }), 'unfinished')
  const below = { nope: 0.3, t5: 0.94, alibi: 0.3, rope: 0.949 }
  assert.equal(await reason(AS_RANKED, { inside: below }), 'untrained')
  assert.equal(await reason({ nope: [0.9], t5: [0.5] }), 'seeds')
})

test('what did not learn the task is left out, and named only when it is done', async () => {
  const found = await judged(RANKING, await run(AS_RANKED, { inside: { nope: 0.27 } }))
  assert.deepEqual([found.verdict, found.untrained], ['same', ['nope']])
  assert.ok(!found.order.includes('nope'))
  const running = await run(AS_RANKED, { status: 'running' })
  assert.deepEqual((await judged(RANKING, running)).untrained, [])
})

test('failed runs end the waiting and count as nothing', async () => {
  const entries = ['nope', 't5', 'alibi'].flatMap((code) =>
    [0, 1, 2].map((seed) => ({
      ...{ task: 'copy', code, seed },
      ...(code === 'nope'
        ? { status: 'failed' }
        : { status: 'done', curve: curve(code === 't5' ? 0.8 : 0.4) }),
    })),
  )
  const found = await judged(RANKING, await runWith(entries, OPTIONS, 'copy'))
  assert.deepEqual([found.verdict, found.untrained], ['same', ['nope']])
})

test('randomized positions: two runs that differ in the switch alone', async () => {
  const both = { task: 'reverse', options: { causal: false } }
  const switched = { task: 'reverse', options: { causal: false, randomized: true } }
  const plain = await run({ learned: 0.2, sinusoidal: 0.3, nope: 0.9 }, both)
  const better = await run({ learned: 0.9, sinusoidal: 0.4, nope: 0.1 }, switched)
  const found = await gained(plain, better)
  assert.equal(found.verdict, 'same')
  assert.ok(Math.abs(found.gain - 0.4) < 1e-9, 'the mean of 0.7 and 0.1; NoPE has no positions')
  assert.deepEqual(await gained(better, plain), found, 'whichever was run last')
  const worse = await run({ learned: 0.1, sinusoidal: 0.2 }, switched)
  assert.equal((await gained(worse, plain)).verdict, 'other')
  assert.equal((await gained(plain)).reason, 'single')
  assert.equal((await gained(await run({ learned: 0.2 }))).reason, 'task')
  assert.equal((await gained(await run({ learned: 0.2 }, { task: 'reverse' }))).reason, 'mask')
  const level = await run({ learned: 0.2, sinusoidal: 0.3 }, switched)
  assert.equal((await gained(plain, level)).reason, 'close')
})

test('every task and every reason of the core has words in both languages', async () => {
  const read = (/** @type {string} */ file) =>
    readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')
  const [tasks, options] = await Promise.all(
    ['tasks/tasks.h', 'options.h'].map((name) => read(`cpp/lab/${name}`)),
  )
  const list = /solvability_reasons = \{([^]*?)\};/.exec(tasks)?.[1] ?? ''
  const reasons = [...list.matchAll(/"([a-z-]+)"/g)].map(([, id]) => `reason.${id}`)
  const names = /enum class LabTask \{([^}]*)\}/.exec(options)?.[1].match(/\w+/g) ?? []
  assert.ok(reasons.length > 10 && names.length === 12)
  const needed = names.flatMap((id) => [`task.${id}`, `task.${id}.what`])
  for (const language of /** @type {const} */ (['en', 'zh'])) {
    const words = await wordsOf(language)
    const worded = Object.keys(words)
    for (const key of [...needed, ...reasons]) assert.ok(words[key]?.length > 1, key)
    const spare = worded.filter((key) => /^reason\./.test(key) && !reasons.includes(key))
    assert.deepEqual(spare, [], 'no words for what the core never says')
  }
})
