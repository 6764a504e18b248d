// A learned table in the worker: the calls of Table in engine.js, as promises.

import { abortedError, checkCallOptions } from './caller.js'
import { EngineError, disposedError } from './errors.js'
import { tableCalls } from './table_calls.js'

/** @typedef {import('./caller.js').CallOptions} CallOptions */
/** @typedef {import('./caller.js').Caller} Caller */
/** @typedef {import('./engine.js').LookupOptions} LookupOptions */
/** @typedef {import('./engine.js').TrainOptions} TrainOptions */
/** @typedef {import('./table_calls.js').TableInfo} TableInfo */
/** @typedef {import('./table_calls.js').TrainReport} TrainReport */
/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('./core.js').Matrix<T>} Matrix
 */

/** Calls of one table run in the order they are made. */
export class RemoteTable {
  #caller
  #table
  #trainedRows
  #disposed = false

  /**
   * @internal
   * @param {Caller} caller
   * @param {number} table
   * @param {number} trainedRows
   */
  constructor(caller, table, trainedRows) {
    this.#caller = caller
    this.#table = table
    this.#trainedRows = trainedRows
  }

  /** How many leading rows receive gradients: tMax at creation. */
  get trainedRows() {
    if (this.#disposed) throw disposedError('table')
    return this.#trainedRows
  }

  /**
   * @param {string} method
   * @param {() => any} checked
   * @param {CallOptions | undefined} call
   */
  async #send(method, checked, call) {
    if (this.#disposed) throw disposedError('table')
    const { connection } = this.#caller
    const args = checked()
    if (!connection.closed && !connection.holds(this.#table)) {
      throw new EngineError('worker-lost', 'The table was lost with its worker.')
    }
    return this.#caller.send(this.#table, method, args, call)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<TableInfo>}
   */
  info(call) {
    return this.#send('info', tableCalls.info.check, call)
  }

  /**
   * @param {TrainOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<TrainReport>}
   */
  trainTowardSinusoid(options, call) {
    const { check: checked } = tableCalls.trainTowardSinusoid
    return this.#send('trainTowardSinusoid', () => checked(options), call)
  }

  /**
   * @param {number} tMax at least the present number of rows
   * @param {CallOptions} [call]
   * @returns {Promise<void>}
   */
  grow(tMax, call) {
    return this.#send('grow', () => tableCalls.grow.check(tMax), call)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Matrix<Float64Array>>} row = position
   */
  values(call) {
    return this.#send('values', tableCalls.values.check, call)
  }

  /**
   * @param {number} position
   * @param {LookupOptions & CallOptions} [options]
   * @param {CallOptions} [call] where it is left out, `options` is read for both
   * @returns {Promise<Float64Array>} dModel numbers
   */
  lookup(position, options, call = options) {
    return this.#send('lookup', () => tableCalls.lookup.check(position, options), call)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Uint8Array>} 1 for a row that a gradient has ever reached
   */
  gradientRows(call) {
    return this.#send('gradientRows', tableCalls.gradientRows.check, call)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Uint8Array>} everything, for `engine.restoreTable`
   */
  snapshot(call) {
    return this.#send('snapshot', tableCalls.snapshot.check, call)
  }

  /**
   * Frees it, after the calls made before. Any later call rejects with EngineError `disposed`.
   * @param {CallOptions} [call] a signal that is aborted later does not keep the table
   * @returns {Promise<void>}
   */
  async dispose(call) {
    const { signal, ...others } = checkCallOptions(call)
    if (signal?.aborted) throw abortedError('signal')
    const done = this.#send('dispose', () => ({}), others)
    this.#disposed = true
    await done
  }
}
