// The stage inside <posenc-lab>: state in, figures out. Owns the shadow root's content.
import elementCss from '../../styles/element.css'
import { Codes, baseNote } from '../kit/codes.js'
import { SCENES, scenesWith } from '../scenes/index.js'
import { acquireEngine, releaseEngine } from '../engine/shared.js'
import { MODES, SCENE_MODES } from '../state/fields.js'
import { initialState, withPatch } from '../state/state.js'
import { LANGUAGE_TAGS, translator } from '../text/text.js'
import { adoptStyles, el, setText, uniqueId } from '../kit/dom.js'
import { Panel } from './panel.js'
import { FATAL, bilingual, engineSentence, refusalError } from '../kit/refusals.js'
import { whatIsOpen } from './reopen.js'
import { radioGroup } from '../kit/radio.js'
import { Share } from './share.js'

/**
 * @typedef {import('../kit/types').Cause} Cause
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').Language} Language
 * @typedef {import('../text/text.js').TextKey} TextKey
 */

/**
 * @typedef {object} StageEvents
 * @property {(state: State, cause: Cause) => void} onChange
 * @property {() => void} onReady the first figure stands
 * @property {(error: { code: string, message: string, details: unknown }) => void} onError
 * @property {() => string | undefined} address that shows the present view, where there is one
 */

/** A screen reader hears the sentence when the cursor has come to rest this long, in ms. */
const SPOKEN_AFTER = 500
/** Nothing is said of a computation that is shorter than this, in ms. */
const PATIENCE = 300

export class Stage {
  #root
  #events
  /** @type {State} */
  #state = initialState()
  /** The last one whose figure was computed: what a refused one falls back to. @type {State} */
  #good = initialState()
  /** @type {Language} */
  #language = 'en'
  #t = translator('en')
  /** @type {Codes | undefined} */
  #codes
  /** @type {any} the model that stands, of the scene that stands */
  #model
  /** @type {any} */
  #view
  /** @type {Panel | undefined} */
  #panel
  /** @type {Share | undefined} */
  #share
  /** @type {ReturnType<typeof radioGroup>[]} */
  #groups = []
  #round = 0
  #ready = false
  #closed = false
  /** Nothing can be computed here: the message and the still picture stand for good. */
  #fatal = false
  /** The scene that was asked for from outside: figures without tabs lead back to it. */
  #home = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #speaking
  /** @type {Record<string, HTMLElement>} */
  #parts = {}
  /** Told until the scene changes. @type {{ key: TextKey, parameters?: Record<string, string> } | undefined} */
  #notice
  /** @type {HTMLStyleElement[]} */
  #styles
  /** @type {(notice: { code: string }) => void} */
  #onNotice = ({ code }) => this.showNotice(`notice.${code}`)

  /** @param {ShadowRoot} root @param {StageEvents} events */
  constructor(root, events) {
    this.#root = root
    this.#events = events
    this.#styles = adoptStyles(root, [elementCss])
  }

  get state() {
    return this.#state
  }

  /** @param {State} state @param {Language} language */
  open(state, language) {
    this.#state = this.#good = state
    this.#home = state.scene
    this.#language = language
    const show = this.#build()
    // The scene in a task of its own: none of a start is long. Until then what stood here stays.
    this.#root.replaceChildren(...this.#styles, el('slot', {}))
    setTimeout(() => {
      if (this.#closed) return
      show?.()
      this.#start()
    })
  }

  /** Frees everything; the stage cannot be opened again. */
  close() {
    this.#closed = true
    this.#round += 1
    clearTimeout(this.#speaking)
    this.#tearDown()
    this.#codes?.dispose()
    releaseEngine(this.#onNotice)
  }

  /** @param {Language} language */
  setLanguage(language) {
    if (language === this.#language || this.#fatal) return
    this.#language = language
    const reopen = whatIsOpen(this.#root)
    this.#build()?.()
    this.#draw()
    reopen(this.#root)
    // A scene may compute what is written: the example sentences are those of the language.
    this.#compute()
  }

  /** Colours or type have changed. */
  restyle() {
    this.#view?.restyle()
  }

  /** @param {State} next @param {Cause} [cause] */
  setState(next, cause = 'field') {
    if (this.#closed) return
    // What was typed may have come to the same state: the controls show what there is.
    if (next === this.#state) return this.#sync()
    const before = this.#state
    this.#state = next
    this.showProblem('')
    const otherScene = next.scene !== before.scene
    if (otherScene) this.#notice = undefined
    if (otherScene && cause !== 'scene') this.#home = next.scene
    if (otherScene || next.controls !== before.controls) {
      const focused = this.#root.activeElement
      this.#build()?.()
      // Whoever pressed a button that is gone goes on from what leads to the other scenes.
      const near = focused && this.#root.querySelector('.back, :is(.tabs, .toggle) input:checked')
      if (near instanceof HTMLElement) near.focus()
    } else if (`${scenesWith(next.mode)}` !== `${scenesWith(before.mode)}`) this.#renewTabs()
    this.#sync(cause)
    this.#draw()
    this.#compute()
    const step = cause === 'field' && otherScene ? 'scene' : cause
    this.#events.onChange(next, step)
  }

  async #start() {
    try {
      const engine = await acquireEngine(this.#onNotice)
      if (this.#closed) return
      this.#codes = new Codes(engine)
      await this.#compute()
    } catch (error) {
      if (!this.#closed) this.#fail(error)
    }
  }

  async #compute() {
    if (!this.#codes) return
    const state = this.#state
    const scene = SCENES[state.scene]
    this.#round += 1
    const round = this.#round
    try {
      const model = await scene.compute(this.#codes, state, this.#view?.memory, this.#t)
      if (round !== this.#round || this.#closed) return
      const before = [this.#model, this.#good]
      this.#model = model
      this.#good = state
      try {
        this.#draw()
      } catch (error) {
        // What cannot be drawn does not stay in the way of what comes next.
        ;[this.#model, this.#good] = before
        throw error
      }
      if (!this.#ready) {
        this.#ready = true
        this.#events.onReady()
      }
    } catch (error) {
      const code = /** @type {{ code?: string }} */ (error)?.code
      if (round !== this.#round || this.#closed || code === 'aborted') return
      this.#fail(error)
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    const found = /** @type {{ code?: string, message?: string, details?: any }} */ (error ?? {})
    const sentence = engineSentence(this.#t, found)
    if (FATAL.has(found.code ?? '')) {
      this.#tearDown()
      this.#fatal = true
      this.#root.replaceChildren(
        ...this.#styles,
        el('div', { class: 'problem', role: 'alert' }, ...bilingual(found)),
        el('slot', {}),
      )
    } else {
      // Before the first figure there is nothing to fall back to: the wish stays, to be tried again.
      const sceneStays = this.#good.scene === this.#state.scene || !this.#ready
      if (this.#ready) this.#state = this.#good
      if (!sceneStays) this.#build()?.()
      this.#sync()
      this.#draw()
      this.showProblem(sentence)
    }
    const { code = 'internal', message = String(error), details } = found
    this.#events.onError({ code, message, details })
  }

  #tearDown() {
    this.#view?.destroy()
    this.#view = undefined
    this.#share?.destroy()
    this.#share = undefined
    this.#panel = undefined
    this.#groups = []
  }

  /** The frame of the stage. @returns {(() => void) | undefined} puts the scene into it, at once or in a moment */
  #build() {
    if (this.#closed || this.#fatal) return undefined
    this.#tearDown()
    this.#t = translator(this.#language)
    const t = this.#t
    const state = this.#state
    const scene = SCENES[state.scene]
    if (this.#model && this.#model.scene !== state.scene) this.#model = undefined
    const modes = state.controls === 'full' ? MODES : SCENE_MODES[state.scene]
    const toggle = this.#radio('mode', modes, 'toggle', 'mode.label', (value) => `hue-${value}`)
    const tabs = this.#tabs()
    const body = el('div', { class: `scene scene-${state.scene}` })
    const lead = el('strong')
    const gap = this.#language === 'zh' ? '' : ' '
    const rest = el('span')
    const sentence = el('p', { class: 'sentence', 'aria-hidden': 'true' }, lead, gap, rest)
    const spoken = el('p', { class: 'visually-hidden', role: 'status' })
    const notice = el('p', { class: 'notice', role: 'status', hidden: true })
    const problem = el('p', { class: 'problem', role: 'alert', hidden: true })
    this.#parts = { lead, rest, sentence, spoken, notice, problem }
    /** @type {import('../kit/types').SceneHost} */
    const host = {
      root: body,
      sentence,
      t,
      language: this.#language,
      state: () => this.#state,
      accept: (next, cause) => this.setState(next, cause),
      refuse: (refused) => this.#events.onError(refusalError(t, refused)),
      recompute: () => this.#compute(),
    }
    const full = state.controls === 'full'
    this.#panel = full ? new Panel(scene, host) : undefined
    host.panel = this.#panel?.element
    this.#share = full ? new Share(t, this.#events.address) : undefined
    const link = this.#share?.element
    // On a small screen, where the sheet starts closed, the link comes last.
    const wide = this.#panel?.element.open
    const stage = el(
      'section',
      {
        class: `stage controls-${state.controls}`,
        lang: LANGUAGE_TAGS[this.#language],
        // A landmark is the stage of a page; a figure in a text is a group of its controls.
        role: full ? undefined : 'group',
        'aria-label': full ? t('stage.region') : t(`scene.${state.scene}`),
      },
      state.controls !== 'none' && modes.length > 1 && el('div', { class: 'bar' }, toggle),
      full ? tabs : state.scene !== this.#home && this.#back(),
      wide && link,
      body,
      spoken,
      problem,
      notice,
      this.#panel?.element,
      !wide && link,
    )
    setTimeout(() => !lead.textContent && setText(rest, t('stage.loading')), PATIENCE)
    this.#tell()
    this.offerLink()
    return () => {
      // Meanwhile another may have been built.
      if (this.#parts.sentence !== sentence) return
      this.#root.replaceChildren(...this.#styles, stage)
      this.#view = scene.mount(host)
      this.#sync()
    }
  }

  #tabs() {
    return this.#radio('scene', scenesWith(this.#state.mode), 'tabs', 'field.scene')
  }

  /** Another code has other scenes; what the reader is at stays as it is. */
  #renewTabs() {
    this.#groups.pop()?.element.replaceWith(this.#tabs())
  }

  /** Where there are no tabs, the way back from a scene that a button of another has led to. */
  #back() {
    const scene = this.#home
    const onclick = () => this.setState(withPatch(this.#state, { scene }), 'scene')
    const name = this.#t(`scene.${scene}`)
    return el('button', { type: 'button', class: 'quiet back', onclick }, `← ${name}`)
  }

  /**
   * @param {'mode' | 'scene'} field also the first part of the text keys
   * @param {readonly string[]} values
   * @param {string} className
   * @param {TextKey} label
   * @param {(value: string) => string} [hue]
   */
  #radio(field, values, className, label, hue) {
    const group = radioGroup({
      label: this.#t(label),
      className,
      name: uniqueId(field),
      values,
      describe: (value) => this.#t(`${field}.${value}`),
      hue,
      onChange: (value) => {
        this.setState(withPatch(this.#state, { [field]: value }))
        const input = this.#root.querySelector(`.${className} input:checked`)
        if (input instanceof HTMLElement) input.focus()
      },
    })
    this.#groups.push({ ...group, select: () => group.select(this.#state[field]) })
    return group.element
  }

  /** @param {Cause} [cause] of a change; none where a stage is opened or built anew */
  #sync(cause) {
    for (const group of this.#groups) group.select('')
    this.#panel?.sync(this.#state)
    this.#view?.sync(this.#state, cause)
  }

  #draw() {
    if (!this.#model || !this.#view || this.#model.scene !== this.#state.scene) return
    this.#view.draw(this.#state, this.#model)
    const said = SCENES[this.#state.scene].say(this.#t, this.#state, this.#model, this.#view.memory)
    if (!said) return
    setText(this.#parts.lead, said.lead)
    setText(this.#parts.rest, said.body + baseNote(this.#t, this.#state, SCENES[this.#state.scene]))
    this.#parts.sentence.classList.toggle('failing', said.failing)
    clearTimeout(this.#speaking)
    const { spoken } = this.#parts
    this.#speaking = setTimeout(() => setText(spoken, `${said.lead} ${said.body}`), SPOKEN_AFTER)
  }

  /** @param {TextKey} key @param {Record<string, string>} [parameters] */
  showNotice(key, parameters) {
    this.#notice = { key, parameters }
    this.#tell()
  }

  #tell() {
    const { notice } = this.#parts
    if (!notice || !this.#notice) return
    notice.hidden = false
    setText(notice, this.#t(this.#notice.key, this.#notice.parameters))
  }

  /** Whether the page has an address for this view has changed. */
  offerLink() {
    if (this.#share) this.#share.element.hidden = this.#events.address() === undefined
  }

  /** What was refused, in one line; empty when all is well again. @param {string} sentence */
  showProblem(sentence) {
    const { problem } = this.#parts
    if (!problem) return
    problem.hidden = sentence === ''
    setText(problem, sentence)
  }
}
