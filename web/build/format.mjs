// `npm run format`: Prettier for everything it reads, clang-format for C++. `--check` only looks.
import { join } from 'node:path'
import {
  UserError,
  filesBelow,
  isMain,
  remembered,
  root,
  run,
  runMain,
  say,
  strict,
  which,
} from './common.mjs'

/** @param {string} file */
const isCpp = (file) => /\.(h|cpp)$/.test(file)

export const cppSources = async () => [
  ...(await filesBelow('cpp', isCpp)),
  ...(await filesBelow('tests', isCpp)),
]

/** @param {boolean} check */
export async function format(check) {
  const failures = []
  const prettier = join(root, 'node_modules/prettier/bin/prettier.cjs')
  const mode = check ? '--check' : '--write'
  const paths = ['web', 'tests', '.github', '*.json', '*.md']
  const quiet = ['--log-level', 'warn', '--no-error-on-unmatched-pattern']
  try {
    await run(process.execPath, [prettier, mode, ...quiet, ...remembered('prettier'), ...paths])
  } catch (error) {
    failures.push(error)
  }

  const files = await cppSources()
  if (!(await which('clang-format'))) {
    const message =
      'clang-format was not found: C++ is not formatted (Debian: apt-get install clang-format)'
    if (strict) throw new UserError(message)
    say(`SKIPPED: ${message}`)
  } else if (files.length > 0) {
    try {
      const how = check ? ['--dry-run', '--Werror'] : ['-i']
      await run('clang-format', [...how, ...files])
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) {
    throw check ? new UserError('Not formatted: run `npm run format`.') : failures[0]
  }
}

if (isMain(import.meta.url)) {
  await runMain(() => format(process.argv.includes('--check')))
}
