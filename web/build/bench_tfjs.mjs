// The length lab's model in TensorFlow.js, for the bench alone: what a page would train with the
// library that is usually taken.
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import * as esbuild from 'esbuild'
import { buildDir, root, run, say, stamped } from './common.mjs'

/** @typedef {import('./bench_loops.mjs').ModelSize} ModelSize */
/** @typedef {import('./bench_loops.mjs').Recipe} Recipe */

const folder = join(buildDir, 'bench', 'tfjs')
const packages = join(folder, 'node_modules', '@tensorflow')

// The packages' own bundles for Node leave out the gradients.
const entry = `
  export * from '@tensorflow/tfjs-core'
  import '@tensorflow/tfjs-core/dist/register_all_gradients.js'
  import '@tensorflow/tfjs-backend-cpu'
  export { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'`

/**
 * Installs TensorFlow.js into the build folder, once: it weighs two thirds of all other packages,
 * and nothing but this bench needs it. web/build/tfjs says which versions.
 * @returns {Promise<any>} tfjs-core, with the backends `wasm` and `cpu`
 */
export async function installTensorFlow() {
  const names = ['package.json', 'package-lock.json']
  const from = join(root, 'web', 'build', 'tfjs')
  const bundle = join(folder, 'tfjs.cjs')
  await stamped('bench-tfjs', {
    inputs: names.map((name) => join(from, name)),
    extra: entry,
    async action() {
      say('TensorFlow.js: installing web/build/tfjs into build/bench/tfjs (npm ci, 66 MB) …')
      await mkdir(folder, { recursive: true })
      for (const name of names) await copyFile(join(from, name), join(folder, name))
      const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
      await run('npm', ['ci', ...flags], { cwd: folder, quiet: true })
      await esbuild.build({
        stdin: { contents: entry, resolveDir: folder },
        bundle: true,
        platform: 'node',
        format: 'cjs',
        mainFields: ['module', 'main'],
        outfile: bundle,
        logLevel: 'error',
      })
      return [bundle]
    },
  })
  const tf = createRequire(import.meta.url)(bundle)
  tf.enableProdMode()
  tf.setWasmPaths(join(packages, 'tfjs-backend-wasm', 'wasm-out') + sep)
  return tf
}

export class TensorFlowModel {
  #tf
  /** @type {Record<string, any>} variables */
  #w
  #size
  #epsilon
  #recipe
  #optimizer
  #mask
  #steps = 0

  /**
   * On the backend that is set; so are all calls.
   * @param {any} tf
   * @param {ModelSize} size
   * @param {Record<string, { values: Float32Array, shape: number[] }>} weights
   * @param {number} epsilon of the layer norms
   * @param {Recipe} recipe
   */
  constructor(tf, size, weights, epsilon, recipe) {
    this.#tf = tf
    this.#size = size
    this.#epsilon = epsilon
    this.#recipe = recipe
    this.#w = Object.fromEntries(
      Object.entries(weights).map(([name, { values, shape }]) => [
        name,
        tf.variable(tf.tensor(values.slice(), shape)),
      ]),
    )
    this.#optimizer = tf.train.adam(recipe.rate(0), recipe.beta1, recipe.beta2, recipe.epsilon)
    this.#mask = tf.tensor(
      Float32Array.from({ length: size.length ** 2 }, (_, at) =>
        at % size.length > Math.floor(at / size.length) ? -1e9 : 0,
      ),
      [size.length, size.length],
    )
  }

  /** @param {any} x (n, d) @param {string} name */
  #norm(x, name) {
    const tf = this.#tf
    const { mean, variance } = tf.moments(x, 1, true)
    const normed = tf.mul(tf.sub(x, mean), tf.rsqrt(tf.add(variance, this.#epsilon)))
    return tf.add(tf.mul(normed, this.#w[`${name}.gain`]), this.#w[`${name}.bias`])
  }

  /** @param {any} normed (n, d) @param {string} name of the layer */
  #attention(normed, name) {
    const tf = this.#tf
    const { batch, length, heads, dModel } = this.#size
    const headDim = dModel / heads
    /** @param {string} matrix */
    const split = (matrix) =>
      tf.transpose(
        tf.reshape(tf.matMul(normed, this.#w[name + matrix]), [batch, length, heads, headDim]),
        [0, 2, 1, 3],
      )
    const scores = tf.matMul(split('query'), split('key'), false, true)
    const weights = tf.softmax(tf.add(tf.mul(scores, 1 / Math.sqrt(headDim)), this.#mask))
    const mixed = tf.transpose(tf.matMul(weights, split('value')), [0, 2, 1, 3])
    return tf.matMul(tf.reshape(mixed, [batch * length, dModel]), this.#w[`${name}output`])
  }

  /** @param {Int32Array} tokens (B, T) @param {Int32Array} targets (B, T), -1: none */
  #loss(tokens, targets) {
    const tf = this.#tf
    const { batch, length, dModel, inputs, outputs, layers } = this.#size
    const n = batch * length
    const judged = targets.reduce((count, target) => count + Number(target >= 0), 0)
    // One-hot times matrix, because the wasm backend lacks the gradient of a lookup.
    const embedded = tf.matMul(tf.oneHot(tf.tensor1d(tokens, 'int32'), inputs), this.#w.tokens)
    const placed = tf.add(tf.reshape(embedded, [batch, length, dModel]), this.#w.positions)
    let x = tf.reshape(placed, [n, dModel])
    for (let layer = 0; layer < layers; layer++) {
      const name = `layer${layer}.`
      x = tf.add(x, this.#attention(this.#norm(x, `${name}attentionNorm`), name))
    }
    const last = tf.matMul(this.#norm(x, 'norm'), this.#w.readout)
    const logits = tf.add(last, this.#w.readoutBias)
    // No target is a row of zeros.
    const wanted = tf.oneHot(tf.tensor1d(targets, 'int32'), outputs)
    return tf.mul(tf.sum(tf.mul(tf.logSoftmax(logits), wanted)), -1 / judged)
  }

  /** @param {Record<string, any>} gradients */
  #clipped(gradients) {
    const tf = this.#tf
    const squares = Object.values(gradients).map((gradient) => tf.sum(tf.square(gradient)))
    const scale = tf.minimum(1, tf.div(this.#recipe.clip, tf.sqrt(tf.addN(squares))))
    return Object.fromEntries(
      Object.entries(gradients).map(([name, gradient]) => [name, tf.mul(gradient, scale)]),
    )
  }

  /**
   * One step of training.
   * @param {Int32Array} tokens
   * @param {Int32Array} targets
   * @param {boolean} tell whether to read the loss back
   * @returns {number} the loss before the step, NaN when it is not read
   */
  step(tokens, targets, tell) {
    this.#optimizer.learningRate = this.#recipe.rate(this.#steps)
    this.#steps += 1
    const loss = this.#tf.tidy(() => {
      const { value, grads } = this.#tf.variableGrads(() => this.#loss(tokens, targets))
      this.#optimizer.applyGradients(this.#clipped(grads))
      return tell ? value : undefined
    })
    if (!tell) return NaN
    const [value] = loss.dataSync()
    loss.dispose()
    return value
  }

  dispose() {
    this.#optimizer.dispose()
    this.#mask.dispose()
    for (const variable of Object.values(this.#w)) variable.dispose()
  }
}
