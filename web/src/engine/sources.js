// Where the engine gets its files. index.js sets the ordinary answer, files beside the module; the
// one-file page brings everything along (one_file.js).

import { EngineError, errorText } from './errors.js'
import { assertWasm, brokenWasm } from './load.js'

/**
 * @typedef {object} Sources
 * @property {(simd: boolean) => Promise<Uint8Array>} wasm the bytes of that build
 * @property {boolean} [simd] false: the SIMD build is not among them
 * @property {() => string | null} workerUrl a classic script; null: there is none, stay on this thread
 */

/** @type {Sources | undefined} */
let ordinary

/** @param {Sources} sources used wherever a caller names none */
export function useSources(sources) {
  ordinary = sources
}

/** @returns {Sources} */
export function ordinarySources() {
  if (!ordinary) throw new EngineError('internal', 'No sources of the WebAssembly file are set.')
  return ordinary
}

/**
 * @param {Sources} sources
 * @param {boolean} simd
 * @returns {Promise<Uint8Array>} what begins as a WebAssembly file does
 * @throws {EngineError} `wasm-broken`
 */
export async function readWasm(sources, simd) {
  let bytes
  try {
    bytes = await sources.wasm(simd)
  } catch (error) {
    throw error instanceof EngineError ? error : brokenWasm('missing', errorText(error))
  }
  assertWasm(bytes)
  return bytes
}
