// The engine on the calling thread: calls return at once. See client.js for the same over a worker, and
// types.d.ts for what the calls take, give and refuse.
import { calls, methodsOf, numberCalls, openings, table, trainer } from './calls/calls.js'
import * as check from './calls/check.js'
import { Pace, runNow } from './calls/slices.js'
import { asEngineError, disposedError } from './errors.js'
import { assertWebAssembly, loadCore } from './load.js'
import { ordinarySources, startBuild } from './sources.js'

/**
 * @import { Call, Core, EngineCalls, EngineOptions, Info, Kind, NumberCalls, Sources, TableCalls,
 *   TableOptions, TrainerCalls, TrainerOptions } from './types.js'
 */

/**
 * @param {EngineOptions} [options]
 * @throws {EngineError} `no-webassembly`, `wasm-blocked`, `wasm-broken`, `out-of-memory`
 */
export async function loadEngine(options) {
  const checked = checkEngineOptions(options)
  assertWebAssembly()
  const { core, info } = await startBuild(checked, loadCore)
  return new Engine(core, info)
}

/** @param {EngineOptions | undefined} options @returns {{ simd?: boolean, sources: Sources }} */
export function checkEngineOptions(options) {
  const { simd, sources } = check.fields(options, ['simd', 'sources'])
  return {
    sources: sources === undefined ? ordinarySources() : checkSources(sources),
    simd: simd === undefined ? undefined : check.boolean('simd', simd),
  }
}

/** @param {unknown} sources @returns {Sources} */
function checkSources(sources) {
  const { wasm, workerUrl } = check.fields(sources, ['wasm', 'workerUrl'], 'sources')
  return {
    wasm: check.callback('sources.wasm', wasm),
    workerUrl: check.callback('sources.workerUrl', workerUrl),
  }
}

/** Checks and runs one call to its end. @param {Call} call @param {any} target @param {unknown[]} given */
function perform(call, target, given) {
  const args = call.check(...given)
  try {
    return runNow(call.run(target, args, new Pace()))
  } catch (error) {
    throw asEngineError(error)
  }
}

const NumberMethods = /** @type {typeof methodsOf<NumberCalls>} */ (methodsOf)(numberCalls)
const EngineMethods = /** @type {typeof methodsOf<EngineCalls>} */ (methodsOf)(calls)

export class Engine extends EngineMethods {
  #core
  /** Those that are not yet disposed of. @type {Set<object>} */
  #live = new Set()

  /**
   * @internal
   * @param {Core} core
   * @param {Info} info
   */
  constructor(core, info) {
    super((_, call, given) => perform(call, core, given))
    this.#core = core
    /**
     * @readonly
     * @type {Info}
     */
    this.info = info
    /**
     * Small calls about given numbers, for figures.
     * @readonly
     * @type {NumberCalls}
     */
    this.numbers = new NumberMethods((_, call, given) => perform(call, core, given))
  }

  /**
   * @param {TableOptions} options
   * @returns {Table} to be disposed of by the caller
   */
  createTable(options) {
    return new Table(this.#open('createTable', options), this.#live)
  }

  /**
   * @param {Uint8Array} bytes of `table.snapshot()`
   * @returns {Table} that goes on as the other one would, to be disposed of by the caller
   */
  restoreTable(bytes) {
    return new Table(this.#open('restoreTable', bytes), this.#live)
  }

  /**
   * @param {TrainerOptions} options
   * @returns {Trainer} to be disposed of by the caller
   */
  createTrainer(options) {
    return new Trainer(this.#open('createTrainer', options), this.#live)
  }

  /**
   * @param {Uint8Array} bytes of `trainer.snapshot()`
   * @returns {Trainer} that goes on as the other one would, to be disposed of by the caller
   */
  restoreTrainer(bytes) {
    return new Trainer(this.#open('restoreTrainer', bytes), this.#live)
  }

  /** @returns {number} how many tables and trainers are not yet disposed of */
  liveHandles() {
    return this.#live.size
  }

  /** @param {string} opening @param {unknown} given */
  #open(opening, given) {
    return perform(openings[opening], this.#core, [given])
  }
}

/**
 * What lives in WebAssembly memory until `dispose()`.
 * @template T its calls
 * @param {Kind} kind
 * @returns {new (object: { delete: () => void }, live: Set<object>) => T & { dispose(): void }}
 */
function handleOf(kind) {
  class Handle extends methodsOf(kind.calls) {
    /** @type {any} */
    #object
    #live

    /** @param {{ delete: () => void }} object @param {Set<object>} live */
    constructor(object, live) {
      super((_, call, given) => perform(call, this.#alive, given))
      this.#object = object
      this.#live = live
      live.add(this)
    }

    get #alive() {
      if (!this.#object) throw disposedError(kind.what)
      return this.#object
    }

    /** Frees it. Any later call throws EngineError `disposed`. */
    dispose() {
      const object = this.#alive
      this.#object = undefined
      this.#live.delete(this)
      object.delete()
    }
  }
  return /** @type {any} */ (Handle)
}

/** A learned position table. It lives in WebAssembly memory until `dispose()`. */
export class Table extends /** @type {typeof handleOf<TableCalls>} */ (handleOf)(table) {
  /** How many leading rows receive gradients: tMax at creation. */
  get trainedRows() {
    return this.info().trainedRows
  }
}

/** A small Transformer and its task. It lives in WebAssembly memory until `dispose()`. */
export class Trainer extends /** @type {typeof handleOf<TrainerCalls>} */ (handleOf)(trainer) {}
