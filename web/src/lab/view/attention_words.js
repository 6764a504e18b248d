// What is said of the attention of a head, and the tables of its numbers.
import { formatNumber } from '../../text/text.js'
import { largestAbsolute, numberCell } from '../../kit/numbers.js'
import { answerText, tokenText, tokensOf } from './tokens.js'

/**
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {ReturnType<typeof panelsOf>} Panels
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
 * @property {import('../run/plan.js').PlanOptions} plan
 * @property {number} past the longer length that was asked for
 * @property {Example[]} examples as long as the training, and longer where there are rows for it
 * @property {string} change what the reader has done to the model, in words; empty where nothing
 */

/**
 * One example as long as the training, one longer.
 * @param {Translate} t
 * @param {Seen} seen
 */
export function panelsOf(t, { task, plan, past, examples }) {
  const { length, vocabulary } = plan
  const trained = tokensOf(task, length)
  return [length, past].map((tokens, i) => {
    const example = examples[i]
    const panel = {
      title: t(i === 0 ? 'inside.attention.inside' : 'inside.attention.past', { length: tokens }),
      trained,
    }
    if (!example) {
      const missing = t('inside.attention.norow', { row: trained, rows: trained })
      const empty = { tokens: [], answers: [], largest: 0, right: 0, asked: 0, score: '' }
      return { ...panel, ...empty, count: tokensOf(task, past), columns: null, missing, example }
    }
    const answers = Array.from(example.targets, (target, at) => ({
      wanted: answerText(t, task, target, vocabulary),
      said: answerText(t, task, example.predictions[at], vocabulary),
      right: target === example.predictions[at],
    }))
    const asked = answers.filter(({ wanted }) => wanted !== '')
    const right = asked.filter((one) => one.right).length
    return {
      ...panel,
      score: t('inside.attention.score', { right, asked: asked.length }),
      count: example.length,
      columns: example.columns,
      tokens: Array.from(example.tokens, (id) => tokenText(task, id, vocabulary)),
      answers,
      largest: largestAbsolute(example.weights),
      right,
      asked: asked.length,
      missing: undefined,
      example,
    }
  })
}

/**
 * @param {Translate} t
 * @param {Seen} seen
 * @param {Panels} panels
 * @param {{ panel: number, query: number, key: number } | undefined} over the cell under the pointer
 */
export function exampleWords(t, { layer, head, step, seed, change }, panels, over) {
  const values = { layer: layer + 1, head: head + 1, step, seed }
  const most = formatNumber(Math.max(...panels.map(({ largest }) => largest)), 2)
  const told = (/** @type {string[]} */ ...lines) => lines.filter(Boolean)
  return {
    name: t('inside.attention', values),
    note: told(change, t('inside.attention.note', { most })).join(' · '),
    readout: over && readoutOf(t, panels[over.panel], over),
    summary: told(
      t('inside.attention.summary', values),
      change,
      ...panels.map((panel) => summaryOf(t, panel)),
    ).join(' '),
  }
}

/** @param {Translate} t @param {Panels[0]} panel */
function summaryOf(t, { title, missing, right, asked, example, tokens, count }) {
  if (!example) return `${title}: ${missing}`
  const query = count - 1
  const key = strongest(example, query)
  const weight = formatNumber(example.weights[query * count + key], 2)
  const token = tokens[key]
  return t('inside.attention.summary.panel', { title, right, asked, query, key, token, weight })
}

/** @param {Translate} t @param {Panels[0]} panel @param {{ query: number, key: number }} at */
function readoutOf(t, { count, tokens, columns }, { query, key }) {
  const weight = columns?.[key * count + query] ?? NaN
  const [from, to] = [query, key].map((at) =>
    t('inside.attention.token', { at, token: tokens[at] }),
  )
  const value = Number.isNaN(weight) ? t('biases.unseen') : formatNumber(weight, 3)
  return `${from} → ${to}: ${value}`
}

/** @param {Example} example @param {number} query @returns {number} the key with the largest weight */
function strongest({ weights, length }, query) {
  const row = weights.subarray(query * length, (query + 1) * length)
  return row.indexOf(Math.max(...row))
}

/**
 * A line a query: what stands there, what is said, and where it looks most; whole, all its weights.
 * @param {Translate} t
 * @param {Panels} panels
 * @param {boolean} whole
 */
export function exampleTable(t, panels, whole) {
  const widest = Math.max(0, ...panels.map(({ example }) => example?.length ?? 0))
  const keys = Array.from({ length: whole ? widest : 0 }, (_, key) => String(key))
  const heads = ['axis.query', 'table.tokens', 'table.token', 'table.wanted', 'table.said']
  return {
    caption: t('inside.attention.table'),
    columns: [
      ...[...heads, 'table.strongest', 'table.weight'].map((key) => t(`inside.${key}`)),
      ...keys,
    ],
    rows: panels.flatMap(({ example, count, tokens, answers }) =>
      answers.map(({ wanted, said, right }, query) => {
        const key = strongest(example, query)
        const row = example.weights.subarray(query * count, (query + 1) * count)
        return [
          query,
          count,
          tokens[query],
          wanted || '–',
          wanted === '' ? '–' : said + (right ? ' ✓' : ' ✗'),
          key,
          ...[row[key], ...keys.map((_, i) => row[i])].map((value) => numberCell(value)),
        ]
      }),
    ),
  }
}
