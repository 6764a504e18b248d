// What a reader can set in the length lab. Its bounds are those of the trainer in the core.
import { MODES } from './modes.js'
import { choice, integer, number, subset } from './rules.js'

/** Tasks that a model of the lab can be trained on, in the order of their choice. */
export const LAB_TASKS = Object.freeze(
  /** @type {const} */ ([
    'back',
    'latest',
    'order',
    'first',
    'modulo',
    'seen',
    'induction',
    'previous',
    'copy',
    'reverse',
    'sort',
    'addition',
  ]),
)

const LAB_SCALINGS = Object.freeze(/** @type {const} */ (['none', 'linear', 'ntk', 'yarn']))

/** What a learned table may do for rows that training never reached. */
const LAB_EXTENSIONS = Object.freeze(
  /** @type {const} */ (['none', 'zeros', 'last', 'wrap', 'interpolate']),
)

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
  labLength: { key: 'll', rule: integer(4, 64), initial: 16 },
  labReach: { key: 'lr', rule: choice('4', '8'), initial: '4' },
  labVocabulary: { key: 'lv', rule: integer(4, 32), initial: 8 },
  labLayers: { key: 'lla', rule: integer(1, 4), initial: 1 },
  labWidth: { key: 'lw', rule: choice('16', '32', '64', '128'), initial: '32' },
  // All of them divide every width, and leave RoPE an even head size.
  labHeads: { key: 'lh', rule: choice('1', '2', '4', '8'), initial: '4' },
  labMlp: { key: 'lm', rule: flag, initial: false },
  labCausal: { key: 'lca', rule: flag, initial: true },
  labBatch: { key: 'lb', rule: integer(1, 128), initial: 16 },
  labSteps: { key: 'lst', rule: integer(1, 20000), initial: 1000, logarithmic: true },
  labRate: { key: 'lrt', rule: number(1e-5, 1), initial: 0.01, logarithmic: true },
  labUpTo: { key: 'lu', rule: flag, initial: false },
  labRandomized: { key: 'lrd', rule: flag, initial: false },
  labTable: { key: 'ltb', rule: choice('wall', 'untrained'), initial: 'wall' },
  labShift: { key: 'lsh', rule: integer(1, 8), initial: 3 },
  labModulo: { key: 'lmo', rule: integer(2, 8), initial: 4 },
  labBuckets: { key: 'lbk', rule: integer(4, 64), initial: 16 },
  labBucketEnd: { key: 'lbe', rule: integer(2, 1024), initial: 16, logarithmic: true },
  labSlopes: { key: 'lsl', rule: number(0.5, 16), initial: 4 },
  labBase: { key: 'lba', rule: number(2, 1e9), initial: 10000, logarithmic: true },
  labRun: { key: 'lgo', rule: choice('no', 'quick', 'full'), initial: 'no' },
  labScaling: { key: 'lsc', rule: choice(...LAB_SCALINGS), initial: 'none' },
  labFactor: { key: 'lf', rule: number(1, 16), initial: 4, logarithmic: true },
  labTestBase: { key: 'ltbs', rule: number(0, 1e9), initial: 0 },
  labExtend: { key: 'lex', rule: choice(...LAB_EXTENSIONS), initial: 'none' },
  labModel: { key: 'lmd', rule: integer(1, 10), initial: 1 },
  labLayer: { key: 'lly', rule: integer(0, 3), initial: 0 },
  labHead: { key: 'lhd', rule: integer(0, 7), initial: 0 },
  labExample: { key: 'lxm', rule: integer(0, 63), initial: 0 },
  labAt: { key: 'lat', rule: integer(1, 512), initial: 16 },
})
