// A figure as a picture of its own: the same drawing with its caption above, on the theme's ground.
import { setFont } from '../charts/core/canvas.js'
import { drawValueStrip } from '../charts/heatmap.js'
import { SvgContext, escapeXml } from '../charts/core/svg_context.js'

/** @import { Theme } from '../charts/core/canvas.js' */

/**
 * @typedef {object} Sheet
 * @property {number} width of the drawing, CSS px
 * @property {number} height
 * @property {Theme} theme
 * @property {string} language BCP 47
 * @property {(frame: import('../charts/core/canvas.js').Frame) => void} draw
 * @property {string} name
 * @property {string} [note]
 * @property {string} [readout]
 * @property {string} summary
 * @property {{ low: string, high: string }} [key] of the value colours
 */

/** Pixels of the file in a CSS px. */
const SCALE = 2
const MARGIN = 16

/** @param {Theme} theme */
const captionHeight = (theme) => 30 * theme.typeScale

/** @param {Sheet} sheet in pixels of the file */
function sizeOf({ width, height, theme }) {
  return {
    columns: Math.ceil((width + 2 * MARGIN) * SCALE),
    rows: Math.ceil((height + 2 * MARGIN + captionHeight(theme)) * SCALE),
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {Sheet} sheet */
function drawSheet(ctx, { width, height, theme, draw, name, note, readout, key }) {
  ctx.scale(SCALE, SCALE)
  ctx.fillStyle = theme.panel
  ctx.fillRect(0, 0, width + 2 * MARGIN, height + 2 * MARGIN + captionHeight(theme))
  ctx.translate(MARGIN, MARGIN)
  ctx.textBaseline = 'middle'
  ctx.textAlign = 'left'
  const y = captionHeight(theme) / 2 - 4
  const px = setFont(ctx, theme, { size: 15, weight: 600 })
  let x = 0
  const write = (/** @type {string} */ text) => {
    const room = ctx.measureText(text).width
    if (x > 0 && x + room > width) return false
    ctx.fillText(text, x, y)
    x += room + px * 0.7
    return true
  }
  ctx.fillStyle = theme.ink
  write(name)
  setFont(ctx, theme)
  ctx.fillStyle = theme.muted
  if (note) write(note)
  if (key && x + 140 < width && write(key.low)) {
    const strip = { x: x - px * 0.4, y: y - 5, width: 64, height: 10 }
    drawValueStrip(ctx, { rect: strip, theme })
    x = strip.x + strip.width + px * 0.3
    ctx.fillStyle = theme.muted
    write(key.high)
  }
  if (readout) write(readout)
  ctx.translate(0, captionHeight(theme))
  ctx.save()
  draw({ ctx, width, height, ratio: SCALE, theme })
  ctx.restore()
}

/** @param {Sheet} sheet @returns {Promise<Blob>} */
export async function pngBlob(sheet) {
  const canvas = document.createElement('canvas')
  const { columns, rows } = sizeOf(sheet)
  canvas.width = columns
  canvas.height = rows
  const ctx = canvas.getContext('2d')
  if (ctx) drawSheet(ctx, sheet)
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('no picture')
  return blob
}

/**
 * @param {Sheet} sheet
 * @returns {string} a file of its own
 */
export function svgText(sheet) {
  const measure = document.createElement('canvas').getContext('2d')
  if (!measure) throw new Error('no canvas')
  const ctx = new SvgContext(measure)
  drawSheet(/** @type {any} */ (ctx), sheet)
  const { columns, rows } = sizeOf(sheet)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" lang="${sheet.language}" role="img" ` +
    `width="${columns / SCALE}" height="${rows / SCALE}" viewBox="0 0 ${columns} ${rows}">` +
    `<title>${escapeXml(sheet.name)}</title><desc>${escapeXml(sheet.summary)}</desc>\n` +
    `${ctx.content}\n</svg>\n`
  )
}
