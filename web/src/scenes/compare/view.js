// Compare: a table that is cards on a phone. No canvas: what it states is shown where its buttons lead.
import { FIELDS, MODES } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {State['mode']} Mode
 * @typedef {Record<string, string | number>} Patch
 */

const COLUMNS = /** @type {const} */ (['enters', 'learned', 'cost', 'past', 'users'])
/** So many times the training length. */
const TIMES = [2, 4, 8]

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

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountCompare(host) {
  const { el, t } = host
  const rows = MODES.map((mode) => {
    const cells = COLUMNS.map((column) => {
      const text = t(`compare.${mode}.${column}`)
      const scene = SHOWN[mode][column]
      return el(
        'td',
        { role: 'cell', 'data-label': t(`compare.${column}`) },
        el('span', {}, text),
        scene && link(mode, { scene }, t(`scene.${scene}`)),
        column === 'past' &&
          el(
            'span',
            { class: 'far', role: 'group', 'aria-label': t('compare.far') },
            ...TIMES.map((times) => link(mode, FAR[mode](times), `${times}×`)),
          ),
      )
    })
    const head = el(
      'th',
      { scope: 'row', role: 'rowheader', class: `hue-${mode}` },
      el('i', { class: 'dot' }),
      ' ',
      t(`mode.${mode}`),
    )
    return { mode, element: el('tr', { role: 'row', 'data-mode': mode }, head, ...cells) }
  })

  /**
   * @param {Mode} mode
   * @param {Patch} patch
   * @param {string} text
   */
  function link(mode, patch, text) {
    const known = Object.entries({ ...patch, mode }).filter(([name]) => name in FIELDS)
    return el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-to': patch.scene,
        'aria-label':
          `${t(`mode.${mode}`)}: ${t(`scene.${patch.scene}`)} ${text.endsWith('×') ? text : ''}`
            // As it reads with its subscript.
            .replace('_max', 'max')
            .trim(),
        onclick: () => host.accept(withPatch(host.state(), Object.fromEntries(known)), 'scene'),
      },
      text,
    )
  }

  host.root.append(
    host.sentence,
    el(
      'div',
      { class: 'family', tabIndex: 0, role: 'region', 'aria-label': t('compare.title') },
      el(
        'table',
        { role: 'table', 'aria-label': t('compare.title') },
        el(
          'thead',
          { role: 'rowgroup' },
          el(
            'tr',
            { role: 'row' },
            el('td', { role: 'cell' }),
            ...COLUMNS.map((column) =>
              el('th', { scope: 'col', role: 'columnheader' }, t(`compare.${column}`)),
            ),
          ),
        ),
        el('tbody', { role: 'rowgroup' }, ...rows.map(({ element }) => element)),
      ),
    ),
    el('p', { class: 'legend' }, t('compare.note')),
  )
  return {
    memory: undefined,
    /** @param {State} state */
    sync(state) {
      for (const { mode, element } of rows) {
        element.classList.toggle('chosen', mode === state.mode)
      }
    },
    draw() {},
    restyle() {},
    destroy: () => host.root.replaceChildren(),
  }
}
