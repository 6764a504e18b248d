// Two rankings beside each other: a line for each name that both have, from its rank in the one to its
// rank in the other. Lines that cross are orders that differ.

const SVG = 'http://www.w3.org/2000/svg'
/** Width of the drawing in units of a row's height; it is stretched to its place. */
const WIDTH = 2

/**
 * @param {readonly string[]} left best first
 * @param {readonly string[]} right best first
 * @param {(name: string) => string} className which gives a line its colour
 * @returns {SVGSVGElement} for the eye alone: what it shows stands in the lists beside it
 */
export function rankLines(left, right, className) {
  const svg = document.createElementNS(SVG, 'svg')
  const rows = Math.max(left.length, right.length)
  svg.setAttribute('viewBox', `0 0 ${WIDTH} ${rows}`)
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('aria-hidden', 'true')
  for (const [row, name] of left.entries()) {
    const to = right.indexOf(name)
    if (to < 0) continue
    const path = document.createElementNS(SVG, 'path')
    const [from, end] = [row + 0.5, to + 0.5]
    path.setAttribute('d', `M0 ${from}C1 ${from} 1 ${end} ${WIDTH} ${end}`)
    path.setAttribute('class', className(name))
    svg.append(path)
  }
  return svg
}
