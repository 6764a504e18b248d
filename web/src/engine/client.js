// The engine over a worker: the calls of engine.js, as promises. See remote/connection.js for what
// happens when the worker fails.
import { methodsOf, numberCalls, openings, calls, table, trainer } from './calls/calls.js'
import * as check from './calls/check.js'
import { checkEngineOptions } from './engine.js'
import { EngineError, disposedError } from './errors.js'
import { assertWebAssembly } from './load.js'
import { Caller, abortedError, checkCallOptions } from './remote/caller.js'
import { openHere, workerOpener } from './remote/channels.js'
import { Connection } from './remote/connection.js'
import { startBuild } from './sources.js'

/**
 * @import { Call, CallOptions, ConnectOptions, EngineCalls, Info, Kind, NumberCalls, Remote,
 *   RemoteHandle, TableCalls, TableInfo, TableOptions, TrainerCalls, TrainerOptions } from './types.js'
 */

/**
 * Starts a worker, in a browser or in Node. Where there can be none, the calls run on this thread.
 * @param {ConnectOptions} [options]
 * @returns {Promise<RemoteEngine>} to be closed by the caller
 * @throws {EngineError} `no-webassembly`, `wasm-blocked`, `wasm-broken`, `out-of-memory`
 */
export async function connectEngine(options) {
  const read = check.fields(options, ['worker', 'onNotice'])
  const checked = checkEngineOptions(options)
  const useWorker = read.worker === undefined ? true : check.boolean('worker', read.worker)
  const onNotice =
    read.onNotice === undefined ? () => {} : check.callback('onNotice', read.onNotice)

  assertWebAssembly()
  const opener = (useWorker && workerOpener(checked.sources.workerUrl)) || openHere
  const connection = await startBuild(checked, async (bytes, simd) => {
    const started = new Connection({ bytes, simd, opener, onNotice })
    await started.start()
    return started
  })
  return new RemoteEngine(connection)
}

/**
 * What a call is given, and after it the options of every call over a worker.
 * @param {Call} call
 * @param {any[]} given
 */
function split(call, given) {
  const count = call.check.length
  // A lookup's options may hold those of the call.
  const options =
    given.length > count ? given[count] : call.optionsHold ? given[count - 1] : undefined
  return {
    args: call.check(...given.slice(0, count)),
    options: /** @type {CallOptions} */ (options),
  }
}

const NumberMethods = /** @type {typeof methodsOf<Remote<NumberCalls>>} */ (methodsOf)(numberCalls)
const EngineMethods = /** @type {typeof methodsOf<Remote<EngineCalls>>} */ (methodsOf)(calls)

export class RemoteEngine extends EngineMethods {
  #caller
  #connection

  /**
   * @internal
   * @param {Connection} connection
   */
  constructor(connection) {
    const caller = new Caller(connection)
    const send = async (
      /** @type {string} */ name,
      /** @type {Call} */ call,
      /** @type {any} */ given,
    ) => {
      const { args, options } = split(call, given)
      return caller.send(0, name, args, options)
    }
    super(send)
    this.#connection = connection
    this.#caller = caller
    /**
     * @readonly
     * @type {Info}
     */
    this.info = connection.info
    /**
     * Small calls about given numbers, for figures.
     * @readonly
     * @type {Remote<NumberCalls>}
     */
    this.numbers = new NumberMethods(send)
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
   * @param {TableOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<RemoteTable>} to be disposed of by the caller
   */
  async createTable(options, call) {
    return this.#open(RemoteTable, 'createTable', options, call)
  }

  /**
   * @param {Uint8Array} bytes of `table.snapshot()`
   * @param {CallOptions} [call]
   * @returns {Promise<RemoteTable>} that goes on as the other one would
   */
  async restoreTable(bytes, call) {
    return this.#open(RemoteTable, 'restoreTable', bytes, call)
  }

  /**
   * @param {TrainerOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<RemoteTrainer>} to be disposed of by the caller
   */
  async createTrainer(options, call) {
    return this.#open(RemoteTrainer, 'createTrainer', options, call)
  }

  /**
   * @param {Uint8Array} bytes of `trainer.snapshot()`
   * @param {CallOptions} [call]
   * @returns {Promise<RemoteTrainer>} that goes on as the other one would
   */
  async restoreTrainer(bytes, call) {
    return this.#open(RemoteTrainer, 'restoreTrainer', bytes, call)
  }

  /**
   * @template T
   * @param {new (caller: Caller, target: number, info: any) => T} Handle
   * @param {string} opening
   * @param {unknown} given
   * @param {CallOptions | undefined} call
   */
  async #open(Handle, opening, given, call) {
    const args = openings[opening].check(given)
    const target = this.#connection.nextTarget()
    const info = await this.#caller.send(target, opening, args, call)
    return new Handle(this.#caller, target, info)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<number>} how many tables and trainers are not yet disposed of
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

/**
 * What lives in the worker. Its calls run in the order they are made.
 * @template T its calls
 * @param {Kind} kind
 * @returns {new (caller: Caller, target: number, info: any) => Remote<T> & RemoteHandle}
 */
function handleOf(kind) {
  class Handle extends methodsOf(kind.calls) {
    #caller
    #target
    #disposed = false

    /** @param {Caller} caller @param {number} target @param {any} info */
    constructor(caller, target, info) {
      super(async (name, call, given) => {
        this.assertAlive()
        const { args, options } = split(call, given)
        return this.#send(name, args, options)
      })
      this.#caller = caller
      this.#target = target
      this.opened = info
    }

    assertAlive() {
      if (this.#disposed) throw disposedError(kind.what)
    }

    /** @param {CallOptions} [call] */
    async dispose(call) {
      const { signal, ...others } = checkCallOptions(call)
      if (signal?.aborted) throw abortedError('signal')
      this.assertAlive()
      const done = this.#send('dispose', {}, others)
      this.#disposed = true
      await done
    }

    /** @param {string} method @param {any} args @param {CallOptions | undefined} call */
    async #send(method, args, call) {
      const { connection } = this.#caller
      if (!connection.closed && !connection.holds(this.#target)) {
        throw new EngineError('worker-lost', `The ${kind.what} was lost with its worker.`)
      }
      return this.#caller.send(this.#target, method, args, call)
    }
  }
  return /** @type {any} */ (Handle)
}

/** A learned table in the worker: the calls of Table, as promises. */
export class RemoteTable extends /** @type {typeof handleOf<TableCalls>} */ (handleOf)(table) {
  /** How many leading rows receive gradients: tMax at creation. */
  get trainedRows() {
    this.assertAlive()
    return /** @type {TableInfo} */ (this.opened).trainedRows
  }
}

/** A run of the length lab in the worker: the calls of Trainer, as promises. */
export class RemoteTrainer
  extends /** @type {typeof handleOf<TrainerCalls>} */ (handleOf)(trainer) {}
