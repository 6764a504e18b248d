/** Position codes in the order of their choice: the two of the foundation, then what replaced them. */
export const MODES = Object.freeze(
  /** @type {const} */ (['sinusoidal', 'learned', 'rope', 'alibi', 't5', 'nope']),
)
