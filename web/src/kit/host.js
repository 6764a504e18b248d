// What the stage offers a scene and its controls. Nothing here knows one scene from another.
import { flagControl, numberControl, textControl } from './controls.js'
import { el, setText, uniqueId } from './dom.js'
import { radioGroup } from './radio.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./controls.js').Control} Control
 */

/**
 * Why the state changed: a control of one field, another scene, a preset, or a link.
 * @typedef {'field' | 'scene' | 'preset' | 'link'} Cause
 */

/**
 * What a scene is told and may ask of the stage.
 * @typedef {object} Stand
 * @property {HTMLElement} root
 * @property {HTMLElement} sentence the scene decides where it stands
 * @property {import('../text/text.js').Translate} t
 * @property {import('../text/text.js').Language} language
 * @property {() => State} state
 * @property {(next: State, cause?: Cause) => void} accept
 * @property {(refused: import('../state/fields.js').Refusal) => void} refuse
 * @property {() => Promise<void>} recompute
 * @property {HTMLElement} [panel] of its controls, where there are any: stands under the scene, unless
 *   the scene puts it into its own root
 */

/**
 * What it builds with.
 * @typedef {object} Tools
 * @property {typeof el} el
 * @property {typeof setText} setText
 * @property {typeof uniqueId} uniqueId
 * @property {typeof radioGroup} radioGroup
 * @property {(name: string) => Control} numberControl
 * @property {(name: string, shown: (state: State) => string) => Control} textControl
 * @property {(name: string) => Control} flagControl
 */

/** @typedef {Stand & Tools} SceneHost */

/**
 * @param {Stand} stand
 * @returns {SceneHost}
 */
export function sceneHost(stand) {
  /** @type {SceneHost} */
  const host = {
    ...stand,
    el,
    setText,
    uniqueId,
    radioGroup,
    numberControl: (name) => numberControl(name, host),
    textControl: (name, shown) => textControl(name, host, shown),
    flagControl: (name) => flagControl(name, host),
  }
  return host
}
