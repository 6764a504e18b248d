// The programs beside the figures of rotation and of biases. Pure.

/** @import { State } from '../state/state.js' */

/** @param {State} state */
export function rotationProgram({ position, position2, base, pairs, layout, seed, mode }) {
  const start = `
m, n, base, d = ${position}, ${position2}, ${base}, ${2 * pairs}
theta = base ** (-2 * np.arange(d // 2) / d)
`
  if (mode === 'sinusoidal') {
    return `${start}
def PE(position):
    return np.stack([np.sin(position * theta), np.cos(position * theta)], -1).ravel()

R = np.zeros((d, d))
for j, angle in enumerate((n - m) * theta):
    c, s = np.cos(angle), np.sin(angle)
    R[2 * j : 2 * j + 2, 2 * j : 2 * j + 2] = [[c, s], [-s, c]]
print("product:", PE(m) @ PE(n))
print("largest gap:", np.abs(R @ PE(m) - PE(n)).max())
`
  }
  const split = layout === 'half-split'
  const halves = split ? 'x[: d // 2], x[d // 2 :]' : 'x[0::2], x[1::2]'
  const joined = split ? 'np.concatenate(pair)' : 'np.stack(pair, -1).ravel()'
  return `${start}q, k = np.random.RandomState(${seed}).randn(2, d)

def rope(x, position):  # pairs are ${layout}
    a, b = ${halves}
    c, s = np.cos(position * theta), np.sin(position * theta)
    pair = a * c - b * s, a * s + b * c
    return ${joined}

print("score:", rope(q, m) @ rope(k, n))
print("both ten further:", rope(q, m + 10) @ rope(k, n + 10))
`
}

/** @param {State} state */
export function biasesProgram(state) {
  const { mode, sided, seed, biasHead, biasLength, biasQuery, numBuckets, maxDistance } = state
  const causal = sided === 'causal'
  const bias =
    mode === 't5'
      ? `
buckets, most = ${numBuckets}, ${maxDistance}
side = buckets${causal ? '' : ' // 2'}
exact = side // 2
distance = ${causal ? 'np.maximum(-offset, 0)' : 'np.abs(offset)'}
far = np.log(np.maximum(distance, 1) / exact) / np.log(most / exact) * (side - exact)
far = np.minimum(exact + far.astype(int), side - 1)
bucket = np.where(distance < exact, distance, far)${causal ? '' : ' + side * (offset > 0)'}
# T5 learns these numbers: one for each bucket and head
bias = np.random.RandomState(${seed}).randn(buckets, 8)[bucket, ${biasHead - 1}]
`
      : `
bias = -(2.0**-${biasHead}) * np.abs(offset)  # head ${biasHead} of 8
`
  const mask = causal ? '\n    scores = np.where(offset > 0, -np.inf, scores)' : ''
  return `
n, query = ${biasLength}, ${biasQuery}
scores = np.random.RandomState(${seed}).randn(512, 64)[:n, :n]
offset = np.arange(n) - np.arange(n)[:, None]  # key minus query
${bias}
def softmax(scores):${mask}
    w = np.exp(scores - scores.max(axis=1, keepdims=True))
    return w / w.sum(axis=1, keepdims=True)

for name, s in [("without", scores), ("with the bias", scores + bias)]:
    print(name, softmax(s)[query])
`
}
