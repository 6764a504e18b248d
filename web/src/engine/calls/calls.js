// Every call of the engine, once: how its arguments are checked and how it is run. The engine on
// this thread, the worker and the connection to the worker all use this table.
//
// `check` throws EngineError `invalid-argument` and otherwise returns plain data that can be posted
// to a worker. `run` takes that data; long work is a generator (see slices.js).

import { analysisCalls } from './analysis.js'
import * as check from './check.js'
import { unwrap } from '../core.js'
import { pairedTests, summarizeCurves } from './curve.js'
import { familyCalls } from './family.js'
import * as limits from './limits.js'
import { numberCalls } from './numbers.js'

/** @typedef {import('../core.js').Core} Core */
/** @typedef {import('../core.js').CoreAnswer} CoreAnswer */
/** @typedef {import('./slices.js').Pace} Pace */

/**
 * @template A, R
 * @typedef {object} Call
 * @property {(...args: any[]) => A} check
 * @property {(core: Core, args: A, pace: Pace) => R | import('./slices.js').Sliced<R>} run
 */

/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('../core.js').Matrix<T>} Matrix
 */

/** Units of work in a first slice: a few milliseconds on the slowest machine. */
const firstElements = 2 ** 16

const sinusoidal = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['length', 'dModel', 'base', 'start'])
    const length = check.integer('length', read.length, 0, limits.maxPosition + 1)
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
    const base = read.base === undefined ? 10000 : check.number('base', read.base, { min: 1 })
    const start =
      read.start === undefined ? 0 : check.integer('start', read.start, 0, limits.maxPosition)
    check.integer('length', length, 0, Math.floor(limits.maxMatrixSize / dModel), ['dModel'])
    check.integer('start', start, 0, limits.maxPosition + 1 - Math.max(length, 1), ['length'])
    return { length, dModel, base, start }
  },
  /**
   * @param {Core} core
   * @param {{ length: number, dModel: number, base: number, start: number }} args
   * @param {Pace} pace
   * @returns {import('./slices.js').Sliced<Matrix<Float32Array>>}
   */
  *run(core, { length, dModel, base, start }, pace) {
    /** @type {[number, number]} */
    const shape = [length, dModel]
    const first = pace.take(length, firstElements / dModel)
    let { data } = unwrap(core.sinusoidal(first, dModel, base, start))
    if (first === length) return { data, shape }

    const whole = new Float32Array(length * dModel)
    whole.set(data)
    for (let row = first; row < length;) {
      yield { done: row, total: length }
      const rows = pace.take(length - row, firstElements / dModel)
      data = unwrap(core.sinusoidal(rows, dModel, base, start + row)).data
      whole.set(data, row * dModel)
      row += rows
    }
    return { data: whole, shape }
  },
}

/** The calls of the engine by name, those that make tables excepted. */
export const calls = {
  sinusoidal,
  summarizeCurves,
  pairedTests,
  ...analysisCalls,
  ...familyCalls,
  ...numberCalls,
}
