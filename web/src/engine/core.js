// The shape of what Emscripten's module offers (cpp/bindings), and how its answers are read.

import { EngineError, invalidArgument } from './errors.js'

/**
 * An ordinary failure arrives as data: `ok` is false, and `code` says what it is.
 * @typedef {object} Answer
 * @property {boolean} ok
 * @property {string} [code]
 * @property {string} [name]
 * @property {number} [value]
 * @property {import('./errors.js').Rule} [rule]
 * @property {number} [position]
 * @property {number} [tMax]
 * @property {string} [message] of what is no ordinary failure
 */

/** @typedef {Answer & { [result: string]: any }} CoreAnswer */

/**
 * A learned table in WebAssembly memory; whoever creates one calls `delete`.
 * @typedef {object} TableHandle
 * @property {(steps: number, rate: number, targetScale: number) => CoreAnswer} checkTraining
 * @property {(steps: number, rate: number, targetScale: number) => CoreAnswer} train
 * @property {(tMax: number) => CoreAnswer} grow
 * @property {() => CoreAnswer} info
 * @property {() => CoreAnswer} values
 * @property {(position: number, behaviour: string) => CoreAnswer} lookup
 * @property {() => CoreAnswer} gradientRows
 * @property {() => CoreAnswer} snapshot
 * @property {() => void} delete
 */

/**
 * A run of the length lab in WebAssembly memory; each call takes an object of named arguments.
 * @typedef {object} TrainerHandle
 * @property {() => CoreAnswer} info
 * @property {(args: object) => CoreAnswer} train
 * @property {(args: object) => CoreAnswer} startCurve
 * @property {(args: object) => CoreAnswer} curvePiece
 * @property {() => CoreAnswer} curve
 * @property {(args: object) => CoreAnswer} attention
 * @property {() => CoreAnswer} table
 * @property {() => CoreAnswer} snapshot
 * @property {() => void} delete
 */

/** @typedef {Record<string, (...args: any[]) => CoreAnswer>} Core functions by name */

/**
 * @template {Float32Array | Float64Array} T
 * @typedef {{ data: T, shape: [rows: number, columns: number] }} Matrix row-major
 */

/**
 * @param {CoreAnswer} answer
 * @param {Record<string, unknown>} [args] of the call: the core knows each as a number at most, the
 *   caller's own value says more
 * @returns {any} itself, when it is not a failure
 */
export function unwrap(answer, args = {}) {
  if (answer.ok) return answer
  const { code, name = '', value, rule, position = 0, tMax = 0, message } = answer
  if (code === 'invalid-argument' && rule) {
    const own = Object.hasOwn(args, name) ? args[name] : value
    throw invalidArgument(name, own, rule)
  }
  if (code === 'position-out-of-range') {
    throw new EngineError(
      'position-out-of-range',
      `Position ${position} has no row in a table of ${tMax} rows.`,
      { position, tMax },
    )
  }
  if (code === 'out-of-memory') {
    throw new EngineError('out-of-memory', 'There is not enough memory for this.')
  }
  throw new EngineError('internal', `The core failed: ${message ?? code}.`)
}

/**
 * @param {{ data?: any, rows?: number, columns?: number }} answer
 * @returns {Matrix<any>}
 */
export function matrixOf({ data, rows = 0, columns = 0 }) {
  return { data, shape: [rows, columns] }
}
