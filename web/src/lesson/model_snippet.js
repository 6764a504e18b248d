// The positions of a real model as a NumPy program. Pure.
import { EXAMPLE_OF, configText } from '../config/models.js'
import { readConfig } from '../config/read.js'
import { readResolved } from '../state/resolved.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../state/resolved.js').Resolved} Resolved
 * @typedef {import('../state/resolved.js').Rope} Rope
 */

/** What each scaling does to the frequencies `w`. @type {Record<string, (rope: Rope) => string>} */
const SCALINGS = {
  linear: () => 'w = w / s\n',
  ntk: () => 'w = frequencies(theta * s ** (d / (d - 2)))\n',
  dynamic: () => `if length > L0:
    w = frequencies(theta * (s * length / L0 - (s - 1)) ** (d / (d - 2)))
`,
  yarn: ({ beta_fast: fast = 32, beta_slow: slow = 1, truncate }) => `
def pair(turns):  # which pair turns so often within L0
    return d * np.log(L0 / (2 * np.pi * turns)) / (2 * np.log(theta))

low, high = pair(${fast}), pair(${slow})
${truncate === 0 ? '' : 'low, high = np.floor(low), np.ceil(high)\n'}low, high = max(low, 0), min(high, d - 1)
ramp = np.clip((np.arange(d // 2) - low) / (high - low if high != low else 0.001), 0, 1)
w = w * (1 - ramp) + w / s * ramp
`,
  longrope: ({
    short_factor: short = [],
    long_factor: long = [],
  }) => `short = np.array([${short.join(', ')}])
long = np.array([${long.join(', ')}])
w = w / (long if length > L0 else short)
`,
  llama3: ({ low_freq_factor: low, high_freq_factor: high }) => `low, high = ${low}, ${high}
turns = L0 * w / (2 * np.pi)
smooth = np.clip((turns - low) / (high - low), 0, 1)
w = (1 - smooth) * w / s + smooth * w
`,
}

/** @param {Resolved} resolved @param {number} length */
function rotations({ ropes: [rope], declared }, length) {
  const { headDim, theta, partial, type, factor } = rope
  const trained = rope.original ?? declared
  const scaling = SCALINGS[type]
  const known = type in SCALINGS && trained !== undefined
  return `
d, theta = ${partial === undefined ? headDim : `int(${headDim} * ${partial})`}, ${theta}

def frequencies(base):
    return 1.0 / base ** (np.arange(0, d, 2) / d)

w = frequencies(theta)
${known ? `L0, length = ${trained}, ${length}\ns = ${factor ?? `${declared ?? trained} / L0`}\n${scaling(rope)}` : ''}print("wavelengths:", 2 * np.pi / w)
`
}

/** @type {Record<Resolved['encoding'], (resolved: Resolved, length: number) => string>} */
const PROGRAMS = {
  rope: rotations,
  learned: ({ rows, offset, positions }, length) => `
rows, offset, length = ${rows}, ${offset}, ${length}
print("positions:", rows - offset)
try:
    np.arange(rows)[length - 1 + offset]
    print("the last of", length, "positions has a row")
except IndexError as error:
    print("IndexError:", error, "- the file promises ${positions}")
`,
  alibi: ({ heads = 1 }) => `
heads = ${heads}

def slopes(n):
    return 2.0 ** (-8 * np.arange(1, n + 1) / n)

power = 2 ** int(np.log2(heads))
print("slopes:", np.concatenate([slopes(power), slopes(2 * power)[::2][: heads - power]]))
`,
  t5: ({ buckets = 32, distance = 128, bidirectional }) => `
buckets, furthest = ${bidirectional === 1 ? `${buckets} // 2` : buckets}, ${distance}
exact = buckets // 2
n = np.arange(2 * furthest + 1)
far = exact + np.floor(np.log(np.maximum(n, 1) / exact) / np.log(furthest / exact) * (buckets - exact))
print("buckets:", np.where(n < exact, n, np.minimum(far, buckets - 1)).astype(int))
`,
  sinusoidal: ({ width = 1 }) => `
d = ${width}
print("wavelengths:", 2 * np.pi * 10000.0 ** (2 * np.arange((d + 1) // 2) / d))
`,
  nope: () => `
print("nothing is added to the words, nothing to the scores:", np.zeros(1))
`,
}

/** @param {State} state */
export function modelSnippet({ model, mode, modelLength }) {
  const example = readConfig(configText(EXAMPLE_OF[mode]))
  const resolved = readResolved(model) ?? /** @type {any} */ (example).resolved
  return `import numpy as np\n${PROGRAMS[/** @type {Resolved} */ (resolved).encoding](resolved, modelLength)}`
}
