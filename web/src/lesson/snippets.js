// The computation of each figure as a NumPy program, with the numbers of the figure's state. Pure.
import { compareProgram, familyOrder, offsets } from './family_snippets.js'
import { modelSnippet } from './model_snippet.js'
import { ROPE_SNIPPETS } from './rope_snippets.js'
import { biasesProgram, rotationProgram } from './turn_bias_snippets.js'
import { IMPORT, SINUSOIDAL, sentences, trained } from './parts.js'

export { EXAMPLES } from './parts.js'

/** @import { State } from '../state/state.js' */

/** How a lookup past the table answers, framework by framework. */
const LOOKUPS = /** @type {Record<string, (state: State) => string>} */ ({
  clamp: () => `row = P.take(position, axis=0, mode="clip")`,
  wrap: () => `row = P.take(position, axis=0, mode="wrap")`,
  zeros: () => `row = P[position] if position < len(P) else np.zeros(d)`,
  nan: () => `row = P[position] if position < len(P) else np.full(d, np.nan)`,
  untrained: ({ length, scale }) =>
    `P = np.vstack([P, random.randn(${length} - len(P), d) * ${scale}])\nrow = P[position]`,
})

/** @type {Record<string, (state: State) => string>} */
export const SNIPPETS = {
  ...ROPE_SNIPPETS,

  order(state) {
    const { dModel, heads, seed, causal, base, mode } = state
    if (mode !== 'sinusoidal' && mode !== 'learned') return familyOrder(state)
    const { a, b, seat, other, ids } = sentences(state)
    const mask = causal ? '\n        scores += np.triu(np.full(scores.shape, -np.inf), 1)' : ''
    return `${IMPORT}${SINUSOIDAL}
d, heads, seed = ${dModel}, ${heads}, ${seed}
A = [${ids(a)}]  # ${a.join(' ')}
B = [${ids(b)}]  # ${b.join(' ')}

def draw(*keys, shape):
    return np.random.RandomState([seed, *keys]).randn(*shape)

Wq, Wk, Wv, Wo = (draw(k, shape=(d, d)) / np.sqrt(d) for k in (1, 2, 3, 4))

def attention(x):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    out = np.zeros_like(x)
    for h in range(heads):
        s = slice(h * d // heads, (h + 1) * d // heads)
        scores = q[:, s] @ k[:, s].T / np.sqrt(d // heads)${mask}
        w = np.exp(scores - scores.max(axis=1, keepdims=True))
        out[:, s] = w / w.sum(axis=1, keepdims=True) @ v[:, s]
    return out @ Wo

def outputs(words, code):
    x = np.array([draw(0, word, shape=(d,)) for word in words])
    return attention(x + code[: len(words)])

longest = max(len(A), len(B))
for name, code in [
    ("no positions", np.zeros((longest, d))),
    ("sinusoidal", sinusoidal(range(longest), d, ${base})),
]:
    ${
      other === undefined
        ? `print(name, outputs(A, code)[${seat}])  # ${a[seat]}`
        : `print(name, np.abs(outputs(A, code)[${seat}] - outputs(B, code)[${other}]).max())  # ${a[seat]}`
    }
`
  },

  waves: ({ position, dModel, base }) => `${IMPORT}${SINUSOIDAL}
position, d, base = ${position}, ${dModel}, ${base}
print(sinusoidal([position], d, base)[0])
print("seats to a turn:", 2 * np.pi * base ** (2 * np.arange((d + 1) // 2) / d))
`,

  training(state) {
    const position = Math.min(state.position, state.tMax - 1)
    return `${IMPORT}${SINUSOIDAL}${trained({ ...state, grown: 0 })}
print("mean squared error:", np.mean((P - target) ** 2))
print("row ${position}:", P[${position}])
`
  },

  beyond(state) {
    const { position, dModel, base, behaviour } = state
    const lookup = LOOKUPS[behaviour]?.(state) ?? 'row = P[position]'
    return `${IMPORT}${SINUSOIDAL}${trained(state)}
position = ${position}
print("sinusoidal:", sinusoidal([position], ${dModel}, ${base})[0])
try:
    ${lookup.replaceAll('\n', '\n    ')}
    print("learned:", row)
except IndexError as error:
    print("IndexError:", error)
`
  },

  similarity: ({ position, offset, dModel, base }) => `${IMPORT}${SINUSOIDAL}
position, offset, d, base = ${position}, ${offset}, ${dModel}, ${base}
a, b = sinusoidal([position, position + offset], d, base)
print("dot product:", a @ b)
print("cosine:", a @ b / np.linalg.norm(a) / np.linalg.norm(b))
`,

  sum(state) {
    const { position, dModel, base, seed, mode } = state
    const code =
      mode === 'sinusoidal'
        ? `code = sinusoidal([position], d, ${base})[0]`
        : `${trained(state).trim()}\ncode = P[position]`
    return `${IMPORT}${SINUSOIDAL}
position, d = ${position}, ${dModel}
word = np.random.RandomState(${seed}).randn(d) / np.sqrt(d)
${code}
for name, x in [("as it comes", word), ("times the root of d", np.sqrt(d) * word)]:
    print(name, np.linalg.norm(x), np.linalg.norm(code), np.linalg.norm(x + code))
`
  },

  offsets,

  cost: ({ costRows, costWidth, costModel, costBytes }) => `T_max, d = ${costRows}, ${costWidth}
learned = T_max * d
print("learned:", learned, "parameters,", learned * ${costBytes}, "bytes")
print("of the model:", 100 * learned / ${costModel * 1e6}, "%")
print("sinusoidal:", 0, "parameters")
`,

  model: modelSnippet,
  rotation: (state) => IMPORT + rotationProgram(state),
  biases: (state) => IMPORT + biasesProgram(state),
  compare: compareProgram,
}
