// <posenc-lab>: attributes in, events out. Loads where there is no DOM; there it defines nothing.
import { FIELDS } from './state/fields.js'
import { initialState, withField } from './state/state.js'
import { decodeState, encodeState } from './state/url_state.js'
import { Stage } from './stage.js'
import { pickLanguage, translator } from './text/text.js'
import { refusalSentence } from './ui/refusals.js'

/** @typedef {import('./state/state.js').State} State */

/** @type {Map<string, string>} */
const FIELD_BY_ATTRIBUTE = new Map()
for (const [name, { attribute }] of Object.entries(FIELDS)) {
  if (attribute) FIELD_BY_ATTRIBUTE.set(attribute, name)
}

const Base = /** @type {typeof HTMLElement} */ (
  globalThis.HTMLElement ?? class HTMLElementWithoutDom {}
)

/**
 * Attributes: `scene`, `mode`, `position`, `t-max`, `length`, `d-model`, `base`, `seed`, `lang`, `theme`,
 * `controls` (`none`, `minimal`, `full`). A refused value changes nothing, is told in one line and
 * dispatched as `posenc-error`.
 *
 * Events, all bubbling and composed: `posenc-ready` (detail `{ state }`), `posenc-change` (detail
 * `{ state }`), `posenc-error` (detail `{ code, message, details }`).
 */
export class PosencLab extends Base {
  static observedAttributes = [...FIELD_BY_ATTRIBUTE.keys()]

  /** @type {State} */
  #state = initialState()
  /** @type {Stage | undefined} */
  #stage
  /** @type {AbortController | undefined} */
  #watching
  /** What was refused before there was a place to say it. */
  #unsaid = ''

  /** The visible state; frozen. */
  get state() {
    return this.#stage?.state ?? this.#state
  }

  /** @returns {string} the fragment of a link that shows this view, without '#' */
  get link() {
    return encodeState(this.state, POSENC_VERSION ?? '')
  }

  /**
   * Shows the view of a link. Unknown keys are dropped and numbers clamped.
   * @param {string} hash
   */
  restore(hash) {
    this.#show(decodeState(hash, this.state).state)
  }

  /**
   * Sets one field, as a control would.
   * @param {string} name a field of `state`
   * @param {unknown} value
   * @returns {boolean} whether it was accepted; otherwise `posenc-error` tells why
   */
  set(name, value) {
    const result = Object.hasOwn(FIELDS, name)
      ? withField(this.state, name, value)
      : { refused: { name, value, rule: fieldNames() } }
    if ('state' in result) {
      this.#show(result.state)
      return true
    }
    const known = Object.hasOwn(FIELDS, name)
    const t = translator(this.#language())
    const message = known ? refusalSentence(t, result.refused) : t('error.field', { name })
    this.#unsaid = message
    this.#stage?.showProblem(message)
    const details = { ...result.refused, expected: message }
    this.#dispatch('posenc-error', { code: 'invalid-argument', message, details })
    return false
  }

  connectedCallback() {
    if (this.#stage) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    this.#stage = new Stage(root, {
      onChange: (state) => {
        this.#applyTheme()
        this.#dispatch('posenc-change', { state })
      },
      onReady: () => this.#dispatch('posenc-ready', { state: this.state }),
      onError: (detail) => this.#dispatch('posenc-error', detail),
    })
    this.#applyTheme()
    this.#stage.open(this.#state, this.#language())
    this.#stage.showProblem(this.#unsaid)
    this.#watch()
  }

  disconnectedCallback() {
    // An element that is moved is removed and put back in the same task: it keeps its stage.
    queueMicrotask(() => {
      if (this.isConnected || !this.#stage) return
      this.#state = this.#stage.state
      this.#watching?.abort()
      this.#stage.close()
      this.#stage = undefined
      this.shadowRoot?.replaceChildren()
    })
  }

  /**
   * @param {string} attribute
   * @param {string | null} _before
   * @param {string | null} value
   */
  attributeChangedCallback(attribute, _before, value) {
    const name = FIELD_BY_ATTRIBUTE.get(attribute)
    if (name === undefined) return
    if (name === 'lang') {
      const known = value === null || value === '' ? 'auto' : pickLanguage([value])
      this.set(name, known)
      this.#stage?.setLanguage(this.#language())
    } else {
      this.set(name, value ?? FIELDS[name].initial)
    }
  }

  /** @param {State} next */
  #show(next) {
    if (this.#stage) this.#stage.setState(next)
    else this.#state = next
    this.#stage?.setLanguage(this.#language())
  }

  #language() {
    const { lang } = this.state
    if (lang === 'en' || lang === 'zh') return lang
    const around = this.parentElement?.closest('[lang]')?.getAttribute('lang')
    return pickLanguage(around ? [around, ...navigator.languages] : navigator.languages)
  }

  #applyTheme() {
    const { theme } = this.state
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const shown = theme === 'auto' ? (dark ? 'dark' : 'light') : theme
    const { fontSize } = getComputedStyle(document.documentElement)
    const larger = (parseFloat(fontSize) || 16) / 16
    const scale = String(larger * (shown === 'projector' ? 1.25 : 1))
    if (this.dataset.theme === shown && this.style.getPropertyValue('--type-scale') === scale)
      return
    this.dataset.theme = shown
    this.style.setProperty('--type-scale', scale)
    this.#stage?.restyle()
  }

  #watch() {
    this.#watching = new AbortController()
    const { signal } = this.#watching
    const restyle = () => this.#applyTheme()
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', restyle, { signal })
    // A larger text size changes the layout, and with it the window reports a resize.
    window.addEventListener('resize', restyle, { signal })
  }

  /**
   * @param {string} type
   * @param {unknown} detail
   */
  #dispatch(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

/** @returns {import('./state/fields.js').ChoiceRule} */
function fieldNames() {
  return { type: 'choice', values: Object.keys(FIELDS) }
}

if (typeof customElements !== 'undefined' && !customElements.get('posenc-lab')) {
  customElements.define('posenc-lab', PosencLab)
}
