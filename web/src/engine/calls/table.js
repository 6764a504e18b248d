// The calls that make a learned table and those of the table itself.
import { found, matrixOf, unwrap } from '../core.js'
import * as check from './check.js'
import { int, num, nums, taking } from './check.js'
import * as limits from './limits.js'

/** @import { Calls } from '../types.js' */

const scaleBounds = { min: -limits.maxScale, max: limits.maxScale }
const nothing = () => ({})

/** @type {Calls} */
export const tableOpenings = {
  createTable: {
    check: taking(
      {
        tMax: int(1, limits.maxTableSize),
        dModel: int(1, limits.maxDim),
        seed: int(0, limits.maxSeed, 42),
        scale: num(scaleBounds, 0.1),
      },
      {
        also(args) {
          const most = Math.floor(limits.maxTableSize / args.dModel)
          check.integer('tMax', args.tMax, 1, most, ['dModel'])
          return args
        },
      },
    ),
    run: (core, { tMax, dModel, seed, scale }) =>
      unwrap(core.createTable(tMax, dModel, seed, scale)).table,
  },
  restoreTable: {
    check: (bytes) => ({ bytes: check.bytes('bytes', bytes) }),
    run: (core, { bytes }) => unwrap(core.restoreTable(bytes)).table,
  },
}

/** @type {Calls} */
export const tableCalls = {
  trainTowardSinusoid: {
    mutates: true,
    check: taking({
      steps: int(0, limits.maxSteps),
      learningRate: num({ min: 0 }, 0.05),
      targetScale: num(scaleBounds, 0.5),
    }),
    // A step depends on the values before it alone, so pieces give the same bits as one run.
    *run(table, { steps, learningRate, targetScale }, pace) {
      const { trainedRows, dModel } = unwrap(table.info())
      const first = 2 ** 15 / (trainedRows * dModel)
      for (let done = 0; ;) {
        const count = pace.take(steps - done, first)
        const report = found(table.train(count, learningRate, targetScale))
        done += count
        if (done >= steps) return report
        yield { done, total: steps }
      }
    },
  },
  progress: {
    check: taking({
      start: nums({ maxLength: limits.maxTableSize }),
      targetScale: num(scaleBounds, 0.5),
    }),
    run: (table, { start, targetScale }) => found(table.progress(start, targetScale)),
  },
  grow: {
    mutates: true,
    check: (tMax) => ({ tMax: check.integer('tMax', tMax, 1, limits.maxTableSize) }),
    run(table, { tMax }) {
      const info = unwrap(table.info())
      const most = Math.floor(limits.maxTableSize / info.dModel)
      // A table only grows.
      check.integer('tMax', tMax, info.tMax, most, ['table'])
      unwrap(table.grow(tMax))
    },
  },
  lookup: {
    optionsHold: true,
    check(position, given) {
      const { behaviour = 'raise' } = check.fields(given, ['behaviour'])
      return {
        position: check.integer('position', position, 0, limits.maxPosition),
        behaviour: check.choice('behaviour', behaviour, limits.behaviours),
      }
    },
    run: (table, { position, behaviour }) => unwrap(table.lookup(position, behaviour)).data,
  },
  values: { check: nothing, run: (table) => matrixOf(unwrap(table.values())) },
  info: { check: nothing, run: (table) => found(table.info()) },
  gradientRows: { check: nothing, run: (table) => unwrap(table.gradientRows()).data },
  snapshot: { check: nothing, run: (table) => unwrap(table.snapshot()).data },
}
