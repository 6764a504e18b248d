// The pure state: fields, links, words. Runs in Node.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FIELDS, clampField, readField } from '../../../web/src/state/fields.js'
import { PRESETS, withPreset } from '../../../web/src/state/presets.js'
import { boundsOf, initialState, withField, withPatch } from '../../../web/src/state/state.js'
import { MAX_HASH_LENGTH, decodeState, encodeState } from '../../../web/src/state/url_state.js'
import { matchWords, splitWords, wordId } from '../../../web/src/state/words.js'
import { times } from '../../sampling.mjs'

/**
 * What every state must satisfy, whatever led to it.
 * @param {any} state
 */
function assertConsistent(state) {
  for (const [name, { rule }] of Object.entries(FIELDS)) {
    const value = state[name]
    if (rule.type === 'integer') assert.ok(Number.isInteger(value), `${name} ${value}`)
    if (rule.type === 'integer' || rule.type === 'number') {
      assert.ok(value >= rule.min && value <= rule.max, `${name} ${value}`)
    }
    if (rule.type === 'choice') assert.ok(rule.values.includes(value), `${name} ${value}`)
    if (rule.type === 'subset') {
      const members = rule.values.filter((one) => value.split('.').includes(one))
      assert.equal(value, members.join('.'), name)
      assert.ok(members.length > 0, name)
    }
  }
  assert.ok(state.position < state.length)
  assert.ok(state.dimension < state.dModel)
  assert.ok(state.tMax + state.grown <= state.length)
  assert.equal(state.dModel % state.heads, 0)
  assert.ok(Object.isFrozen(state))
}

test('the initial state is the NumPy example with the cursor past the wall', () => {
  const state = initialState()
  assertConsistent(state)
  assert.deepEqual(
    [state.tMax, state.dModel, state.rate, state.steps, state.seed, state.position],
    [50, 16, 0.05, 500, 42, 60],
  )
})

test('numbers are read strictly: nothing but a decimal number is one', () => {
  for (const raw of [
    '',
    ' ',
    '0x10',
    '1e',
    'NaN',
    'Infinity',
    '-Infinity',
    '12abc',
    '1,5',
    'true',
  ]) {
    assert.ok('refused' in readField('position', raw), raw)
  }
  for (const raw of ['2.5', '-1', '2048', '1e9', null, undefined, NaN, Infinity, [5], {}, 5n]) {
    assert.ok('refused' in readField('position', raw), String(raw))
  }
  assert.deepEqual(readField('position', ' 60 '), { value: 60 })
  assert.deepEqual(readField('position', '6e1'), { value: 60 })
  assert.deepEqual(readField('rate', '.05'), { value: 0.05 })
})

test('a refusal carries the bounds that hold now', () => {
  const state = withPatch(initialState(), { tMax: 300 })
  const refused = withField(state, 'length', 299)
  assert.ok('refused' in refused)
  assert.deepEqual(refused.refused.rule, { type: 'integer', min: 300, max: 2048 })
  assert.deepEqual(boundsOf(state, 'dimension'), { min: 0, max: 15 })
})

test('dependent fields settle: cursor, wall and heads stay inside', () => {
  const start = initialState()
  assert.equal(withPatch(start, { length: 55, position: 54 }).position, 54)
  assert.equal(withPatch(start, { length: 55 }).position, 54)
  assert.ok(withPatch(start, { position: 500 }).length > 500)
  assert.equal(withPatch(start, { position: 2047 }).length, 2048)
  assert.ok(withPatch(start, { tMax: 90 }).length > 90)
  assert.equal(withPatch(start, { dModel: 15, heads: 2 }).heads, 1)
  assert.equal(withPatch(start, { tMax: 512, grown: 2048 }).grown, 2048 - 512)
  assert.equal(withPatch(start, { position: 60 }), start)
})

test('any sequence of valid edits keeps the state consistent', () => {
  const names = Object.keys(FIELDS)
  const edit = fc.record({
    name: fc.constantFrom(...names),
    raw: fc.oneof(fc.integer(), fc.double(), fc.string()),
  })
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      let state = initialState()
      for (const { name, raw } of edits) {
        const result = withField(state, name, raw)
        if ('state' in result) state = result.state
        const clamped = clampField(name, String(raw))
        if (clamped !== undefined) state = withPatch(state, { [name]: clamped })
        assertConsistent(state)
      }
    }),
    { numRuns: times(2000) },
  )
})

test('any link whatever is read without a throw into a consistent state that survives a round trip', () => {
  const keys = [...Object.values(FIELDS).map(({ key }) => key), '__proto__', 'constructor', 'v', '']
  const values = ['60', '-5', '1e99', '%', '%E4%BD', '', 'beyond', 'order', 'learned', '0.5', 'NaN']
  const part = fc.tuple(
    fc.oneof(fc.constantFrom(...keys), fc.string()),
    fc.oneof(fc.constantFrom(...values), fc.string(), fc.integer().map(String)),
  )
  const built = fc
    .array(part)
    .map((parts) => parts.map(([key, value]) => `${key}=${value}`).join('&'))
  fc.assert(
    fc.property(fc.oneof(built, fc.string(), fc.string({ unit: 'binary' })), (hash) => {
      const { state } = decodeState(hash)
      assertConsistent(state)
      const again = decodeState(`#${encodeState(state, '1.0.0')}`)
      assert.deepEqual(again.state, state)
      assert.equal(again.version, '1.0.0')
    }),
    { numRuns: times(100000) },
  )
  assert.equal(Object.keys(Object.prototype).length, 0)
  assert.equal(/** @type {any} */ ({}).pos, undefined)
})

test('links: unknown keys are dropped, the first of a repeated key counts, length is cut', () => {
  assert.equal(decodeState('#pos=12&pos=13&nothing=1').state.position, 12)
  assert.equal(decodeState(`#x=${'a'.repeat(MAX_HASH_LENGTH)}&pos=12`).state.position, 60)
  assert.equal(encodeState(initialState(), '0.1.0'), 'v=0.1.0')
  const state = withPatch(initialState(), { sentenceA: '我 & 你 = #1', scene: 'order' })
  assert.equal(decodeState(encodeState(state, 'x')).state.sentenceA, '我 & 你 = #1')
})

test('every preset gives a consistent state of its scene', () => {
  for (const [scene, presets] of Object.entries(PRESETS)) {
    for (const patch of Object.values(presets)) {
      const state = withPreset(withPatch(initialState(), { scene, lang: 'zh' }), patch)
      assertConsistent(state)
      assert.equal(state.lang, 'zh')
      for (const [name, value] of Object.entries(patch))
        assert.equal(/** @type {any} */ (state)[name], value, name)
    }
  }
})

test('words: Chinese by character, others by spaces, marks dropped', () => {
  assert.deepEqual(splitWords('我爱你。'), ['我', '爱', '你'])
  assert.deepEqual(splitWords('Dog bites  man!'), ['Dog', 'bites', 'man'])
  assert.deepEqual(splitWords('我爱 NumPy 2'), ['我', '爱', 'NumPy', '2'])
  assert.deepEqual(splitWords(' … '), [])
  // FNV-1a, 32 bit, of one unit 0x61 ('a'): published test vector of the algorithm.
  assert.equal(wordId('a'), 0xe40c292c)
  assert.equal(wordId(''), 0x811c9dc5)
})

test('the same word is matched occurrence by occurrence', () => {
  const one = ['the', 'cat', 'saw', 'the', 'dog']
  const other = ['the', 'dog', 'saw', 'the', 'cat']
  assert.deepEqual(matchWords(one, other), [0, 4, 2, 3, 1])
  assert.deepEqual(matchWords(['a', 'b'], ['b']), [undefined, 0])
})

test('a scene begins where its idea is plain, unless the reader chose otherwise', () => {
  const start = initialState()
  const waves = withPatch(start, { scene: 'waves' })
  assert.deepEqual([waves.mode, waves.position], ['sinusoidal', 10])
  const back = withPatch(waves, { scene: 'beyond' })
  assert.deepEqual([back.mode, back.position], ['learned', 60])
  const chosen = withPatch(withPatch(start, { position: 33 }), { scene: 'waves' })
  assert.deepEqual([chosen.mode, chosen.position], ['sinusoidal', 33])
  const named = withPatch(start, { scene: 'waves', mode: 'learned' })
  assert.equal(named.mode, 'learned')
  for (const state of [waves, back, chosen, named]) {
    assert.deepEqual(decodeState(encodeState(state, '0.1.0')).state, state)
  }
})
