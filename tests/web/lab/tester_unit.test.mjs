// What is asked of the models of a race, while it runs and after; and when the page is told.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { createTeller } from '../../../web/src/lab/run/pace.js'
import { Race } from '../../../web/src/lab/run/race.js'
import { fakeEngines, planOptions, until } from './fake.mjs'

const plan = {
  tasks: ['back'],
  codes: ['learned', 'rope', 'alibi', 'nope'],
  seeds: [1, 2],
  options: planOptions({ steps: 60 }),
}

/** @type {Race[]} */
const open = []
afterEach(() => open.splice(0).forEach((race) => race.close()))

/** @param {import('./fake.mjs').Fate} [fate] */
function setUp(fate) {
  const engines = fakeEngines(fate)
  const race = new Race({ connect: engines.connect, jobs: 1, onChange() {}, now: () => 0 })
  open.push(race)
  return { race, engines }
}

/** @param {Promise<any>} promise */
const outcome = (promise) =>
  promise.then(
    () => 'answered',
    ({ code }) => code,
  )

test('before, while and after it trains, a model is asked as it stood last', async () => {
  const { race, engines } = setUp()
  race.start(plan)
  race.pause()
  const [first, second] = race.entries
  assert.equal((await race.attention(second, { length: 4 })).at, 'back rope 1 0')
  race.resume()
  await until(() => first.snapshotStep >= 6 && first.status === 'running')
  const step = first.snapshotStep
  const [attention, curve] = [race.attention(first, { length: 4 }), race.test(first)]
  assert.equal((await attention).at, `back learned 1 ${step}`)
  const { final, ...early } = await curve
  assert.deepEqual([final, early.step, early.sequences], [false, step, 64])
  await until(() => race.status === 'done')
  assert.deepEqual(await race.test(first), first.curve)
  assert.equal((await race.attention(first, { length: 4 })).at, 'back learned 1 60')
  // A model in training is never asked itself: that would hold it up.
  assert.equal(engines.made.length, 2)
  assert.equal(engines.made.filter(({ trained }) => trained > 0).length, 1)
})

test('few models are held at a time, and those of an older plan are let go', async () => {
  const { race, engines } = setUp()
  race.start(plan)
  await until(() => race.status === 'done')
  const held = () => engines.trainers().filter(({ disposed }) => !disposed).length
  assert.equal(held(), 0)
  for (const entry of race.entries) assert.deepEqual(await race.test(entry), entry.curve)
  await until(() => held() <= 6)
  const before = engines.trainers().length
  await race.test(race.entries[7])
  assert.equal(engines.trainers().length, before)
  const late = outcome(race.test(race.entries[0]))
  race.start(plan)
  assert.equal(await late, 'aborted')
  race.stop()
  await until(() => held() === 0)
})

test('of wishes for the same model the newest is answered, others are told so', async () => {
  const { race } = setUp()
  race.start(plan)
  await until(() => race.status === 'done')
  const [one, two] = race.entries
  const wishes = [
    race.test(one),
    race.test(two),
    race.test(one, { extend: 'wrap' }),
    race.attention(one, { length: 3 }),
  ]
  assert.deepEqual(await Promise.all(wishes.map(outcome)), [
    'aborted',
    'answered',
    'answered',
    'answered',
  ])
})

test('a lost engine is replaced once; what it refuses is told', async () => {
  let losses = 1
  const { race } = setUp({
    onCall(engine, trainer, method, args) {
      if (method === 'evaluate' && args.extend === 'zeros' && losses > 0) {
        losses -= 1
        engine.lost = true
      }
      if (args?.extend === 'last')
        throw Object.assign(new Error('no'), { code: 'invalid-argument' })
    },
  })
  race.start(plan)
  await until(() => race.status === 'done')
  const [learned] = race.entries
  const { step } = await race.test(learned, { extend: 'zeros' })
  assert.equal(step, 60)
  losses = 2
  assert.equal(await outcome(race.test(learned, { extend: 'zeros' })), 'worker-lost')
  assert.equal(await outcome(race.test(learned, { extend: 'last' })), 'invalid-argument')
  assert.equal(await outcome(race.test(learned)), 'answered')
})

test('a closed race answers nothing and leaves no engine', async () => {
  for (const turns of [0, 1, 3, 6]) {
    const { race, engines } = setUp()
    race.start(plan)
    await until(() => race.status === 'done')
    const wish = outcome(race.test(race.entries[0]))
    for (let n = 0; n < turns; n += 1) await new Promise((resolve) => setImmediate(resolve))
    race.close()
    assert.match(await wish, /aborted|disposed|answered/)
    await until(() => engines.alive() === 0)
  }
})

test('the page is told once a frame, and without frames all the same', async () => {
  /** @type {Map<number, () => void>} */
  const frames = new Map()
  let last = 0
  const stage = /** @type {any} */ (globalThis)
  stage.requestAnimationFrame = (/** @type {() => void} */ callback) => {
    frames.set((last += 1), callback)
    return last
  }
  stage.cancelAnimationFrame = (/** @type {number} */ id) => frames.delete(id)
  try {
    let told = 0
    const teller = createTeller(() => (told += 1))
    teller.changed()
    teller.changed()
    assert.equal(frames.size, 1)
    assert.equal(told, 0)
    frames.forEach((callback) => callback())
    assert.deepEqual([told, frames.size], [1, 0])
    // A hidden page gets no frame.
    teller.changed()
    while (told < 2) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(frames.size, 0)
    teller.changed()
    teller.stop()
    await new Promise((resolve) => setTimeout(resolve, 150))
    assert.deepEqual([told, frames.size], [2, 0])
  } finally {
    delete stage.requestAnimationFrame
    delete stage.cancelAnimationFrame
  }
})
