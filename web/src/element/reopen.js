// A stage that is built anew, in another language, stands open where the one before did.

/** @param {Element} button */
const isExpanded = (button) => button.getAttribute('aria-expanded') === 'true'

const PLAYERS = '.play, .press-play'

/**
 * @param {ParentNode} root
 * @returns {(root: ParentNode) => void} opens the same tables, and plays on what was playing
 */
export function whatIsOpen(root) {
  const places = (/** @type {ParentNode} */ where, /** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...where.querySelectorAll(selector)])
  const opened = places(root, '.numbers-button').map(isExpanded)
  const playing = places(root, PLAYERS).map((button) => button.matches('.playing, .running'))
  const panels = places(root, 'details').map((part) => part.hasAttribute('open'))
  return (next) => {
    places(next, 'details').forEach((part, index) => part.toggleAttribute('open', panels[index]))
    places(next, '.numbers-button').forEach((button, index) => opened[index] && button.click())
    places(next, PLAYERS).forEach((button, index) => playing[index] && button.click())
  }
}
