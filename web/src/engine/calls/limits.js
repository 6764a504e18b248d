// The bounds of the public interface, the same as in the core's types.h.

/** @import { Behaviour, LabCode, LabExtension, LabScaling, LabTask, Measure } from '../types.js' */

export const maxPosition = 2 ** 24
export const maxMatrixSize = 2 ** 26
export const maxTableSize = 2 ** 22
export const maxDim = 65536
export const maxHeads = 1024
export const maxSteps = 1000000
export const maxSeed = 2 ** 32 - 1

/** Attention of the `order` scene: sentences, not documents. */
export const maxTokens = 64
export const maxAttentionDim = 128
export const maxAttentionCode = 1e6
export const maxAttentionEntry = 1e9

/** Scores by distance. */
export const maxScoreContents = 1024
export const maxScoreDistances = 4096
/** Largest contents * distances * dModel. */
export const maxScoreWork = 2 ** 25

/** Largest size of a rotation that is written out as a matrix. */
export const maxRotationDim = 1024

/** Largest rows * rows * columns whose rows are compared with one another, in one go. */
export const maxSpreadWork = 2 ** 28
export const maxSpreadSize = 2 ** 22
export const maxOddSpreadLength = 8192

/** Largest absolute value of a scale, far from overflow. */
export const maxScale = 1e100

/** Largest entry of a vector that RoPE turns, or of a learned bias: well inside float32. */
export const maxEntry = 1e30
export const maxRandomizedLength = 2 ** 20

/** @type {Behaviour[]} */
export const behaviours = ['raise', 'clamp', 'zeros', 'nan', 'wrap']

/** @type {Measure[]} */
export const measures = ['dot', 'cosine']

// The length lab: options of a trainer, and what may be changed after training.

/** @type {LabTask[]} */
export const labTasks = [
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
]

/** @type {LabCode[]} */
export const labCodes = ['nope', 'sinusoidal', 'learned', 'rope', 'alibi', 't5']

/** The default, the least, the most. @type {Record<string, [number, number, number]>} */
export const labIntegers = {
  length: [16, 4, 64],
  vocabulary: [8, 4, 32],
  layers: [1, 1, 4],
  batch: [16, 1, 128],
  steps: [1000, 1, 20000],
  warmUp: [50, 0, 20000],
  seed: [42, 0, maxSeed],
  taskShift: [3, 1, 8],
  taskModulo: [4, 2, 8],
  t5Buckets: [16, 4, 64],
  t5MaxDistance: [16, 1, 1024],
}

/** The same. @type {Record<string, [number, number, number]>} */
export const labNumbers = {
  learningRate: [0.01, 1e-5, 1],
  weightDecay: [0, 0, 1],
  alibiExponent: [4, 0.5, 16],
  ropeBase: [10000, 2, 1e9],
  sinusoidBase: [10000, 2, 1e9],
}

/** The default, then all there are. @type {Record<string, [any, ...any[]]>} */
export const labChoices = {
  reach: [4, 4, 8],
  dModel: [32, 16, 32, 64, 128],
  heads: [4, 1, 2, 4, 8],
  lengths: ['fixed', 'fixed', 'upTo'],
  table: ['untrained', 'wall', 'untrained'],
}

/** The defaults. @type {Record<string, boolean>} */
export const labFlags = { mlp: false, causal: true, randomized: false }

/** Length of the longest sequence that is evaluated, in the task's own measure. */
export const maxLabLength = 512
export const maxLabSequences = 512
/** Curves that are summed up, and groups, seeds and columns of what is compared, at a time. */
export const maxLabCurves = 64
/** Bytes of the largest snapshot of a trainer. */
export const maxLabSnapshot = 2 ** 25

/** @type {LabScaling[]} */
export const labScalings = ['linear', 'ntk', 'yarn']
export const maxLabFactor = 64

/** @type {LabExtension[]} */
export const labExtensions = ['none', 'zeros', 'last', 'wrap', 'interpolate']
