// From the bytes of a .wasm file to the core's functions. Where the bytes come from is the
// business of sources.js; the glue is Emscripten's, bundled by the build.

import createPlain from 'posenc-glue-plain'
import createSimd from 'posenc-glue-simd'
import { EngineError, errorText } from './errors.js'

/** @import { Core, Info } from './types.js' */

/** The same on the page and in the worker, unless one of them is an old file from a cache. */
export const version = typeof POSENC_VERSION === 'string' ? POSENC_VERSION : 'source'

/** An empty module: only a policy can refuse it. */
const emptyModule = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)

// One function with everything that the SIMD build relies on:
//   (tag $t) (func try throw $t catch_all end i32.const 0 i8x16.splat drop)
// prettier-ignore
const simdModule = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0,
  1, 4, 1, 96, 0, 0, // type 0: no parameters, no results
  3, 2, 1, 0, // function 0 has type 0
  13, 3, 1, 0, 0, // tag 0 has type 0
  10, 15, 1, 13, 0, // code of 13 bytes, no locals
  6, 64, 8, 0, 25, 11, // try, throw 0, catch_all, end
  65, 0, 253, 15, 26, 11, // i32.const 0, i8x16.splat, drop, end
)

/** @returns {boolean} whether the SIMD build (128-bit vectors, WebAssembly exceptions) runs here */
export function simdSupported() {
  try {
    return WebAssembly.validate(simdModule)
  } catch {
    return false
  }
}

/**
 * Says at once, before anything is fetched, why nothing will run here.
 * @throws {EngineError} `no-webassembly`, `wasm-blocked`
 */
export function assertWebAssembly() {
  if (typeof WebAssembly !== 'object' || typeof WebAssembly.Module !== 'function') {
    throw new EngineError('no-webassembly', 'There is no WebAssembly here.')
  }
  try {
    new WebAssembly.Module(emptyModule)
  } catch (error) {
    // CompileError in Chromium and Firefox, EvalError in others: the kind does not matter.
    throw new EngineError(
      'wasm-blocked',
      "A content security policy forbids WebAssembly; it takes script-src 'wasm-unsafe-eval'.",
      { reason: errorText(error) },
    )
  }
}

/**
 * @param {unknown} bytes
 * @throws {EngineError} `wasm-broken` for a page of HTML, an empty file and the like
 */
export function assertWasm(bytes) {
  const begins =
    ArrayBuffer.isView(bytes) &&
    emptyModule.every((byte, index) => /** @type {Uint8Array} */ (bytes)[index] === byte)
  if (!begins) throw brokenWasm('not-wasm', 'it does not begin as a WebAssembly file does')
}

/**
 * @param {'missing' | 'not-wasm' | 'damaged'} reason
 * @param {string} words
 * @param {Record<string, unknown>} [details]
 */
export function brokenWasm(reason, words, details = {}) {
  return new EngineError('wasm-broken', `The WebAssembly file cannot be used: ${words}.`, {
    reason,
    ...details,
  })
}

/**
 * @param {Uint8Array} bytes of posenc-simd.wasm or posenc-plain.wasm
 * @param {boolean} simd which of the two
 * @returns {Promise<{ core: Core, info: Info }>}
 * @throws {EngineError} `no-webassembly`, `wasm-blocked`, `wasm-broken`, `out-of-memory`
 */
export async function loadCore(bytes, simd) {
  assertWebAssembly()
  assertWasm(bytes)
  if (simd && !simdSupported()) {
    throw new EngineError('no-webassembly', 'This environment cannot run the SIMD build.', {
      reason: 'no-simd',
    })
  }
  let module
  try {
    module = await WebAssembly.compile(/** @type {BufferSource} */ (bytes))
  } catch (error) {
    throw brokenWasm('damaged', errorText(error))
  }
  const core = await instantiate(module, simd ? createSimd : createPlain)
  const { toolchain } = /** @type {any} */ (core.info())
  return { core, info: Object.freeze({ version, simd, toolchain: String(toolchain) }) }
}

/**
 * @param {WebAssembly.Module} module
 * @param {(options: object) => Promise<Core>} create
 * @returns {Promise<Core>}
 */
function instantiate(module, create) {
  return new Promise((resolve, reject) => {
    /** @param {unknown} error */
    const fail = (error) => {
      const noMemory = error instanceof RangeError
      reject(
        noMemory
          ? new EngineError('out-of-memory', `WebAssembly got no memory: ${errorText(error)}`)
          : brokenWasm('damaged', errorText(error)),
      )
    }
    create({
      // Instantiated here rather than by the glue, which would report a failure to the console.
      instantiateWasm(
        /** @type {WebAssembly.Imports} */ imports,
        /** @type {(instance: WebAssembly.Instance) => void} */ receive,
      ) {
        WebAssembly.instantiate(module, imports).then(receive).catch(fail)
        return {}
      },
      print() {},
      printErr() {},
    }).then(resolve, fail)
  })
}
