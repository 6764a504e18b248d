// Ways to reach a Host: a worker of the browser, one of Node, or this thread.

import { errorText } from '../errors.js'
import { Host } from './host.js'
import { breathe } from '../calls/slices.js'

/** @import { Channel, Listener, Opener } from '../types.js' */

/**
 * @param {() => string | null} address of the worker's script
 * @returns {Opener | null} null where there is no worker, or no usable address
 */
export function workerOpener(address) {
  try {
    const url = address()
    if (url === null) return null
    const { href, protocol, origin } = new URL(url, globalThis.location?.href)
    if (typeof Worker === 'function') {
      // As from a CDN.
      const foreign = /^https?:$/.test(protocol) && origin !== globalThis.location?.origin
      return (listener) => (foreign ? openForeign : open)(href, listener)
    }
    const { process } = /** @type {any} */ (globalThis)
    return process?.versions?.node ? (listener) => openInNode(href, listener) : null
  } catch {
    return null
  }
}

/** @param {string} url @param {Listener} listener @returns {Channel} */
function open(url, { message, failed }) {
  const worker = new Worker(url, { name: 'posenc-lab' })
  worker.onmessage = ({ data }) => message(data)
  worker.onmessageerror = () => failed('a message could not be read')
  worker.onerror = (event) => {
    // Otherwise it would be reported as an error of the page, which goes on.
    event.preventDefault()
    failed(event.message || 'the worker could not be started')
  }
  return {
    mode: 'worker',
    worker,
    post: (request) => worker.postMessage(request),
    end: () => worker.terminate(),
    hold: () => {},
  }
}

/**
 * A script of another origin may be imported where it may not be started.
 * @param {string} url
 * @param {Listener} listener
 * @returns {Channel}
 */
function openForeign(url, listener) {
  const script = new Blob([`importScripts(${JSON.stringify(url)})`], { type: 'text/javascript' })
  const address = URL.createObjectURL(script)
  try {
    const channel = open(address, listener)
    return {
      ...channel,
      end() {
        channel.end()
        URL.revokeObjectURL(address)
      },
    }
  } catch (error) {
    URL.revokeObjectURL(address)
    throw error
  }
}

/** @param {string} url @param {Listener} listener @returns {Promise<Channel>} */
async function openInNode(url, { message, failed }) {
  // Through a variable, so that bundlers for browsers leave the import alone.
  const threads = 'node:worker_threads'
  const { Worker: Thread } = await import(/* @vite-ignore */ /* webpackIgnore: true */ threads)
  const worker = new Thread(new URL(url))
  worker.on('message', message)
  worker.on('messageerror', () => failed('a message could not be read'))
  worker.on('error', (/** @type {unknown} */ error) => failed(errorText(error)))
  worker.on('exit', () => failed('the worker ended'))
  return {
    mode: 'worker',
    worker,
    post: (request) => worker.postMessage(request),
    end: () => void worker.terminate(),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
  }
}

/** @type {Opener} */
export function openHere({ message }) {
  // Everything in a later task, as to and from a worker: nobody is called back before the call
  // returned, and input and drawing come between.
  const host = new Host((reply) => void breathe().then(() => message(reply)))
  return {
    mode: 'main',
    worker: null,
    post: (request) => void breathe().then(() => host.receive(request)),
    end: () => host.close(),
    hold: () => {},
  }
}
