// The engine over a worker: the calls of engine.js, as promises. See connection.js for what happens
// when the worker fails.

import { Caller } from './remote/caller.js'
import { calls } from './calls/calls.js'
import { numbersOf } from './calls/numbers.js'
import { openHere, workerOpener } from './remote/channels.js'
import * as check from './calls/check.js'
import { Connection } from './remote/connection.js'
import { checkEngineOptions } from './engine.js'
import { RemoteFamily } from './family_engine.js'
import { openings } from './calls/kinds.js'
import { assertWebAssembly } from './load.js'
import { RemoteHandle } from './remote/handle.js'
import { RemoteTable } from './remote/table.js'
import { RemoteTrainer } from './remote/trainer.js'
import { startBuild } from './sources.js'

/** @typedef {import('./calls/rope_options.js').RopeScaling} RopeScaling */
/** @typedef {import('./calls/rope_options.js').RopeCoverage} RopeCoverage */
/** @typedef {import('./calls/family.js').PositionPrecision} PositionPrecision */
/** @typedef {import('./calls/family.js').NumberFormat} NumberFormat */
/** @typedef {import('./calls/curve.js').CurveSummary} CurveSummary */
/** @typedef {import('./calls/analysis.js').AttentionResult} AttentionResult */
/** @typedef {import('./calls/analysis.js').Phasors} Phasors */
/** @typedef {import('./calls/analysis.js').Rotation} Rotation */
/** @typedef {import('./calls/analysis.js').ScoreProfile} ScoreProfile */
/** @typedef {import('./calls/analysis.js').Spread} Spread */
/** @typedef {import('./remote/caller.js').CallOptions} CallOptions */
/** @typedef {import('./remote/connection.js').Notice} Notice */
/** @typedef {import('./engine.js').AttentionOptions} AttentionOptions */
/** @typedef {import('./engine.js').ScoreOptions} ScoreOptions */
/** @typedef {import('./engine.js').BlockRotationOptions} BlockRotationOptions */
/** @typedef {import('./engine.js').MatrixOptions} MatrixOptions */
/** @typedef {import('./engine.js').OffsetProfileOptions} OffsetProfileOptions */
/** @typedef {import('./engine.js').PhasorOptions} PhasorOptions */
/** @typedef {import('./engine.js').SimilarityOptions} SimilarityOptions */
/** @typedef {import('./engine.js').SinusoidalOptions} SinusoidalOptions */
/** @typedef {import('./engine.js').TableOptions} TableOptions */
/** @typedef {import('./engine.js').TrainerOptions} TrainerOptions */
/** @typedef {import('./load.js').Info} Info */
/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('./core.js').Matrix<T>} Matrix
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
    /**
     * @readonly
     * @type {Info}
     */
    this.info = connection.info
    /**
     * Small calls about given numbers, for figures.
     * @readonly
     * @type {import('./calls/numbers.js').RemoteNumbers}
     */
    this.numbers = numbersOf(async (name, args, call) =>
      caller.send(0, name, calls[/** @type {'normals'} */ (name)].check(args), call),
    )
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
   * @returns {Promise<Rotation>}
   */
  async blockRotation(options, call) {
    return this.#caller.send(0, 'blockRotation', calls.blockRotation.check(options), call)
  }

  /**
   * @param {PhasorOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Phasors>}
   */
  async pairPhasors(options, call) {
    return this.#caller.send(0, 'pairPhasors', calls.pairPhasors.check(options), call)
  }

  /**
   * @param {MatrixOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Spread>} rows * rows * columns at most 2^28
   */
  async rowSpread(options, call) {
    return this.#caller.send(0, 'rowSpread', calls.rowSpread.check(options), call)
  }

  /**
   * @param {SinusoidalOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Spread>} of the rows of the code
   */
  async sinusoidalSpread(options, call) {
    return this.#caller.send(0, 'sinusoidalSpread', calls.sinusoidalSpread.check(options), call)
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
   * @param {ScoreOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<ScoreProfile>}
   */
  async scoreProfile(options, call) {
    return this.#caller.send(0, 'scoreProfile', calls.scoreProfile.check(options), call)
  }

  /**
   * @param {import('./calls/curve.js').CurveOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<import('./calls/curve.js').CurveSummary>}
   */
  async summarizeCurves(options, call) {
    return this.#caller.send(0, 'summarizeCurves', calls.summarizeCurves.check(options), call)
  }

  /**
   * @param {MatrixOptions} options `shape`: groups, seeds, columns, each at most 64 and seeds 10; NaN: none
   * @param {CallOptions} [call]
   * @returns {Promise<import('./calls/curve.js').PairedTests>}
   */
  async pairedTests(options, call) {
    return this.#caller.send(0, 'pairedTests', calls.pairedTests.check(options), call)
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
   * @param {new (handle: RemoteHandle, info: any) => T} Remote
   * @param {keyof typeof openings} method
   * @param {unknown} given
   * @param {CallOptions | undefined} call
   * @returns {Promise<T>}
   */
  async #open(Remote, method, given, call) {
    const { check: checked, kind } = openings[method]
    const args = checked(given)
    const target = this.#connection.nextTarget()
    const info = await this.#caller.send(target, method, args, call)
    return new Remote(new RemoteHandle(this.#caller, target, kind), info)
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
