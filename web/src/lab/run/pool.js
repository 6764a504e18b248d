// The engines of a race, each with a worker of its own.

/**
 * @typedef {object} PooledEngine
 * @property {any} remote engine
 * @property {import('./entry.js').Entry | undefined} entry that it works on
 * @property {boolean} broken its worker was given up: it gets no other work
 */

export class EnginePool {
  #connect
  #onNotice
  /** @type {Set<PooledEngine>} */
  #busy = new Set()
  /** @type {PooledEngine[]} */
  #idle = []
  #closed = false
  /** @type {import('./file.js').Build | undefined} what runs; the same for all of them */
  info

  /**
   * @param {(options: import('../../engine/types.js').ConnectOptions) => Promise<any>} connect
   * @param {(notice: { code: string, failures?: number }) => void} onNotice
   */
  constructor(connect, onNotice) {
    this.#connect = connect
    this.#onNotice = onNotice
  }

  /** @returns {Promise<PooledEngine>} to be released */
  async acquire() {
    const engine = this.#idle.pop() ?? (await this.#open())
    this.#busy.add(engine)
    return engine
  }

  async #open() {
    /** @type {PooledEngine} */
    const engine = { remote: undefined, entry: undefined, broken: false }
    engine.remote = await this.#connect({
      onNotice: (notice) => {
        if (engine.entry) engine.entry.replaced += 1
        if (notice.code === 'worker-fallback') engine.broken = true
        this.#onNotice(notice)
      },
    })
    this.info = engine.remote.info
    if (this.#closed) this.#end(engine)
    return engine
  }

  /** @param {PooledEngine} engine keeps nothing that it made */
  release(engine) {
    if (!this.#busy.delete(engine)) return
    engine.entry = undefined
    if (engine.broken || this.#closed) this.#end(engine)
    else this.#idle.push(engine)
  }

  /** @param {number} idle how many that have nothing to do may stay */
  trim(idle) {
    for (const engine of this.#idle.splice(idle)) this.#end(engine)
  }

  /** Ends all of them; their calls are rejected. */
  close() {
    this.#closed = true
    this.trim(0)
    for (const engine of this.#busy) this.#end(engine)
    this.#busy.clear()
  }

  /** @param {PooledEngine} engine */
  #end(engine) {
    engine.remote.close().catch(() => {})
  }
}
