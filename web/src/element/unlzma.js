// LZMA: 12 % fewer bytes than deflate for this program, 15 % for its WebAssembly. After Igor Pavlov's
// specification (lzma-specification.txt of the LZMA SDK, public domain), for streams of known length.

const TOP = 2 ** 24
const HALF = 1024 // a probability of one half, out of 2048
const HEADER = 13 // properties, dictionary size, length
const PIECE = 8 // milliseconds

/** @param {number} length */
const probabilities = (length) => new Uint16Array(length).fill(HALF)

/** Lengths of matches: one for new distances, one for repeated ones. */
const lengthModel = () => ({
  choice: probabilities(2),
  low: probabilities(16 << 3),
  mid: probabilities(16 << 3),
  high: probabilities(256),
})

class RangeDecoder {
  #input
  #next
  #range = 0xffffffff
  #code = 0

  /** @param {Uint8Array} input @param {number} start */
  constructor(input, start) {
    this.#input = input
    this.#next = start + 1
    for (let i = 0; i < 4; i += 1) this.#code = ((this.#code << 8) | this.#byte()) >>> 0
  }

  #byte() {
    // A truncated stream must not go on for ever on zeros.
    if (this.#next >= this.#input.length) throw new RangeError('damaged')
    const byte = this.#input[this.#next]
    this.#next += 1
    return byte
  }

  #normalize() {
    if (this.#range >= TOP) return
    this.#range = (this.#range << 8) >>> 0
    this.#code = ((this.#code << 8) | this.#byte()) >>> 0
  }

  /** @param {Uint16Array} models @param {number} index */
  bit(models, index) {
    const probability = models[index]
    const bound = (this.#range >>> 11) * probability
    const zero = this.#code < bound
    if (zero) {
      this.#range = bound
      models[index] = probability + ((2048 - probability) >>> 5)
    } else {
      this.#range -= bound
      this.#code -= bound
      models[index] = probability - (probability >>> 5)
    }
    this.#normalize()
    return zero ? 0 : 1
  }

  /** @param {number} count of bits that follow no model */
  direct(count) {
    let value = 0
    for (let i = 0; i < count; i += 1) {
      this.#range >>>= 1
      const one = this.#code >= this.#range
      if (one) this.#code -= this.#range
      value = value * 2 + (one ? 1 : 0)
      this.#normalize()
    }
    return value
  }

  /** @param {Uint16Array} models @param {number} offset @param {number} bits */
  tree(models, offset, bits) {
    let node = 1
    for (let i = 0; i < bits; i += 1) node = (node << 1) | this.bit(models, offset + node)
    return node - (1 << bits)
  }

  /** Lowest bit first. @param {Uint16Array} models @param {number} offset @param {number} bits */
  reverseTree(models, offset, bits) {
    let node = 1
    let value = 0
    for (let i = 0; i < bits; i += 1) {
      const bit = this.bit(models, offset + node)
      node = (node << 1) | bit
      value |= bit << i
    }
    return value
  }

  /** @param {ReturnType<typeof lengthModel>} model @param {number} place */
  length({ choice, low, mid, high }, place) {
    if (!this.bit(choice, 0)) return 2 + this.tree(low, place << 3, 3)
    if (!this.bit(choice, 1)) return 10 + this.tree(mid, place << 3, 3)
    return 18 + this.tree(high, 0, 8)
  }
}

class Unpacker {
  #decoder
  #literals
  #lc
  #lp
  #pb
  #isMatch = probabilities(12 << 4)
  #isRepeat = probabilities(12)
  #isOlder = probabilities(12 * 3)
  #isLong = probabilities(12 << 4)
  #slots = probabilities(4 << 6)
  #near = probabilities(128)
  #align = probabilities(16)
  #lengths = lengthModel()
  #repeatLengths = lengthModel()
  /** Distances that were used, the latest first. */
  #recent = [0, 0, 0, 0]
  #state = 0
  position = 0

  /** @param {Uint8Array} input @param {Uint8Array<ArrayBuffer>} output */
  constructor(input, output) {
    this.#decoder = new RangeDecoder(input, HEADER)
    this.output = output
    const [properties] = input
    this.#lc = properties % 9
    this.#lp = Math.floor(properties / 9) % 5
    this.#pb = Math.floor(properties / 45)
    this.#literals = probabilities(0x300 << (this.#lc + this.#lp))
  }

  /** One literal or one match. */
  step() {
    const decoder = this.#decoder
    const state = this.#state
    const low = state < 7
    const place = this.position & ((1 << this.#pb) - 1)
    const here = (state << 4) + place
    if (!decoder.bit(this.#isMatch, here)) {
      this.#literal()
    } else if (!decoder.bit(this.#isRepeat, state)) {
      const length = decoder.length(this.#lengths, place)
      this.#recent.pop()
      this.#recent.unshift(this.#distance(length))
      this.#state = low ? 7 : 10
      this.#copy(length)
    } else {
      let older = 0
      while (older < 3 && decoder.bit(this.#isOlder, 3 * state + older)) older += 1
      if (older === 0 && !decoder.bit(this.#isLong, here)) {
        this.#state = low ? 9 : 11
        this.#copy(1)
        return
      }
      this.#recent.unshift(...this.#recent.splice(older, 1))
      this.#state = low ? 8 : 11
      this.#copy(decoder.length(this.#repeatLengths, place))
    }
  }

  #literal() {
    const { position, output } = this
    const before = position > 0 ? output[position - 1] : 0
    const context = ((position & ((1 << this.#lp) - 1)) << this.#lc) + (before >> (8 - this.#lc))
    const offset = 0x300 * context
    let symbol = 1
    if (this.#state >= 7) {
      // After a match, what stands where it would have gone on is a good guess.
      let guess = output[position - this.#recent[0] - 1]
      while (symbol < 0x100) {
        const expected = (guess >> 7) & 1
        guess <<= 1
        const bit = this.#decoder.bit(this.#literals, offset + ((1 + expected) << 8) + symbol)
        symbol = (symbol << 1) | bit
        if (bit !== expected) break
      }
    }
    while (symbol < 0x100) {
      symbol = (symbol << 1) | this.#decoder.bit(this.#literals, offset + symbol)
    }
    output[position] = symbol
    this.position = position + 1
    if (this.#state < 4) this.#state = 0
    else this.#state -= this.#state < 10 ? 3 : 6
  }

  /** @param {number} length of the match, which tells a little about its distance */
  #distance(length) {
    const decoder = this.#decoder
    const slot = decoder.tree(this.#slots, Math.min(length - 2, 3) << 6, 6)
    if (slot < 4) return slot
    const bits = (slot >> 1) - 1
    const high = (2 | (slot & 1)) * 2 ** bits
    if (slot < 14) return high + decoder.reverseTree(this.#near, high - slot, bits)
    return high + decoder.direct(bits - 4) * 16 + decoder.reverseTree(this.#align, 0, 4)
  }

  /** @param {number} length */
  #copy(length) {
    const from = this.position - this.#recent[0] - 1
    if (from < 0) throw new RangeError('damaged')
    const end = Math.min(this.position + length, this.output.length)
    for (let source = from; this.position < end; source += 1) {
      this.output[this.position] = this.output[source]
      this.position += 1
    }
  }
}

/**
 * Unpacks in pieces of a few milliseconds, so that the page stays alive on a slow machine.
 * @param {Uint8Array} input a whole .lzma file
 * @param {number} size bytes that it holds unpacked
 */
export async function unlzma(input, size) {
  const unpacker = new Unpacker(input, new Uint8Array(size))
  while (unpacker.position < size) {
    const end = performance.now() + PIECE
    while (unpacker.position < size && performance.now() < end) {
      const pause = Math.min(size, unpacker.position + 2048)
      while (unpacker.position < pause) unpacker.step()
    }
    await new Promise((resolve) => setTimeout(resolve))
  }
  return unpacker.output
}
