// The scenes a stage can show, by their name in the state.
import { beyond } from './beyond.js'
import { order } from './order.js'

/** @type {Readonly<Record<string, any>>} */
export const SCENES = Object.freeze({ beyond, order })
