// Paper says, your run says: the sentences.
import { ORDERS, disagreements, orderOf } from './lab_published.js'
import { LEARNED, accuraciesAt, matchingLength, meanOf } from './lab_verdict.js'

/**
 * @typedef {(key: string, values?: Record<string, string | number>) => string} Words
 * @typedef {import('./lab_published.js').Published} Published
 * @typedef {import('./lab_verdict.js').Run} Run
 * @typedef {import('./lab_verdict.js').Verdict} Verdict
 */

/**
 * @param {Words} t
 * @param {number} share
 */
export const percent = (t, share) => t('unit.percent', { value: Math.round(100 * share) })

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

/**
 * @param {Words} t
 * @param {Published} paper
 * @param {Run} run
 * @param {Verdict} found
 * @returns {string[]}
 */
export function cardFacts(t, paper, run, found) {
  const { reason, point, order, missing, untrained } = found
  const facts = []
  if (point && order.length > 1) {
    const length = matchingLength(paper, point.length, run.length)
    const shown = order.map((code) => {
      const known = /** @type {import('./lab_verdict.js').CodeRun} */ (run.codes.get(code))
      const mean = meanOf(accuraciesAt(known, length, run.length).values())
      return `${t(`mode.${code}`)} ${percent(t, mean)}`
    })
    facts.push(t('paper.order', { length, order: shown.join(' > ') }))
    const counted = pairsOf(found)
    if (reason && reason !== 'close' && counted.pairs > 0) facts.push(t('paper.pairs', counted))
  }
  if (untrained.length > 0) facts.push(t('paper.untrained', { codes: names(t, untrained) }))
  if (missing.length > 0 && run.codes.size > 0) {
    facts.push(t('paper.missing', { codes: names(t, missing) }))
  }
  return facts
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
 * @param {ReturnType<typeof import('./lab_verdict.js').judgeGain>} judged
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

/**
 * Where the papers disagree, in numbers of theirs.
 * @param {Words} t
 * @returns {string[]}
 */
export function quarrel(t) {
  const [alibi, ranking, twice] = ORDERS
  const [[a, b]] = disagreements(alibi, ranking)
  const at = alibi.points.filter(({ values }) => values[b] !== undefined).at(-1)
  const [ranked] = ranking.points
  return [
    t('paper.quarrel.order', {
      a: t(`mode.${a}`),
      b: t(`mode.${b}`),
      length: at?.length ?? 0,
      onText: at?.values[a] ?? 0,
      onTextToo: at?.values[b] ?? 0,
      ranked: ranked.values[a] ?? 0,
      rankedToo: ranked.values[b] ?? 0,
      order: orderOf(twice, twice.points[0])
        .slice(0, 3)
        .map((code) => t(`mode.${code}`))
        .join(' > '),
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
 * @param {import('./lab_plan.js').PlanOptions | undefined} options
 * @returns {string[]}
 */
export function gapFacts(t, run, options) {
  const fallen = FAVOURITES.filter((code) => {
    const known = run.codes.get(code)
    return known?.finished && known.inside < LEARNED
  })
  return [
    ...fallen.map((code) =>
      t(`paper.gap.${code}`, {
        inside: percent(t, run.codes.get(code)?.inside ?? NaN),
        layers: options?.layers ?? 1,
      }),
    ),
    ...(options && options.alibiExponent !== SLOPE_EXPONENT
      ? [t('paper.gap.slopes', { exponent: options.alibiExponent })]
      : []),
    t('paper.gap.tokens'),
    t('paper.gap.test'),
  ]
}
