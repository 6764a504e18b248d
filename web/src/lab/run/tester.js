// What is asked of models that were trained, or are in training: they are made again from their
// snapshots in a worker of their own, so that the race is not held up.
import { EngineError } from '../../engine/errors.js'
import { assertGoing, openTrainer } from './job.js'
import { Lease } from './pool.js'

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
  #plan
  #lease
  /** That holds the models. @type {PooledEngine | undefined} */
  #engine
  /** @type {Map<Entry, Model>} the last used one last */
  #models = new Map()
  /** @type {Map<string, AbortController>} */
  #wishes = new Map()
  #end = new AbortController()

  /** @param {import('./pool.js').EnginePool} pool @param {Plan} plan */
  constructor(pool, plan) {
    this.#lease = new Lease(pool)
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
      return await this.#lease.use(
        async (engine) => {
          const trainer = await this.#trainerOf(entry, engine)
          assertGoing(wish.signal)
          return trainer[method](...args)
        },
        // Somebody waits for the answer: two will do.
        { signal: this.#end.signal, most: 2 },
      )
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
    this.#lease.release()
  }

  /** @param {Entry} entry @param {PooledEngine} engine */
  #trainerOf(entry, engine) {
    const { snapshot } = entry
    // What the one before held went with it.
    if (engine !== this.#engine) this.#models.clear()
    this.#engine = engine
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
    model ??= { snapshot, trainer: this.#make(entry, engine) }
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

  /** @param {Entry} entry @param {PooledEngine} engine */
  async #make(entry, { remote }) {
    const { status, step, snapshot } = entry
    assertGoing(this.#end.signal)
    const trainer = await openTrainer({ ...entry, snapshot }, remote, this.#plan, {})
    const info = await trainer.info()
    if (status !== 'done' || info.step === step) return trainer
    dispose(Promise.resolve(trainer))
    throw new EngineError('bad-run-file', 'The file holds another model.', { reason: 'damaged' })
  }
}

/** @param {Promise<any> | undefined} trainer */
function dispose(trainer) {
  trainer?.then((made) => made.dispose()).catch(() => {})
}
