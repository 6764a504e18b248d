// What a reader can set in the length lab. Bounds and defaults are those of the trainer in the core.
import {
  labChoices,
  labExtensions,
  labIntegers,
  labNumbers,
  labScalings,
  labTasks,
} from '../engine/calls/limits.js'
import { MODES } from './modes.js'
import { choice, integer, number, subset } from './rules.js'

/** Tasks that a model of the lab can be trained on, in the order of their choice. */
export const LAB_TASKS = labTasks

/** @param {string} name of an option of the trainer */
function whole(name) {
  const [initial, min, max] = labIntegers[name]
  return { rule: integer(min, max), initial }
}

/** @param {string} name */
function real(name) {
  const [initial, min, max] = labNumbers[name]
  return { rule: number(min, max), initial }
}

/** @param {string} name */
function few(name) {
  const [initial, ...values] = labChoices[name].map(String)
  return { rule: choice(...values), initial }
}

/** @type {import('./rules.js').FlagRule} */
const flag = { type: 'flag' }

/**
 * In the order in which links write them.
 * @type {Readonly<Record<string, import('./rules.js').Field>>}
 */
export const LAB_FIELDS = Object.freeze({
  labTasks: { key: 'lt', rule: subset(...LAB_TASKS), initial: 'back.latest.order' },
  labShown: { key: 'ls', rule: choice(...LAB_TASKS), initial: 'back' },
  labCodes: { key: 'lc', rule: subset(...MODES), initial: MODES.join('.') },
  labSeeds: { key: 'ln', rule: integer(1, 10), initial: 3 },
  labLength: { key: 'll', ...whole('length') },
  labReach: { key: 'lr', ...few('reach') },
  labVocabulary: { key: 'lv', ...whole('vocabulary') },
  labLayers: { key: 'lla', ...whole('layers') },
  labWidth: { key: 'lw', ...few('dModel') },
  // All of them divide every width, and leave RoPE an even head size.
  labHeads: { key: 'lh', ...few('heads') },
  labMlp: { key: 'lm', rule: flag, initial: false },
  labCausal: { key: 'lca', rule: flag, initial: true },
  labBatch: { key: 'lb', ...whole('batch') },
  labSteps: { key: 'lst', ...whole('steps'), logarithmic: true },
  labRate: { key: 'lrt', ...real('learningRate'), logarithmic: true },
  labUpTo: { key: 'lu', rule: flag, initial: false },
  labRandomized: { key: 'lrd', rule: flag, initial: false },
  labTable: { key: 'ltb', rule: choice('wall', 'untrained'), initial: 'wall' },
  labShift: { key: 'lsh', ...whole('taskShift') },
  labModulo: { key: 'lmo', ...whole('taskModulo') },
  labBuckets: { key: 'lbk', ...whole('t5Buckets') },
  labBucketEnd: { key: 'lbe', rule: integer(2, 1024), initial: 16, logarithmic: true },
  labSlopes: { key: 'lsl', ...real('alibiExponent') },
  labBase: { key: 'lba', ...real('ropeBase'), logarithmic: true },
  labRun: { key: 'lgo', rule: choice('no', 'quick', 'full'), initial: 'no' },
  labScaling: { key: 'lsc', rule: choice('none', ...labScalings), initial: 'none' },
  labFactor: { key: 'lf', rule: number(1, 16), initial: 4, logarithmic: true },
  labTestBase: { key: 'ltbs', rule: number(0, 1e9), initial: 0 },
  labExtend: { key: 'lex', rule: choice(...labExtensions), initial: 'none' },
  labModel: { key: 'lmd', rule: integer(1, 10), initial: 1 },
  labLayer: { key: 'lly', rule: integer(0, 3), initial: 0 },
  labHead: { key: 'lhd', rule: integer(0, 7), initial: 0 },
  labExample: { key: 'lxm', rule: integer(0, 63), initial: 0 },
  labAt: { key: 'lat', rule: integer(1, 512), initial: 16 },
})
