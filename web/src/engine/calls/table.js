// The calls that make a learned table and those of the table itself, like those of calls.js.

import * as check from './check.js'
import { matrixOf, unwrap } from '../core.js'
import * as limits from './limits.js'

/** @typedef {import('../core.js').Core} Core */
/** @typedef {import('../core.js').TableHandle} TableHandle */

/**
 * @typedef {object} TableInfo
 * @property {number} tMax rows
 * @property {number} dModel columns
 * @property {number} trainedRows how many leading rows receive gradients: tMax at creation
 * @property {number} steps of training since creation
 */

/** @typedef {{ steps: number, meanSquaredError: number }} TrainReport steps since creation */

export const createTable = {
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['tMax', 'dModel', 'seed', 'scale'])
    const tMax = check.integer('tMax', read.tMax, 1, limits.maxTableSize)
    const dModel = check.integer('dModel', read.dModel, 1, limits.maxDim)
    const seed = read.seed === undefined ? 42 : check.integer('seed', read.seed, 0, limits.maxSeed)
    const scale = read.scale === undefined ? 0.1 : checkScale('scale', read.scale)
    check.integer('tMax', tMax, 1, Math.floor(limits.maxTableSize / dModel), ['dModel'])
    return { tMax, dModel, seed, scale }
  },
  /**
   * @param {Core} core
   * @param {{ tMax: number, dModel: number, seed: number, scale: number }} args
   * @returns {TableHandle}
   */
  run(core, { tMax, dModel, seed, scale }) {
    return unwrap(core.createTable(tMax, dModel, seed, scale)).table
  },
}

export const restoreTable = {
  /** @param {unknown} bytes */
  check: (bytes) => ({ bytes: check.bytes('bytes', bytes) }),
  /**
   * @param {Core} core
   * @param {{ bytes: Uint8Array }} args
   * @returns {TableHandle}
   */
  run: (core, { bytes }) => unwrap(core.restoreTable(bytes)).table,
}

/**
 * @param {string} name
 * @param {unknown} value
 */
function checkScale(name, value) {
  return check.number(name, value, { min: -limits.maxScale, max: limits.maxScale })
}

const trainTowardSinusoid = {
  mutates: true,
  /** @param {unknown} options */
  check(options) {
    const read = check.fields(options, ['steps', 'learningRate', 'targetScale'])
    const steps = check.integer('steps', read.steps, 0, limits.maxSteps)
    const learningRate =
      read.learningRate === undefined
        ? 0.05
        : check.number('learningRate', read.learningRate, { min: 0 })
    const targetScale =
      read.targetScale === undefined ? 0.5 : checkScale('targetScale', read.targetScale)
    return { steps, learningRate, targetScale }
  },
  /**
   * A step depends on the values before it alone, so pieces give the same bits as one run.
   * @param {TableHandle} table
   * @param {{ steps: number, learningRate: number, targetScale: number }} args
   * @param {import('./slices.js').Pace} pace
   * @returns {import('./slices.js').Sliced<TrainReport>}
   */
  *run(table, { steps, learningRate, targetScale }, pace) {
    const { trainedRows, dModel } = unwrap(table.info())
    const first = 2 ** 15 / (trainedRows * dModel)
    for (let done = 0; ;) {
      const count = pace.take(steps - done, first)
      const report = unwrap(table.train(count, learningRate, targetScale))
      done += count
      if (done >= steps) return { steps: report.steps, meanSquaredError: report.meanSquaredError }
      yield { done, total: steps }
    }
  },
}

const grow = {
  mutates: true,
  /** @param {unknown} tMax */
  check: (tMax) => ({ tMax: check.integer('tMax', tMax, 1, limits.maxTableSize) }),
  /**
   * @param {TableHandle} table
   * @param {{ tMax: number }} args
   */
  run(table, { tMax }) {
    const info = unwrap(table.info())
    const most = Math.floor(limits.maxTableSize / info.dModel)
    // A table only grows.
    check.integer('tMax', tMax, info.tMax, most, ['table'])
    unwrap(table.grow(tMax))
  },
}

const lookup = {
  /**
   * @param {unknown} position
   * @param {unknown} options
   */
  check(position, options) {
    const { behaviour } = check.fields(options, ['behaviour'])
    return {
      position: check.integer('position', position, 0, limits.maxPosition),
      behaviour:
        behaviour === undefined ? 'raise' : check.choice('behaviour', behaviour, limits.behaviours),
    }
  },
  /**
   * @param {TableHandle} table
   * @param {{ position: number, behaviour: string }} args
   * @returns {Float64Array}
   */
  run: (table, { position, behaviour }) => unwrap(table.lookup(position, behaviour)).data,
}

const nothing = () => ({})

const values = {
  check: nothing,
  /**
   * @param {TableHandle} table
   * @returns {import('../core.js').Matrix<Float64Array>}
   */
  run: (table) => matrixOf(unwrap(table.values())),
}

const info = {
  check: nothing,
  /**
   * @param {TableHandle} table
   * @returns {TableInfo}
   */
  run(table) {
    const { tMax, dModel, trainedRows, steps } = unwrap(table.info())
    return { tMax, dModel, trainedRows, steps }
  },
}

const gradientRows = {
  check: nothing,
  /**
   * @param {TableHandle} table
   * @returns {Uint8Array} 1 where a gradient has ever reached the row
   */
  run: (table) => unwrap(table.gradientRows()).data,
}

const snapshot = {
  check: nothing,
  /**
   * @param {TableHandle} table
   * @returns {Uint8Array} all of the table, its random stream included
   */
  run: (table) => unwrap(table.snapshot()).data,
}

/** The calls of a table by name. */
export const tableCalls = {
  trainTowardSinusoid,
  grow,
  lookup,
  values,
  info,
  gradientRows,
  snapshot,
}
