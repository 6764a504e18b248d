// What a lookup in the learned table gives, past its last row as well.
import { numpyMessage } from '../../kit/lookup.js'

/**
 * @typedef {object} Lookup
 * @property {number} position
 * @property {string} behaviour
 * @property {Float64Array | undefined} row undefined where nothing came back
 * @property {boolean} past whether the position is past the table
 * @property {boolean} wrong whether this is not the row that training wrote for this position
 * @property {number | undefined} source the seat whose row came back instead
 * @property {{ position: number, tMax: number } | undefined} error as the kernel reported it
 * @property {boolean} dead whether the process of the device is gone
 */

/** What a position past the table gives, for the behaviours that the kernel knows. */
const KERNEL_BEHAVIOUR = new Set(['clamp', 'nan', 'zeros', 'wrap'])

/**
 * @param {import('../../kit/codes.js').Codes} codes
 * @param {import('../../state/state.js').State} state
 * @param {import('../../kit/codes.js').Learned} learned
 * @param {boolean} dead whether an earlier lookup has killed the process
 * @returns {Promise<Lookup>}
 */
export async function lookUp(codes, state, learned, dead) {
  const { position, behaviour, tMax } = state
  const past = position >= learned.rows
  const found = { position, behaviour, past, dead, source: undefined, error: undefined }
  if (dead) return { ...found, wrong: true, row: undefined }
  if (past && behaviour === 'untrained') {
    const row = await codes.untrainedRow(learned, position, state.length)
    return { ...found, wrong: true, row }
  }
  const asked = KERNEL_BEHAVIOUR.has(behaviour) ? behaviour : 'raise'
  try {
    const row = await learned.table.lookup(position, { behaviour: asked })
    const source = past ? sourceOf(behaviour, position, learned.rows) : undefined
    return { ...found, row, source, wrong: position >= tMax }
  } catch (error) {
    const { code, details } = /** @type {{ code?: string, details?: any }} */ (error)
    if (code !== 'position-out-of-range') throw error
    return { ...found, wrong: true, row: undefined, error: details }
  }
}

/**
 * @param {string} behaviour
 * @param {number} position
 * @param {number} rows
 * @returns {number | undefined} the seat whose row the lookup silently returns
 */
function sourceOf(behaviour, position, rows) {
  if (behaviour === 'clamp') return rows - 1
  return behaviour === 'wrap' ? position % rows : undefined
}

/** The framework's own words. @param {Lookup} lookup */
export function errorText({ dead, error, behaviour }) {
  // PyTorch reports a failed device-side assert in these words (pytorch/pytorch, c10/cuda).
  if (dead || (error && behaviour === 'assert')) {
    return 'RuntimeError: CUDA error: device-side assert triggered'
  }
  return error ? `IndexError: ${numpyMessage(error)}` : ''
}
