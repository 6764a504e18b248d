// The length lab: all its settings, in four groups. Every change is a change of the state: what is
// drawn stays until it is run again.
import { FIELDS } from '../../state/fields.js'
import { membersOf, subsetText } from '../../state/rules.js'
import { withPatch } from '../../state/state.js'
import { codeName, taskName } from '../words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../kit/controls.js').Control} Control
 */

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

/** Where a slider would have a place for every seed. */
const WITHOUT_SLIDER = ['seed']

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountSettings(host) {
  const { el, t, uniqueId } = host
  /** @type {Control[]} */
  const controls = []
  const words = (/** @type {string} */ key) => t(key)

  /** @param {string} name @param {string} value */
  function choiceText(name, value) {
    if (name === 'labReach') return t('length.reach', { times: value })
    return name === 'labTable' ? words(`length.rows.${value}`) : value
  }

  /** @param {string} name a field that is one of few @returns {Control} */
  function choiceControl(name) {
    const { rule } = FIELDS[name]
    const key = /** @type {keyof State} */ (name)
    const label = words(`field.${name}`)
    const group = host.radioGroup({
      label,
      className: 'chips',
      name: uniqueId(name),
      values: rule.type === 'choice' ? rule.values : [],
      describe: (value) => choiceText(name, value),
      onChange: (value) => host.accept(withPatch(host.state(), { [name]: value })),
    })
    return {
      element: el(
        'div',
        { class: `length-choice field-${name}` },
        el('span', { class: 'label', 'aria-hidden': 'true' }, label),
        group.element,
      ),
      sync: (state) => group.select(String(state[key])),
    }
  }

  /** @param {'labTasks' | 'labCodes'} name @returns {Control} */
  function subsetControl(name) {
    const rule = /** @type {import('../../state/rules.js').SubsetRule} */ (FIELDS[name].rule)
    const legend = uniqueId(name)
    const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
    const boxes = rule.values.map((value) => {
      const input = el('input', {
        type: 'checkbox',
        value,
        onchange: () => {
          const chosen = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value)
          problem.hidden = chosen.length > 0
          if (chosen.length > 0) {
            host.accept(withPatch(host.state(), { [name]: subsetText(rule, chosen) }))
          } else {
            // The last one stays: a run of nothing shows nothing.
            input.checked = true
            host.setText(problem, t('length.atLeastOne', { label: words(`field.${name}`) }))
          }
        },
      })
      const text = el('span', {})
      const dot = name === 'labCodes' && el('i', { class: 'dot' })
      const className = name === 'labCodes' ? `check hue-${value}` : 'check'
      return { box: input, text, element: el('label', { class: className }, input, dot, text) }
    })
    return {
      element: el(
        'div',
        { class: `length-subset field-${name}`, role: 'group', 'aria-labelledby': legend },
        el('span', { class: 'label', id: legend }, words(`field.${name}`)),
        el('div', { class: 'checks' }, ...boxes.map(({ element }) => element)),
        problem,
      ),
      sync(state) {
        const members = membersOf(state[name])
        const parameters = { shift: state.labShift, modulo: state.labModulo }
        for (const { box, text } of boxes) {
          box.checked = members.includes(box.value)
          const { value } = box
          host.setText(
            text,
            name === 'labCodes' ? codeName(t, value) : taskName(t, value, parameters),
          )
        }
        if (members.length > 1) problem.hidden = true
      },
    }
  }

  /** @param {string} name @returns {Control} */
  function controlOf(name) {
    const { rule } = FIELDS[name]
    if (name === 'labTasks' || name === 'labCodes') return subsetControl(name)
    if (rule.type === 'choice') return choiceControl(name)
    if (rule.type === 'flag') return host.flagControl(name)
    return host.numberControl(name, { slider: !WITHOUT_SLIDER.includes(name) })
  }

  const groups = Object.entries(GROUPS).map(([group, names]) => {
    const id = uniqueId('group')
    const own = names.map(controlOf)
    own.forEach((control, i) => {
      const about = ABOUT[names[i]]
      controls.push({
        element: control.element,
        sync(state) {
          control.sync(state)
          const chosen = [...membersOf(state.labTasks), ...membersOf(state.labCodes)]
          control.element.hidden = about !== undefined && !about.some((one) => chosen.includes(one))
        },
      })
    })
    return el(
      'section',
      { class: `length-group length-group-${group}`, 'aria-labelledby': id },
      el('h2', { id }, words(`length.group.${group}`)),
      ...own.map(({ element }) => element),
    )
  })
  return {
    element: el('div', { class: 'length-settings' }, ...groups),
    /** @param {State} state */
    sync(state) {
      for (const control of controls) control.sync(state)
    },
  }
}
