// The curves of a race for other programs, every seed of them: a row a length, or JSON. Numbers are
// written in full, and names do not change with the language.
import { toNumberText } from './bytes.js'
import { curve as curveField } from './fields.js'

/** @import { Entry } from './entry.js' */

const COLUMNS = [
  'task',
  'code',
  'seed',
  'step',
  'final',
  'untrained',
  'length',
  'accuracy',
  'count',
  'loss',
  'wall',
]

/** @param {Entry['curve']} curve one on the way says nothing yet */
const isUntrained = (curve) => curve?.final === true && !curve.trained

/**
 * @param {readonly Entry[]} entries
 * @returns {Generator<(string | number)[]>} rows for csvParts, a head first; entries without a curve
 *   have none. `wall` is the first length without a row of the learned table, 0 where there is none.
 */
export function* curveRows(entries) {
  yield COLUMNS
  for (const { task, code, seed, curve } of entries) {
    if (!curve) continue
    const { step, final, wall, lengths, accuracies, counts, losses } = curve
    const flags = [Number(final), Number(isUntrained(curve))]
    for (let i = 0; i < lengths.length; i += 1) {
      const numbers = [lengths[i], accuracies[i], counts[i], losses[i], wall]
      yield [task, code, seed, step, ...flags, ...numbers]
    }
  }
}

/**
 * @param {Pick<import('./race.js').Race, 'plan' | 'entries' | 'build'>} race
 * @returns {string} JSON; null stands for NaN
 */
export function curvesJson({ plan, entries, build }) {
  const runs = entries.map(({ task, code, seed, status, curve, ...entry }) => ({
    task,
    code,
    seed,
    status,
    untrained: isUntrained(curve),
    training: {
      steps: entry.at,
      losses: entry.losses.map(toNumberText),
      accuracies: entry.accuracies.map(toNumberText),
    },
    curve: curve ? { final: curve.final, ...curveField.write(curve) } : null,
  }))
  return `${JSON.stringify({ build: build ?? null, plan, runs }, null, 1)}\n`
}
