// The length lab in the state and in links, and the plan of a run that comes from it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entriesOf } from '../../../web/src/lab/run/entry.js'
import { planOf, samePlan, testOptionsOf } from '../../../web/src/lab/run/plan.js'
import { FIELDS, MODES, clampField, readField } from '../../../web/src/state/fields.js'
import { LAB_FIELDS, LAB_TASKS } from '../../../web/src/state/lab_fields.js'
import { PRESETS, withPreset } from '../../../web/src/state/presets.js'
import {
  boundsOf,
  initialState,
  startOf,
  withField,
  withPatch,
} from '../../../web/src/state/state.js'
import { decodeState, encodeState } from '../../../web/src/state/url_state.js'
import { times } from '../../sampling.mjs'

const start = startOf('length')

/** @param {any} state */
function assertLab(state) {
  const width = Number(state.labWidth)
  // RoPE turns pairs within a head.
  assert.equal(width % (2 * Number(state.labHeads)), 0)
  assert.ok(state.labShift < state.labLength)
  assert.equal(state.labBuckets % 2, 0)
  assert.ok(state.labBucketEnd > state.labBuckets / (state.labCausal ? 2 : 4))
  assert.ok(state.labTasks.split('.').includes(state.labShown))
  assert.ok(state.labAt <= state.labLength * Number(state.labReach))
  assert.ok(state.labHead < Number(state.labHeads))
  assert.ok(state.labLayer < state.labLayers)
  assert.ok(state.labTestBase === 0 || state.labTestBase >= 2)
  const { options, seeds } = planOf(state, 'full')
  assert.ok(options.warmUp <= options.steps)
  assert.equal(new Set(seeds).size, seeds.length)
  for (const seed of seeds) assert.ok(Number.isInteger(seed) && seed >= 0 && seed < 2 ** 32)
}

test('any edits keep the lab’s fields within one another’s bounds, and links bring them back', () => {
  const names = [...Object.keys(LAB_FIELDS), 'seed', 'mode']
  /** @param {string} name */
  const values = (name) => {
    const { rule } = FIELDS[name]
    if (rule.type === 'choice') return fc.constantFrom(...rule.values)
    if (rule.type === 'subset') {
      return fc.subarray([...rule.values], { minLength: 1 }).map((members) => members.join('.'))
    }
    if (rule.type === 'flag') return fc.boolean()
    if (rule.type !== 'integer' && rule.type !== 'number') throw new Error(name)
    const { min, max } = rule
    return rule.type === 'integer' ? fc.integer({ min, max }) : fc.double({ min, max, noNaN: true })
  }
  const edit = fc
    .constantFrom(...names)
    .chain((name) => values(name).map((value) => ({ [name]: value })))
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 10 }), (edits) => {
      let state = start
      for (const patch of edits) {
        state = withPatch(state, patch)
        assertLab(state)
      }
      assert.deepEqual(decodeState(encodeState(state, '1.0.0')).state, state)
      assertLab(withPatch(start, Object.assign({}, ...edits)))
    }),
    { numRuns: times(1000) },
  )
})

test('a subset: its own order, no stranger, no member twice, at least one', () => {
  assert.deepEqual(readField('labTasks', 'order.back'), { value: 'back.order' })
  for (const raw of [
    '',
    '.',
    'back.',
    'back.back',
    'back.other',
    'Back',
    'back,order',
    5,
    ['back'],
  ]) {
    assert.ok('refused' in readField('labTasks', raw), String(raw))
  }
  assert.equal(clampField('labTasks', 'order.other..back.order'), 'back.order')
  assert.equal(clampField('labTasks', 'other'), undefined)
  assert.equal(clampField('labCodes', 'constructor.nope'), 'nope')
  assert.equal(decodeState('#scene=length&lc=rope.alibi').state.labCodes, 'rope.alibi')
  assert.equal(LAB_TASKS.length, 12)
})

test('the task in sight is trained: whoever looks at one adds it, whoever drops it sees another', () => {
  const looked = withPatch(start, { labShown: 'copy' })
  assert.equal(looked.labTasks, 'back.latest.order.copy')
  const dropped = withPatch(looked, { labTasks: 'latest.order' })
  assert.equal(dropped.labShown, 'latest')
  const link = decodeState('#scene=length&lt=order&ls=first').state
  assert.deepEqual([link.labTasks, link.labShown], ['order.first', 'first'])
})

test('bounds follow one another, and a refusal names those that hold', () => {
  assert.deepEqual(boundsOf(withPatch(start, { labLength: 5 }), 'labShift'), { min: 1, max: 4 })
  assert.deepEqual(boundsOf(start, 'labBucketEnd'), { min: 9, max: 1024 })
  assert.equal(boundsOf(withPatch(start, { labCausal: false }), 'labBucketEnd')?.min, 5)
  assert.equal(boundsOf(withPatch(start, { labReach: '8' }), 'labAt')?.max, 128)
  const refused = withField(start, 'labAt', 65)
  assert.ok('refused' in refused)
  assert.deepEqual(refused.refused.rule, { type: 'integer', min: 1, max: 64 })
  assert.equal(withPatch(start, { labShift: 8, labLength: 4 }).labShift, 3)
  assert.equal(withPatch(start, { labBuckets: 15 }).labBuckets, 14)
  assert.equal(withPatch(start, { labTestBase: 0.5 }).labTestBase, 2)
})

test('every preset of the lab is a run of its own', () => {
  const plans = Object.values(PRESETS.length).map((patch) => {
    const state = withPreset(start, patch)
    assertLab(state)
    assert.equal(state.scene, 'length')
    return JSON.stringify(planOf(state, 'full'))
  })
  assert.equal(new Set([...plans, JSON.stringify(planOf(start, 'full'))]).size, plans.length + 1)
})

test('the plan of the default run, and of a quick look', () => {
  const plan = planOf(start, 'full')
  assert.deepEqual(plan.tasks, ['back', 'latest', 'order'])
  assert.deepEqual(plan.codes, MODES)
  assert.deepEqual(plan.seeds, [42, 43, 44])
  assert.equal(entriesOf(plan).length, 54)
  assert.deepEqual(plan.options, {
    length: 16,
    reach: 4,
    vocabulary: 8,
    layers: 1,
    dModel: 32,
    heads: 4,
    mlp: false,
    causal: true,
    batch: 16,
    steps: 1000,
    learningRate: 0.01,
    warmUp: 50,
    lengths: 'fixed',
    randomized: false,
    table: 'wall',
    taskShift: 3,
    taskModulo: 4,
    t5Buckets: 16,
    t5MaxDistance: 16,
    alibiExponent: 4,
    ropeBase: 10000,
    sinusoidBase: 10000,
  })
  const quick = planOf(withPatch(start, { labShown: 'order', seed: 4294967295 }), 'quick')
  assert.deepEqual([quick.tasks, quick.seeds, quick.options.steps], [['order'], [4294967295], 400])
  const last = planOf(withPatch(start, { seed: 4294967295, labSteps: 20 }), 'full')
  assert.deepEqual(last.seeds, [4294967295, 0, 1])
  assert.equal(last.options.warmUp, 20)
  assert.equal(planOf(withPatch(start, { labSteps: 20 }), 'quick').options.steps, 20)
})

test('the same plan is the same, whatever is looked at', () => {
  const plan = planOf(start, 'full')
  const looked = withPatch(start, { labShown: 'order', labAt: 30, labHead: 2, labRun: 'full' })
  assert.ok(samePlan(planOf(looked, 'full'), plan))
  assert.ok(samePlan(JSON.parse(JSON.stringify(plan)), plan))
  for (const patch of [{ seed: 43 }, { labRate: 0.011 }, { labUpTo: true }, { labBase: 500 }]) {
    assert.ok(!samePlan(planOf(withPatch(start, patch), 'full'), plan), JSON.stringify(patch))
  }
})

test('after training: only what concerns a code is asked of it', () => {
  const state = withPatch(start, {
    labScaling: 'yarn',
    labFactor: 2,
    labTestBase: 500,
    labExtend: 'last',
  })
  const scaled = { scaling: { type: 'yarn', factor: 2 }, ropeBase: 500 }
  assert.deepEqual(testOptionsOf(state, 'rope'), scaled)
  assert.deepEqual(testOptionsOf(state, 'learned'), { extend: 'last' })
  for (const code of ['alibi', 't5', 'nope', 'sinusoidal']) {
    assert.deepEqual(testOptionsOf(state, code), {})
  }
  for (const code of MODES) assert.deepEqual(testOptionsOf(start, code), {})
  assert.deepEqual(testOptionsOf(withPatch(start, { labTestBase: 20 }), 'rope'), { ropeBase: 20 })
  assert.equal(initialState().labTestBase, 0)
})
