// Runs the programs beside the figures, where Python has NumPy.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { SNIPPETS } from '../../web/src/lesson/snippets.js'
import { initialState, withPatch } from '../../web/src/state/state.js'

/** The first of these that has NumPy; the one of a version manager often has not. */
const python = ['python3', '/usr/bin/python3', 'python'].find((program) => {
  try {
    execFileSync(program, ['-c', 'import numpy'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
export const skip = python ? false : 'no Python with NumPy was found (Debian: python3-numpy)'

/** Every digit of an array on one line, so that it can be read back. */
const PRINT_ALL = `import sys, numpy
numpy.set_printoptions(threshold=sys.maxsize, floatmode="unique")
`

/**
 * @param {string} scene
 * @param {any} state
 * @returns {{ output: string, numbers: number[] }} what the program prints
 */
export function run(scene, state) {
  const output = execFileSync(/** @type {string} */ (python), ['-'], {
    input: PRINT_ALL + SNIPPETS[scene](state),
    encoding: 'utf8',
  })
  const numbers = output.match(/-?(?:nan|\d+\.?\d*(?:e[+-]?\d+)?)/g) ?? []
  return { output, numbers: numbers.map((text) => (text === 'nan' ? NaN : Number(text))) }
}

/**
 * @param {ArrayLike<number>} actual
 * @param {ArrayLike<number>} expected
 * @param {number} tolerance
 */
export function assertClose(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length)
  for (let i = 0; i < expected.length; i += 1) {
    if (Number.isNaN(expected[i])) assert.ok(Number.isNaN(actual[i]), `number ${i}`)
    else assert.ok(Math.abs(actual[i] - expected[i]) <= tolerance, `number ${i}: ${actual[i]}`)
  }
}

/** @param {Record<string, any>} patch */
export const state = (patch) => withPatch(initialState(), patch)

/** The kernel's sinusoidal code is float32. */
export const FLOAT32 = 1e-7

/** @param {any} engine @param {any} now */
export function tableOf(engine, { tMax, dModel, seed, scale, steps, rate, grown }) {
  const table = engine.createTable({ tMax, dModel, seed, scale })
  if (steps > 0) table.trainTowardSinusoid({ steps, learningRate: rate })
  if (grown > 0) table.grow(tMax + grown)
  return table
}

/** @param {any} engine @param {any} now */
export const codeOf = (engine, { position, dModel, base }) =>
  engine.sinusoidal({ length: 1, dModel, base, start: position }).data
