// Whether a run of the lab puts the codes in the order of a paper, and where that cannot be said. Means
// and tests are the kernel's.
import { ORDERS, RANDOMIZED, pairsOf } from './published.js'

/**
 * @typedef {import('../../engine/client.js').RemoteEngine} RemoteEngine
 * @typedef {import('./published.js').Published} Published
 * @typedef {import('./published.js').PublishedPoint} PublishedPoint
 * @typedef {import('./published.js').Code} Code
 * @typedef {import('../run/lines.js').Line} Line
 */

/** @typedef {ReturnType<typeof runOf>} Run */
/** @typedef {ReturnType<typeof judge>} Verdict */
/** @typedef {ReturnType<typeof judgeGain>} Gain */
/** @typedef {Awaited<ReturnType<typeof verdictsOf>>} Verdicts an order for each of ORDERS */

/**
 * @typedef {object} Tally
 * @property {Code[]} order of the run, best first, of the codes that both have
 * @property {number} agree pairs of codes that the run puts as the paper does
 * @property {number} against pairs that it puts the other way round
 * @property {number} close pairs that its seeds cannot tell apart
 * @property {[Code, Code]} [clearest] pair that is the other way round: the paper's better one first
 */

/**
 * What the panel knows of one task of a race.
 * @param {readonly Line[]} lines as they were trained
 * @param {Pick<import('../run/plan.js').PlanOptions, 'length' | 'reach' | 'causal' | 'randomized'> &
 *   { seeds: readonly number[] }} settings
 * @param {string} task
 */
export function runOf(lines, { length, reach, causal, randomized, seeds }, task) {
  const codes = new Map(
    lines.map(({ code, entries, ...line }) => {
      const finished = entries.every(({ status }) => status === 'done' || status === 'failed')
      return [code, { ...line, finished }]
    }),
  )
  return { task, length, reach, causal, randomized, seeds, codes }
}

/**
 * @param {RemoteEngine} engine
 * @param {Run} run
 * @param {Run | undefined} other the same with or without randomized positions
 */
export async function verdictsOf(engine, run, other) {
  const [gain, ...orders] = await Promise.all([
    gainOf(engine, run, other),
    ...ORDERS.map(async (paper) => judge(paper, run, await tallyOf(engine, paper, run))),
  ])
  return { run, orders, gain: judgeGain(RANDOMIZED, run, other, gain) }
}

/** What can be said before anything was run. @param {Run} run */
export const firstVerdicts = (run) => ({
  run,
  orders: ORDERS.map((paper) => judge(paper, run)),
  gain: judgeGain(RANDOMIZED, run),
})

/**
 * The paper's longest length that the run reaches as well, in times of each one's training length.
 * @param {Published} paper
 * @param {number} reach
 */
export function pointWithin({ points, trained }, reach) {
  return points.filter(({ length }) => length > trained && length <= reach * trained).at(-1)
}

/**
 * The length of the lab that stands for a length of the paper.
 * @param {Published} paper
 * @param {number} length
 * @param {number} trained L of the lab
 */
export function matchingLength(paper, length, trained) {
  return Math.round((length / paper.trained) * trained)
}

/** The codes of a paper at the point of comparison. @param {Published} paper @param {Run} run */
function codesOf(paper, run) {
  const point = pointWithin(paper, run.reach)
  const codes = /** @type {Code[]} */ (Object.keys((point ?? paper.points[0]).values))
  const finished = codes.filter((code) => run.codes.get(code)?.finished)
  const learned = finished.filter((code) => run.codes.get(code)?.trained)
  return { point, codes, finished, learned }
}

/** @param {Published} paper @param {Run} run @param {Tally} [tally] */
export function judge(paper, run, tally = { order: [], agree: 0, against: 0, close: 0 }) {
  const { point, codes, finished, learned } = codesOf(paper, run)
  const missing = codes.filter((code) => !run.codes.has(code))
  const present = codes.filter((code) => run.codes.has(code))
  const untrained = finished.filter((code) => !learned.includes(code))
  const { agree, against, close } = tally
  // What is the paper's order by chance alone is none: at least half of the pairs have to be certain.
  const uncertain = against === 0 && (agree === 0 || agree < close)
  const reason =
    obstacle(paper, run, { point, present, learned }) ?? (uncertain ? 'close' : undefined)
  return { ...verdictOf(reason, against === 0), point, missing, untrained, ...tally }
}

/** @param {string | undefined} reason why nothing is compared @param {boolean} agrees */
function verdictOf(reason, agrees) {
  if (reason) return { verdict: 'not', reason }
  return { verdict: agrees ? 'same' : 'other', reason }
}

/**
 * @param {{ tasks: readonly string[], causal: boolean }} paper
 * @param {Run} run
 * @returns {string | undefined} what no further training would change
 */
function otherKind({ tasks, causal }, run) {
  if (run.codes.size === 0) return 'none'
  if (!tasks.includes(run.task)) return 'task'
  return causal === run.causal ? undefined : 'mask'
}

/**
 * @param {Published} paper
 * @param {Run} run
 * @param {{ point: PublishedPoint | undefined, present: Code[], learned: Code[] }} found
 */
function obstacle(paper, run, { point, present, learned }) {
  const kind = otherKind(paper, run)
  if (kind) return kind
  if (run.randomized) return 'randomized'
  if (!point) return 'size'
  if (present.length < 2) return 'missing'
  if (present.some((code) => !run.codes.get(code)?.finished)) return 'unfinished'
  if (learned.length < 2) return 'untrained'
  return learned.some((code) => (run.codes.get(code)?.seeds.length ?? 0) < 2) ? 'seeds' : undefined
}

/**
 * Numbers of a code, one a seed of the run; NaN where that seed has none.
 * @param {Run} run
 * @param {Code} code
 * @param {(known: any, row: number) => number} read
 */
function bySeed({ codes, seeds }, code, read) {
  const known = /** @type {any} */ (codes.get(code))
  return seeds.map((seed) => {
    const row = known.seeds.indexOf(seed)
    return row < 0 ? NaN : read(known, row)
  })
}

/**
 * Every pair that the paper puts in an order, in the run.
 * @param {RemoteEngine} engine
 * @param {Published} paper
 * @param {Run} run
 */
export async function tallyOf(engine, paper, run) {
  const { point, learned } = codesOf(paper, run)
  if (!point) return undefined
  const at = matchingLength(paper, point.length, run.length) - 1
  const data = learned.flatMap((code) =>
    bySeed(run, code, ({ near }, row) => near.data[row * near.shape[1] + at]),
  )
  const groups = learned.length
  const tests = await engine.pairedTests({ data, shape: [groups, run.seeds.length, 1] })
  const mean = (/** @type {Code} */ code) => tests.means[learned.indexOf(code)]
  /** @type {Tally} */
  const tally = {
    order: learned.filter((code) => mean(code) >= 0).sort((a, b) => mean(b) - mean(a)),
    ...{ agree: 0, against: 0, close: 0 },
  }
  let most = 0
  for (const [a, b] of pairsOf(paper, point)) {
    if (!tally.order.includes(a) || !tally.order.includes(b)) continue
    const pair = learned.indexOf(a) * groups + learned.indexOf(b)
    const difference = tests.differences[pair]
    tally[tests.certain[pair] === 0 ? 'close' : difference > 0 ? 'agree' : 'against'] += 1
    if (tests.certain[pair] === 0 || difference >= most) continue
    most = difference
    tally.clearest = [a, b]
  }
  return tally
}

/**
 * What randomized positions gained, from two runs that differ in nothing else: accuracy over all
 * lengths past L, averaged over the codes that have positions at all.
 * @param {{ tasks: readonly string[], causal: boolean }} paper
 * @param {Run} run
 * @param {Run} [other] the same with the switch the other way
 * @param {{ gain: number, certain: boolean }} [found] by `gainOf`; NaN while one of the runs is not there
 */
export function judgeGain(paper, run, other, { gain, certain } = { gain: NaN, certain: false }) {
  const reason = otherKind(paper, run) ?? waiting(run, other, gain)
  return { ...verdictOf(reason ?? (certain ? undefined : 'close'), gain > 0), gain }
}

/** @param {Run} run @param {Run | undefined} other @param {number} gain */
function waiting(run, other, gain) {
  if ([...run.codes.values()].some(({ finished }) => !finished)) return 'unfinished'
  if (!other || Number.isNaN(gain)) return 'single'
  return run.seeds.length < 2 ? 'seeds' : undefined
}

/** @param {RemoteEngine} engine @param {Run} run @param {Run | undefined} other */
export async function gainOf(engine, run, other) {
  if (!other) return undefined
  const codes = [...run.codes.keys()].filter((code) => code !== 'nope' && other.codes.has(code))
  if (codes.length === 0) return undefined
  const runs = run.randomized ? [run, other] : [other, run]
  const data = runs.flatMap((one) => {
    const columns = codes.map((code) => bySeed(one, code, ({ past }, row) => past[row]))
    return run.seeds.flatMap((_, seed) => columns.map((column) => column[seed]))
  })
  const shape = [2, run.seeds.length, codes.length]
  const { differences, certain } = await engine.pairedTests({ data, shape })
  return { gain: differences[1], certain: certain[1] === 1 }
}

/**
 * Keeps a run that is complete, and finds the one that differs from it in randomized positions alone.
 * @param {Map<string, Run>} runs
 * @param {Run} run
 * @param {import('../run/plan.js').Plan} plan
 * @returns {Run | undefined}
 */
export function counterpart(runs, run, { codes, options }) {
  const settings = JSON.stringify([run.task, codes, { ...options, randomized: undefined }])
  const complete = [...run.codes.values()].every(({ finished }) => finished)
  if (complete && run.codes.size > 0) runs.set(`${run.randomized} ${settings}`, run)
  return runs.get(`${!run.randomized} ${settings}`)
}
