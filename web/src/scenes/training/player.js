// Plays the training: one stretch of steps an animation frame, and only when the one before is there.
// The state hears of it a few times a second: everything that follows the state (sentence, controls,
// link, the events of the element) costs more than the frame itself, and nobody reads digits faster.

/** How often the state is told, in ms. */
const TELL_EVERY = 200

/**
 * @typedef {object} PlayerOptions
 * @property {() => number | undefined} stands the step of the table that is drawn; undefined while
 *   another table is being made
 * @property {() => number} state its step
 * @property {() => number} stride steps a frame
 * @property {number} last
 * @property {(steps: number) => Promise<void>} train trains and draws; rejects when it was in vain
 * @property {(steps: number) => void} tell the state
 * @property {() => void} onStop
 */

/**
 * @param {PlayerOptions} options
 */
export function createPlayer({ stands, state, stride, last, train, tell, onStop }) {
  let request = 0
  let busy = false
  /** The step the state was told last; if it changes elsewhere, stop playing. */
  let told = NaN
  let toldAt = 0
  /** Whether the state's own computation of that step is still to come. */
  let owed = false
  /** Whether it was stopped while steps were under way. */
  let closing = false

  /** @param {number} now */
  function frame(now) {
    request = requestAnimationFrame(frame)
    if (busy || owed) return
    const stand = stands()
    if (stand === undefined || stand < told) return
    if (stand >= last) {
      pause()
      return
    }
    if (now - toldAt > TELL_EVERY && stand > told) {
      report(stand)
      return
    }
    busy = true
    const idle = () => {
      busy = false
      if (closing) finish()
    }
    train(Math.min(last, stand + stride())).then(idle, idle)
  }

  /** @param {number} stand */
  function report(stand) {
    told = stand
    toldAt = performance.now()
    owed = true
    tell(stand)
  }

  function stop() {
    if (request === 0) return false
    cancelAnimationFrame(request)
    request = 0
    closing = false
    return true
  }

  /** Stops where it stands, and says so: after the steps that are under way. */
  function pause() {
    if (!stop()) return
    onStop()
    if (busy) closing = true
    else finish()
  }

  function finish() {
    closing = false
    const stand = stands()
    if (stand !== undefined && state() === told && stand > told) tell(stand)
  }

  return {
    playing: () => request !== 0,
    /** @param {number} from the state's step */
    play(from) {
      if (request !== 0) return
      told = from
      toldAt = performance.now()
      owed = stands() !== from
      closing = false
      request = requestAnimationFrame(frame)
    },
    pause,
    /** The step changed elsewhere: stops without a word. */
    leave() {
      if (state() !== told) stop()
    },
    /** The state's own computation is there. */
    answered() {
      owed = false
    },
    stop,
  }
}
