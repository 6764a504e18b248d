// Small controls of the length lab whose choices depend on the run that stands, not on the settings.
import { withPatch } from '../../state/state.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').TextKey} TextKey
 */

/**
 * Chips whose number changes; where there is one alone, there is nothing to choose.
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {object} options
 * @param {string} options.label
 * @param {(value: string) => string} options.describe
 * @param {(value: string) => void} options.onChange
 */
export function changingChips(host, { label, describe, onChange }) {
  const { el, uniqueId } = host
  const element = el('div', { class: 'choice-of', hidden: true })
  let offered = ''
  /** @type {ReturnType<typeof host.radioGroup> | undefined} */
  let group
  return {
    element,
    /** @param {string} value @param {string[]} values */
    sync(value, values) {
      element.hidden = values.length < 2
      if (values.join() !== offered) {
        offered = values.join()
        group = host.radioGroup({
          label,
          className: 'chips',
          name: uniqueId('choice'),
          values,
          describe,
          onChange,
        })
        element.replaceChildren(el('span', { class: 'label' }, label), group.element)
      }
      group?.select(value)
    },
  }
}

/**
 * Chips for a field that counts from 0, written from 1.
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {'labLayer' | 'labHead'} field
 */
export function countChips(host, field) {
  const chips = changingChips(host, {
    label: host.t(`field.${field}`),
    describe: (value) => String(Number(value) + 1),
    onChange: (value) => host.accept(withPatch(host.state(), { [field]: Number(value) })),
  })
  return {
    element: chips.element,
    /** @param {number} value @param {number} count */
    sync: (value, count) =>
      chips.sync(
        String(value),
        Array.from({ length: count }, (_, i) => String(i)),
      ),
  }
}

/**
 * A slider with its value beside it.
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {object} options
 * @param {string} options.label
 * @param {() => { min: number, max: number }} options.bounds
 * @param {() => number} options.read
 * @param {(value: number) => void} options.write
 * @param {(value: number) => string} options.say
 */
export function sliderOf({ el, setText }, { label, bounds, read, write, say }) {
  const input = el('input', {
    type: 'range',
    step: '1',
    oninput: () => write(Number(input.value)),
  })
  const value = el('output', {})
  return {
    element: el('label', { class: 'slider' }, el('span', { class: 'label' }, label), input, value),
    sync() {
      const { min, max } = bounds()
      const now = read()
      Object.assign(input, { min: String(min), max: String(max), value: String(now) })
      input.disabled = max <= min
      input.setAttribute('aria-valuetext', say(now))
      setText(value, say(now))
    },
  }
}
