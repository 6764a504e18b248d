// What the papers say about length, as data. The words and the place in the paper are in text/, under
// `paper.<id>.*`; the numbers stand here and nowhere else.

/** @typedef {import('../../state/state.js').State['mode']} Code */

/**
 * @typedef {object} PublishedPoint
 * @property {number} length tested
 * @property {Partial<Record<Code, number>>} values a code that is missing ran out of memory or was not in
 */

/**
 * One table of a paper that puts codes in an order.
 * @typedef {object} Published
 * @property {string} id
 * @property {readonly string[]} tasks of the lab that are of its kind; none: text, or a task that the lab
 *   does not have
 * @property {number} trained longest length of its training
 * @property {boolean} lowerIsBetter perplexity, as against accuracy or rank
 * @property {number} places that the paper prints
 * @property {boolean} causal whether its models see only what came before
 * @property {readonly PublishedPoint[]} points by rising length
 */

/** @type {readonly Published[]} */
export const ORDERS = Object.freeze([
  {
    // Press et al. 2022, WikiText-103, 247 M parameters: validation perplexity, appendix, table 2.
    id: 'alibi',
    tasks: [],
    trained: 512,
    lowerIsBetter: true,
    places: 2,
    causal: true,
    points: [
      { length: 512, values: { alibi: 19.73, t5: 19.65, rope: 20.07, sinusoidal: 20.05 } },
      { length: 1012, values: { alibi: 18.73, t5: 18.79, rope: 21.37, sinusoidal: 43.54 } },
      { length: 3512, values: { alibi: 18.4, t5: 22.91, rope: 35.54, sinusoidal: 178.97 } },
      { length: 15512, values: { alibi: 18.31, rope: 79.25, sinusoidal: 406.01 } },
    ],
  },
  {
    // Kazemnejad et al. 2023, 107 M parameters: mean reciprocal rank over ten tasks, as figure 1
    // prints it, at twice the training length; 20 and 40 are those of copy and reverse.
    id: 'ranking',
    tasks: ['copy', 'reverse', 'sort', 'addition'],
    trained: 20,
    lowerIsBetter: false,
    places: 2,
    causal: true,
    points: [
      {
        length: 40,
        values: { nope: 0.69, t5: 0.55, alibi: 0.5, rope: 0.33, sinusoidal: 0.22 },
      },
    ],
  },
])

/**
 * Kazemnejad et al. 2023, appendix E: accuracy past 20 on two of five copy sets, copy twice and the
 * doubled copy of one repeated token. The lab has no task of their kind.
 * @type {Readonly<Partial<Record<Code, number>>>}
 */
export const COPY_TWICE = Object.freeze({
  alibi: 0.57,
  t5: 0.52,
  nope: 0.43,
  rope: 0.04,
  sinusoidal: 0.04,
})

/** @type {Readonly<Partial<Record<Code, number>>>} */
export const REPEAT_TWICE = Object.freeze({ nope: 0.97, t5: 0.56, alibi: 0.19 })

/** The three seeds behind T5's mean there, from the authors' published results. */
export const SEEDS_OF_T5 = Object.freeze([0.41, 0.73, 0.53])

/**
 * Ruoss et al. 2023: d 64, 5 layers, encoder only, trained to 40, 15 tasks; what randomized positions
 * gain on average, in points of accuracy.
 */
export const RANDOMIZED = Object.freeze({
  tasks: Object.freeze(['reverse', 'sort', 'addition']),
  causal: false,
  gain: 12,
})

/** Peng et al. 2023, the authors' table of models fine-tuned to 8k each: perplexity at 8192 and past it. */
export const SCALINGS = Object.freeze({
  lengths: Object.freeze([8192, 10240]),
  values: Object.freeze({ linear: [3.34, 8.07], ntk: [3.59, 6.24], yarn: [3.36, 6.05] }),
})

/**
 * The codes of a point in the order of the paper, best first.
 * @param {Published} paper
 * @param {PublishedPoint} point
 * @returns {Code[]}
 */
export function orderOf({ lowerIsBetter }, { values }) {
  const codes = /** @type {Code[]} */ (Object.keys(values))
  const sign = lowerIsBetter ? 1 : -1
  return codes.sort((a, b) => sign * ((values[a] ?? 0) - (values[b] ?? 0)))
}

/**
 * Two codes of which two papers think differently, each at its longest length.
 * @param {Published} one
 * @param {Published} other
 * @returns {[better: Code, worse: Code][]} as `one` has them
 */
export function disagreements(one, other) {
  const better = pairsOf(one, lastWithAll(one))
  const theirs = pairsOf(other, lastWithAll(other))
  return better.filter(([a, b]) => theirs.some(([c, d]) => a === d && b === c))
}

/**
 * @param {Published} paper
 * @returns {PublishedPoint} its longest length that every code of it reached
 */
export function lastWithAll({ points }) {
  const codes = Object.keys(points[0].values).length
  const whole = points.filter(({ values }) => Object.keys(values).length === codes)
  return whole[whole.length - 1]
}

/**
 * @param {Published} paper
 * @param {PublishedPoint} point
 * @returns {[better: Code, worse: Code][]} every two codes that the paper puts in an order
 */
export function pairsOf(paper, point) {
  const order = orderOf(paper, point)
  return order.flatMap((a, i) =>
    order
      .slice(i + 1)
      .filter((b) => point.values[a] !== point.values[b])
      .map((b) => /** @type {[Code, Code]} */ ([a, b])),
  )
}
