// A slider with its value beside it, whose bounds depend on the run that stands.
import { live } from 'lit-html/directives/live.js'
import { html } from '../../kit/scene.js'

/**
 * @param {object} options
 * @param {string} options.label
 * @param {number} options.min
 * @param {number} options.max
 * @param {number} options.value
 * @param {string} options.shown
 * @param {(value: number) => void} options.write
 */
export const slider = ({ label, min, max, value, shown, write }) =>
  html`<label class="slider">
    <span class="label">${label}</span>
    <input
      type="range"
      step="1"
      .min=${String(min)}
      .max=${String(max)}
      .value=${live(String(value))}
      ?disabled=${max <= min}
      aria-valuetext=${shown}
      @input=${(/** @type {any} */ { target }) => write(Number(target.value))}
    />
    <output>${shown}</output>
  </label>`
