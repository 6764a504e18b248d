// What the kernel is asked for: two rows with every row, and each with the one an offset further.
import { memo } from '../../kit/memo.js'

/**
 * A row compared with every row.
 * @typedef {{ dot: Float64Array, cosine: Float64Array }} Curves
 */
/** Two rows compared. @typedef {{ dot: number, cosine: number }} Pair */
/** @import { Matrix } from '../../kit/codes.js' */
/** @import { Memory } from '../../kit/memo.js' */

/**
 * @param {import('../../kit/codes.js').Codes} codes
 * @param {import('../../state/state.js').State} state
 * @param {Memory} memory
 */
export async function compare(codes, state, memory) {
  const { engine } = codes
  const { dModel, base, length, offset, tMax, position, position2 } = state
  const cursors = [position, position2]
  const table = await codes.learned(state)
  const { values } = table
  const trained = {
    data: values.data.subarray(0, tMax * dModel),
    shape: /** @type {[number, number]} */ ([tMax, dModel]),
  }
  const phasorsAt = (/** @type {number} */ at) => engine.pairPhasors({ dModel, base, position: at })
  const formulaCurves = (/** @type {number} */ row, /** @type {number} */ which) =>
    memo(memory, `sinusoidal${which}`, [dModel, base, length, row], () => {
      const offsets = Int32Array.from({ length }, (_, at) => at - row)
      return engine.numbers.offsetSimilarity({ dModel, base, position: row, offsets })
    })
  // All at once, so that no failure is left unheard while another is awaited.
  const [curves, tableCurves, pairs, turns, rotation, formula, learned] = await Promise.all([
    Promise.all(cursors.map(formulaCurves)),
    Promise.all(
      cursors.map((row, which) =>
        row < table.rows ? curvesOf(engine, memory, `learned${which}`, values, row) : undefined,
      ),
    ),
    Promise.all(cursors.map((row) => pairOf(engine, state, row))),
    Promise.all(
      cursors.map(async (row) => {
        const [from, to] = await Promise.all([phasorsAt(row), phasorsAt(row + offset)])
        return { from, to }
      }),
    ),
    memo(memory, 'rotation', [dModel, base, offset], () =>
      engine.blockRotation({ dModel, base, offset }),
    ),
    memo(memory, 'spread', [length, dModel, base], () =>
      engine.sinusoidalSpread({ length, dModel, base }),
    ),
    memo(memory, 'table', [serialOf(values)], () => engine.rowSpread(trained)),
  ])
  return {
    sinusoidal: { curves, pairs, spread: formula },
    learned: {
      rows: table.rows,
      curves: tableCurves,
      pairs: cursors.map((row, which) => entryAt(tableCurves[which], row + offset)),
      spread: learned,
    },
    ...{ rotation, turns },
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
  if (!serials.has(matrix)) serials.set(matrix, (lastSerial += 1))
  return serials.get(matrix) ?? 0
}

/**
 * @param {any} engine
 * @param {Memory} memory
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
 * A row of the formula with the one an offset further, all in double precision, wherever it is.
 * @param {any} engine
 * @param {import('../../state/state.js').State} state
 * @param {number} position
 * @returns {Promise<Pair>}
 */
async function pairOf(engine, { dModel, base, offset }, position) {
  const at = { dModel, base, position, offsets: [offset] }
  const { dot, cosine } = await engine.numbers.offsetSimilarity(at)
  return { dot: dot[0], cosine: cosine[0] }
}

/** @param {Curves | undefined} curves @param {number} position @returns {Pair | undefined} */
function entryAt(curves, position) {
  if (!curves || position >= curves.dot.length) return undefined
  return { dot: curves.dot[position], cosine: curves.cosine[position] }
}
