// The script that the one-file page runs first: unpacks the program beside it and starts it. The
// policy of the page knows the hash of the unpacked program, so nothing else can be started so.
import { bytesOf } from './letters.js'
import { unlzma } from './unlzma.js'

/**
 * @param {string} id of an element with files packed together by LZMA, in letters
 * @param {string} name of one of them; `data-<name>` says from which byte to which, unpacked
 */
async function unpack(id, name) {
  const element = document.getElementById(id)
  const [from, to] = element?.dataset[name]?.split(' ').map(Number) ?? []
  if (!element || !to) throw new Error('damaged')
  // What stands behind it is not unpacked.
  return (await unlzma(bytesOf(element.textContent ?? ''), to)).slice(from)
}

async function start() {
  const program = document.createElement('script')
  program.id = 'posenc-script'
  program.textContent = new TextDecoder().decode(await unpack('posenc-program', 'text'))
  // The program unpacks its .wasm file the same way, when it needs it.
  Object.assign(program, { unpack })
  document.body.append(program)
  // It runs at once, or the policy does not know it.
  if (!customElements.get('posenc-lab')) throw new Error('damaged')
}

start().catch(() => document.documentElement.classList.add('damaged'))
