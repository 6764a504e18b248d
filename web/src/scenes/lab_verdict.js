// Whether a run of the lab puts the codes in the order of a paper, and where that cannot be said. Pure.
import { pairsOf } from './lab_published.js'

/**
 * @typedef {import('./lab_published.js').Published} Published
 * @typedef {import('./lab_published.js').PublishedPoint} PublishedPoint
 * @typedef {import('./lab_published.js').Code} Code
 */

/**
 * What is known of one code in a run, over the seeds.
 * @typedef {object} CodeRun
 * @property {boolean} finished all of its seeds are trained to the end
 * @property {number} inside mean accuracy near the training length, NaN while unknown
 * @property {Map<number, Curve>} curves by seed
 */

/** @typedef {{ lengths: ArrayLike<number>, accuracies: ArrayLike<number>, counts: ArrayLike<number> }} Curve */

/**
 * What the panel needs of an entry of a race.
 * @typedef {object} Entry
 * @property {string} task
 * @property {Code} code
 * @property {number} seed
 * @property {string} status
 * @property {Curve & { inside: number, final?: boolean }} [curve]
 */

/**
 * @typedef {object} Run
 * @property {string} task
 * @property {number} length L
 * @property {number} reach the curves go to reach * L
 * @property {boolean} causal
 * @property {boolean} randomized
 * @property {Map<Code, CodeRun>} codes
 */

/**
 * Why no order is compared. `close`: the seeds differ more than the codes.
 * @typedef {'none' | 'task' | 'mask' | 'randomized' | 'size' | 'missing' | 'unfinished' | 'untrained'
 *   | 'seeds' | 'close' | 'single'} Reason
 */

/**
 * @typedef {object} Verdict
 * @property {'same' | 'other' | 'not'} verdict
 * @property {Reason} [reason] of a comparison that is not made
 * @property {PublishedPoint} [point] at whose times the training length the two are held together
 * @property {Code[]} missing codes of the paper that are not in the run
 * @property {Code[]} untrained codes that did not learn the task inside the training length
 * @property {Code[]} order of the run, best first, of the codes that both have
 * @property {number} agree pairs of codes that the run puts as the paper does
 * @property {number} against pairs that it puts the other way round
 * @property {number} close pairs that its seeds cannot tell apart
 * @property {[Code, Code] | undefined} clearest pair that is the other way round: the paper's better one first
 */

/** A code that stays below this inside the training length has not learned the task. */
export const LEARNED = 0.95
/** Two accuracies nearer than this are not told apart, however well the seeds agree. */
const LEAST = 0.02
/** Student's t, 97.5 %, for 1, 2, ... 9 degrees of freedom: ten seeds are the most. */
const T_975 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]

/**
 * Accuracy over all targets of the lengths above `after` up to `upTo`.
 * @param {Curve} curve
 * @param {number} after
 * @param {number} upTo
 * @returns {number} NaN where nothing was judged, past the wall of a learned table for one
 */
export function accuracyBetween({ lengths, accuracies, counts }, after, upTo) {
  let right = 0
  let judged = 0
  for (let i = 0; i < lengths.length; i += 1) {
    if (lengths[i] <= after || lengths[i] > upTo || Number.isNaN(accuracies[i])) continue
    right += accuracies[i] * counts[i]
    judged += counts[i]
  }
  return right / judged
}

/**
 * What the panel knows of one task of a race.
 * @param {readonly Entry[]} entries
 * @param {{ length: number, reach: number, causal: boolean, randomized: boolean }} options as they were
 *   trained with
 * @param {string} task
 * @returns {Run}
 */
export function runOf(entries, { length, reach, causal, randomized }, task) {
  /** @type {Run['codes']} */
  const codes = new Map()
  for (const code of new Set(entries.map((entry) => entry.code))) {
    const ours = entries.filter((entry) => entry.task === task && entry.code === code)
    const done = ours.filter(({ curve }) => curve?.final)
    const finished = ours.every(({ status }) => status === 'done' || status === 'failed')
    if (ours.length === 0) continue
    codes.set(code, {
      finished,
      inside: meanOf(done.map(({ curve }) => curve?.inside ?? NaN)),
      curves: new Map(done.map(({ seed, curve }) => [seed, /** @type {Curve} */ (curve)])),
    })
  }
  return { task, length, reach, causal, randomized, codes }
}

/**
 * @param {readonly number[]} values
 * @returns {{ mean: number, certain: boolean }} whether the mean differs from 0: by more than LEAST, and in
 *   a two-sided t test at 95 %
 */
export function differs(values) {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const t = T_975[n - 2]
  if (t === undefined) return { mean, certain: false }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const size = Math.abs(mean)
  return { mean, certain: size >= LEAST && size > t * Math.sqrt(variance / n) }
}

/**
 * @param {CodeRun} code
 * @param {number} length
 * @param {number} trained L
 * @returns {Map<number, number>} accuracy by seed, over the quarter of L that ends at the length
 */
export function accuraciesAt({ curves }, length, trained) {
  const bySeed = [...curves].map(
    ([seed, curve]) =>
      /** @type {const} */ ([seed, accuracyBetween(curve, length - trained / 4, length)]),
  )
  return new Map(bySeed.filter(([, accuracy]) => !Number.isNaN(accuracy)))
}

/** @param {Iterable<number>} values */
export function meanOf(values) {
  const all = [...values]
  return all.reduce((sum, value) => sum + value, 0) / all.length
}

/**
 * @param {Run} run
 * @param {Code} code
 * @param {number} length
 * @returns {number} mean of its seeds
 */
export function accuracyOf({ codes, length: trained }, code, length) {
  const known = codes.get(code)
  return known ? meanOf(accuraciesAt(known, length, trained).values()) : NaN
}

/**
 * The paper's longest length that the run reaches as well, in times of each one's training length.
 * @param {Published} paper
 * @param {number} reach
 * @returns {PublishedPoint | undefined}
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

/**
 * @param {Published} paper
 * @param {Run} run
 * @returns {Verdict}
 */
export function judge(paper, run) {
  const point = pointWithin(paper, run.reach)
  const codes = /** @type {Code[]} */ (Object.keys((point ?? paper.points[0]).values))
  const missing = codes.filter((code) => !run.codes.has(code))
  const present = codes.filter((code) => run.codes.has(code))
  const finished = present.filter((code) => run.codes.get(code)?.finished)
  const learned = finished.filter((code) => (run.codes.get(code)?.inside ?? 0) >= LEARNED)
  const untrained = finished.filter((code) => !learned.includes(code))
  const tally = point && compared(paper, point, run, learned)
  const { order = [], agree = 0, against = 0, close = 0, clearest } = tally ?? {}
  const reason = obstacle(paper, run, { point, present, learned })
  const facts = { point, missing, untrained, order, agree, against, close, clearest }
  if (reason) return { verdict: 'not', reason, ...facts }
  if (against > 0) return { verdict: 'other', ...facts }
  // What is the paper's order by chance alone is none: at least half of the pairs have to be certain.
  if (agree === 0 || agree < close) return { verdict: 'not', reason: 'close', ...facts }
  return { verdict: 'same', ...facts }
}

/**
 * @param {{ tasks: readonly string[], causal: boolean }} paper
 * @param {Run} run
 * @returns {Reason | undefined} what no further training would change
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
 * @returns {Reason | undefined}
 */
function obstacle(paper, run, { point, present, learned }) {
  const kind = otherKind(paper, run)
  if (kind) return kind
  if (run.randomized) return 'randomized'
  if (!point) return 'size'
  if (present.length < 2) return 'missing'
  if (present.some((code) => !run.codes.get(code)?.finished)) return 'unfinished'
  if (learned.length < 2) return 'untrained'
  return learned.some((code) => (run.codes.get(code)?.curves.size ?? 0) < 2) ? 'seeds' : undefined
}

/**
 * Every pair that the paper puts in an order, in the run: seed by seed, because codes of one seed are
 * tested on the same sequences.
 * @param {Published} paper
 * @param {PublishedPoint} point
 * @param {Run} run
 * @param {Code[]} learned
 */
function compared(paper, point, run, learned) {
  const length = matchingLength(paper, point.length, run.length)
  const known = new Map(
    learned.map((code) => {
      const codeRun = /** @type {CodeRun} */ (run.codes.get(code))
      return [code, accuraciesAt(codeRun, length, run.length)]
    }),
  )
  const order = learned.filter((code) => known.get(code)?.size)
  const means = new Map(order.map((code) => [code, meanOf(known.get(code)?.values() ?? [])]))
  order.sort((a, b) => (means.get(b) ?? 0) - (means.get(a) ?? 0))
  const counts = { agree: 0, against: 0, close: 0 }
  let most = 0
  /** @type {[Code, Code] | undefined} */
  let clearest
  for (const [a, b] of pairsOf(paper, point)) {
    const [as, bs] = [known.get(a), known.get(b)]
    if (!as?.size || !bs?.size) continue
    const { mean, certain } = differs(pairwise(as, bs))
    counts[certain ? (mean > 0 ? 'agree' : 'against') : 'close'] += 1
    if (certain && mean < most) {
      most = mean
      clearest = [a, b]
    }
  }
  return { order, clearest, ...counts }
}

/**
 * @param {Map<number, number>} as
 * @param {Map<number, number>} bs
 * @returns {number[]} a - b of the seeds that both have
 */
function pairwise(as, bs) {
  return [...as].flatMap(([seed, a]) => {
    const b = bs.get(seed)
    return b === undefined ? [] : [a - b]
  })
}

/**
 * What randomized positions gained, from two runs that differ in nothing else: accuracy over all
 * lengths past L, averaged over the codes that have positions at all.
 * @param {{ tasks: readonly string[], causal: boolean }} paper
 * @param {Run} run
 * @param {Run | undefined} other the same with the switch the other way
 * @returns {{ verdict: 'same' | 'other' | 'not', reason?: Reason, gain: number }} gain as a share of 1, NaN
 *   while one of the two runs is not there
 */
export function judgeGain(paper, run, other) {
  const [plain, randomized] = run.randomized ? [other, run] : [run, other]
  const gains = plain && randomized ? gainsBySeed(plain, randomized) : []
  const { mean: gain, certain } = differs(gains)
  const reason = otherKind(paper, run) ?? waiting(run, other, gains.length)
  if (reason) return { verdict: 'not', reason, gain }
  if (!certain) return { verdict: 'not', reason: 'close', gain }
  return { verdict: gain > 0 ? 'same' : 'other', gain }
}

/**
 * @param {Run} run
 * @param {Run | undefined} other
 * @param {number} seeds that both have
 * @returns {Reason | undefined}
 */
function waiting(run, other, seeds) {
  if ([...run.codes.values()].some(({ finished }) => !finished)) return 'unfinished'
  if (!other || seeds === 0) return 'single'
  return seeds < 2 ? 'seeds' : undefined
}

/**
 * @param {Run} plain
 * @param {Run} randomized
 * @returns {number[]}
 */
function gainsBySeed(plain, randomized) {
  const codes = [...plain.codes.keys()].filter(
    (code) => code !== 'nope' && randomized.codes.has(code),
  )
  const seeds = new Set(codes.flatMap((code) => [...(plain.codes.get(code)?.curves.keys() ?? [])]))
  return [...seeds].flatMap((seed) => {
    const gains = codes.flatMap((code) => {
      const before = past(plain, code, seed)
      const after = past(randomized, code, seed)
      return Number.isNaN(after - before) ? [] : [after - before]
    })
    return gains.length > 0 ? [meanOf(gains)] : []
  })
}

/**
 * @param {Run} run
 * @param {Code} code
 * @param {number} seed
 */
function past({ codes, length, reach }, code, seed) {
  const curve = codes.get(code)?.curves.get(seed)
  return curve ? accuracyBetween(curve, length, reach * length) : NaN
}
