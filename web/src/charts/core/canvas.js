/**
 * The ground every chart stands on: a canvas that keeps to its host's box and to the screen's
 * pixels, and draws at most once per animation frame.
 */
import { onThemeChange, readTheme } from './theme.js'

export { invalidateTheme, readTheme } from './theme.js'
export {
  columnFrame,
  crisp,
  fillNumber,
  hatch,
  lean,
  numberWidth,
  pixelGrid,
  plateText,
  roundRect,
  setFont,
  wallLine,
} from './paint.js'

/** @typedef {import('./theme.js').Theme} Theme */
/** @typedef {import('./paint.js').Ctx} Ctx */
/** @typedef {import('./paint.js').Rect} Rect */
/** @typedef {import('./paint.js').Grid} Grid */

/**
 * @typedef {object} Frame
 * @property {CanvasRenderingContext2D} ctx  cleared, one unit is one CSS px
 * @property {number} width   CSS px
 * @property {number} height  CSS px
 * @property {number} ratio   device pixels in a CSS px
 * @property {Theme} theme
 */

/** Above this many pixels a side, browsers refuse a canvas or draw nothing. */
const longestSide = 8192

/** @type {Set<Surface>} */
const waiting = new Set()
let request = 0

/** Of a frame, in ms: what has not been drawn by then is drawn in the next one. */
const SHARE = 10

/** @param {number | Event} reason a frame's time, or that the page is about to be printed */
function drawWaiting(reason) {
  request = 0
  const end = performance.now() + (typeof reason === 'number' ? SHARE : Infinity)
  for (const surface of [...waiting]) {
    waiting.delete(surface)
    try {
      surface.drawNow()
    } catch (error) {
      // One broken figure must not stop the others; the error still reaches the console.
      queueMicrotask(() => {
        throw error
      })
    }
    if (performance.now() > end) break
  }
  if (waiting.size > 0) request ||= requestAnimationFrame(drawWaiting)
}

// Paper waits for no frame.
globalThis.addEventListener?.('beforeprint', drawWaiting)

export class Surface {
  /** @type {HTMLElement} */
  #host
  /** @type {(frame: Frame) => void} */
  #draw
  /** @type {CanvasRenderingContext2D | null} */
  #ctx
  /** @type {ResizeObserver | null} */
  #resize = null
  /** @type {(() => void) | null} */
  #stopTheme
  /** @type {(() => void) | null} */
  #stopRatio = null
  /** Device pixels, as the browser measured them; 0 until it has. */
  #pixels = { width: 0, height: 0 }
  #destroyed = false

  /**
   * @param {HTMLElement} host  gets the canvas as a child, and `position: relative` if it is static
   *   or not yet in a document
   * @param {(frame: Frame) => void} draw  called with a cleared context whenever needed
   */
  constructor(host, draw) {
    this.#host = host
    this.#draw = draw
    this.canvas = document.createElement('canvas')
    // Out of the flow: the canvas follows its host's box and can never push it.
    Object.assign(this.canvas.style, {
      position: 'absolute',
      left: '0',
      top: '0',
      width: '100%',
      height: '100%',
      display: 'block',
    })
    if (!host.isConnected || getComputedStyle(host).position === 'static') {
      host.style.position = 'relative'
    }
    this.#ctx = this.canvas.getContext('2d')
    host.append(this.canvas)
    this.#stopTheme = onThemeChange(() => this.invalidate())
    this.#observe()
  }

  /** Ask for a redraw in the next animation frame; any number of calls make one. */
  invalidate() {
    if (this.#destroyed || this.#pixels.width === 0 || this.#pixels.height === 0) return
    waiting.add(this)
    if (request === 0) request = requestAnimationFrame(drawWaiting)
  }

  /** Removes the canvas and every observer. A second call does nothing. */
  destroy() {
    this.#destroyed = true
    waiting.delete(this)
    if (waiting.size === 0 && request !== 0) {
      cancelAnimationFrame(request)
      request = 0
    }
    this.#resize?.disconnect()
    this.#resize = null
    this.#stopTheme?.()
    this.#stopTheme = null
    this.#stopRatio?.()
    this.#stopRatio = null
    this.canvas.remove()
    // Some browsers hold the backing store until collection; an empty canvas holds none.
    this.canvas.width = 0
    this.canvas.height = 0
  }

  /** Draws at once. For the frame loop; and for saving a picture of the present state. */
  drawNow() {
    const ctx = this.#ctx
    if (this.#destroyed || !ctx) return
    const screen = window.devicePixelRatio || 1
    const { width, height } = this.#pixels
    if (width === 0 || height === 0) return
    const reduce = Math.min(1, longestSide / width, longestSide / height)
    const columns = Math.max(1, Math.floor(width * reduce))
    const rows = Math.max(1, Math.floor(height * reduce))
    const ratio = screen * reduce
    if (this.canvas.width !== columns) this.canvas.width = columns
    if (this.canvas.height !== rows) this.canvas.height = rows
    ctx.setTransform(1, 0, 0, 1, 0, 0)
    ctx.clearRect(0, 0, columns, rows)
    ctx.save()
    try {
      ctx.setTransform(ratio, 0, 0, ratio, 0, 0)
      this.#draw({
        ctx,
        width: columns / ratio,
        height: rows / ratio,
        ratio,
        theme: readTheme(this.#host),
      })
    } finally {
      ctx.restore()
    }
  }

  #observe() {
    this.#resize = new ResizeObserver((entries) => this.#measured(entries[entries.length - 1]))
    try {
      this.#resize.observe(this.canvas, { box: 'device-pixel-content-box' })
    } catch {
      this.#resize.observe(this.canvas)
    }
    this.#watchRatio()
  }

  /** @param {ResizeObserverEntry} entry */
  #measured({ contentRect, devicePixelContentBoxSize }) {
    const exact = devicePixelContentBoxSize?.[0]
    this.#size(contentRect.width, contentRect.height, exact?.inlineSize, exact?.blockSize)
  }

  /**
   * @param {number} width   CSS px
   * @param {number} height
   * @param {number} [exactWidth]  device pixels as the browser lays them out
   * @param {number} [exactHeight]
   */
  #size(width, height, exactWidth, exactHeight) {
    if (this.#destroyed) return
    const ratio = window.devicePixelRatio || 1
    this.#pixels = {
      width: nearest(width * ratio, exactWidth),
      height: nearest(height * ratio, exactHeight),
    }
    this.invalidate()
  }

  /** Moving to another screen or zooming changes the ratio without always changing the box. */
  #watchRatio() {
    const query = matchMedia(`(resolution: ${window.devicePixelRatio || 1}dppx)`)
    const changed = () => {
      // A fresh observation reports the box at once.
      this.#resize?.disconnect()
      this.#stopRatio?.()
      this.#observe()
    }
    query.addEventListener('change', changed)
    this.#stopRatio = () => query.removeEventListener('change', changed)
  }
}

/**
 * Browsers under an emulated pixel ratio report boxes of the real one; such a number is not used.
 * @param {number} expected
 * @param {number | undefined} exact
 */
function nearest(expected, exact) {
  return exact !== undefined && Math.abs(exact - expected) < 2 ? exact : Math.round(expected)
}
