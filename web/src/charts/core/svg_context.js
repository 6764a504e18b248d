/**
 * A context that records what a chart draws as SVG: the part of CanvasRenderingContext2D that the
 * charts use. Scales are the same in x and y, as in every chart.
 */

/** @typedef {[number, number, number, number, number, number]} Matrix */

/** What save() keeps besides the transform, the dash and the clip. */
const kept = /** @type {const} */ ([
  'fillStyle',
  'strokeStyle',
  'lineWidth',
  'lineCap',
  'lineJoin',
  'globalAlpha',
  'font',
  'textAlign',
  'textBaseline',
  'lineDashOffset',
])

const anchors = /** @type {Record<string, string>} */ ({
  center: 'middle',
  right: 'end',
  end: 'end',
})
/** Where a browser does not tell its font's box: shares of the size between a baseline and the letters'. */
const drops = /** @type {Record<string, number>} */ ({ middle: 0.35, top: 0.8, bottom: -0.2 })

export class SvgContext {
  /** @type {string[]} */
  #parts = []
  /** @type {string[]} */
  #clips = []
  /** @type {(() => void)[]} */
  #stack = []
  /** @type {Matrix} */
  #matrix = [1, 0, 0, 1, 0, 0]
  /** @type {number[]} */
  #dash = []
  #clip = ''
  /** Of the first text, and so of nearly all. */
  #family = ''
  #path = ''
  /** The pen, in user units: arcTo needs it. */
  #at = { x: 0, y: 0 }
  #measure
  fillStyle = '#000000'
  strokeStyle = '#000000'
  lineWidth = 1
  lineCap = 'butt'
  lineJoin = 'miter'
  globalAlpha = 1
  font = '10px sans-serif'
  textAlign = 'start'
  textBaseline = 'alphabetic'
  lineDashOffset = 0
  /** Charts set it; an embedded picture is never smoothed. */
  imageSmoothingEnabled = false

  /** @param {CanvasRenderingContext2D} measure  measures texts */
  constructor(measure) {
    this.#measure = measure
  }

  /** @returns {string} the elements drawn so far */
  get content() {
    const defs = this.#clips.length > 0 ? `<defs>${this.#clips.join('')}</defs>` : ''
    return `${defs}<g font-family="${escapeXml(this.#family)}">${this.#parts.join('\n')}</g>`
  }

  save() {
    const [matrix, dash, clip] = [this.#matrix, this.#dash, this.#clip]
    const values = Object.fromEntries(kept.map((name) => [name, this[name]]))
    this.#stack.push(() => {
      Object.assign(this, values)
      this.#matrix = matrix
      this.#dash = dash
      this.#clip = clip
    })
  }

  restore() {
    this.#stack.pop()?.()
  }

  getTransform() {
    const [a, b, c, d, e, f] = this.#matrix
    return { a, b, c, d, e, f }
  }

  /** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} e @param {number} f */
  transform(a, b, c, d, e, f) {
    const [m0, m1, m2, m3, m4, m5] = this.#matrix
    this.#matrix = [
      m0 * a + m2 * b,
      m1 * a + m3 * b,
      m0 * c + m2 * d,
      m1 * c + m3 * d,
      m0 * e + m2 * f + m4,
      m1 * e + m3 * f + m5,
    ]
  }

  /** @param {number} x @param {number} y */
  translate(x, y) {
    this.transform(1, 0, 0, 1, x, y)
  }

  /** @param {number} x @param {number} y */
  scale(x, y) {
    this.transform(x, 0, 0, y, 0, 0)
  }

  /** @param {number} angle */
  rotate(angle) {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    this.transform(cos, sin, -sin, cos, 0, 0)
  }

  beginPath() {
    this.#path = ''
  }

  closePath() {
    this.#path += 'Z'
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.#to('M', x, y)
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.#to(this.#path === '' ? 'M' : 'L', x, y)
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} x @param {number} y */
  bezierCurveTo(x1, y1, x2, y2, x, y) {
    if (this.#path === '') this.moveTo(x1, y1)
    this.#path += `C${this.#point(x1, y1)} ${this.#point(x2, y2)} ${this.#point(x, y)}`
    this.#at = { x, y }
  }

  /** @param {number} x1 @param {number} y1 @param {number} x @param {number} y */
  quadraticCurveTo(x1, y1, x, y) {
    if (this.#path === '') this.moveTo(x1, y1)
    this.#path += `Q${this.#point(x1, y1)} ${this.#point(x, y)}`
    this.#at = { x, y }
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  rect(x, y, width, height) {
    this.moveTo(x, y)
    this.lineTo(x + width, y)
    this.lineTo(x + width, y + height)
    this.lineTo(x, y + height)
    this.closePath()
  }

  /** @param {number} x @param {number} y @param {number} radius @param {number} from @param {number} to @param {boolean} [back] */
  arc(x, y, radius, from, to, back = false) {
    let sweep = to - from
    const turn = 2 * Math.PI
    if (Math.abs(sweep) >= turn) sweep = back ? -turn : turn
    else if (back ? sweep > 0 : sweep < 0) sweep += back ? -turn : turn
    const at = (/** @type {number} */ angle) =>
      /** @type {const} */ ([x + radius * Math.cos(angle), y + radius * Math.sin(angle)])
    this.lineTo(...at(from))
    // An arc of SVG cannot be a whole circle.
    for (const share of [0.5, 1]) this.#arc(radius, sweep > 0, ...at(from + sweep * share))
  }

  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 @param {number} radius */
  arcTo(x1, y1, x2, y2, radius) {
    const inX = this.#at.x - x1
    const inY = this.#at.y - y1
    const outX = x2 - x1
    const outY = y2 - y1
    const inLength = Math.hypot(inX, inY)
    const outLength = Math.hypot(outX, outY)
    const cross = inX * outY - inY * outX
    if (
      radius === 0 ||
      Math.abs(cross) < 1e-9 * inLength * outLength ||
      inLength * outLength === 0
    ) {
      this.lineTo(x1, y1)
      return
    }
    const angle = Math.acos((inX * outX + inY * outY) / (inLength * outLength))
    const reach = radius / Math.tan(angle / 2)
    this.lineTo(x1 + (inX / inLength) * reach, y1 + (inY / inLength) * reach)
    this.#arc(radius, cross < 0, x1 + (outX / outLength) * reach, y1 + (outY / outLength) * reach)
  }

  fill() {
    this.#emit(`<path d="${this.#path}" fill="${this.#colour(this.fillStyle)}"`)
  }

  stroke() {
    this.#stroke(this.#path)
  }

  /** @param {string} [rule] */
  clip(rule) {
    const id = `clip${this.#clips.length}`
    const inside = this.#clip ? ` clip-path="url(#${this.#clip})"` : ''
    const how = rule === 'evenodd' ? ' clip-rule="evenodd"' : ''
    this.#clips.push(`<clipPath id="${id}"${inside}><path d="${this.#path}"${how}/></clipPath>`)
    this.#clip = id
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    const d = this.#rectPath(x, y, width, height)
    // Neighbours would show the ground between their softened edges.
    const crisp = 'shape-rendering="crispEdges"'
    this.#emit(`<path d="${d}" ${crisp} fill="${this.#colour(this.fillStyle)}"`)
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.#stroke(this.#rectPath(x, y, width, height))
  }

  /** A new picture is empty. */
  clearRect() {}

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.#dash = [...dash]
  }

  /** @param {string} text */
  measureText(text) {
    this.#measure.font = this.font
    return this.#measure.measureText(text)
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    const { font, fillStyle, textAlign } = this
    const [, style = '', weight = '400', size = '10', family = ''] =
      /^(italic )?(\w+)? ?([\d.]+)px (.*)$/.exec(font) ?? []
    const [a, b, c, d] = this.#matrix
    const [e, f] = this.#place(x, y + this.#drop(Number(size)))
    this.#family ||= family
    const anchor = anchors[textAlign] ? ` text-anchor="${anchors[textAlign]}"` : ''
    this.#emit(
      `<text transform="matrix(${[a, b, c, d, e, f].map(short).join(' ')})" ` +
        (family === this.#family ? '' : `font-family="${escapeXml(family)}" `) +
        `font-size="${short(Number(size))}"` +
        (weight === '400' || weight === 'normal' ? '' : ` font-weight="${weight}"`) +
        (style ? ' font-style="italic"' : '') +
        `${anchor} xml:space="preserve" fill="${this.#colour(fillStyle)}"`,
      `>${escapeXml(text)}</text>`,
    )
  }

  /** @param {HTMLCanvasElement | OffscreenCanvas} source @param {number} x @param {number} y @param {number} width @param {number} height */
  drawImage(source, x, y, width, height) {
    const copy = document.createElement('canvas')
    copy.width = source.width
    copy.height = source.height
    copy.getContext('2d')?.drawImage(source, 0, 0)
    const [x0, y0] = this.#place(x, y)
    const size = `width="${short(width * this.#zoom())}" height="${short(height * this.#zoom())}"`
    this.#emit(
      `<image x="${short(x0)}" y="${short(y0)}" ${size} preserveAspectRatio="none" ` +
        `image-rendering="pixelated" href="${copy.toDataURL('image/png')}"`,
    )
  }

  /** @param {string} start @param {string} [end] */
  #emit(start, end = '/>') {
    const { globalAlpha } = this
    const clipId = this.#clip
    const alpha = globalAlpha < 1 ? ` opacity="${short(globalAlpha)}"` : ''
    const text = `${start}${alpha}${end}`
    // Around the element, whose own transform would move the clip with it.
    this.#parts.push(clipId ? `<g clip-path="url(#${clipId})">${text}</g>` : text)
  }

  /** @param {string} d */
  #stroke(d) {
    const { strokeStyle, lineWidth, lineCap, lineJoin, lineDashOffset } = this
    const dash = this.#dash
    const zoom = this.#zoom()
    const scaled = (/** @type {number} */ length) => short(length * zoom)
    this.#emit(
      `<path d="${d}" fill="none" stroke="${this.#colour(strokeStyle)}" stroke-width="${scaled(lineWidth)}"` +
        (lineCap === 'butt' ? '' : ` stroke-linecap="${lineCap}"`) +
        (lineJoin === 'miter' ? '' : ` stroke-linejoin="${lineJoin}"`) +
        (dash.length === 0 ? '' : ` stroke-dasharray="${dash.map(scaled).join(' ')}"`) +
        (lineDashOffset === 0 ? '' : ` stroke-dashoffset="${scaled(lineDashOffset)}"`),
    )
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  #rectPath(x, y, width, height) {
    const corners = [this.#point(x + width, y), this.#point(x + width, y + height)]
    return `M${this.#point(x, y)}L${corners.join('L')}L${this.#point(x, y + height)}Z`
  }

  /** @param {string} command @param {number} x @param {number} y */
  #to(command, x, y) {
    this.#path += command + this.#point(x, y)
    this.#at = { x, y }
  }

  /** @param {number} radius @param {boolean} clockwise @param {number} x @param {number} y */
  #arc(radius, clockwise, x, y) {
    const r = short(radius * this.#zoom())
    this.#path += `A${r} ${r} 0 0 ${clockwise ? 1 : 0} ${this.#point(x, y)}`
    this.#at = { x, y }
  }

  /** From the baseline that the text is set on to the one that SVG sets it on. @param {number} size */
  #drop(size) {
    const { textBaseline, font } = this
    if (textBaseline === 'alphabetic') return 0
    this.#measure.font = font
    const ascent = (/** @type {string} */ baseline) => {
      this.#measure.textBaseline = /** @type {CanvasTextBaseline} */ (baseline)
      return this.#measure.measureText('x').fontBoundingBoxAscent
    }
    const drop = ascent('alphabetic') - ascent(textBaseline)
    return Number.isFinite(drop) ? drop : (drops[textBaseline] ?? 0) * size
  }

  #zoom() {
    const [a, b] = this.#matrix
    return Math.hypot(a, b)
  }

  /** @param {number} x @param {number} y @returns {[number, number]} */
  #place(x, y) {
    const [a, b, c, d, e, f] = this.#matrix
    return [a * x + c * y + e, b * x + d * y + f]
  }

  /** @param {number} x @param {number} y */
  #point(x, y) {
    return this.#place(x, y).map(short).join(' ')
  }

  /** Programs that draw SVG know the older ways to write a colour. @param {string} colour */
  #colour(colour) {
    const triple = /^rgb\((\d+) (\d+) (\d+)\)$/.exec(colour)
    return triple ? `rgb(${triple.slice(1).join(',')})` : escapeXml(colour)
  }
}

/** @param {number} value  hundredths of a pixel are enough */
function short(value) {
  return String(Math.round(value * 100) / 100)
}

/** @param {string} text */
export function escapeXml(text) {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
}
