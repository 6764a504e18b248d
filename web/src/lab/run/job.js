// The training of one entry on one engine: stretches of steps, looks at the model in between, and
// the whole curve at the end. Whatever is shown on the way changes nothing of what comes out.
import { EngineError } from '../../engine/errors.js'

/**
 * @typedef {import('./entry.js').Entry} Entry
 * @typedef {import('./plan.js').Plan} Plan
 */

/** A stretch of training is to take so long, in ms: figures that follow it are alive. */
const STRETCH = 80
/** After each of so many parts of the run the model is kept, and its learned table shown. */
const PARTS = 20
/** After so many of them its curve is drawn, from a few sequences. */
const PARTS_A_CURVE = 3
/** Looking may take this share of the time of training. */
const LOOKS = 0.15
const MOST_SEQUENCES = 16
const FINAL_SEQUENCES = 64
/** Where a model looks both ways and far, a pass a length takes longer than the training. */
const LEAST_FINAL = 8
/** A second or two, in the units of `workOf`. */
const SMALL_WORK = 5e5

/** Tasks whose answer follows the question, so that every length needs a pass of its own. */
const ANSWERING = new Set(['copy', 'reverse', 'sort', 'addition'])

/**
 * What goes on within a job.
 * @typedef {object} Course
 * @property {Plan} plan
 * @property {AbortSignal} signal ends it
 * @property {(done: number) => Promise<number>} allowed steps that may be done next, at most, after those
 *   that were done
 * @property {() => number} now milliseconds
 * @property {(steps: number) => void} changed told after anything changed, with the steps done
 */

/**
 * Trains an entry from its last snapshot, or from the start, to its end.
 * @param {Entry} entry is filled
 * @param {Recorder} recorder of the entry, the same whenever it is taken up again
 * @param {any} remote engine
 * @param {Course} course
 * @throws {EngineError} `aborted` by the signal, `worker-lost`, or what makes this entry impossible
 */
export async function trainEntry(entry, recorder, remote, course) {
  const { plan, signal, allowed, now, changed } = course
  const call = { signal }
  const trainer = await openTrainer(entry, remote, plan, call)
  try {
    const info = await trainer.info(call)
    entry.info ??= info
    let { step } = info
    const part = Math.ceil(entry.steps / PARTS)
    const { early, final } = sequencesOf(entry, plan)
    let stretch = 1
    let done = 0
    let training = 0
    let looking = 0
    /** What the last look took, with a curve and without. */
    const cost = [0, 0]
    changed(0)
    while (step < entry.steps) {
      const most = await allowed(done)
      assertGoing(signal)
      const next = Math.min(entry.steps, (Math.floor(step / part) + 1) * part)
      const steps = Math.min(stretch, most, next - step)
      const since = now()
      const report = await trainer.train({ steps }, call)
      assertGoing(signal)
      const took = now() - since
      training += took
      done = report.step - step
      changed(recorder.enter(step, report))
      step = report.step
      if (steps === stretch) stretch = nextStretch(stretch, took)
      if (step < next || step === entry.steps) continue
      const curve = (step / part) % PARTS_A_CURVE === 0
      const kind = curve ? 0 : 1
      if (looking + cost[kind] > LOOKS * training) continue
      const from = now()
      await look(entry, trainer, step, { sequences: curve ? early : 0, call })
      cost[kind] = now() - from
      looking += cost[kind]
      changed(0)
    }
    await look(entry, trainer, step, { sequences: final, call })
    entry.status = 'done'
    changed(0)
  } finally {
    // After an abort too: its worker may serve another race.
    trainer.dispose().catch(() => {})
  }
}

/**
 * @param {Entry} entry
 * @param {any} remote
 * @param {Plan} plan
 * @param {{ signal?: AbortSignal }} call
 */
export function openTrainer({ snapshot, task, code, seed }, remote, { options }, call) {
  if (snapshot) return remote.restoreTrainer(snapshot, call)
  return remote.createTrainer({ ...options, task, code, seed }, call)
}

/**
 * @param {Entry} entry
 * @param {any} trainer stands at `step`
 * @param {number} step
 * @param {{ sequences: number, call: { signal: AbortSignal } }} wish 0 sequences: no curve
 */
async function look(entry, trainer, step, { sequences, call }) {
  const final = step === entry.steps
  const [answer, table, snapshot] = await Promise.all([
    sequences > 0 ? trainer.evaluate({ sequences }, call) : undefined,
    entry.code === 'learned' ? trainer.table(call) : undefined,
    trainer.snapshot(call),
  ])
  assertGoing(call.signal)
  if (answer) entry.curve = { final, step, sequences, ...answer }
  if (table) entry.table = table
  entry.snapshot = snapshot
  entry.snapshotStep = step
}

/**
 * Work in tokens that pass a layer; attention adds to it with the length, a step of training is three
 * passes.
 * @param {Pick<Entry, 'task' | 'steps'>} entry
 * @param {Pick<Plan, 'options'>} plan
 * @returns {{ training: number, curve: number }} of the whole training; of a curve from one sequence
 */
function workOf({ task, steps }, { options: { length, reach, causal, batch, dModel, mlp } }) {
  const wide = (mlp ? 6 : 2) * dModel
  const longest = reach * length
  const training = 3 * steps * batch * length * (1 + length / wide)
  // Passes of 2, 4, 8, ... tokens, or of 1, 2, 3, ...
  const dense = causal && !ANSWERING.has(task)
  const curve = dense
    ? 2 * longest + (4 * longest ** 2) / 3 / wide
    : longest ** 2 / 2 + longest ** 3 / 3 / wide
  return { training, curve }
}

/**
 * How many sequences the curves have, from the plan alone. Those on the way cost a share of the
 * training, the last one no more than all of it.
 * @param {Pick<Entry, 'task' | 'steps'>} entry
 * @param {Pick<Plan, 'options'>} plan
 */
export function sequencesOf(entry, plan) {
  const { training, curve } = workOf(entry, plan)
  const share = ((LOOKS / 2) * training * PARTS_A_CURVE) / PARTS
  const early = Math.min(MOST_SEQUENCES, Math.max(1, Math.floor(share / curve)))
  const whole = Math.max(training, SMALL_WORK)
  const final = Math.min(FINAL_SEQUENCES, Math.max(LEAST_FINAL, Math.floor(whole / curve)))
  return { early, final }
}

/**
 * @param {Pick<Entry, 'task' | 'steps'>} entry
 * @param {Pick<Plan, 'options'>} plan
 * @returns {number} what the last curve takes, in trainings
 */
export function finalShare(entry, plan) {
  const { training, curve } = workOf(entry, plan)
  return (sequencesOf(entry, plan).final * curve) / training
}

/**
 * @param {number} stretch steps
 * @param {number} took ms
 */
function nextStretch(stretch, took) {
  const ideal = took > 0 ? (stretch * STRETCH) / took : Infinity
  return Math.max(1, Math.floor(Math.min(2 * stretch, ideal)))
}

/** @param {AbortSignal} signal */
export function assertGoing(signal) {
  if (signal.aborted) throw new EngineError('aborted', 'The race was ended.', { reason: 'signal' })
}

/** Thins what every step says: points are means over `stride` steps, whatever stretches they come in. */
export class Recorder {
  #entry
  #loss = 0
  #accuracy = 0

  /** @param {Entry} entry */
  constructor(entry) {
    this.#entry = entry
  }

  /**
   * @param {number} from steps done before
   * @param {{ step: number, losses: ArrayLike<number>, accuracies: ArrayLike<number> }} report
   * @returns {number} how many of its steps are new
   */
  enter(from, { step, losses, accuracies }) {
    if (losses.length !== step - from || accuracies.length !== losses.length) {
      throw new EngineError('internal', `${losses.length} losses of ${step - from} steps.`)
    }
    const entry = this.#entry
    const before = entry.step
    // Steps that are done again after a worker was lost are known already.
    for (let i = Math.max(0, before - from); i < losses.length; i += 1) {
      this.#loss += losses[i]
      this.#accuracy += accuracies[i]
      entry.step = from + i + 1
      const over = entry.step % entry.stride
      if (over === 0 || entry.step === entry.steps) this.#push(over || entry.stride)
    }
    return entry.step - before
  }

  /** @param {number} count of steps in the point */
  #push(count) {
    const { at, step, losses, accuracies } = this.#entry
    at.push(step)
    losses.push(this.#loss / count)
    accuracies.push(this.#accuracy / count)
    this.#loss = this.#accuracy = 0
  }
}
