// The length lab: from the entries of a race to what its figures draw, a line a code.

import { TRAINED } from './lab_entry.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./lab_entry.js').Entry} Entry
 * @typedef {State['mode']} Code
 */

/**
 * @typedef {object} Line
 * @property {Code} code
 * @property {readonly Entry[]} entries one a seed
 * @property {number} seeds that have a curve, be it a preliminary one
 * @property {number[]} mean accuracy by length, from length 1; NaN where no seed has one
 * @property {number[]} low of the seeds
 * @property {number[]} high
 * @property {number} inside mean accuracy over the last quarter of the training length
 * @property {number} far the same number of lengths at the end of the curve
 * @property {number} wall first length without a row, 0 where there is none
 * @property {boolean} learned whether the line reaches 95 % inside the training length
 * @property {number} failing seeds whose finished models do not
 * @property {number} done seeds that have finished
 * @property {boolean} final all of them
 * @property {number} chance NaN while unknown
 * @property {Entry | undefined} failed
 * @property {Line} [trained] the same models as they were trained, where something is done to them
 * @property {string} [change] what is done to them
 */

/** @typedef {{ x: number[], y: number[] }} Path */

/**
 * The lengths whose accuracies stand for "inside" and for "far".
 * @param {number} length of the training
 * @param {number} last
 * @returns {{ inside: [number, number], far: [number, number] }} first and last of each
 */
export function windowsOf(length, last) {
  const many = Math.max(1, Math.floor(length / 4))
  return { inside: [length - many + 1, length], far: [last - many + 1, last] }
}

/**
 * @param {readonly number[]} byLength from length 1
 * @param {readonly [number, number]} lengths
 * @returns {number} NaN where there is nothing
 */
export function meanOver(byLength, [from, to]) {
  let sum = 0
  let count = 0
  for (let length = from; length <= to; length += 1) {
    const value = byLength[length - 1]
    if (!Number.isFinite(value)) continue
    sum += value
    count += 1
  }
  return count > 0 ? sum / count : NaN
}

/**
 * @param {readonly Entry[]} entries of a race
 * @param {object} what
 * @param {string} what.task
 * @param {readonly string[]} what.codes
 * @param {number} what.length of the training
 * @param {number} what.last of the curve
 * @returns {Line[]} of the codes that have an entry, in their order
 */
export function linesOf(entries, { task, codes, length, last }) {
  const windows = windowsOf(length, last)
  return codes.flatMap((code) => {
    const own = entries.filter((entry) => entry.task === task && entry.code === code)
    if (own.length === 0) return []
    const curves = own.flatMap(({ curve }) => (curve ? [curve] : []))
    const spread = spreadOf(curves, last)
    const inside = meanOver(spread.mean, windows.inside)
    const finished = own.filter(({ status }) => status === 'done')
    const done = finished.length
    return {
      code: /** @type {Code} */ (code),
      entries: own,
      seeds: curves.length,
      ...spread,
      inside,
      far: meanOver(spread.mean, windows.far),
      wall: Math.max(0, ...curves.map(({ wall }) => wall)),
      learned: inside >= TRAINED,
      failing: finished.filter(({ untrained }) => untrained).length,
      done,
      final: done === own.length,
      chance: own.find(({ info }) => info)?.info?.chance ?? NaN,
      failed: own.find(({ status }) => status === 'failed'),
    }
  })
}

/**
 * The line of models to which something is done after training. Whether they have learned their task
 * was decided before.
 * @param {Line} line
 * @param {readonly import('./lab_entry.js').Curve[]} curves of its finished models
 * @param {number} length of the training
 * @param {string} change
 * @returns {Line}
 */
export function changedLine(line, curves, length, change) {
  const last = line.mean.length
  const spread = spreadOf(curves, last)
  const windows = windowsOf(length, last)
  return {
    ...line,
    ...spread,
    seeds: curves.length,
    inside: meanOver(spread.mean, windows.inside),
    far: meanOver(spread.mean, windows.far),
    wall: Math.max(0, ...curves.map(({ wall }) => wall)),
    trained: line,
    change,
  }
}

/**
 * @param {readonly { lengths: ArrayLike<number>, accuracies: ArrayLike<number> }[]} curves
 * @param {number} last length
 */
function spreadOf(curves, last) {
  const mean = new Array(last).fill(NaN)
  const low = [...mean]
  const high = [...mean]
  const count = new Array(last).fill(0)
  for (const { lengths, accuracies } of curves) {
    for (let i = 0; i < lengths.length; i += 1) {
      const at = lengths[i] - 1
      const value = accuracies[i]
      if (!Number.isFinite(value) || at >= last) continue
      const first = count[at] === 0
      count[at] += 1
      mean[at] = first ? value : mean[at] + (value - mean[at]) / count[at]
      low[at] = first ? value : Math.min(low[at], value)
      high[at] = first ? value : Math.max(high[at], value)
    }
  }
  return { mean, low, high }
}

/**
 * Loss or accuracy by step, the mean of the seeds that have come so far.
 * @param {readonly Entry[]} entries of one code
 * @param {'losses' | 'accuracies'} kind
 * @returns {Path}
 */
export function pathOf(entries, kind) {
  const longest = entries.reduce(
    (most, entry) => (entry[kind].length > most[kind].length ? entry : most),
    entries[0],
  )
  const y = longest[kind].map((_, i) => {
    let sum = 0
    let count = 0
    for (const { [kind]: values } of entries) {
      if (i >= values.length) continue
      sum += values[i]
      count++
    }
    return sum / count
  })
  return { x: longest.at.slice(0, y.length), y }
}

/**
 * How far the models of a task have come.
 * @param {readonly Entry[]} entries
 * @returns {number} 0..1, 0 where there are none
 */
export function shareDone(entries) {
  let steps = 0
  let all = 0
  for (const entry of entries) {
    steps += entry.status === 'failed' ? entry.steps : entry.step
    all += entry.steps
  }
  return all > 0 ? steps / all : 0
}
