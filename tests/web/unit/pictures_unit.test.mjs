// What each chart draws, kept as SVG in tests/pictures/ and made by the code that saves SVG. Texts are
// measured by their number of letters, so that no font makes a difference. After a change that is meant:
// look at the pictures, and write them with POSENC_WRITE_PICTURES=1.
import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

import { drawTableEnd } from '../../../web/src/charts/across.js'
import { drawBars } from '../../../web/src/charts/bars.js'
import { drawBits } from '../../../web/src/charts/bits.js'
import { drawColumns } from '../../../web/src/charts/columns.js'
import { drawAxisX, drawAxisY } from '../../../web/src/charts/core/axis.js'
import { diverging } from '../../../web/src/charts/core/colour_scale.js'
import { drawCorner } from '../../../web/src/charts/core/corner.js'
import { linear, logarithmic, positionScale } from '../../../web/src/charts/core/scale.js'
import { SvgContext } from '../../../web/src/charts/core/svg_context.js'
import { drawGroups } from '../../../web/src/charts/groups.js'
import { drawLegend, drawLines } from '../../../web/src/charts/line.js'
import { drawNames } from '../../../web/src/charts/names.js'
import { drawPairs } from '../../../web/src/charts/pairs.js'
import { drawPermutation } from '../../../web/src/charts/permutation.js'
import { drawPhasor } from '../../../web/src/charts/phasor.js'
import { drawPlanes } from '../../../web/src/charts/planes.js'
import { drawRibbons } from '../../../web/src/charts/ribbons.js'
import { drawRows } from '../../../web/src/charts/rows.js'
import { drawSeats, seatsHeight } from '../../../web/src/charts/seats.js'
import { drawShare } from '../../../web/src/charts/share.js'
import { drawSideBars } from '../../../web/src/charts/side_bars.js'
import { drawTurn } from '../../../web/src/charts/turn.js'
import { drawWaves } from '../../../web/src/charts/wave.js'

const [width, height] = [480, 240]
const folder = new URL('../../pictures/', import.meta.url)
const writing = process.env.POSENC_WRITE_PICTURES === '1'

/** The light theme of web/styles, by names of colours: a picture says which one it means. */
const colours = {
  ...{ paper: 'ivory', panel: 'white', ink: 'black', muted: 'grey', rule: 'gainsboro' },
  ...{ sinusoidal: 'blue', learned: 'chocolate', rope: 'green', alibi: 'purple', t5: 'olive' },
  ...{ nope: 'dimgrey', failure: 'crimson', valueLow: 'purple', valueMid: 'white' },
}
const theme = {
  ...{ ...colours, valueHigh: 'green', font: 'sans-serif', mono: 'monospace' },
  ...{ typeScale: 1, lineWeight: 1, forced: false },
  palette: diverging([118, 42, 131], [255, 255, 255], [27, 120, 55]),
}
const rect = { x: 60, y: 20, width: 400, height: 160 }
const seats = positionScale({ start: 0, end: 20, x0: rect.x, x1: rect.x + rect.width })
const across = linear([0, 20], [rect.x, rect.x + rect.width])
const upwards = linear([-1, 1], [rect.y + rect.height, rect.y])
const fromGround = linear([0, 1], [rect.y + rect.height, rect.y])
const wave = Float64Array.from({ length: 20 }, (_, i) => Math.round(100 * Math.cos(i / 2)) / 100)
const sizes = wave.map((value) => Math.abs(value))
const shared = { rect, theme, colour: theme.learned }
const digits = (/** @type {number} */ value) => value.toFixed(2)

/** @type {Record<string, (ctx: any) => void>} */
const pictures = {
  'axis-positions': (ctx) =>
    drawAxisX(ctx, { scale: seats, theme, label: 'position', y: rect.y + rect.height, rect }),
  'axis-values': (ctx) =>
    drawAxisY(ctx, { scale: upwards, theme, label: 'value', x: rect.x, grid: rect }),
  'axis-powers': (ctx) =>
    drawAxisX(ctx, {
      ...{ scale: logarithmic([1, 1e6], [rect.x, rect.x + rect.width]), theme, line: true },
      ...{ label: 'positions', y: rect.y + rect.height, grid: rect },
    }),
  bars: (ctx) =>
    drawBars(ctx, {
      ...{ ...shared, data: wave, limit: 1, cursor: 3, labels: { sine: 'sin', cosine: 'cos' } },
    }),
  'bars-and-targets': (ctx) =>
    drawBars(ctx, {
      ...{ ...shared, data: wave, limit: 1, pairs: false },
      targets: { data: wave.map((value) => -value), colour: theme.sinusoidal },
    }),
  'bars-failed': (ctx) => drawBars(ctx, { ...shared, data: null, limit: 1, failed: true }),
  bits: (ctx) => drawBits(ctx, { ...shared, value: 37, count: 6 }),
  columns: (ctx) =>
    drawColumns(ctx, {
      ...{ ...shared, xScale: seats, yScale: fromGround, data: sizes, cursor: 4 },
      before: sizes.map((value) => Math.min(1, value + 0.2)),
    }),
  corner: (ctx) =>
    drawCorner(ctx, { rect: { ...rect, width: 160 }, count: 20, trained: 12, theme }),
  groups: (ctx) =>
    drawGroups(ctx, {
      ...{ rect, theme, most: 1, colours: [theme.muted, theme.alibi], format: digits, chosen: 1 },
      groups: [
        { label: '8', values: [1, 1] },
        { label: '16', values: [0.5, 0.75] },
      ],
    }),
  lines: (ctx) =>
    drawLines(ctx, {
      ...{ rect, theme, xScale: across, yScale: upwards, zero: 0, cursor: 7, labelRoom: 60 },
      series: [
        { y: wave, colour: theme.rope, dash: 'dashed', marker: 'square', label: 'RoPE' },
        { y: wave.map((value) => value / 2), colour: theme.alibi, label: 'ALiBi', hollow: true },
        { y: Float64Array.of(0, NaN, 0.5, 1), colour: theme.t5, faint: true },
      ],
    }),
  legend: (ctx) =>
    drawLegend(ctx, {
      ...{ x: 10, y: 10, width: 200, theme },
      items: [
        { label: 'one', colour: theme.rope, dash: 'dashed', marker: 'square' },
        { label: 'another', colour: theme.alibi, hollow: true },
        { label: 'on the next line', colour: theme.t5 },
      ],
    }),
  names: (ctx) =>
    drawNames(ctx, {
      ...{ rect, theme, xScale: across, yScale: upwards },
      names: [
        { text: 'first', colour: theme.rope, x: 5, y: 0.5 },
        { text: 'upon the first', colour: theme.alibi, x: 5, y: 0.48 },
        { text: 'left', colour: theme.t5, x: 15, y: 0, left: true },
      ],
    }),
  pairs: (ctx) =>
    drawPairs(ctx, {
      ...{ width, height, theme, colour: theme.rope },
      data: {
        ...{ wavelengths: [6, 60, 600, 6000], turns: [160, 16, 1.6, 0.16], cursor: 2 },
        ...{ unseenFrom: [Infinity, Infinity, Infinity, 1000], trained: 1000, reach: 4000 },
      },
      labels: { position: 'positions', pair: 'pair', trained: 'trained', reach: 'now' },
    }),
  permutation: (ctx) =>
    drawPermutation(ctx, {
      ...{ ...shared, chosen: 1, labels: ['interleaved', 'half-split'] },
      pairs: [
        [
          [0, 1],
          [2, 3],
        ],
        [
          [0, 2],
          [1, 3],
        ],
      ],
    }),
  phasor: (ctx) =>
    drawPhasor(ctx, {
      ...{ x: 120, y: 120, radius: 80, sine: 0.6, cosine: 0.8, colour: theme.sinusoidal, theme },
      ...{ label: '0, 1', highlight: true, shadows: true, trail: [{ sine: 0, cosine: 1 }] },
    }),
  planes: (ctx) =>
    drawPlanes(ctx, {
      ...{ rect, theme, colour: theme.rope, names: ['q', 'k'] },
      planes: [
        {
          arrows: [
            { x: 0.5, y: 0.5 },
            { x: 0, y: 1 },
          ],
          ghosts: [
            { x: 0, y: 0.7 },
            { x: 1, y: 0 },
          ],
          ...{ turns: [0.8, -1.5], axes: ['0', '1'], head: 'pair 0', foot: '46°' },
        },
      ],
    }),
  ribbons: (ctx) =>
    drawRibbons(ctx, {
      ...{ y0: 40, y1: 180, theme, bounds: { x0: 0, x1: width } },
      ribbons: [
        { from: 100, to: 300, colour: theme.rope, label: 'Δ 0' },
        { from: 300, to: 100, colour: theme.alibi, dash: 'dotted', faint: true },
      ],
    }),
  rows: (ctx) =>
    drawRows(ctx, {
      ...{ ...shared, scale: linear([-2, 20], [rect.x, rect.x + rect.width]), positions: 12 },
      ...{ unused: 2, wall: true, cursor: 15 },
      labels: { inside: 'rows', beyond: 'no rows', cursor: 'your text' },
    }),
  seats: (ctx) =>
    drawSeats(ctx, {
      ...{ theme, scale: seats, tMax: 12, cursor: 15, failed: true },
      rect: { ...rect, height: seatsHeight(/** @type {any} */ (theme)) },
    }),
  share: (ctx) =>
    drawShare(ctx, {
      ...{ ...shared, share: 0.004 },
      labels: { part: 'table', whole: 'model', lens: '100×' },
    }),
  'side-bars': (ctx) => drawSideBars(ctx, { ...shared, data: wave, limit: 1, cursor: 3 }),
  'table-end': (ctx) =>
    drawTableEnd(/** @type {any} */ ({ ctx, theme }), seats, rect, {
      rows: 12,
      tMax: 10,
      label: 'no plate',
    }),
  turn: (ctx) =>
    drawTurn(ctx, {
      ...{ x: 120, y: 120, radius: 80, colour: theme.sinusoidal, theme, angle: 0.5 },
      ...{ from: { sine: 0, cosine: 1 }, to: { sine: Math.sin(0.5), cosine: Math.cos(0.5) } },
    }),
  waves: (ctx) =>
    drawWaves(ctx, {
      ...{ ...shared, scale: seats, limit: 1, cursor: 8, highlight: 1 },
      waves: [
        { values: wave, label: '0' },
        { values: wave.map((value) => -value), label: '1', dash: 'dashed' },
      ],
    }),
}

/** Six tenths of its size a letter. */
const measure = {
  font: '10px',
  measureText(/** @type {string} */ text) {
    const px = Number(/([\d.]+)px/.exec(measure.font)?.[1])
    return { width: 0.6 * px * text.length }
  },
}

/** @param {string} name */
function drawn(name) {
  const ctx = new SvgContext(/** @type {any} */ (measure))
  pictures[name]?.(ctx)
  const content = ctx.content.replace(/-?\d+\.\d+/g, (number) =>
    String(Number(Number(number).toFixed(2))),
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">\n${content}\n</svg>\n`
}

for (const name of Object.keys(pictures)) {
  test(`${name} is drawn as it was`, () => {
    const file = new URL(`${name}.svg`, folder)
    const now = drawn(name)
    assert.ok(/<(path|rect|text)/.test(now), 'something is drawn')
    if (writing) writeFileSync(file, now)
    assert.ok(existsSync(file), 'the picture was never written')
    assert.equal(now, readFileSync(file, 'utf8'))
  })
}

test('no picture is kept of what is gone', () => {
  const known = Object.keys(pictures).map((name) => `${name}.svg`)
  assert.deepEqual(readdirSync(folder).sort(), known.sort())
})
