// What a view of the lab has of its own beside the state: the run that a link asks for, what is asked of
// a model, files, and which button had the focus.
import { radioGroup } from '../../kit/radio.js'
import { uniqueId } from '../../kit/dom.js'
import { onTested } from '../run/tested.js'
import { createAttention } from './attention.js'
import { createFiles } from './saving.js'

const SPEEDS = /** @type {const} */ (['slow', 'normal', 'full'])

/** @param {import('../scene.js').LabScope} scope */
export function createDesk(scope) {
  const { t, root, signal, set, recompute, refresh } = scope
  /** A link may ask for a run before there is anything to run it. @type {'' | 'open' | 'link'} */
  let wished = ''
  let listening = false
  let drawing = false
  let changed = false

  /**
   * One at a time: a newer computation takes the place of one under way, and on a slow machine a race that
   * changes faster than the kernel answers was not drawn before its end.
   */
  async function redraw() {
    changed = true
    if (drawing) return
    drawing = true
    while (changed) {
      changed = false
      await recompute()
    }
    drawing = false
  }

  /** @param {'quick' | 'full'} extent */
  function start(extent) {
    if (!scope.model) return
    scope.model.session.start(scope.state, extent)
    // The link now says what stands here. Where it said so before, nothing else would draw.
    if (scope.state.labRun === extent) recompute()
    else set({ labRun: extent })
  }

  const attention = createAttention(scope)
  return {
    start,
    attention,
    files: createFiles(scope),
    /** Of the settings, where the reader took the last of its members away. */
    kept: '',
    speed: radioGroup({
      label: t('length.speed'),
      className: 'chips speed',
      name: uniqueId('speed'),
      values: SPEEDS,
      describe: (value) => scope.text(`length.speed.${value}`),
      onChange: (value) => scope.model?.race.setSpeed(/** @type {typeof SPEEDS[number]} */ (value)),
    }),
    /** @param {number} length that is looked at */
    read(length) {
      const { model } = scope
      if (!model || model.cursor === length) return
      model.session.cursor = model.cursor = length
      refresh()
    },
    /** @param {import('../../kit/types').Cause} [cause] */
    wish(cause) {
      if (scope.state.labRun === 'no') wished = ''
      else if (cause === 'link') wished = 'link'
      else if (cause === undefined) wished ||= 'open'
    },
    /** @param {import('../scene.js').LengthModel} model */
    arrived({ session, race, inside }) {
      const { state } = scope
      if (!listening) {
        listening = true
        // The race itself goes on without a view.
        for (const leave of [session.listen(redraw), onTested(race, redraw)]) {
          signal.addEventListener('abort', leave)
        }
      }
      attention.ask(state, race, inside.entry?.snapshot ? inside.entry : undefined)
      // Whoever only comes back, or changes the language, finds what stands.
      const missing = race.entries.length === 0 || (wished === 'link' && !session.isOf(state))
      const wanted = wished !== '' && missing
      wished = ''
      if (wanted && state.labRun !== 'no') start(state.labRun)
    },
    /** The focus does not go with the button that has it. */
    keepFocus() {
      const focused = /** @type {ShadowRoot} */ (root.getRootNode()).activeElement
      if (!focused?.matches('.press')) return
      queueMicrotask(() => {
        const run = root.querySelector('.press-run')
        if (focused.closest('[hidden]') && run instanceof HTMLElement) run.focus()
      })
    },
  }
}
