// The two HTML files. A page is written with these marks, and every mark must be known:
//   <!--include stage.html-->  another file of web/     <!--t:key-->  the words in both languages
//   <!--still-->  the picture     <!--offline-->  the link to the one-file page (site only)
//   <!--tex:\sqrt d-->  a formula in a line     <!--formula:\sqrt d-->  a formula of its own
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import temml from 'temml'
import { UserError, root } from './common.mjs'
import { wordsOf } from './words.mjs'

/** @typedef {Record<string, string | ((argument: string) => string | Promise<string>)>} Marks */

/** @param {string} text */
const escapeHtml = (text) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('T_max', 'T<sub>max</sub>')

/** @returns {Promise<(key: string) => string>} both languages beside each other; the page shows one */
async function bilingual() {
  const [zh, en] = await Promise.all([wordsOf('zh'), wordsOf('en')])
  return (key) => {
    if (!(key in zh) || !(key in en)) throw new UserError(`no words for ${key} in web/text`)
    return (
      `<span lang="zh-CN">${escapeHtml(zh[key])}</span>` +
      `<span lang="en">${escapeHtml(en[key])}</span>`
    )
  }
}

/**
 * TeX as MathML, which browsers read out and set by themselves. The page's policy knows no style
 * attributes, and nothing here needs one.
 * @param {string} tex
 * @param {boolean} displayMode
 */
function mathMl(tex, displayMode) {
  const html = temml
    .renderToString(tex, { displayMode, throwOnError: true })
    .replace(/ (style|class)="[^"]*"/g, '')
  if (/\sstyle=/.test(html)) throw new UserError(`the formula ${tex} needs a style`)
  // Firefox clips no formula that is wider than a phone; it scrolls in a box of its own.
  return displayMode ? `<div class="formula">${html}</div>` : html
}

/**
 * @param {string} name of a file in web/
 * @param {Marks} marks besides the ones that every page has
 * @returns {Promise<string>}
 */
export async function expandPage(name, marks) {
  const words = await bilingual()
  /** @type {Marks} */
  const all = {
    include: (file) => expand(file),
    t: words,
    tex: (source) => mathMl(source, false),
    formula: (source) => mathMl(source, true),
    offline: '',
    ...marks,
  }

  /** @param {string} file @returns {Promise<string>} */
  async function expand(file) {
    // Room between tags is layout of the source only; what is left of a line break is one. Not so in
    // a script that a mark stands for: its text has a meaning and a hash.
    const text = await readFile(join(root, 'web', file), 'utf8')
    const source = text.replace(/\n\s+/g, '\n')
    let html = ''
    let end = 0
    for (const match of source.matchAll(/<!--\s*([a-z]+)(?:[: ](.*?))?\s*-->/gs)) {
      const [whole, mark = '', argument = ''] = match
      const value = all[mark]
      if (value === undefined) throw new UserError(`web/${file}: unknown mark ${whole}`)
      html += source.slice(end, match.index)
      html += typeof value === 'string' ? value : await value(argument)
      end = match.index + whole.length
    }
    // A mark stays with the formula before it: U+2060 joins what a browser would break.
    return (html + source.slice(end)).replace(/<\/math>(?=[,.;:，。；：、])/g, '</math>\u2060')
  }

  return expand(name)
}

/** The link from the site to the one-file page. */
export async function offlineLink() {
  return `<p><a href="./posenc-lab.html" download>${(await bilingual())('page.offline')}</a></p>`
}

/** @param {Record<string, string>} directives */
export function policyMeta(directives) {
  const content = Object.entries(directives)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')
  return `<meta http-equiv="Content-Security-Policy" content="${content}" />`
}

export const sitePolicy = policyMeta({
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': "'self' data: blob:",
  'worker-src': "'self' blob:",
  'base-uri': "'none'",
  'form-action': "'none'",
})
