// dist/posenc-lab.html: everything in one file, for a USB stick, a mail, or a sandboxed frame.
// Only classic scripts, because a module never runs from file://, and no request of any kind.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { UserError, buildDir } from './common.mjs'
import { wasmFiles } from './emscripten.mjs'
import { SHORT, letterAt } from '../src/element/letters.js'
import { expandPage, policyMeta } from './pages.mjs'

/** @param {string} text */
const sourceHash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Text for the inside of a script element, where these character sequences would end it or change
 * how its end is found.
 * @param {string} text
 */
function assertInlineScript(text) {
  const trap = /<\/script|<!--|<script/i.exec(text)
  if (trap) throw new UserError(`a script holds ${trap[0]} and cannot stand in a page`)
  return text
}

// The package's own entry starts a worker that it never ends; this file is the same without one. Its
// encoder takes positions modulo four into account, which only costs in text and in WebAssembly: 440
// bytes less without (pb = 0).
const encoder = await readFile(
  createRequire(import.meta.url).resolve('lzma/src/lzma_worker.js'),
  'utf8',
)
const [positionBits, positionMask] = ['_posStateBits = 2;', '_posStateMask = 3;']
if (![positionBits, positionMask].every((line) => encoder.includes(line))) {
  throw new Error('another lzma package: it does not set the position bits where it did')
}
/** @type {any} */
const packer = { setTimeout }
runInNewContext(
  encoder.replace(positionBits, '_posStateBits = 0;').replace(positionMask, '_posStateMask = 0;'),
  packer,
)
const STRONGEST = 9

/**
 * The letters that letters.js makes bytes of.
 * @param {Uint8Array} bytes
 */
export function lettersOf(bytes) {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  // A few zeros after the end: the last letter is whole, and no byte comes of them.
  const padded = bits + '0'.repeat(6)
  /** @type {number[]} */
  const letters = []
  for (let i = 0; i < bits.length;) {
    const index = Number.parseInt(padded.slice(i, i + 6), 2)
    const short = index < SHORT
    letters.push(letterAt(short ? index : Number.parseInt(padded.slice(i, i + 7), 2) - SHORT))
    i += short ? 6 : 7
  }
  return Buffer.from(letters).toString('latin1')
}

/**
 * Packing takes seconds, and the kernel is seldom another one: what was packed last is kept.
 * @param {string} id
 * @param {Buffer} bytes
 */
function packedText(id, bytes) {
  const kept = join(buildDir, `packed-${id}`)
  // Of how it was packed, too.
  const how = [packedText, lettersOf, letterAt, STRONGEST].join()
  const digest = createHash('sha256').update(bytes).update(how).digest('hex')
  const [known, same] = existsSync(kept) ? readFileSync(kept, 'latin1').split('\n') : []
  if (known === digest && same !== undefined) return same
  // Signed in and signed out, as the Java original has it.
  const packed = Uint8Array.from(packer.LZMA.compress(new Int8Array(bytes), STRONGEST))
  const text = lettersOf(packed)
  writeFileSync(kept, `${digest}\n${text}`, 'latin1')
  return text
}

/**
 * @param {string} id
 * @param {[string, Uint8Array][]} files by name, the one that is needed most often first
 */
function packedElement(id, files) {
  let end = 0
  const places = files.map(([name, { length }]) => ` data-${name}="${end} ${(end += length)}"`)
  const bytes = Buffer.concat(files.map(([, content]) => content))
  const text = packedText(id, bytes)
  return `<script type="application/octet-stream" id="${id}"${places.join('')}>${text}</script>`
}

/**
 * The builds of the kernel that the page carries, the faster one first: ['simd', 'plain'] as soon as
 * the page has 25 KB of its budget to spare. Most of the second is like the first.
 * @type {import('./emscripten.mjs').Variant[]}
 */
const BUILDS = ['plain']

/**
 * @param {{ script: string, unpack: string, boot: string, style: string, still: string }} parts
 *   unpack: starts the script
 * @returns {Promise<string>}
 */
export async function oneFilePage({ script, unpack, boot, style, still }) {
  const program = script.trimEnd()
  const first = assertInlineScript(unpack.trimEnd())
  const early = assertInlineScript(boot.trimEnd())
  const sheet = style.trimEnd()
  if (/<\/style/i.test(sheet)) throw new UserError('the style sheet cannot stand in a page')
  const policy = policyMeta({
    'default-src': "'none'",
    'script-src': `${sourceHash(early)} ${sourceHash(first)} ${sourceHash(program)} 'wasm-unsafe-eval'`,
    'style-src': sourceHash(sheet),
    'img-src': 'data: blob:',
    'worker-src': 'blob:',
    'base-uri': "'none'",
    'form-action': "'none'",
  })
  /** @type {[string, Uint8Array][]} */
  const kernels = []
  for (const build of BUILDS) kernels.push([build, await readFile(wasmFiles(build).wasm)])
  return expandPage('embed.html', {
    csp: policy,
    style: `<style>${sheet}</style>`,
    boot: `<script>${early}</script>`,
    script: [
      packedElement('posenc-wasm', kernels),
      packedElement('posenc-program', [['text', new TextEncoder().encode(program)]]),
      `<script>${first}</script>`,
    ].join('\n'),
    still,
  })
}
