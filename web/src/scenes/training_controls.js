// Training: play and pause, one step, reset, speed; which table is shown; which row is looked at.
import { FIELDS } from '../state/fields.js'
import { withPatch } from '../state/state.js'
import { LAST_STEP } from './training_run.js'
import { createPlayer } from './training_player.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').TextKey} TextKey
 */

/**
 * @param {import('../stage.js').SceneHost} host
 * @param {{ stands: () => number | undefined, onPlaying: () => void }} options
 *   stands: the step of the table that is drawn
 */
export function mountControls(host, { stands, onPlaying }) {
  const { el, t } = host
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  /** Where the player has sent the training; anybody else who moves it takes it out of its hands. */
  let sent = NaN
  const player = createPlayer({
    ready: () => stands() === host.state().steps,
    advance() {
      const state = host.state()
      if (state.steps !== sent || state.steps >= LAST_STEP) return false
      sent = Math.min(LAST_STEP, state.steps + Number(state.speed))
      accept({ steps: sent })
      return true
    },
    onStop: () => onPlaying(),
  })

  /** @param {Partial<State>} patch */
  const accept = (patch) => host.accept(withPatch(host.state(), patch))

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
    sent = steps < LAST_STEP ? steps : 0
    player.play()
    accept({ steps: sent, shown: 'now' })
    onPlaying()
  }

  /** @param {string} name @param {() => void} onclick */
  const button = (name, onclick) =>
    el(
      'button',
      { type: 'button', class: `press press-${name}`, onclick },
      t(/** @type {TextKey} */ (`training.${name}`)),
    )
  const play = button('play', toggle)
  const step = button('step', () => {
    player.pause()
    accept({ steps: Math.min(LAST_STEP, host.state().steps + 1), shown: 'now' })
  })
  const reset = button('reset', () => {
    player.pause()
    accept({ steps: 0, shown: 'now' })
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
    describe: (value) => t(/** @type {TextKey} */ (`training.shown.${value}`)),
    onChange: (value) => accept({ shown: /** @type {State['shown']} */ (value) }),
  })

  const slider = el('input', {
    type: 'range',
    min: '0',
    step: '1',
    'aria-label': t('training.row.slider'),
    oninput: () => accept({ position: Number(slider.value) }),
  })

  return {
    row: el('div', { class: 'row-slider' }, slider),
    transport: el(
      'div',
      { class: 'transport', role: 'group', 'aria-label': t('training.transport') },
      play,
      step,
      reset,
      el('span', { class: 'label' }, t('field.speed')),
      speed.element,
      shown.element,
    ),
    playing: player.playing,
    /** @param {State} state */
    sync(state) {
      if (player.playing() && state.steps !== sent) player.pause()
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
    },
    destroy: player.pause,
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
