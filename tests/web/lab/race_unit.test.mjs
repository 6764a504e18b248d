// The race: what comes of it depends on the plan alone, whatever happens on the way.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { EngineError } from '../../../web/src/engine/errors.js'
import { entriesOf } from '../../../web/src/lab/run/entry.js'
import { sequencesOf } from '../../../web/src/lab/run/job.js'
import { Race } from '../../../web/src/lab/run/race.js'
import { fakeEngines, planOptions, until } from './fake.mjs'

const plan = {
  tasks: ['back', 'modulo'],
  codes: ['learned', 'rope'],
  seeds: [7, 8],
  options: planOptions(),
}

/** @type {Race[]} */
const open = []
// A race that a failed test leaves would wait for ever.
afterEach(() => open.splice(0).forEach((race) => race.close()))

/**
 * @param {import('./fake.mjs').Fate} [fate]
 * @param {number} [jobs]
 */
function setUp(fate, jobs = 2) {
  const engines = fakeEngines(fate)
  let told = 0
  let time = 0
  const race = new Race({
    connect: engines.connect,
    jobs,
    onChange: () => (told += 1),
    now: () => time,
  })
  const pass = (/** @type {number} */ ms) => (time += ms)
  open.push(race)
  return { race, engines, pass, told: () => told }
}

/** @param {Race} race */
const over = (race) => until(() => race.status === 'done')

/** @param {Race} race what must not depend on the way */
const results = ({ entries }) => entries.map((entry) => ({ ...entry, replaced: 0 }))

/** @param {any} options */
async function finished({ fate, jobs, during } = /** @type {any} */ ({})) {
  const set = setUp(fate, jobs)
  set.race.start(plan)
  await during?.(set)
  await over(set.race)
  set.race.close()
  return set
}

const expected = results((await finished()).race)

test('a race runs every entry to its end, the first task first', async () => {
  const during = (/** @type {{ told: () => number }} */ { told }) => until(() => told() > 0)
  const { race, engines } = await finished({ during })
  assert.deepEqual(
    race.entries.map(({ task, seed, code }) => `${task} ${seed} ${code}`).slice(0, 5),
    ['back 7 learned', 'back 7 rope', 'back 8 learned', 'back 8 rope', 'modulo 7 learned'],
  )
  for (const entry of race.entries) {
    assert.equal(entry.status, 'done')
    assert.equal(entry.step, 40)
    assert.ok(entry.curve?.final)
    assert.equal(entry.curve?.trained, entry.task !== 'modulo')
    assert.equal(entry.losses.length, 40)
    assert.deepEqual(entry.at.slice(-2), [39, 40])
    assert.equal(entry.table === undefined, entry.code !== 'learned')
    assert.ok(entry.snapshot)
    assert.equal(entry.snapshotStep, 40)
  }
  assert.deepEqual(race.progress(), { done: 320, total: 320, secondsLeft: undefined })
  assert.equal(engines.made.length, 2)
  assert.equal(engines.alive(), 0)
})

test('the numbers depend neither on jobs nor on pauses, steps or speed', async () => {
  assert.deepEqual(results((await finished({ jobs: 1 })).race), expected)
  assert.deepEqual(results((await finished({ jobs: 3 })).race), expected)
  const paused = await finished({
    during: async (/** @type {any} */ { race }) => {
      for (let n = 0; n < 5; n += 1) {
        const before = race.progress().done
        await until(() => race.progress().done > before)
        race.pause()
        race.stepOnce()
        await new Promise((resolve) => setTimeout(resolve, 5))
        race.resume()
      }
    },
  })
  assert.deepEqual(results(paused.race), expected)
})

test('a pause holds every job, one step is one step a job, and a speed is kept', async () => {
  const { race, pass } = setUp()
  race.start(plan)
  race.pause()
  const turns = async () => {
    for (let n = 0; n < 50; n += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  await until(() => race.entries[1].status === 'running')
  await turns()
  assert.equal(race.progress().done, 0)
  race.stepOnce()
  await turns()
  assert.equal(race.progress().done, 2)
  race.stepOnce()
  race.stepOnce()
  await turns()
  assert.deepEqual([race.entries[0].step, race.entries[1].step], [3, 3])
  race.setSpeed('slow')
  race.resume()
  await turns()
  // Slow is 20 steps a second in each job, two at once.
  const { done } = race.progress()
  await turns()
  assert.equal(race.progress().done, done)
  pass(100)
  race.setSpeed('slow')
  await turns()
  assert.equal(race.progress().done, done + 4)
  race.setSpeed('full')
  await over(race)
  assert.deepEqual(results(race), expected)
  race.close()
})

test('a worker that was replaced is counted; an engine that is lost is, and the entry goes on', async () => {
  let blows = 0
  const { race, engines } = await finished({
    fate: {
      onCall(/** @type {any} */ engine, /** @type {any} */ trainer, /** @type {string} */ method) {
        if (
          trainer.name === 'back rope 7' &&
          method === 'snapshot' &&
          trainer.step === 16 &&
          !blows
        ) {
          blows += 1
          engine.lost = true
        }
        if (trainer.name === 'back learned 8' && trainer.step === 20 && method === 'snapshot') {
          engine.onNotice({ code: 'worker-replaced', failures: 1 })
        }
      },
    },
  })
  assert.equal(blows, 1)
  assert.deepEqual(results(race), expected)
  assert.deepEqual(race.entries.map(({ replaced }) => replaced).slice(0, 4), [0, 1, 1, 0])
  assert.equal(engines.made.length, 3)
  // It went on from its last snapshot, not from the start.
  const again = engines.made[2].trainers[0]
  assert.equal(again.name, 'back rope 7')
  const total = engines.made.reduce((sum, { trained }) => sum + trained, 0)
  assert.equal(total, 322)
})

test('an engine that is lost again and again fails the entry alone', async () => {
  const { race } = await finished({
    fate: {
      onCall(/** @type {any} */ engine, /** @type {any} */ trainer) {
        if (trainer.name === 'back rope 8') engine.lost = true
      },
    },
  })
  const [bad, ...others] = race.entries.filter(({ status }) => status === 'failed')
  assert.equal(others.length, 0)
  assert.deepEqual([bad.code, bad.seed, bad.replaced], ['rope', 8, 2])
  assert.equal(bad.error?.code, 'worker-lost')
  assert.equal(race.progress().done, 320)
})

test('what an engine refuses is said at the entry, and the race goes on', async () => {
  const { race, engines } = await finished({
    fate: {
      onCall(/** @type {any} */ engine, /** @type {any} */ trainer, /** @type {string} */ method) {
        const { code, task } = trainer.options
        if (code === 'rope' && task === 'modulo' && method === 'open') {
          throw new EngineError('invalid-argument', 'dModel must be less', { name: 'dModel' })
        }
      },
    },
  })
  assert.equal(engines.made.length, 2)
  for (const { code, task, status, error } of race.entries) {
    const bad = code === 'rope' && task === 'modulo'
    assert.equal(status, bad ? 'failed' : 'done')
    if (bad) assert.deepEqual(error?.details, { name: 'dModel' })
  }
})

test('a job without an engine leaves its work to the others; without any, every entry says why', async () => {
  const one = await finished({
    fate: {
      onConnect(/** @type {any[]} */ made) {
        if (made.length > 0) throw new EngineError('out-of-memory', 'no more')
      },
    },
  })
  assert.deepEqual(results(one.race), expected)
  const none = await finished({
    fate: {
      onConnect() {
        throw new EngineError('wasm-blocked', 'by a policy')
      },
    },
  })
  for (const { status, error } of none.race.entries) {
    assert.deepEqual([status, error?.code], ['failed', 'wasm-blocked'])
  }
})

test('on the page’s own thread one job is enough', async () => {
  const { engines, race } = setUp({}, 3)
  const connect = engines.connect
  const here = new Race({
    connect: async (options) => Object.assign(await connect(options), { mode: 'main' }),
    jobs: 3,
    onChange() {},
  })
  here.start(plan)
  await over(here)
  assert.equal(engines.made.filter(({ trained }) => trained > 0).length, 1)
  assert.deepEqual(results(here), expected)
  assert.equal(engines.alive(), 1)
  here.close()
  race.close()
  assert.equal(engines.alive(), 0)
})

test('an engine whose worker was given up finishes its entry and gets no other', async () => {
  const { race, engines } = await finished({
    jobs: 1,
    fate: {
      onCall(/** @type {any} */ engine, /** @type {any} */ trainer, /** @type {string} */ method) {
        if (trainer.name === 'back learned 7' && trainer.step === 20 && method === 'train') {
          engine.onNotice({ code: 'worker-fallback', failures: 3 })
        }
      },
    },
  })
  assert.deepEqual(results(race), expected)
  assert.deepEqual(
    engines.made.map(({ trained }) => trained),
    [40, 280],
  )
})

test('a start while it runs replaces the run, and nothing of the old one comes through', async () => {
  const { race, engines } = setUp({}, 2)
  const other = { ...plan, tasks: ['order'], seeds: [1], options: planOptions({ steps: 33 }) }
  for (let n = 0; n < 4; n += 1) {
    race.start(other)
    await until(() => race.progress().done > n * 8)
  }
  const old = race.entries
  race.start(plan)
  const before = structuredClone(old.map(({ step, losses }) => ({ step, losses })))
  await over(race)
  assert.deepEqual(results(race), expected)
  assert.deepEqual(
    old.map(({ step, losses }) => ({ step, losses })),
    before,
  )
  // Workers of the runs before were taken over.
  assert.equal(engines.made.length, 2)
  assert.ok(engines.trainers().every(({ disposed }) => disposed))
  race.close()
  assert.equal(engines.alive(), 0)
})

test('a plan that is changed by its owner changes nothing of the run', async () => {
  const { race } = setUp()
  const mine = structuredClone(plan)
  race.start(mine)
  mine.options.steps = 5
  mine.codes.pop()
  await over(race)
  assert.deepEqual(results(race), expected)
  race.close()
})

test('stop keeps what is finished, and ends the rest', async () => {
  const { race, engines } = setUp()
  race.start(plan)
  await until(() => race.entries[2].step > 10)
  race.stop()
  assert.equal(race.status, 'stopped')
  const { done } = race.progress()
  assert.ok(race.entries.every(({ status }) => status === 'done' || status === 'waiting'))
  assert.equal(race.entries[0].status, 'done')
  await until(() => engines.trainers().every(({ disposed }) => disposed))
  await new Promise((resolve) => setTimeout(resolve, 5))
  assert.equal(race.progress().done, done)
  assert.equal(race.progress().secondsLeft, undefined)
  assert.equal(engines.alive(), 1)
  race.resume()
  race.pause()
  assert.equal(race.status, 'stopped')
  race.close()
  assert.equal(engines.alive(), 0)
})

test('close in the middle ends every worker, those that are just being started too', async () => {
  for (const turns of [0, 1, 2, 5, 30]) {
    const { race, engines } = setUp()
    race.start(plan)
    for (let n = 0; n < turns; n += 1) await new Promise((resolve) => setImmediate(resolve))
    race.close()
    await until(() => engines.alive() === 0)
    assert.notEqual(race.status, 'done')
  }
})

test('preliminary curves come while it trains, from few sequences, and not for too much time', async () => {
  /** @type {{ step: number, sequences: number }[]} */
  const seen = []
  let cost = 0
  const steps = 200
  const short = { tasks: ['back'], codes: ['rope'], seeds: [1], options: planOptions({ steps }) }
  /** @type {ReturnType<typeof setUp>} */
  const set = setUp(
    {
      onCall(engine, trainer, method, args) {
        if (method === 'train') set.pass(args.steps)
        if (method !== 'evaluate') return
        set.pass(cost)
        seen.push({ step: trainer.step, sequences: args.sequences })
      },
    },
    1,
  )
  set.race.start(short)
  await over(set.race)
  assert.deepEqual(
    seen.map(({ step }) => step),
    [30, 60, 90, 120, 150, 180, 200],
  )
  assert.ok(seen.slice(0, -1).every(({ sequences }) => sequences <= 16))
  assert.ok((seen.at(-1)?.sequences ?? 0) >= 64)
  const { curve } = set.race.entries[0]
  seen.length = 0
  cost = 10
  set.race.start(short)
  await over(set.race)
  // The first one is how its cost is learned; 10 of 200 is affordable three times at most.
  assert.ok(seen.length >= 3 && seen.length <= 4, JSON.stringify(seen))
  assert.deepEqual(set.race.entries[0].curve, curve)
  set.race.close()
})

test('the time left is said once it was measured, without pauses and starts', async () => {
  const { race, pass } = setUp(
    { onCall: (e, t, method, args) => void (method === 'train' && pass(args.steps * 20)) },
    1,
  )
  race.start(plan)
  assert.equal(race.progress().secondsLeft, undefined)
  await until(() => race.progress().done >= 160)
  race.pause()
  await until(() => race.progress().secondsLeft !== undefined)
  const { done, total, secondsLeft = NaN } = race.progress()
  assert.ok(Math.abs(secondsLeft / ((total - done) * 0.02) - 1) < 0.1, String(secondsLeft))
  pass(1e6)
  assert.equal(race.progress().secondsLeft, secondsLeft)
  race.resume()
  await over(race)
  race.close()
})

test('how many sequences a curve has follows from the plan, and is bounded by what it costs', () => {
  /** @param {string} task @param {Partial<import('../../../web/src/lab/run/plan.js').PlanOptions>} [options] */
  const of = (task, options) => {
    const one = {
      ...plan,
      tasks: [task],
      options: planOptions({ steps: 1000, length: 16, ...options }),
    }
    return sequencesOf(entriesOf(one)[0], one)
  }
  assert.deepEqual(of('back'), { early: 16, final: 64 })
  assert.deepEqual(of('back', { steps: 1 }), { early: 1, final: 64 })
  assert.equal(of('copy').final, 64)
  assert.equal(of('order', { causal: false }).final, 64)
  const far = of('order', { causal: false, length: 64, reach: 8 })
  assert.ok(far.final < 64 && far.final >= 8)
  assert.equal(far.early, 1)
})
