// The npm package: everything an embedder may import. Loads in a page, in a worker and in Node; the
// element is defined only where there is a DOM.

import { siteSources } from '../engine/site_sources.js'
import { useSources } from '../engine/sources.js'

useSources(siteSources)

export { PosencLab } from './element.js'
export { RemoteEngine, connectEngine } from '../engine/client.js'
export { Engine, Table, loadEngine } from '../engine/engine.js'
export { EngineError } from '../engine/errors.js'
export { simdSupported } from '../engine/load.js'
export { RemoteTable } from '../engine/remote/table.js'
export { RemoteTrainer } from '../engine/remote/trainer.js'
export { Trainer } from '../engine/trainer.js'

/** @typedef {import('../engine/remote/caller.js').CallOptions} CallOptions */
/** @typedef {import('../engine/client.js').ConnectOptions} ConnectOptions */
/** @typedef {import('../engine/remote/connection.js').Notice} Notice */
/** @typedef {import('../engine/engine.js').EngineOptions} EngineOptions */
/** @typedef {import('../engine/calls/curve.js').CurveSummary} CurveSummary */
/** @typedef {import('../engine/calls/curve.js').PairedTests} PairedTests */
/** @typedef {import('../engine/errors.js').ErrorCode} ErrorCode */
/** @typedef {import('../engine/errors.js').InvalidArgumentDetails} InvalidArgumentDetails */
/** @typedef {import('../engine/errors.js').Rule} Rule */
/** @typedef {import('../engine/load.js').Info} Info */
/** @typedef {import('../engine/sources.js').Sources} Sources */
/** @typedef {import('../engine/calls/table.js').TableInfo} TableInfo */
/** @typedef {import('../engine/calls/table.js').TrainReport} TrainReport */
/** @typedef {import('../engine/calls/trainer.js').AttentionExample} AttentionExample */
/** @typedef {import('../engine/calls/trainer.js').Curve} Curve */
/** @typedef {import('../engine/calls/trainer.js').EvaluateOptions} EvaluateOptions */
/** @typedef {import('../engine/calls/trainer.js').ExampleOptions} ExampleOptions */
/** @typedef {import('../engine/calls/trainer.js').StepReport} StepReport */
/** @typedef {import('../engine/calls/trainer.js').TrainedTable} TrainedTable */
/** @typedef {import('../engine/calls/trainer.js').TrainerInfo} TrainerInfo */
/** @typedef {import('../engine/calls/trainer.js').TrainerOptions} TrainerOptions */
