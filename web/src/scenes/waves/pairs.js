// Waves: which pairs of dimensions are shown, their curves between the seats, and seat numbers in binary.

/**
 * A pair of dimensions between the seats, too, finely enough to be drawn as a curve.
 * @typedef {object} Curve
 * @property {Float32Array} sine
 * @property {Float32Array} cosine
 * @property {number} step seats from one sample to the next
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
 * The kernel has whole positions only. The wave between them is the same wave `fine` times as slow at
 * whole positions: the second pair of a code of 4 dimensions turns by base^(-1/2) a position, so that
 * base = (fine / frequency)^2 gives frequency / fine.
 * @param {any} engine
 * @param {number} length
 * @param {number} frequency radians a position
 * @param {number} wavelength
 * @returns {Promise<Curve>}
 */
export async function curveOf(engine, length, frequency, wavelength) {
  const most = Math.max(3, Math.floor(MOST_SAMPLES / length))
  const fine = Math.min(most, Math.max(1, Math.ceil(SAMPLES_A_TURN / wavelength)))
  const count = (length - 1) * fine + 1
  const base = Math.max(1, (fine / frequency) ** 2)
  const { data } = await engine.sinusoidal({ length: count, dModel: 4, base })
  const column = (/** @type {number} */ at) =>
    Float32Array.from({ length: count }, (_, i) => data[4 * i + at])
  return { sine: column(2), cosine: column(3), step: 1 / fine }
}

/** As many bits as the last seat needs. @param {number} length */
const bitCount = (length) => (length - 1).toString(2).length

/**
 * @param {number} length
 * @returns {{ data: Float32Array, shape: [number, number] }} the digits of every seat number, ones first
 */
export function bitMatrix(length) {
  const bits = bitCount(length)
  const data = Float32Array.from(
    { length: length * bits },
    (_, i) => (Math.floor(i / bits) >> (i % bits)) & 1,
  )
  return { data, shape: [length, bits] }
}

// Making a format is slow, and these are written in every frame.
const DIGITS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/**
 * @param {number} wavelength positions a turn
 * @returns {string} three digits, or whole seats in groups of thousands
 */
export const showTurn = (wavelength) => (wavelength < 1000 ? DIGITS : WHOLE).format(wavelength)
