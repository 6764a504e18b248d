// Where the engine gets its files. index.js sets the ordinary answer, files beside the module; the
// one-file page brings everything along (one_file.js).

import { EngineError, errorText } from './errors.js'
import { assertWasm, brokenWasm, simdSupported } from './load.js'

/** @import { Sources } from './types.js' */

/** @type {Sources | undefined} */
let ordinary

/** @param {Sources} sources used wherever a caller names none */
export function useSources(sources) {
  ordinary = sources
}

export function ordinarySources() {
  if (!ordinary) throw new EngineError('internal', 'No sources of the WebAssembly file are set.')
  return ordinary
}

/**
 * Whose SIMD build did not start, though the plain one did: it is tried, and told of, once.
 * @type {WeakSet<Sources['wasm']>}
 */
const withoutSimd = new WeakSet()

/**
 * Starts the SIMD build; where it does not run, is missing or broken, the plain one.
 * @template T
 * @param {{ simd?: boolean, sources: Sources }} options  simd: forces one of the two
 * @param {(bytes: Uint8Array, simd: boolean) => Promise<T>} start
 * @throws {EngineError} `wasm-broken`, and what `start` throws, of the build that was tried last
 */
export async function startBuild({ simd: forced, sources }, start) {
  const attempt = async (/** @type {boolean} */ simd) => start(await readWasm(sources, simd), simd)
  if (forced !== undefined) return attempt(forced)
  const { wasm, simd = true } = sources
  if (!simd || !simdSupported() || withoutSimd.has(wasm)) return attempt(false)
  try {
    return await attempt(true)
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'wasm-broken') throw error
    const started = await attempt(false)
    // Nothing that a reader can do anything about.
    // eslint-disable-next-line no-console
    if (!withoutSimd.has(wasm)) console.warn(`posenc-lab runs without SIMD. ${error.message}`)
    withoutSimd.add(wasm)
    return started
  }
}

/**
 * @param {Sources} sources
 * @param {boolean} simd
 * @returns {Promise<Uint8Array>} what begins as a WebAssembly file does
 * @throws {EngineError} `wasm-broken`
 */
async function readWasm(sources, simd) {
  let bytes
  try {
    bytes = await sources.wasm(simd)
  } catch (error) {
    throw error instanceof EngineError ? error : brokenWasm('missing', errorText(error))
  }
  assertWasm(bytes)
  return bytes
}
