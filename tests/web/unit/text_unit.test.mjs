// Every word a person reads, in both languages: one term a thing, counts that agree, room where room
// is due. Whatever is added is held to the same.
import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import esbuild from 'esbuild'
import { wordsOf, wordsPlugin } from '../../../web/build/words.mjs'

const web = new URL('../../../web/', import.meta.url)
const read = (/** @type {string} */ name) => readFile(new URL(name, web), 'utf8')

const texts = async () => ({ en: await wordsOf('en'), zh: await wordsOf('zh') })

/** The translator itself; Node reads no JSON by `import` without an attribute. */
async function translators() {
  const entry = fileURLToPath(new URL('src/text/text.js', web))
  const { outputFiles } = await esbuild.build({
    entryPoints: [entry],
    bundle: true,
    plugins: [wordsPlugin],
    write: false,
    format: 'esm',
    charset: 'utf8',
  })
  const code = Buffer.from(outputFiles[0].text).toString('base64')
  const { translator } = await import(`data:text/javascript;base64,${code}`)
  return { en: translator('en'), zh: translator('zh') }
}

/** `{n}` and `{n seat}` show the value of n; `{n:is|are}` only agrees with it. */
const HOLE = /\{(\w+)(?: [^}]+|(:)[^}]*)?\}/g

/** @param {string} text @returns {string[]} names of the values that it shows, sorted */
const shown = (text) =>
  [...text.matchAll(HOLE)].flatMap(([, name, form]) => (form ? [] : name)).sort()

/** @param {string} text @param {string} value @returns {Record<string, string>} for every hole */
const filled = (text, value) =>
  Object.fromEntries([...text.matchAll(HOLE)].map(([, name]) => [name, value]))

test('both languages have the same keys, which show the same values', async () => {
  const { en, zh } = await texts()
  assert.deepEqual(Object.keys(en).sort(), Object.keys(zh).sort())
  for (const key of Object.keys(en)) {
    assert.deepEqual(shown(zh[key]), shown(en[key]), key)
    assert.ok(en[key].trim() && zh[key].trim(), key)
    assert.doesNotMatch(en[key].replace(HOLE, '') + zh[key].replace(HOLE, ''), /[{}]/, key)
    // Chinese has no plural, and its sentences end in Chinese marks.
    assert.doesNotMatch(zh[key], /\{\w+[ :]/, key)
    if (/[\u4e00-\u9fff]/.test(zh[key])) assert.doesNotMatch(zh[key], /[\u4e00-\u9fff][,;:?!]/, key)
  }
})

test('a count agrees with its noun: forms, grouped numbers, fractions', async () => {
  const { en, zh } = await translators()
  for (const [n, text] of [
    [1, '1 row'],
    ['1', '1 row'],
    [0, '0 rows'],
    [2, '2 rows'],
    [1.5, '1.5 rows'],
    ['1.0', '1.0 rows'],
    ['1,024', '1,024 rows'],
  ]) {
    assert.equal(en('unit.rows', { n }), text)
    assert.equal(zh('unit.rows', { n }), `${n} 行`)
  }
  assert.equal(en('unit.position', { n: 10 }), 'seat 10')
  assert.equal(zh('unit.position', { n: 10 }), '10 号座')
  assert.equal(en('cost.amounts.parameters', { n: 1 }), 'parameter')
  assert.equal(en('cost.amounts.parameters', { n: 0 }), 'parameters')
  const turns = { offset: 1, all: 'a', error: 'e' }
  assert.match(en('similarity.turns.lone', { ...turns, dims: 1 }), /the other 1 dimension is right/)
  assert.match(
    en('similarity.turns.lone', { ...turns, dims: 2 }),
    /the other 2 dimensions are right/,
  )
})

/** These stand for words of the page's own, never for a number or a name. */
const worded = (/** @type {string} */ text, /** @type {string} */ word) =>
  text.replace(/\{(range|layers)\}/g, word)

/** What ends in s and is no plural. */
const SINGULAR = /^(was|has|this|its|less|always|\w+ss)$/
/** Between a number and a plural that it does not count. */
const BETWEEN =
  /^(of|on|to|in|at|and|the|a|as|with|from|for|or|now|once|every|it|they|there|will|must|ln|s)$/
/** What the reader may see after "1" without counting: row 1 comes back, 1 times as long. */
const VERB =
  /^(brings|changes|claims|comes|does|fits|follows|is|knows|leaves|looks|ranks|reaches|stands|stays|takes|times|goes)$/
const PLURAL_VERB = /^(are|were|have|do|fit|reach|come|follow|carry)$/

test('no sentence counts "1 positions" or "2 position"', async () => {
  const { en: words } = await texts()
  const { en } = await translators()
  const nouns = new Set(
    [
      ...Object.values(words)
        .join('\n')
        .matchAll(/\{\w+ ([^}]+)\}/g),
    ].map(([, noun]) => noun),
  )
  assert.ok(nouns.has('seat') && nouns.has('row'))
  const single = new RegExp(`\\b2 (?:${[...nouns].join('|')})\\b(?! \\w+s\\b)`)
  /** @type {string[]} */
  const wrong = []
  const plural = (/** @type {string} */ word) => /s$/.test(word) && !SINGULAR.test(word)
  for (const [key, text] of Object.entries(words)) {
    const one = en(/** @type {any} */ (key), filled(worded(text, 'global'), '1'))
    for (const [whole, after] of one.matchAll(/\b1((?: [a-z-]+){1,3})/g)) {
      /** @type {string[]} */
      const next = after.trim().split(' ')
      const end = next.findIndex(
        (/** @type {string} */ word) => BETWEEN.test(word) || VERB.test(word),
      )
      const counted = end < 0 ? next : next.slice(0, end)
      const verb = counted[1] && PLURAL_VERB.test(counted[1])
      if (counted.some(plural) || verb) wrong.push(`${key}: ${whole}`)
    }
    const [two] = en(/** @type {any} */ (key), filled(text, '2')).match(single) ?? []
    if (two) wrong.push(`${key}: ${two}`)
  }
  assert.deepEqual(wrong, [])
})

test('Chinese has room beside Latin names and numbers, and none beside Chinese ones', async () => {
  const { zh: words } = await texts()
  const { zh } = await translators()
  /** @type {string[]} */
  const wrong = []
  for (const [key, text] of Object.entries(words)) {
    const latin = zh(/** @type {any} */ (key), filled(worded(text, '丙'), 'X7'))
    const han = zh(/** @type {any} */ (key), filled(text, '丙'))
    if (/[\u4e00-\u9fff]X7|X7[\u4e00-\u9fff]/.test(latin)) wrong.push(`${key}: ${latin}`)
    if (/[\u4e00-\u9fff，。：；、] 丙|丙 [\u4e00-\u9fff，。：；、]/.test(han))
      wrong.push(`${key}: ${han}`)
    if ((latin + han).includes('\0')) wrong.push(key)
    // What joins the members of a list is no sentence.
    if (text.trim().length > 1 && /^[，。、；：,.;]/.test(text)) wrong.push(`${key}: ${text}`)
  }
  assert.deepEqual(wrong, [])
  assert.equal(zh('order.readout', { word: '我', value: '0' }), '“我”：最大差 0')
  const summary = { distance: 1, position: 1, position2: 2, one: 'a', two: 'b' }
  assert.match(zh('offsets.summary.pair', { ...summary, code: 'RoPE' }), /^RoPE 对同一个词/)
  assert.match(zh('offsets.summary.pair', { ...summary, code: '正弦' }), /^正弦对同一个词/)
})

/** One term a thing: what must not come back, and what is said instead. */
const FORBIDDEN = {
  zh: [
    ['基数', '底数'],
    ['您', '你'],
    ['顺指针', '顺时针'],
    ['一扇窗', '滑动窗口'],
    ['满色', '最深色'],
    ['位置插值', '线性内插'],
    ['没有哪个角度', '所有角度都'],
    ['缩样', '微缩演示'],
    ['一位数字都不差', '完全相同'],
    ['一家人', '六种编码，一张表'],
  ],
  en: [
    ['to the last digit', 'the same, or what rounding leaves'],
    ['does not care', 'is the same in every order'],
    ['costs {slope}', 'which head it is'],
  ],
}

test('one term a thing, in the texts, the pages and README', async () => {
  const { en, zh } = await texts()
  const pages = (await readdir(web)).filter((name) => name.endsWith('.html'))
  const long = [...(await Promise.all(pages.map(read))), await read('../README.md')].join('\n')
  const plain = long.replace(/\s+/g, ' ')
  /** @type {string[]} */
  const wrong = []
  for (const [said, terms] of /** @type {const} */ ([
    [zh, FORBIDDEN.zh],
    [en, FORBIDDEN.en],
  ])) {
    for (const [key, text] of [...Object.entries(said), ['a page or README', plain]]) {
      for (const [bad, good] of terms) {
        if (text.includes(bad)) wrong.push(`${key}: “${bad}” is “${good}” here`)
      }
    }
  }
  assert.deepEqual(wrong, [])
  // A line break of the source is a space on the page: between two Chinese characters it is a stray one.
  const chinese = long
    .replace(/<!--.*?-->|<\/?(p|div|h\d|d[ltd]|section|figure|figcaption)\b[^>]*>/gs, '·')
    .replace(/<[^>]*>/g, '')
  assert.doesNotMatch(chinese, /[”\u4e00-\u9fff，。：；、][ \n]+[“\u4e00-\u9fff，。：；、]/)
  // In prose T_max has its subscript; attributes, code and the description have no room for one.
  assert.doesNotMatch(long.replace(/content="[^"]*"/g, '').replace(/```.*?```/gs, ''), /T_max/)
})
