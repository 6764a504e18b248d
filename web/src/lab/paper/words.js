// Paper says, your run says: the sentences.
import {
  COPY_TWICE,
  ORDERS,
  REPEAT_TWICE,
  SEEDS_OF_T5,
  disagreements,
  lastWithAll,
} from './published.js'
import { percent } from '../words.js'

/**
 * @typedef {(key: string, values?: Record<string, string | number>) => string} Words
 * @typedef {import('./published.js').Published} Published
 * @typedef {import('./verdict.js').Run} Run
 * @typedef {import('./verdict.js').Verdict} Verdict
 */

/** @param {Words} t @param {readonly string[]} codes */
const names = (t, codes) =>
  new Intl.ListFormat(t('unit.locale'), { type: 'conjunction' }).format(
    codes.map((code) => t(`mode.${code}`)),
  )

/**
 * @param {Words} t
 * @param {Published} paper
 * @param {Run} run
 * @param {Verdict} found
 * @param {string} task as it is called
 */
export function verdictSentence(t, paper, run, found, task) {
  const { verdict, reason } = found
  const [better, worse] = (found.clearest ?? []).map((code) => t(`mode.${code}`))
  if (verdict !== 'not') return t(`paper.${verdict}.why`, { ...pairsOf(found), better, worse })
  if (reason === 'task') return t(`paper.${paper.id}.task`, { task })
  return t(reason === 'mask' ? maskKey(run) : `paper.not.${reason}`, { reach: run.reach })
}

/** @param {Run} run */
const maskKey = ({ causal }) => `paper.not.mask.${causal ? 'causal' : 'both'}`

/** @param {Words} t @param {Run} run @param {Verdict} found */
export function cardFacts(t, run, found) {
  const { reason, missing } = found
  const counted = pairsOf(found)
  const told = reason && reason !== 'close' && counted.pairs > 0
  return [
    ...(told ? [t('paper.pairs', counted)] : []),
    ...(missing.length > 0 && run.codes.size > 0
      ? [t('paper.missing', { codes: names(t, missing) })]
      : []),
  ]
}

/** How far seeds can lie apart, in a paper and in the run. @param {Words} t @param {Run} run */
export function seedFacts(t, run) {
  const length = 2 * run.length
  const spreads = [...run.codes].flatMap(([code, { finished, seeds, ...by }]) => {
    const [low, high] = [by.low[length - 1], by.high[length - 1]]
    return finished && seeds.length > 1 && low >= 0 ? [{ code, low, high }] : []
  })
  const [widest] = spreads.sort((a, b) => b.high - b.low - (a.high - a.low))
  return [
    t('paper.seeds', { seeds: SEEDS_OF_T5.join(', ') }),
    ...(widest
      ? [
          t('paper.spread', {
            length,
            code: t(`mode.${widest.code}`),
            low: percent(t, widest.low),
            high: percent(t, widest.high),
          }),
        ]
      : []),
  ]
}

/** @param {Verdict} found */
const pairsOf = ({ agree, against, close }) => ({
  agree,
  against,
  close,
  pairs: agree + against + close,
})

/**
 * @param {Words} t
 * @param {Run} run
 * @param {import('./verdict.js').Gain} judged
 * @param {string} task as it is called
 */
export function gainSentence(t, run, { verdict, reason, gain }, task) {
  const waiting = `paper.randomized.${run.randomized ? 'off' : 'on'}`
  const own = { task: 'paper.randomized.task', mask: maskKey(run), single: waiting }
  const why = reason && (own[/** @type {keyof typeof own} */ (reason)] ?? `paper.not.${reason}`)
  const signed = (100 * gain).toFixed(1).replace('-', '−')
  const measured = t('paper.randomized.gain', { gain: gain > 0 ? `+${signed}` : signed })
  if (verdict !== 'not') return measured
  return [t(/** @type {string} */ (why), { task }), Number.isNaN(gain) ? '' : measured].join(' ')
}

/** Where the papers disagree, in numbers of theirs. @param {Words} t */
export function quarrel(t) {
  const [alibi, ranking] = ORDERS
  const [[a, b]] = disagreements(alibi, ranking)
  const at = lastWithAll(alibi)
  const [ranked] = ranking.points
  /** @param {Published} paper @param {number | undefined} value */
  const printed = ({ places }, value) => (value ?? NaN).toFixed(places)
  /** @param {Readonly<Record<string, number>>} accuracies best first */
  const firstThree = (accuracies) =>
    Object.entries(accuracies)
      .slice(0, 3)
      .map(([code, accuracy]) => `${t(`mode.${code}`)} ${accuracy}`)
      .join(' > ')
  return [
    t('paper.quarrel.order', {
      a: t(`mode.${a}`),
      b: t(`mode.${b}`),
      length: at.length,
      onText: printed(alibi, at.values[a]),
      onTextToo: printed(alibi, at.values[b]),
      ranked: printed(ranking, ranked.values[a]),
      rankedToo: printed(ranking, ranked.values[b]),
      order: firstThree(COPY_TWICE),
      other: firstThree(REPEAT_TWICE),
    }),
    t('paper.quarrel.window'),
  ]
}

/** What each paper thinks most of. */
const FAVOURITES = /** @type {const} */ (['nope', 'alibi'])
/** Press et al. 2022, section 3: slopes 2^(-8 h / H). */
const SLOPE_EXPONENT = 8

/**
 * Where the models of this run are not those of the papers.
 * @param {Words} t
 * @param {Run} run
 * @param {import('../run/plan.js').PlanOptions} options
 */
export function gapFacts(t, run, options) {
  const fallen = FAVOURITES.filter((code) => {
    const known = run.codes.get(code)
    return known?.finished && known.seeds.length > 0 && !known.trained
  })
  return [
    ...fallen.map((code) =>
      t(`paper.gap.${code}`, {
        inside: percent(t, run.codes.get(code)?.inside ?? NaN),
        layers: options.layers,
      }),
    ),
    ...(options.alibiExponent !== SLOPE_EXPONENT
      ? [t('paper.gap.slopes', { exponent: options.alibiExponent })]
      : []),
    t('paper.gap.tokens'),
    t('paper.gap.test'),
  ]
}
