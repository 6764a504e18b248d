// Controls made from the table of fields: a slider and a number field that say the same, a unit,
// the bounds, a reset, and a plain sentence when a value is refused.
import { FIELDS } from '../state/fields.js'
import { boundsOf, headCounts, sliderBounds, startOf, withField } from '../state/state.js'
import { formatBound } from '../text/text.js'
import { refusalSentence } from './refusals.js'
import { el, setText, uniqueId } from './dom.js'

/** @import { State } from '../state/state.js' */

/** @typedef {import('./types').ControlHost} ControlHost */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(state: State) => void} sync
 */

/** Sliders have whole steps; a logarithmic field runs over this many of them. */
const LOG_STEPS = 600

/** @type {Record<string, import('../text/text.js').TextKey>} */
const UNITS = {
  position: 'unit.position',
  position2: 'unit.position',
  offset: 'unit.seats',
  tMax: 'unit.rows',
  grown: 'unit.rows',
  length: 'unit.seats',
  dModel: 'unit.dims',
  steps: 'unit.steps',
  heads: 'unit.heads',
  queryAt: 'unit.position',
  queryAt2: 'unit.position',
  distance: 'unit.seats',
  costRows: 'unit.rows',
  costWidth: 'unit.dims',
  costModel: 'unit.million',
  trainedLength: 'unit.seats',
  reach: 'unit.times',
  farPosition: 'unit.position',
  modelLength: 'unit.positions',
  biasLength: 'unit.tokens',
  biasQuery: 'unit.position',
  maxDistance: 'unit.seats',
  labLength: 'unit.tokens',
  labVocabulary: 'unit.tokens',
  labShift: 'unit.tokens',
  labBucketEnd: 'unit.tokens',
  labSteps: 'unit.steps',
  labLayers: 'unit.layers',
}

/**
 * @param {string} name a number field of the state
 * @param {ControlHost} host
 * @returns {Control}
 */
export function numberControl(name, host) {
  // A slider would have a place for every seed.
  const wantsSlider = name !== 'seed'
  const { t } = host
  const key = /** @type {keyof State} */ (name)
  const label = t(`field.${name}`)
  const id = uniqueId(name)
  const problem = problemLine()
  const bounds = el('span', { class: 'bounds', id: uniqueId('bounds') })

  /** Whether the reader is typing: then nothing that moves meanwhile writes over it. */
  let typing = false

  /** @param {unknown} raw */
  const offer = (raw) => {
    typing = false
    offerTo(host, name, raw, problem, number)
  }

  const slider = wantsSlider
    ? el('input', {
        type: 'range',
        step: '1',
        'aria-label': t('controls.slider', { label }),
        oninput: () => {
          const value = fromSlider(name, Number(slider?.value), sliderBounds(host.state(), name))
          offer(name === 'heads' ? nearestHeads(host.state(), value) : value)
        },
      })
    : undefined
  const number = el('input', {
    // Not type=number: browsers hide from the page what they do not understand, and then no
    // sentence can name it.
    type: 'text',
    inputMode: 'decimal',
    id,
    class: 'number',
    autocomplete: 'off',
    spellcheck: false,
    'aria-describedby': `${bounds.id} ${problem.element.id}`,
    oninput: () => {
      typing = true
    },
    onchange: () => offer(number.value),
    onblur: () => {
      typing = false
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
      if (step === undefined || FIELDS[name].rule.type !== 'integer') return
      event.preventDefault()
      // From what was typed, where that is a number.
      const typed = /^\d+$/.test(number.value) ? Number(number.value) : Number(host.state()[key])
      offer(String(name === 'heads' ? nextHeads(host.state(), typed, step) : typed + step))
    },
  })
  const initial = startOf(host.state().scene)[key]
  const reset = resetButton(t('controls.reset', { label, value: String(initial) }), () => {
    offer(initial)
    number.focus()
  })
  const unit = el('span', { class: 'unit' })
  /** @param {number | string} n @returns {string} with its unit, before or after it: seat 10, 10 rows */
  const counted = (n) => (UNITS[name] ? t(UNITS[name], { n }) : String(n))
  const first = /^\S/.test(counted(''))
  const element = el(
    'div',
    { class: `field field-${name} ${first ? 'unit-first' : ''}` },
    el('span', { class: 'label' }, el('label', { for: id }, label), ' ', bounds),
    slider,
    ...(first ? [unit, number] : [number, unit]),
    reset,
    problem.element,
  )
  /** @type {number | undefined} */
  let spoken
  return {
    element,
    sync(state) {
      const value = /** @type {number} */ (state[key])
      const range = boundsOf(state, name)
      if (!range) return
      const { min, max } = range
      setText(bounds, t('controls.bounds', { min: formatBound(min), max: formatBound(max) }))
      setText(unit, counted(value).replace(String(value), '').trim())
      const along = sliderBounds(state, name)
      if (slider && along) {
        const places = sliderPlaces(name, along)
        // Only what changed is written: in training this runs once a frame for every control.
        write(slider, 'min', places.min)
        write(slider, 'max', places.max)
        write(slider, 'value', toSlider(name, value, along))
        if (spoken !== value) slider.setAttribute('aria-valuetext', counted(value))
        spoken = value
      }
      const focused = /** @type {ShadowRoot} */ (number.getRootNode()).activeElement === number
      const refused = number.getAttribute('aria-invalid') === 'true'
      // A refused text stays where it was typed, to be mended; whatever else changes shows.
      if (!(focused && (refused || typing)) && number.value !== String(value)) {
        number.value = String(value)
        // What is typed next replaces it: a digit would join the new number, 60 become 603.
        if (focused) number.select()
        number.setAttribute('aria-invalid', 'false')
        problem.show('')
      }
      const start = /** @type {number} */ (initial)
      reset.disabled = value === start || start < min || start > max
    },
  }
}

/**
 * @param {ControlHost} host
 * @param {string} name
 * @param {unknown} raw
 * @param {ReturnType<typeof problemLine>} problem says why it was not taken
 * @param {HTMLInputElement} input
 */
function offerTo(host, name, raw, problem, input) {
  const result = withField(host.state(), name, raw)
  const refused = 'refused' in result ? result.refused : undefined
  problem.show(refused ? refusalSentence(host.t, refused) : '')
  input.setAttribute('aria-invalid', String(refused !== undefined))
  if ('state' in result) host.accept(result.state)
  else host.refuse(result.refused)
}

/**
 * @param {import('../state/state.js').State} state
 * @param {number} wanted
 * @returns {number} the most heads that divide the width, at most as many as wanted
 */
function nearestHeads(state, wanted) {
  return Math.max(
    1,
    ...headCounts(state)
      .map(Number)
      .filter((count) => count <= wanted),
  )
}

/**
 * @param {import('../state/state.js').State} state
 * @param {number} from
 * @param {number} step 1 or -1
 */
function nextHeads(state, from, step) {
  const counts = headCounts(state).map(Number)
  const next = step > 0 ? counts.find((count) => count > from) : nearestHeads(state, from - 1)
  return next ?? from
}

/**
 * @param {HTMLInputElement} input
 * @param {'min' | 'max' | 'value'} property
 * @param {number} number
 */
function write(input, property, number) {
  const text = String(number)
  if (input[property] !== text) input[property] = text
}

/** @param {string} name @param {{ min: number, max: number }} range */
function sliderPlaces(name, { min, max }) {
  return FIELDS[name].logarithmic ? { min: 0, max: LOG_STEPS } : { min, max }
}

/** @param {string} name @param {number} value @param {{ min: number, max: number }} range */
function toSlider(name, value, { min, max }) {
  if (!FIELDS[name].logarithmic) return value
  return Math.round((Math.log(value / min) / Math.log(max / min)) * LOG_STEPS)
}

/**
 * @param {string} name
 * @param {number} place
 * @param {{ min: number, max: number } | undefined} range
 */
function fromSlider(name, place, range) {
  if (!FIELDS[name].logarithmic || !range) return place
  const value = range.min * (range.max / range.min) ** (place / LOG_STEPS)
  const short = Number(value.toPrecision(3))
  return FIELDS[name].rule.type === 'integer' ? Math.round(short) : short
}

/**
 * @param {string} name a text field of the state
 * @param {ControlHost} host
 * @param {(state: State) => string} shown what stands there when the state has no text of its own
 * @returns {Control}
 */
export function textControl(name, host, shown) {
  const { t } = host
  const key = /** @type {keyof State} */ (name)
  const label = t(`field.${name}`)
  const id = uniqueId(name)
  const problem = problemLine()
  /** @param {unknown} raw */
  const offer = (raw) => offerTo(host, name, raw, problem, input)
  const input = el('input', {
    type: 'text',
    id,
    autocomplete: 'off',
    spellcheck: false,
    'aria-describedby': problem.element.id,
    oninput: (/** @type {InputEvent} */ event) => {
      // While an input method composes, the text is not yet what the reader means.
      if (!event.isComposing) offer(input.value)
    },
    oncompositionend: () => offer(input.value),
  })
  const reset = resetButton(t('controls.reset', { label, value: '' }), () => {
    offer('')
    input.focus()
  })
  const element = el(
    'div',
    { class: `field field-${name}` },
    el('label', { class: 'label', for: id }, label),
    input,
    reset,
    problem.element,
  )
  return {
    element,
    sync(state) {
      const focused = /** @type {ShadowRoot} */ (input.getRootNode()).activeElement === input
      const text = shown(state)
      if (!focused || state[key] === '') {
        if (input.value !== text && !(focused && input.value === '')) input.value = text
      }
      input.placeholder = text
      reset.disabled = state[key] === ''
      reset.setAttribute('aria-label', t('controls.reset', { label, value: text }))
    },
  }
}

/**
 * @param {string} name a yes-or-no field of the state
 * @param {ControlHost} host
 * @returns {Control}
 */
export function flagControl(name, host) {
  const key = /** @type {keyof State} */ (name)
  const label = host.t(`field.${name}`)
  const input = el('input', {
    type: 'checkbox',
    onchange: () => {
      const result = withField(host.state(), name, input.checked)
      if ('state' in result) host.accept(result.state)
    },
  })
  return {
    element: el('label', { class: `check field-${name}` }, input, label),
    sync(state) {
      input.checked = state[key] === true
    },
  }
}

/** @param {string} label @param {() => void} onClick */
function resetButton(label, onClick) {
  return el(
    'button',
    { type: 'button', class: 'reset', 'aria-label': label, title: label, onclick: onClick },
    '↺',
  )
}

/** A line that is empty and hidden until something is wrong. */
function problemLine() {
  const element = el('p', { class: 'problem', id: uniqueId('problem'), hidden: true })
  element.setAttribute('role', 'alert')
  return {
    element,
    /** @param {string} sentence */
    show(sentence) {
      element.hidden = sentence === ''
      setText(element, sentence)
    },
  }
}
