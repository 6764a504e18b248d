// RFC 1951, decoding only: for browsers without DecompressionStream('deflate-raw'). Small before
// fast; what it reads was packed by this project's build, and a damaged page is told as such.

/** Section 3.2.5: where the lengths and distances of each code begin, and how many bits follow. */
const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
  163, 195, 227, 258,
]
const lengthBits = [
  0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
]
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049,
  3073, 4097, 6145, 8193, 12289, 16385, 24577,
]
const distanceBits = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
]
/** Section 3.2.7: the order in which code length codes are written. */
const codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** @typedef {{ counts: Uint16Array, symbols: Uint16Array }} Code how many codes of each length, and their symbols in order */

/**
 * @param {ArrayLike<number>} lengths of the code of each symbol; 0 = not used
 * @returns {Code}
 */
function canonicalCode(lengths) {
  const counts = new Uint16Array(16)
  for (let symbol = 0; symbol < lengths.length; symbol++) counts[lengths[symbol]]++
  counts[0] = 0
  const offsets = new Uint16Array(17)
  for (let bits = 1; bits < 16; bits++) offsets[bits + 1] = offsets[bits] + counts[bits]
  const symbols = new Uint16Array(offsets[16])
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    if (lengths[symbol] !== 0) symbols[offsets[lengths[symbol]]++] = symbol
  }
  return { counts, symbols }
}

const fixedLiterals = canonicalCode(
  Array.from({ length: 288 }, (_, i) => (i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8)),
)
const fixedDistances = canonicalCode(new Array(30).fill(5))

/**
 * @param {Uint8Array} input a raw deflate stream
 * @param {number} size of what comes out
 * @returns {Uint8Array}
 * @throws {RangeError} when the stream is damaged or holds another number of bytes
 */
export function inflateRaw(input, size) {
  const output = new Uint8Array(size)
  let written = 0
  let position = 0 // in bits

  const damaged = () => new RangeError('damaged deflate stream')

  /** @param {number} count 0 to 15 @returns {number} lowest bit first */
  const bits = (count) => {
    let value = 0
    for (let i = 0; i < count; i++, position++) {
      const byte = position >>> 3
      if (byte >= input.length) throw damaged()
      value |= ((input[byte] >>> (position & 7)) & 1) << i
    }
    return value
  }

  /** @param {Code} code */
  const symbol = ({ counts, symbols }) => {
    let value = 0
    let first = 0
    let index = 0
    for (let length = 1; length < 16; length++) {
      value |= bits(1)
      const count = counts[length]
      if (value - first < count) return symbols[index + value - first]
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw damaged()
  }

  const stored = () => {
    position = (position + 7) & ~7
    const length = bits(8) | (bits(8) << 8)
    if ((bits(8) | (bits(8) << 8)) !== (~length & 0xffff)) throw damaged()
    const from = position >>> 3
    if (from + length > input.length || written + length > size) throw damaged()
    output.set(input.subarray(from, from + length), written)
    written += length
    position += length * 8
  }

  /** @param {Code} literals @param {Code} distances */
  const coded = (literals, distances) => {
    for (;;) {
      const value = symbol(literals)
      if (value === 256) return
      if (value < 256) {
        if (written >= size) throw damaged()
        output[written++] = value
        continue
      }
      const lengthCode = value - 257
      if (lengthCode >= lengthBase.length) throw damaged()
      const length = lengthBase[lengthCode] + bits(lengthBits[lengthCode])
      const distanceCode = symbol(distances)
      if (distanceCode >= distanceBase.length) throw damaged()
      const distance = distanceBase[distanceCode] + bits(distanceBits[distanceCode])
      if (distance > written || written + length > size) throw damaged()
      // One by one: a match may overlap what it writes.
      for (let i = 0; i < length; i++, written++) output[written] = output[written - distance]
    }
  }

  const dynamicCodes = () => {
    const literalCount = bits(5) + 257
    const distanceCount = bits(5) + 1
    const codeLengths = new Uint8Array(19)
    const given = bits(4) + 4
    for (let i = 0; i < given; i++) codeLengths[codeLengthOrder[i]] = bits(3)
    const code = canonicalCode(codeLengths)
    const lengths = new Uint8Array(literalCount + distanceCount)
    for (let i = 0; i < lengths.length;) {
      const value = symbol(code)
      if (value < 16) {
        lengths[i++] = value
        continue
      }
      const repeated = value === 16 ? lengths[i - 1] : 0
      const times = value === 16 ? 3 + bits(2) : value === 17 ? 3 + bits(3) : 11 + bits(7)
      if (repeated === undefined || i + times > lengths.length) throw damaged()
      lengths.fill(repeated, i, i + times)
      i += times
    }
    coded(
      canonicalCode(lengths.subarray(0, literalCount)),
      canonicalCode(lengths.subarray(literalCount)),
    )
  }

  for (let last = 0; last === 0;) {
    last = bits(1)
    const kind = bits(2)
    if (kind === 0) stored()
    else if (kind === 1) coded(fixedLiterals, fixedDistances)
    else if (kind === 2) dynamicCodes()
    else throw damaged()
  }
  if (written !== size) throw damaged()
  return output
}
