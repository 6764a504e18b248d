// The public interface of the engine, once: what api.md promises, with shapes, units, ranges and
// errors. On the calling thread calls return at once; over a worker the same calls are promises and
// take one more argument, `CallOptions`. A wrong argument throws EngineError `invalid-argument`.

export type Numbers = ArrayLike<number> // a typed array or a plain array
/** Row-major. */
export type Matrix<T extends Float32Array | Float64Array = Float64Array> = {
  data: T
  shape: [rows: number, columns: number]
}
export type MatrixOptions = { data: Numbers; shape: Numbers }
export type Behaviour = 'raise' | 'clamp' | 'zeros' | 'nan' | 'wrap'
export type Measure = 'dot' | 'cosine'
/** Pairs (2j, 2j + 1) or (j, j + rotaryDim / 2). */
export type RopeLayout = 'interleaved' | 'half-split'
export type NumberFormat = 'float32' | 'bfloat16' | 'float16'
export type LabTask =
  | ('back' | 'latest' | 'order' | 'first' | 'modulo' | 'seen' | 'induction' | 'previous')
  | ('copy' | 'reverse' | 'sort' | 'addition')
export type LabCode = 'nope' | 'sinusoidal' | 'learned' | 'rope' | 'alibi' | 't5'
export type LabScaling = 'linear' | 'ntk' | 'yarn'
export type LabExtension = 'none' | 'zeros' | 'last' | 'wrap' | 'interpolate'

// Errors

/**
 * - `invalid-argument`: a value that the call does not take; see {@link InvalidArgumentDetails}
 * - `position-out-of-range`: a lookup past the table; details `{ position, tMax }`
 * - `disposed`: the table, trainer or connection was closed before
 * - `aborted`: the caller's signal, or a newer call with the same `latest` key; details `{ reason }`
 * - `out-of-memory`: WebAssembly memory could not grow
 * - `no-webassembly`: this environment has none
 * - `wasm-blocked`: a content security policy forbids compiling it
 * - `wasm-broken`: the file is missing, truncated or is something else
 * - `worker-lost`: the worker died and the call could not be taken up again
 * - `bad-run-file`: not a file that the length lab saved; details `{ reason }`
 * - `internal`: a defect of the engine itself
 */
export type ErrorCode =
  | ('invalid-argument' | 'position-out-of-range' | 'disposed' | 'aborted' | 'out-of-memory')
  | (
      | 'no-webassembly'
      | 'wasm-blocked'
      | 'wasm-broken'
      | 'worker-lost'
      | 'bad-run-file'
      | 'internal'
    )

/** What crosses from worker to page: a class would lose its own fields there. */
export type ErrorData = { code: ErrorCode; message: string; details: Record<string, any> }

export interface InvalidArgumentDetails {
  /** The argument, as the caller spells it. */
  name: string
  /** What came instead; things that cannot be copied are described in words. */
  value: unknown
  /** What was due, as data, so that a page can say it in any language. */
  rule: Rule
  /** The same in English. */
  expected: string
  /** Which element of an array was wrong. */
  index?: number
}

/**
 * Bounds are inclusive, except `above`; one that is not there does not bound. `or`: arguments that
 * may be given instead. `for`: arguments on which the bounds depend.
 *
 * - `integer`: even where `multipleOf` is 2; a divisor of `divides`
 * - `number`: a finite one
 * - `choice`: of names or numbers; an empty list where only the kernel knows them
 * - `array`: as many numbers, each of which keeps `items`
 * - `matrix`: as many elements in all
 * - `share`: a number above 0, at most 1, that makes of so many dimensions an even number, 2 at least
 * - `rate`: a learning rate that keeps the table finite; above `max` it diverges
 * - `memory`: at most `max`, or else a smaller model, so that memory stays under 256 MB
 * - `snapshot`: a whole one, version 1
 * - `only`: the option may be given only where the argument `with` keeps `rule`
 * - `absent`: there is no such option, but these are
 */
export type Rule =
  | {
      type: 'integer'
      min?: number
      max?: number
      multipleOf?: 2
      divides?: number
      or?: string[]
      for?: string[]
    }
  | { type: 'number'; min?: number; max?: number; above?: number; or?: string[] }
  | { type: 'choice'; values: (string | number)[] }
  | { type: 'array'; items?: Rule; minLength?: number; maxLength?: number }
  | { type: 'matrix' | 'bytes'; maxLength: number }
  | { type: 'share'; of: number }
  | { type: 'rate'; max: number }
  | { type: 'memory'; max?: number }
  | { type: 'snapshot'; of: 'table' | 'trainer' }
  | { type: 'only'; with: string; rule: Rule }
  | { type: 'absent'; values: string[] }
  | { type: 'boolean' | 'string' | 'object' | 'function' | 'signal' | 'readable' }

// Starting

/** `simd`: which of the two builds runs; `toolchain`: what compiled it. */
export type Info = { readonly version: string; readonly simd: boolean; readonly toolchain: string }

export interface Sources {
  /** The bytes of that build. */
  wasm: (simd: boolean) => Promise<Uint8Array>
  /** False: the SIMD build is not among them. */
  simd?: boolean
  /** A classic script; null: there is none, stay on this thread. */
  workerUrl: () => string | null
}
export interface EngineOptions {
  /** Forces one of the two builds; otherwise the faster one that runs here. */
  simd?: boolean
  /** Where the WebAssembly file comes from; default: beside the module. */
  sources?: Sources
}
export interface ConnectOptions extends EngineOptions {
  /** False: everything on this thread, in slices of at most 16 ms. */
  worker?: boolean
  /** Told after the worker was replaced, or given up. */
  onNotice?: (notice: Notice) => void
}
export interface Notice {
  /** A new worker goes on, or this thread does. */
  code: 'worker-replaced' | 'worker-fallback'
  /** So far. */
  failures: number
}
export type Progress = { done: number; total: number }
/** What every call over a worker takes as an extra last argument. */
export interface CallOptions {
  /**
   * Once aborted, the call rejects with EngineError `aborted`, details `{ reason: 'signal' }`, and its
   * work stops at the end of the slice. A table or a trainer keeps the training steps that were done
   * by then (`info()` counts them); nothing else is left half done.
   */
  signal?: AbortSignal
  /**
   * A key of the caller's choice: a newer call with the same key takes the place of this one, which
   * rejects with `aborted`, details `{ reason: 'superseded' }`.
   */
  latest?: string
  /** Of training and of large results, some ten times a second: steps, rows or offsets. */
  onProgress?: (progress: Progress) => void
}
/** The same calls over a worker. */
export type Remote<T> = {
  [K in keyof T]: T[K] extends (...given: infer A) => infer R
    ? (...given: [...given: A, call?: CallOptions]) => Promise<R>
    : T[K]
}
/** A table or a trainer over a worker. */
export interface RemoteHandle {
  /** @internal what its opening returned */
  opened: any
  /** @internal EngineError `disposed` */
  assertAlive(): void
  /**
   * Frees it, after the calls made before. Any later call rejects with EngineError `disposed`. A signal
   * that is aborted later keeps nothing alive.
   */
  dispose(call?: CallOptions): Promise<void>
}

// Codes and what is said of them

export type SinusoidalOptions = { length: number; dModel: number; base?: number; start?: number }
export type SimilarityOptions = MatrixOptions & { row: number; measure?: Measure }
export type PositionOptions = { dModel: number; base?: number; position: number }
export type OffsetOptions = PositionOptions & { offsets: Numbers }
export type BlockRotationOptions = { dModel: number; base?: number; offset: number }
/**
 * How well it does is measured on rows of the code. An odd dModel ends with a sine that no rotation
 * can carry, because its cosine is not in the code.
 */
export interface Rotation extends Matrix {
  /** Largest difference between R PE(p) and PE(p + offset). */
  error: number
  /** Leading dimensions that the rotation carries. */
  rotatedDims: number
  /** The same as `error` over these alone. */
  rotatedError: number
}
/** The pairs of dimensions as turning hands, fastest first. */
export interface Phasors {
  /** Radians a position. */
  frequency: Float64Array
  /** Positions a turn. */
  wavelength: Float64Array
  /** At the position, radians, not reduced to one turn. */
  angle: Float64Array
  /** PE(position, 2i). */
  sine: Float64Array
  /** PE(position, 2i + 1). */
  cosine: Float64Array
  /** The last cosine is not in the code: dModel is odd. */
  hasLoneSine: boolean
}
export interface Spread {
  /** Smallest entry. */
  minimum: number
  /** Largest entry. */
  maximum: number
  /** The two rows that are nearest to one another; null where there is one row. */
  closest: { first: number; second: number; distance: number } | null
}
export interface AttentionOptions {
  /** Ids, integers from 0 to 2^32 - 1; at most 64. */
  tokens: Numbers
  /** Default 16, at most 128. */
  dModel?: number
  /** Default 2; divides dModel. */
  heads?: number
  /** Default 7. */
  seed?: number
  /** Default false. */
  causal?: boolean
  /** A row a token, added to the embeddings. */
  codes?: MatrixOptions
  /** Of `ropeFrequencies`, at most dModel / heads / 2: RoPE, interleaved, in every head. */
  inverseFrequencies?: Numbers
  /** heads * n * n finite numbers, added to the scores: ALiBi, T5. What a causal mask hides is not read. */
  bias?: Numbers
}
export interface AttentionResult {
  output: Matrix
  /** Embeddings plus codes. */
  input: Matrix
  weights: { data: Float64Array; shape: [heads: number, queries: number, keys: number] }
}
/** Query and key are the words themselves: one head, no weights. */
export interface ScoreOptions {
  /** At most 128. */
  dModel: number
  /** Keys at position + 0 to distances - 1; at most 4096. */
  distances: number
  /** Default 64, at most 1024; contents * distances * dModel <= 2^25. */
  contents?: number
  /** Default true: the key is the query's own word, else another one. */
  sameWord?: boolean
  /** Default 42. */
  seed?: number
  /** Of the query, default 0. */
  position?: number
  /** A row a distance, the first the query's too. */
  codes?: MatrixOptions
  /** Of `ropeFrequencies`, at most dModel / 2. */
  inverseFrequencies?: Numbers
  /** One a distance. */
  bias?: Numbers
}
/** The score of a query with the key `k` positions after it, before the softmax, for each k. */
export interface ScoreProfile {
  /** Of the first word alone. */
  one: Float64Array
  /** Over all words. */
  mean: Float64Array
  /** Standard deviation over all words. */
  deviation: Float64Array
}

// RoPE, ALiBi, T5

/**
 * `scaling` as `rope_scaling` or `rope_parameters` of a config.json. Keys that the type does not read
 * are ignored, and null counts as absent: a config.json has both.
 */
export interface RopeScaling {
  /** default, linear, ntk, dynamic, yarn, longrope or llama3. */
  rope_type?: string
  /** The older name of `rope_type`. */
  type?: string
  /** Default `maxPositions` / pretrained context. */
  factor?: number | null
  /** The pretrained context. */
  original_max_position_embeddings?: number | null
  /** Of yarn and longrope, instead of their formulas. */
  attention_factor?: number | null
  /** Of yarn, default 32. */
  beta_fast?: number | null
  /** Of yarn, default 1. */
  beta_slow?: number | null
  /** Of yarn, counts together with `mscale_all_dim`. */
  mscale?: number | null
  mscale_all_dim?: number | null
  /** Of yarn, default true. */
  truncate?: boolean | null
  /** Of longrope, rotaryDim / 2 numbers. */
  short_factor?: Numbers | null
  long_factor?: Numbers | null
  /** Of llama3. */
  low_freq_factor?: number | null
  high_freq_factor?: number | null
  /** Where `theta` is not given. */
  rope_theta?: number | null
  /** Where `partialRotaryFactor` is not given. */
  partial_rotary_factor?: number | null
}
export interface RopeOptions {
  /** Even. */
  headDim: number
  /** The base; default `scaling.rope_theta`, else 10000. */
  theta?: number
  scaling?: RopeScaling | null
  /** The model's `max_position_embeddings`. */
  maxPositions?: number
  /** The pretrained context where it stands outside `scaling`. */
  originalMaxPositions?: number
  /** The current sequence length; default: the pretrained context. It matters to `dynamic` and `longrope`. */
  length?: number
  /** Default `scaling.partial_rotary_factor`, else 1. */
  partialRotaryFactor?: number
}
export interface RopeFrequencies {
  /** Radians a position, rotaryDim / 2 of them. */
  inverseFrequencies: Float64Array
  /** On every cosine and sine. */
  attentionFactor: number
  /** On the scores besides: of yarn with `mscale_all_dim`. */
  scoreFactor: number
  /** floor(headDim * partialRotaryFactor). */
  rotaryDim: number
}
/** `length` is that of the text, default: the trained length. */
export interface TrainingOptions {
  /** Without a scaling. */
  trainedLength: number
  /** Then with the scaling that is given; default 0, for none. */
  trainedFurther?: number
  /** Keys that a query sees, up to its own; default: all. */
  window?: number
}
/** Which angles training has shown, arrays of a number a pair. */
export interface RopeCoverage extends RopeFrequencies {
  /** Positions a turn. */
  wavelengths: Float64Array
  /** The same without the scaling. */
  plainWavelengths: Float64Array
  /** Share of a pair's speed that the scaling leaves. */
  kept: Float64Array
  /** In training; from one on every angle was shown. */
  turns: Float64Array
  /** The first distance between query and key at an angle that no trained distance showed, or Infinity. */
  unseenFrom: Float64Array
  /** How many pairs turned at least once in training. */
  turned: number
  /** How many come to such an angle within the length. */
  unseen: number
}
export interface RotateOptions {
  /** n * headDim numbers, within +- 1e30. */
  vectors: Numbers
  /** n integers from 0 to 2^24. */
  positions: Numbers
  /** Default `interleaved`. */
  layout?: RopeLayout
  /** Default false. */
  applyAttentionFactor?: boolean
}
export type BiasShape = { heads: number; queries: number; keys: number }
export type Bias = { data: Float32Array; shape: [heads: number, queries: number, keys: number] }
export interface BucketOptions {
  /** Default true. */
  bidirectional?: boolean
  /** Default 32. */
  numBuckets?: number
  /** Default 128. */
  maxDistance?: number
}
export type RandomizedOptions = { length: number; maxPosition: number; seed?: number }
export interface PrecisionOptions {
  format: NumberFormat
  /** Positions whose errors are asked for. */
  positions: Numbers
  /** Collisions are looked for below it; default 2^24. */
  searchEnd?: number
}
export interface PositionPrecision {
  /** For each position, the largest error of a cosine over all pairs; NaN where the format has no room. */
  maxErrors: Float64Array
  /** The smallest position whose angles all equal those of the next one; null: none below `searchEnd`. */
  firstCollision: number | null
}

// Curves of several models

export interface CurveOptions {
  task: LabTask
  /** L of the training, default 16. */
  length?: number
  /** Default true. */
  causal?: boolean
  /** Default `fixed`. */
  lengths?: 'fixed' | 'upTo'
  /** Of the same lengths, one a seed: at most 64, or none. */
  curves: Pick<Curve, 'accuracies' | 'counts'>[]
}
/**
 * Near a length are, of the lengths up to it, a quarter of L; it alone where a length has sequences of
 * its own and training knew L alone. Every target counts alike. NaN where nothing was judged.
 */
export interface CurveSummary {
  /** Accuracy by length, from length 1. */
  mean: Float64Array
  /** Of the curves. */
  low: Float64Array
  high: Float64Array
  /** Accuracy near each length, a row a curve. */
  near: Matrix
  /** Mean of `near`. */
  about: Float64Array
  /** Accuracy over all that is longer than L, one a curve. */
  past: Float64Array
  /** How many lengths are near one. */
  window: number
  /** `about` at L: the mean of the curves' `inside`. */
  inside: number
  /** Inside is at least 0.95. */
  trained: boolean
  /** Last length up to which, from L on, `mean` stays at 0.95 or above; 0: none. */
  holds: number
}
export interface PairedTests {
  /** Of the groups. */
  means: Float64Array
  /** Of each group (row) and each (column), seed by seed. */
  differences: Float64Array
  /** The same, 1 where they differ: by 0.02 at least, and in a two-sided paired t test at 95 %. */
  certain: Uint8Array
}

// Numbers for figures

export interface NumberCalls {
  /** Of each row, at most 64, the largest difference from the same row of another. */
  rowDifferences(options: { one: MatrixOptions; other: MatrixOptions }): Float64Array
  /** A code, or none, added to a word's vector: as the word comes, and times the root of dModel. */
  codeAddition(options: { dModel: number; seed: number; code?: Numbers }): {
    root: number
    codeNorm: number
    /** 2 x dModel, as the next. */
    word: Float64Array
    /** Empty without a code. */
    sum: Float64Array
    wordNorm: Float64Array
    sumNorm: Float64Array
    /** The code's length over the word's. */
    ratio: Float64Array
  }
  /** A sinusoidal code compared with those at offsets from it. */
  offsetSimilarity(options: OffsetOptions): { dot: Float64Array; cosine: Float64Array }
  /**
   * The softmax of given scores (heads, n, n), with a bias (n, n) or none; `nearShare`: how much of the
   * last query's weight lies on the `near` nearest keys, the mean over the heads.
   */
  scoreSoftmax(options: {
    scores: Numbers
    bias?: Numbers
    heads: number
    tokens: number
    causal: boolean
    near: number
  }): { weights: Float64Array; nearShare: number }
  /** NumPy's RandomState(seed).randn(count). */
  normals(options: { seed: number; count: number }): Float64Array
  /** What `trainTowardSinusoid` pulls the rows towards. */
  trainingTarget(options: { tMax: number; dModel: number; targetScale?: number }): Matrix
}

export interface EngineCalls {
  /** Row = position. */
  sinusoidal(options: SinusoidalOptions): Matrix<Float32Array>
  /** Of row `row` with every row, itself included. */
  similarity(options: SimilarityOptions): Float64Array
  /** PE(position) . PE(position + k) for each offset k. */
  offsetProfile(options: OffsetOptions): Float64Array
  /** R with R PE(p) = PE(p + offset) at every p. */
  blockRotation(options: BlockRotationOptions): Rotation
  pairPhasors(options: PositionOptions): Phasors
  /** rows * rows * columns at most 2^28. */
  rowSpread(options: MatrixOptions): Spread
  /** Of the rows of the code, from its formula; length * dModel at most 2^22. */
  sinusoidalSpread(options: SinusoidalOptions): Spread
  attention(options: AttentionOptions): AttentionResult
  scoreProfile(options: ScoreOptions): ScoreProfile
  ropeFrequencies(options: RopeOptions): RopeFrequencies
  ropeCoverage(options: RopeOptions & TrainingOptions): RopeCoverage
  /** n x headDim; dimensions past rotaryDim as they were. */
  ropeRotate(options: RopeOptions & RotateOptions): Matrix<Float32Array>
  alibiSlopes(options: { heads: number }): Float64Array
  /** -slope * distance, the last query at the last key; -Infinity for a future key. `causal`: default true. */
  alibiBias(options: BiasShape & { causal?: boolean }): Bias
  /** `offsets`: key position minus query position. */
  t5Buckets(options: BucketOptions & { offsets: Numbers }): Int32Array
  /** `values`: numBuckets x heads. -Infinity for a future key unless `bidirectional`. */
  t5Bias(options: BiasShape & BucketOptions & { values: Numbers }): Bias
  /** A random subset of 0 to maxPosition, rising; at most 2^20 positions. `seed`: default 42. */
  randomizedPositions(options: RandomizedOptions): Int32Array
  /** Of angles whose factors and product are rounded to `format`. */
  positionPrecision(options: RopeOptions & PrecisionOptions): PositionPrecision
  summarizeCurves(options: CurveOptions): CurveSummary
  /** `shape`: groups, seeds, columns, each at most 64 and seeds 10; NaN: none. */
  pairedTests(options: MatrixOptions): PairedTests
}

// A learned table

export type TableOptions = { tMax: number; dModel: number; seed?: number; scale?: number }
export interface TableInfo {
  /** Rows. */
  tMax: number
  /** Columns. */
  dModel: number
  /** How many leading rows receive gradients: tMax at creation. */
  trainedRows: number
  /** Of training since creation. */
  steps: number
}
/** Steps since creation. */
export type TrainReport = { steps: number; meanSquaredError: number }
export type LookupOptions = { behaviour?: Behaviour }
export interface TableCalls {
  info(): TableInfo
  trainTowardSinusoid(options: {
    steps: number
    learningRate?: number
    targetScale?: number
  }): TrainReport
  /**
   * Distances of the trained rows to what they are trained towards, and the share of the way over all
   * rows. `start`: the distances at the start; none: it begins now. `targetScale`: default 0.5.
   */
  progress(options: { start: Numbers; targetScale?: number }): {
    distances: Float64Array
    share: number
  }
  /** `tMax`: at least the present number of rows. */
  grow(tMax: number): void
  /** Row = position. */
  values(): Matrix
  /** dModel numbers. EngineError `position-out-of-range`, details `{ position, tMax }`. */
  lookup(position: number, options?: LookupOptions & CallOptions): Float64Array
  /** 1 for a row that a gradient has ever reached. */
  gradientRows(): Uint8Array
  /** Everything, for `engine.restoreTable`. */
  snapshot(): Uint8Array
}

// A run of the length lab

export interface TrainerOptions {
  task: LabTask
  code: LabCode
  /** L, the longest that is trained on: 4 to 64, default 16. */
  length?: number
  /** The curve goes to reach * length; default 4. */
  reach?: 4 | 8
  /** Content tokens: 4 to 32, default 8. */
  vocabulary?: number
  /** 1 to 4, default 1. */
  layers?: number
  /** Default 32. */
  dModel?: 16 | 32 | 64 | 128
  /** Default 4. */
  heads?: 1 | 2 | 4 | 8
  /** A hidden layer of 4 dModel after each attention; default false. */
  mlp?: boolean
  /** A query sees no key after it; default true. */
  causal?: boolean
  /** Sequences a step: 1 to 128, default 16. */
  batch?: number
  /** Of the whole run: 1 to 20000, default 1000. */
  steps?: number
  /** 1e-5 to 1, default 0.01. */
  learningRate?: number
  /** Steps of linear warm-up: 0 to steps, default 50 or all. */
  warmUp?: number
  /** Global norm of the gradient: above 0, default 1. */
  clip?: number
  /** On matrices: 0 to 1, default 0. */
  weightDecay?: number
  /** Train on L alone (default) or on 1 to L. */
  lengths?: 'fixed' | 'upTo'
  /** Positions, Ruoss et al. 2023; default false. */
  randomized?: boolean
  /** Of code `learned`: rows past L stay as drawn (default), or are not there. */
  table?: 'untrained' | 'wall'
  /** Default 42. */
  seed?: number
  /** Of `back`: 1 to 8, default 3. */
  taskShift?: number
  /** Of `modulo`: 2 to 8, default 4. */
  taskModulo?: number
  /** Even, 4 to 64, default 16. */
  t5Buckets?: number
  /** Default 16, at most 1024. */
  t5MaxDistance?: number
  /** Slopes 2^(-exponent * h / heads): 0.5 to 16, default 4. */
  alibiExponent?: number
  /** 2 to 1e9, default 10000. */
  ropeBase?: number
  /** The same. */
  sinusoidBase?: number
}
export interface TestOptions {
  /** Of code `rope`; factor 1 to 64. */
  scaling?: { type: LabScaling; factor: number }
  /** Of code `rope`, instead of the one of training. */
  ropeBase?: number
  /** Of code `learned`: what stands for rows that no gradient reached; default none. */
  extend?: LabExtension
}
/** 1 to 512 sequences a length, default 64. */
export type EvaluateOptions = TestOptions & { sequences?: number }
/** Layer, head and the number of the example: default 0. */
export type ExampleOptions = TestOptions & {
  length: number
  layer?: number
  head?: number
  example?: number
}
export interface TrainerInfo {
  /** Done so far. */
  step: number
  /** Of the whole run. */
  steps: number
  parameters: number
  /** Ids that it reads. */
  inputs: number
  /** Ids that it says. */
  outputs: number
  /** Accuracy of the best blind answer. */
  chance: number
  /** Of the learned table; 0 for other codes. */
  rows: number
  /** First length without a row; 0 where there is none. */
  wall: number
  /** reach * length. */
  maxLength: number
  memoryBytes: number
  /** By this code in theory, at the training length. */
  solvable: 'yes' | 'no' | 'partly'
  /** An id. */
  reason: string
}
export interface StepReport {
  /** Done since creation. */
  step: number
  finished: boolean
  /** One for each step of this call. */
  losses: Float32Array
  accuracies: Float32Array
}
export interface Curve {
  /** 1 to maxLength. */
  lengths: Int32Array
  /** NaN where there is no answer. */
  accuracies: Float64Array
  losses: Float64Array
  /** Targets judged at each length. */
  counts: Int32Array
  /** First length without a row under these options, or 0. */
  wall: number
  /**
   * Accuracy over the targets at lengths in (3L/4, L]; at L alone where a length has sequences of its
   * own (copy, reverse, sort, addition; no causal mask) and training knew L alone. NaN where nothing
   * is asked there.
   */
  inside: number
  /** Inside is at least 0.95. */
  trained: boolean
}
export interface AttentionExample {
  /** T, of the sequence in tokens. */
  length: number
  tokens: Int32Array
  /** -1: none. */
  targets: Int32Array
  predictions: Int32Array
  /** T * T, row = query. */
  weights: Float32Array
}
export interface TrainedTable {
  /** Row = position. */
  values: Matrix<Float32Array>
  /** 1 for a row that a gradient has ever reached. */
  gradientRows: Uint8Array
  /** Cosine of each row with each. */
  similarity: Matrix<Float32Array>
}
export interface TrainerCalls {
  info(): TrainerInfo
  /** `steps`: how many more; it never goes beyond the steps of the run. Once aborted, those done stay. */
  train(options: { steps: number }): StepReport
  evaluate(options?: EvaluateOptions): Curve
  attention(options: ExampleOptions): AttentionExample
  /** Of code `learned`; any other is refused. */
  table(): TrainedTable
  /** Everything, for `engine.restoreTrainer`. */
  snapshot(): Uint8Array
}

// Inside the engine

/** Emscripten's module: functions by name, and what they answer (cpp/bindings/marshal.h). */
export type CoreAnswer = { ok: boolean; [result: string]: any }
export type Core = Record<string, (...args: any[]) => CoreAnswer>
/** How far sliced work is. `part` copies what it would return, had it ended here. */
export type Pause = Progress & { part?: () => any }
export type Sliced<R = any> = Generator<Pause, R, void>
export interface Pace {
  /** Once a piece, before its work: how many of the `remaining` units it may do, `first` of them at first. */
  take(remaining: number, first: number, most?: number): number
  begin(): void
  end(): void
}
/**
 * One call, local or remote. `check` throws `invalid-argument` and otherwise returns plain data that can
 * be posted to a worker; `run` takes that data, long work as a generator. A call that `mutates` changes
 * its target; where its arguments have `steps`, they can be done in several goes, and `join` puts
 * together what two of them returned.
 */
export interface Call {
  check: (...given: any[]) => any
  run: (target: any, args: any, pace: Pace) => any
  mutates?: boolean
  join?: (before: any, after: any) => any
  /** The last argument may hold the options of a call over a worker, too. */
  optionsHold?: boolean
}
export type Calls = Record<string, Call>
/** What lives in the engine's memory between calls. */
export interface Kind {
  what: 'table' | 'trainer'
  calls: Calls
  /** The opening that takes a snapshot's `bytes`. */
  restore: string
  /** Entries that work in one piece may touch, from the arguments of an opening, or info and arguments. */
  entries: (known: any) => number
}
/** What a worker is asked; see remote/protocol.js. */
export type Request =
  | { type: 'start'; bytes: Uint8Array; simd: boolean; sliceMs: number }
  | { type: 'call'; id: number; target: number; method: string; args: any }
  | { type: 'cancel'; id: number }
  | { type: 'ping' }
  | { type: 'fault'; kind: 'hang' | 'throw' }
export type Reply =
  | { type: 'hello'; version: string }
  | { type: 'ready'; info: Info }
  | { type: 'refused'; error: ErrorData }
  | { type: 'result'; id: number; value: any; snapshot: Uint8Array | null }
  | { type: 'error'; id: number; error: ErrorData; done: number; fatal: boolean }
  | { type: 'stopped'; id: number; done: number; snapshot: Uint8Array | null }
  | { type: 'progress'; id: number; done: number; total: number }
  | { type: 'snapshot'; id: number; done: number; bytes: Uint8Array; part: any }
  | { type: 'pong' }
export interface Listener {
  message: (message: unknown) => void
  /** May be called more than once. */
  failed: (reason: string) => void
}
export interface Channel {
  mode: 'worker' | 'main'
  /** The Worker of the browser or of Node; null on this thread. */
  worker: any
  post: (request: Request) => void
  end: () => void
  /** Keeps Node's process alive while calls are pending. */
  hold: (busy: boolean) => void
}
export type Opener = (listener: Listener) => Channel | Promise<Channel>
