// Elements from data. Text only ever arrives as text nodes.
import { html } from 'lit-html'

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [properties] `class`, `for`, `role`, `aria-*` and `data-*` as attributes,
 *   `on*` as listeners, anything else as a property
 * @param {...Child} children
 */
export function el(tag, properties = {}, ...children) {
  const node = document.createElement(tag)
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue
    if (name.startsWith('on')) {
      node.addEventListener(name.slice(2), /** @type {EventListener} */ (value))
    } else if (/^(class|for|role|scope|lang|aria-.*|data-.*)$/.test(name)) {
      node.setAttribute(name, value === true ? '' : String(value))
    } else {
      Object.assign(node, { [name]: value })
    }
  }
  for (const child of children) {
    if (child) node.append(...(typeof child === 'string' ? marked(child) : [child]))
  }
  return node
}

/** Every second part is a subscript: T_max. Sentences that a space joins have none in Chinese. */
const parts = (/** @type {string} */ text) => text.replace(/([。；]) /g, '$1').split(/_(max)\b/)

/** @param {string} text @returns {(Node | string)[]} */
export const marked = (text) => parts(text).map((part, i) => (i % 2 ? el('sub', {}, part) : part))

/** The same in a template. @param {string} text */
export const subscripts = (text) =>
  parts(text).map((part, i) => (i % 2 ? html`<sub>${part}</sub>` : part))

/**
 * Replaces the text of a node only where it differs, so that nothing is announced twice.
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== parts(text).join('')) node.replaceChildren(...marked(text))
}

let lastId = 0

/**
 * @param {string} stem
 * @returns {string} an id that no other element of any stage has
 */
export function uniqueId(stem) {
  lastId += 1
  return `${stem}-${lastId}`
}

/**
 * Style sheets of a shadow root: adopted, because a content policy without 'unsafe-inline' forbids
 * style elements but not these.
 * @param {ShadowRoot} root
 * @param {readonly string[]} sheets
 * @returns {HTMLStyleElement[]} what has to stand in the root, where nothing can be adopted
 */
export function adoptStyles(root, sheets) {
  if ('adoptedStyleSheets' in root && 'replaceSync' in CSSStyleSheet.prototype) {
    root.adoptedStyleSheets = sheets.map((text) => {
      let sheet = adopted.get(text)
      if (!sheet) {
        sheet = new CSSStyleSheet()
        sheet.replaceSync(text)
        adopted.set(text, sheet)
      }
      return sheet
    })
    return []
  }
  // Safari before 16.4 has no constructable sheets.
  return sheets.map((text) => el('style', { textContent: text }))
}

/** @type {Map<string, CSSStyleSheet>} */
const adopted = new Map()
