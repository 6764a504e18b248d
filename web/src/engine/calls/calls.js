// Every call of the engine, once: how its arguments are checked and how it is run. The engine on this
// thread, the worker and the connection to the worker are all made from these tables.
import { codeCalls, numberCalls } from './codes.js'
import { familyCalls } from './family.js'
import { curveCalls, trainerCalls, trainerOpenings } from './lab.js'
import { tableCalls, tableOpenings } from './table.js'

/** @import { Call, Calls, Kind } from '../types.js' */

export { numberCalls }

/** The calls of the engine by name, those that make tables and trainers excepted. @type {Calls} */
export const calls = { ...codeCalls, ...familyCalls, ...curveCalls }

/** The same with those of `engine.numbers`: what a worker is asked by name. @type {Calls} */
export const plainCalls = { ...calls, ...numberCalls }

/** @type {Kind} */
export const table = {
  what: 'table',
  calls: tableCalls,
  restore: 'restoreTable',
  entries: ({ tMax, dModel, bytes }) => (bytes ? bytes.length / 8 : tMax * dModel),
}

/** @type {Kind} */
export const trainer = {
  what: 'trainer',
  calls: trainerCalls,
  restore: 'restoreTrainer',
  // The smallest piece is one step: some two hundred operations for each byte of the run's memory.
  entries: ({ memoryBytes, bytes }) => memoryBytes ?? bytes?.length ?? 2 ** 20,
}

/** @param {Calls} made @param {Kind} kind */
const ofKind = (made, kind) =>
  Object.fromEntries(Object.entries(made).map(([name, call]) => [name, { ...call, kind }]))

/** The calls that make one. @type {Record<string, Call & { kind: Kind }>} */
export const openings = { ...ofKind(tableOpenings, table), ...ofKind(trainerOpenings, trainer) }

/**
 * A class whose methods are the calls of a table.
 * @template T
 * @param {Calls} table_
 * @returns {new (perform: (name: string, call: Call, given: unknown[]) => any) => T}
 */
export function methodsOf(table_) {
  class Methods {
    /** @param {(name: string, call: Call, given: unknown[]) => any} perform */
    constructor(perform) {
      for (const [name, call] of Object.entries(table_)) {
        const method = (/** @type {unknown[]} */ ...given) => perform(name, call, given)
        Object.assign(this, { [name]: method })
      }
    }
  }
  return /** @type {any} */ (Methods)
}
