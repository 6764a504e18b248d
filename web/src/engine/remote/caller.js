// One call over a connection: its options, and how it is settled.

import * as check from '../calls/check.js'
import { EngineError, invalidArgument } from '../errors.js'

/** @import { CallOptions } from '../types.js' */
/** @import { Connection, Pending } from './connection.js' */

/** @param {unknown} options the extra last argument */
export function checkCallOptions(options) {
  const read = check.fields(options, ['signal', 'latest', 'onProgress'], 'call options')
  const signal = /** @type {AbortSignal | undefined} */ (read.signal)
  if (signal !== undefined && typeof signal?.addEventListener !== 'function') {
    throw invalidArgument('signal', signal, { type: 'signal' })
  }
  if (read.latest !== undefined && typeof read.latest !== 'string') {
    throw invalidArgument('latest', read.latest, { type: 'string' })
  }
  const { latest, onProgress } = read
  return {
    signal,
    latest,
    onProgress: onProgress === undefined ? undefined : check.callback('onProgress', onProgress),
  }
}

/** Sends calls and settles them; what RemoteEngine, its tables and its trainers have in common. */
export class Caller {
  /** @type {Map<string, Pending>} the newest call of each key */
  #latest = new Map()

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection
  }

  /**
   * @param {number} target 0 for the engine
   * @param {string} method
   * @param {any} args checked
   * @param {CallOptions | undefined} options
   * @returns {Promise<any>}
   */
  async send(target, method, args, options) {
    const { signal, latest, onProgress } = checkCallOptions(options)
    const { connection } = this
    if (connection.closed) throw connection.closed
    if (signal?.aborted) throw abortedError('signal')

    /** @type {Pending | undefined} */
    let call
    const onAbort = () => call && connection.abort(call, abortedError('signal'))
    try {
      return await new Promise((resolve, reject) => {
        const older = latest === undefined ? undefined : this.#latest.get(latest)
        call = connection.add({ target, method, args, resolve, reject, onProgress })
        if (latest !== undefined) this.#latest.set(latest, call)
        if (older) connection.abort(older, abortedError('superseded'))
        signal?.addEventListener('abort', onAbort)
      })
    } finally {
      signal?.removeEventListener('abort', onAbort)
      if (latest !== undefined && this.#latest.get(latest) === call) this.#latest.delete(latest)
    }
  }
}

/** @param {'signal' | 'superseded'} reason */
export function abortedError(reason) {
  const words = reason === 'signal' ? 'by its signal' : 'by a newer one'
  return new EngineError('aborted', `The call was stopped ${words}.`, { reason })
}
