// The legend that is also the table of results, a row a code.
import { html, nothing } from '../../kit/scene.js'
import { membersOf } from '../../state/rules.js'
import { nearRange } from '../run/lines.js'
import { LOOK, codeName, percent, rangeText, standing } from '../words.js'
import { accuracyAt } from './curves.js'

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

/** @param {keyof typeof LOOK} code */
function sample(code) {
  const { dash, marker } = LOOK[code]
  return html`<svg viewBox="0 0 36 12" class="sample sample-${marker}" aria-hidden="true">
    <path d="M0 6h36" stroke-dasharray=${DASHES[dash] || nothing}></path>
    <path d=${SHAPES[marker]} class="shape"></path>
  </svg>`
}

/** @type {import('../scene.js').Part} */
export function card({ t, set }, { lines, length, last, cursor, state }) {
  const heads = [length, last].map((end) => rangeText(nearRange(lines[0], end)))
  if (cursor !== undefined) heads.push(t('length.codes.at', { length: cursor }))
  // Before a run stand here the codes that will run.
  const codes = lines.length > 0 ? lines.map(({ code }) => code) : membersOf(state.labCodes)
  return html`<section class="card length-codes" aria-labelledby="length-codes">
    <p class="name" id="length-codes">${t('length.codes')}</p>
    <table>
      <thead>
        <tr>
          <td></td>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${/** @type {(keyof typeof LOOK)[]} */ (codes).map(row)}
      </tbody>
    </table>
    <p class="legend">${t('length.codes.legend')}</p>
  </section>`

  /** @param {keyof typeof LOOK} code */
  function row(code) {
    const line = lines.find((one) => one.code === code)
    const chosen = code === state.mode
    const ends = [length, last, ...(cursor === undefined ? [] : [cursor])]
    const cell = (/** @type {number} */ end, /** @type {number} */ i) => {
      if (!line) return html`<td></td>`
      const failing = line.wall > 0 && end >= line.wall
      const share = [line.inside, line.far][i]
      return html`<td class=${failing ? 'failing' : ''}>
        ${failing || i > 1 ? accuracyAt(t, line, end) : percent(t, share)}
      </td>`
    }
    return html`<tr
      class="${chosen ? 'chosen' : ''} ${line?.trained === false ? 'untrained' : ''}"
      data-code=${code}
    >
      <th scope="row" class="hue-${code}">
        <button
          type="button"
          class="code"
          aria-pressed=${chosen}
          @click=${() => set({ mode: code })}
        >
          ${sample(code)} ${codeName(t, code)}
        </button>
        <span class="status">${line ? standing(t, line) : ''}</span>
      </th>
      ${ends.map(cell)}
    </tr>`
  }
}
