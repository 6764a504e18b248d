// The controls of a scene: presets and fields. On a small screen they fold into one sheet.
import { PRESETS, withPreset } from '../state/presets.js'
import { numberControl } from '../kit/controls.js'
import { el } from '../kit/dom.js'

/** Below this width of the stage, in em, the sheet starts closed. */
const WIDE = 56

export class Panel {
  /** @type {import('../kit/controls.js').Control[]} */
  #controls = []

  /**
   * @param {{ id: string, fields: readonly string[] }} scene
   * @param {import('../kit/controls.js').ControlHost} host
   */
  constructor(scene, host) {
    const { t } = host
    const presets = Object.keys(PRESETS[scene.id]).map((name) =>
      el(
        'button',
        {
          type: 'button',
          class: 'quiet',
          'data-preset': name,
          title: t(`preset.${name}.note`),
          onclick: () => host.accept(withPreset(host.state(), PRESETS[scene.id][name]), 'preset'),
        },
        t(`preset.${name}`),
      ),
    )
    const resetAll = el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'data-preset': 'none',
        onclick: () => host.accept(withPreset(host.state()), 'preset'),
      },
      t('controls.resetAll'),
    )
    const presetRow = el(
      'div',
      { class: 'presets' },
      presets.length > 0 ? el('span', { class: 'label' }, t('presets.label')) : null,
      ...presets,
      resetAll,
    )
    const fields = el('div', { class: 'fields' })
    for (const name of scene.fields) {
      const control = numberControl(name, host)
      this.#controls.push(control)
      fields.append(control.element)
    }
    const em = parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
    this.element = el(
      'details',
      { class: 'sheet', open: innerWidth >= WIDE * em },
      el('summary', {}, t('field.controls')),
      presetRow,
      fields,
    )
  }

  /** @param {import('../state/state.js').State} state */
  sync(state) {
    for (const control of this.#controls) control.sync(state)
  }
}
