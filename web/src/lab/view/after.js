// After training: what may be done to a finished model so that it reads longer texts, and what comes
// of it. The curves themselves are drawn by the view of the race.
import { LAB_EXTENSIONS, LAB_SCALINGS } from '../../state/lab_fields.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { formatPercent } from '../../kit/format.js'
import { sliderOf } from './choices.js'
import { nearRange } from '../run/lines.js'
import { testOptionsOf } from '../run/plan.js'
import { testFailure } from '../run/tested.js'
import { AFTER, rangeText, refusedText } from '../words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../scene.js').LengthModel} LengthModel
 */

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
 * @param {Translate} t
 * @param {State} state
 * @returns {string} empty where nothing
 */
export function changeText(t, state) {
  const { scaling, ropeBase, extend } = /** @type {any} */ (testOptionsOf(state, state.mode))
  const factor = formatFactor(state.labFactor)
  const parts = [
    scaling && `${t(`inside.scaling.${scaling.type}`)} × ${factor}`,
    ropeBase && t('inside.change.base', { base: baseText(ropeBase) }),
    extend && t(`inside.extend.${extend}`),
  ]
  return parts.filter(Boolean).join(', ')
}

/** @param {number} factor */
const formatFactor = (factor) => formatNumber(factor, Number.isInteger(factor) ? 0 : 2)

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountAfter(host) {
  const { el, t, setText, uniqueId } = host
  let state = host.state()
  /** @type {LengthModel | undefined} */
  let model

  /** @param {Partial<State>} patch */
  const accept = (patch) => host.accept(withPatch(host.state(), patch))

  const id = uniqueId('after')
  const title = el('h2', { class: 'name', id })
  const said = el('p', { class: 'what' })
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const scalings = chips('inside.scaling', LAB_SCALINGS, (labScaling) =>
    accept(/** @type {Partial<State>} */ ({ labScaling })),
  )
  const extensions = chips('inside.extend', LAB_EXTENSIONS, (labExtend) =>
    accept(/** @type {Partial<State>} */ ({ labExtend })),
  )
  const factor = host.numberControl('labFactor')
  const base = sliderOf(host, {
    label: t('field.labTestBase'),
    bounds: () => ({ min: 0, max: BASE_STEPS }),
    read: () => placeOfBase(state.labTestBase),
    write: (place) => accept({ labTestBase: baseAt(place) }),
    say: () => (state.labTestBase === 0 ? t('inside.base.trained') : baseText(state.labTestBase)),
  })
  const before = el('th', { scope: 'col' }, t('inside.base.trained'))
  const changed = el('th', { scope: 'col' })
  const body = el('tbody', {})
  const note = el('p', { class: 'rest' })
  const table = el(
    'table',
    { 'aria-labelledby': id },
    el('thead', {}, el('tr', {}, el('td', {}), before, changed)),
    body,
  )
  const amounts = el('div', {}, table, note)
  const knobs = el(
    'div',
    { class: 'knobs' },
    scalings.element,
    factor.element,
    base.element,
    extensions.element,
  )
  const element = el(
    'section',
    { class: 'card inside-after', 'aria-labelledby': id },
    title,
    knobs,
    el('div', { class: 'result' }, amounts, said),
    problem,
  )

  /**
   * @param {'inside.scaling' | 'inside.extend'} key
   * @param {readonly string[]} values
   * @param {(value: string) => void} onChange
   */
  function chips(key, values, onChange) {
    return host.radioGroup({
      label: t(key),
      className: 'chips',
      name: uniqueId('after'),
      values,
      describe: (value) => t(`${key}.${value}`),
      onChange,
    })
  }

  function fill() {
    if (!model) return
    const { race, settings } = model
    // What was computed may be of the code before.
    const after = model.state.mode === state.mode ? model.after : undefined
    const stretches = state.mode === 'rope' || state.mode === 'learned'
    knobs.hidden = amounts.hidden = !stretches || !after
    setText(title, t(`inside.after.${stretches ? state.mode : 'none'}`))
    setText(said, saidOf(after !== undefined))
    const error = testFailure(race)
    problem.hidden = !error
    setText(problem, error ? refusedText(t, error, AFTER) : '')
    if (amounts.hidden || !after) return
    setText(note, noteOf(after))
    const { length, reach } = settings
    const ends = [1, 2, 4, 8].filter((times) => times <= reach).map((times) => times * length)
    const change = changeText(t, state)
    changed.hidden = change === ''
    setText(changed, change)
    body.replaceChildren(
      ...ends.map((end) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, rangeText(nearRange(after.trained, end))),
          cell(after.trained, end),
          change !== '' && cell(after.changed, end),
        ),
      ),
    )
    const fresh = after.fresh && changeText(t, model.state) === change
    table.classList.toggle('waiting', change !== '' && !fresh && !error)
  }

  /** @param {boolean} finished */
  function saidOf(finished) {
    const { mode } = state
    if (mode !== 'rope' && mode !== 'learned') {
      return t(`inside.say.${mode}`)
    }
    if (!finished) return t('inside.after.wait')
    if (mode === 'learned') return t(`inside.say.extend.${state.labExtend}`)
    const scaling = t(`inside.say.scaling.${state.labScaling}`)
    return state.labTestBase === 0 ? scaling : `${scaling} ${t('inside.say.base')}`
  }

  /** @param {import('../scene.js').After} after */
  function noteOf({ good, all }) {
    if (good === 0) return t('inside.after.untrained')
    return t(good < all ? 'inside.after.some' : 'inside.after.mean', { good, all })
  }

  /** @param {import('../scene.js').Summary | undefined} summary @param {number} length */
  function cell(summary, length) {
    if (!summary) return el('td', {}, '…')
    const value = summary.about[length - 1]
    return Number.isNaN(value)
      ? el('td', { class: 'missing' }, t('length.norow'))
      : el('td', {}, formatPercent(t, value))
  }

  return {
    element,
    /** @param {State} next */
    sync(next) {
      state = next
      const rope = state.mode === 'rope'
      scalings.element.hidden = base.element.hidden = !rope
      factor.element.hidden = !rope || state.labScaling === 'none'
      extensions.element.hidden = state.mode !== 'learned'
      scalings.select(state.labScaling)
      extensions.select(state.labExtend)
      factor.sync(state)
      base.sync()
      fill()
    },
    /** @param {LengthModel} now */
    show(now) {
      model = now
      fill()
    },
  }
}
