// Inside a model of the race: the learned table and the similarity of its rows as they form, and what a
// head attends to. Follows the code in focus.
import { guard } from 'lit-html/directives/guard.js'
import { html } from '../../kit/scene.js'
import { pastOf } from './attention.js'
import { slider } from './slider.js'
import { tableIn } from './table.js'

/** Examples that the state knows. */
const EXAMPLES = 64

/** @type {import('../scene.js').Part} */
export function inside({ t, own, figure, choice, set }, model) {
  const { state, race } = model
  const { begun, entry } = model.inside
  const name = t(`mode.${state.mode}`)
  const dropped = entry?.status === 'done' && !entry.snapshot
  const seeds = begun.map(({ seed }) => String(seed))
  const { shown, refusal } = own.attention
  return html`<div
    class="lab-inside"
    role="group"
    aria-labelledby="lab-inside"
    data-code=${state.mode}
  >
    <div class="inside-head">
      <h3 id="lab-inside">${t('inside.title', { name })}</h3>
      ${chips(
        t('field.seed'),
        seeds,
        choice('labModel', {
          label: 'field.seed',
          values: seeds,
          describe: String,
          now: String(entry?.seed ?? ''),
          choose: (seed) =>
            set({ labModel: 1 + model.inside.own.findIndex((one) => String(one.seed) === seed) }),
        }),
      )}
    </div>
    <p class="status" ?hidden=${entry && !dropped}>
      ${t(dropped ? 'inside.dropped' : whyEmpty(model), { name })}
    </p>
    <div class="parts" ?hidden=${!entry}>
      ${
        tableIn(model) &&
        ['table', 'similarity'].map((one) =>
          guard([entry, entry?.table, entry?.info], () => figure(one)),
        )
      }
      <div class="attention" ?hidden=${!shown && !refusal}>
        ${shown && guard([shown], () => figure('attention'))}
        <p class="problem" role="alert" ?hidden=${!refusal}>${refusal}</p>
        ${race.plan && choices(race.plan.options)}
      </div>
    </div>
  </div>`

  /** @param {import('../run/plan.js').PlanOptions} plan */
  function choices(plan) {
    const past = pastOf(state, plan)
    return html`<div class="choices">
      ${slider({
        label: t('inside.attention.at'),
        min: plan.length + 1,
        max: plan.length * plan.reach,
        value: past,
        shown: String(past),
        write: (labAt) => set({ labAt }),
      })}
      ${counted('labLayer', plan.layers)} ${counted('labHead', plan.heads)}
      <button
        type="button"
        class="quiet"
        @click=${() => set({ labExample: (state.labExample + 1) % EXAMPLES })}
      >
        ${t('inside.attention.another', { n: state.labExample + 1 })}
      </button>
    </div>`
  }

  /** Counts from 0, written from 1. @param {'labLayer' | 'labHead'} field @param {number} count */
  function counted(field, count) {
    const values = Array.from({ length: count }, (_, i) => String(i))
    const describe = (/** @type {string} */ value) => String(Number(value) + 1)
    const now = String(Math.min(state[field], count - 1))
    return chips(t(`field.${field}`), values, choice(field, { values, describe, now }))
  }
}

/**
 * Where there is one alone, there is nothing to choose.
 * @param {string} label
 * @param {string[]} values
 * @param {HTMLElement} choice
 */
const chips = (label, values, choice) =>
  html`<div class="choice-of" ?hidden=${values.length < 2}>
    <span class="label">${label}</span>${choice}
  </div>`

/** @param {import('../scene.js').LengthModel} model */
function whyEmpty({ race, inside: { own } }) {
  if (race.status === 'idle' || !race.plan) return 'inside.empty'
  if (own.length === 0) return 'inside.empty.absent'
  if (own.some(({ status }) => status === 'failed')) return 'inside.empty.failed'
  return 'inside.empty.waiting'
}
