// The engine on the calling thread: calls return at once. See client.js for the same over a worker.

import { calls } from './calls/calls.js'
import { numbersOf } from './calls/numbers.js'
import * as check from './calls/check.js'
import { FamilyEngine } from './family_engine.js'
import { Handle, perform } from './handle.js'
import { assertWebAssembly, loadCore } from './load.js'
import { ordinarySources, startBuild } from './sources.js'
import { createTable, restoreTable, tableCalls } from './calls/table.js'
import { Trainer } from './trainer.js'
import { createTrainer, restoreTrainer } from './calls/trainer.js'

/** @typedef {import('./calls/analysis.js').AttentionResult} AttentionResult */
/** @typedef {import('./calls/analysis.js').Phasors} Phasors */
/** @typedef {import('./calls/analysis.js').Rotation} Rotation */
/** @typedef {import('./calls/analysis.js').ScoreProfile} ScoreProfile */
/** @typedef {import('./calls/analysis.js').Spread} Spread */
/** @typedef {import('./core.js').Core} Core */
/** @typedef {import('./calls/curve.js').CurveSummary} CurveSummary */
/** @typedef {import('./calls/curve.js').PairedTests} PairedTests */
/** @typedef {import('./load.js').Info} Info */
/** @typedef {import('./calls/limits.js').Behaviour} Behaviour */
/** @typedef {import('./calls/limits.js').Measure} Measure */
/** @typedef {import('./sources.js').Sources} Sources */
/** @typedef {import('./calls/table.js').TableInfo} TableInfo */
/** @typedef {import('./calls/table.js').TrainReport} TrainReport */
/** @typedef {import('./calls/trainer.js').TrainerOptions} TrainerOptions */
/**
 * @template {Float32Array | Float64Array} T
 * @typedef {import('./core.js').Matrix<T>} Matrix
 */
/** @typedef {ArrayLike<number>} Numbers a typed array or a plain array */

/** @typedef {{ length: number, dModel: number, base?: number, start?: number }} SinusoidalOptions */
/** @typedef {{ data: Numbers, shape: Numbers, row: number, measure?: Measure }} SimilarityOptions */
/**
 * @typedef {{ dModel: number, base?: number, position: number, offsets: Numbers }} OffsetProfileOptions
 */
/** @typedef {{ dModel: number, base?: number, offset: number }} BlockRotationOptions */
/** @typedef {{ dModel: number, base?: number, position: number }} PhasorOptions */
/** @typedef {{ data: Numbers, shape: Numbers }} MatrixOptions */
/**
 * @typedef {object} AttentionOptions
 * @property {Numbers} tokens ids, integers from 0 to 2^32 - 1; at most 64
 * @property {number} [dModel] default 16, at most 128
 * @property {number} [heads] default 2; divides dModel
 * @property {number} [seed] default 7
 * @property {boolean} [causal] default false
 * @property {{ data: Numbers, shape: Numbers }} [codes] a row a token, added to the embeddings
 * @property {Numbers} [inverseFrequencies] of `ropeFrequencies`, at most dModel / heads / 2: RoPE,
 *   interleaved, in every head
 * @property {Numbers} [bias] heads * n * n finite numbers, added to the scores: ALiBi, T5. What a
 *   causal mask hides is not read
 */
/**
 * Query and key are the words themselves: one head, no weights.
 * @typedef {object} ScoreOptions
 * @property {number} dModel at most 128
 * @property {number} distances keys at position + 0 to distances - 1; at most 4096
 * @property {number} [contents] default 64, at most 1024; contents * distances * dModel <= 2^25
 * @property {boolean} [sameWord] default true: the key is the query's own word, else another one
 * @property {number} [seed] default 42
 * @property {number} [position] of the query, default 0
 * @property {{ data: Numbers, shape: Numbers }} [codes] a row a distance, the first the query's too
 * @property {Numbers} [inverseFrequencies] of `ropeFrequencies`, at most dModel / 2
 * @property {Numbers} [bias] one a distance
 */
/** @typedef {{ tMax: number, dModel: number, seed?: number, scale?: number }} TableOptions */
/** @typedef {{ steps: number, learningRate?: number, targetScale?: number }} TrainOptions */
/** @typedef {{ behaviour?: Behaviour }} LookupOptions */

/**
 * @typedef {object} EngineOptions
 * @property {boolean} [simd] forces one of the two builds; otherwise the faster one that runs here
 * @property {Sources} [sources] where the WebAssembly file comes from; default: beside the module
 */

/**
 * @param {EngineOptions} [options]
 * @returns {Promise<Engine>}
 * @throws {EngineError} `no-webassembly`, `wasm-blocked`, `wasm-broken`, `out-of-memory`
 */
export async function loadEngine(options) {
  const checked = checkEngineOptions(options)
  assertWebAssembly()
  const { core, info } = await startBuild(checked, loadCore)
  return new Engine(core, info)
}

/**
 * @param {EngineOptions | undefined} options
 * @returns {{ simd?: boolean, sources: Sources }}
 */
export function checkEngineOptions(options) {
  const read = check.fields(options, ['simd', 'sources'])
  const sources = read.sources === undefined ? ordinarySources() : checkSources(read.sources)
  return {
    simd: read.simd === undefined ? undefined : check.boolean('simd', read.simd),
    sources,
  }
}

/**
 * @param {unknown} sources
 * @returns {Sources}
 */
function checkSources(sources) {
  const { wasm, workerUrl } = check.fields(sources, ['wasm', 'workerUrl'], 'sources')
  return {
    wasm: check.callback('sources.wasm', wasm),
    workerUrl: check.callback('sources.workerUrl', workerUrl),
  }
}

export class Engine extends FamilyEngine {
  #core
  /** @type {Set<Handle>} */
  #live = new Set()

  /**
   * @internal
   * @param {Core} core
   * @param {Info} info
   */
  constructor(core, info) {
    super((call, options) => perform(call, core, call.check(options)))
    this.#core = core
    /**
     * @readonly
     * @type {Info}
     */
    this.info = info
    /**
     * Small calls about given numbers, for figures.
     * @readonly
     * @type {import('./calls/numbers.js').Numbers}
     */
    this.numbers = numbersOf((name, args) => {
      const call = calls[/** @type {'normals'} */ (name)]
      return perform(call, core, call.check(args))
    })
  }

  /**
   * @param {SinusoidalOptions} options
   * @returns {Matrix<Float32Array>} row = position
   */
  sinusoidal(options) {
    return perform(calls.sinusoidal, this.#core, calls.sinusoidal.check(options))
  }

  /**
   * @param {SimilarityOptions} options
   * @returns {Float64Array} of row `row` with every row, itself included
   */
  similarity(options) {
    return perform(calls.similarity, this.#core, calls.similarity.check(options))
  }

  /**
   * @param {OffsetProfileOptions} options
   * @returns {Float64Array} PE(position) . PE(position + k) for each offset k
   */
  offsetProfile(options) {
    return perform(calls.offsetProfile, this.#core, calls.offsetProfile.check(options))
  }

  /**
   * @param {BlockRotationOptions} options
   * @returns {Rotation} R with R PE(p) = PE(p + offset) at every p
   */
  blockRotation(options) {
    return perform(calls.blockRotation, this.#core, calls.blockRotation.check(options))
  }

  /**
   * @param {PhasorOptions} options
   * @returns {Phasors}
   */
  pairPhasors(options) {
    return perform(calls.pairPhasors, this.#core, calls.pairPhasors.check(options))
  }

  /**
   * @param {MatrixOptions} options rows * rows * columns at most 2^28
   * @returns {Spread}
   */
  rowSpread(options) {
    return perform(calls.rowSpread, this.#core, calls.rowSpread.check(options))
  }

  /**
   * @param {SinusoidalOptions} options length * dModel at most 2^22
   * @returns {Spread} of the rows of the code, from its formula
   */
  sinusoidalSpread(options) {
    return perform(calls.sinusoidalSpread, this.#core, calls.sinusoidalSpread.check(options))
  }

  /**
   * @param {AttentionOptions} options
   * @returns {AttentionResult}
   */
  attention(options) {
    return perform(calls.attention, this.#core, calls.attention.check(options))
  }

  /**
   * @param {ScoreOptions} options
   * @returns {ScoreProfile}
   */
  scoreProfile(options) {
    return perform(calls.scoreProfile, this.#core, calls.scoreProfile.check(options))
  }

  /**
   * @param {import('./calls/curve.js').CurveOptions} options
   * @returns {CurveSummary}
   */
  summarizeCurves(options) {
    return perform(calls.summarizeCurves, this.#core, calls.summarizeCurves.check(options))
  }

  /**
   * @param {MatrixOptions} options `shape`: groups, seeds, columns, each at most 64 and seeds 10; NaN: none
   * @returns {PairedTests}
   */
  pairedTests(options) {
    return perform(calls.pairedTests, this.#core, calls.pairedTests.check(options))
  }

  /**
   * @param {TableOptions} options
   * @returns {Table} to be disposed of by the caller
   */
  createTable(options) {
    return this.#table(perform(createTable, this.#core, createTable.check(options)))
  }

  /**
   * @param {Uint8Array} bytes of `table.snapshot()`
   * @returns {Table} that goes on as the other one would, to be disposed of by the caller
   */
  restoreTable(bytes) {
    return this.#table(perform(restoreTable, this.#core, restoreTable.check(bytes)))
  }

  /**
   * @param {TrainerOptions} options
   * @returns {Trainer} to be disposed of by the caller
   */
  createTrainer(options) {
    return this.#trainer(perform(createTrainer, this.#core, createTrainer.check(options)))
  }

  /**
   * @param {Uint8Array} bytes of `trainer.snapshot()`
   * @returns {Trainer} that goes on as the other one would, to be disposed of by the caller
   */
  restoreTrainer(bytes) {
    return this.#trainer(perform(restoreTrainer, this.#core, restoreTrainer.check(bytes)))
  }

  /** @returns {number} how many tables and trainers are not yet disposed of */
  liveHandles() {
    return this.#live.size
  }

  /** @param {import('./core.js').TableHandle} handle */
  #table(handle) {
    return new Table(new Handle(handle, 'table', this.#live))
  }

  /** @param {import('./core.js').TrainerHandle} handle */
  #trainer(handle) {
    return new Trainer(new Handle(handle, 'trainer', this.#live))
  }
}

/** A learned position table. It lives in WebAssembly memory until `dispose()`. */
export class Table {
  #handle

  /**
   * @internal
   * @param {Handle} handle
   */
  constructor(handle) {
    this.#handle = handle
  }

  /** How many leading rows receive gradients: tMax at creation. */
  get trainedRows() {
    return this.info().trainedRows
  }

  /** @returns {TableInfo} */
  info() {
    return this.#handle.run(tableCalls.info)
  }

  /**
   * @param {TrainOptions} options
   * @returns {TrainReport}
   */
  trainTowardSinusoid(options) {
    return this.#handle.run(tableCalls.trainTowardSinusoid, options)
  }

  /** @param {number} tMax at least the present number of rows */
  grow(tMax) {
    this.#handle.run(tableCalls.grow, tMax)
  }

  /** @returns {Matrix<Float64Array>} row = position */
  values() {
    return this.#handle.run(tableCalls.values)
  }

  /**
   * @param {number} position
   * @param {LookupOptions} [options]
   * @returns {Float64Array} dModel numbers
   * @throws {EngineError} `position-out-of-range`, details `{ position, tMax }`
   */
  lookup(position, options) {
    return this.#handle.run(tableCalls.lookup, position, options)
  }

  /** @returns {Uint8Array} 1 for a row that a gradient has ever reached */
  gradientRows() {
    return this.#handle.run(tableCalls.gradientRows)
  }

  /** @returns {Uint8Array} everything, for `engine.restoreTable` */
  snapshot() {
    return this.#handle.run(tableCalls.snapshot)
  }

  /** Frees it. Any later call throws EngineError `disposed`. */
  dispose() {
    this.#handle.dispose()
  }
}
