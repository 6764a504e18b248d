// Where the engine gets its files. index.js sets the ordinary answer, files beside the module; the
// one-file page brings everything along (one_file.js).

import { EngineError } from './errors.js'

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

/**
 * @param {Sources | undefined} given
 * @returns {Sources}
 */
export function sourcesOr(given) {
  const sources = given ?? ordinary
  if (!sources) throw new EngineError('internal', 'No sources of the WebAssembly file are set.')
  return sources
}
