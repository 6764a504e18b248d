// What page and worker say to each other. Every message is a plain object with a `type`; both sides
// drop what they cannot read, because a worker's port may carry messages of browser extensions and
// a cached worker may be of another version.

/** @typedef {import('../errors.js').ErrorData} ErrorData */
/** @typedef {import('../load.js').Info} Info */

/**
 * To the worker.
 * - `start`: the first message; `bytes` of the .wasm file, and the longest slice in milliseconds
 * - `call`: `target` is 0 for calls of the engine, else the table or trainer that is called or that
 *   a `createTable` or the like is to make. Calls of one target run in the order they came;
 *   different targets and the engine take turns.
 * - `cancel`: answered by `stopped`, or by the result that was already on its way
 * - `fault`: for tests: hang for ever, or throw outside of any call
 * @typedef {{ type: 'start', bytes: Uint8Array, simd: boolean, sliceMs: number }
 *   | { type: 'call', id: number, target: number, method: string, args: any }
 *   | { type: 'cancel', id: number }
 *   | { type: 'ping' }
 *   | { type: 'fault', kind: 'hang' | 'throw' }} Request
 */

/**
 * From the worker.
 * - `hello`: the script runs; its version must be the page's
 * - `ready` or `refused`: the answer to `start`
 * - `result`, `error`, `stopped`: the last word on a call. `done` counts the training steps that
 *   were taken. `snapshot` is the target after this call; without one, the page keeps the call
 *   itself, so that it can be done again on the last snapshot. `fatal`: the engine is beyond use.
 * - `progress`, `snapshot`: in the middle of a call; both also show that the worker lives. `part` is
 *   what the call would have returned, had it ended here; null where that is of no use
 * @typedef {{ type: 'hello', version: string }
 *   | { type: 'ready', info: Info }
 *   | { type: 'refused', error: ErrorData }
 *   | { type: 'result', id: number, value: any, snapshot: Uint8Array | null }
 *   | { type: 'error', id: number, error: ErrorData, done: number, fatal: boolean }
 *   | { type: 'stopped', id: number, done: number, snapshot: Uint8Array | null }
 *   | { type: 'progress', id: number, done: number, total: number }
 *   | { type: 'snapshot', id: number, done: number, bytes: Uint8Array, part: any }
 *   | { type: 'pong' }} Reply
 */

/** @typedef {(value: any) => boolean} Test */

/** @type {Test} */
const isCount = (value) => Number.isSafeInteger(value) && value >= 0
/** @type {Test} */
const isString = (value) => typeof value === 'string'
/** @type {Test} */
const isBoolean = (value) => typeof value === 'boolean'
/** @type {Test} */
const isObject = (value) => typeof value === 'object' && value !== null
/** @type {Test} */
const isBytes = (value) => value instanceof Uint8Array
/** @type {Test} */
const isBytesOrNull = (value) => value === null || isBytes(value)
/** @type {Test} */
const isAnything = () => true

/** @type {Record<string, Record<string, Test>>} */
const requests = {
  start: { bytes: isBytes, simd: isBoolean, sliceMs: (value) => value > 0 },
  call: { id: isCount, target: isCount, method: isString, args: isObject },
  cancel: { id: isCount },
  ping: {},
  fault: { kind: (value) => value === 'hang' || value === 'throw' },
}

/** @type {Record<string, Record<string, Test>>} */
const replies = {
  hello: { version: isString },
  ready: { info: isObject },
  refused: { error: isObject },
  result: { id: isCount, value: isAnything, snapshot: isBytesOrNull },
  error: { id: isCount, error: isObject, done: isCount, fatal: isBoolean },
  stopped: { id: isCount, done: isCount, snapshot: isBytesOrNull },
  progress: { id: isCount, done: isCount, total: isCount },
  snapshot: { id: isCount, done: isCount, bytes: isBytes, part: isAnything },
  pong: {},
}

/**
 * @param {unknown} message
 * @returns {message is Request}
 */
export const isRequest = (message) => matches(message, requests)

/**
 * @param {unknown} message
 * @returns {message is Reply}
 */
export const isReply = (message) => matches(message, replies)

/**
 * @param {any} message
 * @param {Record<string, Record<string, Test>>} kinds
 */
function matches(message, kinds) {
  if (!isObject(message) || !Object.hasOwn(kinds, message.type)) return false
  return Object.entries(kinds[message.type]).every(([key, test]) => test(message[key]))
}

/**
 * @param {any} value arrays and plain objects, nested
 * @param {Transferable[]} [found]
 * @returns {Transferable[]} the memory of its typed arrays, to be handed over instead of copied
 */
export function transferables(value, found = []) {
  if (ArrayBuffer.isView(value)) {
    const buffer = /** @type {ArrayBuffer} */ (value.buffer)
    if (!found.includes(buffer)) found.push(buffer)
  } else if (isObject(value)) {
    for (const inner of Object.values(value)) transferables(inner, found)
  }
  return found
}
