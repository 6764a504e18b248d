// The entry of dist/posenc-worker.js, a classic script: of a worker in a page, of a thread in Node.

import { Host } from './host.js'

const { process, importScripts } = /** @type {any} */ (globalThis)

if (typeof importScripts === 'function') {
  const scope = /** @type {any} */ (globalThis)
  const host = new Host((reply, transfer) => scope.postMessage(reply, transfer))
  scope.onmessage = (/** @type {MessageEvent} */ { data }) => host.receive(data)
} else if (process?.versions?.node) {
  const threads = 'node:worker_threads'
  import(threads).then(({ parentPort }) => {
    const host = new Host((reply, transfer) => parentPort.postMessage(reply, transfer))
    parentPort.on('message', (/** @type {unknown} */ data) => host.receive(data))
  })
}
