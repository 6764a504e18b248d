// Training: play and pause, one step, reset, speed; which table is shown; which row is looked at.
import { FIELDS } from '../../state/fields.js'
import { withPatch } from '../../state/state.js'
import { LAST_STEP } from './run.js'
import { createPlayer } from './player.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').TextKey} TextKey
 */

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {object} options
 * @param {() => number | undefined} options.stands the step of the table that is drawn
 * @param {(steps: number) => Promise<void>} options.train
 * @param {() => void} options.onStop
 */
export function mountControls(host, { stands, train, onStop }) {
  const { el, t } = host
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  /** @param {Partial<State>} patch */
  const accept = (patch) => host.accept(withPatch(host.state(), patch))
  const player = createPlayer({
    stands,
    train,
    state: () => host.state().steps,
    stride: () => Number(host.state().speed),
    last: LAST_STEP,
    tell: (steps) => accept({ steps }),
    onStop,
  })

  function toggle() {
    if (player.playing()) {
      player.pause()
      return
    }
    const { steps } = host.state()
    if (still.matches) {
      accept({ steps: LAST_STEP, shown: 'now' })
      return
    }
    const from = steps < LAST_STEP ? steps : 0
    player.play(from)
    accept({ steps: from, shown: 'now' })
    show(host.state())
  }

  /** @param {string} name @param {() => void} onclick */
  const button = (name, onclick) =>
    el('button', { type: 'button', class: `press press-${name}`, onclick }, t(`training.${name}`))
  const play = button('play', toggle)
  const step = button('step', () => {
    // While it plays the state is a little behind the picture: a step from there would lead back.
    if (player.playing()) player.pause()
    else accept({ steps: Math.min(LAST_STEP, host.state().steps + 1), shown: 'now' })
  })
  const reset = button('reset', () => {
    player.stop()
    accept({ steps: 0, shown: 'now' })
    show(host.state())
  })

  const speeds = choices('speed')
  const speed = host.radioGroup({
    label: t('field.speed'),
    className: 'chips speed',
    name: host.uniqueId('speed'),
    values: speeds,
    describe: (value) => value,
    onChange: (value) => accept({ speed: value }),
  })
  const shown = host.radioGroup({
    label: t('field.shown'),
    className: 'chips shown',
    name: host.uniqueId('shown'),
    values: choices('shown'),
    describe: (value) => t(`training.shown.${value}`),
    onChange: (value) => accept({ shown: /** @type {State['shown']} */ (value) }),
  })

  const slider = el('input', {
    type: 'range',
    min: '0',
    step: '1',
    'aria-label': t('training.row.slider'),
    oninput: () => accept({ position: Number(slider.value) }),
  })

  /** @param {State} state */
  function show(state) {
    const atEnd = state.steps >= LAST_STEP
    host.setText(play, t(playLabel(player.playing(), atEnd, still.matches)))
    play.classList.toggle('running', player.playing())
    play.disabled = still.matches && atEnd
    step.disabled = atEnd
    reset.disabled = state.steps === 0
    speed.select(state.speed)
    shown.select(state.shown)
    const last = state.tMax - 1
    const row = Math.min(state.position, last)
    slider.max = String(last)
    slider.value = String(row)
    slider.disabled = last === 0
    slider.setAttribute('aria-valuetext', t('training.row.value', { position: row }))
  }

  return {
    row: el('div', { class: 'row-slider' }, slider),
    transport: el(
      'div',
      { class: 'transport', role: 'group', 'aria-label': t('scene.training') },
      play,
      step,
      reset,
      el('span', { class: 'label', title: t('field.speed') }, t('training.speed')),
      speed.element,
      shown.element,
    ),
    playing: player.playing,
    /** @param {State} state */
    sync(state) {
      player.leave()
      show(state)
    },
    show,
    answered: player.answered,
    destroy: player.stop,
  }
}

/**
 * @param {boolean} playing
 * @param {boolean} atEnd
 * @param {boolean} still
 * @returns {TextKey}
 */
function playLabel(playing, atEnd, still) {
  if (still) return 'training.jump'
  if (playing) return 'training.pause'
  return atEnd ? 'training.again' : 'training.play'
}

/** @param {string} field */
function choices(field) {
  const { rule } = FIELDS[field]
  return rule.type === 'choice' ? rule.values : []
}
