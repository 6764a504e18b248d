// What is asked of models that were trained, or are in training: they are made again from their
// snapshots in a worker of their own, so that the race is not held up.
import { EngineError } from '../../engine/errors.js'
import { assertGoing, openTrainer } from './job.js'

/**
 * @typedef {import('./entry.js').Curve} Curve
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./pool.js').PooledEngine} PooledEngine
 * @typedef {import('./plan.js').Plan} Plan
 */

/** So many models stay, the last used ones. */
const KEPT = 6

/** @typedef {{ snapshot: Uint8Array | undefined, trainer: Promise<any> }} Model */

export class Tester {
  #pool
  #plan
  /** @type {Promise<PooledEngine> | undefined} */
  #engine
  /** @type {Map<Entry, Model>} the last used one last */
  #models = new Map()
  /** @type {Map<string, AbortController>} */
  #wishes = new Map()
  #end = new AbortController()

  /** @param {import('./pool.js').EnginePool} pool @param {Plan} plan */
  constructor(pool, plan) {
    this.#pool = pool
    this.#plan = plan
  }

  /**
   * @param {Entry} entry
   * @param {'evaluate' | 'attention' | 'table'} method of the trainer
   * @param {Record<string, unknown>} [options]
   * @returns {Promise<any>} rejects with `aborted` once the same was asked anew of the entry
   */
  async ask(entry, method, options) {
    const key = `${method} ${entry.index}`
    this.#wishes.get(key)?.abort()
    const wish = new AbortController()
    this.#wishes.set(key, wish)
    const call = { signal: wish.signal }
    const args = options ? [options, call] : [call]
    try {
      return await this.#attempt(entry, method, args, wish.signal)
    } catch (error) {
      if (/** @type {any} */ (error).code !== 'worker-lost') throw error
      this.#drop()
      return await this.#attempt(entry, method, args, wish.signal)
    } finally {
      if (this.#wishes.get(key) === wish) this.#wishes.delete(key)
    }
  }

  /** Ends all that was asked and gives the worker back. */
  close() {
    this.#end.abort()
    for (const wish of this.#wishes.values()) wish.abort()
    for (const { trainer } of this.#models.values()) dispose(trainer)
    this.#models.clear()
    this.#engine?.then((engine) => this.#pool.release(engine)).catch(() => {})
    this.#engine = undefined
  }

  /** @param {Entry} entry @param {string} method @param {any[]} args @param {AbortSignal} signal */
  async #attempt(entry, method, args, signal) {
    const trainer = await this.#trainerOf(entry)
    assertGoing(signal)
    return trainer[method](...args)
  }

  /** @param {Entry} entry */
  #trainerOf(entry) {
    const { snapshot } = entry
    if (entry.status === 'done' && !snapshot) {
      const message = 'There was no room to keep this model.'
      throw new EngineError('out-of-memory', message)
    }
    let model = this.#models.get(entry)
    this.#models.delete(entry)
    if (model?.snapshot !== snapshot) {
      dispose(model?.trainer)
      model = undefined
    }
    model ??= { snapshot, trainer: this.#make(entry) }
    this.#models.set(entry, model)
    const made = model
    made.trainer.catch(() => {
      if (this.#models.get(entry) === made) this.#models.delete(entry)
    })
    for (const [other, { trainer }] of this.#models) {
      if (this.#models.size <= KEPT) break
      this.#models.delete(other)
      dispose(trainer)
    }
    return made.trainer
  }

  /** @param {Entry} entry */
  async #make(entry) {
    const { status, step, snapshot } = entry
    this.#engine ??= this.#pool.acquire()
    const engine = this.#engine
    engine.catch(() => {
      if (this.#engine === engine) this.#engine = undefined
    })
    const { remote } = await engine
    assertGoing(this.#end.signal)
    const trainer = await openTrainer({ ...entry, snapshot }, remote, this.#plan, {})
    const info = await trainer.info()
    if (status !== 'done' || info.step === step) return trainer
    dispose(Promise.resolve(trainer))
    throw new EngineError('bad-run-file', 'The file holds another model.', { reason: 'damaged' })
  }

  /** Its worker is lost, with all that it held. */
  #drop() {
    this.#models.clear()
    this.#engine
      ?.then((engine) => {
        engine.broken = true
        this.#pool.release(engine)
      })
      .catch(() => {})
    this.#engine = undefined
  }
}

/** @param {Promise<any> | undefined} trainer */
function dispose(trainer) {
  trainer?.then((made) => made.dispose()).catch(() => {})
}
