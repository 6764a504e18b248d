// The script that the one-file page runs first: unpacks the program beside it and starts it. The
// policy of the page knows the hash of the unpacked program, so nothing else can be started so.
import { unlzma } from './unlzma.js'

/**
 * @param {string} id of an element with a .lzma file in base64, its unpacked size in `data-size`
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function unpack(id) {
  const element = document.getElementById(id)
  if (!element) throw new Error('the page is incomplete')
  const packed = Uint8Array.from(atob(element.textContent ?? ''), (char) => char.charCodeAt(0))
  return unlzma(packed, Number(element.dataset.size))
}

async function start() {
  const program = document.createElement('script')
  program.id = 'posenc-script'
  program.textContent = new TextDecoder().decode(await unpack('posenc-program'))
  // The program unpacks its .wasm file the same way, when it needs it.
  Object.assign(program, { unpack })
  document.body.append(program)
  // It runs at once, or the policy does not know it.
  if (!customElements.get('posenc-lab')) throw new Error('the page is damaged')
}

start().catch(() => document.documentElement.classList.add('damaged'))
