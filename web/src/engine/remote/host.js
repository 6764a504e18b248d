// The engine behind the protocol: takes calls by message, runs them in slices, and answers. It is
// the whole of the worker, and runs on the page's own thread where there is no worker.

import { openings, plainCalls } from '../calls/calls.js'
import { EngineError, errorToData } from '../errors.js'
import { loadCore, version } from '../load.js'
import { isRequest, transferables } from './protocol.js'
import { Pace, breathe, isSliced } from '../calls/slices.js'

/** @import { Core, Kind, Pause, Reply, Request, Sliced } from '../types.js' */

/** @typedef {{ handle: any, kind: Kind, savedAt: number }} Target a table or a trainer */
/**
 * @typedef {object} Task
 * @property {number} id
 * @property {number} target
 * @property {string} method
 * @property {any} args
 * @property {Sliced} [work] once it has begun
 * @property {Pace} pace
 * @property {number} done training steps taken so far, or whatever the call counts
 */

/** A snapshot of what changes is sent at most this often. */
const snapshotMs = 500
/** Progress is told at most this often; it is also the sign of life of a busy worker. */
const progressMs = 100

export class Host {
  #post
  /** @type {Core | undefined} */
  #core
  #sliceMs = 200
  /** @type {Map<number, Target>} */
  #targets = new Map()
  /**
   * Whose turn it is comes first. All calls of one target share a queue, in their order; a call of
   * the engine has a queue of its own, so that a short one need not wait for a long one.
   * @type {Map<number, Task[]>}
   */
  #queues = new Map()
  #running = false
  #closed = false
  #toldAt = 0

  /** @param {(reply: Reply, transfer: Transferable[]) => void} post */
  constructor(post) {
    this.#post = post
    this.#tell({ type: 'hello', version })
  }

  /** @param {unknown} message */
  receive(message) {
    if (this.#closed || !isRequest(message)) return
    if (message.type === 'start') this.#start(message)
    else if (message.type === 'call') this.#accept(message)
    else if (message.type === 'cancel') this.#cancel(message.id)
    else if (message.type === 'ping') this.#tell({ type: 'pong' })
    else if (message.kind === 'hang') hang()
    else throw new Error('A fault, as asked for.')
  }

  /** Frees everything; nothing is answered any more. */
  close() {
    this.#closed = true
    this.#queues.clear()
    for (const { handle } of this.#targets.values()) handle.delete()
    this.#targets.clear()
  }

  /** @param {Reply} reply */
  #tell(reply) {
    if (this.#closed) return
    this.#toldAt = performance.now()
    this.#post(reply, transferables(reply))
  }

  /** @param {Extract<Request, { type: 'start' }>} request */
  async #start({ bytes, simd, sliceMs }) {
    try {
      this.#sliceMs = sliceMs
      const { core, info } = await loadCore(bytes, simd)
      this.#core = core
      this.#tell({ type: 'ready', info })
    } catch (error) {
      this.#tell({ type: 'refused', error: errorToData(error) })
    }
  }

  /** @param {Extract<Request, { type: 'call' }>} request */
  #accept({ id, target, method, args }) {
    const task = { id, target, method, args, pace: new Pace(this.#sliceMs / 8), done: 0 }
    const key = queueOf(task)
    this.#queues.set(key, [...(this.#queues.get(key) ?? []), task])
    this.#run()
  }

  /** @param {number} id */
  #cancel(id) {
    const task = [...this.#queues.values()].flat().find((one) => one.id === id)
    if (!task) return
    this.#remove(task)
    task.work?.return(undefined)
    this.#tell({ type: 'stopped', id, done: task.done, snapshot: this.#snapshotWhenDue(task) })
  }

  /** @param {Task} task */
  #remove(task) {
    const key = queueOf(task)
    const others = (this.#queues.get(key) ?? []).filter((one) => one !== task)
    if (others.length > 0) this.#queues.set(key, others)
    else this.#queues.delete(key)
  }

  async #run() {
    if (this.#running) return
    this.#running = true
    for (;;) {
      const [next] = this.#queues
      if (!next) break
      const [key, [task]] = next
      this.#slice(task)
      const rest = this.#queues.get(key)
      if (rest) {
        // To the end: the others have their turn first.
        this.#queues.delete(key)
        this.#queues.set(key, rest)
      }
      // Messages that came meanwhile, a cancel among them, are read here.
      if (this.#queues.size > 0) await breathe()
    }
    this.#running = false
  }

  /** @param {Task} task runs until it is done or its share of the time is over */
  #slice(task) {
    const until = performance.now() + this.#sliceMs / 4
    try {
      for (;;) {
        task.pace.begin()
        const step = this.#step(task)
        task.pace.end()
        if (step.done) {
          const value = this.#close(task, step.value)
          this.#remove(task)
          const snapshot = this.#snapshotWhenDue(task)
          this.#tell({ type: 'result', id: task.id, value, snapshot })
          return
        }
        task.done = step.value.done
        if (performance.now() >= until) {
          this.#report(task, step.value)
          return
        }
      }
    } catch (error) {
      this.#remove(task)
      // A trap leaves WebAssembly's memory as it was, in the middle of something.
      const fatal = error instanceof WebAssembly.RuntimeError
      const { id, done } = task
      this.#tell({ type: 'error', id, error: errorToData(error), done, fatal })
    }
  }

  /** @param {Task} task @returns {IteratorResult<Pause, any>} */
  #step(task) {
    if (task.work) return task.work.next()
    const outcome = this.#begin(task)
    if (!isSliced(outcome)) return { done: true, value: outcome }
    task.work = outcome
    return outcome.next()
  }

  /** @param {Task} task @returns {unknown} */
  #begin({ target, method, args, pace }) {
    if (!this.#core) throw new EngineError('internal', 'A call came before the start.')
    if (Object.hasOwn(openings, method)) return openings[method].run(this.#core, args, pace)
    if (target === 0) {
      if (method === 'liveHandles') return this.#targets.size
      if (Object.hasOwn(plainCalls, method)) {
        return plainCalls[method].run(this.#core, args, pace)
      }
    } else {
      const known = this.#targets.get(target)
      if (!known) throw new EngineError('internal', `There is nothing of number ${target}.`)
      if (method === 'dispose') return known.handle.delete()
      const { calls: own } = known.kind
      if (Object.hasOwn(own, method)) return own[method].run(known.handle, args, pace)
    }
    throw new EngineError('internal', `There is no call ${method}.`)
  }

  /**
   * @param {Task} task
   * @param {any} value what its work returned
   * @returns {unknown} what the page gets
   */
  #close({ target, method, pace }, value) {
    if (method === 'dispose') this.#targets.delete(target)
    if (!Object.hasOwn(openings, method)) return value
    const { kind } = openings[method]
    this.#targets.set(target, { handle: value, kind, savedAt: performance.now() })
    return kind.calls.info.run(value, {}, pace)
  }

  /** @param {Task} task @param {Pause} pause */
  #report(task, { total, part }) {
    const { id, done } = task
    const bytes = this.#snapshotWhenDue(task)
    if (bytes) this.#tell({ type: 'snapshot', id, done, bytes, part: part?.() ?? null })
    if (performance.now() - this.#toldAt >= progressMs || bytes) {
      this.#tell({ type: 'progress', id, done, total })
    }
  }

  /**
   * @param {Task} task
   * @returns {Uint8Array | null} of its target, when it changes that and the last one is old
   */
  #snapshotWhenDue({ target, method }) {
    const known = this.#targets.get(target)
    if (!known?.kind.calls[method]?.mutates) return null
    const now = performance.now()
    if (now - known.savedAt < snapshotMs) return null
    known.savedAt = now
    try {
      return known.kind.calls.snapshot.run(known.handle, {}, new Pace())
    } catch {
      // No memory for it: the one before serves as well, with more to do again.
      return null
    }
  }
}

/** @param {Task} task */
const queueOf = ({ target, id }) => target || -id

/** What a defect would do, for tests: see `remote.debug`. */
function hang() {
  for (;;);
}
