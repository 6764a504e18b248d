// The kernel built natively, as a process that is timed in turns with the others: one line in, one
// line out (cpp/bench/training_bench.cpp).
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { compilerIdentity, configure, jobs } from './cmake.mjs'
import { UserError, buildDir, run, say, which, withLock } from './common.mjs'

const folder = join(buildDir, 'bench', 'native')
const target = 'posenc_training_bench'

export class NativeBench {
  #child
  #answers
  #ended

  /** Builds it where something changed, and starts it. */
  static async start() {
    await withLock(async () => {
      say('native: compiling …')
      // Emscripten is Clang, too.
      const compiler = process.env.CXX ?? ((await which('clang++')) ? 'clang++' : 'c++')
      await configure(folder, {
        compiler: await compilerIdentity(compiler),
        settings: [
          `-DCMAKE_CXX_COMPILER=${compiler}`,
          '-DCMAKE_BUILD_TYPE=Release',
          '-DPOSENC_BUILD_BENCH=ON',
          '-DPOSENC_BUILD_TESTS=OFF',
        ],
      })
      await run('cmake', ['--build', folder, '--target', target, '-j', jobs], { quiet: true })
    })
    return new NativeBench(join(folder, 'cpp', 'bench', target))
  }

  /** @param {string} program */
  constructor(program) {
    this.#child = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]()
    /** @type {Promise<string>} */
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve(error.message))
      this.#child.on('close', (code) => resolve(`exit code ${code}`))
    })
  }

  /** @param {string} command @returns {Promise<string>} */
  async ask(command) {
    this.#child.stdin.write(`${command}\n`)
    const { value, done } = await this.#answers.next()
    if (done) throw new UserError(`${target}, asked to ${command}: ${await this.#ended}`)
    return value
  }

  /** @param {string} command @returns {Promise<number>} */
  async number(command) {
    return Number(await this.ask(command))
  }

  async close() {
    this.#child.stdin.end()
    await this.#ended
  }
}
