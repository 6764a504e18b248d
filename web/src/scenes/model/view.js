// A real model: its picture, what a user should know, its fields.
import { invalidateTheme } from '../../charts/core/canvas.js'
import { advise } from '../../config/advice.js'
import { withPatch } from '../../state/state.js'
import { formatNumber } from '../../text/text.js'
import { formatCount } from '../../kit/format.js'
import { createFigure } from '../../kit/figure.js'
import { nameOf, noteText, refusedNote } from './shown.js'
import { drawModel } from './chart.js'
import { mountInput } from './input.js'
import { copiedText, fieldRows, numbersMatrix, numbersTable } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('./shown.js').ModelModel} ModelModel
 */

/** How long "copied" is said, in ms. */
const SAID_FOR = 2500

/** Multiples of what the file promises. */
const TIMES = [1, 2, 4, 8]

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountModel(host) {
  const { el, t, setText } = host
  let state = host.state()
  /** @type {ModelModel | undefined} */
  let model
  const input = mountInput(host)
  const figure = createFigure(host, {
    className: 'positions',
    draw: (frame) => model && drawModel(frame, t, model, state.modelLength),
    table: () => (model ? numbersTable(t, model) : { caption: '', columns: [], rows: [] }),
    matrix: () => model && numbersMatrix(model),
  })
  const notes = el('ul', { class: 'notes' })
  const advice = el('section', { class: 'card' }, el('h2', {}, t('model.advice')), notes)
  const length = host.numberControl('modelLength')
  const times = el(
    'div',
    { class: 'row', role: 'group', 'aria-label': t('model.times') },
    el('span', { class: 'muted' }, t('model.times')),
  )
  for (const many of TIMES) {
    const text = t('model.times.button', { many })
    times.append(
      el(
        'button',
        { type: 'button', class: 'quiet', 'data-times': many, onclick: () => go(many) },
        text,
      ),
    )
  }
  const body = el('tbody')
  const columns = /** @type {const} */ (['field', 'value', 'from'])
  const table = el(
    'table',
    {},
    el('caption', { class: 'visually-hidden' }, t('model.fields')),
    el(
      'thead',
      {},
      el('tr', {}, ...columns.map((key) => el('th', { scope: 'col' }, t(`model.column.${key}`)))),
    ),
    body,
  )
  const copied = el('span', { class: 'muted', role: 'status' })
  const byHand = el('textarea', {
    class: 'by-hand',
    hidden: true,
    readOnly: true,
    rows: 4,
    'aria-label': t('model.copy.hand'),
  })
  const copyButton = el(
    'button',
    { type: 'button', class: 'quiet', 'data-copy': '', onclick: copy },
    t('model.copy'),
  )
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let saying

  host.root.append(
    el(
      'div',
      { class: 'main' },
      figure.element,
      host.sentence,
      el('div', { class: 'length' }, length.element, times),
      advice,
      el(
        'section',
        { class: 'card resolved' },
        el('h2', {}, t('model.fields')),
        el(
          'div',
          { class: 'numbers', tabIndex: 0, role: 'region', 'aria-label': t('model.fields') },
          table,
        ),
        el('div', { class: 'row' }, copyButton, copied),
        byHand,
      ),
    ),
    el('div', { class: 'side' }, input.element),
  )

  /** @param {number} many */
  function go(many) {
    const positions = model?.shown.reading.resolved.positions
    if (positions === undefined) return
    const modelLength = Math.min(2 ** 24, positions * many)
    host.accept(withPatch(host.state(), { modelLength }))
  }

  /** A frame may forbid the clipboard: then the older command, then the reader's own hand. */
  async function copy() {
    if (!model) return
    const text = copiedText(t, model)
    byHand.hidden = true
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      byHand.value = text
      byHand.hidden = false
      byHand.focus()
      byHand.select()
      let done = false
      try {
        done = document.execCommand('copy')
      } catch {
        // Forbidden as well.
      }
      if (!done) {
        setText(copied, t('model.copy.hand'))
        return
      }
      byHand.hidden = true
      copyButton.focus()
    }
    setText(copied, t('share.copied'))
    clearTimeout(saying)
    saying = setTimeout(() => setText(copied, ''), SAID_FOR)
  }

  /** @param {ModelModel} shown */
  function list({ shown, turns }) {
    const { reading } = shown
    // The first is in the sentence already.
    const [, ...follows] = advise(reading.resolved, state.modelLength)
    const said = [...follows, ...reading.notes]
    said.sort((one, other) => Number(other.warns) - Number(one.warns))
    const items = said.map((one) => el('li', { class: one.warns ? 'warns' : '' }, noteText(t, one)))
    for (const { refused } of turns) {
      if (refused) items.unshift(el('li', { class: 'warns' }, refusedNote(t, refused)))
    }
    notes.replaceChildren(...items)
    advice.hidden = items.length === 0
    body.replaceChildren(
      ...fieldRows(t, shown).map(([name, value, from]) =>
        el('tr', {}, el('th', { scope: 'row' }, name), el('td', {}, value), el('td', {}, from)),
      ),
    )
  }

  /** @param {ModelModel} shown */
  function speak(shown) {
    const { resolved } = shown.shown.reading
    const { encoding, positions } = resolved
    const [first] = shown.turns
    const values = {
      name: nameOf(t, shown.shown),
      positions: positions === undefined ? '–' : formatCount(positions),
      length: formatCount(state.modelLength),
      pairs: first?.unseen ?? 0,
      all: first?.turns.length ?? 0,
    }
    /** @param {'attention' | 'score'} what */
    const factor = (what) => {
      const value = first?.[`${what}Factor`] ?? 1
      return value !== 1 && t(`model.readout.${what}`, { factor: formatNumber(value) })
    }
    figure.say({
      name: t(`model.figure.${encoding}`),
      note: values.name,
      readout: [
        positions !== undefined && t('model.readout.promised', values),
        factor('attention'),
        factor('score'),
      ]
        .filter(Boolean)
        .join(' · '),
      summary: t(`model.summary.${encoding}`, values),
    })
    times.hidden = positions === undefined
    length.element.hidden = encoding === 't5'
    for (const button of times.querySelectorAll('button')) {
      const many = Number(button.dataset.times)
      const chosen = positions !== undefined && state.modelLength === positions * many
      button.setAttribute('aria-pressed', String(chosen))
    }
    list(shown)
  }

  return {
    memory: undefined,
    /** @param {State} next */
    sync(next) {
      state = next
      host.root.dataset.focus = state.mode
      length.sync(state)
      input.sync(state)
    },
    /** @param {State} next @param {ModelModel} computed */
    draw(next, computed) {
      state = next
      model = computed
      speak(computed)
      figure.invalidate()
    },
    restyle() {
      invalidateTheme()
      figure.invalidate()
    },
    destroy() {
      clearTimeout(saying)
      input.destroy()
      figure.destroy()
      host.root.replaceChildren()
    },
  }
}
