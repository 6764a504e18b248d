// Answers of the engine that a scene asks for again and again while the cursor moves.

/**
 * @typedef {Record<string, { key: string, answer: Promise<any> } | undefined>} Kept
 */

/**
 * @template T
 * @param {Kept} kept one slot each for what is kept
 * @param {string} slot
 * @param {readonly unknown[]} dependencies what the answer depends on, as plain values
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>} of the last call with the same dependencies, unless that failed
 */
export function keep(kept, slot, dependencies, ask) {
  const key = dependencies.join()
  const before = kept[slot]
  if (before?.key === key) return before.answer
  const answer = ask()
  kept[slot] = { key, answer }
  answer.catch(() => {
    if (kept[slot]?.answer === answer) kept[slot] = undefined
  })
  return answer
}
