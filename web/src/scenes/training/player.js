// Plays the training: one stretch of steps an animation frame, and only when the one before is there.
// The state hears of it a few times a second: everything that follows the state (sentence, controls,
// link, the events of the element) costs more than the frame itself, and nobody reads digits faster.
import { FIELDS } from '../../state/fields.js'
import { tableKey } from './run.js'

/** How often the state is told, in ms. */
const TELL_EVERY = 200

/** Training ends here. */
export const LAST_STEP = /** @type {import('../../state/fields.js').NumberRule} */ (
  FIELDS.steps.rule
).max

/** @param {import('../../kit/types').ViewScope<import('./run.js').Standing, any>} scope */
export function createPlayer(scope) {
  const { set, refresh, recompute, signal, memory } = scope
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let request = 0
  let busy = false
  /** The step the state was told last; if it changes elsewhere, stop playing. */
  let told = NaN
  let toldAt = 0
  /** @type {(import('./run.js').Standing & { state: typeof scope.state }) | undefined} */
  let ahead

  signal.addEventListener('abort', () => {
    cancelAnimationFrame(request)
    memory.run?.close()
  })

  /** What is drawn: while it plays, ahead of the state. */
  function drawn() {
    const { state, model } = scope
    if (!ahead || state.steps !== told || tableKey(ahead.state) !== tableKey(state)) return model
    return request !== 0 || busy || ahead.steps === told ? ahead : model
  }

  /** @param {number} now */
  function frame(now) {
    request = requestAnimationFrame(frame)
    const { state, model } = scope
    if (state.steps !== told) return stop()
    // The state's own table is still to come.
    const answered = model?.steps === told && tableKey(model.state) === tableKey(state)
    const steps = drawn()?.steps
    if (busy || !answered || steps === undefined) return
    if (steps >= LAST_STEP) pause()
    else if (steps > told && now - toldAt > TELL_EVERY) tell()
    else advance(Math.min(LAST_STEP, steps + Number(state.speed)))
  }

  /** The shortest way from a step to its picture. @param {number} steps */
  async function advance(steps) {
    const state = { ...scope.state, steps }
    busy = true
    try {
      const standing = await memory.run.at(state)
      if (signal.aborted) return
      ahead = { ...standing, state }
      refresh()
    } catch (error) {
      const { code } = /** @type {{ code?: string }} */ (error)
      if (code !== 'aborted') {
        // The stage meets the same failure and knows what to say.
        stop()
        recompute()
      }
    }
    // Stopped while these steps were under way.
    if (request === 0) tell()
    busy = false
  }

  function tell() {
    const steps = drawn()?.steps
    if (steps === undefined || scope.state.steps !== told || steps <= told) return
    told = steps
    toldAt = performance.now()
    set({ steps })
  }

  function stop() {
    cancelAnimationFrame(request)
    request = 0
    refresh()
  }

  /** Stops where it stands, and says so: after the steps that are under way. */
  function pause() {
    if (!busy) tell()
    stop()
  }

  return {
    still,
    drawn,
    playing: () => request !== 0,
    toggle() {
      const { steps } = scope.state
      if (request !== 0) return pause()
      if (still.matches) return set({ steps: LAST_STEP, shown: 'now' })
      ahead = undefined
      told = steps < LAST_STEP ? steps : 0
      toldAt = performance.now()
      request = requestAnimationFrame(frame)
      set({ steps: told, shown: 'now' })
      // A view that was built anew has no run of its own yet.
      if (!memory.run) recompute()
    },
    step() {
      // While it plays the state is a little behind the picture: a step from there would lead back.
      if (request !== 0) pause()
      else set({ steps: Math.min(LAST_STEP, scope.state.steps + 1), shown: 'now' })
    },
    reset() {
      told = NaN
      stop()
      set({ steps: 0, shown: 'now' })
    },
  }
}
