// Files of a run: what was written comes back to the last bit, and whatever is not a whole file is
// refused with a reason. The curves for other programs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvParts } from '../../../web/src/exports/csv.js'
import {
  checksum,
  fromBase64,
  fromNumberText,
  toBase64,
  toNumberText,
} from '../../../web/src/lab/run/bytes.js'
import { curveRows, curvesJson } from '../../../web/src/lab/run/export.js'
import { MAX_FILE, writeRun } from '../../../web/src/lab/run/file.js'
import { Race } from '../../../web/src/lab/run/race.js'
import { EngineError } from '../../../web/src/engine/errors.js'
import { fakeEngines, planOptions, until } from './fake.mjs'
import { times } from '../../sampling.mjs'

const plan = {
  tasks: ['back', 'order'],
  codes: ['learned', 'rope'],
  seeds: [4294967295, 0],
  options: planOptions({ steps: 601, learningRate: 0.1 + 0.2 }),
}

/** @param {import('./fake.mjs').Fate} [fate] */
function setUp(fate) {
  const engines = fakeEngines(fate)
  const race = new Race({ connect: engines.connect, jobs: 2, onChange() {} })
  return { race, engines }
}

/** @param {import('./fake.mjs').Fate} [fate] */
async function finished(fate) {
  const set = setUp(fate)
  set.race.start(plan)
  await until(() => set.race.status === 'done')
  return set
}

const { race: original } = await finished({
  onCall(engine, trainer, method) {
    if (trainer.name === 'order rope 0' && method === 'open') {
      throw new EngineError('invalid-argument', 'dModel must be less, got 128.', {
        name: 'dModel',
        value: 128,
        expected: 'at most 64, which keeps memory under 256 MB',
        rule: { type: 'memory', max: 64 },
      })
    }
  },
})
// What a training that went astray leaves behind.
original.entries[1].losses.splice(0, 3, NaN, Infinity, -Infinity)
const file = original.toFile()
const buildHere = { version: '0.0.0', simd: true, toolchain: 'none' }

/** @param {any} object @returns {any} without what is undefined */
const defined = (object) =>
  Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => value !== undefined))

/** @param {string} text @param {string} reason @param {string} [where] */
function assertRefused(text, reason, where) {
  assert.throws(
    () => Race.fromFile(text),
    (/** @type {any} */ error) => {
      assert.ok(error instanceof EngineError)
      assert.equal(error.code, 'bad-run-file')
      assert.equal(error.details.reason, reason, JSON.stringify(error.details))
      if (where !== undefined) assert.equal(error.details.where, where)
      return true
    },
  )
}

/**
 * A file with a change that its own checksum does not tell.
 * @param {(content: any) => void} change
 */
function forged(change) {
  const saved = JSON.parse(file)
  change(saved.content)
  saved.checksum = checksum(JSON.stringify(saved.content))
  return JSON.stringify(saved)
}

/** What is trained is not in a file: the kernel says so again. @param {any} curve */
const unjudged = (curve) => curve && { ...curve, trained: false }

test('a round trip gives every number back', () => {
  const { plan: again, entries, build } = Race.fromFile(file)
  assert.deepEqual(again, plan)
  assert.deepEqual(build, buildHere)
  for (const [index, entry] of entries.entries()) {
    const { table, error, curve, ...rest } = original.entries[index]
    assert.equal(entry.table, undefined)
    assert.deepEqual(
      { ...entry, error: undefined, table: undefined },
      { ...rest, error: undefined, table: undefined, curve: unjudged(curve) },
    )
    assert.equal(entry.error?.message, error?.message)
    const rule = entry.error && { type: 'memory', max: 64 }
    assert.deepEqual(entry.error && defined(entry.error.details.rule), rule)
    assert.equal(table === undefined, entry.code !== 'learned')
  }
  assert.ok(Number.isNaN(entries[0].curve?.accuracies.at(-1)))
  assert.deepEqual(entries[1].losses.slice(0, 3), [NaN, Infinity, -Infinity])
  assert.equal(entries.at(-1)?.status, 'failed')
  // Written again, it is the same file; written by hand with other spaces, it still is.
  const { race } = setUp()
  race.load(Race.fromFile(`\ufeff${JSON.stringify(JSON.parse(file), null, 2)}`))
  assert.equal(race.status, 'done')
  assert.equal(race.toFile(), file)
  race.close()
})

test('a file of an earlier release, with a phrase for a rule, goes on opening', () => {
  const phrase = 'at most 64, which keeps memory under 256 MB'
  const failed = (/** @type {any} */ content) => content.entries.at(-1).error
  const old = forged((content) => {
    failed(content).details = { name: 'dModel', value: 128, expected: phrase }
  })
  const { details } = Race.fromFile(old).entries.at(-1)?.error ?? {}
  assert.deepEqual(defined(details), { name: 'dModel', value: 128, expected: phrase })
  const { race } = setUp()
  race.load(Race.fromFile(old))
  const { error } = JSON.parse(race.toFile()).content.entries.at(-1)
  assert.deepEqual(error.details, { name: 'dModel', value: 128, rule: null })
  race.close()
  // A rule is read as strictly as everything else.
  for (const rule of [
    { type: 'memory' },
    { type: 'memory', min: null, max: '64', above: null, multipleOf: null },
    { type: 'spell', min: null, max: 64, above: null, multipleOf: null },
    { type: 'memory', min: null, max: 64, above: null, multipleOf: null, values: [] },
    7,
  ]) {
    const text = forged((content) => {
      failed(content).details.rule = rule
    })
    assertRefused(text, 'damaged')
  }
})

test('a run that was loaded is tested as the one that was saved', async () => {
  const { race, engines } = setUp()
  const [, rope] = original.entries
  race.load(Race.fromFile(file))
  const [learned, same] = race.entries
  const scaled = { scaling: { type: 'ntk', factor: 4 } }
  assert.deepEqual(await race.test(same, { sequences: 64 }), rope.curve)
  assert.deepEqual(await race.test(same, scaled), await original.test(original.entries[1], scaled))
  assert.notDeepEqual(await race.test(same, scaled), rope.curve)
  await until(() => learned.table)
  assert.deepEqual(learned.table, original.entries[0].table)
  assert.equal(engines.made.length, 1)
  race.start(plan)
  await until(() => race.status === 'done')
  assert.deepEqual(race.entries[0], original.entries[0])
  race.close()
  assert.equal(engines.alive(), 0)
})

test('a stopped run is saved, and what was not finished begins anew', async () => {
  const { race } = setUp()
  race.start(plan)
  await until(() => race.entries[2].step > 50)
  race.stop()
  const { entries } = Race.fromFile(race.toFile())
  assert.equal(entries[0].status, 'done')
  assert.deepEqual([entries[2].status, entries[2].step, entries[2].losses], ['waiting', 0, []])
  const other = setUp().race
  other.load({ plan, entries, build: undefined })
  assert.equal(other.status, 'stopped')
  other.close()
  race.close()
})

test('what is no file of a run is refused, and says why', () => {
  assertRefused('', 'not-json')
  assertRefused('Positional encoding', 'not-json')
  assertRefused('null', 'not-a-run')
  assertRefused('[1]', 'not-a-run')
  assertRefused('{"format":"posenc-lab curves","version":1}', 'not-a-run')
  assertRefused(file.replace('"version":1', '"version":2'), 'other-version')
  assertRefused(file.slice(0, -1), 'damaged', 'end')
  assertRefused(file.slice(0, file.length / 2), 'damaged', 'end')
  assertRefused(' '.repeat(MAX_FILE + 1), 'too-large')
  assertRefused(file.replace(/"checksum":"\w+"/, '"checksum":null'), 'damaged', 'checksum')
  assertRefused(JSON.stringify({ ...JSON.parse(file), content: undefined }), 'damaged', 'checksum')
})

test('any one character that is another is noticed', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: file.length - 1 }),
      fc.constantFrom(...'0123456789abcXYZ+/{}[]",:. \u4f4d'),
      (at, letter) => {
        const changed = file.slice(0, at) + letter + file.slice(at + 1)
        let same
        try {
          same = JSON.stringify(JSON.parse(changed)) === file
        } catch {
          same = false
        }
        if (same) return
        assert.throws(
          () => Race.fromFile(changed),
          (/** @type {any} */ error) => error.code === 'bad-run-file',
        )
      },
    ),
    { numRuns: times(3000) },
  )
})

/** @type {[string, (content: any) => void][]} */
const forgeries = [
  ['content.plan.tasks[0]', ({ plan: { tasks } }) => (tasks[0] = 'other')],
  ['plan.tasks', ({ plan: { tasks } }) => (tasks[1] = tasks[0])],
  ['plan.codes', ({ plan: { codes } }) => codes.splice(0)],
  ['content.plan.seeds[0]', ({ plan: { seeds } }) => (seeds[0] = 4294967296)],
  ['content.plan.options.length', ({ plan: { options } }) => (options.length = 65)],
  ['content.plan.options.reach', ({ plan: { options } }) => (options.reach = 5)],
  ['content.plan.options.mlp', ({ plan: { options } }) => (options.mlp = 1)],
  ['content.plan.options.learningRate', ({ plan: { options } }) => (options.learningRate = '0.1')],
  ['content.plan.options.dModel', ({ plan: { options } }) => delete options.dModel],
  ['content.plan.options.more', ({ plan: { options } }) => (options.more = 1)],
  ['plan.options.warmUp', ({ plan: { options } }) => (options.warmUp = 602)],
  ['content.plan', (content) => (content.plan = [])],
  ['content.more', (content) => (content.more = 1)],
  ['content.build.simd', ({ build }) => (build.simd = 'yes')],
  ['content.build.toolchain', ({ build }) => (build.toolchain = 'a'.repeat(201))],
  ['entries', ({ entries }) => entries.pop()],
  ['content.entries', (content) => (content.entries = { length: 8 })],
  ['entries[0].task', ({ entries }) => entries.reverse()],
  ['content.entries[1].status', ({ entries }) => (entries[1].status = 'running')],
  ['entries[1].status', ({ entries }) => (entries[7].status = entries[1].status = 'waiting')],
  ['entries[0].step', ({ entries }) => (entries[0].step = 600)],
  ['entries[0].losses', ({ entries }) => entries[0].losses.pop()],
  ['content.entries[0].losses[2]', ({ entries }) => (entries[0].losses[2] = 'NaN')],
  ['content.entries[0].losses', ({ entries }) => entries[0].losses.push(...Array(400).fill(1))],
  [
    'content.entries[0].curve.accuracies[3]',
    ({ entries }) => (entries[0].curve.accuracies[3] = 1.5),
  ],
  ['content.entries[0].curve.inside', ({ entries }) => (entries[0].curve.inside = -0.1)],
  ['content.entries[0].curve.counts[0]', ({ entries }) => (entries[0].curve.counts[0] = 0.5)],
  ['entries[0].curve', ({ entries }) => entries[0].curve.counts.pop()],
  ['entries[0].curve', ({ entries }) => (entries[0].curve.lengths[0] = 2)],
  ['entries[0].curve', ({ entries }) => (entries[0].curve = null)],
  ['content.entries[0].snapshot', ({ entries }) => (entries[0].snapshot = 'AAA')],
  ['content.entries[0].snapshot', ({ entries }) => (entries[0].snapshot = 'AAAA=AAA')],
  ['content.entries[0].snapshot', ({ entries }) => (entries[0].snapshot = 'AB==')],
  ['content.entries[0].info.rows', ({ entries }) => (entries[0].info.rows = -1)],
  ['entries[7].error', ({ entries }) => (entries[7].error = null)],
]
for (const [where, change] of forgeries) {
  test(`a file that was made to look whole is refused all the same: ${String(change).split('=> ')[1]}`, () => {
    const expected = where === 'entries[1].status' ? 'entries[1].step' : where
    const text = forged(change)
    assert.throws(
      () => Race.fromFile(text),
      (/** @type {any} */ { code, details }) => {
        assert.deepEqual([code, details.reason], ['bad-run-file', 'damaged'])
        return details.where === where || details.where === expected
      },
    )
  })
}

test('names of objects’ own machinery do no harm', () => {
  const text = file.replace('"content":{', '"content":{"__proto__":{"plan":1},')
  const saved = JSON.parse(text)
  saved.checksum = checksum(JSON.stringify(saved.content))
  assertRefused(JSON.stringify(saved), 'damaged', 'content.__proto__')
  assert.equal(/** @type {any} */ ({}).plan, undefined)
})

test('a good file with another model inside is found out when it is asked', async () => {
  const { race } = setUp()
  const half = new TextEncoder().encode(
    JSON.stringify([{ ...plan.options, task: 'back', code: 'rope', seed: 4294967295 }, 300]),
  )
  race.load(Race.fromFile(forged(({ entries }) => (entries[1].snapshot = toBase64(half)))))
  await assert.rejects(race.test(race.entries[1]), { code: 'bad-run-file' })
  // A model for which there was no room is said to be missing.
  race.load(Race.fromFile(forged(({ entries }) => (entries[1].snapshot = null))))
  await assert.rejects(race.test(race.entries[1]), { code: 'out-of-memory' })
  race.close()
})

test('models that find no room in a file are left out, those of later seeds first', async () => {
  const { race } = await finished()
  const { entries: all } = race
  for (const entry of all) entry.snapshot = undefined
  const least = race.toFile().length
  for (const entry of all) entry.snapshot = new Uint8Array(3000)
  const text = writeRun({ plan, entries: all, build: buildHere }, least + 4 * 4000)
  assert.ok(text.length <= least + 4 * 4000)
  const { entries } = Race.fromFile(text)
  const kept = entries.filter(({ snapshot }) => snapshot)
  assert.equal(kept.length, 4)
  assert.ok(kept.every(({ seed }) => seed === plan.seeds[0]))
  assert.throws(() => writeRun({ plan, entries: all, build: buildHere }, least - 1), {
    code: 'bad-run-file',
  })
  race.close()
})

test('bytes and numbers survive as text; CRC-32 gives its published check value', () => {
  assert.equal(checksum('123456789'), 'cbf43926')
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const text = toBase64(bytes)
      assert.equal(text, Buffer.from(bytes).toString('base64'))
      assert.deepEqual(fromBase64(text), bytes)
    }),
  )
  const long = Uint8Array.from({ length: 100001 }, (_, i) => (i * 7) & 255)
  assert.deepEqual(fromBase64(toBase64(long)), long)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bytes = fromBase64(text)
      if (bytes) assert.equal(toBase64(bytes), text)
    }),
    { numRuns: times(2000) },
  )
  fc.assert(
    fc.property(fc.double(), (value) => {
      const again = fromNumberText(JSON.parse(JSON.stringify(toNumberText(value))))
      assert.equal(again, value === 0 ? 0 : value)
    }),
  )
})

test('curves for other programs: a row a length, every digit', async () => {
  const [, ...lines] = (await csvParts(curveRows(original.entries))).join('').split('\r\n')
  const parsed = lines.filter(Boolean).map((line) => line.split(','))
  const longest = plan.options.length * plan.options.reach
  assert.equal(parsed.length, 7 * longest)
  original.entries.slice(0, 7).forEach(({ task, code, seed, curve }, index) => {
    for (let i = 0; i < longest; i += 1) {
      const row = parsed[index * longest + i]
      assert.deepEqual(row.slice(0, 7), [task, code, `${seed}`, '601', '1', '0', `${i + 1}`])
      assert.ok(Object.is(Number(row[7]), curve?.accuracies[i]))
      assert.ok(Object.is(Number(row[9]), curve?.losses[i]))
      assert.equal(Number(row[8]), curve?.counts[i])
      assert.equal(Number(row[10]), curve?.wall)
    }
  })
  const { build, plan: again, runs } = JSON.parse(curvesJson(original))
  assert.deepEqual([build, again], [buildHere, plan])
  assert.deepEqual(
    runs[1].curve.accuracies,
    Array.from(original.entries[1].curve?.accuracies ?? []),
  )
  assert.equal(runs[0].curve.accuracies.at(-1), null)
  assert.equal(runs[7].curve, null)
})
