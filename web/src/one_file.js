// The only script of the one-file page. It plays two parts: the page's, and, started again from a
// blob of its own text, the worker's. So the engine and its glue stand in the file once.
import { useSources } from './engine/sources.js'
import { brokenWasm } from './engine/load.js'
import { inflateRaw } from './inflate.js'

/** @type {string | undefined} */
let workerAddress

/**
 * The build put the .wasm file into an element: raw deflate, then base64. Only the plain one, which
 * runs everywhere: both would weigh more than the whole page may.
 * @param {boolean} simd
 * @returns {Promise<Uint8Array>}
 */
async function inlineWasm(simd) {
  const element = document.getElementById('posenc-wasm')
  if (simd || !element) throw brokenWasm('missing', 'the page is incomplete')
  const size = Number(element.dataset.size)
  let bytes
  try {
    const packed = Uint8Array.from(atob(element.textContent ?? ''), (char) => char.charCodeAt(0))
    bytes = await inflate(packed, size)
  } catch {
    throw brokenWasm('damaged', 'the page is incomplete')
  }
  if (bytes.length !== size) throw brokenWasm('damaged', 'the page is incomplete')
  return bytes
}

/**
 * @param {Uint8Array<ArrayBuffer>} packed
 * @param {number} size
 * @returns {Promise<Uint8Array>}
 */
async function inflate(packed, size) {
  /** @type {DecompressionStream} */
  let stream
  try {
    stream = new DecompressionStream('deflate-raw')
  } catch {
    return inflateRaw(packed, size) // an older browser
  }
  const body = new Response(packed).body
  if (!body) return inflateRaw(packed, size)
  return new Uint8Array(await new Response(body.pipeThrough(stream)).arrayBuffer())
}

/** @returns {string | null} the address of this very script, as a blob that a worker can start from */
function ownAddress() {
  const text = document.getElementById('posenc-script')?.textContent
  if (!text) return null
  workerAddress ??= URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  return workerAddress
}

if (typeof document === 'undefined') {
  import('./engine/worker.js')
} else {
  useSources({ wasm: inlineWasm, simd: false, workerUrl: ownAddress })
  import('./page.js')
}
