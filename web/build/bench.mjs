// `npm run bench`: speed as ratios between things measured in the same run, in turns, so that a busy
// or a slow machine slows both sides.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { benchPage } from './bench_page.mjs'
import { benchTraining } from './bench_training.mjs'
import { takeTurns, timed } from './bench_turns.mjs'
import { UserError, buildDir, isMain, median, projectVersion, runMain, say } from './common.mjs'
import { build } from './build.mjs'
import { variants, wasmFiles } from './emscripten.mjs'

const length = 1024
const dModel = 512
const elements = length * dModel
/** Long enough for the clock, short enough to be seldom interrupted. */
const turns = { rounds: 15, roundMs: 40 }

/** @typedef {import('./bench_turns.mjs').Runner} Runner */

/** The engine's own loader, bundled for Node, because dist/ does not hand out the bare functions. */
async function engineLoader() {
  const { bundle } = await import('./bundle.mjs')
  const folder = join(buildDir, 'bench')
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'load.mjs')
  await writeFile(path, await bundle('web/src/engine/load.js', 'esm', await projectVersion()))
  return import(pathToFileURL(path).href)
}

/** @returns {Runner} what a page would do without the kernel, and without waste */
function plainJavaScript() {
  const out = new Float32Array(elements)
  const frequencies = Float64Array.from({ length: dModel / 2 }, (_, i) =>
    Math.pow(10000, (-2 * i) / dModel),
  )
  return {
    name: 'plain JS: Math.sin, Math.cos, frequencies precomputed',
    run: timed((repeats) => {
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
    }),
  }
}

async function benchSinusoidal() {
  const { loadCore } = await engineLoader()
  const plain = plainJavaScript()
  /** @type {Runner[]} */
  const runners = [plain]
  for (const variant of variants) {
    const bytes = await readFile(wasmFiles(variant).wasm)
    const { core } = await loadCore(bytes, variant === 'simd')
    for (const [call, what] of [
      ['benchSinusoidal', 'sinusoidal code'],
      ['benchFill', 'filling the same memory'],
    ]) {
      runners.push({
        name: `wasm (${variant}): ${what}`,
        run: timed((repeats) => {
          const answer = core[call](length, dModel, repeats)
          if (!answer.ok) throw new Error(`${call}: ${answer.code}`)
        }),
      })
    }
  }
  const times = await takeTurns(runners, turns)
  const results = new Map([...times].map(([name, each]) => [name, (median(each) * 1e6) / elements]))
  const baseline = results.get(plain.name) ?? NaN

  say(`\nSinusoidal codes, ${length} x ${dModel}, into a reused buffer`)
  say(
    `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}; processor time, median of ${turns.rounds} rounds\n`,
  )
  say('ns per element   times plain JS')
  for (const [name, ns] of results) {
    say(`${ns.toFixed(3).padStart(14)} ${(baseline / ns).toFixed(1).padStart(16)}   ${name}`)
  }
}

/** @type {Record<string, () => Promise<void>>} */
const parts = { codes: benchSinusoidal, training: benchTraining, page: benchPage }

async function main() {
  const [flag, list] = process.argv.slice(2)
  const wanted = flag === '--only' ? (list ?? '').split(',') : Object.keys(parts)
  const unknown = wanted.filter((name) => !(name in parts))
  if ((flag && flag !== '--only') || unknown.length > 0) {
    throw new UserError(`npm run bench -- --only ${Object.keys(parts).join(',')}`)
  }
  await build()
  for (const name of wanted) await parts[name]()
}

if (isMain(import.meta.url)) await runMain(main)
