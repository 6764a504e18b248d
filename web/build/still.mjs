// The picture that stands where scripts are off or WebAssembly is refused: both codes, the wall at
// 50, the cursor at 60. Computed by the engine that was just built, so it cannot disagree with it.
import { deflateSync } from 'node:zlib'
import { pathToFileURL } from 'node:url'

const positions = 80
const tMax = 50
const dModel = 16
const cursor = 60

const cell = 10
const left = 8
const width = positions * cell
const height = 128
const tops = [28, 184]
const axisTop = 330

/** Levels on each side of zero. Zero is transparent, so that the picture suits any paper. */
const levels = 4
const low = [0x76, 0x2a, 0x83]
const high = [0x1b, 0x78, 0x37]

/**
 * @param {string} modulePath dist/posenc-lab.js
 * @returns {Promise<string>} an SVG element
 */
export async function renderStill(modulePath) {
  // The build may run twice in one process: the address must not be served from the module cache.
  const { loadEngine } = await import(`${pathToFileURL(modulePath).href}?at=${Date.now()}`)
  const engine = await loadEngine()
  const computed = engine.sinusoidal({ length: positions, dModel })
  const table = engine.createTable({ tMax, dModel })
  table.trainTowardSinusoid({ steps: 500 })
  const learned = table.values()
  table.dispose()

  const parts = [
    heatmap(tops[0], computed.data, positions, 1, 'sinusoidal', '#0067A5', ''),
    heatmap(tops[1], learned.data, tMax, 0.5, 'learned', '#B84700', '6 3'),
    missing(tops[1]),
    wall(),
    cursorLine(),
    axis(),
  ]
  return (
    `<svg viewBox="0 0 ${width + 2 * left} ${axisTop + 44}" width="${width + 2 * left}" ` +
    `height="${axisTop + 44}" aria-hidden="true" font-size="16" fill="currentColor">` +
    `${parts.join('')}</svg>`
  )
}

/** @param {number} position */
const xOf = (position) => left + position * cell

/**
 * @param {number} top
 * @param {ArrayLike<number>} data row = position
 * @param {number} rows
 * @param {number} limit the value drawn in the end colours
 * @param {string} token
 * @param {string} colour of the frame, where the page's colours are not known
 * @param {string} dash
 */
function heatmap(top, data, rows, limit, token, colour, dash) {
  const pixels = new Uint8Array(rows * dModel)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < dModel; column++) {
      const share = Math.max(-1, Math.min(1, data[row * dModel + column] / limit))
      pixels[column * rows + row] = levels + Math.round(share * levels)
    }
  }
  const address = `data:image/png;base64,${png(pixels, rows, dModel).toString('base64')}`
  const box = `x="${left}" y="${top}" width="${rows * cell}" height="${height}"`
  const stroke = `stroke="var(--${token},${colour})" stroke-width="2"`
  return (
    `<image ${box} preserveAspectRatio="none" image-rendering="pixelated" href="${address}"/>` +
    `<rect ${box} fill="none" ${stroke}${dash ? ` stroke-dasharray="${dash}"` : ''}/>`
  )
}

/** @param {number} top */
function missing(top) {
  const from = xOf(tMax)
  const to = xOf(positions)
  return (
    `<pattern id="hatch" width="8" height="8" patternUnits="userSpaceOnUse" ` +
    `patternTransform="rotate(45)"><path d="M0 0V8" stroke="currentColor" stroke-opacity=".5"/>` +
    `</pattern><rect x="${from}" y="${top}" width="${to - from}" height="${height}" ` +
    `fill="url(#hatch)" stroke="currentColor" stroke-opacity=".5" stroke-dasharray="4 4"/>`
  )
}

function wall() {
  const x = xOf(tMax)
  return (
    `<path d="M${x} 20V${axisTop}" stroke="currentColor" stroke-width="2.5"/>` +
    `<text x="${x}" y="15" text-anchor="middle" font-weight="600">T_max = ${tMax}</text>`
  )
}

function cursorLine() {
  const x = xOf(cursor) + cell / 2
  const colour = 'var(--failure,#B00020)'
  return (
    `<path d="M${x} 20V${axisTop}" stroke="${colour}" stroke-width="2.5"/>` +
    `<rect x="${xOf(cursor)}" y="${tops[1]}" width="${cell}" height="${height}" fill="none" ` +
    `stroke="${colour}" stroke-width="2"/>` +
    `<text x="${x}" y="${axisTop + 22}" text-anchor="middle" font-weight="700" ` +
    `fill="${colour}">${cursor}</text>`
  )
}

function axis() {
  let marks = ''
  for (let position = 0; position < positions; position += 10) {
    const x = xOf(position) + cell / 2
    marks += `<path d="M${x} ${axisTop - 10}v6" stroke="currentColor"/>`
    if (position !== cursor) {
      marks += `<text x="${x}" y="${axisTop + 22}" text-anchor="middle">${position}</text>`
    }
  }
  return marks
}

/**
 * A PNG with a palette from violet over nothing to green.
 * @param {Uint8Array} pixels palette indices, row by row
 * @param {number} columns
 * @param {number} rows
 */
function png(pixels, columns, rows) {
  const palette = []
  const alpha = []
  for (let level = -levels; level <= levels; level++) {
    palette.push(...(level < 0 ? low : high))
    alpha.push(Math.round((255 * Math.abs(level)) / levels))
  }
  const lines = Buffer.alloc(rows * (columns + 1))
  for (let row = 0; row < rows; row++) {
    lines.set(pixels.subarray(row * columns, (row + 1) * columns), row * (columns + 1) + 1)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(columns, 0)
  header.writeUInt32BE(rows, 4)
  header.set([8, 3, 0, 0, 0], 8) // 8 bits, palette, deflate, no filter, not interlaced
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette)),
    chunk('tRNS', Buffer.from(alpha)),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

/** @param {Uint8Array} bytes */
function crc32(bytes) {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let i = 0; i < 8; i++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
