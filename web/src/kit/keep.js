// Answers of the engine that a scene asks for again and again while the cursor moves.

/**
 * @typedef {Record<string, { key: string, job: Promise<any> } | undefined>} Kept
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
  if (before?.key === key) return before.job
  const job = ask()
  kept[slot] = { key, job }
  job.catch(() => {
    if (kept[slot]?.job === job) kept[slot] = undefined
  })
  return job
}
