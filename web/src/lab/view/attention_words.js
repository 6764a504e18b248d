// What is said of the attention of a head, and the tables of its numbers.
import { formatNumber } from '../../text/text.js'
import { answerText, tokenText, tokensOf } from './tokens.js'
import { largestAbsolute, numberCell } from '../../kit/numbers.js'

/**
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../run/plan.js').PlanOptions} PlanOptions
 */

/**
 * @typedef {object} Example
 * @property {number} length T, tokens
 * @property {Int32Array} tokens
 * @property {Int32Array} targets -1: none
 * @property {Int32Array} predictions
 * @property {Float32Array} weights (T, T), row = query
 * @property {Float32Array} columns the same key by key, NaN where a query may not look
 */

/**
 * @typedef {object} Seen what is looked at, and in which model
 * @property {string} task
 * @property {string} code
 * @property {number} seed
 * @property {number} step
 * @property {number} layer from 0
 * @property {number} head from 0
 * @property {PlanOptions} plan
 * @property {number} past the longer length that was asked for
 * @property {Example[]} examples
 * @property {string} change what the reader has done to the model, in words; empty where nothing
 */

/**
 * @typedef {object} Panel
 * @property {string} title
 * @property {string} score
 * @property {number} count tokens
 * @property {number} trained tokens of the longest sequence of training
 * @property {Float32Array | null} columns
 * @property {string[]} tokens
 * @property {{ said: string, wanted: string, right: boolean }[]} answers
 * @property {number} largest weight
 * @property {number} right answers
 * @property {number} asked
 * @property {string} [missing]
 * @property {Example} [example]
 */

/**
 * @param {Translate} t
 * @param {Seen} seen
 * @returns {Panel[]} one as long as the training, one longer
 */
export function panelsOf(t, { task, plan, past, examples }) {
  const { length, vocabulary } = plan
  const trained = tokensOf(task, length)
  const panels = examples.map((example, i) => {
    const { length: count, columns, tokens, targets, predictions } = example
    const answers = Array.from(targets, (target, at) => ({
      wanted: answerText(t, task, target, vocabulary),
      said: answerText(t, task, predictions[at], vocabulary),
      right: target === predictions[at],
    }))
    const asked = answers.filter(({ wanted }) => wanted !== '').length
    const right = answers.filter((one) => one.wanted !== '' && one.right).length
    return {
      title: titleOf(t, i, i === 0 ? length : past),
      score: t('inside.attention.score', { right, asked }),
      count,
      trained,
      columns,
      tokens: Array.from(tokens, (id) => tokenText(task, id, vocabulary)),
      answers,
      largest: largestAbsolute(example.weights),
      right,
      asked,
      example,
    }
  })
  if (panels.length !== 1) return panels
  const none = { columns: null, tokens: [], answers: [], largest: 0, right: 0, asked: 0, score: '' }
  const missing = t('inside.attention.norow', { row: trained, rows: trained })
  const count = tokensOf(task, past)
  return [...panels, { ...none, title: titleOf(t, 1, past), count, trained, missing }]
}

/** @param {Translate} t @param {number} which @param {number} length */
const titleOf = (t, which, length) =>
  t(which === 0 ? 'inside.attention.inside' : 'inside.attention.past', { length })

/**
 * @param {Translate} t
 * @param {Seen} seen
 * @param {Panel[]} panels
 * @param {{ panel: number, query: number, key: number } | undefined} over the cell under the pointer
 * @returns {import('../../kit/figure.js').FigureWords}
 */
export function exampleWords(t, seen, panels, over) {
  const { layer, head, step, seed, change } = seen
  const values = { layer: layer + 1, head: head + 1, step, seed }
  const most = Math.max(...panels.map(({ largest }) => largest))
  const name = t('inside.attention', values)
  const lines = panels.map((panel) => summaryOf(t, panel))
  return {
    name,
    note: [change, t('inside.attention.note', { most: formatNumber(most, 2) })]
      .filter(Boolean)
      .join(' · '),
    readout: over && readoutOf(t, panels[over.panel], over),
    summary: [t('inside.attention.summary', values), change, ...lines].filter(Boolean).join(' '),
  }
}

/** @param {Translate} t @param {Panel} panel */
function summaryOf(t, { title, missing, right, asked, example, tokens, count }) {
  if (!example) return `${title}: ${missing}`
  const query = count - 1
  const key = strongest(example, query)
  return t('inside.attention.summary.panel', {
    title,
    right,
    asked,
    query,
    key,
    token: tokens[key],
    weight: formatNumber(example.weights[query * count + key], 2),
  })
}

/** @param {Translate} t @param {Panel} panel @param {{ query: number, key: number }} at */
function readoutOf(t, { count, tokens, example }, { query, key }) {
  const weight = example?.columns[key * count + query] ?? NaN
  const from = t('inside.attention.token', { at: query, token: tokens[query] })
  const to = t('inside.attention.token', { at: key, token: tokens[key] })
  const value = Number.isNaN(weight) ? t('biases.unseen') : formatNumber(weight, 3)
  return `${from} → ${to}: ${value}`
}

/** @param {Example} example @param {number} query @returns {number} the key with the largest weight */
function strongest({ weights, length }, query) {
  let best = 0
  for (let key = 1; key < length; key += 1) {
    if (weights[query * length + key] > weights[query * length + best]) best = key
  }
  return best
}

/**
 * A line a query: what stands there, what is said, and where it looks most; whole, all its weights.
 * @param {Translate} t
 * @param {Panel[]} panels
 * @param {boolean} [whole]
 * @returns {import('../../kit/figure.js').NumberTable}
 */
export function exampleTable(t, panels, whole = false) {
  const found = panels.filter(({ example }) => example)
  const widest = Math.max(0, ...found.map(({ count }) => count))
  const keys = whole ? Array.from({ length: widest }, (_, key) => String(key)) : []
  return {
    caption: t('inside.attention.table'),
    columns: [
      t('inside.axis.query'),
      t('inside.table.tokens'),
      t('inside.table.token'),
      t('inside.table.wanted'),
      t('inside.table.said'),
      t('inside.table.strongest'),
      t('inside.table.weight'),
      ...keys,
    ],
    rows: found.flatMap(({ example, count, tokens, answers }) =>
      answers.map(({ wanted, said, right }, query) => {
        const { weights } = /** @type {Example} */ (example)
        const key = strongest(/** @type {Example} */ (example), query)
        const mark = wanted === '' ? '' : right ? ' ✓' : ' ✗'
        return [
          query,
          count,
          tokens[query],
          wanted || '–',
          wanted === '' ? '–' : said + mark,
          key,
          numberCell(weights[query * count + key]),
          ...keys.map((_, i) => numberCell(i < count ? weights[query * count + i] : undefined)),
        ]
      }),
    ),
  }
}
