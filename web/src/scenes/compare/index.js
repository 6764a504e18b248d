// Compare: the family in one table, which is cards on a phone. Facts with their sources; what is behaviour
// is shown where the buttons lead.
import { defineScene, html, nothing, subscripts } from '../../kit/scene.js'
import { MODES } from '../../state/fields.js'

const COLUMNS = /** @type {const} */ (['enters', 'learned', 'cost', 'past', 'users'])
/** So many times the training length. */
const TIMES = [2, 4, 8]

/**
 * @typedef {(typeof MODES)[number]} Mode
 * @typedef {import('../../kit/types').Patch & { scene: string }} Patch
 */

/**
 * The scene that shows what a cell says.
 * @type {Record<Mode, Partial<Record<typeof COLUMNS[number], string>>>}
 */
const SHOWN = {
  sinusoidal: { enters: 'sum', learned: 'cost', past: 'beyond' },
  learned: { enters: 'sum', learned: 'cost', past: 'beyond' },
  rope: { enters: 'rotation', past: 'wavelengths' },
  alibi: { enters: 'biases', learned: 'biases', past: 'offsets' },
  t5: { enters: 'biases', learned: 'biases', past: 'offsets' },
  nope: { enters: 'order', past: 'offsets' },
}

/** Trained on 50 positions. @param {number} times @returns {Patch} */
const beyond = (times) => ({ scene: 'beyond', tMax: 50, length: 500, position: 50 * times })
/** @param {number} times @returns {Patch} */
const biases = (times) => ({ scene: 'biases', biasLength: 8 * times, biasQuery: 8 * times - 1 })

/** Where a code is seen past its training length. @type {Record<Mode, (times: number) => Patch>} */
const FAR = {
  sinusoidal: beyond,
  learned: beyond,
  rope: (times) => ({ scene: 'wavelengths', reach: times }),
  alibi: biases,
  t5: biases,
  nope: (times) => ({ scene: 'offsets', tMax: 50, length: 500, distance: 50 * times }),
}

export const compare = defineScene({
  id: 'compare',

  say: ({ text, state: { mode } }) => ({
    lead: text(`mode.${mode}`),
    body: text(`compare.say.${mode}`),
  }),

  view({ t, text, state, set, sentence }) {
    /** @param {Mode} mode @param {Patch} patch @param {string} [times] */
    const link = (mode, patch, times) => {
      const scene = text(`scene.${patch.scene}`)
      // As it reads with its subscript.
      const name = `${text(`mode.${mode}`)}: ${scene} ${times ?? ''}`.replace('_max', 'max').trim()
      return html`<button
        type="button"
        class="quiet"
        data-to=${patch.scene}
        aria-label=${name}
        @click=${() => set({ ...patch, mode }, 'scene')}
      >
        ${times ?? subscripts(scene)}
      </button>`
    }
    /** @param {Mode} mode @param {typeof COLUMNS[number]} column */
    const cell = (mode, column) => {
      const scene = SHOWN[mode][column]
      return html`<td role="cell" data-label=${t(`compare.${column}`)}>
        <span>${subscripts(text(`compare.${mode}.${column}`))}</span>${
          scene && link(mode, { scene })
        }${
          column === 'past'
            ? html`<span class="far" role="group" aria-label=${t('compare.far')}>
                ${TIMES.map((times) => link(mode, FAR[mode](times), `${times}×`))}
              </span>`
            : nothing
        }
      </td>`
    }
    return html`${sentence}
      <div class="family" tabindex="0" role="region" aria-label=${t('compare.title')}>
        <table role="table" aria-label=${t('compare.title')}>
          <thead role="rowgroup">
            <tr role="row">
              <td role="cell"></td>
              ${COLUMNS.map(
                (column) =>
                  html`<th scope="col" role="columnheader">${t(`compare.${column}`)}</th>`,
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">
            ${MODES.map(
              (mode) =>
                html`<tr role="row" data-mode=${mode} class=${mode === state.mode ? 'chosen' : ''}>
                  <th scope="row" role="rowheader" class="hue-${mode}">
                    <i class="dot"></i> ${t(`mode.${mode}`)}
                  </th>
                  ${COLUMNS.map((column) => cell(mode, column))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="legend">${t('compare.note')}</p>`
  },
})
