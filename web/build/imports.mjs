// Who may import whom in web/src. The linter takes imports from here, the house rules the types that a
// comment imports.
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const src = new URL('../src/', import.meta.url)

/** What stands below everything that draws or speaks; of the engine its client side. */
const below = [
  'charts',
  'exports',
  'config',
  'state',
  'engine/client.js',
  'engine/errors.js',
  'engine/types.js',
  'text',
]

/**
 * What each part may import, besides its own files. Whatever is not named is refused. The narrowest
 * part that a file is in decides.
 * @type {Record<string, string[]>}
 */
const parts = {
  charts: [],
  'charts/core': [],
  // One table of bounds, that of the core.
  state: ['engine/calls/limits.js'],
  // The reader of a model's config.json.
  config: ['state', 'engine/client.js', 'engine/errors.js', 'engine/types.js'],
  text: [],
  engine: [],
  exports: ['charts'],
  kit: below,
  'lab/run': ['kit', ...below],
  'lab/paper': ['lab/run', 'lab/words.js', 'kit', ...below],
  'lab/view': ['lab', 'kit', ...below],
  lab: ['kit', ...below],
  scenes: ['lab', 'kit', ...below],
  lesson: ['scenes', 'lab', 'kit', ...below],
  element: ['lesson', 'scenes', 'lab', 'kit', ...below, 'engine'],
  // What the pages load first stands alone.
  'element/boot.js': [],
  'element/page.js': ['element/index.js'],
  'element/unpack.js': ['element/letters.js', 'element/unlzma.js'],
  'element/letters.js': [],
  'element/unlzma.js': [],
}

/** One scene does not import another. */
const scenes = readdirSync(fileURLToPath(new URL('scenes/', src)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => [`scenes/${name}`, parts.scenes])

/** @type {Record<string, string[]>} */
export const mayImport = { ...parts, ...Object.fromEntries(scenes) }

/** @param {string} file @param {string} part */
const isIn = (file, part) => file === part || file.startsWith(`${part}/`)

/**
 * @param {string} file below web/src
 * @returns {string} the part that it belongs to; empty where there is none
 */
export function partOf(file) {
  const found = Object.keys(mayImport).filter((part) => isIn(file, part))
  return found.sort((a, b) => b.length - a.length)[0] ?? ''
}

/**
 * @param {string} from a file below web/src
 * @param {string} to another
 */
export function isAllowed(from, to) {
  const part = partOf(from)
  return [part, ...(mayImport[part] ?? [])].some((one) => isIn(to, one))
}
