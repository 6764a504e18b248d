// A choice of few, always in sight: native radio buttons under quiet clothes.
import { el, setText } from './dom.js'

/**
 * @typedef {object} RadioGroup
 * @property {HTMLElement} element
 * @property {(value: string) => void} select shows a choice without telling anybody
 * @property {(describe: (value: string) => string) => void} relabel
 */

/**
 * @param {object} options
 * @param {string} options.label of the group, for assistive technology
 * @param {string} options.className `toggle`, `tabs` or `chips`
 * @param {string} options.name unique among radio groups of this root
 * @param {readonly string[]} options.values
 * @param {(value: string) => string} options.describe what a choice is called
 * @param {(value: string) => string} [options.hue] class that carries the identity colour
 * @param {(value: string) => void} options.onChange
 * @returns {RadioGroup}
 */
export function radioGroup({ label, className, name, values, describe, hue, onChange }) {
  const inputs = new Map()
  const element = el('fieldset', { class: className, role: 'radiogroup', 'aria-label': label })
  for (const value of values) {
    const input = el('input', {
      type: 'radio',
      name,
      value,
      onchange: () => onChange(value),
    })
    const words = el('b', { class: 'words' }, describe(value))
    const face = el('span', {}, hue ? el('i', { class: 'dot' }) : null, words)
    const choice = el('label', { class: `choice ${hue ? hue(value) : ''}` }, input, face)
    element.append(choice)
    inputs.set(value, { input, words, choice })
  }
  return {
    element,
    select(value) {
      for (const [key, { input, choice }] of inputs) {
        if (key !== value || input.checked) continue
        input.checked = true
        // A row that is longer than the screen shows its choice.
        element.scrollLeft = choice.offsetLeft - (element.clientWidth - choice.offsetWidth) / 2
      }
    },
    relabel(describeNow) {
      for (const [key, { words }] of inputs) setText(words, describeNow(key))
    },
  }
}
