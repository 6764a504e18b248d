// How the answers of Emscripten's module (cpp/bindings) are read.
import { EngineError, invalidArgument } from './errors.js'

/** @import { CoreAnswer } from './types.js' */

/**
 * @param {CoreAnswer} answer an ordinary failure arrives as data
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
 * @param {CoreAnswer} answer
 * @param {Record<string, unknown>} [args]
 * @returns {any} what the core found, and nothing else
 */
export function found(answer, args) {
  const fields = { ...unwrap(answer, args) }
  delete fields.ok
  return fields
}

/** @param {{ data?: any, rows?: number, columns?: number }} answer */
export const matrixOf = ({ data, rows = 0, columns = 0 }) => ({
  data,
  shape: /** @type {[number, number]} */ ([rows, columns]),
})
