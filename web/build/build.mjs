// `npm run build`: WebAssembly, bundles, pages and types into dist/. Quick when nothing changed.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import {
  UserError,
  buildDir,
  dist,
  filesBelow,
  isMain,
  projectVersion,
  root,
  run,
  runMain,
  say,
  shortPath,
  stamped,
  withLock,
} from './common.mjs'
import { buildWasm, variants, wasmFiles } from './emscripten.mjs'

export const build = () => withLock(buildAlone)

async function buildAlone() {
  const began = Date.now()
  if (!existsSync(join(root, 'node_modules', 'esbuild'))) {
    throw new UserError('node_modules is missing: run `npm ci`, or `sh web/build/lab.sh build`')
  }
  await mkdir(buildDir, { recursive: true })
  await mkdir(dist, { recursive: true })
  await buildWasm()
  const version = await projectVersion()
  await step('site', await siteInputs(), version, () => buildSite(version))
  await step('types', await typeInputs(), '', buildTypes)
  await removeStrangers()
  say(
    `build ${version}: done in ${((Date.now() - began) / 1000).toFixed(1)} s, in ${shortPath(dist)}/`,
  )
}

/**
 * @param {string} name
 * @param {string[]} inputs
 * @param {string} extra
 * @param {() => Promise<string[]>} action
 */
async function step(name, inputs, extra, action) {
  const began = Date.now()
  const worked = await stamped(name, { inputs, extra, action })
  say(
    `${name}: ${worked ? `built in ${((Date.now() - began) / 1000).toFixed(1)} s` : 'up to date'}`,
  )
}

async function siteInputs() {
  return [
    ...variants.flatMap((variant) => Object.values(wasmFiles(variant))),
    ...(await filesBelow('web')),
    join(root, 'package.json'),
    join(root, 'package-lock.json'),
  ]
}

/**
 * @param {string} version
 * @returns {Promise<string[]>} the files it wrote
 */
async function buildSite(version) {
  // Imported here, so that a build with nothing to do never loads esbuild.
  const { bundle, styleSheet } = await import('./bundle.mjs')
  const { expandPage, offlineLink, sitePolicy } = await import('./pages.mjs')
  const { oneFilePage } = await import('./one_file.mjs')
  const { renderStill } = await import('./still.mjs')
  /** @type {string[]} */
  const written = []
  /** @param {string} name @param {string | Uint8Array} content */
  const put = async (name, content) => {
    const path = join(dist, name)
    await writeFile(path, content)
    written.push(path)
    return path
  }
  for (const variant of variants) {
    await put(`posenc-${variant}.wasm`, await readFile(wasmFiles(variant).wasm))
  }
  const boot = await bundle('web/src/element/boot.js', 'iife', version)
  const style = await styleSheet(join(root, 'web/styles/page.css'))
  const module = await put(
    'posenc-lab.js',
    await bundle('web/src/element/index.js', 'esm', version),
  )
  await put('posenc-worker.js', await bundle('web/src/engine/remote/worker.js', 'iife', version))
  await put('page.js', await bundle('web/src/element/site_page.js', 'esm', version))
  await put('boot.js', boot)
  await put('styles.css', style)

  const still = await renderStill(module)
  const offline = await offlineLink()
  await put('index.html', await expandPage('index.html', { csp: sitePolicy, still, offline }))
  const script = await bundle('web/src/element/one_file.js', 'iife', version)
  const unpack = await bundle('web/src/element/unpack.js', 'iife', version)
  await put('posenc-lab.html', await oneFilePage({ script, unpack, boot, style, still }))
  return written
}

async function typeInputs() {
  return [
    ...(await filesBelow('web/src')),
    ...(await filesBelow('web/text')),
    ...(await filesBelow(
      'web/build',
      (file) => file.includes('tsconfig') || file.endsWith('.d.ts'),
    )),
    join(root, 'package-lock.json'),
  ]
}

async function buildTypes() {
  const folder = join(dist, 'types')
  await rm(folder, { recursive: true, force: true })
  await run(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'web/build/tsconfig.types.json'],
    { quiet: true },
  )
  // Emitted are the types of JavaScript; what is written as types is copied.
  for (const file of await filesBelow(join(root, 'web/src'), (name) => name.endsWith('.d.ts'))) {
    await copyFile(file, join(folder, relative(join(root, 'web/src'), file)))
  }
  const entry = join(dist, 'posenc-lab.d.ts')
  await writeFile(entry, "export * from './types/element/index.js'\n")
  return [entry, ...(await filesBelow(folder))]
}

/** Removes from dist/ whatever no step of this build wrote, so that an old file is never published. */
async function removeStrangers() {
  const known = new Set()
  for (const name of ['site', 'types']) {
    const stamp = JSON.parse(await readFile(join(buildDir, 'stamps', `${name}.json`), 'utf8'))
    for (const file of stamp.outputs) known.add(join(root, file))
  }
  for (const file of await filesBelow(dist)) {
    if (!known.has(file)) await rm(file)
  }
}

if (isMain(import.meta.url)) await runMain(build)
