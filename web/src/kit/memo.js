// Answers of the engine that a scene asks for again and again while the cursor moves.

/**
 * @typedef {Record<string, { key: string, answer: Promise<any> } | undefined>} Memory
 */

/**
 * @template T
 * @param {Memory} memory a slot for each answer
 * @param {string} slot
 * @param {readonly unknown[]} dependencies what the answer depends on, as plain values
 * @param {() => Promise<T>} ask
 * @returns {Promise<T>} of the last call with the same dependencies, unless that failed
 */
export function memo(memory, slot, dependencies, ask) {
  const key = dependencies.join()
  const before = memory[slot]
  if (before?.key === key) return before.answer
  const answer = ask()
  memory[slot] = { key, answer }
  answer.catch(() => {
    if (memory[slot]?.answer === answer) memory[slot] = undefined
  })
  return answer
}
