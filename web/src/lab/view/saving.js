// The length lab: a run to a file and back; all curves as CSV and JSON.
import { EngineError } from '../../engine/errors.js'
import { csvParts } from '../../exports/csv.js'
import { download } from '../../exports/download.js'
import { withPatch } from '../../state/state.js'
import { curveRows, curvesJson } from '../run/export.js'
import { MAX_FILE } from '../run/file.js'
import { MOST_COPIED } from '../../kit/save_menu.js'

/**
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('../scene.js').LengthModel} LengthModel
 */

/** @typedef {'run' | 'csv' | 'json'} Kind what is saved */

/** A refusal of a run file has one of these reasons, and a sentence for each. */
const REASONS = ['not-json', 'not-a-run', 'other-version', 'damaged', 'too-large']

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountSaving(host) {
  const { el, t, setText } = host
  /** @type {LengthModel | undefined} */
  let model
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
  const field = el('textarea', { readOnly: true, hidden: true, 'aria-label': t('share.field') })

  /** @param {TextKey | ''} key */
  function tell(key) {
    problem.hidden = key === ''
    setText(problem, key && t(key))
  }

  /** @param {Kind} kind */
  async function save(kind) {
    tell('')
    field.hidden = true
    const race = model?.race
    if (!race) return
    try {
      const csv = kind === 'csv'
      const parts = csv
        ? await csvParts(curveRows(race.entries))
        : [kind === 'run' ? race.toFile() : curvesJson(race)]
      const type = csv ? 'text/csv' : 'application/json'
      const name = kind === 'run' ? 'run.json' : `curves.${kind}`
      download(new Blob(parts, { type }), `posenc-length-${name}`)
      // A sandboxed frame drops downloads without a word: what it can see is that it has no origin.
      if (self === top || origin !== 'null') return
      const text = parts.join('')
      if (text.length > MOST_COPIED) return tell('save.failed')
      tell('save.framed')
      field.value = text
      field.hidden = false
      field.select()
    } catch {
      tell('save.failed')
    }
  }

  async function load() {
    const file = input.files?.[0]
    // The same file may be chosen again.
    input.value = ''
    if (!file || !model) return
    tell('')
    // Before it is read: it may be as large as a disk.
    if (file.size > MAX_FILE) return tell('length.load.too-large')
    try {
      await model.session.load(file)
      const { tasks = [] } = model.race.plan ?? {}
      const task = host.state().labShown
      if (tasks.includes(task)) host.recompute()
      else host.accept(withPatch(host.state(), /** @type {any} */ ({ labShown: tasks[0] })))
    } catch (error) {
      const reason = error instanceof EngineError ? String(error.details?.reason) : ''
      const key = REASONS.includes(reason) ? reason : 'not-a-run'
      tell(`length.load.${key}`)
    }
  }

  const button = (/** @type {Kind} */ kind) =>
    el(
      'button',
      {
        type: 'button',
        class: 'quiet',
        disabled: true,
        'data-keep': kind,
        onclick: () => save(kind),
      },
      t(`length.save.${kind}`),
    )
  const buttons = [button('run'), button('csv'), button('json')]
  const input = el('input', {
    type: 'file',
    class: 'visually-hidden',
    accept: '.json,application/json',
    tabIndex: -1,
    'aria-hidden': 'true',
    onchange: load,
  })
  const open = el(
    'button',
    { type: 'button', class: 'quiet', 'data-keep': 'load', onclick: () => input.click() },
    t('length.load'),
  )
  return {
    element: el('div', { class: 'length-keep' }, ...buttons, open, input, problem, field),
    /** @param {LengthModel} now */
    draw(now) {
      model = now
      const nothing = now.race.entries.every(({ curve }) => curve === undefined)
      for (const one of buttons) one.disabled = nothing
    },
  }
}
