// One engine for all stages of a page: made with the first, closed with the last.
import { connectEngine } from './client.js'

/**
 * @typedef {Awaited<ReturnType<typeof connectEngine>>} Remote
 * @typedef {(notice: { code: string, failures?: number }) => void} NoticeListener
 */

/** @type {Promise<Remote> | undefined} */
let connection
/** @type {Set<NoticeListener>} */
const listeners = new Set()

/** @param {NoticeListener} listener told when the worker was replaced or given up */
export function acquireEngine(listener) {
  listeners.add(listener)
  const shared = connection ?? attemptConnection()
  connection = shared
  return shared
}

/** @param {NoticeListener} listener the one given to `acquireEngine` */
export function releaseEngine(listener) {
  listeners.delete(listener)
  if (listeners.size > 0 || !connection) return
  const ending = connection
  connection = undefined
  ending.then((remote) => remote.close()).catch(() => {})
}

async function connect() {
  // Defining the element upgrades the ones that already stand in the page, in the middle of loading
  // the package: the sources of the .wasm files are set a moment later.
  await Promise.resolve()
  return connectEngine({
    onNotice: (/** @type {{ code: string }} */ notice) => {
      for (const listener of [...listeners]) listener(notice)
    },
  })
}

function attemptConnection() {
  const attempt = connect()
  // A failed start is not kept: whoever comes next tries again.
  attempt.catch(() => {
    if (connection === attempt) connection = undefined
  })
  return attempt
}
