// A run of the length lab as a file, and back. A file is JSON with a checksum over its content; what
// is not exactly as it was written is refused, with a reason, before anything is changed.
import { EngineError } from '../../engine/errors.js'
import { base64Length, checksum, toBase64 } from './bytes.js'
import { entriesOf } from './entry.js'
import { Damage, assertGood, content } from './fields.js'

/**
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./plan.js').Plan} Plan
 * @typedef {{ version: string, simd: boolean, toolchain: string }} Build
 * @typedef {ReturnType<typeof content.read>} Content
 */

/** @typedef {{ plan: Plan, entries: Entry[], build: Build | undefined }} SavedRun */

/**
 * Why a file is refused:
 * - `too-large`: more than MAX_FILE characters
 * - `not-json`, `not-a-run`: something else altogether
 * - `other-version`: of another form, details { version }
 * - `damaged`: cut or changed, details { where }
 * @typedef {'too-large' | 'not-json' | 'not-a-run' | 'other-version' | 'damaged'} FileProblem
 */

/** Characters, which are bytes of an ordinary file. */
export const MAX_FILE = 20e6
const FORMAT = 'posenc-lab run'
const VERSION = 1

/**
 * @param {SavedRun} run
 * @param {number} [most] characters
 * @returns {string} a file; models that find no room in it are left out, those of later seeds first
 * @throws {EngineError} `bad-run-file`, reason `too-large`
 */
export function writeRun({ plan, entries, build }, most = MAX_FILE) {
  const saved = content.write({ build, plan, entries: entries.map(savedPart) })
  let room = most - fileOf(saved).length
  if (room < 0) throw badFile('too-large')
  const place = (/** @type {Entry} */ { seed }) => plan.seeds.indexOf(seed)
  const order = entries.filter(({ status, snapshot }) => status === 'done' && snapshot)
  for (const { index, snapshot } of order.sort((a, b) => place(a) - place(b))) {
    const bytes = /** @type {Uint8Array} */ (snapshot)
    const length = base64Length(bytes.length)
    if (length > room) continue
    room -= length
    saved.entries[index].snapshot = toBase64(bytes)
  }
  return fileOf(saved)
}

/** @param {object} saved */
function fileOf(saved) {
  const text = JSON.stringify(saved)
  const head = JSON.stringify({ format: FORMAT, version: VERSION, checksum: checksum(text) })
  return `${head.slice(0, -1)},"content":${text}}`
}

/** Without its snapshot; one that is not over begins anew. @param {Entry} entry */
function savedPart({ task, code, seed, ...entry }) {
  const { status, curve } = entry
  return status === 'done' || status === 'failed'
    ? { ...entry, task, code, seed, curve: curve?.final ? curve : null, snapshot: null }
    : { task, code, seed, status: 'waiting', step: 0, replaced: 0, losses: [], accuracies: [] }
}

/**
 * @param {string} file
 * @throws {EngineError} `bad-run-file`, details `{ reason: FileProblem, where?, version? }`
 */
export function readRun(file) {
  if (file.length > MAX_FILE) throw badFile('too-large')
  const { content: found, ...head } = parsed(file)
  if (head.format !== FORMAT) throw badFile('not-a-run')
  if (head.version !== VERSION) throw badFile('other-version', { version: head.version })
  if (head.checksum !== checksum(JSON.stringify(found ?? null))) throw damaged('checksum')
  try {
    return runOf(content.read(found, 'content'))
  } catch (error) {
    throw error instanceof Damage ? damaged(error.where) : error
  }
}

/**
 * @param {string} file
 * @returns {any} an object
 */
function parsed(file) {
  let found
  try {
    found = JSON.parse(file.replace(/^\ufeff/, ''))
  } catch {
    // The head of one of these files tells it from all others, even where it was cut.
    if (file.includes(JSON.stringify({ format: FORMAT }).slice(1, -1))) throw damaged('end')
    throw badFile('not-json')
  }
  const isObject = typeof found === 'object' && found !== null && !Array.isArray(found)
  if (!isObject) throw badFile('not-a-run')
  return found
}

/**
 * @param {Content} content each value is good for itself
 * @returns {SavedRun} once they fit together
 */
function runOf({ build, plan, entries: saved }) {
  const { tasks, codes, seeds, options } = plan
  /** @type {Record<string, (string | number)[]>} */
  const lists = { tasks, codes, seeds }
  for (const [where, values] of Object.entries(lists)) {
    assertGood(values.length > 0 && new Set(values).size === values.length, `plan.${where}`)
  }
  assertGood(options.warmUp <= options.steps, 'plan.options.warmUp')
  const entries = entriesOf(plan)
  assertGood(saved.length === entries.length, 'entries')
  entries.forEach((entry, index) => fill(entry, saved[index], plan, `entries[${index}]`))
  return { plan, entries, build }
}

/**
 * @param {Entry} entry as it was before the run
 * @param {Content['entries'][number]} saved
 * @param {Plan} plan
 * @param {string} where
 */
function fill(entry, saved, { options }, where) {
  const { curve, step, status, losses, accuracies } = saved
  for (const name of /** @type {const} */ (['task', 'code', 'seed'])) {
    assertGood(saved[name] === entry[name], `${where}.${name}`)
  }
  const { steps, stride } = entry
  const points = step === steps ? Math.ceil(steps / stride) : Math.floor(step / stride)
  assertGood(status === 'done' ? step === steps : step <= steps, `${where}.step`)
  assertGood(status !== 'waiting' || step === 0, `${where}.status`)
  assertGood(losses.length === points && accuracies.length === points, `${where}.losses`)
  assertGood((status === 'done') === (curve !== undefined), `${where}.curve`)
  assertGood((status === 'failed') === (saved.error !== undefined), `${where}.error`)
  assertGood(status === 'done' || saved.snapshot === undefined, `${where}.snapshot`)
  if (curve) assertGood(isWhole(curve, options.length * options.reach, steps), `${where}.curve`)
  const { snapshot, error, info, replaced } = saved
  const at = losses.map((_, index) => Math.min(steps, (index + 1) * stride))
  Object.assign(entry, { status, step, replaced, error, info, at, losses, accuracies, snapshot })
  if (!curve) return
  entry.snapshotStep = step
  entry.curve = {
    ...curve,
    final: true,
    // A file has no verdicts: the kernel gives them from its numbers.
    trained: false,
    lengths: Int32Array.from(curve.lengths),
    accuracies: Float64Array.from(curve.accuracies),
    counts: Int32Array.from(curve.counts),
    losses: Float64Array.from(curve.losses),
  }
}

/**
 * @param {NonNullable<Content['entries'][number]['curve']>} curve
 * @param {number} longest
 * @param {number} steps
 */
function isWhole({ step, lengths, accuracies, counts, losses }, longest, steps) {
  const lists = [lengths, accuracies, counts, losses]
  if (step !== steps || lists.some(({ length }) => length !== longest)) return false
  return lengths.every((length, index) => length === index + 1)
}

/** @param {FileProblem} reason @param {Record<string, unknown>} [details] */
function badFile(reason, details) {
  return new EngineError('bad-run-file', `The file of a run is refused: ${reason}.`, {
    ...details,
    reason,
  })
}

/** @param {string} where */
const damaged = (where) => badFile('damaged', { where })
