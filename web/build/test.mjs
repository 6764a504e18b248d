// `npm test`: every check, in order, and one closing line that counts them all.
//   npm test -- --only lint,wasm
// `npm run check`: what is looked at while something is being made, in a minute or two.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  UserError,
  buildDir,
  filesBelow,
  isMain,
  remembered,
  root,
  run,
  runMain,
  say,
  shortPath,
  spawned,
  stamped,
  strict,
  which,
} from './common.mjs'
import { build } from './build.mjs'
import { compilerIdentity, configure, jobs } from './cmake.mjs'
import { buildWasmTarget, variants, wasmFolder } from './emscripten.mjs'
import { format } from './format.mjs'
import { houseRules } from './house_rules.mjs'
import { checkSizes } from './size.mjs'

/** Counts over all runners. */
const total = { passed: 0, failed: 0, skipped: 0 }
/** @type {string[]} */
const failures = []

/** @param {string} name @param {Partial<typeof total>} counts */
function count(name, { passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  if (failed > 0) failures.push(`${name}: ${failed} failed`)
  if (skipped > 0 && strict) {
    total.failed += skipped
    total.skipped -= skipped
    failures.push(`${name}: ${skipped} skipped, which this run forbids`)
  }
}

/** @param {string} name @param {string} reason */
function skip(name, reason) {
  say(`SKIPPED ${name}: ${reason}`)
  count(name, { skipped: 1 })
}

/**
 * One check that either passes or throws.
 * @param {string} name
 * @param {() => Promise<unknown>} action
 */
async function check(name, action) {
  try {
    await action()
    say(`ok      ${name}`)
    count(name, { passed: 1 })
    return true
  } catch (error) {
    const message = error instanceof UserError ? error.message : /** @type {Error} */ (error).stack
    say(`FAILED  ${name}\n${message}`)
    count(name, { failed: 1 })
    return false
  }
}

/** @param {string} text @param {RegExp} pattern */
const numberIn = (text, pattern) => Number(pattern.exec(text)?.[1] ?? 0)

/**
 * Runs a test program and adds up what its closing lines say. A runner that ends badly, or counts
 * nothing, is a failure whatever it printed.
 * @param {string} name
 * @param {[string, ...string[]]} command
 * @param {(output: string) => Partial<typeof total>} read
 * @param {import('./common.mjs').RunOptions} [options]
 */
async function runner(name, [program, ...args], read, options = {}) {
  const { code, output } = await spawned(program, args, { minutes: 20, ...options })
  // Colours would stand between the words that the counts are read from.
  const counts = read(output.replace(/\u001b\[[\d;]*m/g, ''))
  if (code !== 0 && !counts.failed) counts.failed = 1
  if (code !== 0 && options.quiet) say(output)
  if (!counts.passed && !counts.failed) {
    say(`FAILED  ${name}: it ran no test`)
    counts.failed = 1
  }
  say(
    `${counts.failed ? 'FAILED ' : 'ok     '} ${name}: ${counts.passed ?? 0} passed, ${counts.failed ?? 0} failed`,
  )
  count(name, counts)
}

/** @param {string} output */
function catchCounts(output) {
  const all = /All tests passed \(.* in (\d+) test cases?\)/.exec(output)
  if (all) return { passed: Number(all[1]) }
  const line = /^test cases:.*$/m.exec(output)?.[0] ?? ''
  return { passed: numberIn(line, /(\d+) passed/), failed: numberIn(line, /(\d+) failed/) }
}

/** @param {string} output */
function ctestCounts(output) {
  const failed = numberIn(output, /(\d+) tests? failed out of \d+/)
  return { passed: numberIn(output, /tests? failed out of (\d+)/) - failed, failed }
}

/** @param {string} output */
function nodeCounts(output) {
  /** @param {string} word */
  const value = (word) => numberIn(output, new RegExp(`^(?:#|ℹ) ${word} (\\d+)`, 'm'))
  return {
    passed: value('pass'),
    failed: value('fail') + value('cancelled'),
    skipped: value('skipped') + value('todo'),
  }
}

/**
 * @param {string} name
 * @param {string[]} files
 * @param {{ concurrency?: number }} [options]
 */
async function nodeTests(name, files, { concurrency = 2 } = {}) {
  const args = ['--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`]
  await runner(name, [process.execPath, ...args, ...files], nodeCounts)
}

/** @param {string} folder @param {'g++' | 'clang++'} compiler @param {string[]} settings */
const configureNative = async (folder, compiler, settings) =>
  configure(folder, {
    compiler: await compilerIdentity(compiler),
    settings: [`-DCMAKE_CXX_COMPILER=${compiler}`, ...settings],
  })

/**
 * Builds the Catch2 tests with a native compiler and runs them through CTest.
 * @param {string} name
 * @param {string} folder
 * @param {'g++' | 'clang++'} compiler
 * @param {string[]} settings
 */
async function nativeTests(name, folder, compiler, settings) {
  const built = await check(`${name}: build`, async () => {
    await configureNative(folder, compiler, settings)
    await run('cmake', ['--build', folder, '-j', jobs], { quiet: true })
  })
  if (!built) return
  const args = ['--test-dir', folder, '--output-on-failure', '--no-tests=error', '-j', jobs]
  await runner(name, ['ctest', ...args], ctestCounts)
}

/** @returns {Promise<(file: string) => boolean>} changed since the last commit, as far as Git tells */
async function changed() {
  const args = ['status', '--porcelain', '--untracked-files=all']
  const { code, output } = await spawned('git', args, { quiet: true })
  const files = output.split('\n').map((line) => join(root, line.slice(3).replace(/^.* -> /, '')))
  return (file) => code !== 0 || files.includes(file)
}

/**
 * @param {string} file
 * @param {string[]} [found]
 * @returns {Promise<string[]>} it and all of cpp/ that it includes
 */
async function withIncludes(file, found = []) {
  if (found.includes(file) || !existsSync(file)) return found
  found.push(file)
  for (const [, name = ''] of (await readFile(file, 'utf8')).matchAll(/#include "(.+)"/g)) {
    await withIncludes(join(root, 'cpp', name), found)
  }
  return found
}

/** @param {(file: string) => boolean} wanted */
async function clangTidy(wanted) {
  if (!(await which('clang-tidy')) || !(await which('clang++'))) {
    skip(
      'clang-tidy',
      'clang-tidy or clang++ was not found (Debian: apt-get install clang clang-tidy)',
    )
    return
  }
  const files = await filesBelow(
    'cpp',
    (file) => /^(?!.*\/(bindings|bench)\/).*\.cpp$/.test(file) && wanted(file),
  )
  const config = join(root, '.clang-tidy')
  // Where warnings are errors nothing is taken from an earlier run.
  const extra = strict ? String(Date.now()) : await compilerIdentity('clang-tidy')
  await check('clang-tidy', async () => {
    const folder = join(buildDir, 'tidy')
    const settings = ['-DPOSENC_BUILD_TESTS=OFF', '-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON']
    await configureNative(folder, 'clang++', settings)
    const queue = [...files]
    /** @type {string[]} */
    const problems = []
    const worker = async () => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
        const current = file
        const name = `tidy-${shortPath(file).replaceAll('/', '-')}`
        await stamped(name, {
          inputs: [config, join(root, 'CMakeLists.txt'), ...(await withIncludes(current))],
          extra,
          action: async () => {
            const args = ['-p', folder, '--quiet', '--warnings-as-errors=*', current]
            const { code, output } = await spawned('clang-tidy', args, { quiet: true })
            if (code === 0) return []
            problems.push(output)
            throw new UserError(current)
          },
        }).catch(() => {})
      }
    }
    await Promise.all(Array.from({ length: Number(jobs) }, worker))
    if (problems.length > 0) throw new UserError(problems.join('\n'))
  })
}

/** @param {(file: string) => boolean} tidied which C++ sources clang-tidy reads */
async function lint(tidied) {
  const node = (/** @type {string} */ path, /** @type {string[]} */ ...args) =>
    run(process.execPath, [join(root, 'node_modules', path), ...args])
  const eslint = async () => {
    const config = ['--config=web/build/eslint.config.mjs', '--max-warnings=0']
    config.push(...remembered('eslint'))
    await node('eslint/bin/eslint.js', ...config, '--no-error-on-unmatched-pattern', 'web', 'tests')
  }
  // ESLint takes as long as all the others.
  await Promise.all([
    check('ESLint', eslint),
    (async () => {
      await check('Prettier, clang-format', () => format(true))
      const known = join(buildDir, 'tsc.cache')
      const more = strict ? [] : ['--incremental', '--tsBuildInfoFile', known]
      await check('tsc', () => node('typescript/bin/tsc', '-p', 'web/build/tsconfig.json', ...more))
      await check('house rules', houseRules)
    })(),
  ])
  await clangTidy(tidied)
}

/**
 * One process a browser, because all files share one of it.
 * @param {string} browser
 * @param {string} file
 */
const browserTests = (browser, file) =>
  runner(browser, [process.execPath, '--test-reporter=spec', join(root, file)], nodeCounts, {
    minutes: 40,
    env: { ...process.env, POSENC_BROWSERS: browser },
  })

const isTest = (/** @type {string} */ file) => file.endsWith('.test.mjs')

/** @returns {Promise<string[]>} the tests of tests/web that open no page */
async function unitTests() {
  const files = await filesBelow('tests/web', isTest)
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  return files.filter((_, index) => !texts[index]?.includes('inBrowsers('))
}

/** @satisfies {Record<string, () => Promise<unknown>>} */
const stages = {
  lint: () => lint(() => true),

  async native() {
    if (!(await which('g++'))) {
      skip('native Catch2', 'g++ was not found (Debian: apt-get install g++)')
      return
    }
    await nativeTests('native Catch2', join(buildDir, 'native'), 'g++', [
      '-DCMAKE_BUILD_TYPE=Release',
    ])
  },

  async sanitize() {
    if (!(await which('clang++'))) {
      skip('sanitizers', 'clang++ was not found (Debian: apt-get install clang libclang-rt-dev)')
      return
    }
    await nativeTests('ASan and UBSan', join(buildDir, 'sanitize'), 'clang++', [
      '-DCMAKE_BUILD_TYPE=RelWithDebInfo',
      '-DPOSENC_SANITIZE=ON',
    ])
  },

  async build() {
    if (!(await check('build', build))) buildFailed = true
  },

  unit: async () => nodeTests('units', await unitTests()),

  // Many of these wait for workers that they have killed.
  engine: async () =>
    nodeTests('engine under Node', await filesBelow('tests/wasm', isTest), { concurrency: 4 }),

  async wasm() {
    for (const variant of variants) {
      const name = `wasm Catch2 (${variant})`
      const built = await check(`${name}: build`, () =>
        buildWasmTarget(variant, 'posenc_tests_wasm'),
      )
      if (!built) continue
      const program = await filesBelow(shortPath(wasmFolder(variant)), (file) =>
        file.endsWith('posenc_tests_wasm.js'),
      )
      await runner(name, [process.execPath, ...program], catchCounts)
    }
  },

  async pack() {
    const files = await filesBelow('tests/pack', isTest)
    await nodeTests('npm package, build folders', files, { concurrency: 1 })
  },

  web() {
    const browsers = (process.env.POSENC_BROWSERS ?? 'chromium,firefox').split(',')
    return Promise.all(browsers.map((browser) => browserTests(browser, 'tests/web/all.mjs')))
  },

  size: () => check('size budget', checkSizes),
}

/** @satisfies {Record<string, () => Promise<unknown>>} */
const quick = {
  lint: async () => lint(await changed()),
  build: stages.build,
  unit: stages.unit,
  engine: stages.engine,
  smoke: () => browserTests('chromium', 'tests/web/page/smoke.test.mjs'),
}

let buildFailed = false
const needBuild = ['unit', 'engine', 'wasm', 'pack', 'web', 'size', 'smoke']

/** @param {string[]} all @param {string[]} args */
function chosenStages(all, args) {
  const at = args.findIndex((arg) => arg.startsWith('--only'))
  if (at < 0) return all
  const value = args[at]?.split('=')[1] ?? args[at + 1] ?? ''
  const wanted = value.split(',').filter(Boolean)
  const unknown = wanted.filter((name) => !all.includes(name))
  if (wanted.length === 0 || unknown.length > 0) {
    throw new UserError(
      `--only takes some of ${all.join(',')}${unknown.length ? `, not ${unknown}` : ''}`,
    )
  }
  if (wanted.some((name) => needBuild.includes(name))) wanted.push('build')
  return all.filter((name) => wanted.includes(name))
}

async function main() {
  const began = Date.now()
  const args = process.argv.slice(2)
  /** @type {Record<string, () => Promise<unknown>>} */
  const all = args.includes('--quick') ? quick : stages
  const stage = async (/** @type {string} */ name) => {
    const stageBegan = Date.now()
    say(`\n==== ${name} ====`)
    if (buildFailed && needBuild.includes(name)) {
      say(`FAILED  ${name}: not run, because the build failed`)
      count(name, { failed: 1 })
    } else {
      await all[name]?.()
    }
    say(`---- ${name}: ${((Date.now() - stageBegan) / 1000).toFixed(0)} s`)
  }
  const chosen = chosenStages(Object.keys(all), args)
  // A check samples (tests/sampling.mjs), and reads the sources beside all that runs them.
  if (all === quick) process.env.POSENC_SAMPLED = '1'
  const beside = all === quick ? chosen.filter((name) => name === 'lint') : []
  await Promise.all([
    ...beside.map(stage),
    (async () => {
      for (const name of chosen) if (!beside.some((other) => other === name)) await stage(name)
    })(),
  ])
  say(`\n==== result, after ${((Date.now() - began) / 1000).toFixed(0)} s ====`)
  for (const failure of failures) say(`FAILED  ${failure}`)
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
  say(`${total.passed} passed, ${total.failed} failed${skipped}`)
}

if (isMain(import.meta.url)) {
  if (!existsSync(join(root, 'node_modules'))) {
    say('node_modules is missing: run `npm ci`, or `sh web/build/lab.sh test`')
    process.exitCode = 1
  } else {
    await runMain(main)
  }
}
