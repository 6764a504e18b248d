// Inside a model of the race: the learned table and the similarity of its rows as they form, what a
// head attends to, and what can be done to the model after training. Follows the code in focus.
import { invalidateTheme } from '../../charts/core/canvas.js'
import { withPatch } from '../../state/state.js'
import { changeText, mountAfter } from './after.js'
import { mountAttention } from './attention.js'
import { changingChips } from './choices.js'
import { mountTable } from './table.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../run/race.js').Race} Race
 * @typedef {import('../run/entry.js').Entry} Entry
 */

/**
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {HTMLElement} place is filled, and emptied by destroy()
 * @param {Race} race
 */
export function mountInside(host, place, race) {
  const { el, t, setText, uniqueId } = host
  let state = host.state()
  let now = race
  /** Of the task shown and the code in focus. @type {Entry[]} */
  let own = []
  const id = uniqueId('inside')
  const title = el('h3', { id })
  const status = el('p', { class: 'status' })
  const seeds = changingChips(host, {
    label: t('field.seed'),
    describe: String,
    onChange: (seed) => {
      const labModel = 1 + own.findIndex((entry) => String(entry.seed) === seed)
      host.accept(withPatch(host.state(), { labModel }))
    },
  })
  const table = mountTable(host)
  const attention = mountAttention(host, (shown) => changeText(t, shown))
  const after = mountAfter(host)
  const parts = el('div', { class: 'parts' }, table.table, table.similarity, attention.element)
  /** What moves the curve stands beside it. */
  const besides = el('div', { class: 'lab-inside' }, after.element)
  place.setAttribute('role', 'group')
  place.setAttribute('aria-labelledby', id)
  place.replaceChildren(el('div', { class: 'inside-head' }, title, seeds.element), status, parts)

  function show() {
    const { mode, labShown, labModel } = state
    own = now.entries.filter(({ task, code }) => task === labShown && code === mode)
    const begun = own.filter(({ step }) => step > 0)
    const entry = begun.find((one) => one === own[labModel - 1]) ?? begun[0]
    const name = t(`mode.${mode}`)
    setText(title, t('inside.title', { name }))
    seeds.sync(
      String(entry?.seed ?? ''),
      begun.map(({ seed }) => String(seed)),
    )
    const dropped = entry?.status === 'done' && !entry.snapshot
    status.hidden = entry !== undefined && !dropped
    setText(status, t(dropped ? 'inside.dropped' : whyEmpty(), { name }))
    parts.hidden = besides.hidden = entry === undefined
    place.dataset.code = mode
    const learned = mode === 'learned' && entry?.table !== undefined
    table.table.hidden = table.similarity.hidden = !learned
    if (learned) table.show(entry)
    attention.show(now, entry?.snapshot ? entry : undefined)
  }

  /** @returns {TextKey} */
  function whyEmpty() {
    if (now.status === 'idle' || !now.plan) return 'inside.empty'
    if (own.length === 0) return 'inside.empty.absent'
    if (own.some(({ status: one }) => one === 'failed')) return 'inside.empty.failed'
    return 'inside.empty.waiting'
  }

  return {
    besides,
    /** @param {State} next */
    sync(next) {
      state = next
      attention.sync(next)
      after.sync(next)
    },
    /** @param {import('../scene.js').LengthModel} model */
    draw(model) {
      state = model.state
      now = model.race
      show()
      after.show(model)
    },
    restyle() {
      invalidateTheme()
      table.invalidate()
      attention.invalidate()
    },
    destroy() {
      table.destroy()
      attention.destroy()
      place.replaceChildren()
    },
  }
}
