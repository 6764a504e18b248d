// The npm package: everything an embedder may import. Loads in a page, in a worker and in Node; the
// element is defined only where there is a DOM.

import { siteSources } from '../engine/site_sources.js'
import { useSources } from '../engine/sources.js'

useSources(siteSources)

export { PosencLab } from './element.js'
export { RemoteEngine, RemoteTable, RemoteTrainer, connectEngine } from '../engine/client.js'
export { Engine, Table, Trainer, loadEngine } from '../engine/engine.js'
export { EngineError } from '../engine/errors.js'
export { simdSupported } from '../engine/load.js'

/** @typedef {import('../engine/types.js').CallOptions} CallOptions */
/** @typedef {import('../engine/types.js').ConnectOptions} ConnectOptions */
/** @typedef {import('../engine/types.js').Notice} Notice */
/** @typedef {import('../engine/types.js').EngineOptions} EngineOptions */
/** @typedef {import('../engine/types.js').CurveSummary} CurveSummary */
/** @typedef {import('../engine/types.js').PairedTests} PairedTests */
/** @typedef {import('../engine/types.js').ErrorCode} ErrorCode */
/** @typedef {import('../engine/types.js').InvalidArgumentDetails} InvalidArgumentDetails */
/** @typedef {import('../engine/types.js').Rule} Rule */
/** @typedef {import('../engine/types.js').Info} Info */
/** @typedef {import('../engine/types.js').Sources} Sources */
/** @typedef {import('../engine/types.js').TableInfo} TableInfo */
/** @typedef {import('../engine/types.js').TrainReport} TrainReport */
/** @typedef {import('../engine/types.js').AttentionExample} AttentionExample */
/** @typedef {import('../engine/types.js').Curve} Curve */
/** @typedef {import('../engine/types.js').EvaluateOptions} EvaluateOptions */
/** @typedef {import('../engine/types.js').ExampleOptions} ExampleOptions */
/** @typedef {import('../engine/types.js').StepReport} StepReport */
/** @typedef {import('../engine/types.js').TrainedTable} TrainedTable */
/** @typedef {import('../engine/types.js').TrainerInfo} TrainerInfo */
/** @typedef {import('../engine/types.js').TrainerOptions} TrainerOptions */
