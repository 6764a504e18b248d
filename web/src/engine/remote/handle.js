// A table or a trainer in the worker: what stands behind RemoteTable and RemoteTrainer.

import { abortedError, checkCallOptions } from './caller.js'
import { EngineError, disposedError } from '../errors.js'

/** @typedef {import('./caller.js').CallOptions} CallOptions */

/** Calls run in the order they are made. */
export class RemoteHandle {
  #caller
  #target
  #kind
  #disposed = false

  /**
   * @param {import('./caller.js').Caller} caller
   * @param {number} target
   * @param {import('../calls/kinds.js').Kind} kind
   */
  constructor(caller, target, kind) {
    this.#caller = caller
    this.#target = target
    this.#kind = kind
  }

  /** @throws {EngineError} `disposed` */
  assertAlive() {
    if (this.#disposed) throw disposedError(this.#kind.what)
  }

  /**
   * @param {string} method
   * @param {CallOptions | undefined} call
   * @param {unknown[]} given by the caller
   * @returns {Promise<any>}
   */
  async send(method, call, ...given) {
    this.assertAlive()
    return this.#send(method, this.#kind.calls[method].check(...given), call)
  }

  /**
   * After the calls made before. Any later call rejects with EngineError `disposed`.
   * @param {CallOptions} [call] a signal that is aborted later keeps nothing alive
   * @returns {Promise<void>}
   */
  async dispose(call) {
    const { signal, ...others } = checkCallOptions(call)
    if (signal?.aborted) throw abortedError('signal')
    this.assertAlive()
    const done = this.#send('dispose', {}, others)
    this.#disposed = true
    await done
  }

  /**
   * @param {string} method
   * @param {any} args checked
   * @param {CallOptions | undefined} call
   */
  async #send(method, args, call) {
    const { connection } = this.#caller
    if (!connection.closed && !connection.holds(this.#target)) {
      throw new EngineError('worker-lost', `The ${this.#kind.what} was lost with its worker.`)
    }
    return this.#caller.send(this.#target, method, args, call)
  }
}
