// Inside the length lab, without a page: what is asked of workers and when, how tokens are written.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { latestWish } from '../../../web/src/lab/run/latest.js'
import { finishedOf, onTested, testFailure, testedCurves } from '../../../web/src/lab/run/tested.js'
import { answerText, tokenText, tokensOf } from '../../../web/src/lab/view/tokens.js'
import { initialState, withPatch } from '../../../web/src/state/state.js'

/** @typedef {() => Promise<void>} NextFrame what was asked of the frame, and all that follows at once */

/**
 * A test with frames of its own: all files of this folder run in one process.
 * @param {string} name
 * @param {(nextFrame: NextFrame) => Promise<void>} body
 */
const framed = (name, body) =>
  test(name, async () => {
    /** @type {(() => void)[]} */
    const frames = []
    Object.assign(globalThis, {
      requestAnimationFrame: (/** @type {() => void} */ frame) => frames.push(frame),
      cancelAnimationFrame: () => frames.splice(0),
    })
    try {
      await body(async () => {
        for (const frame of frames.splice(0)) frame()
        await new Promise((resolve) => setImmediate(resolve))
      })
    } finally {
      Reflect.deleteProperty(globalThis, 'requestAnimationFrame')
      Reflect.deleteProperty(globalThis, 'cancelAnimationFrame')
    }
  })

framed('of all wishes while a question is under way, the last is asked', async (nextFrame) => {
  /** @type {string[]} */
  const asked = []
  /** @type {string[]} */
  const arrived = []
  /** @type {((value: string) => void)[]} */
  const answers = []
  const queue = latestWish({
    ask: (/** @type {string} */ wish) => {
      asked.push(wish)
      return new Promise((resolve) => answers.push(resolve))
    },
    arrived: (/** @type {string} */ answer) => arrived.push(answer),
    failed: () => assert.fail('nothing fails here'),
  })
  queue.wish('a', 'a')
  queue.wish('b', 'b')
  assert.deepEqual(asked, [], 'nothing is asked before the frame')
  await nextFrame()
  assert.deepEqual(asked, ['b'])
  queue.wish('b', 'b')
  queue.wish('c', 'c')
  queue.wish('d', 'd')
  answers[0]('B')
  await nextFrame()
  assert.deepEqual(asked, ['b', 'd'])
  assert.deepEqual(arrived, ['B'])
  queue.close()
  answers[1]('D')
  await nextFrame()
  assert.deepEqual(arrived, ['B'], 'nothing arrives after the end')
})

framed(
  'a refused question is told once and not asked again; a withdrawn one is not told',
  async (nextFrame) => {
    let asked = 0
    /** @type {string[]} */
    const failures = []
    const queue = latestWish({
      ask: async (/** @type {string} */ code) => {
        asked += 1
        throw Object.assign(new Error(code), { code })
      },
      arrived: () => assert.fail('nothing arrives here'),
      failed: (error) => failures.push(error.code),
    })
    for (const code of ['invalid-argument', 'invalid-argument', 'aborted']) {
      queue.wish(code, code)
      await nextFrame()
    }
    assert.equal(asked, 2)
    assert.deepEqual(failures, ['invalid-argument'])
  },
)

test('tokens and answers are written as the tasks number them', () => {
  const t = /** @type {any} */ ((/** @type {string} */ key) => key)
  assert.deepEqual(
    [0, 1, 8].map((id) => tokenText('latest', id, 8)),
    ['·', 'a', 'h'],
  )
  assert.deepEqual(
    [0, 7, 8, 9].map((id) => tokenText('order', id, 8)),
    ['a', 'h', 'A', 'B'],
  )
  assert.deepEqual(
    [9, 10, 11].map((id) => tokenText('addition', id, 10)),
    ['9', '+', '='],
  )
  assert.equal(tokenText('copy', 8, 8), '|')
  const all = Array.from({ length: 32 }, (_, id) => tokenText('back', id, 32))
  assert.equal(new Set(all).size, 32)
  assert.equal(answerText(t, 'back', -1, 8), '')
  assert.equal(answerText(t, 'modulo', 3, 8), '3')
  assert.equal(answerText(t, 'order', 1, 8), 'inside.yes')
  assert.deepEqual(
    ['back', 'copy', 'addition'].map((task) => tokensOf(task, 16)),
    [16, 32, 50],
  )
})

/** @param {number[]} accuracies from length 1 */
const curveOf = (accuracies, count = 1) =>
  /** @type {any} */ ({
    lengths: Int32Array.from(accuracies, (_, i) => i + 1),
    accuracies: Float64Array.from(accuracies),
    counts: new Int32Array(accuracies.length).fill(count),
  })

/** @param {Partial<import('../../../web/src/state/state.js').State>} patch */
const stateWith = (patch) => withPatch(withPatch(initialState(), { scene: 'length' }), patch)

/** @param {number} seed */
const entryOf = (seed, code = 'rope') => ({
  task: 'back',
  code,
  seed,
  status: 'done',
  curve: curveOf([1]),
  snapshot: new Uint8Array(1),
})

framed(
  'finished models are tested with what the state says, all seeds, and told when they arrive',
  async (nextFrame) => {
    /** @type {any[]} */
    const asked = []
    const race = /** @type {any} */ ({
      entries: [
        entryOf(1),
        entryOf(2),
        entryOf(3, 'learned'),
        { ...entryOf(4), status: 'running' },
      ],
      test: async (/** @type {any} */ entry, /** @type {any} */ options) => {
        asked.push([entry.seed, options])
        return curveOf([options.scaling.factor])
      },
    })
    const plain = stateWith({ mode: 'rope' })
    assert.equal(finishedOf(race, plain).length, 2)
    assert.equal(testedCurves(race, plain), undefined)
    await nextFrame()
    assert.deepEqual(asked, [], 'as it was trained, a model is not tested again')

    let told = 0
    const stop = onTested(race, () => (told += 1))
    const four = stateWith({ mode: 'rope', labScaling: 'yarn', labFactor: 4 })
    assert.equal(testedCurves(race, four), undefined)
    await nextFrame()
    assert.equal(told, 1)
    assert.deepEqual(asked, [
      [1, { scaling: { type: 'yarn', factor: 4 } }],
      [2, { scaling: { type: 'yarn', factor: 4 } }],
    ])
    const found = testedCurves(race, four)
    assert.equal(found?.fresh, true)
    assert.deepEqual(
      found?.curves.map(({ entry, curve }) => [entry.seed, curve.accuracies[0]]),
      [
        [1, 4],
        [2, 4],
      ],
    )
    // While the next one is on its way, the one before is drawn.
    const eight = stateWith({ mode: 'rope', labScaling: 'yarn', labFactor: 8 })
    assert.equal(testedCurves(race, eight)?.fresh, false)
    await nextFrame()
    assert.equal(testedCurves(race, eight)?.curves[0].curve.accuracies[0], 8)
    // Another code has curves of its own, or none.
    assert.equal(testedCurves(race, stateWith({ mode: 't5' })), undefined)
    stop()
    testedCurves(race, four)
    await nextFrame()
    assert.equal(told, 2)
  },
)

framed('a refused test leaves no curve and says why', async (nextFrame) => {
  const race = /** @type {any} */ ({
    entries: [entryOf(3, 'learned')],
    test: async () => {
      throw Object.assign(new Error('no'), { code: 'invalid-argument' })
    },
  })
  const state = stateWith({ mode: 'learned', labExtend: 'wrap' })
  assert.equal(testedCurves(race, state), undefined)
  await nextFrame()
  assert.equal(testedCurves(race, state), undefined)
  assert.equal(testFailure(race)?.message, 'no')
  testedCurves(race, stateWith({ mode: 'learned' }))
  assert.equal(testFailure(race), undefined)
})
