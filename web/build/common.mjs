// What every build script shares: paths, child processes, fingerprints and stamps.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { access, constants, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')
export const buildDir = join(root, 'build')
export const dist = join(root, 'dist')

/** In CI a warning is an error and a missing tool a failure. */
export const strict = Boolean(process.env.POSENC_FORBID_SKIPS || process.env.CI)

/** A failure that the person at the terminal can act on: printed without a stack trace. */
export class UserError extends Error {}

/** @param {string} text */
export const say = (text) => process.stdout.write(`${text}\n`)

/**
 * Runs `main`, and turns a rejection into one readable message and exit code 1.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    const readable = error instanceof UserError
    process.stderr.write(
      `${readable ? error.message : error instanceof Error ? error.stack : error}\n`,
    )
    process.exitCode = 1
  }
}

/**
 * True when `file` is what Node was asked to run, false when another script imports it.
 * @param {string} moduleUrl
 */
export function isMain(moduleUrl) {
  return process.argv[1] !== undefined && fileURLToPath(moduleUrl) === process.argv[1]
}

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env]
 * @property {string} [cwd]
 * @property {boolean} [quiet] keep the output, and show it only when the command fails
 * @property {number} [minutes] end it when it takes longer
 */

/**
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function spawned(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    /** @param {NodeJS.WriteStream} stream */
    const collect = (stream) => (/** @type {Buffer} */ chunk) => {
      output += chunk.toString()
      if (!options.quiet) stream.write(chunk)
    }
    child.stdout.on('data', collect(process.stdout))
    child.stderr.on('data', collect(process.stderr))
    const limit = options.minutes
      ? setTimeout(() => {
          output += `\nended: it took more than ${options.minutes} minutes\n`
          // The test runner ends its own children when it is asked to stop.
          child.kill('SIGTERM')
          setTimeout(() => child.kill('SIGKILL'), 5000).unref()
        }, options.minutes * 60000)
      : undefined
    child.on('error', (error) => {
      clearTimeout(limit)
      reject(error)
    })
    child.on('close', (code) => {
      clearTimeout(limit)
      resolve({ code: code ?? 1, output })
    })
  })
}

/**
 * Like `spawned`, but a non-zero exit is an error that shows the command and, when quiet, its output.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export async function run(command, args, options = {}) {
  const { code, output } = await spawned(command, args, options)
  if (code !== 0) {
    const shown = options.quiet ? `\n${output.trimEnd()}` : ''
    throw new UserError(`${[command, ...args].join(' ')}: exit code ${code}${shown}`)
  }
  return output
}

/**
 * The full path of a program on PATH.
 * @param {string} name
 * @returns {Promise<string | undefined>}
 */
export async function which(name) {
  const suffixes = process.platform === 'win32' ? ['.exe', '.bat', '.cmd', ''] : ['']
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const suffix of suffixes) {
      const path = join(folder, name + suffix)
      try {
        if ((await stat(path)).isFile()) {
          await access(path, constants.X_OK)
          return path
        }
      } catch {
        // not in this folder
      }
    }
  }
  return undefined
}

/**
 * All files below `path` (or `path` itself when it is a file), sorted; nothing when it is missing.
 * @param {string} path relative to the project, or absolute
 * @param {(file: string) => boolean} [wanted]
 * @returns {Promise<string[]>}
 */
export async function filesBelow(path, wanted = () => true) {
  const start = path.startsWith(root) ? path : join(root, path)
  if (!existsSync(start)) return []
  if ((await stat(start)).isFile()) return wanted(start) ? [start] : []
  const entries = await readdir(start, { withFileTypes: true })
  const nested = await Promise.all(
    entries.map((entry) => {
      const child = join(start, entry.name)
      if (entry.isDirectory()) return filesBelow(child, wanted)
      return Promise.resolve(wanted(child) ? [child] : [])
    }),
  )
  return nested.flat().sort()
}

/**
 * Path as people and Git write it: relative to the project, forward slashes.
 * @param {string} path
 */
export const shortPath = (path) => relative(root, path).split(sep).join('/')

/**
 * A digest of the names and contents of files; a missing file counts as missing.
 * @param {string[]} files
 * @param {string} [extra]
 */
export async function fingerprint(files, extra = '') {
  const hash = createHash('sha256').update(extra)
  for (const file of files) {
    hash.update(`\0${shortPath(file)}\0`)
    hash.update(existsSync(file) ? await readFile(file) : 'missing')
  }
  return hash.digest('hex')
}

/**
 * Runs `action` unless its inputs and outputs are exactly as it left them the last time.
 * @param {string} name
 * @param {{ inputs: string[], extra?: string, action: () => Promise<string[]> }} step
 *   action returns the files it wrote
 * @returns {Promise<boolean>} whether anything was done
 */
export async function stamped(name, { inputs, extra = '', action }) {
  const stampPath = join(buildDir, 'stamps', `${name}.json`)
  const before = await fingerprint(inputs, extra)
  try {
    const stamp = JSON.parse(await readFile(stampPath, 'utf8'))
    /** @type {string[]} */
    const outputs = stamp.outputs.map((/** @type {string} */ file) => join(root, file))
    if (stamp.inputs === before && stamp.result === (await fingerprint(outputs))) return false
  } catch {
    // no stamp, or one that cannot be read: do the work
  }
  const outputs = await action()
  await mkdir(dirname(stampPath), { recursive: true })
  await writeFile(
    stampPath,
    JSON.stringify({
      inputs: before,
      outputs: outputs.map(shortPath),
      result: await fingerprint(outputs),
    }),
  )
  return true
}

/**
 * Runs `action` while no other process of this checkout is inside `withLock`: two builds at once
 * would write over each other.
 * @template T
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withLock(action) {
  const path = join(buildDir, 'lock')
  await mkdir(buildDir, { recursive: true })
  for (let told = false; ;) {
    try {
      await writeFile(path, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
    }
    const owner = Number(await readFile(path, 'utf8').catch(() => '0'))
    if (owner > 0 && !isAlive(owner)) await rm(path, { force: true })
    else {
      if (!told)
        say(`waiting for another build, process ${owner}, which holds ${shortPath(path)} …`)
      told = true
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await action()
  } finally {
    process.off('exit', release)
    release()
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** package.json's version, with the commit where this folder is the top of a Git work tree. */
export async function projectVersion() {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  if (!existsSync(join(root, '.git'))) return version
  try {
    const { code, output } = await spawned('git', ['rev-parse', 'HEAD'], { quiet: true })
    // A fixed number of digits: Git's own abbreviation grows with the size of the clone.
    const commit = /^[0-9a-f]{40}$/m.exec(output)
    return code === 0 && commit ? `${version}+${commit[0].slice(0, 7)}` : version
  } catch {
    return version
  }
}

/** @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? NaN

/**
 * Files that a tool has read before and that are the same are not read again, but where nothing is taken
 * from an earlier run.
 * @param {string} tool
 */
export const remembered = (tool) =>
  strict
    ? []
    : ['--cache', '--cache-strategy=content', `--cache-location=${join(buildDir, `${tool}.cache`)}`]
