// An engine that gives the length lab's answers without training anything: numbers follow from the
// options and the step, so that a mix-up of entries, steps or snapshots shows in them.
import { EngineError } from '../../../web/src/engine/errors.js'

/** @typedef {import('../../../web/src/lab/run/plan.js').Plan} Plan */

/** @param {Partial<Plan['options']>} [options] @returns {Plan['options']} */
export const planOptions = (options) => ({
  length: 8,
  reach: 4,
  vocabulary: 8,
  layers: 1,
  dModel: 32,
  heads: 4,
  mlp: false,
  causal: true,
  batch: 16,
  steps: 40,
  learningRate: 0.01,
  warmUp: 10,
  lengths: 'fixed',
  randomized: false,
  table: 'wall',
  taskShift: 3,
  taskModulo: 4,
  t5Buckets: 16,
  t5MaxDistance: 16,
  alibiExponent: 4,
  ropeBase: 10000,
  sinusoidBase: 10000,
  ...options,
})

/** @param {string} text @returns {number} 0 to 1, from the text alone */
function fraction(text) {
  let hash = 2166136261
  for (const letter of text) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * What a test may do to the engines.
 * @typedef {object} Fate
 * @property {(made: FakeEngine[]) => void} [onConnect] may throw
 * @property {(engine: FakeEngine, trainer: FakeTrainer, method: string, args: any) => unknown} [onCall]
 *   before a call is answered; may throw or wait
 */

export class FakeTrainer {
  /** @param {FakeEngine} engine @param {any} options @param {number} step */
  constructor(engine, options, step) {
    this.engine = engine
    this.options = options
    this.step = step
    this.disposed = false
  }

  get name() {
    const { task, code, seed } = this.options
    return `${task} ${code} ${seed}`
  }

  async info() {
    await this.#call('info')
    const { steps, length, reach, code } = this.options
    return {
      step: this.step,
      steps,
      parameters: 5000,
      inputs: 8,
      outputs: 8,
      chance: 0.125,
      rows: code === 'learned' ? length : 0,
      wall: code === 'learned' ? length + 1 : 0,
      maxLength: length * reach,
      memoryBytes: 1e6,
      solvable: 'yes',
      reason: 'local',
    }
  }

  /** @param {{ steps: number }} options @param {{ signal?: AbortSignal }} [call] */
  async train({ steps }, call) {
    await this.#call('train', { steps }, call)
    const from = this.step
    this.step = Math.min(this.options.steps, from + steps)
    this.engine.trained += this.step - from
    const done = Array.from({ length: this.step - from }, (_, i) => from + i)
    return {
      step: this.step,
      finished: this.step === this.options.steps,
      losses: Float32Array.from(done, (at) => fraction(`${this.name} loss ${at}`)),
      accuracies: Float32Array.from(done, (at) => fraction(`${this.name} accuracy ${at}`)),
    }
  }

  /** @param {any} options @param {{ signal?: AbortSignal }} [call] */
  async evaluate(options, call) {
    await this.#call('evaluate', options, call)
    const { length, reach, code, task } = this.options
    const lengths = Int32Array.from({ length: length * reach }, (_, i) => i + 1)
    const key = `${this.name} ${this.step} ${JSON.stringify(options)}`
    const past = (/** @type {number} */ n) => code === 'learned' && !options.extend && n > length
    return {
      lengths,
      accuracies: Float64Array.from(lengths, (n) => (past(n) ? NaN : fraction(`${key} a${n}`))),
      counts: Int32Array.from(lengths, (n) => (past(n) ? 0 : n)),
      losses: Float64Array.from(lengths, (n) => (past(n) ? NaN : fraction(`${key} l${n}`))),
      wall: code === 'learned' ? length + 1 : 0,
      inside: task === 'modulo' ? 0.25 : 0.99,
      trained: task !== 'modulo',
    }
  }

  /** @param {any} options @param {{ signal?: AbortSignal }} [call] */
  async attention(options, call) {
    await this.#call('attention', options, call)
    return { at: `${this.name} ${this.step}`, ...options }
  }

  /** @param {{ signal?: AbortSignal }} [call] */
  async table(call) {
    await this.#call('table', {}, call)
    const { length } = this.options
    const data = Float32Array.of(fraction(`${this.name} ${this.step} table`))
    const matrix = { data, shape: [length, 32] }
    return { values: matrix, gradientRows: new Uint8Array(length), similarity: matrix }
  }

  /** @param {{ signal?: AbortSignal }} [call] */
  async snapshot(call) {
    await this.#call('snapshot', {}, call)
    return encoder.encode(JSON.stringify([this.options, this.step]))
  }

  async dispose() {
    this.disposed = true
  }

  /** @param {string} method @param {any} [args] @param {{ signal?: AbortSignal }} [call] */
  async #call(method, args, call) {
    const { engine } = this
    if (this.disposed) throw new EngineError('disposed', 'This trainer was closed before.')
    await engine.call(() => engine.fate.onCall?.(engine, this, method, args), call)
  }
}

export class FakeEngine {
  mode = 'worker'
  info = { version: '0.0.0', simd: true, toolchain: 'none' }
  closed = false
  lost = false
  trained = 0
  /** @type {FakeTrainer[]} */
  trainers = []

  /** @param {Fate} fate @param {(notice: any) => void} onNotice */
  constructor(fate, onNotice) {
    this.fate = fate
    this.onNotice = onNotice
  }

  /**
   * A call takes a turn of the event loop, longer where fate has it wait, and ends at once on an abort.
   * @param {() => unknown} work
   * @param {{ signal?: AbortSignal }} [call]
   */
  async call(work, { signal } = {}) {
    const aborted = new EngineError('aborted', 'The call was stopped.', { reason: 'signal' })
    if (signal?.aborted) throw aborted
    let stop = () => {}
    /** @type {Promise<never>} */
    const stopped = new Promise((_, reject) => {
      stop = () => reject(aborted)
    })
    signal?.addEventListener('abort', stop)
    const done = new Promise((resolve) => setImmediate(resolve)).then(work)
    try {
      await Promise.race([done, stopped])
    } finally {
      signal?.removeEventListener('abort', stop)
    }
    if (this.closed) throw new EngineError('disposed', 'This connection was closed before.')
    if (this.lost) throw new EngineError('worker-lost', 'The engine failed again and again.')
  }

  /** @param {any} options @param {{ signal?: AbortSignal }} [call] */
  async createTrainer(options, call) {
    return this.#open(options, 0, call)
  }

  /** @param {Uint8Array} bytes @param {{ signal?: AbortSignal }} [call] */
  async restoreTrainer(bytes, call) {
    const [options, step] = JSON.parse(decoder.decode(bytes))
    return this.#open(options, step, call)
  }

  /** @param {any} options @param {number} step @param {{ signal?: AbortSignal }} [call] */
  async #open(options, step, call) {
    const trainer = new FakeTrainer(this, options, step)
    await this.call(() => this.fate.onCall?.(this, trainer, 'open', options), call)
    this.trainers.push(trainer)
    return trainer
  }

  async close() {
    this.closed = true
  }
}

/**
 * @param {Fate} [fate]
 */
export function fakeEngines(fate = {}) {
  /** @type {FakeEngine[]} */
  const made = []
  return {
    made,
    alive: () => made.filter(({ closed }) => !closed).length,
    trainers: () => made.flatMap(({ trainers, closed }) => (closed ? [] : trainers)),
    /** @param {any} options */
    async connect({ onNotice }) {
      await new Promise((resolve) => setImmediate(resolve))
      fate.onConnect?.(made)
      const engine = new FakeEngine(fate, onNotice)
      made.push(engine)
      return engine
    },
  }
}

/** Resolves once `good` holds, looked at in every turn of the event loop. @param {() => unknown} good */
export async function until(good) {
  for (let turn = 0; turn < 100000; turn += 1) {
    if (good()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`in vain: ${good}`)
}
