// `npm run bench`: speed as ratios between things measured in the same run, in turns, so that a busy
// or a slow machine slows both sides.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildDir, isMain, median, projectVersion, runMain, say } from './common.mjs'
import { benchPage } from './bench_page.mjs'
import { build } from './build.mjs'
import { variants, wasmFiles } from './emscripten.mjs'

const length = 1024
const dModel = 512
const elements = length * dModel
const rounds = 15
/** Long enough for the clock, short enough to be seldom interrupted. */
const roundMs = 40

/** @typedef {{ name: string, run: (repeats: number) => void }} Contender */

/** The engine's own loader, bundled for Node, because dist/ does not hand out the bare functions. */
async function engineLoader() {
  const { bundle } = await import('./bundle.mjs')
  const folder = join(buildDir, 'bench')
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'load.mjs')
  await writeFile(path, await bundle('web/src/engine/load.js', 'esm', await projectVersion()))
  return import(pathToFileURL(path).href)
}

/** @returns {Contender} what a page would do without the kernel, and without waste */
function plainJavaScript() {
  const out = new Float32Array(elements)
  const frequencies = Float64Array.from({ length: dModel / 2 }, (_, i) =>
    Math.pow(10000, (-2 * i) / dModel),
  )
  return {
    name: 'plain JS: Math.sin, Math.cos, frequencies precomputed',
    run(repeats) {
      for (let again = 0; again < repeats; again++) {
        let at = 0
        for (let position = 0; position < length; position++) {
          for (let i = 0; i < frequencies.length; i++) {
            const angle = position * frequencies[i]
            out[at++] = Math.sin(angle)
            out[at++] = Math.cos(angle)
          }
        }
      }
    },
  }
}

/** @param {Contender} contender @returns {number} how many repeats last one round */
function calibrate({ run }) {
  run(1)
  for (let repeats = 1; ; repeats *= 2) {
    const began = performance.now()
    run(repeats)
    const taken = performance.now() - began
    if (taken > roundMs / 4) return Math.max(1, Math.round((repeats * roundMs) / taken))
  }
}

/**
 * @param {Contender[]} contenders
 * @returns {Map<string, number>} median ns per element
 */
function race(contenders) {
  const entries = contenders.map((contender) => ({
    ...contender,
    repeats: calibrate(contender),
    /** @type {number[]} */
    times: [],
  }))
  for (let round = 0; round < rounds; round++) {
    for (const { run, repeats, times } of entries) {
      const began = performance.now()
      run(repeats)
      times.push(((performance.now() - began) * 1e6) / (repeats * elements))
    }
  }
  return new Map(entries.map(({ name, times }) => [name, median(times)]))
}

async function main() {
  await build()
  const { loadCore } = await engineLoader()
  const plain = plainJavaScript()
  /** @type {Contender[]} */
  const contenders = [plain]
  for (const variant of variants) {
    const bytes = await readFile(wasmFiles(variant).wasm)
    const { core } = await loadCore(bytes, variant === 'simd')
    for (const [call, what] of [
      ['benchSinusoidal', 'sinusoidal code'],
      ['benchFill', 'filling the same memory'],
    ]) {
      contenders.push({
        name: `wasm (${variant}): ${what}`,
        run(repeats) {
          const answer = core[call](length, dModel, repeats)
          if (!answer.ok) throw new Error(`${call}: ${answer.code}`)
        },
      })
    }
  }
  const results = race(contenders)
  const baseline = results.get(plain.name) ?? NaN

  say(`\nSinusoidal codes, ${length} x ${dModel}, into a reused buffer`)
  say(
    `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; median of ${rounds} rounds\n`,
  )
  say('ns per element   times plain JS')
  for (const [name, ns] of results) {
    say(`${ns.toFixed(3).padStart(14)} ${(baseline / ns).toFixed(1).padStart(16)}   ${name}`)
  }
  await benchPage()
}

if (isMain(import.meta.url)) await runMain(main)
