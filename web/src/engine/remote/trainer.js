// A run of the length lab in the worker: the calls of Trainer in trainer.js, as promises.

/** @typedef {import('./caller.js').CallOptions} CallOptions */
/** @typedef {import('../calls/trainer.js').AttentionExample} AttentionExample */
/** @typedef {import('../calls/trainer.js').Curve} Curve */
/** @typedef {import('../calls/trainer.js').EvaluateOptions} EvaluateOptions */
/** @typedef {import('../calls/trainer.js').ExampleOptions} ExampleOptions */
/** @typedef {import('../calls/trainer.js').StepReport} StepReport */
/** @typedef {import('../calls/trainer.js').TrainedTable} TrainedTable */
/** @typedef {import('../calls/trainer.js').TrainerInfo} TrainerInfo */

/** Calls of one trainer run in the order they are made. */
export class RemoteTrainer {
  #handle

  /**
   * @internal
   * @param {import('./handle.js').RemoteHandle} handle
   */
  constructor(handle) {
    this.#handle = handle
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<TrainerInfo>}
   */
  info(call) {
    return this.#handle.send('info', call)
  }

  /**
   * @param {{ steps: number }} options how many more; it never goes beyond the steps of the run
   * @param {CallOptions} [call] once aborted, the steps that were done stay
   * @returns {Promise<StepReport>}
   */
  train(options, call) {
    return this.#handle.send('train', call, options)
  }

  /**
   * @param {EvaluateOptions} [options]
   * @param {CallOptions} [call]
   * @returns {Promise<Curve>}
   */
  evaluate(options, call) {
    return this.#handle.send('evaluate', call, options)
  }

  /**
   * @param {ExampleOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<AttentionExample>}
   */
  attention(options, call) {
    return this.#handle.send('attention', call, options)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<TrainedTable>} of code `learned`; any other is refused
   */
  table(call) {
    return this.#handle.send('table', call)
  }

  /**
   * @param {CallOptions} [call]
   * @returns {Promise<Uint8Array>} everything, for `engine.restoreTrainer`
   */
  snapshot(call) {
    return this.#handle.send('snapshot', call)
  }

  /**
   * Frees it, after the calls made before. Any later call rejects with EngineError `disposed`.
   * @param {CallOptions} [call] a signal that is aborted later does not keep the trainer
   * @returns {Promise<void>}
   */
  dispose(call) {
    return this.#handle.dispose(call)
  }
}
