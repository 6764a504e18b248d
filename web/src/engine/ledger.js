// What the page remembers of each table in the worker: the last snapshot, and the calls that
// changed the table since. Calls are deterministic to the last bit, so that both together are the
// table, and a snapshot need not be sent after every call.

/** @typedef {{ method: string, args: any }} Deed */

export class Ledger {
  /** @type {Deed} how the table is made again */
  #origin
  /** @type {Deed[]} */
  #since = []

  /**
   * @param {Deed} origin `createTable` or `restoreTable`
   * @param {{ tMax: number, dModel: number }} shape
   */
  constructor(origin, { tMax, dModel }) {
    this.#origin = origin
    this.tMax = tMax
    this.dModel = dModel
  }

  /** @returns {Deed[]} what makes the table again, in order */
  get deeds() {
    return [this.#origin, ...this.#since]
  }

  /** @param {Uint8Array} bytes the whole table; what came before may be forgotten */
  snapshot(bytes) {
    this.#origin = { method: 'restoreTable', args: { bytes } }
    this.#since = []
  }

  /** @param {Deed} deed done in full */
  add({ method, args }) {
    const last = this.#since.at(-1)
    if (method === 'trainTowardSinusoid') {
      if (args.steps === 0) return
      if (last?.method === method && sameTraining(last.args, args)) {
        last.args = { ...args, steps: last.args.steps + args.steps }
        return
      }
    }
    this.#since.push({ method, args })
  }
}

/**
 * @param {{ learningRate: number, targetScale: number }} a
 * @param {{ learningRate: number, targetScale: number }} b
 */
function sameTraining(a, b) {
  return a.learningRate === b.learningRate && a.targetScale === b.targetScale
}
