// Things timed in turns, by processor time, so that a busy or a slow machine slows all of them alike.
import { median } from './common.mjs'

/**
 * @typedef {object} Runner
 * @property {string} name
 * @property {(repeats: number) => number | Promise<number>} run answers milliseconds of processor time
 */

/** Long enough for the clock and for a compiler to be done with hot code. */
const warmMs = 1000

/**
 * By the time of all threads, because a collector of garbage has its own.
 * @param {(repeats: number) => void} work
 * @returns {Runner['run']}
 */
export const timed = (work) => (repeats) => {
  const began = process.cpuUsage()
  work(repeats)
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

/**
 * @param {Runner} runner
 * @param {number} roundMs
 * @returns {Promise<number>} how many repeats last one round, at least 1
 */
async function calibrate({ run }, roundMs) {
  let spent = 0
  for (let repeats = 1; ; repeats *= 2) {
    const taken = await run(repeats)
    spent += taken
    if (spent > warmMs && taken > roundMs / 4) {
      return Math.max(1, Math.round((repeats * roundMs) / taken))
    }
  }
}

/**
 * @param {Runner[]} runners
 * @param {{ rounds: number, roundMs: number }} turns
 * @returns {Promise<Map<string, number[]>>} milliseconds a repeat, one entry a round
 */
export async function takeTurns(runners, { rounds, roundMs }) {
  const repeats = new Map()
  for (const runner of runners) repeats.set(runner.name, await calibrate(runner, roundMs))
  /** @type {Map<string, number[]>} */
  const times = new Map(runners.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const { name, run } of runners) {
      const count = repeats.get(name)
      times.get(name)?.push((await run(count)) / count)
    }
  }
  return times
}

/**
 * How many times as fast `one` is as `other`: of each round, because both met the same machine then.
 * @param {Map<string, number[]>} times
 * @param {string} one
 * @param {string} other
 */
export function ratio(times, one, other) {
  const [fast, slow] = [times.get(one), times.get(other)]
  if (!fast || !slow) return NaN
  return median(slow.map((ms, round) => ms / fast[round]))
}
