// The length lab: the legend that is also the table of results, a row a code.
import { membersOf } from '../../state/rules.js'
import { withPatch } from '../../state/state.js'
import { LOOK, codeName, percent, rangeText, standing } from '../words.js'
import { nearRange } from '../run/lines.js'

/**
 * @typedef {import('../scene.js').LengthModel} LengthModel
 * @typedef {import('../../state/state.js').State} State
 */

const SPACE = 'http://www.w3.org/2000/svg'
/** As charts/core/markers.js and charts/line.js draw them, in a box of 36 by 12. */
const DASHES = { solid: '', dashed: '7 4', dotted: '1.5 3.5', dashdot: '8 3 1.5 3' }
const SHAPES = {
  circle: 'M14 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  ring: 'M14 6a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z',
  square: 'M14.5 2.5h7v7h-7z',
  triangle: 'M18 1l4.5 8.5h-9z',
  diamond: 'M18 1l5 5l-5 5l-5 -5z',
  cross: 'M14.5 2.5l7 7m0 -7l-7 7',
}

/** @param {State['mode']} code */
function sample(code) {
  const { dash, marker } = LOOK[code]
  const svg = document.createElementNS(SPACE, 'svg')
  svg.setAttribute('viewBox', '0 0 36 12')
  svg.setAttribute('class', `sample sample-${marker}`)
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(SPACE, 'path')
  line.setAttribute('d', 'M0 6h36')
  if (DASHES[dash]) line.setAttribute('stroke-dasharray', DASHES[dash])
  const shape = document.createElementNS(SPACE, 'path')
  shape.setAttribute('d', SHAPES[marker])
  shape.setAttribute('class', 'shape')
  svg.append(line, shape)
  return svg
}

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountCard(host) {
  const { el, t, setText } = host
  const id = host.uniqueId('codes')
  const heads = [1, 2, 3].map(() => el('th', { scope: 'col' }))
  const body = el('tbody')
  /** @type {Map<string, ReturnType<typeof rowOf>>} */
  const rows = new Map()

  /** @param {State['mode']} code */
  function rowOf(code) {
    const status = el('span', { class: 'status' })
    const cells = heads.map(() => el('td'))
    const button = el(
      'button',
      {
        type: 'button',
        class: 'code',
        onclick: () => host.accept(withPatch(host.state(), { mode: code })),
      },
      sample(code),
      codeName(t, code),
    )
    const head = el('th', { scope: 'row', class: `hue-${code}` }, button, status)
    return { head, button, status, cells, element: el('tr', { 'data-code': code }, head, ...cells) }
  }

  return {
    element: el(
      'section',
      { class: 'card length-codes', 'aria-labelledby': id },
      el('p', { class: 'name', id }, t('length.codes')),
      el('table', {}, el('thead', {}, el('tr', {}, el('td'), ...heads)), body),
      el('p', { class: 'legend' }, t('length.codes.legend')),
    ),
    /** @param {Pick<LengthModel, 'lines' | 'length' | 'last' | 'state'> & { cursor?: number }} model */
    draw({ lines, length, last, cursor, state }) {
      setText(heads[0], rangeText(nearRange(lines[0], length)))
      setText(heads[1], rangeText(nearRange(lines[0], last)))
      heads[2].hidden = cursor === undefined
      setText(heads[2], t('length.codes.at', { length: cursor ?? 0 }))
      // Before a run stand here the codes that will run.
      const codes = lines.length > 0 ? lines.map(({ code }) => code) : membersOf(state.labCodes)
      const shown = codes.map((one) => {
        const code = /** @type {State['mode']} */ (one)
        const row = rows.get(code) ?? rowOf(code)
        rows.set(code, row)
        const { element, button, status, cells } = row
        const line = lines.find((any) => any.code === code)
        element.classList.toggle('chosen', code === state.mode)
        element.classList.toggle('untrained', line?.trained === false)
        button.setAttribute('aria-pressed', String(code === state.mode))
        setText(status, line ? standing(t, line) : '')
        const ends = [length, last, cursor ?? 0]
        const values = line && [line.inside, line.far, line.mean[(cursor ?? 0) - 1]]
        cells.forEach((cell, i) => {
          const walled = line !== undefined && line.wall > 0 && ends[i] >= line.wall
          const value = values?.[i]
          cell.hidden = heads[i].hidden
          setText(cell, value === undefined ? '' : walled ? t('length.norow') : percent(t, value))
          cell.classList.toggle('failing', walled)
        })
        return element
      })
      if (shown.some((row, i) => body.children[i] !== row) || body.children.length > shown.length) {
        body.replaceChildren(...shown)
      }
    },
  }
}
