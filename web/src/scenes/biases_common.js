// What computing, drawing and saying of the biases scene share.
import { formatNumber } from '../text/text.js'

export const HEADS = 8
/** The longest sentence of the kernel's attention. */
export const LONGEST = 64
/** The figure is told as if the model had been trained on so many tokens. */
export const TRAINED = 8
/** One, two, four and eight times as long. */
export const LENGTHS = [8, 16, 32, 64]
/** The four squares, in their order. */
export const PANELS = /** @type {const} */ (['scores', 'bias', 'plain', 'biased'])

/** @param {number} slope */
export const slopeText = (slope) => `1/${formatNumber(1 / slope, 0)}`

/** In whole percent. @param {number} share */
export const percent = (share) => formatNumber(100 * share, 0)

/**
 * The offsets that are seen.
 * @param {{ sided: string }} state
 */
export const offsetsOf = ({ sided }) => ({ from: -LONGEST, to: sided === 'causal' ? 0 : LONGEST })
