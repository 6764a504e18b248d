// The length lab: start, pause, one step, stop, speed; how far it has come.
import { duration } from '../words.js'
import { estimate } from '../run/estimate.js'
import { planOf } from '../run/plan.js'

/**
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../scene.js').LengthModel} LengthModel
 * @typedef {'slow' | 'normal' | 'full'} Speed
 */

const SPEEDS = /** @type {const} */ (['slow', 'normal', 'full'])

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {(kind: 'quick' | 'full') => void} start
 */
export function mountTransport(host, start) {
  const { el, t, setText } = host
  /** @type {LengthModel | undefined} */
  let model
  const press = (/** @type {string} */ name, /** @type {() => void} */ onclick) =>
    el(
      'button',
      { type: 'button', class: `press press-${name}`, onclick },
      t(`length.press.${name}`),
    )
  const run = press('run', () => {
    const race = model?.race
    if (race?.status === 'running') race.pause()
    else if (race?.status === 'paused') race.resume()
    else start('full')
  })
  const quick = press('quick', () => start('quick'))
  const step = press('step', () => model?.race.stepOnce())
  const stop = press('stop', () => model?.race.stop())
  const speed = host.radioGroup({
    label: t('length.speed'),
    className: 'chips speed',
    name: host.uniqueId('speed'),
    values: SPEEDS,
    describe: (value) => t(`length.speed.${value}`),
    onChange: (value) => model?.race.setSpeed(/** @type {Speed} */ (value)),
  })
  const bar = el('progress', { max: 1, 'aria-label': t('length.progress') })
  const told = el('span', { class: 'told' })
  const progress = el('div', { class: 'length-progress', hidden: true }, bar, told)

  return {
    element: el(
      'div',
      { class: 'transport', role: 'group', 'aria-label': t('length.transport') },
      run,
      quick,
      step,
      stop,
      el('span', { class: 'label' }, t('length.speed')),
      speed.element,
      progress,
    ),
    focus: () => run.focus(),
    /** @param {LengthModel} now */
    draw(now) {
      model = now
      const { race, state, session, stale } = now
      const { status } = race
      const live = status === 'running' || status === 'paused'
      setText(run, t(runLabel(status, stale, session.extent)))
      run.classList.toggle('running', status === 'running')
      // The focus does not go with the button that has it.
      if ((live ? [quick] : [step, stop]).some((one) => one.matches(':focus'))) run.focus()
      quick.hidden = live
      step.hidden = stop.hidden = !live
      setText(quick, quickText(t, state, session))
      speed.select(race.speed)
      progress.hidden = race.entries.length === 0 || status === 'done'
      if (progress.hidden) return
      const { done, total, secondsLeft } = race.progress()
      bar.value = total > 0 ? done / total : 0
      const finished = race.entries.filter((entry) => entry.status === 'done').length
      const parts = { done: finished, all: race.entries.length }
      setText(
        told,
        status === 'running' && secondsLeft !== undefined
          ? t('length.progress.left', { ...parts, time: duration(t, secondsLeft) })
          : t('length.progress.models', parts),
      )
    },
  }
}

/**
 * @param {string} status
 * @param {boolean} stale
 * @param {'quick' | 'full' | undefined} extent of the run that stands
 * @returns {TextKey}
 */
function runLabel(status, stale, extent) {
  if (status === 'running') return 'length.press.pause'
  if (status === 'paused') return 'length.press.resume'
  if (stale) return 'length.press.other'
  return extent === 'quick' ? 'length.press.full' : 'length.press.again'
}

/**
 * @param {import('../../text/text.js').Translate} t
 * @param {import('../../state/state.js').State} state
 * @param {{ pace?: number }} session
 */
export function quickText(t, state, session) {
  return t('length.press.quick', { time: duration(t, estimate(planOf(state, 'quick'), session)) })
}
