// Calls on this thread, each run to its end, and what lives in WebAssembly memory between them.

import { asEngineError, disposedError } from './errors.js'
import { Pace, runNow } from './calls/slices.js'

/**
 * Runs one call to its end.
 * @template T, A, R
 * @param {{ run: (target: T, args: A, pace: Pace) => R | import('./calls/slices.js').Sliced<R> }} call
 * @param {T} target
 * @param {A} args
 * @returns {R}
 */
export function perform(call, target, args) {
  try {
    return runNow(call.run(target, args, new Pace()))
  } catch (error) {
    throw asEngineError(error)
  }
}

/** A table or a trainer: what stands behind Table and Trainer. */
export class Handle {
  /** @type {any} */
  #object
  #what
  #live

  /**
   * @param {{ delete: () => void }} object
   * @param {'table' | 'trainer'} what
   * @param {Set<Handle>} live those that are not yet disposed of, this one among them until it is
   */
  constructor(object, what, live) {
    this.#object = object
    this.#what = what
    this.#live = live
    live.add(this)
  }

  /** @returns {any} */
  get #alive() {
    if (!this.#object) throw disposedError(this.#what)
    return this.#object
  }

  /**
   * @template A, R
   * @param {{ check: (...given: any[]) => A,
   *   run: (target: any, args: A, pace: Pace) => R | import('./calls/slices.js').Sliced<R> }} call
   * @param {unknown[]} given by the caller
   * @returns {R}
   */
  run(call, ...given) {
    return perform(call, this.#alive, call.check(...given))
  }

  dispose() {
    const object = this.#alive
    this.#object = undefined
    this.#live.delete(this)
    object.delete()
  }
}
