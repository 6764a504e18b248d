// The programs of the figures that show every encoding: word order and distance. Pure.
import { IMPORT, SINUSOIDAL, sentences, trained } from './parts.js'

/** @import { State } from '../state/state.js' */

/** Su et al. 2021, section 3.2.2, pairs (2j, 2j + 1) of the rows of a head. */
const TURN = `
def turn(x, positions, base):
    n = x.shape[1] // 2
    angle = np.asarray(positions)[:, None] / base ** (np.arange(n) / max(n, 1))
    a, b = x[:, 0 : 2 * n : 2], x[:, 1 : 2 * n : 2]
    y = x.copy()
    y[:, 0 : 2 * n : 2] = a * np.cos(angle) - b * np.sin(angle)
    y[:, 1 : 2 * n : 2] = a * np.sin(angle) + b * np.cos(angle)
    return y
`

/** Press et al. 2022, section 3; other head counts as in the authors' code. */
const SLOPES = `
def slopes(n):
    p = 2 ** int(np.log2(n))
    more = [2 ** (-4 * (2 * h + 1) / p) for h in range(n - p)]
    return np.array([2 ** (-8 * (h + 1) / p) for h in range(p)] + more)
`

/** Raffel et al. 2020, section 2.1. @param {boolean} sides whether keys come before and after */
const buckets = (sides) => `
def bucket(offset):  # key position minus query position
    n = ${sides ? 16 : 32}
    exact = n // 2
    start = ${sides ? 'n if offset > 0 else 0' : '0'}
    distance = ${sides ? 'abs(offset)' : 'max(-offset, 0)'}
    if distance < exact:
        return start + distance
    share = np.log(distance / exact) / np.log(128 / exact) * (n - exact)
    return start + min(exact + int(share), n - 1)

values = np.random.RandomState(seed).randn(32, heads)  # learned in a model
`

/** @param {boolean} causal */
const orderWays = (causal) =>
  /** @type {Record<string, { name: string, define: string, vectors?: string, scores?: string }>} */ ({
    rope: {
      name: 'RoPE',
      define: TURN,
      vectors: 'a, b = (turn(y, range(len(x)), base) for y in (a, b))',
    },
    alibi: {
      name: 'ALiBi',
      define: SLOPES,
      scores: 'scores -= slopes(heads)[h] * np.abs(offset)',
    },
    t5: {
      name: 'T5 bias',
      define: buckets(!causal),
      scores: 'scores += [[values[bucket(k), h] for k in row] for row in offset]',
    },
    nope: {
      name: 'causal, no positions',
      define: '',
      scores: 'scores += np.where(offset > 0, -np.inf, 0)',
    },
  })

/** @param {State} state with RoPE, ALiBi, T5 or NoPE in focus */
export function familyOrder(state) {
  const { heads, seed, base, mode } = state
  const causal = state.causal && mode !== 'nope'
  const { name, define, vectors, scores } = orderWays(causal)[mode]
  const { a, b, seat, other, ids } = sentences(state)
  const step = (/** @type {string | undefined} */ line) =>
    line ? `\n        if placed:\n            ${line}` : ''
  const mask = causal ? '\n        scores += np.where(offset > 0, -np.inf, 0)' : ''
  const result = other === undefined ? '' : ` - outputs(B, placed)[${other}]`
  const value = `outputs(A, placed)[${seat}]${result}`
  return `${IMPORT}
d, heads, seed, base = ${Math.min(state.dModel, 128)}, ${heads}, ${seed}, ${base}
A = [${ids(a)}]  # ${a.join(' ')}
B = [${ids(b)}]  # ${b.join(' ')}

def draw(*keys, shape):
    return np.random.RandomState([seed, *keys]).randn(*shape)

Wq, Wk, Wv, Wo = (draw(k, shape=(d, d)) / np.sqrt(d) for k in (1, 2, 3, 4))
${define}
def attention(x, placed):
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    offset = np.arange(len(x)) - np.arange(len(x))[:, None]
    out = np.zeros_like(x)
    for h in range(heads):
        s = slice(h * d // heads, (h + 1) * d // heads)
        a, b = q[:, s], k[:, s]${step(vectors)}
        scores = a @ b.T / np.sqrt(d // heads)${step(scores)}${mask}
        w = np.exp(scores - scores.max(axis=1, keepdims=True))
        out[:, s] = w / w.sum(axis=1, keepdims=True) @ v[:, s]
    return out @ Wo

def outputs(words, placed):
    return attention(np.array([draw(0, word, shape=(d,)) for word in words]), placed)

for name, placed in [("no positions", False), ("${name}", True)]:
    print(name + ":", ${other === undefined ? value : `np.abs(${value}).max()`})  # ${a[seat]}
`
}

/** @type {Record<State['mode'], (state: State) => { define: string, vectors?: string, bias?: string }>} */
const SCORES = {
  sinusoidal: ({ base }) => ({
    define: SINUSOIDAL,
    vectors: `q, k = q + sinusoidal([m], d, ${base})[0], k + sinusoidal([n], d, ${base})[0]`,
  }),
  learned: (state) => ({
    define: SINUSOIDAL + trained(state),
    vectors: 'q, k = q + P[m], k + P[n]',
  }),
  rope: ({ base }) => ({ define: TURN, vectors: `q, k = turn(np.array([q, k]), [m, n], ${base})` }),
  alibi: () => ({ define: SLOPES, bias: ' - slopes(heads)[0] * abs(n - m)' }),
  t5: () => ({ define: buckets(true), bias: ' + values[bucket(n - m), 0]' }),
  nope: () => ({ define: '' }),
}

/** @param {State} wide */
export function offsets(wide) {
  const state = { ...wide, dModel: Math.min(wide.dModel, 128) }
  const { dModel, heads, seed, queryAt, distance, pairing, mode } = state
  const { define, vectors, bias = '' } = SCORES[mode](state)
  return `${IMPORT}
d, heads, seed, contents = ${dModel}, ${heads}, ${seed}, 64
${define}
def word(c):
    return np.random.RandomState([seed, 0, c]).randn(d)

def score(c, m, n):  # of a query at m and a key at n
    q, k = word(c), word(${pairing === 'same' ? 'c' : 'contents + c'})${vectors ? `\n    ${vectors}` : ''}
    return q @ k / np.sqrt(d)${bias}

for distance in (0, ${distance}):
    try:
        scores = [score(c, ${queryAt}, ${queryAt} + distance) for c in range(contents)]
        print("distance", distance, "first:", scores[0], "average:", np.mean(scores))
    except IndexError as error:
        print("distance", distance, "IndexError:", error)
`
}

/** What each code has to learn, in the sizes of the table: BERT-base, and one stack of T5-base. */
export const compareProgram = () => `${IMPORT}learned = np.zeros((512, 768))  # T_max rows of d
buckets = np.zeros((32, 12))  # one number a bucket and head
for name, parameters in [
    ("sinusoidal", 0),
    ("learned", learned.size),
    ("RoPE", 0),
    ("ALiBi", 0),
    ("T5 bias", buckets.size),
    ("NoPE", 0),
]:
    print(name, "learns", parameters)
try:
    learned[1024]
except IndexError as error:
    print("IndexError:", error)
`
