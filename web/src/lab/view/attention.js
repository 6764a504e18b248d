// What a head looks at: an example as long as those of the training, and a longer one beside it.
import { drawAttention, squareOf } from '../../charts/attention.js'
import { withPatch } from '../../state/state.js'
import { createFigure } from '../../kit/figure.js'
import { exampleTable, exampleWords, panelsOf } from './attention_words.js'
import { countChips, sliderOf } from './choices.js'
import { latestWish } from '../run/latest.js'
import { testOptionsOf } from '../run/plan.js'
import { scaleUnder } from './table.js'
import { AFTER, refusedText } from '../words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../charts/core/canvas.js').Frame} Frame
 * @typedef {import('../run/race.js').Race} Race
 * @typedef {import('../run/entry.js').Entry} Entry
 * @typedef {import('../run/plan.js').PlanOptions} PlanOptions
 * @typedef {import('./attention_words.js').Seen} Seen
 * @typedef {import('./attention_words.js').Panel} Panel
 */

/** The two squares are beside each other in a picture that is so much wider than high. */
const WIDE = 1.2
/** Examples that the state knows. */
const EXAMPLES = 64
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
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {(state: State) => string} changeOf what the reader has done to the model, in words
 */
export function mountAttention(host, changeOf) {
  const { el, t, setText } = host
  let state = host.state()
  /** @type {PlanOptions | undefined} */
  let plan
  /** @type {{ entry: Entry, seen: Seen, panels: Panel[] } | undefined} */
  let shown
  /** @type {{ panel: number, query: number, key: number } | undefined} */
  let over
  let refusal = ''
  const caches = [{}, {}]

  /** @param {Partial<State>} patch */
  const accept = (patch) => host.accept(withPatch(host.state(), patch))

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
      shown = { entry, seen: now, panels: panelsOf(t, now) }
      refusal = ''
      speak()
    },
    failed(error) {
      refusal = refusedText(t, error, AFTER)
      speak()
    },
  })

  const figure = createFigure(host, {
    className: 'inside-attention',
    hue: 'hue-none',
    draw,
    onPointer: (event, point) => aim(event, point),
    table: (whole) => exampleTable(t, shown?.panels ?? [], whole),
    matrix: () => {
      const last = shown?.seen.examples.at(-1)
      return last && { data: last.weights, shape: [last.length, last.length] }
    },
  })
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const layers = countChips(host, 'labLayer')
  const heads = countChips(host, 'labHead')
  const another = el('button', {
    type: 'button',
    class: 'quiet',
    onclick: () => accept({ labExample: (host.state().labExample + 1) % EXAMPLES }),
  })
  const longer = sliderOf(host, {
    label: t('inside.attention.at'),
    bounds: () =>
      plan ? { min: plan.length + 1, max: plan.length * plan.reach } : { min: 0, max: 0 },
    read: () => (plan ? pastOf(state, plan) : 0),
    write: (labAt) => accept({ labAt }),
    say: String,
  })
  const element = el(
    'div',
    { class: 'attention', hidden: true },
    figure.element,
    problem,
    el('div', { class: 'choices' }, longer.element, layers.element, heads.element, another),
  )

  /** @param {{ width: number, height: number, typeScale: number }} picture */
  function placesIn({ width, height, typeScale }) {
    const px = 12.5 * typeScale
    const gap = 1.5 * px
    const beside = width > WIDE * height
    return [0, 1].map((i) =>
      beside
        ? { x: (i * (width + gap)) / 2, y: 0, width: (width - gap) / 2, height }
        : { x: 0, y: (i * height) / 2, width, height: height / 2 },
    )
  }

  /** @param {Frame} frame */
  function draw({ ctx, width, height, theme }) {
    if (!shown) return
    const { panels } = shown
    const places = placesIn({ width, height, typeScale: theme.typeScale })
    const limit = Math.max(LEAST_LIMIT, ...panels.map(({ largest }) => largest))
    panels.forEach((panel, i) => {
      drawAttention(ctx, {
        ...panel,
        rect: places[i],
        limit,
        label: t('inside.axis.key'),
        side: t('inside.axis.query'),
        cursor: over?.panel === i ? over : undefined,
        theme,
        cache: caches[i],
      })
    })
  }

  /** @param {PointerEvent} event @param {{ x: number, y: number }} point */
  function aim(event, point) {
    if (!shown) return
    const { panels } = shown
    const { clientWidth: width, clientHeight: height } = figure.picture
    const typeScale = scaleUnder(figure.picture)
    over = undefined
    placesIn({ width, height, typeScale }).forEach((rect, panel) => {
      const square = squareOf(rect, typeScale)
      const { count, columns } = panels[panel]
      const key = Math.floor(((point.x - square.x) / square.width) * count)
      const query = Math.floor(((point.y - square.y) / square.height) * count)
      const inside = [key, query].every((at) => at >= 0 && at < count)
      if (columns && inside && event.type !== 'pointerleave') over = { panel, query, key }
    })
    speak()
  }

  function speak() {
    problem.hidden = refusal === ''
    setText(problem, refusal)
    element.hidden = !shown && refusal === ''
    figure.element.hidden = !shown
    if (!shown) return
    figure.say(exampleWords(t, shown.seen, shown.panels, over))
    figure.invalidate()
  }

  /** @param {Race} race @param {Entry} entry */
  function ask(race, entry) {
    const { options } = /** @type {NonNullable<Race['plan']>} */ (race.plan)
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
    const change = changeOf(state)
    const seen = { task, code, seed, step, layer, head, plan: options, past, change }
    queue.wish(key, { race, entry, lengths, options: asked, seen })
  }

  return {
    element,
    /** @param {State} next */
    sync(next) {
      state = next
      setText(another, t('inside.attention.another', { n: state.labExample + 1 }))
      if (!plan) return
      layers.sync(Math.min(state.labLayer, plan.layers - 1), plan.layers)
      heads.sync(Math.min(state.labHead, plan.heads - 1), plan.heads)
      longer.sync()
    },
    /** @param {Race} race @param {Entry | undefined} entry that can be looked into */
    show(race, entry) {
      const before = plan
      plan = race.plan?.options
      if (plan !== before) {
        // What was refused of another run says nothing of this one.
        queue.forget()
        refusal = ''
        this.sync(state)
      }
      if (shown && shown.entry !== entry) shown = undefined
      if (entry) {
        figure.element.className = `figure inside-attention hue-${entry.code}`
        ask(race, entry)
      } else {
        queue.forget()
        refusal = ''
      }
      speak()
    },
    invalidate: () => figure.invalidate(),
    destroy() {
      queue.close()
      figure.destroy()
    },
  }
}

/**
 * The length of the longer example: what the reader set, or twice that of the training.
 * @param {State} state
 * @param {PlanOptions} plan
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
