// dist/posenc-lab.html: everything in one file, for a USB stick, a mail, or a sandboxed frame.
// Only classic scripts, because a module never runs from file://, and no request of any kind.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { deflateRawSync } from 'node:zlib'
import { UserError } from './common.mjs'
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

/** @param {string} path */
async function wasmElement(path) {
  const bytes = await readFile(path)
  const packed = deflateRawSync(bytes, { level: 9, memLevel: 9 }).toString('base64')
  return `<script type="application/octet-stream" id="posenc-wasm" data-size="${bytes.length}">${packed}</script>`
}

/**
 * @param {{ script: string, boot: string, style: string, still: string, wasm: string }} parts
 *   wasm: path of the plain build
 * @returns {Promise<string>}
 */
export async function oneFilePage({ script, boot, style, still, wasm }) {
  const program = assertInlineScript(script.trimEnd())
  const early = assertInlineScript(boot.trimEnd())
  const sheet = style.trimEnd()
  if (/<\/style/i.test(sheet)) throw new UserError('the style sheet cannot stand in a page')
  const policy = policyMeta({
    'default-src': "'none'",
    'script-src': `${sourceHash(early)} ${sourceHash(program)} 'wasm-unsafe-eval'`,
    'style-src': sourceHash(sheet),
    'img-src': 'data: blob:',
    'worker-src': 'blob:',
    'base-uri': "'none'",
    'form-action': "'none'",
  })
  return expandPage('embed.html', {
    csp: policy,
    style: `<style>${sheet}</style>`,
    boot: `<script>${early}</script>`,
    script: `${await wasmElement(wasm)}\n<script id="posenc-script">${program}</script>`,
    still,
  })
}
