// Waves: each pair of dimensions as the hand of a clock, beside its wave where there is room.
import { fillNumber, setFont } from '../charts/canvas.js'
import { drawPhasor, phasorPlaces } from '../charts/phasor.js'
import { OVERHANG } from './along.js'
import { showTurn } from './waves_words.js'

/** Hands stand beside their waves where a strip is at least so high, in px. */
const LEAST_STRIP = 20
const LARGEST = 22

/**
 * @param {import('../charts/canvas.js').Frame} frame
 * @param {import('./waves.js').WavesModel} model
 * @param {{ at: number, beside: boolean, dimension: number,
 *   t: import('../text/text.js').Translate }} options  `at` may be a fraction
 */
export function drawClocks({ ctx, width, height, theme }, model, { at, beside, dimension, t }) {
  // A last sine has no cosine, and so no hand.
  const pairs = model.pairs.filter((pair) => 2 * pair + 1 < model.state.dModel)
  if (pairs.length === 0) return
  const chosen = Math.floor(dimension / 2)
  const strip = (height - 2 * OVERHANG) / model.pairs.length
  const aligned = beside && strip >= LEAST_STRIP
  const label = (/** @type {number} */ pair) => showTurn(model.phasors.wavelength[pair])
  const rect = { x: 0, y: 0, width, height }
  const places = phasorPlaces({ rect, theme, label }, pairs.length)
  pairs.forEach((pair, index) => {
    const highlight = pair === chosen
    const place = places[index]
    if (aligned) {
      place.radius = Math.min(strip / 2 - 2, LARGEST * theme.typeScale)
      place.x = place.radius + 4
      place.y = OVERHANG + (index + 0.5) * strip
    }
    const hand = handAt(model.curves[index], at)
    const options = { ...hand, ...place, colour: theme.sinusoidal, theme, highlight }
    drawPhasor(ctx, aligned ? options : { ...options, label: label(pair) })
    if (!aligned) return
    setFont(ctx, theme, { weight: highlight ? 700 : 400 })
    ctx.fillStyle = highlight ? theme.ink : theme.muted
    ctx.textBaseline = 'middle'
    const text = t('waves.turn', { seats: label(pair) })
    fillNumber(ctx, text, place.x + place.radius + 12, place.y)
  })
}

/**
 * The hand, and the way it came during the last seat.
 * @param {import('./waves.js').Curve} curve
 * @param {number} at
 */
function handAt({ sine, cosine, step }, at) {
  const last = Math.min(sine.length - 1, Math.max(0, Math.round(at / step)))
  const first = Math.max(0, last - Math.round(1 / step))
  const trail = []
  for (let i = first; i < last; i += 1) trail.push({ sine: sine[i], cosine: cosine[i] })
  return { sine: sine[last], cosine: cosine[last], trail }
}
