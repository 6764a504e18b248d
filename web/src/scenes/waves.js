// Waves: how a code comes about, pair by pair. What is computed and what is said.
import { keep } from './keep.js'
import { mountWaves } from './waves_view.js'
import { showTurn } from './waves_words.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./codes.js').Codes} Codes
 * @typedef {import('./codes.js').Matrix} Matrix
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('../text/text.js').TextKey} TextKey
 */

/**
 * A pair of dimensions between the seats, too, finely enough to be drawn as a curve.
 * @typedef {object} Curve
 * @property {Float32Array} sine
 * @property {Float32Array} cosine
 * @property {number} step seats from one sample to the next
 */

/**
 * @typedef {object} WavesModel
 * @property {'waves'} scene
 * @property {State} state
 * @property {Matrix} sinusoidal
 * @property {import('./codes.js').Learned} learned
 * @property {import('../engine/analysis_calls.js').Phasors} phasors at the cursor
 * @property {number[]} pairs shown as strips, fastest first
 * @property {Curve[]} curves one a strip
 */

/** More strips than this are too low to show a wave. */
const MOST_STRIPS = 8
/** Straight pieces a turn from which a curve is drawn. */
const SAMPLES_A_TURN = 48
const MOST_SAMPLES = 2400

/**
 * Pairs of dimensions from the fastest to the slowest, the one of the highlighted dimension among
 * them. A last sine without a cosine counts as a pair.
 * @param {number} dModel
 * @param {number} dimension
 * @returns {number[]}
 */
export function pickPairs(dModel, dimension) {
  const count = Math.ceil(dModel / 2)
  const strips = Math.min(count, MOST_STRIPS)
  const pairs = Array.from({ length: strips }, (_, i) =>
    strips === 1 ? 0 : Math.round((i * (count - 1)) / (strips - 1)),
  )
  const wanted = Math.floor(dimension / 2)
  if (wanted < count && !pairs.includes(wanted)) {
    // The first and the last stay: they are the span of the speeds.
    const inner = pairs.slice(1, -1)
    const nearest = inner.reduce((best, pair) =>
      Math.abs(pair - wanted) < Math.abs(best - wanted) ? pair : best,
    )
    pairs[pairs.indexOf(nearest)] = wanted
  }
  return pairs.sort((a, b) => a - b)
}

/**
 * @param {Codes} codes
 * @param {State} state
 * @param {import('./keep.js').Kept} [kept]
 * @returns {Promise<WavesModel>}
 */
async function compute(codes, state, kept = {}) {
  const { length, dModel, base, position } = state
  const pairs = pickPairs(dModel, state.dimension)
  const [sinusoidal, learned, phasors] = await Promise.all([
    codes.sinusoidal(state),
    codes.learned(state),
    codes.engine.pairPhasors({ dModel, base, position }),
  ])
  const curves = await keep(kept, 'curves', [length, dModel, base, ...pairs], () =>
    Promise.all(
      pairs.map((pair) =>
        curveOf(codes, length, phasors.frequency[pair], phasors.wavelength[pair]),
      ),
    ),
  )
  return { scene: 'waves', state, sinusoidal, learned, phasors, pairs, curves }
}

/**
 * The kernel has whole positions only. The wave between them is the same wave `fine` times as slow at
 * whole positions: the second pair of a code of 4 dimensions turns by base^(-1/2) a position, so that
 * base = (fine / frequency)^2 gives frequency / fine.
 * @param {Codes} codes
 * @param {number} length
 * @param {number} frequency radians a position
 * @param {number} wavelength
 * @returns {Promise<Curve>}
 */
async function curveOf({ engine }, length, frequency, wavelength) {
  const most = Math.max(3, Math.floor(MOST_SAMPLES / length))
  const fine = Math.min(most, Math.max(1, Math.ceil(SAMPLES_A_TURN / wavelength)))
  const count = (length - 1) * fine + 1
  const { data } = await engine.sinusoidal({
    length: count,
    dModel: 4,
    base: Math.max(1, (fine / frequency) ** 2),
  })
  const sine = new Float32Array(count)
  const cosine = new Float32Array(count)
  for (let i = 0; i < count; i += 1) {
    sine[i] = data[4 * i + 2]
    cosine[i] = data[4 * i + 3]
  }
  return { sine, cosine, step: 1 / fine }
}

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} state
 * @param {WavesModel} model
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, state, model) {
  const { position } = state
  const lead = t('beyond.say.lead', { position })
  const { key, failing } =
    state.mode === 'learned' ? learnedKey(state, model) : { key: turningKey(model), failing: false }
  const { wavelength } = model.phasors
  const { tMax, dModel, base, steps } = model.state
  const body = t(key, {
    position,
    last: model.learned.rows - 1,
    tMax,
    d: dModel,
    base,
    steps,
    fast: showTurn(wavelength[0]),
    slow: showTurn(wavelength[wavelength.length - 1]),
  })
  return { lead, body, failing }
}

/**
 * @param {State} state
 * @param {WavesModel} model
 * @returns {{ key: TextKey, failing: boolean }}
 */
function learnedKey({ position }, { learned, state }) {
  if (position >= learned.rows) return { key: 'waves.say.learned.none', failing: true }
  if (position >= state.tMax) return { key: 'waves.say.learned.untrained', failing: true }
  if (state.steps === 0) return { key: 'waves.say.learned.start', failing: false }
  return { key: 'waves.say.learned', failing: false }
}

/**
 * @param {WavesModel} model
 * @returns {TextKey}
 */
function turningKey({ state: { position, dModel, base } }) {
  if (dModel === 1) return 'waves.say.lone'
  if (dModel === 2) return 'waves.say.onehand'
  if (base === 1) return 'waves.say.alike'
  return position === 0 ? 'waves.say.zero' : 'waves.say.turning'
}

export const waves = Object.freeze({
  id: 'waves',
  fields: ['dModel', 'base', 'length', 'dimension', 'tMax', 'steps', 'seed'],
  compute,
  say,
  mount: mountWaves,
})
