// Waves: each pair of dimensions as the hand of a clock, beside its wave where there is room.
import { fillNumber, setFont } from '../../charts/core/canvas.js'
import { drawPhasor, phasorPlaces } from '../../charts/phasor.js'
import { OVERHANG } from '../../kit/scene.js'

/** Hands stand beside their waves where a strip is at least so high, in px. */
const LEAST_STRIP = 20
const LARGEST = 22

/**
 * @param {import('../../kit/types').Plot} plot
 * @param {{ curves: import('./pairs.js').Curve[], labels: string[], strips: number, chosen: number,
 *   at: number, beside: boolean, turn: (label: string) => string }} options
 *   a curve and a label each hand, of as many strips or one fewer; `at` may be a fraction
 */
export function drawClocks(plot, { curves, labels, strips, chosen, at, beside, turn }) {
  const { ctx, rect, theme } = plot
  if (curves.length === 0) return
  const strip = (rect.height - 2 * OVERHANG) / strips
  const aligned = beside && strip >= LEAST_STRIP
  const label = (/** @type {number} */ i) => labels[i]
  const places = phasorPlaces({ rect, theme, label }, curves.length)
  curves.forEach((curve, i) => {
    const highlight = i === chosen
    const place = places[i]
    if (aligned) {
      place.radius = Math.min(strip / 2 - 2, LARGEST * theme.typeScale)
      place.x = place.radius + 4
      place.y = OVERHANG + (i + 0.5) * strip
    }
    const options = { ...handAt(curve, at), ...place, colour: theme.sinusoidal, theme, highlight }
    drawPhasor(ctx, aligned ? options : { ...options, label: labels[i] })
    if (!aligned) return
    setFont(ctx, theme, { weight: highlight ? 700 : 400 })
    ctx.fillStyle = highlight ? theme.ink : theme.muted
    ctx.textBaseline = 'middle'
    fillNumber(ctx, turn(labels[i]), place.x + place.radius + 12, place.y)
  })
}

/**
 * The hand, and the way it came during the last seat.
 * @param {import('./pairs.js').Curve} curve
 * @param {number} at
 */
function handAt({ sine, cosine, step }, at) {
  const last = Math.min(sine.length - 1, Math.max(0, Math.round(at / step)))
  const first = Math.max(0, last - Math.round(1 / step))
  const trail = Array.from({ length: last - first }, (_, i) => ({
    sine: sine[first + i],
    cosine: cosine[first + i],
  }))
  return { sine: sine[last], cosine: cosine[last], trail }
}
