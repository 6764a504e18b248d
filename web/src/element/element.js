// <posenc-lab>: attributes in, events out. Loads where there is no DOM; there it defines nothing.
import { Address } from './address.js'
import { FIELDS } from '../state/fields.js'
import { STARTED, initialState, startOf, withField } from '../state/state.js'
import { decodeState, encodeState, otherVersion } from '../state/url_state.js'
import { Stage } from './stage.js'
import { pickLanguage, translator } from '../text/text.js'
import { refusalError } from '../kit/refusals.js'

/** @import { State } from '../state/state.js' */

/** @type {Map<string, string>} */
const FIELD_BY_ATTRIBUTE = new Map()
for (const [name, { attribute }] of Object.entries(FIELDS)) {
  if (attribute) FIELD_BY_ATTRIBUTE.set(attribute, name)
}

const Base = /** @type {typeof HTMLElement} */ (
  globalThis.HTMLElement ?? class HTMLElementWithoutDom {}
)

/** Started when it is this near to the screen: computed before it is seen. */
const NEAR = '1000px'

/**
 * Attributes:
 * - `scene`, `mode`, `position`, `t-max`, `length`, `d-model`, `base`, `seed`: what is shown
 * - `lang` (`zh` of any region, `en`, which any other language reads as well; by default that of the
 *   page around), `theme` (`auto`, `light`, `dark`, `projector`)
 * - `controls`: `full` is everything; `minimal` the figure with its own cursor and the switch between
 *   the codes; `none` the picture and its sentence, moved by attributes alone
 * - `sync-url`: the page's address follows the element, and the element the address; with the value
 *   `read` it only follows. One element of a page owns the address, the first that asks
 * - `loading="lazy"`: nothing is computed before the element is near the screen
 *
 * A refused value changes nothing, is told in one line and dispatched as `posenc-error`.
 *
 * Events, all bubbling and composed: `posenc-ready` (detail `{ state }`), `posenc-change` (detail
 * `{ state }`), `posenc-error` (detail `{ code, message, details }`).
 */
export class PosencLab extends Base {
  static observedAttributes = [...FIELD_BY_ATTRIBUTE.keys(), 'sync-url']

  /** @type {State} */
  #state = initialState()
  /** @type {Stage | undefined} */
  #stage
  /** @type {AbortController | undefined} */
  #watching
  /** @type {Address | undefined} */
  #address
  /** The wish that was applied last. */
  #theme = ''
  /** What was refused before there was a place to say it. */
  #unsaid = ''
  /** Of another release, in the link that was opened. */
  #linkVersion = ''

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
    this.#open(hash, false)
  }

  /**
   * @param {string} hash
   * @param {boolean} ownEntry of this page's history: the reader's language and theme stay as they are
   */
  #open(hash, ownEntry) {
    const { lang, theme } = this.state
    const { state, version } = decodeState(hash, this.state)
    const here = POSENC_VERSION ?? ''
    this.#linkVersion = !ownEntry && version && otherVersion(version, here) ? version : ''
    this.#show(ownEntry ? Object.freeze({ ...state, lang, theme }) : state, 'link')
    this.#tellVersion()
  }

  #tellVersion() {
    if (!this.#linkVersion) return
    // A link is somebody else's text: only what a version can hold is repeated.
    const version = this.#linkVersion.replace(/[^\w.+-]/g, '').slice(0, 24) || '?'
    this.#stage?.showNotice('notice.version', { version, here: POSENC_VERSION ?? '' })
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
    const error = refusalError(t, result.refused)
    if (!known) error.message = t('error.field', { name })
    if (this.#stage) this.#stage.showProblem(error.message)
    else this.#unsaid = error.message
    this.#dispatch('posenc-error', error)
    return false
  }

  connectedCallback() {
    if (this.#watching) return
    this.#applyTheme()
    this.#watch()
    this.#follow()
    if (this.getAttribute('loading') === 'lazy' && 'IntersectionObserver' in window) this.#wait()
    // In a task of its own: whoever defines or adds the element is not held up.
    else setTimeout(() => this.#startOnce())
  }

  disconnectedCallback() {
    // An element that is moved is removed and put back in the same task: it keeps its stage.
    queueMicrotask(() => {
      if (this.isConnected || !this.#watching) return
      this.#watching.abort()
      this.#watching = undefined
      this.#follow()
      if (!this.#stage) return
      this.#state = this.#stage.state
      this.#stage.close()
      this.#stage = undefined
      this.shadowRoot?.replaceChildren()
    })
  }

  #wait() {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return
        observer.disconnect()
        this.#startOnce()
      },
      { rootMargin: NEAR },
    )
    observer.observe(this)
    this.#watching?.signal.addEventListener('abort', () => observer.disconnect())
  }

  #startOnce() {
    if (this.#watching && !this.#stage) this.#start()
  }

  #start() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' })
    // Of the state that the attributes gave: the stage has none of its own yet.
    const language = this.#language()
    this.#stage = new Stage(root, {
      onChange: (state, cause) => {
        // Not at every change: asking for the text size makes the browser lay out the page at once.
        if (state.theme !== this.#theme) this.#applyTheme()
        this.#dispatch('posenc-change', { state })
        this.#address?.changed(cause === 'scene' || cause === 'preset')
      },
      onReady: () => this.#dispatch('posenc-ready', { state: this.state }),
      onError: (detail) => this.#dispatch('posenc-error', detail),
      address: () => this.#linkAddress(),
    })
    this.#stage.open(this.#state, language)
    if (this.#unsaid) this.#stage.showProblem(this.#unsaid)
    this.#unsaid = ''
    this.#tellVersion()
  }

  /** Asks for the page's address, or gives it back. */
  #follow() {
    const value = this.#watching ? this.getAttribute('sync-url') : null
    this.#address?.release()
    this.#address = undefined
    if (value !== null) {
      const show = (/** @type {string} */ hash, /** @type {boolean} */ ownEntry) =>
        this.#open(hash, ownEntry)
      this.#address = new Address({ link: () => this.link, show }, value !== 'read')
    }
    this.#stage?.offerLink()
  }

  /** @returns {string | undefined} the address that shows this view, where the page has one */
  #linkAddress() {
    if (!this.#address || !/^(https?|file):$/.test(location.protocol)) return undefined
    return `${location.href.split('#')[0]}#${this.link}`
  }

  /** @param {string} attribute @param {string | null} before @param {string | null} value */
  attributeChangedCallback(attribute, before, value) {
    if (attribute === 'sync-url') {
      if (before !== value && this.#watching) this.#follow()
      return
    }
    const name = FIELD_BY_ATTRIBUTE.get(attribute)
    if (name === undefined) return
    if (name === 'lang') {
      const known = value === null || value === '' ? 'auto' : pickLanguage([value])
      this.set(name, known)
      this.#stage?.setLanguage(this.#language())
    } else {
      const from = this.state
      this.set(name, value ?? startOf(this.state.scene)[/** @type {keyof State} */ (name)])
      if (name === 'scene') this.#keepNamed(from)
    }
  }

  /**
   * Another scene begins anew, but for what the attributes name.
   * @param {State} from the state before
   */
  #keepNamed(from) {
    for (const name of STARTED) {
      const value = this.getAttribute(name)
      if (value !== null && this.state[name] !== from[name]) this.set(name, value)
    }
  }

  /** @param {State} next @param {import('./stage.js').Cause} [cause] */
  #show(next, cause) {
    if (this.#stage) this.#stage.setState(next, cause)
    else {
      this.#state = next
      if (this.#watching) this.#applyTheme()
    }
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
    this.#theme = theme
    const dark = matchMedia('(prefers-color-scheme: dark)').matches
    const shown = theme === 'auto' ? (dark ? 'dark' : 'light') : theme
    const scale = String(textScale() * (shown === 'projector' ? 1.25 : 1))
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

  /** @param {string} type @param {unknown} detail */
  #dispatch(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
  }
}

/** @type {number | undefined} */
let measured

/** The page's text over the usual 16 px: asked once a task, because the answer takes all its styles. */
function textScale() {
  if (measured === undefined) {
    measured = (parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16
    setTimeout(() => {
      measured = undefined
    })
  }
  return measured
}

/** @returns {import('../state/fields.js').ChoiceRule} */
function fieldNames() {
  return { type: 'choice', values: Object.keys(FIELDS) }
}

if (typeof customElements !== 'undefined' && !customElements.get('posenc-lab')) {
  customElements.define('posenc-lab', PosencLab)
}
