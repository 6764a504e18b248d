// The scenes a stage can show, by their name in the state.
import { beyond } from './beyond.js'
import { waves } from './waves.js'
import { similarity } from './similarity.js'
import { order } from './order.js'
import { sum } from './sum.js'
import { training } from './training.js'
import { cost } from './cost.js'

/** @type {Readonly<Record<string, any>>} */
export const SCENES = Object.freeze({ waves, training, beyond, similarity, order, sum, cost })
