// Keeps calls, tables and trainers alive over workers that may not be: starts a worker, watches it,
// and gives everything that is not finished to the next one. After three failures it works on this
// thread.

import { openHere } from './channels.js'
import { EngineError, asEngineError, disposedError, errorFromData } from '../errors.js'
import { openings } from '../calls/calls.js'
import { OperationLog } from './operation_log.js'
import { startChannel } from './startup.js'
import { Watch } from './watch.js'

/** @import { Channel, Info, Notice, Opener, Progress, Reply } from '../types.js' */

/**
 * A call that has no answer yet. One whose caller was told already (`settled`) stays until the
 * worker says what became of the target.
 * @typedef {object} Pending
 * @property {number} id
 * @property {number} target 0 for the engine, else a table or a trainer
 * @property {string} method
 * @property {any} args
 * @property {boolean} again part of making a target again, which nobody waits for
 * @property {boolean} settled
 * @property {number} saved training steps of this call that are in the target's log
 * @property {number} offset the same when it was posted: the worker counts from there
 * @property {any} part what those steps return, where a call returns something of each step
 * @property {any} before the same when it was posted
 * @property {(value: any) => void} resolve
 * @property {(error: EngineError) => void} reject
 * @property {(progress: Progress) => void} [onProgress]
 */

/**
 * @typedef {Pick<Pending, 'target' | 'method' | 'args' | 'again' | 'resolve' | 'reject' | 'onProgress'>
 *   } NewCall
 */

/** A worker that is silent so long while it has work hangs: it says something after each slice. */
const silenceMs = 1000
/** What makes, copies or saves a target cannot be cut into slices: so much longer an entry. */
const silenceMsPerEntry = 5e-4
const firstPatienceMs = 8000
/** For one that replaces another: its script is in the browser's cache. */
const nextPatienceMs = 2000
const maxFailures = 3
/** This thread would fail in the same way again and again. */
const maxFailuresHere = 6

export class Connection {
  #bytes
  #simd
  #onNotice
  /** @type {Opener} */
  #opener
  /** @type {Channel | undefined} */
  #channel
  /** @type {Info | undefined} */
  #info
  /** @type {EngineError | undefined} */
  #closed
  /** @type {Map<number, Pending>} */
  #pending = new Map()
  /** @type {Map<number, OperationLog>} */
  #logs = new Map()
  #lastId = 0
  #failures = 0
  #watch = new Watch(
    silenceMs,
    () => this.#lost(this.#channel),
    () => this.#channel?.post({ type: 'ping' }),
  )

  /**
   * @param {{ bytes: Uint8Array, simd: boolean, opener: Opener,
   *   onNotice: (notice: Notice) => void }} options
   */
  constructor({ bytes, simd, opener, onNotice }) {
    this.#bytes = bytes
    this.#simd = simd
    this.#onNotice = onNotice
    this.#opener = opener
  }

  get info() {
    return /** @type {Info} */ (this.#info)
  }

  /** @returns {Channel | undefined} undefined while a worker is being replaced */
  get channel() {
    return this.#channel
  }

  /** @returns {'worker' | 'main'} */
  get mode() {
    return this.#opener === openHere ? 'main' : 'worker'
  }

  /** @returns {EngineError | undefined} what later calls are told */
  get closed() {
    return this.#closed
  }

  /** @throws {EngineError} where neither a worker nor this thread can run the engine */
  async start() {
    try {
      await this.#open(firstPatienceMs)
    } catch (error) {
      if (this.#opener === openHere) throw error
      // A policy forbids workers, the script is missing, ...: this thread does it as well.
      this.#opener = openHere
      await this.#open(firstPatienceMs)
    }
  }

  /** @param {Omit<NewCall, 'again'>} call @returns {Pending} */
  add(call) {
    return this.#add({ ...call, again: false })
  }

  /**
   * @param {number} target
   * @returns {boolean} false when it could not be made again
   */
  holds(target) {
    return this.#logs.has(target)
  }

  /** @returns {number} for a table or a trainer that is about to be made */
  nextTarget() {
    return ++this.#lastId
  }

  /**
   * Tells the caller at once, and the worker to stop. Training keeps the steps that it has done.
   * @param {Pending} call
   * @param {EngineError} error
   */
  abort(call, error) {
    if (call.settled) return
    call.settled = true
    call.reject(error)
    if (this.#channel) this.#channel.post({ type: 'cancel', id: call.id })
    else this.#remove(call)
  }

  /** Ends the worker, which frees what it held; whatever is pending is rejected. */
  close(error = disposedError('connection')) {
    if (this.#closed) return
    this.#closed = error
    this.#watch.stop()
    this.#channel?.end()
    this.#channel = undefined
    const calls = [...this.#pending.values()]
    this.#pending.clear()
    this.#logs.clear()
    for (const call of calls) if (!call.settled) call.reject(error)
  }

  /** @param {number} patience */
  async #open(patience) {
    const { channel, info } = await startChannel(this.#opener, {
      bytes: this.#bytes,
      simd: this.#simd,
      patience,
      onReply: (from, reply) => from === this.#channel && this.#hear(reply),
      onFailure: (from) => this.#lost(from),
    })
    if (this.#closed) {
      channel.end()
      throw this.#closed
    }
    this.#channel = channel
    this.#info = info
    this.#resume()
  }

  /** @param {Channel | undefined} channel that hangs, threw or ended */
  async #lost(channel) {
    if (!channel || channel !== this.#channel) return
    this.#channel = undefined
    this.#watch.stop()
    channel.end()
    while (!this.#channel && !this.#closed) {
      this.#failures += 1
      const here = this.#failures >= maxFailures
      if (this.#failures > maxFailuresHere) {
        this.close(new EngineError('worker-lost', 'The engine failed again and again.'))
        return
      }
      const before = this.#opener
      if (here) this.#opener = openHere
      try {
        await this.#open(nextPatienceMs)
      } catch {
        continue
      }
      if (before === openHere) return
      this.#notify({ code: here ? 'worker-fallback' : 'worker-replaced', failures: this.#failures })
    }
  }

  /** Makes what the last worker held again in the new one, then asks for all that is pending. */
  #resume() {
    for (const call of [...this.#pending.values()]) {
      if (call.again || call.settled) this.#pending.delete(call.id)
    }
    const waiting = [...this.#pending.values()]
    for (const [target, log] of this.#logs) {
      for (const { method, args } of log.operations) {
        this.#add({ target, method, args, again: true, resolve() {}, reject() {} })
      }
    }
    for (const call of waiting) this.#post(call)
    this.#attend()
  }

  /** @param {NewCall} call @returns {Pending} */
  #add(call) {
    const fresh = { settled: false, saved: 0, offset: 0, part: null, before: null }
    const pending = { ...call, ...fresh, id: ++this.#lastId }
    this.#pending.set(pending.id, pending)
    this.#post(pending)
    this.#attend()
    const patience = silenceMs + this.#entriesOf(pending) * silenceMsPerEntry
    if (this.#pending.size === 1 || this.#watch.limitMs < patience) this.#watch.limitMs = patience
    return pending
  }

  /**
   * @param {Pending} call
   * @returns {number} of the target that is called or made
   */
  #entriesOf({ target, method, args }) {
    if (Object.hasOwn(openings, method)) return openings[method].kind.entries(args)
    const log = this.#logs.get(target)
    return log ? log.kind.entries({ ...log.info, ...args }) : 0
  }

  /** @param {Pending} call */
  #remove(call) {
    this.#pending.delete(call.id)
    this.#attend()
  }

  /** Watches while there is something to wait for. */
  #attend() {
    const busy = this.#pending.size > 0
    this.#channel?.hold(busy)
    if (busy && this.#channel?.mode === 'worker') this.#watch.start()
    else this.#watch.stop()
  }

  /** @param {Pending} call */
  #post(call) {
    if (!this.#channel) return
    const { id, target, method, saved } = call
    call.offset = saved
    call.before = call.part
    const args = saved > 0 ? { ...call.args, steps: call.args.steps - saved } : call.args
    try {
      this.#channel.post({ type: 'call', id, target, method, args })
    } catch (error) {
      // No memory for the copy.
      call.settled = true
      this.#remove(call)
      call.reject(asEngineError(error))
    }
  }

  /** @param {Reply} reply */
  #hear(reply) {
    this.#watch.heard()
    if (!('id' in reply)) return
    const call = this.#pending.get(reply.id)
    if (!call) return
    const log = this.#logs.get(call.target)
    if (reply.type === 'progress') {
      if (!call.settled) this.#progress(call, reply)
    } else if (reply.type === 'snapshot') {
      // In the middle of making a target again, what comes after it would be forgotten.
      if (call.again) return
      call.saved = call.offset + reply.done
      call.part = this.#joined(call, reply.part)
      log?.snapshot(reply.bytes)
    } else {
      this.#remove(call)
      if (reply.type === 'result') reply.value = this.#joined(call, reply.value)
      this.#enter(call, reply)
      this.#settle(call, reply)
      if (reply.type === 'error' && reply.fatal) this.#lost(this.#channel)
    }
  }

  /**
   * @param {Pending} call
   * @param {Extract<Reply, { type: 'result' | 'error' | 'stopped' }>} reply
   */
  #settle(call, reply) {
    if (call.settled) return
    call.settled = true
    if (reply.type === 'result') call.resolve(reply.value)
    else if (reply.type === 'error') call.reject(errorFromData(reply.error))
  }

  /**
   * @param {Pending} call
   * @param {any} value of the steps since it was posted
   * @returns {any} of all its steps
   */
  #joined({ target, method, before }, value) {
    const join = before && this.#logs.get(target)?.kind.calls[method].join
    return join ? join(before, value) : value
  }

  /**
   * Enters into the log what a finished call did to its target.
   * @param {Pending} call
   * @param {Extract<Reply, { type: 'result' | 'error' | 'stopped' }>} reply
   */
  #enter(call, reply) {
    const { target, method, args, saved } = call
    const finished = reply.type === 'result'
    if (Object.hasOwn(openings, method)) {
      if (call.again && !finished) this.#logs.delete(target)
      if (call.again || !finished) return
      this.#logs.set(target, new OperationLog({ method, args }, reply.value))
      // Its caller was told that it was aborted, so nobody else would.
      if (call.settled) this.dispose(target)
      return
    }
    const log = this.#logs.get(target)
    if (method === 'dispose' && finished) this.#logs.delete(target)
    if (!log?.kind.calls[method]?.mutates || call.again) return
    if (method === 'grow' && finished) log.info.tMax = args.tMax
    if (reply.type !== 'error' && reply.snapshot) log.snapshot(reply.snapshot)
    else if ('steps' in args) {
      const done = finished ? args.steps : call.offset + reply.done
      log.add({ method, args: { ...args, steps: done - saved } })
    } else if (finished) log.add({ method, args })
  }

  /** @param {number} target that nobody holds */
  dispose(target) {
    this.#add({ target, method: 'dispose', args: {}, again: false, resolve() {}, reject() {} })
  }

  /**
   * @param {Pending} call
   * @param {Progress} progress as the worker counts
   */
  #progress({ onProgress, offset }, { done, total }) {
    if (!onProgress) return
    inNobodysName(() => onProgress({ done: offset + done, total: offset + total }))
  }

  /** @param {Notice} notice */
  #notify(notice) {
    inNobodysName(() => this.#onNotice(notice))
  }
}

/**
 * Calls back without being stopped by what the callback throws, which is reported as its own error.
 * @param {() => void} callback
 */
function inNobodysName(callback) {
  try {
    callback()
  } catch (error) {
    setTimeout(() => {
      throw error
    })
  }
}
