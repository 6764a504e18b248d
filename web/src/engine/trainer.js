// A run of the length lab on the calling thread; see remote/trainer.js for the same over a worker.

import { trainerCalls } from './calls/trainer.js'

/** @typedef {import('./calls/trainer.js').AttentionExample} AttentionExample */
/** @typedef {import('./calls/trainer.js').Curve} Curve */
/** @typedef {import('./calls/trainer.js').EvaluateOptions} EvaluateOptions */
/** @typedef {import('./calls/trainer.js').ExampleOptions} ExampleOptions */
/** @typedef {import('./calls/trainer.js').StepReport} StepReport */
/** @typedef {import('./calls/trainer.js').TrainedTable} TrainedTable */
/** @typedef {import('./calls/trainer.js').TrainerInfo} TrainerInfo */

/** A small Transformer and its task. It lives in WebAssembly memory until `dispose()`. */
export class Trainer {
  #handle

  /**
   * @internal
   * @param {import('./handle.js').Handle} handle
   */
  constructor(handle) {
    this.#handle = handle
  }

  /** @returns {TrainerInfo} */
  info() {
    return this.#handle.run(trainerCalls.info)
  }

  /**
   * @param {{ steps: number }} options how many more; it never goes beyond the steps of the run
   * @returns {StepReport}
   */
  train(options) {
    return this.#handle.run(trainerCalls.train, options)
  }

  /**
   * @param {EvaluateOptions} [options]
   * @returns {Curve}
   */
  evaluate(options) {
    return this.#handle.run(trainerCalls.evaluate, options)
  }

  /**
   * @param {ExampleOptions} options
   * @returns {AttentionExample}
   */
  attention(options) {
    return this.#handle.run(trainerCalls.attention, options)
  }

  /** @returns {TrainedTable} of code `learned`; any other is refused */
  table() {
    return this.#handle.run(trainerCalls.table)
  }

  /** @returns {Uint8Array} everything, for `engine.restoreTrainer` */
  snapshot() {
    return this.#handle.run(trainerCalls.snapshot)
  }

  /** Frees it. Any later call throws EngineError `disposed`. */
  dispose() {
    this.#handle.dispose()
  }
}
