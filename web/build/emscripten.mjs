// Finds Emscripten and builds the two WebAssembly variants with CMake.
import { existsSync } from 'node:fs'
import { readFile, realpath } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { configure, jobs } from './cmake.mjs'
import { UserError, buildDir, filesBelow, run, say, stamped, strict, which } from './common.mjs'

/** @typedef {'simd' | 'plain'} Variant */
/** @type {Variant[]} */
export const variants = ['simd', 'plain']

const debianModules = '/usr/share/nodejs'

/** Where CMakeLists.txt looks for Eigen, and what tells its version there. */
const { EIGEN3_ROOT } = process.env
const eigenVersions = [
  ...(EIGEN3_ROOT
    ? ['.', 'eigen3', 'include/eigen3'].map((place) => join(EIGEN3_ROOT, place))
    : []),
  '/usr/include/eigen3',
  '/usr/local/include/eigen3',
  '/opt/homebrew/include/eigen3',
].map((place) => join(place, 'Eigen/src/Core/util/Macros.h'))

const missingMessage = `Emscripten was not found: neither $EMSDK nor em++ on PATH.
  Debian, Ubuntu: sudo apt-get install -y emscripten libeigen3-dev cmake ninja-build
  macOS:          brew install emscripten eigen cmake ninja
  elsewhere:      git clone https://github.com/emscripten-core/emsdk && cd emsdk && ./emsdk install latest && ./emsdk activate latest && . ./emsdk_env.sh`

/**
 * @returns {Promise<{ emcmake: string, identity: string, env: NodeJS.ProcessEnv }>}
 *   identity changes when another Emscripten is picked
 */
export async function findEmscripten() {
  const sdk = process.env.EMSDK
  const fromSdk = sdk ? join(sdk, 'upstream', 'emscripten', 'emcmake') : ''
  const onPath = await which('em++')
  let emcmake = ''
  if (fromSdk && existsSync(fromSdk)) emcmake = fromSdk
  else if (onPath) emcmake = join(dirname(onPath), 'emcmake')
  if (!emcmake || !existsSync(emcmake)) throw new UserError(missingMessage)

  const env = { ...process.env }
  // Debian keeps acorn, which the linker's JavaScript optimizer needs, where only Debian's own
  // Node looks. EM_CACHE stays untouched: Debian's cache is frozen and complete.
  if (existsSync(join(debianModules, 'acorn'))) {
    env.NODE_PATH = [debianModules, env.NODE_PATH].filter(Boolean).join(delimiter)
  }
  const real = await realpath(emcmake)
  const folders = [dirname(real), '/usr/share/emscripten']
  const versionFile = folders
    .map((folder) => join(folder, 'emscripten-version.txt'))
    .find((file) => existsSync(file))
  const version = versionFile ? (await readFile(versionFile, 'utf8')).trim() : 'unknown'
  return { emcmake, identity: `${real} ${version}`, env }
}

/** @param {Variant} variant */
export const wasmFolder = (variant) => join(buildDir, `wasm-${variant}`)

/** @param {Variant} variant */
export async function wasmConfiguration(variant) {
  const { emcmake, identity, env } = await findEmscripten()
  const simd = `-DPOSENC_SIMD=${variant === 'simd' ? 'ON' : 'OFF'}`
  const settings = ['-DCMAKE_BUILD_TYPE=Release', simd]
  return { compiler: identity, through: emcmake, settings, env }
}

/**
 * Configures and builds one CMake target of one variant.
 * @param {Variant} variant
 * @param {string} target
 * @param {string} [parallel] how many compilers at once
 */
export async function buildWasmTarget(variant, target, parallel = jobs) {
  const folder = wasmFolder(variant)
  const configuration = await wasmConfiguration(variant)
  const { env } = configuration
  await configure(folder, configuration)
  await run('cmake', ['--build', folder, '--target', target, '-j', parallel], { env, quiet: true })
}

/**
 * @param {Variant} variant
 * @returns {{ glue: string, wasm: string }}
 */
export function wasmFiles(variant) {
  const folder = wasmFolder(variant)
  return { glue: join(folder, 'posenc.js'), wasm: join(folder, 'posenc.wasm') }
}

/** Builds both variants' library; quick when neither sources nor compiler changed. */
export async function buildWasm() {
  const { identity } = await findEmscripten()
  const inputs = [
    ...(await filesBelow('CMakeLists.txt')),
    ...(await filesBelow('cpp', (file) => !file.includes('/cpp/bench/'))),
    ...eigenVersions,
  ]
  // Side by side, because the link of each, which takes longest, uses one core.
  const one = async (/** @type {Variant} */ variant) => {
    const { glue, wasm } = wasmFiles(variant)
    const began = Date.now()
    const worked = await stamped(`wasm-${variant}`, {
      inputs,
      extra: `${identity} ${strict}`,
      action: async () => {
        say(`wasm (${variant}): compiling …`)
        await buildWasmTarget(variant, 'posenc_wasm', '1')
        for (const file of [glue, wasm]) {
          if (!existsSync(file)) throw new UserError(`posenc_wasm left no ${file}`)
        }
        return [glue, wasm]
      },
    })
    say(
      `wasm (${variant}): ${worked ? `built in ${((Date.now() - began) / 1000).toFixed(1)} s` : 'up to date'}`,
    )
  }
  await Promise.all(variants.map(one))
}
