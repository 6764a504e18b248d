// Steps of training a second, of the length lab's kernel and of what a page would use without it:
// the same model on the same data. Before anything is timed, all of them must give the same losses.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LoopModel } from './bench_loops.mjs'
import { NativeBench } from './bench_native.mjs'
import { TensorFlowModel, installTensorFlow } from './bench_tfjs.mjs'
import { ratio, takeTurns, timed } from './bench_turns.mjs'
import { UserError, dist, median, say, strict, withLock } from './common.mjs'
import { buildWasmTarget, variants, wasmFolder } from './emscripten.mjs'

/** @typedef {import('./bench_loops.mjs').ModelSize} ModelSize */
/** @typedef {import('./bench_loops.mjs').Recipe} Recipe */
/** @typedef {import('./bench_turns.mjs').Runner} Runner */
/**
 * A kernel's run as `first` of cpp/bench/training_bench.cpp tells it.
 * @typedef {object} Start
 * @property {number} inputs
 * @property {number} outputs
 * @property {{ name: string, rows: number, columns: number, values: number[] }[]} blocks
 * @property {{ loss: number, tokens: number[], targets: number[] }[]} steps
 */
/** @typedef {{ layers: number, dModel: number }} Model */
/** @typedef {Map<string, number[]>} Times milliseconds a step, or a repeat of the probe, by name */

/** @type {Model[]} */
const models = [
  { layers: 1, dModel: 32 },
  { layers: 2, dModel: 32 },
  { layers: 2, dModel: 64 },
]
const turns = { rounds: 25, roundMs: 40 }

/**
 * The learned table is the code that takes the fewest lines in every library. A run is as long as a
 * reader's, and is then begun anew: long after the last error, numbers too small for a float's full
 * precision slow every processor down.
 */
const common = {
  task: 'back',
  length: 16,
  heads: 4,
  batch: 16,
  vocabulary: 8,
  steps: 1000,
  learningRate: 0.01,
  warmUp: 0,
  clip: 1,
  table: 'wall',
}
/** @type {Recipe} */
const recipe = {
  rate: (step) => (common.learningRate * (common.steps - step)) / common.steps,
  beta1: 0.9,
  beta2: 0.98,
  epsilon: 1e-8,
  clip: common.clip,
}
const normEpsilon = 1e-5

/**
 * How many steps are compared, each after the updates of the ones before, so that gradients and
 * optimizer are compared, too. The kernel's builds are meant to agree to the bit; the others add in
 * another order.
 */
const comparedSteps = 5
/** Batches that the others are timed with; the kernel draws new ones all the time. */
const batches = 50
const tolerance = { kernel: 1e-6, others: 1e-5 }

const wasm = Object.fromEntries(variants.map((variant) => [variant, `wasm (${variant})`]))
const native = 'the kernel, native'
const probe = { wasm: 'multiply-add, wasm', native: 'multiply-add, native' }
const loops = 'plain JS loops'
const tensorFlow = { wasm: 'TensorFlow.js, wasm', cpu: 'TensorFlow.js, CPU' }
/** A repeat of the probe: 1000 rounds of cpp/bench/multiply_add.h. */
const probeRounds = 1000
const probeFlops = probeRounds * 2 * 4 * 12
/** @param {string} name */
const rope = (name) => `${name}, RoPE`

/**
 * Floating-point operations of the matrix products of a step, forward and twice that backward; of
 * attention, those that the causal mask leaves.
 * @param {Model} model
 */
function productFlops({ layers, dModel }) {
  const tokens = common.batch * common.length
  const pairs = (tokens * (common.length + 1)) / 2
  const linear = 2 * tokens * dModel * (4 * dModel * layers + common.vocabulary)
  return 3 * (linear + 4 * pairs * dModel * layers)
}

/** @returns {Promise<(rounds: number) => void>} the probe, built as the SIMD kernel is */
async function loadProbe() {
  await withLock(() => buildWasmTarget('simd', 'posenc_multiply_add'))
  const bytes = await readFile(join(wasmFolder('simd'), 'posenc_multiply_add.wasm'))
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)))
  return /** @type {any} */ (exports).multiply_add
}

/** The package as it is published, so that what is timed is what a reader runs. */
const published = () => import(pathToFileURL(join(dist, 'posenc-lab.js')).href)

/** A run of the kernel in this process, begun anew when it is over. */
class WasmRun {
  #engine
  #options
  #trainer
  #left = common.steps

  /** @param {any} engine @param {object} options */
  constructor(engine, options) {
    this.#engine = engine
    this.#options = options
    this.#trainer = engine.createTrainer(options)
  }

  /** @param {number} steps @returns {Float32Array} losses, of one run */
  train(steps) {
    const once = Math.min(steps, this.#left)
    const { losses } = this.#trainer.train({ steps: once })
    this.#left -= once
    if (this.#left === 0) {
      this.dispose()
      this.#trainer = this.#engine.createTrainer(this.#options)
      this.#left = common.steps
    }
    return steps > once ? this.train(steps - once) : losses
  }

  dispose() {
    this.#trainer.dispose()
  }
}

/**
 * @param {string} name
 * @param {ArrayLike<number>} losses
 * @param {Start} start
 * @param {number} allowed relative difference
 * @returns {number} the largest relative difference
 */
function assertLosses(name, losses, { steps }, allowed) {
  const first = steps.slice(0, comparedSteps)
  const differences = first.map(({ loss }, step) => Math.abs(losses[step] - loss) / loss)
  const largest = Math.max(...differences)
  if (!(largest <= allowed)) {
    const both = first.map(({ loss }, step) => `${losses[step]} for ${loss}`).join(', ')
    throw new UserError(
      `${name} is not the same model as ${native}: its first losses differ by ${largest}, allowed are ${allowed}: ${both}`,
    )
  }
  return largest
}

/** @typedef {Runner & { difference: number }} CheckedRunner `difference`: see assertLosses */

/**
 * @typedef {object} OtherModel
 * @property {(tokens: Int32Array, targets: Int32Array, tell: boolean) => number} step its loss, when
 *   it is to tell
 * @property {() => void} dispose
 */

/**
 * @param {string} name
 * @param {() => OtherModel} make
 * @param {Start} start
 * @returns {CheckedRunner}
 */
function otherRunner(name, make, start) {
  const data = start.steps.map(({ tokens, targets }) => ({
    tokens: Int32Array.from(tokens),
    targets: Int32Array.from(targets),
  }))
  let model = make()
  let done = 0
  const step = (/** @type {boolean} */ tell) => {
    if (done === common.steps) {
      model.dispose()
      model = make()
      done = 0
    }
    const { tokens, targets } = data[done++ % data.length]
    return model.step(tokens, targets, tell)
  }
  const losses = Array.from({ length: comparedSteps }, () => step(true))
  return {
    name,
    difference: assertLosses(name, losses, start, tolerance.others),
    run: timed((repeats) => {
      for (let again = 0; again < repeats; again++) step(false)
    }),
  }
}

/**
 * @param {Model} model
 * @param {Start} start
 * @param {any} tf undefined where it could not be installed
 * @returns {Promise<CheckedRunner[]>}
 */
async function others(model, start, tf) {
  const { inputs, outputs, blocks } = start
  const { batch, length, heads } = common
  const size = { ...model, batch, length, heads, inputs, outputs }
  const weights = Object.fromEntries(
    blocks.map(({ name, rows, columns, values }) => [
      name,
      { values: Float32Array.from(values), shape: rows === 1 ? [columns] : [rows, columns] },
    ]),
  )
  const flat = Object.fromEntries(
    Object.entries(weights).map(([name, { values }]) => [name, values]),
  )
  const inLoops = () => {
    const loopModel = new LoopModel(size, flat, normEpsilon)
    return {
      step: (/** @type {Int32Array} */ tokens, /** @type {Int32Array} */ targets) =>
        loopModel.step(tokens, targets, recipe),
      dispose() {},
    }
  }
  const runners = [otherRunner(loops, inLoops, start)]
  for (const backend of tf ? /** @type {const} */ (['wasm', 'cpu']) : []) {
    if (!(await tf.setBackend(backend))) throw new UserError(`no backend ${backend} in TF.js`)
    const inTensors = () => new TensorFlowModel(tf, size, weights, normEpsilon, recipe)
    const runner = otherRunner(tensorFlow[backend], inTensors, start)
    runners.push({
      ...runner,
      async run(repeats) {
        await tf.setBackend(backend)
        return runner.run(repeats)
      },
    })
  }
  return runners
}

/**
 * @param {Model} model
 * @param {Record<string, any>} engines by variant
 * @param {NativeBench} nativeBench
 * @param {(rounds: number) => void} multiplyAdd
 * @param {any} tf
 * @returns {Promise<{ times: Times, difference: number }>} the largest difference of losses
 */
async function measure(model, engines, nativeBench, multiplyAdd, tf) {
  const { layers, dModel } = model
  const shape = `${layers} ${dModel}`
  /** @type {Start} */
  const start = JSON.parse(await nativeBench.ask(`first learned ${shape} ${batches}`))
  /** @type {Runner[]} */
  const runners = []
  /** @type {WasmRun[]} */
  const runs = []
  const checked = await others(model, start, tf)
  const differences = checked.map(({ difference }) => difference)
  for (const code of ['learned', 'rope']) {
    const named = code === 'rope' ? rope : String
    for (const variant of variants) {
      const run = new WasmRun(engines[variant], { ...common, ...model, code })
      const losses = run.train(comparedSteps)
      if (code === 'learned') {
        differences.push(assertLosses(wasm[variant], losses, start, tolerance.kernel))
      }
      runs.push(run)
      runners.push({ name: named(wasm[variant]), run: timed((steps) => run.train(steps)) })
    }
    const id = await nativeBench.number(`start ${code} ${shape}`)
    runners.push({
      name: named(native),
      run: async (steps) => (await nativeBench.number(`train ${id} ${steps}`)) / 1e6,
    })
  }
  runners.push(
    ...checked,
    { name: probe.wasm, run: timed((repeats) => multiplyAdd(repeats * probeRounds)) },
    {
      name: probe.native,
      run: async (repeats) =>
        (await nativeBench.number(`multiply-add ${repeats * probeRounds}`)) / 1e6,
    },
  )
  const times = await takeTurns(runners, turns)
  for (const run of runs) run.dispose()
  return { times, difference: Math.max(...differences) }
}

/** @param {Model} model */
const titleOf = ({ layers, dModel }) => `${layers} layer${layers > 1 ? 's' : ''}, d ${dModel}`

/** @param {string[][]} rows the first column is words, the others are numbers */
function printTable(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]),
    )
    say(`  ${cells.join('   ')}`)
  }
}

/** @param {number} value */
const short = (value) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3))

/** @param {Times[]} results as `models` */
function report(results) {
  const columns = models.map(titleOf)
  /** @param {string} name @param {(times: Times, model: Model) => string} cell */
  const row = (name, cell) => [name, ...results.map((times, index) => cell(times, models[index]))]
  const names = [...results[0].keys()].filter((name) => !Object.values(probe).includes(name))
  printTable([
    ['steps a second', ...columns],
    ...names.map((name) => row(name, (times) => short(1000 / median(times.get(name) ?? [])))),
  ])
  say('')
  /** @type {[name: string, other: string, aim: number | undefined][]} */
  const ratios = [
    [wasm.simd, native, 0.8],
    [rope(wasm.simd), rope(native), 0.8],
    [wasm.simd, wasm.plain, undefined],
    [wasm.simd, tensorFlow.wasm, 30],
    [wasm.simd, tensorFlow.cpu, 100],
    [wasm.simd, loops, undefined],
    [wasm.plain, loops, undefined],
  ]
  printTable([
    ['times as fast', ...columns, 'aim'],
    ...ratios
      .filter(([, other]) => results[0].has(other))
      .map(([name, other, aim]) => [
        ...row(`${name} : ${other}`, (times) => short(ratio(times, name, other))),
        aim === undefined ? '' : String(aim),
      ]),
  ])
  say('')
  /** @param {string} name */
  const rate = (name) =>
    row(name, (times, model) => short(productFlops(model) / median(times.get(name) ?? []) / 1e6))
  /** @param {string} name @param {string} best */
  const share = (name, best) =>
    row(`${name}, of ${best}`, (times, model) => {
      const perStep = productFlops(model) / probeFlops
      return `${(100 * perStep * ratio(times, name, best)).toFixed(0)} %`
    })
  printTable([
    ['GFLOP/s of the products', ...columns],
    rate(wasm.simd),
    rate(native),
    ...Object.values(probe).map((name) =>
      row(name, (times) => short(probeFlops / median(times.get(name) ?? []) / 1e6)),
    ),
    share(wasm.simd, probe.wasm),
    share(native, probe.native),
  ])
}

export async function benchTraining() {
  const { loadEngine } = await published()
  /** @type {Record<string, any>} */
  const engines = {}
  for (const variant of variants) engines[variant] = await loadEngine({ simd: variant === 'simd' })
  const multiplyAdd = await loadProbe()
  const tf = await installTensorFlow().catch((error) => {
    if (strict) throw error
    say(`TensorFlow.js is not compared, because it could not be installed: ${error.message}`)
  })
  const nativeBench = await NativeBench.start()
  try {
    const results = []
    for (const model of models) {
      results.push(await measure(model, engines, nativeBench, multiplyAdd, tf))
    }
    const differences = results.map(({ difference }) => difference.toExponential(0)).join(', ')
    say('\nTraining: token 3 back, batches of 16 x 16 tokens, 4 heads, 8 words, no MLP,')
    say('a learned table except where RoPE is named')
    say(`processor time, median of ${turns.rounds} rounds in turns`)
    say(`losses of the first ${comparedSteps} steps: everywhere the same within ${differences}`)
    say('')
    report(results.map(({ times }) => times))
  } finally {
    await nativeBench.close()
  }
}
