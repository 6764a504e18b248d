// A real model: where its config.json comes from. Nothing of it leaves the page.
import { PUBLIC_MODELS, configText } from '../../config/models.js'
import { MAX_CONFIG } from '../../config/read.js'
import { uniqueId } from '../../kit/dom.js'
import { html } from '../../kit/scene.js'
import { codeOf, readHere, shownOf } from './shown.js'

/** While the reader types, a text is read this long after the last letter, in ms. */
const READ_AFTER = 250
/** Groups of public models. */
const CODES = ['rope', 'learned', 'alibi', 't5', 'sinusoidal', 'nope']

/**
 * What stands in the text field, over which model, and why it cannot be read.
 * @typedef {{ code: string, text: string, error?: { key: string, params?: object } }} Written
 */
/** Of each stage, so that another language does not lose it. @type {WeakMap<Node, Written>} */
const WRITTEN = new WeakMap()

/** @param {import('../../kit/types').ViewScope<any, any>} scope */
export function createChooser(scope) {
  const { t, text, set, refresh, recompute, signal } = scope
  const [choiceId, areaId, problemId] = ['models', 'config', 'problem'].map(uniqueId)
  const stage = scope.root.getRootNode()
  const written = WRITTEN.get(stage) ?? { code: '', text: '' }
  WRITTEN.set(stage, written)
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting

  /** @param {string} typed */
  function offer(typed) {
    clearTimeout(waiting)
    if (signal.aborted) return
    written.text = typed.slice(0, MAX_CONFIG + 1)
    const reading = readHere(written.text)
    written.error = reading.ok ? undefined : reading.error
    if (reading.ok) {
      written.code = reading.code
      // The same fields from another text: what is said of the text may differ.
      if (reading.code === scope.state.model) recompute()
      else set({ model: reading.code })
    }
    refresh()
  }

  /** @param {NonNullable<Written['error']>} error */
  function complaint({ key, params }) {
    const first = text(`model.error.${key}`, params)
    return t('model.say.both', { first, second: t('model.stays') })
  }

  /** @param {any} event */
  function type({ target }) {
    written.text = target.value
    clearTimeout(waiting)
    waiting = setTimeout(() => offer(written.text), READ_AFTER)
  }

  /** @param {any} event */
  function choose({ target }) {
    clearTimeout(waiting)
    if (target.value === '') {
      const area = target.parentElement.querySelector('textarea')
      area.select()
      area.focus()
      return
    }
    // What was typed a moment ago is not rendered yet, and would be left standing.
    refresh()
    // The model as it is published, whatever was made of its text here before.
    readHere(configText(target.value))
    written.code = ''
    set({ model: codeOf(target.value) })
  }

  /** @param {File} file */
  async function take(file) {
    try {
      if (file.size <= 4 * MAX_CONFIG) return offer(await file.text())
      written.error = { key: 'size', params: { limit: MAX_CONFIG / 1024 } }
    } catch {
      written.error = { key: 'file' }
    }
    refresh()
  }

  /** @param {any} event */
  function pick({ target }) {
    const [file] = target.files
    if (file) take(file)
    target.value = ''
  }

  /** @param {any} event */
  function drag(event) {
    event.preventDefault()
    event.currentTarget.classList.toggle('hovered', event.type === 'dragover')
    if (event.type !== 'drop') return
    const [file] = event.dataTransfer.files
    if (file) take(file)
    else offer(event.dataTransfer.getData('text/plain'))
  }

  /** @param {string | undefined} chosen */
  const options = (chosen) =>
    CODES.map(
      (mode) =>
        html`<optgroup label=${text(`mode.${mode}`)}>
          ${Object.entries(PUBLIC_MODELS)
            .filter(([id]) => codeOf(id).startsWith(mode))
            .map(
              ([id, { name }]) =>
                html`<option value=${id} .selected=${id === chosen}>${name}</option>`,
            )}
        </optgroup>`,
    )

  return () => {
    const shown = shownOf(scope.state)
    const { id, reading } = shown
    if (reading.code !== written.code) {
      Object.assign(written, { code: reading.code, text: shown.text, error: undefined })
    }
    const { error } = written
    const source = id === undefined ? undefined : new URL(PUBLIC_MODELS[id].source)
    return html`<section class="card chooser" @dragover=${drag} @dragleave=${drag} @drop=${drag}>
      <label class="label" for=${choiceId}>${t('model.choose')}</label>
      <select id=${choiceId} @change=${choose}>
        <option value="" .selected=${id === undefined}>
          ${t(shown.text === '' ? 'model.choose.link' : 'model.choose.own')}
        </option>
        ${options(id)}
      </select>
      ${
        source &&
        html`<p class="muted origin">
          <a target="_blank" rel="noopener noreferrer" href=${source}
            >${source.host + source.pathname}</a
          >
        </p>`
      }
      <label class="label" for=${areaId}>${t('model.paste')}</label>
      <textarea
        id=${areaId}
        spellcheck="false"
        autocomplete="off"
        placeholder=${t('model.paste.placeholder')}
        aria-describedby=${problemId}
        aria-invalid=${error !== undefined}
        .value=${written.text}
        @input=${type}
      ></textarea>
      <p
        class="problem"
        id=${problemId}
        role="alert"
        ?hidden=${!error}
        .textContent=${error ? complaint(error) : ''}
      ></p>
      <div class="row">
        <button
          type="button"
          class="quiet pick"
          @click=${(/** @type {any} */ { target }) => target.nextElementSibling.click()}
        >
          ${t('model.pick')}
        </button>
        <input
          type="file"
          accept=".json,application/json"
          class="visually-hidden"
          tabindex="-1"
          aria-hidden="true"
          @change=${pick}
        />
        <span class="muted">${t('model.private')}</span>
      </div>
    </section>`
  }
}
