// Expands the pages: shared parts, the words of both languages, the still picture.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError, root } from './common.mjs'

/** @type {Record<string, string>} */
const LANGUAGE_TAGS = { en: 'en', zh: 'zh-CN' }

/**
 * `<!--include body.html-->` is replaced by that file of web/, `<!--t:key-->` by the words of that key
 * in every language (page.css shows one of them), `<!--still-->` by the still picture.
 * @param {string} name of a page in web/
 * @param {{ still: string }} parts
 * @returns {Promise<string>}
 */
export async function expandPage(name, { still }) {
  let html = await readFile(join(root, 'web', name), 'utf8')
  for (const [mark, part] of html.matchAll(/<!--include ([\w.]+)-->/g)) {
    html = html.replace(mark, (await readFile(join(root, 'web', part), 'utf8')).trimEnd())
  }
  const texts = await readTexts()
  html = html.replace(/<!--t:([\w.-]+)-->/g, (_, key) => inEveryLanguage(texts, key))
  return html.replaceAll('<!--still-->', () => still)
}

async function readTexts() {
  /** @type {Record<string, Record<string, string>>} */
  const texts = {}
  for (const language of Object.keys(LANGUAGE_TAGS)) {
    texts[language] = JSON.parse(await readFile(join(root, `web/text/${language}.json`), 'utf8'))
  }
  return texts
}

/**
 * @param {Record<string, Record<string, string>>} texts
 * @param {string} key
 */
function inEveryLanguage(texts, key) {
  return Object.entries(LANGUAGE_TAGS)
    .map(([language, tag]) => {
      const text = texts[language][key]
      if (text === undefined) throw new UserError(`web/text/${language}.json has no ${key}`)
      return `<span lang="${tag}">${escapeHtml(text)}</span>`
    })
    .join('')
}

/** @param {string} text */
function escapeHtml(text) {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
