// The length lab: a run to a file and back; all curves as JSON.
import { EngineError } from '../engine/errors.js'
import { download } from '../exports/download.js'
import { curvesJson } from './lab_export.js'
import { MAX_FILE } from './lab_file.js'

/**
 * @typedef {import('../text/text.js').TextKey} TextKey
 * @typedef {import('./lab.js').LengthModel} LengthModel
 */

/** A refusal of a run file has one of these reasons, and a sentence for each. */
const REASONS = ['not-json', 'not-a-run', 'other-version', 'damaged', 'too-large']

/** @param {import('../stage.js').SceneHost} host */
export function mountKeep(host) {
  const { el, t, setText } = host
  /** @type {LengthModel | undefined} */
  let model
  const problem = el('p', { class: 'problem', role: 'alert', hidden: true })

  /** @param {TextKey | ''} key */
  function tell(key) {
    problem.hidden = key === ''
    setText(problem, key && t(key))
  }

  /** @param {'run' | 'curves'} kind */
  async function save(kind) {
    tell('')
    const race = model?.race
    if (!race) return
    try {
      const text = kind === 'run' ? race.toFile() : curvesJson(race)
      download(new Blob([text], { type: 'application/json' }), `posenc-length-${kind}.json`)
      // A sandboxed frame drops downloads without a word: what it can see is that it has no origin.
      if (self !== top && origin === 'null') tell('save.framed')
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
      host.recompute()
    } catch (error) {
      const reason = error instanceof EngineError ? String(error.details?.reason) : ''
      const key = REASONS.includes(reason) ? reason : 'not-a-run'
      tell(/** @type {TextKey} */ (`length.load.${key}`))
    }
  }

  const button = (/** @type {'run' | 'curves'} */ kind) =>
    el(
      'button',
      { type: 'button', class: 'quiet', 'data-keep': kind, onclick: () => save(kind) },
      t(`length.save.${kind}`),
    )
  const buttons = [button('run'), button('curves')]
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
    element: el('div', { class: 'length-keep' }, ...buttons, open, input, problem),
    /** @param {LengthModel} now */
    draw(now) {
      model = now
      const nothing = now.race.entries.every(({ curve }) => curve === undefined)
      for (const one of buttons) one.disabled = nothing
    },
  }
}
