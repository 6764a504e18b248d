// What lives in the engine's memory between calls: learned tables and trainers. The worker makes and
// calls them by name; the page keeps what makes them again when the worker is lost.

import { createTable, restoreTable, tableCalls } from './table.js'
import { createTrainer, restoreTrainer, trainerCalls } from './trainer.js'

/**
 * A call that `mutates` changes its target. Where its arguments have `steps`, they can be done in
 * several goes, and `join` puts together what two of them returned.
 * @typedef {object} AnyCall
 * @property {boolean} [mutates]
 * @property {(...args: any[]) => any} check
 * @property {(target: any, ...rest: any[]) => any} run
 * @property {(before: any, after: any) => any} [join]
 */

/**
 * @typedef {object} Kind
 * @property {'table' | 'trainer'} what
 * @property {Record<string, AnyCall>} calls by name, `info` and `snapshot` among them
 * @property {string} restore the opening that takes a snapshot's `bytes`
 * @property {(known: any) => number} entries that work in one piece may touch, from what is known:
 *   the arguments of an opening, or the info and the arguments of a call
 */

/** @type {Kind} */
const table = {
  what: 'table',
  calls: tableCalls,
  restore: 'restoreTable',
  entries: ({ tMax, dModel, bytes }) => (bytes ? bytes.length / 8 : tMax * dModel),
}

/** @type {Kind} */
const trainer = {
  what: 'trainer',
  calls: trainerCalls,
  restore: 'restoreTrainer',
  // The smallest piece is one step: some two hundred operations for each byte of the run's memory.
  entries: ({ memoryBytes, bytes }) => memoryBytes ?? bytes?.length ?? 2 ** 20,
}

/** The calls that make one. @type {Record<string, AnyCall & { kind: Kind }>} */
export const openings = {
  createTable: { ...createTable, kind: table },
  restoreTable: { ...restoreTable, kind: table },
  createTrainer: { ...createTrainer, kind: trainer },
  restoreTrainer: { ...restoreTrainer, kind: trainer },
}
