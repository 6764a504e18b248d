// Plays the training: one advance an animation frame, and only when the one before is drawn.

/**
 * @typedef {object} PlayerOptions
 * @property {() => boolean} ready whether the last advance is there
 * @property {() => boolean} advance asks for the next; false when there is none
 * @property {() => void} onStop
 */

/**
 * @param {PlayerOptions} options
 * @returns {{ playing: () => boolean, play: () => void, pause: () => void }}
 */
export function createPlayer({ ready, advance, onStop }) {
  let request = 0

  function frame() {
    request = requestAnimationFrame(frame)
    if (ready() && !advance()) pause()
  }

  function pause() {
    if (request === 0) return
    cancelAnimationFrame(request)
    request = 0
    onStop()
  }

  return {
    playing: () => request !== 0,
    play() {
      if (request === 0) request = requestAnimationFrame(frame)
    },
    pause,
  }
}
