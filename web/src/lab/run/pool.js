// The engines of a race, each with a worker of its own; what is lost with one is done again on another.
import { asEngineError } from '../../engine/errors.js'

/**
 * @typedef {object} PooledEngine
 * @property {any} remote engine
 * @property {import('./entry.js').Entry | undefined} entry that it works on
 * @property {boolean} broken its worker was given up: it gets no other work
 * @property {number} working pieces of work under way on it
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
    const engine = { remote: undefined, entry: undefined, broken: false, working: 0 }
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

/** Work is taken up by so many engines before it counts as failed. */
const MOST_LOST = 3

/** An engine that is held from one piece of work to the next. */
export class Lease {
  #pool
  /** @type {Promise<PooledEngine> | undefined} */
  #held

  /** @param {EnginePool} pool */
  constructor(pool) {
    this.#pool = pool
  }

  /** @returns {Promise<PooledEngine>} the one that is held, or another */
  engine() {
    const held = (this.#held ??= this.#pool.acquire())
    held.catch(() => this.#forget(held))
    return held
  }

  /**
   * Does work on an engine. Where that is lost, work begins again on another: the one place that answers
   * for an engine that has failed again and again.
   * @template T
   * @param {(engine: PooledEngine) => Promise<T>} work
   * @param {{ signal: AbortSignal, again?: () => void, most?: number }} course ends it; is told before
   *   another begins; how many engines at most
   * @returns {Promise<T>}
   */
  async use(work, { signal, again = () => {}, most = MOST_LOST }) {
    for (let lost = 1; ; lost += 1) {
      const held = this.engine()
      const engine = await held
      engine.working += 1
      try {
        return await work(engine)
      } catch (error) {
        if (asEngineError(error).code !== 'worker-lost') throw error
        engine.broken = true
        if (lost === most || signal.aborted) throw error
        again()
      } finally {
        engine.working -= 1
        if (engine.broken) {
          this.#forget(held)
          // What else is under way on it may still come to its end: on this thread, say.
          if (engine.working === 0) this.#pool.release(engine)
        }
      }
    }
  }

  release() {
    const held = this.#held
    this.#held = undefined
    held?.then((engine) => this.#pool.release(engine)).catch(() => {})
  }

  /** @param {Promise<PooledEngine>} held */
  #forget(held) {
    if (this.#held === held) this.#held = undefined
  }
}
