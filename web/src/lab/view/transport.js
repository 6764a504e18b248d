// Start, pause, one step, stop, speed; how far it has come.
import { html } from '../../kit/scene.js'
import { estimate } from '../run/estimate.js'
import { planOf } from '../run/plan.js'
import { duration } from '../words.js'

/** @type {import('../scene.js').Part} */
export function transport({ t, own }, { race, state, session, stale, lines }) {
  const { status } = race
  const live = status === 'running' || status === 'paused'
  const { done, total, secondsLeft } = race.progress()
  const { speed } = own
  speed.select(race.speed)
  const parts = {
    done: race.entries.filter((entry) => entry.status === 'done').length,
    all: race.entries.length,
  }
  const running = status === 'running'
  function run() {
    if (running) race.pause()
    else if (status === 'paused') race.resume()
    else own.start('full')
  }
  const press = (
    /** @type {'run' | 'quick' | 'step' | 'stop'} */ name,
    /** @type {string} */ words,
    /** @type {() => void} */ act,
    hidden = false,
  ) =>
    html`<button
      type="button"
      class="press press-${name} ${name === 'run' && running ? 'running' : ''}"
      ?hidden=${hidden}
      @click=${act}
    >
      ${words}
    </button>`
  // Where the box of the beginning stands it has the same buttons, but for those of a run under way.
  return html`<div
    class="transport"
    role="group"
    aria-label=${t('length.transport')}
    ?hidden=${lines.length === 0 && !live}
  >
    ${press('run', t(runLabel(status, stale, session.extent)), run)}
    ${press('quick', quickText(t, state, session), () => own.start('quick'), live)}
    ${press('step', t('length.press.step'), () => race.stepOnce(), !live)}
    ${press('stop', t('length.press.stop'), () => race.stop(), !live)}
    <span class="label">${t('length.speed')}</span>${speed.element}
    <div class="length-progress" ?hidden=${race.entries.length === 0 || status === 'done'}>
      <progress
        max="1"
        aria-label=${t('length.progress')}
        .value=${total > 0 ? done / total : 0}
      ></progress>
      <span class="told"
        >${
          running && secondsLeft !== undefined
            ? t('length.progress.left', { ...parts, time: duration(t, secondsLeft) })
            : t('length.progress.models', parts)
        }</span
      >
    </div>
  </div>`
}

/**
 * @param {string} status
 * @param {boolean} stale
 * @param {'quick' | 'full' | undefined} extent of the run that stands
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
