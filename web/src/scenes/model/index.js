// A real model: what its config.json says of positions, and what that means for the reader's text.
import { advise } from '../../config/advice.js'
import { PUBLIC_MODELS } from '../../config/models.js'
import { formatCount } from '../../kit/format.js'
import { ruleWords } from '../../kit/refusals.js'
import { defineScene, html, nothing } from '../../kit/scene.js'
import { createChooser } from './chooser.js'
import { createFields } from './fields.js'
import { numbersTable, positions } from './positions.js'
import { computeModel, shownOf } from './shown.js'

/**
 * @typedef {import('../../config/training.js').Turns} Turns
 * @typedef {import('../../text/text.js').Translate} Translate
 */

/** Multiples of what the file promises. */
const TIMES = [1, 2, 4, 8]

export const model = defineScene({
  id: 'model',

  compute: computeModel,

  values({ t, state, model: { shown, resolved, turns } }) {
    const { id, reading } = shown
    const { positions: promised, family } = resolved
    const refused = turns.flatMap((one) => one.refused ?? [])
    const [first, ...advice] = advise(resolved, state.modelLength)
    const others = [...advice, ...reading.notes].sort((a, b) => Number(b.warns) - Number(a.warns))
    const told = refused.map(({ name, rule }) => ({
      text: t('model.note.refused', { name, rule: ruleWords(t, rule) }),
      warns: true,
    }))
    return {
      name: id ? PUBLIC_MODELS[id].name : (family ?? t('model.yours')),
      positions: promised === undefined ? '–' : formatCount(promised),
      length: formatCount(state.modelLength),
      pairs: turns[0]?.unseen ?? 0,
      all: turns[0]?.turns.length ?? 0,
      // The first is said in the sentence.
      first: told[0]?.text ?? (first ? noteText(t, first) : ''),
      notes: [...told, ...others.map((one) => ({ text: noteText(t, one), warns: one.warns }))],
    }
  },

  say({ t, text, state: { modelLength: length }, model: { resolved, turns }, values }) {
    const { encoding, positions: promised } = resolved
    const [one] = turns
    const { first, name } = values
    return {
      lead: t('model.say.lead', { name, code: text(`mode.${encoding}`) }),
      body:
        one?.trained === undefined
          ? first
          : t('model.say.both', { first, second: sayUnseen(t, one, length) }),
      failing: encoding === 'learned' && promised !== undefined && length > promised,
    }
  },

  own: (scope) => ({
    chooser: createChooser(scope),
    fields: createFields(scope, () => scope.model && numbersTable(/** @type {any} */ (scope))),
  }),

  figures: { positions },

  view({ t, state, values, figure, field, sentence, set, own }) {
    const shown = shownOf(state)
    const { encoding, positions: promised } = shown.reading.resolved
    const { notes = [] } = values
    const times = (/** @type {number} */ length) =>
      html`<div class="row" role="group" aria-label=${t('model.times')}>
        <span class="muted">${t('model.times')}</span>
        ${TIMES.map(
          (many) =>
            html`<button
              type="button"
              class="quiet"
              data-times=${many}
              aria-pressed=${state.modelLength === length * many}
              @click=${() => set({ modelLength: length * many })}
            >
              ${t('model.times.button', { many })}
            </button>`,
        )}
      </div>`
    return html`<div class="main">
        ${figure('positions')}${sentence}
        <div class="length">
          ${encoding === 't5' ? nothing : field('modelLength')}
          ${promised === undefined ? nothing : times(promised)}
        </div>
        <section class="card" ?hidden=${notes.length === 0}>
          <h2>${t('model.advice')}</h2>
          <ul class="notes">
            ${notes.map((one) => html`<li class=${one.warns ? 'warns' : ''}>${one.text}</li>`)}
          </ul>
        </section>
        ${own.fields(shown)}
      </div>
      <div class="side">${own.chooser()}</div>`
  },
})

/**
 * Which angles of its longest distances the model has not met.
 * @param {Translate} t
 * @param {Turns} turns
 * @param {number} length
 */
function sayUnseen(t, { trained = 0, further, window = 0, unseen, unseenFrom }, length) {
  let key = unseen > 0 ? 'unseen' : 'seen'
  if (further) key += '.further'
  else if (!unseen && window > 0 && window < length) key = 'window'
  const values = { pairs: unseen, all: unseenFrom.length, trained: further ?? trained }
  return t(`model.say.${key}`, counted({ ...values, length, window: window ?? length }))
}

/** Numbers as they are read. @param {Record<string, string | number>} params */
const counted = (params) =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [
      key,
      typeof value === 'number' && value >= 1000 ? formatCount(value) : value,
    ]),
  )

/** @param {Translate} t @param {import('../../config/read.js').Note} note */
function noteText(t, { key, params }) {
  const { layers } = params
  const note = t(`model.note.${key}`, counted(params))
  if (!layers) return note
  const global = String(layers).startsWith('full')
  return t('model.note.layers', { layers: global ? t('model.layers.full') : layers, note })
}
