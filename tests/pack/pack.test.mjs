// The package as a stranger gets it: packed, installed into an empty folder without a network, loaded
// in Node, and used from TypeScript.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const consumer = new URL('consumer.ts', import.meta.url)

let folder = ''
/** @type {string[]} */
let packed = []

/** @param {string[]} args */
async function npm(args, cwd = root) {
  const { stdout } = await run('npm', args, { cwd, shell: process.platform === 'win32' })
  return stdout
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posenc-pack-'))
  const [report] = JSON.parse(await npm(['pack', '--json', '--pack-destination', folder]))
  packed = report.files.map((/** @type {{ path: string }} */ file) => file.path)
  const manifest = { name: 'consumer', private: true, type: 'module' }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await npm(['install', '--offline', '--no-audit', '--no-fund', report.filename], folder)
})
after(() => rm(folder, { recursive: true, force: true }))

/** @param {string} name @param {string} text */
async function node(name, text) {
  const path = join(folder, name)
  await writeFile(path, text)
  const { stdout, stderr } = await run(process.execPath, [path], { cwd: folder })
  assert.equal(stderr, '')
  return stdout
}

test('what is in the package, and what is not', async () => {
  const wanted = [
    'LICENSE',
    'README.md',
    'package.json',
    'dist/posenc-lab.js',
    'dist/posenc-lab.d.ts',
    'dist/posenc-lab.html',
    'dist/posenc-worker.js',
    'dist/posenc-simd.wasm',
    'dist/posenc-plain.wasm',
  ]
  for (const file of wanted) assert.ok(packed.includes(file), `${file} is missing`)
  for (const file of packed) assert.match(file, /^(dist\/|LICENSE$|README\.md$|package\.json$)/)
  const installed = await readdir(join(folder, 'node_modules'))
  assert.deepEqual(
    installed.filter((name) => !name.startsWith('.')),
    ['posenc-lab'],
    'no dependencies',
  )
})

test('it loads in Node, with no DOM, on this thread and in a worker', async () => {
  const output = await node(
    'use.mjs',
    `
    import { EngineError, connectEngine, loadEngine } from 'posenc-lab'
    const engine = await loadEngine()
    const remote = await connectEngine()
    const options = { length: 80, dModel: 16 }
    const [near, far] = [engine.sinusoidal(options), await remote.sinusoidal(options)]
    const table = engine.createTable({ tMax: 50, dModel: 16 })
    const { meanSquaredError } = table.trainTowardSinusoid({ steps: 500 })
    let code = ''
    try {
      table.lookup(60)
    } catch (error) {
      code = error instanceof EngineError ? error.code : String(error)
    }
    table.dispose()
    console.log(JSON.stringify({
      ...engine.info,
      mode: remote.mode,
      row: Array.from(near.data.slice(160, 164), (value) => value.toFixed(4)),
      same: far.data.every((value, index) => value === near.data[index]),
      error: meanSquaredError.toFixed(6),
      code,
      live: engine.liveHandles() + (await remote.liveHandles()),
      element: typeof customElements,
    }))
    await remote.close()
    `,
  )
  const { version, toolchain, ...rest } = JSON.parse(output)
  const { version: expected } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  assert.equal(version.split('+')[0], expected)
  assert.match(toolchain, /^emscripten /)
  assert.deepEqual(rest, {
    simd: true,
    mode: 'worker',
    row: ['-0.5440', '-0.8391', '-0.0207', '-0.9998'],
    same: true,
    error: '0.050464',
    code: 'position-out-of-range',
    live: 0,
    element: 'undefined',
  })
})

test('it loads from CommonJS with import()', async () => {
  const output = await node(
    'use.cjs',
    `import('posenc-lab').then(async ({ loadEngine }) => {
      const engine = await loadEngine({ simd: false })
      console.log(engine.alibiSlopes({ heads: 8 })[0])
    })`,
  )
  assert.equal(output.trim(), '0.5')
})

test('a TypeScript consumer compiles under --strict, and mistakes do not', async () => {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const good = join(folder, 'consumer.ts')
  await writeFile(good, await readFile(consumer))
  for (const [module, resolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ]) {
    const options = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom']
    const modules = ['--module', module ?? '', '--moduleResolution', resolution ?? '']
    // The declarations themselves are checked too.
    const args = [tsc, ...options, ...modules, '--skipLibCheck', 'false', good]
    await run(process.execPath, args, { cwd: folder }).catch(({ stdout }) => assert.fail(stdout))
  }
})

test('the other files of the package have addresses of their own', async () => {
  const output = await node(
    'files.mjs',
    `import { createRequire } from 'node:module'
    const require = createRequire(import.meta.url)
    console.log(require.resolve('posenc-lab/posenc-lab.html'))
    console.log(require.resolve('posenc-lab/posenc-simd.wasm'))`,
  )
  const [page = '', wasm = ''] = output.trim().split('\n')
  assert.match(await readFile(page, 'utf8'), /^<!doctype html>/i)
  assert.equal((await readFile(wasm)).subarray(0, 4).toString('latin1'), '\0asm')
})
