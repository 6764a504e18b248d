// A program as an embedder writes it. It is compiled, not run.

import {
  EngineError,
  PosencLab,
  connectEngine,
  loadEngine,
  type CurveSummary,
  type Engine,
  type InvalidArgumentDetails,
  type RemoteEngine,
  type RemoteTable,
  type RemoteTrainer,
  type Table,
  type Trainer,
  type TrainerOptions,
} from 'posenc-lab'

const engine: Engine = await loadEngine({ simd: undefined })
const remote: RemoteEngine = await connectEngine({
  worker: true,
  onNotice: ({ code, failures }) => {
    const text: 'worker-replaced' | 'worker-fallback' = code
    console.log(text, failures.toFixed(0))
  },
})

/** Callers that await serve both. */
async function rows(source: Engine | RemoteEngine): Promise<Float32Array> {
  const { data, shape } = await source.sinusoidal({ length: 10, dModel: 16 })
  const [length, dModel]: [number, number] = shape
  return data.slice(0, length * dModel)
}
const both: Float32Array[] = await Promise.all([rows(engine), rows(remote)])

const table: Table = engine.createTable({ tMax: 50, dModel: 16 })
const { steps, meanSquaredError }: { steps: number; meanSquaredError: number } =
  table.trainTowardSinusoid({ steps: 500 })
const row: Float64Array = table.lookup(3, { behaviour: 'clamp' })
const trained: number = table.trainedRows
table.grow(60)
table.dispose()

const far: RemoteTable = await remote.createTable({ tMax: 50, dModel: 16, seed: 7 })
const { signal } = new AbortController()
await far.trainTowardSinusoid(
  { steps: 500 },
  { signal, latest: 'train', onProgress: ({ done, total }) => console.log(done / total) },
)
await far.lookup(60, { behaviour: 'nan', signal })
await far.dispose()

const options: TrainerOptions = { task: 'back', code: 'learned', table: 'wall', dModel: 64 }
const trainer: Trainer = engine.createTrainer(options)
const { losses, finished }: { losses: Float32Array; finished: boolean } = trainer.train({
  steps: 100,
})
const evaluated = trainer.evaluate({ sequences: 16, extend: 'wrap' })
const { lengths, accuracies, inside, trained: learned } = evaluated
const curve: [Int32Array, Float64Array, number, boolean] = [lengths, accuracies, inside, learned]
const summary: CurveSummary = engine.summarizeCurves({ task: 'back', curves: [evaluated] })
const nearest: [number, number] = summary.near.shape
const certain: Uint8Array = (await remote.pairedTests({ data: summary.past, shape: [1, 1, 1] }))
  .certain
const rowsWithGradient: Uint8Array = trainer.table().gradientRows
const farTrainer: RemoteTrainer = await remote.restoreTrainer(trainer.snapshot())
await farTrainer.train({ steps: 100 }, { signal, onProgress: ({ done }) => console.log(done) })
await farTrainer.evaluate({ scaling: { type: 'yarn', factor: 4 } }, { latest: 'curve' })
const looks: Float32Array = (await farTrainer.attention({ length: 20, head: 1 })).weights
const solvable: 'yes' | 'no' | 'partly' = (await farTrainer.info()).solvable
trainer.dispose()
await farTrainer.dispose()
await remote.close()

const rope = engine.ropeFrequencies({ headDim: 64, scaling: { rope_type: 'linear', factor: 4 } })
const frequencies: Float64Array = rope.inverseFrequencies
const rotated: { data: Float32Array } = engine.ropeRotate({
  headDim: 2,
  vectors: [1, 0],
  positions: Int32Array.of(3),
  layout: 'half-split',
})
const weights: Float64Array = engine.attention({ tokens: [1, 2, 3] }).weights.data
const biases: number[] = engine.alibiBias({ heads: 8, queries: 3, keys: 3 }).shape
const buckets: Int32Array = engine.t5Buckets({ offsets: [-3, 0, 3] })

try {
  engine.sinusoidal({ length: -1, dModel: 4 })
} catch (error) {
  if (error instanceof EngineError && error.code === 'invalid-argument') {
    const { name, expected, rule }: InvalidArgumentDetails = error.details as InvalidArgumentDetails
    if (rule.type === 'integer') console.log(name, expected, rule.min, rule.max, error.message)
  }
}

if (typeof customElements !== 'undefined') {
  const lab: PosencLab = new PosencLab()
  document.body.append(lab)
}

// @ts-expect-error a number is due
engine.sinusoidal({ length: '7', dModel: 4 })
// @ts-expect-error dModel is missing
engine.sinusoidal({ length: 7 })
// @ts-expect-error no such behaviour
table.lookup(3, { behaviour: 'explode' })
// @ts-expect-error the sync engine takes no call options
engine.sinusoidal({ length: 7, dModel: 4 }, { signal })
// @ts-expect-error a trainer needs a code
engine.createTrainer({ task: 'back' })
// @ts-expect-error no such task
engine.createTrainer({ task: 'forth', code: 'rope' })
// @ts-expect-error no such width
engine.createTrainer({ task: 'back', code: 'rope', dModel: 48 })
// @ts-expect-error no such option
trainer.evaluate({ samples: 3 })
// @ts-expect-error no such code
if (new EngineError('internal', 'text').code === 'no-such-code') console.log()
// @ts-expect-error info is for reading
engine.info.version = 'mine'

export {
  biases,
  both,
  buckets,
  curve,
  finished,
  frequencies,
  looks,
  losses,
  meanSquaredError,
  rotated,
  row,
  rowsWithGradient,
  solvable,
  steps,
  trained,
  weights,
}
