// All settings, in four groups. Every change is a change of the state: what is drawn stays until it is
// run again.
import { live } from 'lit-html/directives/live.js'
import { html, nothing } from '../../kit/scene.js'
import { FIELDS } from '../../state/fields.js'
import { membersOf, subsetText } from '../../state/rules.js'
import { codeName, taskName } from '../words.js'

/** @type {Readonly<Record<string, readonly (keyof import('../../state/state.js').State)[]>>} */
const GROUPS = Object.freeze({
  task: ['labTasks', 'labLength', 'labReach', 'labUpTo', 'labVocabulary', 'labShift', 'labModulo'],
  model: ['labCodes', 'labCausal', 'labMlp', 'labLayers', 'labWidth', 'labHeads'],
  training: ['labSteps', 'labBatch', 'labRate', 'labSeeds', 'seed'],
  codes: ['labTable', 'labRandomized', 'labBuckets', 'labBucketEnd', 'labSlopes', 'labBase'],
})

/**
 * What a setting is about: a task or a code. Where no such is chosen, it has nothing to say.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const ABOUT = Object.freeze({
  labShift: ['back'],
  labModulo: ['modulo'],
  labTable: ['learned'],
  labBuckets: ['t5'],
  labBucketEnd: ['t5'],
  labSlopes: ['alibi'],
  labBase: ['rope', 'sinusoidal'],
})

/** @param {import('../scene.js').LabScope} scope */
export function settings(scope) {
  const { t, text, state, field, flagField, choice } = scope
  const chosen = [...membersOf(state.labTasks), ...membersOf(state.labCodes)]
  return html`<div class="length-settings">
    ${Object.entries(GROUPS).map(
      ([group, names]) =>
        html`<section
          class="length-group length-group-${group}"
          aria-labelledby="length-group-${group}"
        >
          <h2 id="length-group-${group}">${text(`length.group.${group}`)}</h2>
          ${names.map((name) => {
            const shown = ABOUT[name]?.some((one) => chosen.includes(one)) ?? true
            return shown ? control(name) : nothing
          })}
        </section>`,
    )}
  </div>`

  /** @param {keyof import('../../state/state.js').State} name */
  function control(name) {
    const { rule } = FIELDS[name]
    if (name === 'labTasks' || name === 'labCodes') return subset(scope, name)
    if (rule.type === 'flag') return flagField(name)
    if (rule.type !== 'choice') return field(name)
    return html`<div class="length-choice field-${name}">
      <span class="label" aria-hidden="true">${text(`field.${name}`)}</span>
      ${choice(name, {
        describe(value) {
          if (name === 'labReach') return t('length.reach', { times: value })
          return name === 'labTable' ? text(`length.rows.${value}`) : value
        },
      })}
    </div>`
  }
}

/** @param {import('../scene.js').LabScope} scope @param {'labTasks' | 'labCodes'} name */
function subset({ t, state, own, set, refresh }, name) {
  const rule = /** @type {import('../../state/rules.js').SubsetRule} */ (FIELDS[name].rule)
  const label = t(`field.${name}`)
  const members = membersOf(state[name])
  const tasks = name === 'labTasks'
  const parameters = { shift: state.labShift, modulo: state.labModulo }
  const kept = own.kept === name && members.length === 1
  /** @param {string} value @param {boolean} wanted */
  function choose(value, wanted) {
    const chosen = rule.values.filter((one) => (one === value ? wanted : members.includes(one)))
    own.kept = chosen.length > 0 ? '' : name
    if (chosen.length > 0) set({ [name]: subsetText(rule, chosen) })
    // The last one stays: a run of nothing shows nothing.
    refresh()
  }
  return html`<div
    class="length-subset field-${name}"
    role="group"
    aria-labelledby="length-${name}"
  >
    <span class="label" id="length-${name}">${label}</span>
    <div class="checks">
      ${rule.values.map(
        (value) =>
          html`<label class=${tasks ? 'check' : `check hue-${value}`}
            ><input
              type="checkbox"
              value=${value}
              .checked=${live(members.includes(value))}
              @change=${(/** @type {any} */ { target }) => choose(value, target.checked)}
            />${tasks ? nothing : html`<i class="dot"></i>`}<span
              >${tasks ? taskName(t, value, parameters) : codeName(t, value)}</span
            ></label
          >`,
      )}
    </div>
    <p class="problem" role="alert" ?hidden=${!kept}>
      ${kept ? t('length.atLeastOne', { label }) : nothing}
    </p>
  </div>`
}
