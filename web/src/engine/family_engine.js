// The calls of family.js as methods, for the engine on this thread and the one over a worker.

import { familyCalls } from './calls/family.js'

/** @typedef {import('./client.js').CallOptions} CallOptions */
/** @typedef {import('./calls/family.js').Bias} Bias */
/** @typedef {import('./calls/family.js').NumberFormat} NumberFormat */
/** @typedef {import('./calls/family.js').PositionPrecision} PositionPrecision */
/** @typedef {import('./calls/family.js').RopeLayout} RopeLayout */
/** @typedef {import('./calls/rope_options.js').RopeCoverage} RopeCoverage */
/** @typedef {import('./calls/rope_options.js').RopeFrequencies} RopeFrequencies */
/** @typedef {import('./calls/rope_options.js').RopeOptions} RopeOptions */
/** @typedef {ArrayLike<number>} Numbers a typed array or a plain array */
/** @typedef {{ data: Float32Array, shape: [rows: number, columns: number] }} Matrix */

/**
 * @typedef {object} TrainingOptions `length` is that of the text, default: the trained length
 * @property {number} trainedLength without a scaling
 * @property {number} [trainedFurther] then with the scaling that is given; default 0, for none
 * @property {number} [window] keys that a query sees, up to its own; default: all
 */
/**
 * @typedef {object} RotateOptions
 * @property {Numbers} vectors n * headDim numbers, within +- 1e30
 * @property {Numbers} positions n integers from 0 to 2^24
 * @property {RopeLayout} [layout] default `interleaved`
 * @property {boolean} [applyAttentionFactor] default false
 */
/** @typedef {{ heads: number, queries: number, keys: number }} BiasShape */
/**
 * @typedef {object} BucketOptions
 * @property {boolean} [bidirectional] default true
 * @property {number} [numBuckets] default 32
 * @property {number} [maxDistance] default 128
 */
/** @typedef {{ length: number, maxPosition: number, seed?: number }} RandomizedOptions */
/**
 * @typedef {object} PrecisionOptions
 * @property {NumberFormat} format
 * @property {Numbers} positions whose errors are asked for
 * @property {number} [searchEnd] where the search for a collision ends, default 2^24; 0 for none
 */

/** @typedef {keyof typeof familyCalls} Name */

export class FamilyEngine {
  #perform

  /** @param {(call: any, options: unknown) => any} perform */
  constructor(perform) {
    this.#perform = perform
  }

  /**
   * @param {RopeOptions} options
   * @returns {RopeFrequencies}
   */
  ropeFrequencies(options) {
    return this.#perform(familyCalls.ropeFrequencies, options)
  }

  /**
   * @param {RopeOptions & TrainingOptions} options
   * @returns {RopeCoverage}
   */
  ropeCoverage(options) {
    return this.#perform(familyCalls.ropeCoverage, options)
  }

  /**
   * @param {RopeOptions & RotateOptions} options
   * @returns {Matrix} n x headDim; dimensions past rotaryDim as they were
   */
  ropeRotate(options) {
    return this.#perform(familyCalls.ropeRotate, options)
  }

  /**
   * @param {{ heads: number }} options
   * @returns {Float64Array}
   */
  alibiSlopes(options) {
    return this.#perform(familyCalls.alibiSlopes, options)
  }

  /**
   * @param {BiasShape & { causal?: boolean }} options `causal`: default true
   * @returns {Bias} -slope * distance, the last query at the last key; -Infinity for a future key
   */
  alibiBias(options) {
    return this.#perform(familyCalls.alibiBias, options)
  }

  /**
   * @param {BucketOptions & { offsets: Numbers }} options key position minus query position
   * @returns {Int32Array}
   */
  t5Buckets(options) {
    return this.#perform(familyCalls.t5Buckets, options)
  }

  /**
   * @param {BiasShape & BucketOptions & { values: Numbers }} options `values`: numBuckets x heads
   * @returns {Bias} -Infinity for a future key unless `bidirectional`
   */
  t5Bias(options) {
    return this.#perform(familyCalls.t5Bias, options)
  }

  /**
   * @param {RandomizedOptions} options at most 2^20 positions; `seed`: default 42
   * @returns {Int32Array} a random subset of 0 to maxPosition, rising
   */
  randomizedPositions(options) {
    return this.#perform(familyCalls.randomizedPositions, options)
  }

  /**
   * @param {RopeOptions & PrecisionOptions} options
   * @returns {PositionPrecision} of angles whose factors and product are rounded to `format`
   */
  positionPrecision(options) {
    return this.#perform(familyCalls.positionPrecision, options)
  }
}

export class RemoteFamily {
  #send

  /** @param {(method: Name, args: any, call: CallOptions | undefined) => Promise<any>} send */
  constructor(send) {
    this.#send = send
  }

  /**
   * @param {Name} method
   * @param {unknown} options
   * @param {CallOptions | undefined} call
   */
  async #perform(method, options, call) {
    return this.#send(method, familyCalls[method].check(options), call)
  }

  /**
   * @param {RopeOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<RopeFrequencies>}
   */
  ropeFrequencies(options, call) {
    return this.#perform('ropeFrequencies', options, call)
  }

  /**
   * @param {RopeOptions & TrainingOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<RopeCoverage>}
   */
  ropeCoverage(options, call) {
    return this.#perform('ropeCoverage', options, call)
  }

  /**
   * @param {RopeOptions & RotateOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<Matrix>} n x headDim; dimensions past rotaryDim as they were
   */
  ropeRotate(options, call) {
    return this.#perform('ropeRotate', options, call)
  }

  /**
   * @param {{ heads: number }} options
   * @param {CallOptions} [call]
   * @returns {Promise<Float64Array>}
   */
  alibiSlopes(options, call) {
    return this.#perform('alibiSlopes', options, call)
  }

  /**
   * @param {BiasShape & { causal?: boolean }} options `causal`: default true
   * @param {CallOptions} [call]
   * @returns {Promise<Bias>} -slope * distance, the last query at the last key
   */
  alibiBias(options, call) {
    return this.#perform('alibiBias', options, call)
  }

  /**
   * @param {BucketOptions & { offsets: Numbers }} options key position minus query position
   * @param {CallOptions} [call]
   * @returns {Promise<Int32Array>}
   */
  t5Buckets(options, call) {
    return this.#perform('t5Buckets', options, call)
  }

  /**
   * @param {BiasShape & BucketOptions & { values: Numbers }} options `values`: numBuckets x heads
   * @param {CallOptions} [call]
   * @returns {Promise<Bias>} -Infinity for a future key unless `bidirectional`
   */
  t5Bias(options, call) {
    return this.#perform('t5Bias', options, call)
  }

  /**
   * @param {RandomizedOptions} options at most 2^20 positions; `seed`: default 42
   * @param {CallOptions} [call]
   * @returns {Promise<Int32Array>} a random subset of 0 to maxPosition, rising
   */
  randomizedPositions(options, call) {
    return this.#perform('randomizedPositions', options, call)
  }

  /**
   * @param {RopeOptions & PrecisionOptions} options
   * @param {CallOptions} [call]
   * @returns {Promise<PositionPrecision>} of angles whose factors and product are rounded
   */
  positionPrecision(options, call) {
    return this.#perform('positionPrecision', options, call)
  }
}
