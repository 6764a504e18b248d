// The scenes a stage can show, by their name in the state.
import { beyond } from './beyond/index.js'
import { waves } from './waves/index.js'
import { similarity } from './similarity/index.js'
import { order } from './order/index.js'
import { sum } from './sum/index.js'
import { training } from './training/index.js'
import { cost } from './cost/index.js'
import { offsets } from './offsets/index.js'
import { wavelengths } from './wavelengths/index.js'
import { precision } from './precision/index.js'
import { model } from './model/index.js'
import { rotation } from './rotation/index.js'
import { biases } from './biases/index.js'
import { length } from '../lab/scene.js'
import { compare } from './compare/index.js'
import { SCENE_MODES } from '../state/fields.js'

/** @type {Readonly<Record<string, any>>} */
export const SCENES = Object.freeze({
  waves,
  training,
  beyond,
  similarity,
  order,
  sum,
  cost,
  offsets,
  wavelengths,
  precision,
  model,
  rotation,
  biases,
  length,
  compare,
})

/** The scenes that know a code, in their order. @param {string} mode */
export function scenesWith(mode) {
  return Object.keys(SCENE_MODES).filter((scene) => SCENE_MODES[scene].includes(mode))
}
