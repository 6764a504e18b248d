// A run to a file and back; all curves as CSV and JSON.
import { EngineError } from '../../engine/errors.js'
import { csvParts } from '../../exports/csv.js'
import { download } from '../../exports/download.js'
import { MOST_COPIED } from '../../kit/save_menu.js'
import { html } from '../../kit/scene.js'
import { curveRows, curvesJson } from '../run/export.js'
import { MAX_FILE } from '../run/file.js'

/** What is saved. */
const KINDS = /** @type {const} */ (['run', 'csv', 'json'])
/** A refusal of a run file has one of these reasons, and a sentence for each. */
const REASONS = ['not-json', 'not-a-run', 'other-version', 'damaged', 'too-large']

/** @param {import('../scene.js').LabScope} scope */
export function createFiles(scope) {
  const { root, set, refresh } = scope
  const files = {
    /** Key of a sentence. */
    told: '',
    /** What a reader may copy who cannot save. */
    text: '',
    /** @param {typeof KINDS[number]} kind */
    async save(kind) {
      tell('')
      const race = scope.model?.race
      if (!race) return
      try {
        const parts =
          kind === 'csv'
            ? await csvParts(curveRows(race.entries))
            : [kind === 'run' ? race.toFile() : curvesJson(race)]
        const type = kind === 'csv' ? 'text/csv' : 'application/json'
        const name = kind === 'run' ? 'run.json' : `curves.${kind}`
        download(new Blob(parts, { type }), `posenc-length-${name}`)
        // A sandboxed frame drops downloads without a word: what it can see is that it has no origin.
        if (self === top || origin !== 'null') return
        const text = parts.join('')
        if (text.length > MOST_COPIED) return tell('save.failed')
        tell('save.framed', text)
        const field = root.querySelector('.length-keep textarea')
        if (field instanceof HTMLTextAreaElement) field.select()
      } catch {
        tell('save.failed')
      }
    },
    /** @param {HTMLInputElement} input */
    async load(input) {
      const file = input.files?.[0]
      // The same file may be chosen again.
      input.value = ''
      if (!file || !scope.model) return
      tell('')
      // Before it is read: it may be as large as a disk.
      if (file.size > MAX_FILE) return tell('length.load.too-large')
      const { session, race } = scope.model
      try {
        await session.load(file)
        const { tasks = [] } = race.plan ?? {}
        if (tasks.includes(scope.state.labShown)) scope.recompute()
        else set({ labShown: tasks[0] })
      } catch (error) {
        const reason = error instanceof EngineError ? String(error.details?.reason) : ''
        tell(`length.load.${REASONS.includes(reason) ? reason : 'not-a-run'}`)
      }
    },
  }

  /** @param {string} told @param {string} [text] */
  function tell(told, text = '') {
    Object.assign(files, { told, text })
    refresh()
  }
  return files
}

/** @type {import('../scene.js').Part} */
export function saving({ t, text, own: { files } }, { race }) {
  const nothing = race.entries.every(({ curve }) => curve === undefined)
  const choose = (/** @type {any} */ { target }) => target.nextElementSibling.click()
  return html`<div class="length-keep">
    ${KINDS.map(
      (kind) =>
        html`<button
          type="button"
          class="quiet"
          data-keep=${kind}
          ?disabled=${nothing}
          @click=${() => files.save(kind)}
        >
          ${t(`length.save.${kind}`)}
        </button>`,
    )}
    <button type="button" class="quiet" data-keep="load" @click=${choose}>
      ${t('length.load')}
    </button>
    <input
      type="file"
      class="visually-hidden"
      accept=".json,application/json"
      tabindex="-1"
      aria-hidden="true"
      @change=${(/** @type {any} */ { target }) => files.load(target)}
    />
    <p class="problem" role="alert" ?hidden=${!files.told}>${files.told && text(files.told)}</p>
    <textarea
      readonly
      aria-label=${t('share.field')}
      ?hidden=${!files.text}
      .value=${files.text}
    ></textarea>
  </div>`
}
