// What the page remembers of each table or trainer in the worker: the last snapshot, and the calls
// that changed it since. Calls are deterministic to the last bit, so that both together are the
// thing itself, and a snapshot need not be sent after every call.

import { openings } from '../calls/calls.js'

/** @typedef {{ method: string, args: any }} Operation */

export class OperationLog {
  /** @type {Operation} how it is made again */
  #origin
  /** @type {Operation[]} */
  #since = []

  /**
   * @param {Operation} origin one of the openings
   * @param {any} info what the opening returned
   */
  constructor(origin, info) {
    this.#origin = origin
    this.kind = openings[origin.method].kind
    this.info = info
  }

  /** @returns {Operation[]} what makes it again, in order */
  get operations() {
    return [this.#origin, ...this.#since]
  }

  /** @param {Uint8Array} bytes all of it; what came before may be forgotten */
  snapshot(bytes) {
    this.#origin = { method: this.kind.restore, args: { bytes } }
    this.#since = []
  }

  /** @param {Operation} operation done in full */
  add({ method, args }) {
    const last = this.#since.at(-1)
    if (args.steps === 0) return
    if ('steps' in args && last?.method === method && sameButSteps(last.args, args)) {
      last.args = { ...args, steps: last.args.steps + args.steps }
    } else {
      this.#since.push({ method, args })
    }
  }
}

/**
 * @param {Record<string, any>} a
 * @param {Record<string, any>} b of the same method
 */
function sameButSteps(a, b) {
  return Object.keys(b).every((key) => key === 'steps' || a[key] === b[key])
}
