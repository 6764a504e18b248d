// A real model in a link: only its resolved fields, read strictly; and the public models.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PUBLIC_MODELS, configText } from '../../../web/src/config/models.js'
import { readConfig } from '../../../web/src/config/read.js'
import { MAX_RESOLVED, readResolved, writeResolved } from '../../../web/src/state/resolved.js'
import { initialState, withPatch } from '../../../web/src/state/state.js'
import { decodeState, encodeState } from '../../../web/src/state/url_state.js'
import { times } from '../../sampling.mjs'

/** @param {string} text @returns {any} */
function good(text) {
  const reading = readConfig(text)
  assert.ok(reading.ok, JSON.stringify(reading))
  return reading
}

test('the text of a link: a round trip, and nothing but what is written', () => {
  for (const id of Object.keys(PUBLIC_MODELS)) {
    const { code, resolved } = good(configText(id))
    const again = readResolved(code)
    assert.ok(again)
    assert.equal(writeResolved(again), code, id)
    assert.equal(again.positions, resolved.positions)
    const state = withPatch(initialState(), { scene: 'model', model: code })
    assert.equal(state.mode, resolved.encoding)
    const hash = encodeState(state, '1.0.0')
    assert.ok(hash.length < 400, `${id}: ${hash.length}`)
    assert.deepEqual(decodeState(hash).state, state)
  }
  const llama = good(configText('llama31')).code
  for (const text of [
    'rope',
    'rope~h.32',
    'rope!hd.127~th.10000~ty.default',
    'rope!hd.128~th.10000~ty.unheard',
    'rope!hd.128~th.1e400~ty.default',
    'rope!hd.128~th.010000~ty.default',
    'rope!th.10000~hd.128~ty.default',
    'rope!hd.128~hd.128~th.10000~ty.default',
    'learned~p.512',
    't5~b.2~d.1',
    'alibi~h.1025',
    'constructor~h.1',
    `${llama}~xx.1`,
    `${llama}!`,
    llama.toUpperCase(),
    'a'.repeat(MAX_RESOLVED + 1),
  ]) {
    assert.equal(readResolved(text), undefined, text)
    assert.equal(decodeState(`#scene=model&model=${text}`).state.model, '')
  }
  const alphabet = fc.constantFrom(...'ropelandt5hty.~!*0123456789e-_')
  fc.assert(
    fc.property(fc.string({ unit: alphabet }), (tail) => {
      const resolved = readResolved(llama + tail)
      if (resolved) assert.equal(writeResolved(resolved), llama + tail)
    }),
    { numRuns: times(5000) },
  )
})

test('another code leaves the model, another scene does not', () => {
  const { code } = good(configText('gptoss'))
  const start = withPatch(initialState(), { scene: 'model', model: code })
  assert.equal(withPatch(start, { mode: 't5' }).model, '')
  assert.equal(withPatch(start, { mode: 'rope' }).model, code)
  const away = withPatch(start, { scene: 'cost' })
  assert.equal(away.mode, 'sinusoidal')
  const back = withPatch(away, { scene: 'model' })
  assert.deepEqual([back.model, back.mode], [code, 'rope'])
})

test('public models: facts with a source', () => {
  const models = Object.values(PUBLIC_MODELS)
  assert.ok(models.length >= 12)
  for (const { name, source, facts } of models) {
    assert.match(source, /^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/blob\/main\/config\.json$/)
    assert.ok(JSON.stringify(facts).length < 500, name)
  }
})
