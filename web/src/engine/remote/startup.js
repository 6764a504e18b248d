// From an opened channel to one whose engine is ready.

import { EngineError, errorFromData, errorText } from '../errors.js'
import { version } from '../load.js'
import { isReply } from './protocol.js'
import { Watch } from './watch.js'

/** @import { Channel, Info, Opener, Reply } from '../types.js' */

/**
 * @typedef {object} StartOptions
 * @property {Uint8Array} bytes
 * @property {boolean} simd
 * @property {number} patience milliseconds of silence until the script says hello
 * @property {(from: Channel, reply: Reply) => void} onReply after it is ready
 * @property {(from: Channel) => void} onFailure after it was ready; may be called more than once
 */

/** Compiling takes some 20 ms; a phone that is busy may need a hundred times as long. */
const readyMs = 10000
/** Slices on this thread leave room for drawing. */
const sliceMs = { worker: 200, main: 16 }

/**
 * @param {Opener} opener
 * @param {StartOptions} options
 * @returns {Promise<{ channel: Channel, info: Info }>}
 * @throws {EngineError} `worker-lost` when nothing answers; or why the engine refused to start
 */
export function startChannel(opener, { bytes, simd, patience, onReply, onFailure }) {
  return new Promise((resolve, reject) => {
    /** @type {Channel | undefined} */
    let channel
    /** @type {'waiting' | 'ready' | 'over'} */
    let state = 'waiting'

    /** @param {string | EngineError} reason */
    const giveUp = (reason) => {
      if (state !== 'waiting') return
      state = 'over'
      hello.stop()
      ready.stop()
      channel?.end()
      reject(reason instanceof EngineError ? reason : new EngineError('worker-lost', reason))
    }
    const hello = new Watch(patience, () => giveUp('The worker does not answer.'))
    const ready = new Watch(readyMs, () => giveUp('The worker does not become ready.'))

    /** @param {unknown} reply */
    const message = (reply) => {
      if (state === 'over' || !channel || !isReply(reply)) return
      if (state === 'ready') onReply(channel, reply)
      else if (reply.type === 'hello') {
        hello.stop()
        if (reply.version !== version) return giveUp('The worker is of another version.')
        ready.start()
        channel.post({ type: 'start', bytes, simd, sliceMs: sliceMs[channel.mode] })
      } else if (reply.type === 'refused') giveUp(errorFromData(reply.error))
      else if (reply.type === 'ready') {
        ready.stop()
        state = 'ready'
        resolve({ channel, info: Object.freeze(reply.info) })
      }
    }
    /** @param {string} reason */
    const failed = (reason) => {
      if (state === 'ready' && channel) onFailure(channel)
      else giveUp(`The worker cannot be used: ${reason}.`)
    }

    hello.start()
    Promise.resolve()
      .then(() => opener({ message, failed }))
      .then((opened) => {
        channel = opened
        if (state === 'over') opened.end()
      })
      .catch((error) => giveUp(`The worker cannot be started: ${errorText(error)}.`))
  })
}
