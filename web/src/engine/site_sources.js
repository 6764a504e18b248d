// The files beside the module: on a web server, or in a folder that Node reads.

import { errorText } from './errors.js'
import { assertWasm, brokenWasm } from './load.js'

/** @import { Sources } from './types.js' */

// Written out in full, because other people's bundlers look for exactly this expression.
const addresses = {
  simd: () => new URL('./posenc-simd.wasm', import.meta.url),
  plain: () => new URL('./posenc-plain.wasm', import.meta.url),
  worker: () => new URL('./posenc-worker.js', import.meta.url),
}

/**
 * What was read once: workers that start later need no network.
 * @type {Map<string, Promise<Uint8Array>>}
 */
const kept = new Map()

/** @type {Sources} */
export const siteSources = {
  wasm(simd) {
    const url = simd ? addresses.simd() : addresses.plain()
    const { href } = url
    const known = kept.get(href)
    if (known) return known
    const bytes = url.protocol === 'file:' && inNode() ? readFile(url) : download(url)
    kept.set(href, bytes)
    // What is no such file, a login page say, may be better the next time.
    bytes.then(assertWasm).catch(() => kept.delete(href))
    return bytes
  },
  workerUrl: () => addresses.worker().href,
}

function inNode() {
  return typeof (/** @type {any} */ (globalThis).process?.versions?.node) === 'string'
}

/** @param {URL} url @returns {Promise<Uint8Array>} */
async function readFile(url) {
  // Through a variable, so that bundlers for browsers leave the import alone.
  const files = 'node:fs/promises'
  const { readFile: read } = await import(/* @vite-ignore */ /* webpackIgnore: true */ files)
  try {
    return await read(url)
  } catch (error) {
    throw brokenWasm('missing', errorText(error), { url: url.href })
  }
}

/** @param {URL} url @returns {Promise<Uint8Array>} */
async function download(url) {
  /** @type {Response} */
  let response
  try {
    response = await fetch(url, { credentials: 'same-origin' })
    if (response.ok) return new Uint8Array(await response.arrayBuffer())
  } catch (error) {
    throw brokenWasm('missing', errorText(error), { url: url.href })
  }
  const { status } = response
  throw brokenWasm('missing', `the server answered ${status}`, { url: url.href, status })
}
