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

/** Largest size of a rate or scale, so that no product of two overflows a double early on. */
export const maxFactor = 1e6

/** @typedef {'raise' | 'clamp' | 'zeros' | 'nan' | 'wrap'} Behaviour */
/** @type {Behaviour[]} */
export const behaviours = ['raise', 'clamp', 'zeros', 'nan', 'wrap']

/** @typedef {'dot' | 'cosine'} Measure */
/** @type {Measure[]} */
export const measures = ['dot', 'cosine']
