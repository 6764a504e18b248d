// What the programs beside the figures have in common. Pure.
import { matchWords, splitWords, wordId } from '../state/words.js'

/** @import { State } from '../state/state.js' */

/** What stands in the figure when the reader has written nothing: as in text/. */
export const EXAMPLES = Object.freeze({
  en: ['dog bites man', 'man bites dog'],
  zh: ['我爱你', '你爱我'],
})

export const IMPORT = 'import numpy as np\n'

/** Vaswani et al. 2017, section 3.5, for rows of positions. */
export const SINUSOIDAL = `
def sinusoidal(positions, d, base):
    i = np.arange(d)
    angle = np.asarray(positions)[:, None] / base ** (2 * (i // 2) / d)
    return np.where(i % 2 == 0, np.sin(angle), np.cos(angle))
`

/** @param {State} state the table of the figure, as the kernel trains it */
export function trained({ tMax, dModel, seed, scale, rate, steps, grown }) {
  const more =
    grown > 0 ? `P = np.vstack([P, random.randn(${grown}, d) * ${scale}])  # never trained\n` : ''
  return `
T_max, d = ${tMax}, ${dModel}
random = np.random.RandomState(${seed})
P = random.randn(T_max, d) * ${scale}
target = 0.5 * sinusoidal(range(T_max), d, 10000)
for step in range(${steps}):
    P -= ${rate} * (P - target) / T_max
${more}`
}

/** @param {State} state the words of the figure of word order */
export function sentences(state) {
  const example = EXAMPLES[state.lang === 'zh' ? 'zh' : 'en']
  const a = splitWords(state.sentenceA || example[0])
  const b = splitWords(state.sentenceB || example[1])
  const seat = Math.min(state.position, a.length - 1)
  const ids = (/** @type {string[]} */ words) => words.map((word) => wordId(word)).join(', ')
  return { a, b, seat, other: matchWords(a, b)[seat], ids }
}
