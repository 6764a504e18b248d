// The bounds of the public interface, the same as in the core's types.h.

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

/** @typedef {'raise' | 'clamp' | 'zeros' | 'nan' | 'wrap'} Behaviour */
/** @type {Behaviour[]} */
export const behaviours = ['raise', 'clamp', 'zeros', 'nan', 'wrap']

/** @typedef {'dot' | 'cosine'} Measure */
/** @type {Measure[]} */
export const measures = ['dot', 'cosine']
