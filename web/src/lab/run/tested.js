// After training: what the reader does to finished models, and the curves that they have then.
import { latestWish } from './latest.js'
import { testOptionsOf } from './plan.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('./race.js').Race} Race
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./entry.js').Curve} Curve
 */

/**
 * @typedef {object} Tested
 * @property {State['mode']} code
 * @property {Record<string, unknown>} options of trainer.evaluate
 * @property {{ entry: Entry, curve: Curve }[]} curves a finished model each
 * @property {boolean} fresh false while those of newer wishes are on their way
 */

/**
 * @typedef {object} Store
 * @property {ReturnType<typeof latestWish<Wish, Tested['curves']>>} queue
 * @property {(Wish & { curves: Tested['curves'] }) | undefined} shown
 * @property {{ key: string, error: any } | undefined} failure
 * @property {Set<() => void>} listeners
 */

/** @typedef {{ key: string, options: Record<string, unknown>, entries: Entry[] }} Wish */

/** @type {WeakMap<Race, Store>} */
const stores = new WeakMap()
/** @type {WeakMap<Entry, number>} */
const serials = new WeakMap()
let lastSerial = 0

/**
 * @param {Race} race
 * @param {State} state
 * @returns {Entry[]} the models of the task shown and the code in focus that are trained to the end,
 *   and can still be tested
 */
export function finishedOf({ entries }, { labShown, mode }) {
  return entries.filter(
    ({ task, code, status, curve, snapshot }) =>
      task === labShown && code === mode && status === 'done' && curve && snapshot,
  )
}

/**
 * The curves that finished models have under what the reader applies to them. Asks for those that are
 * missing; until they are there, the ones before are given, so that a line follows a slider.
 * @param {Race} race
 * @param {State} state
 * @returns {Tested | undefined} undefined where nothing is applied, or nothing has come yet
 */
export function testedCurves(race, state) {
  const store = storeOf(race)
  const options = testOptionsOf(state, state.mode)
  const entries = finishedOf(race, state)
  if (Object.keys(options).length === 0 || entries.length === 0) {
    store.queue.forget()
    store.shown = store.failure = undefined
    return undefined
  }
  const key = JSON.stringify([options, entries.map(serialOf)])
  store.queue.wish(key, { key, options, entries })
  const { shown } = store
  const fits = shown?.entries.every((entry, i) => entry === entries[i])
  if (!shown || !fits) return undefined
  return {
    code: state.mode,
    options: shown.options,
    curves: shown.curves,
    fresh: shown.key === key,
  }
}

/** Why the last wish was refused. @param {Race} race */
export const testFailure = (race) => storeOf(race).failure?.error

/**
 * @param {Race} race
 * @param {() => void} listener called when new curves, or a refusal, have come
 * @returns {() => void} stops listening
 */
export function onTested(race, listener) {
  const { listeners } = storeOf(race)
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @param {Race} race */
function storeOf(race) {
  const known = stores.get(race)
  if (known) return known
  const tell = () => {
    for (const listener of [...store.listeners]) listener()
  }
  /** @type {Store} */
  const store = {
    shown: undefined,
    failure: undefined,
    listeners: new Set(),
    queue: latestWish({
      ask: (/** @type {Wish} */ { options, entries }) =>
        Promise.all(
          entries.map(async (entry) => ({ entry, curve: await race.test(entry, options) })),
        ),
      arrived(curves, wish) {
        store.shown = { ...wish, curves }
        store.failure = undefined
        tell()
      },
      failed(error, { key }) {
        store.shown = undefined
        store.failure = { key, error }
        tell()
      },
    }),
  }
  stores.set(race, store)
  return store
}

/** @param {Entry} entry */
function serialOf(entry) {
  const serial = serials.get(entry) ?? (lastSerial += 1)
  serials.set(entry, serial)
  return serial
}
