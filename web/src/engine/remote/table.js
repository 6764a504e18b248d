// A learned table in the worker: the calls of Table in engine.js, as promises.

/** @typedef {import('./caller.js').CallOptions} CallOptions */
/** @typedef {import('../engine.js').LookupOptions} LookupOptions */
/** @typedef {import('../engine.js').TrainOptions} TrainOptions */
/** @typedef {import('../calls/table.js').TableInfo} TableInfo */
/** @typedef {import('../calls/table.js').TrainReport} TrainReport */
/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('../core.js').Matrix<T>} Matrix
 */

/** Calls of one table run in the order they are made. */
export class RemoteTable {
  #handle
  #trainedRows

  /**
   * @internal
   * @param {import('./handle.js').RemoteHandle} handle
   * @param {TableInfo} info
   */
  constructor(handle, { trainedRows }) {
    this.#handle = handle
    this.#trainedRows = trainedRows
  }

  /** How many leading rows receive gradients: tMax at creation. */
  get trainedRows() {
    this.#handle.assertAlive()
    return this.#trainedRows
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<TableInfo>}
   */
  info(call) {
    return this.#handle.send('info', call)
  }

  /**
   * @param {TrainOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<TrainReport>}
   */
  trainTowardSinusoid(options, call) {
    return this.#handle.send('trainTowardSinusoid', call, options)
  }

  /**
   * @param {number} tMax at least the present number of rows
   * @param {CallOptions} [call]
   * @returns {Promise<void>}
   */
  grow(tMax, call) {
    return this.#handle.send('grow', call, tMax)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Matrix<Float64Array>>} row = position
   */
  values(call) {
    return this.#handle.send('values', call)
  }

  /**
   * @param {number} position
   * @param {LookupOptions & CallOptions} [options]
   * @param {CallOptions} [call] where it is left out, `options` is read for both
   * @returns {Promise<Float64Array>} dModel numbers
   */
  lookup(position, options, call = options) {
    return this.#handle.send('lookup', call, position, options)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Uint8Array>} 1 for a row that a gradient has ever reached
   */
  gradientRows(call) {
    return this.#handle.send('gradientRows', call)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Uint8Array>} everything, for `engine.restoreTable`
   */
  snapshot(call) {
    return this.#handle.send('snapshot', call)
  }

  /**
   * Frees it, after the calls made before. Any later call rejects with EngineError `disposed`.
   * @param {CallOptions} [call] a signal that is aborted later does not keep the table
   * @returns {Promise<void>}
   */
  dispose(call) {
    return this.#handle.dispose(call)
  }
}
