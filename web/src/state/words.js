// Sentences as the attention sees them: a list of words, each with a number of its own. Pure.

/** Scripts written without spaces: there every character is a word of its own. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * @param {string} sentence
 * @returns {string[]} words; marks and spaces between them are dropped
 */
export function splitWords(sentence) {
  const words = []
  let word = ''
  for (const character of sentence.normalize('NFC')) {
    const unspaced = UNSPACED.test(character)
    const joins = !unspaced && /[\p{L}\p{M}\p{N}'’_-]/u.test(character)
    if (joins) {
      word += character
      continue
    }
    if (word) words.push(word)
    word = ''
    if (unspaced) words.push(character)
  }
  if (word) words.push(word)
  return words
}

/**
 * FNV-1a over UTF-16 units: the same word has the same number in every sentence and every browser.
 * @param {string} word
 * @returns {number} 0 to 2^32 - 1
 */
export function wordId(word) {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i += 1) {
    hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  }
  return hash >>> 0
}

/**
 * Which seat of the other sentence the same word has: its first occurrence there goes with its first
 * here, its second with its second.
 * @param {readonly string[]} from
 * @param {readonly string[]} to
 * @returns {(number | undefined)[]} one entry a word of `from`
 */
export function matchWords(from, to) {
  /** @type {Map<string, number[]>} */
  const seats = new Map()
  to.forEach((word, seat) => seats.set(word, [...(seats.get(word) ?? []), seat]))
  return from.map((word) => seats.get(word)?.shift())
}
