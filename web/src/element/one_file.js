// The program of the one-file page. It plays two parts: the page's, and, started again from a blob
// of its own text, the worker's. So the engine and its glue stand in the file once. The words come
// first: they pack best before the code that names them.
import '../text/text.js'
import '../engine/remote/worker.js'
import { useSources } from '../engine/sources.js'
import { brokenWasm } from '../engine/load.js'
import { startPage } from './page.js'

/** @type {string | undefined} */
let workerAddress

const ownScript = () => document.getElementById('posenc-script')

/**
 * The build put the .wasm files into an element, for unpack.js.
 * @param {boolean} simd
 * @returns {Promise<Uint8Array>}
 */
async function inlineWasm(simd) {
  try {
    return await /** @type {any} */ (ownScript()).unpack('posenc-wasm', simd ? 'simd' : 'plain')
  } catch {
    throw brokenWasm('damaged', 'the page is incomplete')
  }
}

/** @returns {string | null} the address of this very script, as a blob that a worker can start from */
function ownAddress() {
  const text = ownScript()?.textContent
  if (!text) return null
  workerAddress ??= URL.createObjectURL(new Blob([text], { type: 'text/javascript' }))
  return workerAddress
}

if (typeof document !== 'undefined') {
  // Where a page carries the plain build alone, that is nothing to tell of.
  const simd = document.getElementById('posenc-wasm')?.dataset.simd !== undefined
  useSources({ wasm: inlineWasm, simd, workerUrl: ownAddress })
  startPage()
}
