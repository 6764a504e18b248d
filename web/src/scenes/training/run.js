// A table in training that stays alive in the engine: more steps of the same table are trained on from
// where it stands, anything else begins anew. One call at a time, however fast the reader asks.
import { EngineError } from '../../engine/errors.js'
import { memo } from '../../kit/memo.js'
import { largestAbsolute } from '../../kit/numbers.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../engine/client.js').RemoteEngine} RemoteEngine
 * @typedef {ReturnType<typeof createRun>} Run
 * @typedef {Awaited<ReturnType<Run['at']>>} Standing the table after some steps
 */

/** A jump over many steps leaves a point of the loss curve at every multiple of this. */
const STRIDE = 25

/** What makes a table another one; the steps do not. @param {State} state */
export const tableKey = ({ tMax, dModel, seed, rate, scale }) =>
  [tMax, dModel, seed, rate, scale].join()

/** @param {RemoteEngine} engine */
export function createRun(engine) {
  /** @type {Promise<unknown>} */
  let queue = Promise.resolve()
  let latest = 0
  let closed = false
  /** @type {Awaited<ReturnType<RemoteEngine['createTable']>> | undefined} */
  let table
  /** Where that table stands. */
  let key = ''
  let steps = 0
  let loss = NaN
  /** @type {import('../../kit/memo.js').Memory} */
  const memory = {}

  /** After a failure the next wish makes a new table, to the same numbers. */
  const attempt = (/** @type {State} */ state, /** @type {() => void} */ assertWanted) =>
    train(state, assertWanted).catch(async (error) => {
      if (error?.code !== 'aborted') await drop()
      throw error
    })

  /** @param {State} state @param {() => void} assertWanted */
  async function train(state, assertWanted) {
    assertWanted()
    if (key !== tableKey(state) || state.steps < steps) await drop()
    const { tMax, dModel, seed, scale, rate: learningRate } = state
    table ??= await engine.createTable({ tMax, dModel, seed, scale })
    const now = table
    key = tableKey(state)
    const base = await memo(memory, 'base', [key], () => baseOf(now, state))
    const { curve } = base
    if (steps === 0) loss = base.startLoss
    while (steps < state.steps) {
      assertWanted()
      const more = Math.min(state.steps - steps, STRIDE - (steps % STRIDE))
      const report = await now.trainTowardSinusoid({ steps: more, learningRate })
      steps = report.steps
      loss = report.meanSquaredError
      // A table that began anew walks the same way again.
      if (curve.steps[curve.steps.length - 1] >= steps) continue
      curve.steps.push(steps)
      curve.losses.push(loss)
    }
    assertWanted()
    const [values, progress] = await Promise.all([
      now.values(),
      now.progress({ start: base.startDistances }),
    ])
    return { ...base, steps, loss, values, ...progress }
  }

  /**
   * What is the same after any number of steps, and the curve as far as it was ever trained.
   * @param {NonNullable<typeof table>} fresh
   * @param {State} state
   */
  async function baseOf(fresh, { tMax, dModel, rate }) {
    const start = await fresh.values()
    const target = await memo(memory, 'target', [tMax, dModel], () =>
      engine.numbers.trainingTarget({ tMax, dModel }),
    )
    const report = await fresh.trainTowardSinusoid({ steps: 0, learningRate: rate })
    const startLoss = report.meanSquaredError
    return {
      start,
      startLoss,
      startDistances: (await fresh.progress({ start: [] })).distances,
      target,
      // Training never leaves it.
      largest: largestAbsolute(target.data, largestAbsolute(start.data)),
      curve: { steps: [0], losses: [startLoss] },
    }
  }

  async function drop() {
    const old = table
    table = undefined
    steps = 0
    try {
      await old?.dispose()
    } catch {
      // It went with its worker or its engine.
    }
  }

  return {
    /** Rejects with `aborted` once a newer wish has come. @param {State} state */
    at(state) {
      latest += 1
      const request = latest
      const assertWanted = () => {
        if (!closed && request === latest) return
        throw new EngineError('aborted', 'A newer state is wanted.', { reason: 'superseded' })
      }
      const answer = queue.then(() => attempt(state, assertWanted))
      queue = answer.catch(() => {})
      return answer
    },
    /** Frees the table; later wishes are rejected. */
    close() {
      closed = true
      queue = queue.then(drop)
    },
  }
}
