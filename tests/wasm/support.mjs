// What the tests of the engine share. They run against the built package.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { inEnglish } from '../../web/src/engine/rules.js'

/** Another build to test; by default that of `npm run build`. */
const dist = process.env.POSENC_DIST
  ? new URL(`file://${process.env.POSENC_DIST}/`)
  : new URL('../../dist/', import.meta.url)

/** @type {typeof import('../../web/src/element/index.js')} */
const posenc = await import(new URL('posenc-lab.js', dist).href)
export const { EngineError, connectEngine, loadEngine, simdSupported } = posenc

/** @typedef {import('../../web/src/element/index.js').Engine} Engine */
/** @typedef {import('../../web/src/element/index.js').RemoteEngine} RemoteEngine */

/** Both builds by name. */
export const builds = /** @type {const} */ ([
  ['simd', true],
  ['plain', false],
])

/** @param {string} name of a file of the built package */
export const distUrl = (name) => new URL(name, dist)

/**
 * @param {string} name of a file in tests/golden
 * @returns {Promise<Record<string, string>[]>} a row an object, by column
 */
export async function golden(name) {
  const text = await readFile(new URL(`../golden/${name}`, import.meta.url), 'utf8')
  const [head = '', ...lines] = text.trim().split(/\r?\n/)
  const columns = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']))
  })
}

/**
 * Groups rows that one call can answer.
 * @template T
 * @param {T[]} rows
 * @param {(row: T) => string} key
 * @returns {T[][]}
 */
export function grouped(rows, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map()
  for (const row of rows) groups.set(key(row), [...(groups.get(key(row)) ?? []), row])
  return [...groups.values()]
}

/** Exact equality of every bit, which deepEqual would deny to NaN payloads and grant to nothing else. */
export function assertSameBits(
  /** @type {Float32Array | Float64Array} */ actual,
  /** @type {Float32Array | Float64Array} */ expected,
  /** @type {string} */ message = 'the same bits',
) {
  assert.equal(actual.constructor, expected.constructor)
  const [a, b] = [actual, expected].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  assert.equal(Buffer.compare(a ?? new Uint8Array(1), b ?? new Uint8Array(2)), 0, message)
}

/**
 * Asserts that an error is one of the engine's, in full form.
 * @param {unknown} error
 * @param {{ code: string, name?: string }} expected
 */
export function assertEngineError(error, { code, name }) {
  assert.ok(error instanceof EngineError, `an EngineError, not ${error}`)
  assert.equal(error.code, code, error.message)
  assert.equal(error.name, 'EngineError')
  assert.ok(error.message.length > 10)
  structuredClone(error.details)
  if (code !== 'invalid-argument') return
  const { details } = error
  assert.ok('value' in details)
  const { rule, index } = details
  assert.equal(details.expected, inEnglish(index !== undefined && rule.items ? rule.items : rule))
  assert.ok(details.expected.length > 5)
  if (name !== undefined) assert.equal(details.name, name, error.message)
}

/**
 * @param {() => unknown} call returns at once or gives a promise
 * @param {{ code: string, name?: string }} expected
 */
export async function assertRefused(call, expected) {
  let result
  try {
    result = await call()
  } catch (error) {
    assertEngineError(error, expected)
    return /** @type {import('../../web/src/element/index.js').EngineError} */ (error)
  }
  assert.fail(`accepted, with ${JSON.stringify(result)?.slice(0, 80)}`)
}

/** A known answer: whatever happened before, the engine must still give it. */
export async function assertStillRight(/** @type {Engine | RemoteEngine} */ engine) {
  const { data, shape } = await engine.sinusoidal({ length: 2, dModel: 4 })
  assert.deepEqual(shape, [2, 4])
  const expected = [0, 1, 0, 1, Math.sin(1), Math.cos(1), Math.sin(0.01), Math.cos(0.01)]
  for (const [index, value] of expected.entries()) {
    assert.ok(Math.abs((data[index] ?? NaN) - value) <= 6.1e-8)
  }
}
