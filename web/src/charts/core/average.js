/** Area averages: what a pixel shows when it covers more than one cell, or a part of one. */

/** @typedef {Float32Array | Float64Array} Numbers */

/**
 * The mean of every bin of a grid of bins. Bins are given by their edges in units of cells and may
 * cut through cells; a cell counts by the share of it that lies in the bin. NaN and infinite cells
 * are left out; a bin with none but these is NaN.
 * @param {Numbers} data  row-major, rows x columns
 * @param {number} columns
 * @param {Float64Array} rowEdges     n + 1 rising numbers in [0, rows]
 * @param {Float64Array} columnEdges  m + 1 rising numbers in [0, columns]
 * @returns {Float32Array} n x m, row-major
 */
export function areaAverage(data, columns, rowEdges, columnEdges) {
  const n = rowEdges.length - 1
  const m = columnEdges.length - 1
  const out = new Float32Array(n * m)
  const sums = new Float64Array(columns)
  const weights = new Float64Array(columns)
  for (let i = 0; i < n; i++) {
    sums.fill(0)
    weights.fill(0)
    const from = rowEdges[i]
    const to = rowEdges[i + 1]
    for (let row = Math.floor(from); row < to; row++) {
      const share = Math.min(row + 1, to) - Math.max(row, from)
      if (share <= 0) continue
      const start = row * columns
      for (let column = 0; column < columns; column++) {
        const value = data[start + column]
        // value - value is NaN for NaN and for both infinities.
        if (value - value === 0) {
          sums[column] += share * value
          weights[column] += share
        }
      }
    }
    for (let j = 0; j < m; j++) {
      out[i * m + j] = binMean(sums, weights, columnEdges[j], columnEdges[j + 1])
    }
  }
  return out
}

/**
 * @param {Float64Array} sums
 * @param {Float64Array} weights
 * @param {number} from
 * @param {number} to
 */
function binMean(sums, weights, from, to) {
  let sum = 0
  let weight = 0
  for (let column = Math.floor(from); column < to; column++) {
    const share = Math.min(column + 1, to) - Math.max(column, from)
    if (share <= 0) continue
    sum += share * sums[column]
    weight += share * weights[column]
  }
  return weight > 0 ? sum / weight : NaN
}

/**
 * @param {number} count
 * @param {number} first  edge 0
 * @param {number} step   distance of neighbouring edges
 * @param {number} low    edges are kept inside [low, high]
 * @param {number} high
 * @returns {Float64Array} count + 1 edges
 */
export function binEdges(count, first, step, low, high) {
  const edges = new Float64Array(count + 1)
  for (let i = 0; i <= count; i++) edges[i] = Math.min(high, Math.max(low, first + i * step))
  return edges
}
