// The figures about RoPE's frequencies as NumPy programs. Pure.

/** @import { State } from '../state/state.js' */

const IMPORT = 'import numpy as np\n'

/** @param {State} state what every program begins with: frequencies as trained */
const trained = ({ ropePairs, ropeBase }) => `${IMPORT}
d, base = ${2 * ropePairs}, ${ropeBase}
j = np.arange(d // 2)
f = base ** (-2 * j / d)  # radians a position
`

/** What each scaling makes of the frequencies `f` at the length `L`. @type {Record<string, string>} */
const SCALED = {
  default: 'g, attention = f, 1.0',
  linear: 'g, attention = f / s, 1.0',
  ntk: 'g, attention = (base * s ** (d / (d - 2))) ** (-2 * j / d), 1.0',
  dynamic: `grown = base * (s * max(L, L0) / L0 - (s - 1)) ** (d / (d - 2))
g, attention = grown ** (-2 * j / d), 1.0`,
  yarn: `def pair_that_turns(times):
    return d * np.log(L0 / (2 * np.pi * times)) / (2 * np.log(base))

low = max(np.floor(pair_that_turns(32)), 0)
high = max(min(np.ceil(pair_that_turns(1)), d - 1), low)
if low == high:
    high += 0.001
ramp = np.clip((j - low) / (high - low), 0, 1)
g = f * (1 - ramp) + f / s * ramp
attention = 0.1 * np.log(s) + 1`,
  longrope: `# A list for demonstration; a published one is found by search.
unfinished = np.flatnonzero(2 * np.pi / f > L0)
last = max(1, unfinished[0] if len(unfinished) else len(f) - 1)
long_factor = 1 + (s - 1) * np.minimum(1, j / last)
g = f / long_factor if L > L0 else f
attention = np.sqrt(1 + np.log(s) / np.log(L0))`,
  llama3: `turns = L0 * f / (2 * np.pi)
keep = np.clip((turns - 1) / (4 - 1), 0, 1)  # low_freq_factor 1, high_freq_factor 4
g, attention = f * keep + f / s * (1 - keep), 1.0`,
}

/** @type {Record<string, (state: State) => string>} */
export const ROPE_SNIPPETS = {
  wavelengths(state) {
    const { trainedLength, reach, ropeType, ropeFactor } = state
    return `${trained(state)}
L0, L, s = ${trainedLength}, ${Math.round(trainedLength * reach)}, ${ropeFactor}
${SCALED[ropeType]}

turned = 2 * np.pi / f <= L0
beyond = ~turned & (g * (L - 1) > f * L0 * (1 - 1e-9))  # the largest distance is L - 1
print("wavelengths:", 2 * np.pi / g)
print("attention factor:", attention)
print("turned in training:", turned.sum(), "come to new angles:", beyond.sum())
`
  },

  precision(state) {
    const { farPosition, numberFormat } = state
    const body =
      numberFormat !== 'bfloat16'
        ? `    return x.astype(np.${numberFormat}).astype(float)`
        : `    # NumPy has no bfloat16: the upper half of a float32, rounded to even.
    bits = x.astype(np.float32).view(np.uint32).astype(np.int64)
    bits += 0x7FFF + ((bits >> 16) & 1)
    return (bits & 0xFFFF0000).astype(np.uint32).view(np.float32).astype(float)`
    return `${trained(state)}
np.seterr(all="ignore")  # float16 ends at 65504

def short(x):
    x = np.atleast_1d(x).astype(float)
${body}

def angles(position):
    return short(short(position) * short(f))

position = ${farPosition}
error = np.abs(np.cos(angles(position)) - np.cos(position * f))
print("largest error of a cosine:", error.max())
print("same code as the next:", np.array_equal(angles(position), angles(position + 1)))
`
  },
}
