// The engine over a worker: the calls of engine.js, as promises. See connection.js for what happens
// when the worker fails.

import { calls } from './calls.js'
import * as check from './check.js'
import { Connection } from './connection.js'
import { checkEngineOptions } from './engine.js'
import { EngineError, disposedError, invalidArgument } from './errors.js'
import { RemoteFamily } from './family_engine.js'
import { assertWasm, assertWebAssembly } from './load.js'
import { createTable, restoreTable, tableCalls } from './table_calls.js'

/** @typedef {import('./connection.js').Notice} Notice */
/** @typedef {import('./connection.js').Pending} Pending */
/** @typedef {import('./engine.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./engine.js').AttentionResult} AttentionResult */
/** @typedef {import('./engine.js').BlockRotationOptions} BlockRotationOptions */
/** @typedef {import('./engine.js').EngineOptions} EngineOptions */
/** @typedef {import('./engine.js').LookupOptions} LookupOptions */
/** @typedef {import('./engine.js').OffsetProfileOptions} OffsetProfileOptions */
/** @typedef {import('./engine.js').SimilarityOptions} SimilarityOptions */
/** @typedef {import('./engine.js').SinusoidalOptions} SinusoidalOptions */
/** @typedef {import('./engine.js').TableOptions} TableOptions */
/** @typedef {import('./engine.js').TrainOptions} TrainOptions */
/** @typedef {import('./load.js').Info} Info */
/** @typedef {import('./slices.js').Progress} Progress */
/** @typedef {import('./table_calls.js').TableInfo} TableInfo */
/** @typedef {import('./table_calls.js').TrainReport} TrainReport */
/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('./calls.js').Matrix<T>} Matrix
 */

/**
 * What every call takes as an extra last argument.
 * @typedef {object} CallOptions
 * @property {AbortSignal} [signal] once aborted, the call rejects with EngineError `aborted`, details
 *   `{ reason: 'signal' }`, and its work stops at the end of the slice. A table keeps the training
 *   steps that were done by then (`info().steps` counts them); nothing else is left half done.
 * @property {string} [latest] a key of the caller's choice: a newer call with the same key takes the
 *   place of this one, which rejects with `aborted`, details `{ reason: 'superseded' }`
 * @property {(progress: Progress) => void} [onProgress] of training and of large results, some ten
 *   times a second: steps, rows or offsets
 */

/**
 * @typedef {object} ConnectOptions
 * @property {boolean} [simd] forces one of the two builds; otherwise the faster one that runs here
 * @property {import('./sources.js').Sources} [sources] default: the files beside the module
 * @property {boolean} [worker] false: everything on this thread, in slices of at most 16 ms
 * @property {(notice: Notice) => void} [onNotice] told after the worker was replaced, or given up
 */

/**
 * Starts a worker, in a browser or in Node. Where there can be none, the calls run on this thread.
 * @param {ConnectOptions} [options]
 * @returns {Promise<RemoteEngine>} to be closed by the caller
 * @throws {EngineError} `no-webassembly`, `wasm-blocked`, `wasm-broken`, `out-of-memory`
 */
export async function connectEngine(options) {
  const read = check.fields(options, ['worker', 'onNotice'])
  const { simd, sources } = checkEngineOptions(options)
  const useWorker = read.worker === undefined ? true : check.boolean('worker', read.worker)
  const onNotice = checkFunction('onNotice', read.onNotice) ?? (() => {})

  assertWebAssembly()
  const bytes = await sources.wasm(simd)
  assertWasm(bytes)
  const workerUrl = useWorker ? sources.workerUrl() : null
  const connection = new Connection({ bytes, simd, workerUrl, onNotice })
  await connection.start()
  return new RemoteEngine(connection)
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {((value: any) => void) | undefined}
 */
function checkFunction(name, value) {
  if (value === undefined) return undefined
  if (typeof value === 'function') return /** @type {(value: any) => void} */ (value)
  throw invalidArgument(name, value, 'a function', { type: 'function' })
}

/** @param {unknown} options the extra last argument */
function checkCallOptions(options) {
  const read = check.fields(options, ['signal', 'latest', 'onProgress'], 'call options')
  const signal = /** @type {AbortSignal | undefined} */ (read.signal)
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw invalidArgument('signal', signal, 'an AbortSignal', { type: 'signal' })
  }
  if (read.latest !== undefined && typeof read.latest !== 'string') {
    throw invalidArgument('latest', read.latest, 'a string', { type: 'string' })
  }
  const onProgress = checkFunction('onProgress', read.onProgress)
  return { signal, latest: read.latest, onProgress }
}

/** Sends calls and settles them; what RemoteEngine and its tables have in common. */
class Caller {
  /** @type {Map<string, Pending>} the newest call of each key */
  #latest = new Map()

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection
  }

  /**
   * @param {number} table
   * @param {string} method
   * @param {any} args checked
   * @param {CallOptions | undefined} options
   * @returns {Promise<any>}
   */
  async send(table, method, args, options) {
    const { signal, latest, onProgress } = checkCallOptions(options)
    const { connection } = this
    if (connection.closed) throw connection.closed
    if (signal?.aborted) throw abortedError('signal')

    /** @type {Pending | undefined} */
    let call
    const onAbort = () => call && connection.abort(call, abortedError('signal'))
    try {
      return await new Promise((resolve, reject) => {
        const older = latest === undefined ? undefined : this.#latest.get(latest)
        call = connection.add({ table, method, args, resolve, reject, onProgress })
        if (latest !== undefined) this.#latest.set(latest, call)
        if (older) connection.abort(older, abortedError('superseded'))
        signal?.addEventListener('abort', onAbort)
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
      if (latest !== undefined && this.#latest.get(latest) === call) this.#latest.delete(latest)
    }
  }
}

/** @param {'signal' | 'superseded'} reason */
function abortedError(reason) {
  const words = reason === 'signal' ? 'by its signal' : 'by a newer one'
  return new EngineError('aborted', `The call was stopped ${words}.`, { reason })
}

export class RemoteEngine extends RemoteFamily {
  #caller
  #connection

  /**
   * @internal
   * @param {Connection} connection
   */
  constructor(connection) {
    const caller = new Caller(connection)
    super((method, args, call) => caller.send(0, method, args, call))
    this.#connection = connection
    this.#caller = caller
    /** @type {Info} */
    this.info = connection.info
  }

  /** @returns {'worker' | 'main'} where the calls run now */
  get mode() {
    return this.#connection.mode
  }

  /**
   * For tests of what the page does when a worker fails; without a worker it does nothing.
   * `kill` ends it without a word, `hang` blocks it for ever, `crash` makes it throw.
   */
  get debug() {
    const { channel } = this.#connection
    const { worker = null } = channel ?? {}
    /** @param {'hang' | 'throw'} kind */
    const fault = (kind) => worker && channel?.post({ type: 'fault', kind })
    return {
      /** @type {any} the Worker of the browser or of Node */
      worker,
      kill: () => void worker?.terminate(),
      hang: () => void fault('hang'),
      crash: () => void fault('throw'),
    }
  }

  /**
   * @param {SinusoidalOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Matrix<Float32Array>>} row = position
   */
  async sinusoidal(options, call) {
    return this.#caller.send(0, 'sinusoidal', calls.sinusoidal.check(options), call)
  }

  /**
   * @param {SimilarityOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Float64Array>} of row `row` with every row, itself included
   */
  async similarity(options, call) {
    return this.#caller.send(0, 'similarity', calls.similarity.check(options), call)
  }

  /**
   * @param {OffsetProfileOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Float64Array>} PE(position) . PE(position + k) for each offset k
   */
  async offsetProfile(options, call) {
    return this.#caller.send(0, 'offsetProfile', calls.offsetProfile.check(options), call)
  }

  /**
   * @param {BlockRotationOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Matrix<Float64Array> & { error: number }>}
   */
  async blockRotation(options, call) {
    return this.#caller.send(0, 'blockRotation', calls.blockRotation.check(options), call)
  }

  /**
   * @param {AttentionOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<AttentionResult>}
   */
  async attention(options, call) {
    return this.#caller.send(0, 'attention', calls.attention.check(options), call)
  }

  /**
   * @param {TableOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<RemoteTable>} to be disposed of by the caller
   */
  async createTable(options, call) {
    return this.#open('createTable', createTable.check(options), call)
  }

  /**
   * @param {Uint8Array} bytes of `table.snapshot()`
   * @param {CallOptions} [call]
   * @returns {Promise<RemoteTable>} that goes on as the other one would
   */
  async restoreTable(bytes, call) {
    return this.#open('restoreTable', restoreTable.check(bytes), call)
  }

  /**
   * @param {string} method
   * @param {any} args
   * @param {CallOptions | undefined} call
   */
  async #open(method, args, call) {
    const table = this.#connection.nextTable()
    const { trainedRows } = await this.#caller.send(table, method, args, call)
    return new RemoteTable(this.#caller, table, trainedRows)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<number>} how many tables are not yet disposed of
   */
  async liveHandles(call) {
    return this.#caller.send(0, 'liveHandles', {}, call)
  }

  /**
   * Ends the worker and frees all that it held. Calls that are pending, and any later one, reject
   * with EngineError `disposed`.
   */
  async close() {
    this.#connection.close()
  }
}

/** A learned position table in the worker; calls of one table run in the order they are made. */
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
