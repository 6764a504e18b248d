// The length lab: train short, test long, in the reader's browser. What stands and what is said of it.
import { membersOf } from '../state/rules.js'
import { changeText } from './lab_after.js'
import { changedLine, linesOf, shareDone } from './lab_lines.js'
import { LabSession } from './lab_session.js'
import { testedCurves } from './lab_tested.js'
import { mountLength } from './lab_view.js'
import { say } from './lab_words.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./lab_lines.js').Line} Line
 */

/**
 * @typedef {object} LengthModel
 * @property {'length'} scene
 * @property {State} state
 * @property {LabSession} session
 * @property {import('./lab_race.js').Race} race
 * @property {string} task shown
 * @property {{ task: string, share: number }[]} tasks of the settings and of the run, with how far each
 *   has come
 * @property {Line[]} lines of the task shown; none where it has not been run
 * @property {number} length of the training
 * @property {boolean} upTo whether shorter lengths are trained on, too
 * @property {number} last length of the curves
 * @property {number} chance NaN while unknown
 * @property {number | undefined} cursor a length
 * @property {{ shift: number, modulo: number }} drawn parameters of the task shown
 * @property {boolean} other whether a run stands that has not this task
 * @property {boolean} stale whether what is drawn comes of other settings
 */

/**
 * @param {import('./codes.js').Codes} codes
 * @param {State} state
 * @param {unknown} _memory
 * @param {import('../text/text.js').Translate} t
 * @returns {Promise<LengthModel>}
 */
async function compute(codes, state, _memory, t) {
  const session = codes.kept('length', () => new LabSession())
  const { race } = session
  const { plan } = race
  const task = state.labShown
  const stands = plan?.tasks.includes(task) === true
  const options = stands ? plan.options : undefined
  const length = options?.length ?? state.labLength
  const last = length * (options?.reach ?? Number(state.labReach))
  const tasks = [...new Set([...membersOf(state.labTasks), ...(plan?.tasks ?? [])])]
  const trained = stands ? linesOf(race.entries, { task, codes: plan.codes, length, last }) : []
  const tested = stands ? testedCurves(race, state) : undefined
  const lines = trained.map((line) => {
    if (tested?.code !== line.code) return line
    const curves = tested.curves.map(({ curve }) => curve)
    return changedLine(line, curves, length, changeText(t, state))
  })
  return {
    scene: 'length',
    state,
    session,
    race,
    task,
    tasks: tasks.map((one) => ({
      task: one,
      share: shareDone(race.entries.filter((entry) => entry.task === one)),
    })),
    lines,
    length,
    upTo: options ? options.lengths === 'upTo' : state.labUpTo,
    last,
    chance: lines.find(({ chance }) => !Number.isNaN(chance))?.chance ?? NaN,
    cursor: session.cursor === undefined ? undefined : Math.min(last, session.cursor),
    drawn: {
      shift: options?.taskShift ?? state.labShift,
      modulo: options?.taskModulo ?? state.labModulo,
    },
    other: plan !== undefined && !stands,
    stale: plan !== undefined && !session.isOf(state),
  }
}

export const length = Object.freeze({
  id: 'length',
  /** Its controls are in groups of its own. */
  fields: [],
  compute,
  say,
  mount: mountLength,
})
