// The layers of the length lab's model in plain JavaScript, for the bench alone. Each backward adds
// to the gradients it is given.

/** @typedef {import('./bench_loops.mjs').ModelSize} ModelSize */

/** @param {number} size */
export const floats = (size) => new Float32Array(size)

/**
 * y = x w + b. Four sums at a time stay in registers, here and below: three times as fast as adding
 * to an array. So rows and columns are multiples of four.
 * @param {Float32Array} y (n, columns)
 * @param {Float32Array} x (n, rows)
 * @param {Float32Array} w (rows, columns)
 * @param {Float32Array | undefined} b (columns)
 * @param {number} n
 * @param {number} rows
 * @param {number} columns
 */
export function linear(y, x, w, b, n, rows, columns) {
  for (let t = 0; t < n; t++) {
    const from = t * rows
    for (let o = 0; o < columns; o += 4) {
      let [s0, s1, s2, s3] = [0, 0, 0, 0]
      for (let i = 0, at = o; i < rows; i++, at += columns) {
        const xi = x[from + i]
        s0 += xi * w[at]
        s1 += xi * w[at + 1]
        s2 += xi * w[at + 2]
        s3 += xi * w[at + 3]
      }
      const to = t * columns + o
      y[to] = b ? s0 + b[o] : s0
      y[to + 1] = b ? s1 + b[o + 1] : s1
      y[to + 2] = b ? s2 + b[o + 2] : s2
      y[to + 3] = b ? s3 + b[o + 3] : s3
    }
  }
}

/**
 * Adds to dx, dw and db.
 * @param {Float32Array} dx
 * @param {Float32Array} dw
 * @param {Float32Array | undefined} db
 * @param {Float32Array} dy
 * @param {Float32Array} x
 * @param {Float32Array} w
 * @param {number} n
 * @param {number} rows
 * @param {number} columns
 */
export function linearBackward(dx, dw, db, dy, x, w, n, rows, columns) {
  for (let t = 0; t < n; t++) {
    for (let i = 0; i < rows; i += 4) {
      const w0 = i * columns
      const [w1, w2, w3] = [w0 + columns, w0 + 2 * columns, w0 + 3 * columns]
      let [s0, s1, s2, s3] = [0, 0, 0, 0]
      for (let o = 0, at = t * columns; o < columns; o++, at++) {
        const slope = dy[at]
        s0 += slope * w[w0 + o]
        s1 += slope * w[w1 + o]
        s2 += slope * w[w2 + o]
        s3 += slope * w[w3 + o]
      }
      const to = t * rows + i
      dx[to] += s0
      dx[to + 1] += s1
      dx[to + 2] += s2
      dx[to + 3] += s3
    }
  }
  for (let i = 0; i < rows; i++) {
    for (let o = 0; o < columns; o += 4) {
      let [s0, s1, s2, s3] = [0, 0, 0, 0]
      for (let t = 0, from = i, at = o; t < n; t++, from += rows, at += columns) {
        const xi = x[from]
        s0 += xi * dy[at]
        s1 += xi * dy[at + 1]
        s2 += xi * dy[at + 2]
        s3 += xi * dy[at + 3]
      }
      const to = i * columns + o
      dw[to] += s0
      dw[to + 1] += s1
      dw[to + 2] += s2
      dw[to + 3] += s3
    }
  }
  if (!db) return
  for (let t = 0; t < n; t++) for (let o = 0; o < columns; o++) db[o] += dy[t * columns + o]
}

export class LayerNorm {
  /** @param {number} n @param {number} d @param {number} epsilon */
  constructor(n, d, epsilon) {
    this.n = n
    this.d = d
    this.epsilon = epsilon
    this.normed = floats(n * d)
    this.inverse = floats(n)
    this.y = floats(n * d)
  }

  /** @param {Float32Array} x @param {Float32Array} gain @param {Float32Array} bias */
  forward(x, gain, bias) {
    const { n, d, normed, y } = this
    for (let t = 0; t < n; t++) {
      const at = t * d
      let mean = 0
      for (let i = 0; i < d; i++) mean += x[at + i]
      mean /= d
      let variance = 0
      for (let i = 0; i < d; i++) variance += (x[at + i] - mean) ** 2
      const inverse = 1 / Math.sqrt(variance / d + this.epsilon)
      this.inverse[t] = inverse
      for (let i = 0; i < d; i++) {
        normed[at + i] = (x[at + i] - mean) * inverse
        y[at + i] = normed[at + i] * gain[i] + bias[i]
      }
    }
    return y
  }

  /**
   * Adds to dx, dGain and dBias.
   * @param {Float32Array} dx
   * @param {Float32Array} dGain
   * @param {Float32Array} dBias
   * @param {Float32Array} dy
   * @param {Float32Array} gain
   */
  backward(dx, dGain, dBias, dy, gain) {
    const { n, d, normed } = this
    for (let t = 0; t < n; t++) {
      const at = t * d
      let sum = 0
      let along = 0
      for (let i = 0; i < d; i++) {
        const g = dy[at + i] * gain[i]
        sum += g
        along += g * normed[at + i]
        dGain[i] += dy[at + i] * normed[at + i]
        dBias[i] += dy[at + i]
      }
      sum /= d
      along /= d
      for (let i = 0; i < d; i++) {
        dx[at + i] += (dy[at + i] * gain[i] - sum - normed[at + i] * along) * this.inverse[t]
      }
    }
  }
}

export class CausalAttention {
  /** @param {ModelSize} size */
  constructor({ batch, length, heads, dModel }) {
    this.size = { batch, length, heads, dModel }
    // (B, H, T, T), row = query; above the diagonal nothing is written or read.
    this.weights = floats(batch * heads * length * length)
    this.mixed = floats(batch * length * dModel)
    this.slopes = floats(length)
  }

  /** @param {Float32Array} q @param {Float32Array} k @param {Float32Array} v all (B, T, d) */
  forward(q, k, v) {
    const { batch, length, heads, dModel } = this.size
    const { weights, mixed } = this
    const headDim = dModel / heads
    const scale = 1 / Math.sqrt(headDim)
    mixed.fill(0)
    for (let b = 0; b < batch; b++) {
      for (let h = 0; h < heads; h++) {
        const base = b * length * dModel + h * headDim
        for (let t = 0; t < length; t++) {
          const row = ((b * heads + h) * length + t) * length
          const qt = base + t * dModel
          let largest = -Infinity
          for (let s = 0; s <= t; s++) {
            const ks = base + s * dModel
            let score = 0
            for (let i = 0; i < headDim; i++) score += q[qt + i] * k[ks + i]
            score *= scale
            weights[row + s] = score
            if (score > largest) largest = score
          }
          let sum = 0
          for (let s = 0; s <= t; s++) {
            const e = Math.exp(weights[row + s] - largest)
            weights[row + s] = e
            sum += e
          }
          for (let s = 0; s <= t; s++) {
            const weight = weights[row + s] / sum
            weights[row + s] = weight
            const vs = base + s * dModel
            for (let i = 0; i < headDim; i++) mixed[qt + i] += weight * v[vs + i]
          }
        }
      }
    }
    return mixed
  }

  /**
   * Adds to dq, dk and dv.
   * @param {Float32Array} dq
   * @param {Float32Array} dk
   * @param {Float32Array} dv
   * @param {Float32Array} dMixed
   * @param {Float32Array} q
   * @param {Float32Array} k
   * @param {Float32Array} v
   */
  backward(dq, dk, dv, dMixed, q, k, v) {
    const { batch, length, heads, dModel } = this.size
    const { weights, slopes } = this
    const headDim = dModel / heads
    const scale = 1 / Math.sqrt(headDim)
    for (let b = 0; b < batch; b++) {
      for (let h = 0; h < heads; h++) {
        const base = b * length * dModel + h * headDim
        for (let t = 0; t < length; t++) {
          const row = ((b * heads + h) * length + t) * length
          const qt = base + t * dModel
          let along = 0
          for (let s = 0; s <= t; s++) {
            const vs = base + s * dModel
            const weight = weights[row + s]
            let slope = 0
            for (let i = 0; i < headDim; i++) {
              slope += dMixed[qt + i] * v[vs + i]
              dv[vs + i] += weight * dMixed[qt + i]
            }
            slopes[s] = slope
            along += slope * weight
          }
          for (let s = 0; s <= t; s++) {
            const ks = base + s * dModel
            const slope = weights[row + s] * (slopes[s] - along) * scale
            for (let i = 0; i < headDim; i++) {
              dq[qt + i] += slope * k[ks + i]
              dk[ks + i] += slope * q[qt + i]
            }
          }
        }
      }
    }
  }
}

/**
 * Mean over positions with a target.
 * @param {Float32Array} dLogits written
 * @param {Float32Array} logits (n, outputs)
 * @param {Int32Array} targets (n)
 * @param {number} outputs
 */
export function crossEntropy(dLogits, logits, targets, outputs) {
  let judged = 0
  for (let t = 0; t < targets.length; t++) if (targets[t] >= 0) judged += 1
  let loss = 0
  dLogits.fill(0)
  for (let t = 0; t < targets.length; t++) {
    if (targets[t] < 0) continue
    const at = t * outputs
    let largest = -Infinity
    for (let o = 0; o < outputs; o++) largest = Math.max(largest, logits[at + o])
    let sum = 0
    for (let o = 0; o < outputs; o++) sum += Math.exp(logits[at + o] - largest)
    for (let o = 0; o < outputs; o++) {
      dLogits[at + o] = Math.exp(logits[at + o] - largest) / sum / judged
    }
    dLogits[at + targets[t]] -= 1 / judged
    loss += largest + Math.log(sum) - logits[at + targets[t]]
  }
  return loss / judged
}
