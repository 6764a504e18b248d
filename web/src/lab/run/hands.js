// The engines of a race, each with a worker of its own: hired, given back, and ended.

/**
 * @typedef {object} Hand
 * @property {any} remote engine
 * @property {import('./entry.js').Entry | undefined} entry that it works on
 * @property {boolean} worn it is not to be given other work: its worker was given up
 */

export class Hands {
  #connect
  #onNotice
  /** @type {Set<Hand>} */
  #busy = new Set()
  /** @type {Hand[]} */
  #idle = []
  #closed = false
  /** @type {import('./file.js').Build | undefined} what runs; the same for all of them */
  info

  /**
   * @param {(options: import('../../engine/client.js').ConnectOptions) => Promise<any>} connect
   * @param {(notice: { code: string, failures?: number }) => void} onNotice
   */
  constructor(connect, onNotice) {
    this.#connect = connect
    this.#onNotice = onNotice
  }

  /** @returns {Promise<Hand>} to be given back */
  async hire() {
    const hand = this.#idle.pop() ?? (await this.#open())
    this.#busy.add(hand)
    return hand
  }

  async #open() {
    /** @type {Hand} */
    const hand = { remote: undefined, entry: undefined, worn: false }
    hand.remote = await this.#connect({
      onNotice: (notice) => {
        if (hand.entry) hand.entry.replaced += 1
        if (notice.code === 'worker-fallback') hand.worn = true
        this.#onNotice(notice)
      },
    })
    this.info = hand.remote.info
    if (this.#closed) this.#end(hand)
    return hand
  }

  /** @param {Hand} hand keeps nothing that it made */
  giveBack(hand) {
    if (!this.#busy.delete(hand)) return
    hand.entry = undefined
    if (hand.worn || this.#closed) this.#end(hand)
    else this.#idle.push(hand)
  }

  /** @param {number} idle how many that have nothing to do may stay */
  trim(idle) {
    for (const hand of this.#idle.splice(idle)) this.#end(hand)
  }

  /** Ends all of them; their calls are rejected. */
  close() {
    this.#closed = true
    this.trim(0)
    for (const hand of this.#busy) this.#end(hand)
    this.#busy.clear()
  }

  /** @param {Hand} hand */
  #end(hand) {
    hand.remote.close().catch(() => {})
  }
}
