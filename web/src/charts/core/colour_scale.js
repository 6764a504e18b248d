/**
 * The diverging value colours: low - neutral - high, mixed in OKLab so that equal steps of value
 * look like equal steps of colour, and symmetric about zero.
 * OKLab: Björn Ottosson 2020, https://bottosson.github.io/posts/oklab/
 */

/** @typedef {[number, number, number]} Rgb  sRGB, each 0..255 */

/** 255 steps on either side of one neutral entry. */
export const paletteSize = 511
export const neutralIndex = 255

/** @type {Map<string, Uint32Array>} */
const palettes = new Map()
const palettesKept = 12

/** @param {number} channel 0..255 */
function toLinear(channel) {
  const c = channel / 255
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
}

/** @param {number} light linear light */
function toChannel(light) {
  const c = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
  return Math.round(Math.min(1, Math.max(0, c)) * 255)
}

/**
 * @param {Rgb} rgb
 * @returns {[number, number, number]} L, a, b
 */
export function toOklab([red, green, blue]) {
  const r = toLinear(red)
  const g = toLinear(green)
  const b = toLinear(blue)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** @param {readonly [number, number, number]} lab @returns {Rgb} */
export function fromOklab([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    toChannel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toChannel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toChannel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

/**
 * The palette of three colours, as the 32-bit words of an ImageData (little-endian: A B G R).
 * Entry 255 is the neutral colour to the bit; entries 0 and 510 are the two ends.
 * @param {Rgb} low
 * @param {Rgb} middle
 * @param {Rgb} high
 * @returns {Uint32Array} 511 entries; shared, so do not write to it
 */
export function diverging(low, middle, high) {
  const key = `${low} ${middle} ${high}`
  const known = palettes.get(key)
  if (known) return known
  const palette = new Uint32Array(paletteSize)
  const centre = toOklab(middle)
  for (const [end, sign] of /** @type {[Rgb, number][]} */ ([
    [low, -1],
    [high, 1],
  ])) {
    const far = toOklab(end)
    for (let k = 1; k < neutralIndex; k++) {
      const t = k / neutralIndex
      palette[neutralIndex + sign * k] = word(
        fromOklab([
          centre[0] + (far[0] - centre[0]) * t,
          centre[1] + (far[1] - centre[1]) * t,
          centre[2] + (far[2] - centre[2]) * t,
        ]),
      )
    }
    palette[neutralIndex + sign * neutralIndex] = word(end)
  }
  palette[neutralIndex] = word(middle)
  if (palettes.size >= palettesKept) palettes.delete(palettes.keys().next().value ?? '')
  palettes.set(key, palette)
  return palette
}

/** @param {Rgb} rgb */
function word([red, green, blue]) {
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0
}

/**
 * Which entry of a palette shows a value.
 * @param {number} value  finite
 * @param {number} limit  the value drawn in the end colour; beyond it the end colour stays
 * @returns {number} 0..510
 */
export function valueIndex(value, limit) {
  const t = value / limit
  // Math.round rounds halves upward; rounding the size keeps both signs alike.
  const steps = Math.min(neutralIndex, Math.round(Math.abs(t) * neutralIndex))
  return t < 0 ? neutralIndex - steps : neutralIndex + steps
}

/**
 * @param {number} entry a word of a palette
 * @returns {string} a CSS colour
 */
export function cssColour(entry) {
  return `rgb(${entry & 255} ${(entry >> 8) & 255} ${(entry >> 16) & 255})`
}
