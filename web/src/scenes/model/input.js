// A real model: where its config.json comes from. Nothing of it leaves the page.
import { PUBLIC_MODELS, configText } from '../../config/models.js'
import { MAX_CONFIG } from '../../config/read.js'
import { withPatch } from '../../state/state.js'
import { codeOf, readHere, shownOf } from './shown.js'

/** While the reader types, a text is read this long after the last letter, in ms. */
const READ_AFTER = 250

/** A text that cannot be read yet, so that another language does not lose it. @type {WeakMap<Node, string>} */
const drafts = new WeakMap()

/**
 * @param {import('../../kit/host.js').SceneHost} host
 */
export function mountInput(host) {
  const { el, t, setText, uniqueId } = host
  /** The code of what stands in the text field. */
  let written = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  let destroyed = false
  let fresh = true
  const stage = host.root.getRootNode()

  const areaId = uniqueId('config')
  const problem = el('p', {
    class: 'problem',
    id: uniqueId('problem'),
    role: 'alert',
    hidden: true,
  })
  const choice = el('select', { id: uniqueId('models'), onchange: choose })
  const none = el('option', { value: '' }, t('model.choose.own'))
  choice.append(none)
  for (const mode of /** @type {const} */ ([
    'rope',
    'learned',
    'alibi',
    't5',
    'sinusoidal',
    'nope',
  ])) {
    const group = el('optgroup', { label: t(`mode.${mode}`) })
    for (const [id, { name }] of Object.entries(PUBLIC_MODELS)) {
      if (codeOf(id).startsWith(mode)) group.append(el('option', { value: id }, name))
    }
    choice.append(group)
  }
  const area = el('textarea', {
    id: areaId,
    spellcheck: false,
    autocomplete: 'off',
    placeholder: t('model.paste.placeholder'),
    'aria-describedby': problem.id,
    oninput: () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => offer(area.value), READ_AFTER)
    },
  })
  const file = el('input', {
    type: 'file',
    accept: '.json,application/json',
    class: 'visually-hidden',
    tabIndex: -1,
    'aria-hidden': 'true',
    onchange: () => {
      takeFile(file.files?.[0])
      file.value = ''
    },
  })
  const pick = el(
    'button',
    { type: 'button', class: 'quiet pick', onclick: () => file.click() },
    t('model.pick'),
  )
  const source = el('a', { target: '_blank', rel: 'noopener noreferrer' })
  const origin = el('p', { class: 'muted origin' }, source)

  const element = el(
    'section',
    { class: 'card chooser', ondragover: hover, ondragleave: leave, ondrop: drop },
    el('label', { class: 'label', for: choice.id }, t('model.choose')),
    choice,
    origin,
    el('label', { class: 'label', for: areaId }, t('model.paste')),
    area,
    problem,
    el('div', { class: 'row' }, pick, file, el('span', { class: 'muted' }, t('model.private'))),
  )

  function choose() {
    clearTimeout(waiting)
    if (choice.value !== '') {
      // The model as it is published, whatever was made of its text here before.
      readHere(configText(choice.value))
      show(codeOf(choice.value))
    } else {
      area.select()
      area.focus()
    }
  }

  /** @param {string} model of the state */
  function show(model) {
    complain('')
    drafts.delete(stage)
    written = ''
    host.accept(withPatch(host.state(), { model }))
    sync(host.state())
  }

  /** @param {string} text of a config.json */
  function offer(text) {
    if (destroyed) return
    const reading = readHere(text)
    drafts.delete(stage)
    if (!reading.ok) {
      drafts.set(stage, text)
      const { key, params } = reading.error
      complain(`${t(`model.error.${key}`, params)} ${t('model.stays')}`)
      return
    }
    complain('')
    written = reading.code
    const next = withPatch(host.state(), { model: reading.code })
    // The same fields from another text: what is said of the text may differ.
    if (next === host.state()) host.recompute()
    else host.accept(next)
    sync(host.state())
  }

  /** @param {string} sentence */
  function complain(sentence) {
    problem.hidden = sentence === ''
    setText(problem, sentence)
    area.setAttribute('aria-invalid', String(sentence !== ''))
  }

  /** @param {File | undefined} chosen */
  async function takeFile(chosen) {
    if (!chosen) return
    if (chosen.size > 4 * MAX_CONFIG) {
      complain(t('model.error.size', { limit: MAX_CONFIG / 1024 }))
      return
    }
    try {
      take(await chosen.text())
    } catch {
      complain(t('model.error.file'))
    }
  }

  /** @param {string} text */
  function take(text) {
    if (destroyed) return
    clearTimeout(waiting)
    area.value = text.slice(0, MAX_CONFIG + 1)
    offer(text)
  }

  /** @param {DragEvent} event */
  function hover(event) {
    event.preventDefault()
    element.classList.add('hovered')
  }

  function leave() {
    element.classList.remove('hovered')
  }

  /** @param {DragEvent} event */
  function drop(event) {
    event.preventDefault()
    leave()
    const dropped = event.dataTransfer?.files[0]
    if (dropped) takeFile(dropped)
    else take(event.dataTransfer?.getData('text/plain') ?? '')
  }

  /** @param {import('../../state/state.js').State} state */
  function sync(state) {
    const { id, text, reading } = shownOf(state)
    choice.value = id ?? ''
    setText(none, t(text === '' ? 'model.choose.link' : 'model.choose.own'))
    origin.hidden = id === undefined
    if (id !== undefined) {
      source.href = PUBLIC_MODELS[id].source
      setText(source, source.host + source.pathname)
    }
    if (written === reading.code) return
    written = reading.code
    area.value = text
    complain('')
    const draft = fresh ? drafts.get(stage) : undefined
    fresh = false
    drafts.delete(stage)
    if (draft === undefined) return
    area.value = draft
    offer(draft)
  }

  return {
    element,
    sync,
    destroy() {
      destroyed = true
      clearTimeout(waiting)
    },
  }
}
