// Similarity: how alike two rows are, and that for the sinusoidal code it depends on the offset alone.
// What is computed and what is said.
import { memo } from '../../kit/memo.js'
import { mountSimilarity } from './view.js'
import { shown } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/codes.js').Codes} Codes
 * @typedef {import('../../kit/codes.js').Matrix} Matrix
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../../engine/client.js').Phasors} Phasors
 * @typedef {import('../../engine/client.js').Spread} Spread
 */

/**
 * A row compared with every row.
 * @typedef {{ dot: Float64Array, cosine: Float64Array }} Curves
 */
/** Two rows compared. @typedef {{ dot: number, cosine: number }} Pair */

/**
 * @typedef {object} Compared
 * @property {(Curves | undefined)[]} curves of the first and of the second cursor; undefined where
 *   there is no row
 * @property {(Pair | undefined)[]} pairs each cursor's row with the one an offset further
 */

/**
 * @typedef {object} SimilarityModel
 * @property {'similarity'} scene
 * @property {State} state
 * @property {Compared} sinusoidal
 * @property {Compared & { rows: number }} learned
 * @property {import('../../kit/codes.js').Learned} table
 * @property {import('../../engine/client.js').Rotation} rotation
 * @property {{ from: Phasors, to: Phasors }[]} turns at each cursor and an offset further
 * @property {{ sinusoidal: Spread, learned: Spread }} spread the learned one of the trained rows
 */

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {import('../../kit/memo.js').Memory} [memory]
 * @returns {Promise<SimilarityModel>}
 */
async function compute(codes, state, memory = {}) {
  const { engine } = codes
  const { dModel, base, length, offset, tMax } = state
  const cursors = [state.position, state.position2]
  const [matrix, table] = await Promise.all([codes.sinusoidal(state), codes.learned(state)])
  const { values } = table
  if (memory.table?.key !== String(serialOf(values))) dropCurves(memory, 'learned')
  const trained = {
    data: values.data.subarray(0, tMax * dModel),
    shape: /** @type {[number, number]} */ ([tMax, dModel]),
  }
  const jobs = {
    table: memo(memory, 'table', [serialOf(values)], () => engine.rowSpread(trained)),
    spread: memo(memory, 'spread', [length, dModel, base], () =>
      engine.sinusoidalSpread({ length, dModel, base }),
    ),
    rotation: memo(memory, 'rotation', [dModel, base, offset], () =>
      engine.blockRotation({ dModel, base, offset }),
    ),
    curves: Promise.all(
      cursors.map((row, which) => formulaCurves(engine, memory, which, state, matrix, row)),
    ),
    table_curves: Promise.all(
      cursors.map((row, which) =>
        row < table.rows ? curvesOf(engine, memory, `learned${which}`, values, row) : undefined,
      ),
    ),
    pairs: Promise.all(cursors.map((row) => pairOf(engine, state, row))),
    turns: Promise.all(
      cursors.map(async (position) => {
        const [from, to] = await Promise.all([
          engine.pairPhasors({ dModel, base, position }),
          engine.pairPhasors({ dModel, base, position: position + offset }),
        ])
        return { from, to }
      }),
    ),
  }
  // All at once, so that no failure is left unheard while another is awaited.
  const [curves, tableCurves, pairs, turns, rotation, sinusoidalSpread, tableSpread] =
    await Promise.all([
      jobs.curves,
      jobs.table_curves,
      jobs.pairs,
      jobs.turns,
      jobs.rotation,
      jobs.spread,
      jobs.table,
    ])
  return {
    scene: 'similarity',
    state,
    sinusoidal: { curves, pairs },
    learned: {
      rows: table.rows,
      curves: tableCurves,
      pairs: cursors.map((row, which) => entryAt(tableCurves[which], row + offset)),
    },
    table,
    rotation,
    turns,
    spread: { sinusoidal: sinusoidalSpread, learned: tableSpread },
  }
}

/** @type {WeakMap<object, number>} */
const serials = new WeakMap()
let lastSerial = 0

/**
 * @param {Matrix} matrix
 * @returns {number} another one for every matrix
 */
function serialOf(matrix) {
  let serial = serials.get(matrix)
  if (serial === undefined) serials.set(matrix, (serial = lastSerial += 1))
  return serial
}

/** @param {import('../../kit/memo.js').Memory} memory @param {string} code */
function dropCurves(memory, code) {
  for (const which of [0, 1]) memory[code + which] = undefined
}

/**
 * @param {any} engine
 * @param {import('../../kit/memo.js').Memory} memory
 * @param {string} slot
 * @param {Matrix} matrix
 * @param {number} row
 * @returns {Promise<Curves>}
 */
function curvesOf(engine, memory, slot, matrix, row) {
  return memo(memory, slot, [serialOf(matrix), row], async () => {
    const [dot, cosine] = await Promise.all([
      engine.similarity({ ...matrix, row, measure: 'dot' }),
      engine.similarity({ ...matrix, row, measure: 'cosine' }),
    ])
    const { data, shape } = matrix
    const isZero = (/** @type {number} */ i) =>
      data.subarray(i * shape[1], (i + 1) * shape[1]).every((value) => value === 0)
    // The kernel gives 0 for a row of zeros, whose cosine is 0/0: the picture has a gap there.
    const defined = (/** @type {number} */ value, /** @type {number} */ i) =>
      value === 0 && (isZero(row) || isZero(i)) ? NaN : value
    return { dot, cosine: cosine.map(defined) }
  })
}

/**
 * Of the formula the kernel needs no rows: it is told where to compute them. With an even number of
 * dimensions all rows are equally long, and a dot product is a cosine but for that length.
 * @param {any} engine
 * @param {import('../../kit/memo.js').Memory} memory
 * @param {number} which cursor
 * @param {State} state
 * @param {Matrix} matrix
 * @param {number} row
 * @returns {Promise<Curves>}
 */
function formulaCurves(engine, memory, which, { dModel, base, length }, matrix, row) {
  if (dModel % 2 === 1) return curvesOf(engine, memory, `sinusoidal${which}`, matrix, row)
  return memo(memory, `sinusoidal${which}`, [dModel, base, length, row], async () => {
    const offsets = Int32Array.from({ length }, (_, position) => position - row)
    const dot = await engine.offsetProfile({ dModel, base, position: row, offsets })
    const own = dot[row]
    return { dot, cosine: dot.map((/** @type {number} */ value) => value / own) }
  })
}

/**
 * A row of the formula with the one an offset further, all in double precision, wherever it is.
 * @param {any} engine
 * @param {State} state
 * @param {number} position
 * @returns {Promise<Pair>}
 */
async function pairOf(engine, { dModel, base, offset }, position) {
  const [[own, dot], [other]] = await Promise.all([
    engine.offsetProfile({ dModel, base, position, offsets: [0, offset] }),
    engine.offsetProfile({ dModel, base, position: position + offset, offsets: [0] }),
  ])
  return { dot, cosine: dot / Math.sqrt(own * other) }
}

/**
 * @param {Curves | undefined} curves
 * @param {number} position
 * @returns {Pair | undefined}
 */
function entryAt(curves, position) {
  if (!curves || position >= curves.dot.length) return undefined
  return { dot: curves.dot[position], cosine: curves.cosine[position] }
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} state
 * @param {SimilarityModel} model
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, state, model) {
  const { position, position2, offset, measure } = model.state
  const lead = t('similarity.lead', { position, position2, offset })
  const formula = model.sinusoidal.pairs.map((pair) => shown(pair?.[measure]))
  const values = { position, position2, to: position + offset, to2: position2 + offset }
  if (state.mode === 'learned') {
    return { lead, ...sayLearned(t, model, formula) }
  }
  const [one, two] = formula
  if (formula.includes('–')) return { lead, body: t('similarity.say.undefined'), failing: false }
  return { lead, body: t(formulaKey(model, one === two), { ...values, one, two }), failing: false }
}

/**
 * @param {SimilarityModel} model
 * @param {boolean} same to as many places as are shown
 * @returns {TextKey}
 */
function formulaKey({ state: { position, position2, offset, measure, dModel } }, same) {
  if (position === position2) return 'similarity.say.one'
  if (dModel % 2 === 1) return same ? 'similarity.say.odd.equal' : 'similarity.say.odd'
  if (offset === 0) return 'similarity.say.zero'
  return measure === 'dot' ? 'similarity.say.same' : 'similarity.say.same.cosine'
}

/**
 * @param {Translate} t
 * @param {SimilarityModel} model
 * @param {string[]} formula the same two numbers of the sinusoidal code
 * @returns {{ body: string, failing: boolean }}
 */
function sayLearned(t, { state, table, learned }, formula) {
  const { position, position2, offset, measure, tMax, steps } = state
  const rows = [position, position + offset, position2, position2 + offset]
  const missing = rows.find((row) => row >= table.rows)
  if (missing !== undefined) {
    const [one, two] = formula
    const values = { one, two, missing, last: table.rows - 1 }
    return { body: t('similarity.say.learned.none', values), failing: true }
  }
  const [one, two] = learned.pairs.map((pair) => shown(pair?.[measure]))
  const untrained = rows.find((row) => row >= tMax)
  if (untrained !== undefined) {
    const values = { one, two, missing: untrained }
    return { body: t('similarity.say.learned.untrained', values), failing: true }
  }
  if (position === position2) {
    return { body: t('similarity.say.learned.one', { one }), failing: false }
  }
  if (one === two) {
    return { body: t('similarity.say.learned.equal', { one, steps }), failing: false }
  }
  const key = steps === 0 ? 'similarity.say.learned.start' : 'similarity.say.learned'
  return { body: t(key, { one, two, steps }), failing: false }
}

export const similarity = Object.freeze({
  id: 'similarity',
  /** Cursors, offset and steps have their own places in the figure. */
  fields: ['dModel', 'base', 'length', 'tMax', 'rate', 'seed'],
  compute,
  say,
  mount: mountSimilarity,
})
