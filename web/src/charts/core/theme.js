/**
 * What the style sheets decide, read once for the charts: colours, type, line weight.
 * Only this file and Surface in canvas.js read the DOM.
 */
import { diverging } from './colour_scale.js'

/** @import { Rgb } from './colour_scale.js' */

/**
 * @typedef {object} Theme
 * @property {string} paper
 * @property {string} panel
 * @property {string} ink
 * @property {string} muted
 * @property {string} rule
 * @property {string} sinusoidal
 * @property {string} learned
 * @property {string} rope
 * @property {string} alibi
 * @property {string} t5
 * @property {string} nope
 * @property {string} failure
 * @property {string} valueLow
 * @property {string} valueMid
 * @property {string} valueHigh
 * @property {Uint32Array} palette  511 entries, see colour_scale.js
 * @property {string} font          font families
 * @property {string} mono          families of fixed width, for error texts
 * @property {number} typeScale
 * @property {number} lineWeight
 * @property {boolean} forced       the reader's own colours are in force
 */

/** @type {Record<string, string>} */
const lightColours = {
  paper: '#fbfaf7',
  panel: '#ffffff',
  ink: '#1c1b1a',
  muted: '#5f5b55',
  rule: '#dad5cb',
  sinusoidal: '#0067a5',
  learned: '#b84700',
  rope: '#00795a',
  alibi: '#8e3b78',
  t5: '#8a6100',
  nope: '#66625c',
  failure: '#b00020',
  valueLow: '#762a83',
  valueMid: '#ffffff',
  valueHigh: '#1b7837',
}
const darkEnds = { valueLow: '#c583dd', valueHigh: '#6bcf83' }

/** With the reader's own palette, hue carries nothing: dash, marker and label tell codes apart. */
/** @type {Record<string, string>} */
const systemColours = {
  paper: 'Canvas',
  panel: 'Canvas',
  ink: 'CanvasText',
  muted: 'CanvasText',
  sinusoidal: 'LinkText',
  learned: 'CanvasText',
  rope: 'LinkText',
  alibi: 'CanvasText',
  t5: 'LinkText',
  nope: 'CanvasText',
  failure: 'Highlight',
  valueMid: 'Canvas',
}

/** @type {WeakMap<Element, { version: number, theme: Theme }>} */
let themes = new WeakMap()
let version = 0
/** @type {Set<() => void>} */
const listeners = new Set()
/** @type {(() => void) | null} */
let stopMedia = null

/**
 * The theme in force at an element. Cheap after the first call, until invalidateTheme().
 * @param {Element} element
 */
export function readTheme(element) {
  const known = themes.get(element)
  if (known && known.version === version) return known.theme
  const style = getComputedStyle(element)
  /** @param {string} name @param {string} otherwise */
  const text = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise
  /** @param {string} name */
  const factor = (name) => {
    const value = Number.parseFloat(style.getPropertyValue(name))
    return value > 0.25 && value < 8 ? value : 1
  }
  const forced = matches('(forced-colors: active)')
  /** @param {string} name */
  const colour = (name) => {
    if (forced && name === 'rule') return mix('Canvas', 'CanvasText', 0.35)
    if (forced && systemColours[name]) return toCss(parseColour(systemColours[name]))
    const property = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return text(property, lightColours[name])
  }
  const mid = parseColour(colour('valueMid'))
  const dark = luminance(mid) < 0.35
  // A forced ground may contradict the page's theme; the ends must stand out from it.
  const low = forced ? (dark ? darkEnds : lightColours).valueLow : colour('valueLow')
  const high = forced ? (dark ? darkEnds : lightColours).valueHigh : colour('valueHigh')
  /** @type {Theme} */
  const theme = {
    paper: colour('paper'),
    panel: colour('panel'),
    ink: colour('ink'),
    muted: colour('muted'),
    rule: colour('rule'),
    sinusoidal: colour('sinusoidal'),
    learned: colour('learned'),
    rope: colour('rope'),
    alibi: colour('alibi'),
    t5: colour('t5'),
    nope: colour('nope'),
    failure: colour('failure'),
    valueLow: low,
    valueMid: toCss(mid),
    valueHigh: high,
    palette: diverging(parseColour(low), mid, parseColour(high)),
    font: text('--font', 'system-ui, sans-serif'),
    mono: text('--mono', 'ui-monospace, monospace'),
    typeScale: factor('--type-scale'),
    lineWeight: factor('--line-weight'),
    forced,
  }
  themes.set(element, { version, theme })
  return theme
}

/** Call after the theme, or anything the style sheets decide, has changed: all surfaces redraw. */
export function invalidateTheme() {
  version += 1
  themes = new WeakMap()
  for (const listener of [...listeners]) listener()
}

/**
 * @param {() => void} listener
 * @returns {() => void} stops listening
 */
export function onThemeChange(listener) {
  if (listeners.size === 0) stopMedia = watchMedia()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && stopMedia) {
      stopMedia()
      stopMedia = null
    }
  }
}

function watchMedia() {
  if (typeof matchMedia !== 'function') return () => {}
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  )
  for (const query of queries) query.addEventListener('change', invalidateTheme)
  return () => {
    for (const query of queries) query.removeEventListener('change', invalidateTheme)
  }
}

/** @param {string} query */
function matches(query) {
  return typeof matchMedia === 'function' && matchMedia(query).matches
}

/**
 * @param {string} text  any CSS colour
 * @returns {Rgb}
 */
export function parseColour(text) {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text)
  if (hex) {
    const digits = hex[1].length === 3 ? hex[1].replace(/./g, '$&$&') : hex[1]
    const value = Number.parseInt(digits, 16)
    return [value >> 16, (value >> 8) & 255, value & 255]
  }
  const triple = /^rgb\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*\)$/.exec(text)
  if (triple) return [Number(triple[1]), Number(triple[2]), Number(triple[3])]
  return paintedColour(text)
}

/**
 * Other notations (system colours, oklch) are painted on one pixel and read back.
 * @param {string} text
 * @returns {Rgb}
 */
function paintedColour(text) {
  const canvas = document.createElement('canvas')
  canvas.width = 1
  canvas.height = 1
  const ctx = canvas.getContext('2d')
  if (!ctx) return [128, 128, 128]
  ctx.fillStyle = text
  ctx.fillRect(0, 0, 1, 1)
  const [red, green, blue] = ctx.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}

/**
 * @param {string} one
 * @param {string} other
 * @param {number} share  of the other
 */
function mix(one, other, share) {
  const a = parseColour(one)
  const b = parseColour(other)
  /** @param {number} i */
  const channel = (i) => Math.round(a[i] + (b[i] - a[i]) * share)
  return toCss([channel(0), channel(1), channel(2)])
}

/** @param {Rgb} rgb */
function toCss([red, green, blue]) {
  return `rgb(${red} ${green} ${blue})`
}

/** @param {Rgb} rgb */
function luminance([red, green, blue]) {
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255
}
