// What a head looks at: an example as long as those of the training, and a longer one beside it.
import { drawAttention, squareOf } from '../../charts/attention.js'
import { formatNumber } from '../../text/text.js'
import { largestAbsolute, numberCell } from '../../kit/numbers.js'
import { latestWish } from '../run/latest.js'
import { testOptionsOf } from '../run/plan.js'
import { AFTER, refusedText } from '../words.js'
import { changeText } from './after.js'
import { answerText, tokenText, tokensOf } from './tokens.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../run/race.js').Race} Race
 * @typedef {import('../run/entry.js').Entry} Entry
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

/** The two squares are beside each other in a picture that is so much wider than high. */
const WIDE = 1.2
/** Weights of less than this have no colour to speak of. */
const LEAST_LIMIT = 0.05

/**
 * @typedef {object} Wish
 * @property {Race} race
 * @property {Entry} entry
 * @property {number[]} lengths
 * @property {Record<string, unknown>} options
 * @property {Omit<Seen, 'examples'>} seen
 */

/**
 * Asks for what a head looks at, and keeps the last answer.
 * @param {import('../scene.js').LabScope} scope
 */
export function createAttention({ t, refresh, signal }) {
  const queue = latestWish({
    async ask(/** @type {Wish} */ { race, entry, lengths, options }) {
      // One after the other: a race drops what was asked of a model when more is asked of it.
      const answers = []
      for (const length of lengths) {
        answers.push(await race.attention(entry, { ...options, length }))
      }
      return answers
    },
    arrived(answers, { entry, seen }) {
      const examples = answers.map((one) => ({ ...one, columns: turned(one, seen.plan.causal) }))
      const now = { ...seen, examples }
      attention.shown = { entry, seen: now, panels: panelsOf(t, now) }
      attention.refusal = ''
      refresh()
    },
    failed(error) {
      attention.refusal = refusedText(t, error, AFTER)
      refresh()
    },
  })
  signal.addEventListener('abort', queue.close)
  /** @type {Race['plan']} */
  let plan

  const attention = {
    /** @type {{ entry: Entry, seen: Seen, panels: Panels } | undefined} */
    shown: undefined,
    refusal: '',
    caches: [{}, {}],
    /** @param {State} state @param {Race} race @param {Entry | undefined} entry that can be looked into */
    ask(state, race, entry) {
      // What was refused of another run says nothing of this one.
      if (race.plan !== plan || !entry) {
        queue.forget()
        attention.refusal = ''
      }
      plan = race.plan
      if (attention.shown?.entry !== entry) attention.shown = undefined
      if (!entry || !plan) return
      const { options } = plan
      const layer = Math.min(state.labLayer, options.layers - 1)
      const head = Math.min(state.labHead, options.heads - 1)
      const test = testOptionsOf(state, entry.code)
      const past = pastOf(state, options)
      // Where the table has no row there is nothing to look at.
      const wall = Object.keys(test).length > 0 ? 0 : (entry.info?.wall ?? 0)
      const lengths = wall > 0 && past >= wall ? [options.length] : [options.length, past]
      // While it trains, the model is looked at as it stood a while ago.
      const { task, code, seed, snapshotStep: step, index } = entry
      const asked = { layer, head, example: state.labExample, ...test }
      const key = JSON.stringify([index, seed, step, lengths, asked])
      const change = changeText(t, state)
      const seen = { task, code, seed, step, layer, head, plan: options, past, change }
      queue.wish(key, { race, entry, lengths, options: asked, seen })
    },
  }
  return attention
}

/** @type {import('../scene.js').LabFigure} */
export const attention = {
  className: 'inside-attention',
  hue: 'hue-none',
  classes: ({ own }) => `hue-${own.attention.shown?.entry.code}`,
  hovers: true,
  marks(scope) {
    const { t, own, theme, plot } = scope
    const { shown, caches } = own.attention
    if (!shown) return []
    const over = cellUnder(scope)
    /** @type {Panels} */
    const panels = shown.panels
    const limit = Math.max(LEAST_LIMIT, ...panels.map(({ largest }) => largest))
    return panels.map(
      (panel, i) => () =>
        drawAttention(plot.ctx, {
          ...panel,
          rect: placesIn(plot)[i],
          limit,
          label: t('inside.axis.key'),
          side: t('inside.axis.query'),
          cursor: over?.panel === i ? over : undefined,
          theme,
          cache: caches[i],
        }),
    )
  },
  words(scope) {
    const { shown } = scope.own.attention
    return shown ? exampleWords(scope.t, shown.seen, shown.panels, cellUnder(scope)) : {}
  },
  table: ({ t, own }, whole) => exampleTable(t, own.attention.shown?.panels ?? [], whole),
  matrix({ own }) {
    const last = own.attention.shown?.seen.examples.at(-1)
    return last && { data: last.weights, shape: [last.length, last.length] }
  },
}

/** Where the two examples stand. @param {import('../../charts/core/canvas.js').Frame} frame */
function placesIn({ width, height, theme }) {
  const gap = 18.75 * theme.typeScale
  const beside = width > WIDE * height
  return [0, 1].map((i) =>
    beside
      ? { x: (i * (width + gap)) / 2, y: 0, width: (width - gap) / 2, height }
      : { x: 0, y: (i * height) / 2, width, height: height / 2 },
  )
}

/** @param {Pick<import('../scene.js').LabScope, 'hover' | 'own'>} scope */
function cellUnder({ hover, own }) {
  if (hover?.figure !== 'attention' || !own.attention.shown) return undefined
  const { plot, point } = hover
  const found = placesIn(plot).flatMap((rect, panel) => {
    const square = squareOf(rect, plot.theme.typeScale)
    const { count, columns } = own.attention.shown.panels[panel]
    const key = Math.floor(((point.x - square.x) / square.width) * count)
    const query = Math.floor(((point.y - square.y) / square.height) * count)
    const inside = [key, query].every((at) => at >= 0 && at < count)
    return columns && inside ? [{ panel, query, key }] : []
  })
  return found.at(-1)
}

/**
 * The length of the longer example: what the reader set, or twice that of the training.
 * @param {State} state
 * @param {import('../run/plan.js').PlanOptions} plan
 */
export function pastOf({ labAt }, { length, reach }) {
  return Math.min(labAt > length ? labAt : 2 * length, length * reach)
}

/**
 * Weights as a picture has them, keys along x: key by key. What a query may not look at is no weight
 * of zero.
 * @param {{ length: number, weights: Float32Array }} example row = query
 * @param {boolean} causal
 */
function turned({ length: n, weights }, causal) {
  const columns = new Float32Array(n * n)
  for (let query = 0; query < n; query += 1) {
    for (let key = 0; key < n; key += 1) {
      columns[key * n + query] = causal && key > query ? NaN : weights[query * n + key]
    }
  }
  return columns
}

/** One example as long as the training, one longer. @param {Translate} t @param {Seen} seen */
function panelsOf(t, { task, plan, past, examples }) {
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
function exampleWords(t, { layer, head, step, seed, change }, panels, over) {
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
function exampleTable(t, panels, whole) {
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
