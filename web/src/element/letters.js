// Bytes as printable letters that gzip takes back to almost as many bytes: 35 letters stand for six
// bits, 58 for seven, which is how long gzip's codes for them come out. Base64 loses twice as much,
// for among its 64 letters gzip finds repetitions of three that cost more than they save.

/** Letters of six bits; those after them have seven. */
export const SHORT = 35
const FIRST = 33
const MARKUP = 60 // <

/** @param {number} index of a letter, below 93 */
export const letterAt = (index) => index + FIRST + (index + FIRST < MARKUP ? 0 : 1)

/** @param {string} text of letters; fewer than eight bits over at its end are dropped */
export function bytesOf(text) {
  const bytes = new Uint8Array(Math.floor((text.length * 7) / 8))
  let size = 0
  let bits = 0
  let count = 0
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    const index = code - FIRST - (code < MARKUP ? 0 : 1)
    const short = index < SHORT
    bits = short ? (bits << 6) | index : (bits << 7) | (index + SHORT)
    count += short ? 6 : 7
    if (count < 8) continue
    count -= 8
    bytes[size] = bits >> count
    size += 1
  }
  return bytes.slice(0, size)
}
