// Bytes and numbers as text that JSON carries without loss.

/** Arguments of one call, which engines limit. */
const CHUNK = 0x8000

/** @param {Uint8Array} bytes */
export function toBase64(bytes) {
  let text = ''
  for (let i = 0; i < bytes.length; i += CHUNK) {
    // Typed arrays are as good as lists here, and spreading them is slow.
    const chunk = /** @type {any} */ (bytes.subarray(i, i + CHUNK))
    text += String.fromCharCode.apply(null, chunk)
  }
  return btoa(text)
}

/** @param {number} bytes @returns {number} characters of their base64 */
export const base64Length = (bytes) => 4 * Math.ceil(bytes / 3)

/**
 * @param {string} text
 * @returns {Uint8Array | undefined} undefined for what is not exactly what `toBase64` writes
 */
export function fromBase64(text) {
  if (text.length % 4 !== 0 || !/^[\w+/]*={0,2}$/.test(text) || text.includes('_')) return undefined
  const letters = atob(text)
  const bytes = new Uint8Array(letters.length)
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = letters.charCodeAt(i)
  // The last letters of a foreign text may have bits that mean nothing.
  const tail = bytes.length - (bytes.length % 3 || 3)
  const end = bytes.length === 0 ? '' : toBase64(bytes.subarray(tail))
  return text.endsWith(end) && base64Length(bytes.length) === text.length ? bytes : undefined
}

/** What JSON has no number for. */
const NAMED = new Map([
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])

/** @param {number} value @returns {number | string | null} null for NaN */
export function toNumberText(value) {
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? null : String(value)
}

/** @param {unknown} value @returns {number | undefined} undefined for what `toNumberText` does not write */
export function fromNumberText(value) {
  if (typeof value === 'number') return value
  return value === null ? NaN : NAMED.get(/** @type {string} */ (value))
}

/** CRC-32 of ISO 3309, a byte a step. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1
  return rest
})

/**
 * @param {string} text
 * @returns {string} CRC-32 of its UTF-8 bytes, eight hexadecimal digits
 */
export function checksum(text) {
  let rest = 0xffffffff
  const bytes = new TextEncoder().encode(text)
  for (let i = 0; i < bytes.length; i += 1) {
    rest = (rest >>> 8) ^ TABLE[(rest ^ bytes[i]) & 0xff]
  }
  return ((rest ^ 0xffffffff) >>> 0).toString(16).padStart(8, '0')
}
