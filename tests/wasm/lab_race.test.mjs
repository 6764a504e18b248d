// The race of the length lab over real engines: the numbers are those of one trainer that ran alone,
// whatever happened on the way, and those of the file.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Race } from '../../web/src/lab/run/race.js'
import { judgeModels } from '../../web/src/lab/run/lines.js'
import { planOf } from '../../web/src/lab/run/plan.js'
import { LAB_TASKS } from '../../web/src/state/lab_fields.js'
import { initialState, withPatch } from '../../web/src/state/state.js'
import { assertSameBits, connectEngine, loadEngine } from './support.mjs'

const state = withPatch(initialState(), {
  labTasks: 'back',
  labCodes: 'learned.rope',
  labSeeds: 2,
  labSteps: 400,
  labLength: 8,
})
const plan = planOf(state, 'full')

/** @type {Race[]} */
const open = []
after(() => open.forEach((race) => race.close()))

/** @param {number} [jobs] */
function setUp(jobs = 2) {
  /** @type {any[]} */
  const remotes = []
  /** @type {string[]} */
  const notices = []
  const race = new Race({
    async connect(options) {
      const remote = await connectEngine(options)
      remotes.push(remote)
      return remote
    },
    jobs,
    onChange() {},
    onNotice: ({ code }) => notices.push(code),
  })
  open.push(race)
  return { race, remotes, notices }
}

/** @param {() => unknown} good looked at some hundred times a second */
async function until(good) {
  while (!good()) await new Promise((resolve) => setTimeout(resolve, 3))
}

/** @param {Race} race */
const over = (race) => until(() => race.status === 'done')

/** @param {any} actual @param {any} expected both final */
function assertSameCurve(actual, expected) {
  assert.deepEqual(actual.lengths, expected.lengths)
  assert.deepEqual(actual.counts, expected.counts)
  assertSameBits(actual.accuracies, expected.accuracies)
  assertSameBits(actual.losses, expected.losses)
  assert.deepEqual([actual.wall, actual.inside], [expected.wall, expected.inside])
  assert.equal(actual.trained, expected.trained)
}

// One trainer alone, on this thread, in one piece.
const local = await loadEngine()
const alone = plan.seeds.flatMap((seed) =>
  plan.codes.map((code) => {
    const options = /** @type {any} */ ({ ...plan.options, task: 'back', code, seed })
    const trainer = local.createTrainer(options)
    const { losses } = trainer.train({ steps: plan.options.steps })
    const one = { curve: trainer.evaluate(), snapshot: trainer.snapshot(), losses }
    trainer.dispose()
    return one
  }),
)

/** @param {Race} race */
function assertAsAlone({ entries }) {
  assert.equal(entries.length, alone.length)
  entries.forEach((entry, index) => {
    assert.equal(entry.status, 'done', JSON.stringify(entry.error))
    assert.equal(entry.step, plan.options.steps)
    assert.deepEqual(entry.snapshot, alone[index].snapshot)
    assertSameCurve(entry.curve, alone[index].curve)
    const { losses, stride } = entry
    const means = losses.map((_, point) => {
      const part = alone[index].losses.subarray(point * stride, (point + 1) * stride)
      return part.reduce((sum, loss) => sum + loss, 0) / part.length
    })
    assert.deepEqual(losses, means)
  })
}

test('two codes, two seeds: the numbers of each trainer alone', async () => {
  const { race, remotes, notices } = setUp()
  race.start(plan)
  await over(race)
  assertAsAlone(race)
  assert.equal(remotes.length, 2)
  assert.deepEqual(notices, [])
  const [learned, rope] = race.entries
  assert.equal(learned.curve?.wall, 9)
  assert.ok(Number.isNaN(learned.curve?.accuracies[8]))
  assert.equal(rope.curve?.wall, 0)
  assert.equal(rope.curve?.trained, (rope.curve?.inside ?? 0) >= 0.95)
  assert.deepEqual(learned.table?.values.shape, [8, 32])
  assert.deepEqual(learned.table?.similarity.shape, [8, 8])
  assert.equal(learned.table?.gradientRows.length, 8)
  assert.equal(learned.info?.wall, 9)
  // Of the two engines one stays, and holds nothing.
  const left = await Promise.all(
    remotes.map((remote) => remote.liveHandles().catch((/** @type {any} */ { code }) => code)),
  )
  assert.deepEqual(left.sort(), [0, 'disposed'])
})

test('paused again and again, with single steps and another speed: the same numbers', async () => {
  const { race } = setUp()
  race.start(plan)
  for (let n = 1; n <= 6; n += 1) {
    await until(() => race.progress().done >= n * 150 || race.status === 'done')
    race.pause()
    race.stepOnce()
    race.stepOnce()
    await new Promise((resolve) => setTimeout(resolve, 20))
    race.setSpeed(n % 2 ? 'normal' : 'full')
    race.resume()
  }
  race.setSpeed('full')
  await over(race)
  assertAsAlone(race)
})

test('killed, hung and crashed workers: the same numbers, and the race says so', async () => {
  const { race, remotes, notices } = setUp()
  race.start(plan)
  const faults = /** @type {const} */ (['kill', 'crash', 'kill'])
  for (const [index, fault] of faults.entries()) {
    await until(() => race.progress().done >= 100 + index * 350)
    remotes[index % remotes.length].debug[fault]()
    await until(() => notices.length > index || race.status === 'done')
  }
  await over(race)
  assertAsAlone(race)
  assert.ok(notices.length >= 1)
  assert.ok(notices.every((code) => code === 'worker-replaced'))
  const replaced = race.entries.reduce((sum, entry) => sum + entry.replaced, 0)
  assert.ok(replaced >= 1 && replaced <= notices.length)
})

test('on this thread, where there are no workers: the same numbers', async () => {
  const race = new Race({
    connect: (options) => connectEngine({ ...options, worker: false }),
    jobs: 2,
    onChange() {},
  })
  open.push(race)
  race.start(plan)
  await over(race)
  assertAsAlone(race)
})

test('a run replaced by another leaves no trace in it', async () => {
  const { race, remotes } = setUp()
  race.start({ ...plan, codes: ['alibi', 't5', 'nope'], tasks: ['latest'] })
  await until(() => race.progress().done > 30)
  race.start(plan)
  await over(race)
  assertAsAlone(race)
  assert.equal(remotes.length, 2)
})

test('saved and loaded: the curve is the same again, and changed models answer', async () => {
  const { race } = setUp()
  race.start(plan)
  await over(race)
  const file = race.toFile()
  const { race: loaded } = setUp()
  const run = Race.fromFile(file)
  await judgeModels(/** @type {any} */ (local), run)
  loaded.load(run)
  assert.equal(loaded.toFile(), file)
  assertAsAlone(loaded)
  const [learned, rope] = loaded.entries
  for (const [index, entry] of loaded.entries.entries()) {
    assertSameCurve(await loaded.test(entry), alone[index].curve)
  }
  const scaled = await loaded.test(rope, { scaling: { type: 'linear', factor: 4 } })
  assert.notDeepEqual(scaled.accuracies, alone[1].curve.accuracies)
  const extended = await loaded.test(learned, { extend: 'wrap' })
  assert.ok(!Number.isNaN(extended.accuracies[20]))
  const { weights, length } = await loaded.attention(rope, { length: 20 })
  assert.equal(weights.length, length * length)
  await until(() => learned.table)
  assert.deepEqual(learned.table, race.entries[0].table)
  // The newest wish is the one that is answered.
  const wishes = [2, 3, 4].map((factor) =>
    loaded.test(rope, { scaling: { type: 'ntk', factor } }).then(
      () => 'answered',
      ({ code }) => code,
    ),
  )
  assert.deepEqual(await Promise.all(wishes), ['aborted', 'aborted', 'answered'])
})

test('a model that is too large fails with its reason, and the others run', async () => {
  const { race } = setUp()
  const options = {
    ...plan.options,
    length: 64,
    reach: 8,
    dModel: 128,
    layers: 4,
    mlp: true,
    batch: 128,
  }
  race.start({ ...plan, codes: ['rope'], seeds: [1], options })
  await over(race)
  const [{ status, error }] = race.entries
  assert.equal(status, 'failed')
  assert.match(error?.message ?? '', /256 MB/)
  assert.ok(Race.fromFile(race.toFile()).entries[0].error)
})

test('every task, both ways and with a mask: its file is read again as it was', async () => {
  for (const causal of [true, false]) {
    const { race } = setUp()
    const options = { ...plan.options, steps: 3, warmUp: 1, causal }
    race.start({ tasks: [...LAB_TASKS], codes: ['learned', 't5'], seeds: [9], options })
    await over(race)
    assert.deepEqual(
      race.entries.filter(({ status }) => status !== 'done').map(({ error }) => error),
      [],
    )
    const run = Race.fromFile(race.toFile())
    await judgeModels(/** @type {any} */ (local), run)
    run.entries.forEach((entry, index) => {
      assert.deepEqual({ ...entry, table: undefined }, { ...race.entries[index], table: undefined })
    })
  }
})
