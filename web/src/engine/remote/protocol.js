// What page and worker say to each other. Every message is a plain object with a `type`; both sides
// drop what they cannot read, because a worker's port may carry messages of browser extensions and
// a cached worker may be of another version.

// To the worker:
// - `start`: the first message; `bytes` of the .wasm file, and the longest slice in milliseconds
// - `call`: `target` is 0 for calls of the engine, else the table or trainer that is called or that a
//   `createTable` or the like is to make. Calls of one target run in the order they came; different
//   targets and the engine take turns.
// - `cancel`: answered by `stopped`, or by the result that was already on its way
// - `fault`: for tests: hang for ever, or throw outside of any call
//
// From the worker:
// - `hello`: the script runs; its version must be the page's
// - `ready` or `refused`: the answer to `start`
// - `result`, `error`, `stopped`: the last word on a call. `done` counts the training steps that were
//   taken. `snapshot` is the target after this call; without one, the page keeps the call itself, so
//   that it can be done again on the last snapshot. `fatal`: the engine is beyond use.
// - `progress`, `snapshot`: in the middle of a call; both also show that the worker lives. `part` is
//   what the call would have returned, had it ended here; null where that is of no use

/** @import { Reply, Request } from '../types.js' */

/** @typedef {(value: any) => boolean} Test */

/** @type {Record<string, Test>} */
const is = {
  count: (value) => Number.isSafeInteger(value) && value >= 0,
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  object: (value) => typeof value === 'object' && value !== null,
  bytes: (value) => value instanceof Uint8Array,
  bytesOrNull: (value) => value === null || value instanceof Uint8Array,
  anything: () => true,
}

/** @type {Record<string, Record<string, Test>>} */
const requests = {
  start: { bytes: is.bytes, simd: is.boolean, sliceMs: (value) => value > 0 },
  call: { id: is.count, target: is.count, method: is.string, args: is.object },
  cancel: { id: is.count },
  ping: {},
  fault: { kind: (value) => value === 'hang' || value === 'throw' },
}

/** @type {Record<string, Record<string, Test>>} */
const replies = {
  hello: { version: is.string },
  ready: { info: is.object },
  refused: { error: is.object },
  result: { id: is.count, value: is.anything, snapshot: is.bytesOrNull },
  error: { id: is.count, error: is.object, done: is.count, fatal: is.boolean },
  stopped: { id: is.count, done: is.count, snapshot: is.bytesOrNull },
  progress: { id: is.count, done: is.count, total: is.count },
  snapshot: { id: is.count, done: is.count, bytes: is.bytes, part: is.anything },
  pong: {},
}

/** @param {unknown} message @returns {message is Request} */
export const isRequest = (message) => matches(message, requests)

/** @param {unknown} message @returns {message is Reply} */
export const isReply = (message) => matches(message, replies)

/** @param {any} message @param {Record<string, Record<string, Test>>} kinds */
function matches(message, kinds) {
  if (!is.object(message) || !Object.hasOwn(kinds, message.type)) return false
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
  } else if (is.object(value)) {
    for (const inner of Object.values(value)) transferables(inner, found)
  }
  return found
}
