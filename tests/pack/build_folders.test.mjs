// Build folders that were made before their tools were there, or with others.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { compilerIdentity, configure } from '../../web/build/cmake.mjs'
import { run } from '../../web/build/common.mjs'
import { wasmConfiguration } from '../../web/build/emscripten.mjs'

let temporary = ''
before(async () => (temporary = await mkdtemp(join(tmpdir(), 'posenc-folders-'))))
after(() => rm(temporary, { recursive: true, force: true }))

/** @param {string} name @param {string} text */
async function script(name, text) {
  const path = join(temporary, name)
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  return path
}

/** @param {string} folder @param {string} target */
async function has(folder, target) {
  const targets = await run('cmake', ['--build', folder, '--target', 'help'], { quiet: true })
  return new RegExp(`\\b${target}\\b`).test(targets)
}

/**
 * Takes a setting out of CMake's cache unseen: a changed cache would be configured again by itself.
 * @param {string} folder @param {string} setting
 */
async function forget(folder, setting) {
  const file = join(folder, 'CMakeCache.txt')
  const { atime, mtime } = await stat(file)
  const text = await readFile(file, 'utf8')
  const entry = new RegExp(`^//.*\n${setting}:.*\n`, 'm')
  assert.match(text, entry)
  await writeFile(file, text.replace(entry, ''))
  await utimes(file, atime, mtime)
}

test('start, then test: Catch2 comes after the folder of the kernel was made', async () => {
  const folder = join(temporary, 'wasm')
  const configuration = await wasmConfiguration('plain')
  // Where CMakeLists.txt looks for the headers of Catch2 2 and 3.
  const hidden = ['/usr', '/usr/local', '/opt/homebrew'].flatMap((place) => [
    `${place}/include`,
    `${place}/share/Catch2`,
    `${place}/share/Catch2/extras`,
  ])
  const through = await script(
    'emcmake',
    `exec '${configuration.through}' "$@" '-DCMAKE_IGNORE_PATH=${hidden.join(';')}'`,
  )
  await configure(folder, { ...configuration, through })
  await forget(folder, 'CMAKE_IGNORE_PATH')
  await writeFile(join(folder, 'kept.o'), '')
  assert.equal(await has(folder, 'posenc_wasm'), true)
  assert.equal(await has(folder, 'posenc_tests_wasm'), false)

  await configure(folder, configuration)
  assert.equal(await has(folder, 'posenc_tests_wasm'), true)
  assert.equal(existsSync(join(folder, 'kept.o')), true, 'the kernel is not compiled again')
})

test('what was found has gone: it is looked for again', async () => {
  const folder = join(temporary, 'moved')
  const configuration = {
    compiler: await compilerIdentity('c++'),
    settings: ['-DPOSENC_BUILD_TESTS=OFF'],
  }
  await configure(folder, configuration)
  const cache = join(folder, 'CMakeCache.txt')
  const found = /^POSENC_EIGEN_DIR:PATH=(.+)$/m.exec(await readFile(cache, 'utf8'))?.[1]
  assert.ok(found)
  const stale = (await readFile(cache, 'utf8')).replace(found, join(temporary, 'gone'))
  await writeFile(cache, stale)
  await configure(folder, configuration)
  assert.match(await readFile(cache, 'utf8'), new RegExp(`^POSENC_EIGEN_DIR:PATH=${found}$`, 'm'))
})

test('another version of the compiler: nothing of the old one stays', async () => {
  const folder = join(temporary, 'compiler')
  const compiler = await script('c++', 'exec c++ "$@"')
  const made = join(folder, 'made.o')
  const again = async () =>
    configure(folder, {
      compiler: await compilerIdentity(compiler),
      settings: [`-DCMAKE_CXX_COMPILER=${compiler}`, '-DPOSENC_BUILD_TESTS=OFF'],
    })
  await again()
  await writeFile(made, '')
  await again()
  assert.equal(existsSync(made), true)
  await script('c++', '# updated in place\nexec c++ "$@"')
  await again()
  assert.equal(existsSync(made), false)
})
