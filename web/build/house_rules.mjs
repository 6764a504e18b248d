// Rules of this project that no other linter knows. Each returns the lines that break it.
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { UserError, filesBelow, isMain, root, runMain, say, shortPath } from './common.mjs'
import { isAllowed } from './imports.mjs'
import { budgets } from './size.mjs'
import { languages, wordsOf } from './words.mjs'

/** A C++ layer may include these layers, itself, and types.h. Bindings may include all. */
const cppLayers = {
  random: [],
  codes: ['random'],
  analysis: ['codes', 'nn', 'random'],
  nn: ['codes', 'random'],
  lab: ['codes', 'nn', 'random'],
}

/** @typedef {{ path: string, text: string, lines: string[] }} Source */

/** @param {string[]} places @param {RegExp} names @returns {Promise<Source[]>} */
async function sources(places, names) {
  const files = (await Promise.all(places.map((place) => filesBelow(place)))).flat()
  return Promise.all(
    files
      .filter((file) => names.test(file))
      .map(async (file) => {
        const text = await readFile(file, 'utf8')
        return { path: shortPath(file), text, lines: text.split('\n') }
      }),
  )
}

/**
 * @param {Source[]} from
 * @param {(line: string, source: Source) => unknown} breaks
 */
const linesThat = (from, breaks) =>
  from.flatMap((source) =>
    source.lines.flatMap((line, index) =>
      breaks(line, source) ? [`${source.path}:${index + 1}: ${line.trim().slice(0, 120)}`] : [],
    ),
  )

/** @type {Record<string, () => Promise<string[]>>} */
const rules = {
  async 'only cpp/bindings includes an Emscripten header'() {
    const from = await sources(['cpp', 'tests'], /\.(h|cpp)$/)
    return linesThat(
      from,
      (line, { path }) =>
        /#\s*include\s*[<"](emscripten|sanitizer\/emscripten)/.test(line) &&
        !path.startsWith('cpp/bindings/'),
    )
  },

  async 'C++ layers include only the layers below them'() {
    const from = await sources(['cpp'], /\.(h|cpp)$/)
    return linesThat(from, (line, { path }) => {
      const layer = /^cpp\/([a-z]+)\//.exec(path)?.[1]
      const included = /#\s*include\s*"([a-z]+)\//.exec(line)?.[1]
      if (!layer || !included || layer === included || !(layer in cppLayers)) return false
      const allowed = Object.entries(cppLayers).find(([name]) => name === layer)?.[1]
      return !allowed?.some((name) => name === included)
    })
  },

  async 'no type of web/src comes from above, either'() {
    const from = await sources(['web/src'], /\.(js|ts)$/)
    const address = /\b(?:import\(|from )'(\.[^']+(?<!css))'/g
    return linesThat(from, (line, { path }) =>
      [...line.matchAll(address)].some(([, to = '']) => {
        const target = posix.join(posix.dirname(path), to)
        const [file, other] = [path, target].map((one) => one.replace(/^web\/src\//, ''))
        return !isAllowed(file ?? '', other ?? '')
      }),
    )
  },

  async 'every key of words that the sources name has words in each language'() {
    const all = await Promise.all(languages.map(wordsOf))
    const prefixes = [...new Set(all.flatMap((words) => Object.keys(words)))].map(
      (key) => key.split('.')[0],
    )
    const key = new RegExp(`'((?:${[...new Set(prefixes)].join('|')})(?:\\.[\\w-]+)+)'`, 'g')
    const from = await sources(['web/src'], /\.js$/)
    return linesThat(from, (line) =>
      [...line.matchAll(key)].some(([, name = '']) => all.some((words) => !(name in words))),
    )
  },

  async 'nothing imports tests'() {
    const from = await sources(['cpp', 'web'], /\.(h|cpp|js|mjs|css|html)$/)
    return linesThat(from, (line) =>
      /(#\s*include\s*|\bimport\s*\(?\s*|\bfrom\s+|@import\s+|src=|href=)["'<(][./]*tests\//.test(
        line,
      ),
    )
  },

  async 'web/src is small, and no folder holds the most of it'() {
    const { source: most } = await budgets()
    const from = await sources(['web/src', 'tests'], /./)
    /** @type {Map<string, { files: number, lines: number }>} */
    const folders = new Map()
    let all = 0
    for (const { path, lines } of from) {
      const folder = folders.get(posix.dirname(path)) ?? { files: 0, lines: 0 }
      const count = /^web\/src\/.*\.(js|ts)$/.test(path) ? lines.length - 1 : 0
      folders.set(posix.dirname(path), {
        files: folder.files + 1,
        lines: folder.lines + count,
      })
      all += count
    }
    const found = [...folders].flatMap(([path, { files, lines }]) => {
      const share = Math.round((1000 * lines) / all) / 10
      return [
        files > most['files of a folder'] ? `${path}: ${files} files` : '',
        share > most['percent of web/src in a folder'] ? `${path}: ${share} % of web/src` : '',
      ]
    })
    found.push(all > most['lines of web/src'] ? `web/src: ${all} lines` : '')
    return found.filter(Boolean)
  },

  async 'the lock file names no registry'() {
    const from = await sources(['package-lock.json', 'web/build/tfjs/package-lock.json'], /./)
    return linesThat(from, (line) => /"resolved":/.test(line))
  },

  async 'the product asks nothing of other origins'() {
    const from = await sources(
      ['web/src', 'web/styles', 'web/index.html', 'web/embed.html'],
      /\.(js|css|html|json)$/,
    )
    // Where the facts about public models are published: links that a reader may click.
    const cited = 'web/src/config/models.js'
    // A source cited in a comment is fine.
    const comment = /^\s*(\/\/|\/?\*)/
    // A name of an XML namespace is not an address, and a link that a reader may click is not a request.
    const harmless = /http:\/\/www\.w3\.org\/[\w/]+|<a\s[^>]*href="https:\/\/[^"]*"/g
    return linesThat(
      from.filter(({ path }) => path !== cited),
      (line) =>
        !comment.test(line) &&
        /\b(https?|wss?):\/\/|["'(]\/\/[a-z]/i.test(line.replace(harmless, '')),
    )
  },

  async 'sources carry no mark of unfinished work'() {
    const from = await sources(['cpp', 'web', 'tests'], /\.(h|cpp|js|mjs|css|html|sh|ts|json|txt)$/)
    const marks = new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'X' + 'XX'].join('|')})\\b`)
    return linesThat(
      from.filter(({ path }) => !path.startsWith('tests/golden/')),
      (line) => marks.test(line),
    )
  },
}

export async function houseRules() {
  let broken = 0
  for (const [name, rule] of Object.entries(rules)) {
    const lines = await rule()
    if (lines.length > 0) {
      broken += 1
      say(`Broken rule: ${name}`)
      for (const line of lines) say(`  ${line}`)
    }
  }
  const total = Object.keys(rules).length
  if (broken > 0) throw new UserError(`${broken} of ${total} house rules broken`)
  return total
}

if (isMain(import.meta.url)) {
  await runMain(async () => {
    say(`${await houseRules()} house rules kept in ${shortPath(root) || 'the project'}`)
  })
}
