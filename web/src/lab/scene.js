// The length lab: train short, test long, in the reader's browser. What stands and what is said of it.
import { defineScene } from '../kit/scene.js'
import { membersOf } from '../state/rules.js'
import { changeText } from './view/after.js'
import { attention } from './view/attention.js'
import { curves } from './view/curves.js'
import { createDesk } from './view/desk.js'
import { steps } from './view/losses.js'
import { similarity, table } from './view/table.js'
import { view } from './view/view.js'
import { changedLine, linesOf, shareDone, summaryOf } from './run/lines.js'
import { planOf } from './run/plan.js'
import { LabSession } from './run/session.js'
import { finishedOf, testedCurves } from './run/tested.js'
import { counterpart, runOf, verdictsOf } from './paper/verdict.js'
import { say } from './words.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./run/lines.js').Line} Line
 * @typedef {import('./run/entry.js').Curve} Curve
 * @typedef {import('./run/entry.js').Entry} Entry
 */

/**
 * @typedef {Awaited<ReturnType<typeof compute>>} LengthModel
 * @typedef {NonNullable<Awaited<ReturnType<typeof afterOf>>>} After
 * @typedef {import('./run/lines.js').Summary} Summary
 * @typedef {import('../kit/types').Figure<LengthModel, any>} LabFigure
 * @typedef {import('../kit/types').ViewScope<LengthModel, any>} LabScope
 * @typedef {(scope: LabScope, model: LengthModel) => unknown} Part of the view; before the kernel has
 *   come it is given a model of what is known
 */

/**
 * @param {{ codes: import('../kit/codes.js').Codes, state: State,
 *   t: import('../text/text.js').Translate }} asked
 */
async function compute({ codes, state, t }) {
  const { engine } = codes
  const session = codes.kept('length', () => new LabSession(engine))
  const { race } = session
  const { plan } = race
  const task = state.labShown
  const stands = plan?.tasks.includes(task) === true
  const options = stands ? plan.options : undefined
  const length = options?.length ?? state.labLength
  const last = length * (options?.reach ?? Number(state.labReach))
  const tasks = [...new Set([...membersOf(state.labTasks), ...(plan?.tasks ?? [])])]
  const trained = stands ? await linesOf(engine, race.entries, plan, task) : []
  const tested = stands ? testedCurves(race, state) : undefined
  const { options: settings, seeds } = plan ?? planOf(state, 'full')
  const run = runOf(trained, { ...settings, seeds }, task)
  const other = plan && counterpart(session.complete, run, plan)
  const all = tested?.curves.map(({ curve }) => curve) ?? []
  const [changed, after, verdicts] = await Promise.all([
    options && all.length > 0 ? summaryOf(engine, task, options, all) : undefined,
    options && afterOf(engine, finishedOf(race, state), options, tested),
    verdictsOf(engine, run, other),
  ])
  const lines = trained.map((line) =>
    changed && tested?.code === line.code
      ? changedLine(line, changed, all, changeText(t, state))
      : line,
  )
  return {
    state,
    session,
    race,
    task,
    // Of the settings and of the run.
    tasks: tasks.map((one) => ({
      task: one,
      share: shareDone(race.entries.filter((entry) => entry.task === one)),
    })),
    // None where the task shown has not been run.
    lines,
    length,
    upTo: options ? options.lengths === 'upTo' : state.labUpTo,
    last,
    chance: lines.find(({ chance }) => !Number.isNaN(chance))?.chance ?? NaN,
    // Of the run that stands, else of the state.
    settings,
    verdicts,
    inside: lookedAt(race.entries, state),
    after,
    cursor: session.cursor === undefined ? undefined : Math.min(last, session.cursor),
    drawn: {
      shift: options?.taskShift ?? state.labShift,
      modulo: options?.taskModulo ?? state.labModulo,
    },
    // A run stands that has not this task.
    other: plan !== undefined && !stands,
    // What is drawn comes of other settings.
    stale: plan !== undefined && !session.isOf(state),
  }
}

/**
 * What is done to finished models, at every length.
 * @param {import('../engine/client.js').RemoteEngine} engine
 * @param {Entry[]} entries that are finished
 * @param {import('./run/plan.js').PlanOptions} options
 * @param {import('./run/tested.js').Tested | undefined} tested
 */
async function afterOf(engine, entries, options, tested) {
  if (entries.length === 0) return undefined
  const good = entries.filter(({ curve }) => curve?.trained)
  const counted = good.length > 0 ? good : entries
  const sum = (/** @type {Curve[]} */ all) => summaryOf(engine, entries[0].task, options, all)
  const now = (tested?.curves ?? []).filter(({ entry }) => counted.includes(entry))
  const [trained, changed] = await Promise.all([
    sum(counted.flatMap(({ curve }) => curve ?? [])),
    now.length > 0 ? sum(now.map(({ curve }) => curve)) : undefined,
  ])
  const fresh = tested?.fresh === true
  // If any are trained, only they count. Not fresh while the curves of newer wishes are on their way.
  return { good: good.length, all: entries.length, trained, changed, fresh }
}

/** The models that can be looked into. @param {readonly Entry[]} entries @param {State} state */
function lookedAt(entries, { labShown, mode, labModel }) {
  const own = entries.filter(({ task, code }) => task === labShown && code === mode)
  const begun = own.filter(({ step }) => step > 0)
  return { own, begun, entry: begun.find((one) => one === own[labModel - 1]) ?? begun[0] }
}

export const length = defineScene({
  id: 'length',
  compute,
  say,
  own: createDesk,
  onState: ({ own }, cause) => own.wish(cause),
  onModel: ({ own, model }) => own.arrived(model),
  figures: {
    curves,
    losses: steps('losses'),
    accuracies: steps('accuracies'),
    table,
    similarity,
    attention,
  },
  view,
})
