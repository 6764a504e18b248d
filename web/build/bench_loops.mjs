// The length lab's model in plain JavaScript, for the bench alone: what a page would train without
// the kernel, written without waste (typed arrays made once, inner loops along rows).
import {
  CausalAttention,
  LayerNorm,
  crossEntropy,
  floats,
  linear,
  linearBackward,
} from './bench_loop_layers.mjs'

/**
 * @typedef {object} ModelSize
 * @property {number} layers
 * @property {number} dModel
 * @property {number} heads
 * @property {number} inputs token ids
 * @property {number} outputs classes
 * @property {number} length T, tokens of a sequence, as many as the learned table has rows
 * @property {number} batch B
 */

/**
 * AdamW without decay, as the trainer runs it.
 * @typedef {object} Recipe
 * @property {(step: number) => number} rate learning rate of a step, counted from 0
 * @property {number} beta1
 * @property {number} beta2
 * @property {number} epsilon
 * @property {number} clip the gradient's norm is cut to this
 */

/** @typedef {Record<string, Float32Array>} Weights by the kernel's names of its blocks */

export class LoopModel {
  /**
   * @param {ModelSize} size
   * @param {Weights} weights copied
   * @param {number} epsilon of the layer norms
   */
  constructor(size, weights, epsilon) {
    this.size = size
    const n = size.batch * size.length
    const d = size.dModel
    this.w = copied(weights, (values) => values.slice())
    this.g = copied(weights, (values) => floats(values.length))
    this.m = copied(weights, (values) => floats(values.length))
    this.v = copied(weights, (values) => floats(values.length))
    this.steps = 0
    this.blocks = Array.from({ length: size.layers }, () => ({
      norm: new LayerNorm(n, d, epsilon),
      attention: new CausalAttention(size),
      q: floats(n * d),
      k: floats(n * d),
      v: floats(n * d),
    }))
    this.norm = new LayerNorm(n, d, epsilon)
    this.x = floats(n * d)
    this.out = floats(n * d)
    this.logits = floats(n * size.outputs)
    this.dLogits = floats(n * size.outputs)
    this.dx = floats(n * d)
    this.dNormed = floats(n * d)
    this.dMixed = floats(n * d)
    this.dq = floats(n * d)
    this.dk = floats(n * d)
    this.dv = floats(n * d)
  }

  /** @param {Int32Array} tokens (B, T) */
  forward(tokens) {
    const { size, x, out, w } = this
    const n = tokens.length
    const d = size.dModel
    for (let t = 0; t < n; t++) {
      const token = tokens[t] * d
      const position = (t % size.length) * d
      for (let i = 0; i < d; i++) x[t * d + i] = w.tokens[token + i] + w.positions[position + i]
    }
    this.blocks.forEach((block, layer) => {
      const name = `layer${layer}.`
      const normed = block.norm.forward(
        x,
        w[`${name}attentionNorm.gain`],
        w[`${name}attentionNorm.bias`],
      )
      linear(block.q, normed, w[`${name}query`], undefined, n, d, d)
      linear(block.k, normed, w[`${name}key`], undefined, n, d, d)
      linear(block.v, normed, w[`${name}value`], undefined, n, d, d)
      const mixed = block.attention.forward(block.q, block.k, block.v)
      linear(out, mixed, w[`${name}output`], undefined, n, d, d)
      for (let i = 0; i < x.length; i++) x[i] += out[i]
    })
    const normed = this.norm.forward(x, w['norm.gain'], w['norm.bias'])
    linear(this.logits, normed, w.readout, w.readoutBias, n, d, size.outputs)
  }

  /**
   * After a forward of the same tokens: the gradients, and the loss.
   * @param {Int32Array} tokens (B, T)
   * @param {Int32Array} targets (B, T), -1: none
   */
  backward(tokens, targets) {
    const { size, w, g, dx, dNormed, dMixed, dq, dk, dv } = this
    const n = tokens.length
    const d = size.dModel
    for (const values of Object.values(g)) values.fill(0)
    const loss = crossEntropy(this.dLogits, this.logits, targets, size.outputs)
    dx.fill(0)
    dNormed.fill(0)
    const { y } = this.norm
    linearBackward(
      dNormed,
      g.readout,
      g.readoutBias,
      this.dLogits,
      y,
      w.readout,
      n,
      d,
      size.outputs,
    )
    this.norm.backward(dx, g['norm.gain'], g['norm.bias'], dNormed, w['norm.gain'])
    for (let layer = size.layers - 1; layer >= 0; layer--) {
      const { norm, attention, q, k, v } = this.blocks[layer]
      const name = `layer${layer}.`
      for (const values of [dNormed, dMixed, dq, dk, dv]) values.fill(0)
      /** @param {Float32Array} to @param {string} matrix @param {Float32Array} dy @param {Float32Array} from */
      const back = (to, matrix, dy, from) => {
        linearBackward(to, g[name + matrix], undefined, dy, from, w[name + matrix], n, d, d)
      }
      back(dMixed, 'output', dx, attention.mixed)
      attention.backward(dq, dk, dv, dMixed, q, k, v)
      back(dNormed, 'query', dq, norm.y)
      back(dNormed, 'key', dk, norm.y)
      back(dNormed, 'value', dv, norm.y)
      norm.backward(
        dx,
        g[`${name}attentionNorm.gain`],
        g[`${name}attentionNorm.bias`],
        dNormed,
        w[`${name}attentionNorm.gain`],
      )
    }
    for (let t = 0; t < n; t++) {
      const token = tokens[t] * d
      const position = (t % size.length) * d
      for (let i = 0; i < d; i++) {
        g.tokens[token + i] += dx[t * d + i]
        g.positions[position + i] += dx[t * d + i]
      }
    }
    return loss
  }

  /** @param {Recipe} recipe */
  update({ rate, beta1, beta2, epsilon, clip }) {
    let squares = 0
    for (const values of Object.values(this.g)) {
      for (let i = 0; i < values.length; i++) squares += values[i] * values[i]
    }
    const norm = Math.sqrt(squares)
    const scale = norm > clip ? clip / norm : 1
    const step = rate(this.steps)
    this.steps += 1
    const correct1 = 1 - beta1 ** this.steps
    const correct2 = 1 - beta2 ** this.steps
    for (const name of Object.keys(this.w)) {
      const [w, g, m, v] = [this.w[name], this.g[name], this.m[name], this.v[name]]
      for (let i = 0; i < w.length; i++) {
        const gradient = g[i] * scale
        m[i] = beta1 * m[i] + (1 - beta1) * gradient
        v[i] = beta2 * v[i] + (1 - beta2) * gradient * gradient
        w[i] -= (step * (m[i] / correct1)) / (Math.sqrt(v[i] / correct2) + epsilon)
      }
    }
  }

  /**
   * One step of training.
   * @param {Int32Array} tokens
   * @param {Int32Array} targets
   * @param {Recipe} recipe
   */
  step(tokens, targets, recipe) {
    this.forward(tokens)
    const loss = this.backward(tokens, targets)
    this.update(recipe)
    return loss
  }
}

/** @param {Weights} weights @param {(values: Float32Array) => Float32Array} make @returns {Weights} */
const copied = (weights, make) =>
  Object.fromEntries(Object.entries(weights).map(([name, values]) => [name, make(values)]))
