// The length lab: how its lines look, what is said of them, their numbers.
import { formatNumber } from '../text/text.js'
import { engineSentence, labelOf, refusalText } from '../kit/refusals.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').Translate} Translate
 * @typedef {import('./scene.js').LengthModel} LengthModel
 * @typedef {import('./run/lines.js').Line} Line
 */

/**
 * Codes differ by dash and marker as well as by hue.
 * @type {Readonly<Record<State['mode'], { dash: import('../charts/line.js').Dash,
 *   marker: import('../charts/line.js').Marker }>>}
 */
export const LOOK = Object.freeze({
  sinusoidal: { dash: 'solid', marker: 'circle' },
  learned: { dash: 'dashed', marker: 'square' },
  rope: { dash: 'solid', marker: 'triangle' },
  alibi: { dash: 'solid', marker: 'diamond' },
  t5: { dash: 'dotted', marker: 'cross' },
  nope: { dash: 'dashdot', marker: 'ring' },
})

/**
 * @param {Translate} t
 * @param {string} task
 * @param {{ shift: number, modulo: number }} parameters of the tasks that have one
 */
export function taskName(t, task, { shift, modulo }) {
  return t(`task.${task}`, { shift, modulo })
}

/** @param {Translate} t @param {string} code */
export const codeName = (t, code) => t(`mode.${code}`)

/**
 * @param {Translate} t
 * @param {number} share
 * @returns {string} in whole percent
 */
export function percent(t, share) {
  return Number.isNaN(share) ? '–' : t('unit.percent', { value: formatNumber(100 * share, 0) })
}

/** @param {Translate} t @param {number} seconds */
export function duration(t, seconds) {
  if (seconds < 1) return t('length.time.moment')
  if (seconds < 90) {
    const shown = seconds < 10 ? Math.ceil(seconds) : 5 * Math.ceil(seconds / 5)
    return t('length.time.seconds', { seconds: shown })
  }
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return t('length.time.minutes', { minutes })
  return t('length.time.hours', { hours: Math.round(minutes / 60) })
}

/** @param {readonly [number, number]} lengths */
export const rangeText = ([from, to]) => (from === to ? String(to) : `${from}–${to}`)

/**
 * @param {Translate} t
 * @param {Line} line
 * @returns {string} written where the line ends; a line that ends at a wall has its own words there
 */
export function endLabel(t, line) {
  const name = codeName(t, line.code)
  if (line.wall > 0 || line.seeds.length === 0) return ''
  if (line.final && !line.trained) return t('length.end.untrained', { name })
  return `${name} ${percent(t, line.far)}`
}

/** What became of a code's models, in a word or two. @param {Translate} t @param {Line} line */
export function standing(t, line) {
  const { change, done, entries, failed, failing, final, wall } = line
  if (change) return change
  if (failed) return t('length.status.failed')
  if (!final) {
    // A run that was stopped leaves some that have begun and wait.
    const begun =
      entries.find(({ status }) => status === 'running') ??
      (done > 0 ? undefined : entries.find(({ step }) => step > 0))
    if (begun) return t('length.status.running', { step: begun.step, steps: begun.steps })
    if (done > 0) return t('length.status.some', { seeds: done, of: entries.length })
    return t('length.status.waiting')
  }
  if (failing === entries.length) return t('length.status.untrained')
  if (failing > 0) return t('length.status.untrained.some', { seeds: failing, of: entries.length })
  return wall > 0 ? t('length.status.wall', { wall }) : t('length.status.trained')
}

/** The one sentence under the figure. @param {{ t: Translate, model: LengthModel }} scope */
export function say({ t, model }) {
  const { lines, task, length, last, drawn, race, other } = model
  const values = {
    task: taskName(t, task, drawn),
    length,
    last,
    trained: trainedOn(t, model),
  }
  if (lines.length === 0) {
    const lead = other ? 'length.say.other' : 'length.say.none'
    return { lead: t(lead, values), body: t('length.say.press', values) }
  }
  const left = race.status === 'running' ? race.progress().secondsLeft : undefined
  const trained = lines.some(({ seeds }) => seeds.length > 0)
  const open = race.entries.filter(({ status }) => status !== 'done' && status !== 'failed').length
  const lead =
    open === 0
      ? t(trained ? 'length.say.done' : 'length.say.none', values)
      : t(left === undefined ? 'length.say.halted' : 'length.say.running', {
          ...values,
          done: race.entries.length - open,
          all: race.entries.length,
          time: duration(t, left ?? 0),
        })
  return {
    lead,
    body: sentences(t, lines, values).reduce((one, two) => t('length.say.join', { one, two })),
  }
}

/** @param {Translate} t @param {Line[]} lines @param {Record<string, string | number>} values */
function sentences(t, lines, values) {
  const names = (/** @type {Line[]} */ some) =>
    some.map(({ code }) => codeName(t, code)).join(t('length.say.comma'))
  const finished = lines.filter(({ final }) => final)
  const sound = finished.filter(({ trained }) => trained)
  const walled = sound.filter(({ wall }) => wall > 0)
  const raw = finished.filter(({ trained }) => !trained)
  const said = lines.flatMap(({ code, change }) =>
    change ? t('length.say.changed', { name: codeName(t, code), change }) : [],
  )
  if (sound.length > 0) {
    const order = [...sound].sort((a, b) => a.holds - b.holds)
    const list = order.map(({ code, holds }) => `${codeName(t, code)} ${holds || '–'}`)
    said.push(t('length.say.holds', { list: list.join(t('length.say.comma')) }))
  }
  if (walled.length > 0) said.push(t('length.say.wall', { ...values, wall: walled[0].wall }))
  if (raw.length > 0) said.push(t('length.say.untrained', { ...values, names: names(raw) }))
  if (lines.every(({ done }) => done === 0) && lines.some(({ seeds }) => seeds.length > 0)) {
    said.push(t('length.say.early', values))
  }
  return said.length > 0 ? said : [t('length.say.press', values)]
}

/**
 * @param {Translate} t
 * @param {Pick<LengthModel, 'length'> & { upTo: boolean }} model
 * @returns {string} the lengths of the training
 */
export const trainedOn = (t, { length, upTo }) =>
  t(upTo ? 'length.upTo' : 'length.fixed', { length })

/**
 * Why models could not be trained, in a sentence.
 * @param {Translate} t
 * @param {readonly import('./run/entry.js').Entry[]} failed one at least; the first one tells why
 */
export function failureText(t, failed) {
  const codes = new Set(failed.map(({ code }) => codeName(t, code)))
  const code = [...codes].join(t('length.say.comma'))
  const { error } = failed[0]
  if (error?.code !== 'invalid-argument') return t('length.failed', { code })
  return t('length.refused', { code, refused: refusedText(t, error) })
}

/** Fields of options that are not called as they are. @type {Record<string, string>} */
const FIELD_OF = {
  code: 'mode',
  dModel: 'labWidth',
  learningRate: 'labRate',
  taskShift: 'labShift',
  taskModulo: 'labModulo',
  t5Buckets: 'labBuckets',
  t5MaxDistance: 'labBucketEnd',
  alibiExponent: 'labSlopes',
  ropeBase: 'labBase',
  sinusoidBase: 'labBase',
}

/**
 * What the engine refused of a trainer, by the names of the lab's controls.
 * @param {Translate} t
 * @param {any} error
 * @param {Record<string, string>} [asked] fields of options that a trained model is asked with
 */
export function refusedText(t, error, asked = {}) {
  if (error?.code !== 'invalid-argument') return engineSentence(t, error ?? {})
  return refusalText(t, error.details ?? {}, (name) => {
    const field = asked[name] ?? FIELD_OF[name] ?? `lab${name[0].toUpperCase()}${name.slice(1)}`
    const label = labelOf(t, field)
    return label === field ? name : label
  })
}

/** Fields of what is done to a trained model. */
export const AFTER = { ropeBase: 'labTestBase', length: 'labAt' }
