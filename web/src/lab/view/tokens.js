// How the lab's sequences are written: the ids of tokens and answers are those of the core's tasks.h.

/** @import { Translate } from '../../text/text.js' */

/** Content tokens; A and B are kept for the task that is about them. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyzαβγδεζ']

/**
 * @param {string} task
 * @param {number} id
 * @param {number} vocabulary content tokens
 * @returns {string} one character
 */
export function tokenText(task, id, vocabulary) {
  if (task === 'latest') return id === 0 ? '·' : (LETTERS[id - 1] ?? '?')
  const signs = { order: 'AB', addition: '+=' }[task] ?? '|'
  if (id >= vocabulary) return signs[id - vocabulary] ?? '?'
  // The token that is looked for stands out.
  if (task === 'seen' && id === 0) return '0'
  return task === 'addition' ? id.toString(36) : (LETTERS[id] ?? '?')
}

/**
 * @param {Translate} t
 * @param {string} task
 * @param {number} id below 0 where nothing is asked
 * @param {number} vocabulary
 * @returns {string} empty where nothing is asked
 */
export function answerText(t, task, id, vocabulary) {
  if (id < 0) return ''
  if (task === 'order' || task === 'seen') return t(id === 1 ? 'inside.yes' : 'inside.no')
  return task === 'modulo' ? String(id) : tokenText(task, id, vocabulary)
}

/**
 * @param {string} task
 * @param {number} length of the task
 * @returns {number} the tokens that a model reads then: a question of two numbers, or of one sequence,
 *   comes before its answer
 */
export function tokensOf(task, length) {
  if (task === 'addition') return 3 * length + 2
  return ['copy', 'reverse', 'sort'].includes(task) ? 2 * length : length
}
