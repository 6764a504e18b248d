// The length lab: from the entries of a race to what its figures draw, a line a code. What its curves say
// together the kernel says.

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../engine/client.js').RemoteEngine} RemoteEngine
 * @typedef {import('../../engine/types.js').CurveSummary} Summary
 * @typedef {import('./entry.js').Curve} Curve
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./plan.js').PlanOptions} PlanOptions
 * @typedef {State['mode']} Code
 */

/**
 * @typedef {object} Models
 * @property {Code} code
 * @property {readonly Entry[]} entries one a seed
 * @property {number[]} seeds that have a curve, be it a preliminary one, as the rows of `near`
 * @property {number} far accuracy near the end of the curve
 * @property {number} wall first length without a row, 0 where there is none
 * @property {number} failing seeds whose finished models are not trained
 * @property {number} done seeds that have finished
 * @property {boolean} final all of them
 * @property {number} chance NaN while unknown
 * @property {Entry | undefined} failed
 * @property {Line} [before] the same models as they were trained, where something is done to them
 * @property {string} [change] what is done to them
 */

/** @typedef {Summary & Models} Line */

/** @typedef {{ x: number[], y: number[] }} Path */

/**
 * @param {RemoteEngine} engine
 * @param {string} task
 * @param {PlanOptions} options
 * @param {readonly Curve[]} curves of one code, one a seed
 * @returns {Promise<Summary>}
 */
export const summaryOf = (engine, task, { length, causal, lengths }, curves) =>
  engine.summarizeCurves({
    task: /** @type {any} */ (task),
    length,
    causal,
    lengths,
    curves: [...curves],
  })

/**
 * Which models of a file are trained: it has their numbers alone.
 * @param {RemoteEngine} engine
 * @param {import('./file.js').SavedRun} run
 */
export async function judgeModels(engine, { plan, entries }) {
  const judged = entries.map(async ({ task, curve }) => {
    if (curve) curve.trained = (await summaryOf(engine, task, plan.options, [curve])).trained
  })
  await Promise.all(judged)
}

/**
 * @param {Summary | undefined} summary
 * @param {number} length
 * @returns {[number, number]} first and last of the lengths that are near it
 */
export const nearRange = (summary, length) => [length + 1 - (summary?.window ?? 1), length]

/**
 * @param {RemoteEngine} engine
 * @param {readonly Entry[]} entries of a race
 * @param {{ codes: readonly string[], options: PlanOptions }} plan
 * @param {string} task
 * @returns {Promise<Line[]>} of the codes that have an entry, in their order
 */
export async function linesOf(engine, entries, { codes, options }, task) {
  const lines = codes.map(async (code) => {
    const own = entries.filter((entry) => entry.task === task && entry.code === code)
    const shown = own.filter(({ curve, status }) => curve && status !== 'failed')
    const curves = /** @type {Curve[]} */ (shown.map(({ curve }) => curve))
    const done = own.filter(({ status }) => status === 'done')
    const summary = await summaryOf(engine, task, options, curves)
    return {
      ...summary,
      code: /** @type {Code} */ (code),
      entries: own,
      seeds: shown.map(({ seed }) => seed),
      far: summary.about[summary.about.length - 1],
      wall: curves[0]?.wall ?? 0,
      failing: done.filter(({ curve }) => !curve?.trained).length,
      done: done.length,
      final: done.length === own.length,
      chance: own.find(({ info }) => info)?.info?.chance ?? NaN,
      failed: own.find(({ status }) => status === 'failed'),
    }
  })
  return (await Promise.all(lines)).filter((line) => line.entries.length > 0)
}

/**
 * The line of models to which something is done after training. Whether they have learned their task
 * was decided before.
 * @param {Line} line
 * @param {Summary} summary of the curves of its finished models
 * @param {readonly Curve[]} curves
 * @param {string} change
 * @returns {Line}
 */
export const changedLine = (line, summary, curves, change) => ({
  ...line,
  ...summary,
  trained: line.trained,
  far: summary.about[summary.about.length - 1],
  wall: curves[0].wall,
  before: line,
  change,
})

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
