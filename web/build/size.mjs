// `npm run size`: what each part of the build weighs, gzipped, beside its budget.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { UserError, dist, filesBelow, isMain, root, runMain, say, shortPath } from './common.mjs'
import { wasmFiles } from './emscripten.mjs'

/** What is weighed: a name from size_budget.json and the files it stands for. */
const parts = {
  'wasm, SIMD': async () => [join(dist, 'posenc-simd.wasm')],
  'wasm, plain': async () => [join(dist, 'posenc-plain.wasm')],
  'glue, SIMD': async () => [wasmFiles('simd').glue],
  'glue, plain': async () => [wasmFiles('plain').glue],
  'ES module (with both glues)': async () => [join(dist, 'posenc-lab.js')],
  'worker (with both glues)': async () => [join(dist, 'posenc-worker.js')],
  'style sheet': async () => [join(dist, 'styles.css')],
  'words, both languages': () => filesBelow('web/text', (file) => file.endsWith('.json')),
  'site page': async () => [join(dist, 'index.html')],
  'one-file page': async () => [join(dist, 'posenc-lab.html')],
}

/**
 * @param {string[]} files of one part, which are packed together
 * @returns {Promise<number>} gzipped bytes; glue is weighed as it ships, minified
 */
async function weight(files) {
  const contents = files.map(async (file) => {
    const content = await readFile(file)
    if (!file.endsWith('posenc.js')) return content
    const { transform } = await import('esbuild')
    return Buffer.from((await transform(content, { minify: true })).code)
  })
  const bytes = Buffer.concat(await Promise.all(contents))
  // What anyone gets who weighs it with the command; Node's own zlib finds a few bytes less.
  const { stdout, error } = spawnSync('gzip', ['-9nc'], { input: bytes, maxBuffer: 2 ** 26 })
  return error ? gzipSync(bytes, { level: 9 }).length : stdout.length
}

/** @returns {Promise<{ 'gzipped bytes': Record<string, number>, source: Record<string, number> }>} */
export async function budgets() {
  return JSON.parse(await readFile(join(root, 'web/build/size_budget.json'), 'utf8'))
}

/** Prints the table; throws when a part is over its budget, missing, or has no budget. */
export async function checkSizes() {
  const budget = (await budgets())['gzipped bytes']
  const problems = Object.keys(budget)
    .filter((name) => !(name in parts))
    .map((name) => `${name}: in the budget, but nothing is weighed for it`)
  say('gzipped bytes    budget    part')
  for (const [name, filesOf] of Object.entries(parts)) {
    const files = await filesOf()
    const missing = files.filter((file) => !existsSync(file))
    for (const file of missing) problems.push(`${name}: ${shortPath(file)} is missing`)
    const size = missing.length > 0 ? 0 : await weight(files)
    const limit = budget[name]
    say(`${String(size).padStart(13)} ${String(limit).padStart(9)}    ${name}`)
    if (limit === undefined) problems.push(`${name}: no budget`)
    else if (size > limit) problems.push(`${name}: ${size} bytes, budget ${limit}`)
  }
  if (problems.length > 0) throw new UserError(problems.join('\n'))
}

if (isMain(import.meta.url)) await runMain(checkSizes)
