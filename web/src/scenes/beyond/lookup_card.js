// What a lookup past the table does: the error, the switch between frameworks, what comes back.
import { withPatch } from '../../state/state.js'
import { numpyMessage } from '../../kit/lookup.js'

/**
 * @typedef {import('../../state/state.js').State} State
 */

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {{ behaviours: readonly string[], restart: () => void }} options
 */
export function mountLookupCard(host, { behaviours, restart }) {
  const { el, t, setText } = host
  const code = el('p', { class: 'error-text', lang: 'en' })
  const what = el('p', { class: 'what' })
  const who = el('p', { class: 'who' })
  const restartButton = el(
    'button',
    { type: 'button', class: 'quiet restart', onclick: restart },
    t('beyond.restart'),
  )
  const chips = host.radioGroup({
    label: t('field.behaviour'),
    className: 'chips',
    name: host.uniqueId('behaviour'),
    values: behaviours,
    describe: (value) => t(`behaviour.${value}`),
    onChange: (behaviour) => host.accept(withPatch(host.state(), { behaviour })),
  })
  const grow = el('button', { type: 'button', class: 'quiet grow', onclick: toggleGrowth })
  const element = el(
    'div',
    { class: 'lookup' },
    code,
    what,
    restartButton,
    el('p', { class: 'label' }, t('beyond.switch')),
    chips.element,
    who,
    grow,
  )

  function toggleGrowth() {
    const { tMax, length, grown } = host.state()
    host.accept(withPatch(host.state(), { grown: grown > 0 ? 0 : length - tMax }))
  }

  return {
    element,
    /** @param {State} state */
    sync(state) {
      chips.select(state.behaviour)
      const key = state.grown > 0 ? 'beyond.shrink' : 'beyond.grow'
      setText(grow, t(key, { length: state.length }))
      grow.hidden = state.grown === 0 && state.length <= state.tMax
    },
    /**
     * @param {import('./index.js').BeyondModel} model
     */
    show({ lookup, learned, state: computed }) {
      const failing = lookup.wrong
      // A table made larger has a row here: nothing is past it, whatever is chosen.
      const untrained = !lookup.past && !lookup.dead && lookup.position >= computed.tMax
      const key = untrained ? 'untrained' : lookup.behaviour
      setText(
        who,
        untrained ? t('beyond.unused', { last: learned.rows - 1 }) : t(`behaviour.${key}.who`),
      )
      element.classList.toggle('failing', failing)
      setText(code, errorText(lookup))
      code.hidden = code.textContent === ''
      setText(
        what,
        failing
          ? t(`behaviour.${key}.what`, {
              position: lookup.position,
              source: lookup.source ?? '',
            })
          : learned.meanSquaredError === undefined
            ? ''
            : t('beyond.mse', {
                steps: computed.steps,
                error: learned.meanSquaredError.toFixed(6),
              }),
      )
      restartButton.hidden = lookup.behaviour !== 'assert' || !failing || untrained
    },
  }
}

/**
 * The framework's own words.
 * @param {import('./index.js').Lookup} lookup
 */
function errorText(lookup) {
  // PyTorch reports a failed device-side assert in these words (pytorch/pytorch, c10/cuda).
  if (lookup.dead || (lookup.error && lookup.behaviour === 'assert')) {
    return 'RuntimeError: CUDA error: device-side assert triggered'
  }
  return lookup.error ? `IndexError: ${numpyMessage(lookup.error)}` : ''
}
