// Build folders of CMake, native and WebAssembly alike.
import { existsSync } from 'node:fs'
import { mkdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { UserError, root, run, strict, which } from './common.mjs'

/** One compile job a core, but no more than two: a link with -flto takes a gigabyte. */
export const jobs = String(Math.max(1, Math.min(2, cpus().length)))

/** @returns {Promise<string[]>} */
async function generator() {
  if (!(await which('cmake'))) {
    throw new UserError(
      'CMake was not found. Debian, Ubuntu: sudo apt-get install -y cmake ninja-build. macOS: brew install cmake ninja',
    )
  }
  if (await which('ninja')) return ['-G', 'Ninja']
  if (await which('make')) return ['-G', 'Unix Makefiles']
  throw new UserError(
    'Neither ninja nor make was found. Debian, Ubuntu: sudo apt-get install -y ninja-build. macOS: brew install ninja',
  )
}

/**
 * Changes when another compiler, or another version of it, is what `program` starts.
 * @param {string} program a name on PATH, or a path
 */
export async function compilerIdentity(program) {
  const path = (await which(program)) ?? program
  // $CXX may be more than a program: CMake judges it.
  if (!existsSync(path)) return program
  const real = await realpath(path)
  const { size, mtimeMs } = await stat(real)
  return `${real} ${size} ${mtimeMs}`
}

/**
 * @typedef {object} Configuration
 * @property {string} compiler its identity
 * @property {string[]} settings
 * @property {string} [through] emcmake
 * @property {NodeJS.ProcessEnv} [env]
 */

/**
 * Configures a build folder, every time: it takes a second, and libraries come, go and move after a
 * folder was made. A folder configured without Catch2 had no target for the tests once it was there.
 * @param {string} folder
 * @param {Configuration} configuration
 */
export async function configure(folder, { compiler, settings, through, env }) {
  const common = [...(await generator()), `-DPOSENC_WERROR=${strict ? 'ON' : 'OFF'}`]
  const setup = JSON.stringify({ compiler, settings: [...common, ...settings] })
  const setupFile = join(folder, 'posenc-setup.json')
  const known = existsSync(setupFile) ? await readFile(setupFile, 'utf8') : ''
  // A CMake cache cannot change its compiler or generator, and no object knows the version of the
  // compiler that made it: start afresh.
  if (known !== setup) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // -U: what was found before is looked for again.
  const found = ['-U', 'POSENC_*_DIR', '-U', 'Catch2_DIR']
  const args = ['-S', root, '-B', folder, ...found, ...common, ...settings]
  const [program, ...first] = through ? [through, 'cmake'] : ['cmake']
  await run(program, [...first, ...args], { env, quiet: true })
  await writeFile(setupFile, setup)
}
