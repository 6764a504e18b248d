// The words of web/text, a folder a language, a file a scene; for the bundles, the pages and the tests.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { keysOf } from '../src/text/keys.js'
import { UserError, filesBelow, root, shortPath } from './common.mjs'

/** @typedef {'en' | 'zh'} Language */
/** @type {readonly Language[]} */
export const languages = ['en', 'zh']

const folder = 'web/text'

/**
 * @param {Language} language
 * @returns {Promise<Record<string, string>>} of all its files
 */
export async function wordsOf(language) {
  /** @type {Record<string, string>} */
  const words = {}
  for (const file of (await filesBelow(join(folder, language))).sort()) {
    for (const [key, text] of Object.entries(JSON.parse(await readFile(file, 'utf8')))) {
      if (key in words)
        throw new UserError(`${shortPath(file)}: ${key} stands in another file, too`)
      words[key] = text
    }
  }
  return words
}

/**
 * Keys as src/text/keys.js reads them: 'a.b a.b.c d' is 'a(b!(c))d'. What keys begin with alike stands
 * once, which is smaller packed, too.
 * @param {string[]} keys
 * @returns {string} the keys of each beginning stand together in it
 */
function keyTree(keys) {
  /** @typedef {Map<string, Node>} Node an end of a key has itself the key '' */
  /** @type {Node} */
  const top = new Map()
  for (const key of keys) {
    let node = top
    for (const part of key.split('.')) {
      const next = node.get(part) ?? new Map()
      node.set(part, next)
      node = next
    }
    node.set('', new Map())
  }
  /** @param {Node} node @returns {string} */
  const written = (node) =>
    [...node]
      .filter(([part]) => part !== '')
      .map(([part, next]) =>
        next.size === 1 && next.has('')
          ? part
          : `${part}${next.has('') ? '!' : ''}(${written(next)})`,
      )
      .join(' ')
      .replaceAll(') ', ')')
  return written(top)
}

/**
 * `posenc-words`: both languages. Their keys are the same, so they are carried once; what only the
 * pages say stands in their HTML.
 * @type {import('esbuild').Plugin}
 */
export const wordsPlugin = {
  name: 'words',
  setup(build) {
    build.onResolve({ filter: /^posenc-words$/ }, ({ path }) => ({ path, namespace: 'words' }))
    build.onLoad({ filter: /.*/, namespace: 'words' }, async () => {
      const all = await Promise.all(languages.map(wordsOf))
      const inside = Object.keys(all[0] ?? {}).filter((key) => !/^(page|theme|code)\./.test(key))
      const tree = keyTree(inside)
      const keys = keysOf(tree)
      const lists = languages.map(
        (name, i) => `${name}: of(${JSON.stringify(keys.map((key) => all[i]?.[key] ?? key))})`,
      )
      return {
        contents: `import { keysOf } from './text/keys.js'
          const keys = keysOf(${JSON.stringify(tree)})
          const of = (texts) => Object.fromEntries(keys.map((key, index) => [key, texts[index]]))
          export default { ${lists.join(', ')} }`,
        resolveDir: join(root, 'web/src'),
      }
    })
  },
}
