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
import { choice, flag, integer, number, subset } from './rules.js'

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

/** In the order in which links write them. */
export const labFields = {
  // subset of LAB_TASKS, joined by dots
  labTasks: { key: 'lt', rule: subset(...LAB_TASKS), initial: 'back.latest.order' },
  // the task whose figures are in sight; one of `labTasks`
  labShown: { key: 'ls', rule: choice(...LAB_TASKS), initial: 'back' },
  // subset of MODES, joined by dots
  labCodes: { key: 'lc', rule: subset(...MODES), initial: MODES.join('.') },
  // how many runs of each code and task, from `seed` on
  labSeeds: { key: 'ln', rule: integer(1, 10), initial: 3 },
  labLength: { key: 'll', ...whole('length') }, // L, the longest length of the training
  labReach: { key: 'lr', ...few('reach') }, // times L, up to which is tested
  labVocabulary: { key: 'lv', ...whole('vocabulary') }, // content tokens
  labLayers: { key: 'lla', ...whole('layers') },
  labWidth: { key: 'lw', ...few('dModel') }, // d
  // All of them divide every width, and leave RoPE an even head size.
  labHeads: { key: 'lh', ...few('heads') },
  labMlp: { key: 'lm', rule: flag, initial: false },
  labCausal: { key: 'lca', rule: flag, initial: true },
  labBatch: { key: 'lb', ...whole('batch') }, // sequences a step
  labSteps: { key: 'lst', ...whole('steps'), logarithmic: true },
  labRate: { key: 'lrt', ...real('learningRate'), logarithmic: true }, // learning rate
  labUpTo: { key: 'lu', rule: flag, initial: false }, // train on lengths up to L, not on L alone
  labRandomized: { key: 'lrd', rule: flag, initial: false }, // randomized positions
  // rows of the learned table: L alone, or as many as are tested
  labTable: { key: 'ltb', rule: choice('wall', 'untrained'), initial: 'wall' },
  labShift: { key: 'lsh', ...whole('taskShift') }, // of the task `back`, below L
  labModulo: { key: 'lmo', ...whole('taskModulo') }, // of the task `modulo`
  labBuckets: { key: 'lbk', ...whole('t5Buckets') }, // of T5, even
  // from which distance on T5 has its last bucket
  labBucketEnd: { key: 'lbe', rule: integer(2, 1024), initial: 16, logarithmic: true },
  labSlopes: { key: 'lsl', ...real('alibiExponent') }, // exponent of ALiBi's slopes 2^(-e h / H)
  labBase: { key: 'lba', ...real('ropeBase'), logarithmic: true }, // of RoPE and of the sinusoid
  // what a link starts by itself
  labRun: { key: 'lgo', rule: choice('no', 'quick', 'full'), initial: 'no' },
  // of RoPE, after training
  labScaling: { key: 'lsc', rule: choice('none', ...labScalings), initial: 'none' },
  labFactor: { key: 'lf', rule: number(1, 16), initial: 4, logarithmic: true }, // of the scaling
  // of RoPE after training; 0: as trained
  labTestBase: { key: 'ltbs', rule: number(0, 1e9), initial: 0 },
  // of the learned table
  labExtend: { key: 'lex', rule: choice(...labExtensions), initial: 'none' },
  // which of the seeds is looked into, from 1
  labModel: { key: 'lmd', rule: integer(1, 10), initial: 1 },
  labLayer: { key: 'lly', rule: integer(0, 3), initial: 0 }, // looked into, from 0
  labHead: { key: 'lhd', rule: integer(0, 7), initial: 0 }, // looked into, from 0
  // which sequence is looked at, from 0
  labExample: { key: 'lxm', rule: integer(0, 63), initial: 0 },
  // its length, at most labReach * labLength
  labAt: { key: 'lat', rule: integer(1, 512), initial: 16 },
}

/** @type {Readonly<Record<string, import('./rules.js').Field>>} */
export const LAB_FIELDS = Object.freeze(labFields)
