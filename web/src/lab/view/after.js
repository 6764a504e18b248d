// After training: what may be done to a finished model so that it reads longer texts, and what comes
// of it.
import { formatPercent } from '../../kit/format.js'
import { html } from '../../kit/scene.js'
import { formatNumber } from '../../text/text.js'
import { nearRange } from '../run/lines.js'
import { testOptionsOf } from '../run/plan.js'
import { testFailure } from '../run/tested.js'
import { AFTER, rangeText, refusedText } from '../words.js'
import { slider } from './slider.js'

/** Steps of the slider of the base: 0 is the base of the training, then powers of ten from 2 on. */
const BASE_STEPS = 300
const LEAST_BASE = 2
const LARGEST_BASE = 1e9

/** @param {number} base 0 for that of the training */
function placeOfBase(base) {
  if (base === 0) return 0
  const share = Math.log(base / LEAST_BASE) / Math.log(LARGEST_BASE / LEAST_BASE)
  return 1 + Math.round(share * (BASE_STEPS - 1))
}

/** @param {number} place */
function baseAt(place) {
  if (place === 0) return 0
  const base = LEAST_BASE * (LARGEST_BASE / LEAST_BASE) ** ((place - 1) / (BASE_STEPS - 1))
  return Number(base.toPrecision(2))
}

/** @param {number} base */
const baseText = (base) => (base >= 1e6 ? base.toExponential().replace('e+', 'e') : String(base))

/**
 * What the reader has done to the model in focus, in a few words.
 * @param {import('../../text/text.js').Translate} t
 * @param {import('../../state/state.js').State} state
 * @returns {string} empty where nothing
 */
export function changeText(t, state) {
  const { scaling, ropeBase, extend } = /** @type {any} */ (testOptionsOf(state, state.mode))
  const { labFactor: factor } = state
  const parts = [
    scaling &&
      `${t(`inside.scaling.${scaling.type}`)} × ${formatNumber(factor, Number.isInteger(factor) ? 0 : 2)}`,
    ropeBase && t('inside.change.base', { base: baseText(ropeBase) }),
    extend && t(`inside.extend.${extend}`),
  ]
  return parts.filter(Boolean).join(', ')
}

/** What moves the curve stands beside it. @type {import('../scene.js').Part} */
export function afterTraining(scope, model) {
  const { t, state } = scope
  const { mode } = state
  // What was computed may be of the code before.
  const after = model.state.mode === mode ? model.after : undefined
  const stretches = mode === 'rope' || mode === 'learned'
  const error = testFailure(model.race)
  return html`<div class="lab-inside" ?hidden=${!model.inside.entry}>
    <section class="card inside-after" aria-labelledby="inside-after">
      <h2 class="name" id="inside-after">${t(`inside.after.${stretches ? mode : 'none'}`)}</h2>
      <div class="knobs" ?hidden=${!stretches || !after}>${knobs(scope)}</div>
      <div class="result">
        <div ?hidden=${!stretches || !after}>${after && amounts(scope, model, after, error)}</div>
        <p class="what">${said(scope, after !== undefined)}</p>
      </div>
      <p class="problem" role="alert" ?hidden=${!error}>${error && refusedText(t, error, AFTER)}</p>
    </section>
  </div>`
}

/** @param {import('../scene.js').LabScope} scope */
function knobs({ t, text, state, choice, field, set }) {
  if (state.mode === 'learned') {
    const describe = (/** @type {string} */ value) => text(`inside.extend.${value}`)
    return choice('labExtend', { label: 'inside.extend', describe })
  }
  const describe = (/** @type {string} */ value) => text(`inside.scaling.${value}`)
  const { labTestBase: base } = state
  return html`${choice('labScaling', { label: 'inside.scaling', describe })}
  ${state.labScaling === 'none' ? '' : field('labFactor')}
  ${slider({
    label: t('field.labTestBase'),
    min: 0,
    max: BASE_STEPS,
    value: placeOfBase(base),
    shown: base === 0 ? t('inside.base.trained') : baseText(base),
    write: (place) => set({ labTestBase: baseAt(place) }),
  })}`
}

/**
 * @param {import('../scene.js').LabScope} scope
 * @param {import('../scene.js').LengthModel} model
 * @param {import('../scene.js').After} after
 * @param {unknown} error
 */
function amounts({ t, state }, model, { good, all, trained, changed, fresh }, error) {
  const { length, reach } = model.settings
  const ends = [1, 2, 4, 8].filter((times) => times <= reach).map((times) => times * length)
  const change = changeText(t, state)
  const waits = change !== '' && !error && !(fresh && changeText(t, model.state) === change)
  let note = 'inside.after.untrained'
  if (good > 0) note = good < all ? 'inside.after.some' : 'inside.after.mean'
  return html`<table aria-labelledby="inside-after" class=${waits ? 'waiting' : ''}>
      <thead>
        <tr>
          <td></td>
          <th scope="col">${t('inside.base.trained')}</th>
          <th scope="col" ?hidden=${!change}>${change}</th>
        </tr>
      </thead>
      <tbody>
        ${ends.map(
          (end) =>
            html`<tr>
              <th scope="row">${rangeText(nearRange(trained, end))}</th>
              ${cell(trained, end)}${change ? cell(changed, end) : ''}
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="rest">${t(/** @type {any} */ (note), { good, all })}</p>`

  /** @param {import('../scene.js').Summary | undefined} summary @param {number} end */
  function cell(summary, end) {
    if (!summary) return html`<td>…</td>`
    const value = summary.about[end - 1]
    return Number.isNaN(value)
      ? html`<td class="missing">${t('length.norow')}</td>`
      : html`<td>${formatPercent(t, value)}</td>`
  }
}

/** @param {import('../scene.js').LabScope} scope @param {boolean} finished */
function said({ t, text, state }, finished) {
  const { mode } = state
  if (mode !== 'rope' && mode !== 'learned') return text(`inside.say.${mode}`)
  if (!finished) return t('inside.after.wait')
  if (mode === 'learned') return text(`inside.say.extend.${state.labExtend}`)
  const scaling = text(`inside.say.scaling.${state.labScaling}`)
  return state.labTestBase === 0
    ? scaling
    : t('length.say.join', { one: scaling, two: t('inside.say.base') })
}
