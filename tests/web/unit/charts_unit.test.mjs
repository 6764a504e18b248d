// The arithmetic of the charts; the pictures themselves are looked at in real browsers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaAverage, binEdges } from '../../../web/src/charts/core/average.js'
import {
  diverging,
  fromOklab,
  neutralIndex,
  paletteSize,
  toOklab,
  valueIndex,
} from '../../../web/src/charts/core/colour_scale.js'
import { valueAt } from '../../../web/src/charts/line.js'
import { crisp, pixelGrid } from '../../../web/src/charts/core/paint.js'
import { phasorPlaces } from '../../../web/src/charts/phasor.js'
import { ribbonPoint } from '../../../web/src/charts/ribbons.js'
import {
  formatPower,
  formatTick,
  linear,
  logarithmic,
  positionScale,
  tickDecimals,
  ticks,
  wholeTicks,
} from '../../../web/src/charts/core/scale.js'
import { parseColour } from '../../../web/src/charts/core/theme.js'

/** @param {number} entry */
const rgb = (entry) =>
  /** @type {[number, number, number]} */ ([entry & 255, (entry >>> 8) & 255, (entry >>> 16) & 255])

test('a linear scale maps both ways, and a domain of no width maps to the middle', () => {
  const scale = linear([-1, 3], [100, 20])
  assert.equal(scale(-1), 100)
  assert.equal(scale(3), 20)
  assert.equal(scale(1), 60)
  assert.equal(scale.invert(60), 1)
  assert.equal(linear([2, 2], [0, 10])(2), 5)
  assert.equal(linear([0, 1], [5, 5]).invert(5), 0)
})

test('a logarithmic scale has decades and keeps what it cannot show at its low end', () => {
  const scale = logarithmic([0.1, 1000], [0, 400])
  assert.ok(Math.abs(scale(1) - 100) < 1e-9)
  assert.ok(Math.abs(scale.invert(200) - 10) < 1e-9)
  assert.equal(scale(0), scale(-5))
  assert.deepEqual(scale.ticks(10).map(formatPower), ['0.1', '1', '10', '100', '1000'])
  assert.ok(scale.ticks(2).length <= 3)
  assert.equal(formatPower(1e5), '10⁵')
  assert.equal(formatPower(1e-12), '10⁻¹²')
})

test('every position has its band, and every x belongs to the position under it', () => {
  const scale = positionScale({ start: 10, end: 60, x0: 33, x1: 433 })
  assert.equal(scale.count, 50)
  assert.equal(scale.band, 8)
  assert.equal(scale.left(10), 33)
  assert.equal(scale.right(59), 433)
  assert.equal(scale.centre(10), 37)
  for (let position = 10; position < 60; position++) {
    assert.equal(scale.invert(scale.centre(position)), position)
  }
  assert.equal(scale.invert(-1e9), 10)
  assert.equal(scale.invert(1e9), 59)
  assert.equal(scale.invert(NaN), 10)
  assert.equal(positionScale({ start: 0, end: 0, x0: 0, x1: 0 }).invert(4), 0)
})

test('ticks are round, inside the domain, and whole where positions are meant', () => {
  assert.deepEqual(ticks([0, 1], 5), [0, 0.2, 0.4, 0.6, 0.8, 1])
  assert.deepEqual(ticks([0, NaN], 5), [])
  assert.deepEqual(wholeTicks(0, 99, 10), [0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
  assert.deepEqual(wholeTicks(0, 3, 20), [0, 1, 2, 3])
  assert.deepEqual(wholeTicks(7, 7, 5), [7])
  for (const last of [1, 2, 15, 99, 511, 8191, 2 ** 24]) {
    for (const count of [1, 2, 5, 10]) {
      const values = wholeTicks(0, last, count)
      assert.ok(values.length >= 1 && values.length <= 2 * count + 2, `${last} ${count}`)
      assert.ok(values.every((value) => Number.isInteger(value) && value >= 0 && value <= last))
    }
  }
})

test('numbers are written with as many decimals as tell them apart', () => {
  assert.equal(tickDecimals([0, 0.25, 0.5]), 2)
  assert.equal(tickDecimals([0.1 + 0.2, 0.6]), 1)
  assert.equal(tickDecimals([]), 0)
  assert.equal(tickDecimals([0, 5, 10]), 0)
  assert.equal(tickDecimals([0, 0.002]), 3)
  assert.equal(formatTick(-0.5, 1), '−0.5')
  assert.equal(formatTick(-0, 1), '0.0')
  assert.equal(formatTick(-0.004, 1), '0.0')
  assert.equal(formatTick(16777216), '2e7')
  assert.equal(formatTick(-0.00001, 4), '−1e−5')
})

const themes = /** @type {const} */ ({
  light: ['#762a83', '#ffffff', '#1b7837'],
  dark: ['#c489e0', '#1c1e25', '#6cd080'],
  projector: ['#5e1a6b', '#ffffff', '#0d5c27'],
})
for (const [name, [low, middle, high]] of Object.entries(themes)) {
  test(`value colours, ${name}: neutral and ends to the bit, lightness falls or rises steadily`, () => {
    const palette = diverging(parseColour(low), parseColour(middle), parseColour(high))
    assert.equal(palette.length, paletteSize)
    assert.deepEqual(rgb(palette[neutralIndex]), parseColour(middle))
    assert.deepEqual(rgb(palette[0]), parseColour(low))
    assert.deepEqual(rgb(palette[paletteSize - 1]), parseColour(high))
    assert.ok(palette.every((entry) => entry >>> 24 === 255))
    const lightness = Array.from(palette, (entry) => toOklab(rgb(entry))[0])
    for (const sign of [-1, 1]) {
      const end = lightness[neutralIndex + sign * neutralIndex]
      const direction = Math.sign(end - lightness[neutralIndex])
      for (let k = 1; k <= neutralIndex; k++) {
        const step = lightness[neutralIndex + sign * k] - lightness[neutralIndex + sign * (k - 1)]
        // Eight bits a channel round a step by at most a few thousandths.
        assert.ok(step * direction > -0.004, `${name} ${sign * k}: ${step}`)
      }
      for (let k = 8; k <= neutralIndex; k++) {
        const step = lightness[neutralIndex + sign * k] - lightness[neutralIndex + sign * (k - 8)]
        assert.ok(step * direction > 0, `${name} ${sign * k}: ${step} over eight`)
      }
    }
    assert.equal(diverging(parseColour(low), parseColour(middle), parseColour(high)), palette)
  })
}

test('OKLab goes there and back for every grey and for the corners of the cube', () => {
  for (let level = 0; level < 256; level++) {
    assert.deepEqual(fromOklab(toOklab([level, level, level])), [level, level, level])
  }
  for (let corner = 0; corner < 8; corner++) {
    /** @type {[number, number, number]} */
    const colour = [(corner & 1) * 255, ((corner >> 1) & 1) * 255, (corner >> 2) * 255]
    assert.deepEqual(fromOklab(toOklab(colour)), colour)
  }
})

test('a value and its opposite are equally far from neutral, and the ends are reached and kept', () => {
  assert.equal(valueIndex(0, 1), neutralIndex)
  assert.equal(valueIndex(-0, 1), neutralIndex)
  assert.equal(valueIndex(1, 1), 2 * neutralIndex)
  assert.equal(valueIndex(-9, 1), 0)
  for (let i = 0; i <= 1000; i++) {
    const value = i / 700
    assert.equal(valueIndex(value, 1.3) - neutralIndex, neutralIndex - valueIndex(-value, 1.3))
  }
})

test('averaging keeps the mean, weighs parts of cells, and leaves out what is no number', () => {
  const data = Float64Array.from({ length: 30 }, (_, i) => Math.sin(i * 1.7))
  const same = areaAverage(data, 5, binEdges(6, 0, 1, 0, 6), binEdges(5, 0, 1, 0, 5))
  same.forEach((value, i) => assert.ok(Math.abs(value - data[i]) < 1e-7))
  for (const [n, m] of [
    [1, 1],
    [4, 3],
    [5, 2],
  ]) {
    const means = areaAverage(data, 5, binEdges(n, 0, 6 / n, 0, 6), binEdges(m, 0, 5 / m, 0, 5))
    const mean = means.reduce((sum, value) => sum + value, 0) / means.length
    const expected = data.reduce((sum, value) => sum + value, 0) / data.length
    assert.ok(Math.abs(mean - expected) < 1e-6, `${n} x ${m}`)
  }
  const thirds = areaAverage(
    Float64Array.of(1, 4, 7),
    1,
    binEdges(2, 0, 1.5, 0, 3),
    binEdges(1, 0, 1, 0, 1),
  )
  assert.deepEqual([...thirds], [2, 6])
  const gaps = Float64Array.of(NaN, 3, Infinity, NaN)
  const edges = binEdges(1, 0, 1, 0, 1)
  assert.deepEqual([...areaAverage(gaps, 1, binEdges(2, 0, 2, 0, 4), edges)], [3, NaN])
  // A single tall cell among many must leave a trace: nothing is skipped.
  const spike = new Float64Array(10000)
  spike[7777] = 1000
  const traced = areaAverage(spike, 1, binEdges(100, 0, 100, 0, 10000), edges)
  assert.equal(
    traced.findIndex((value) => value > 0),
    77,
  )
  assert.equal(traced[77], 10)
})

test('edges lie on device pixels, and lines of odd width have their middle between', () => {
  for (const ratio of [1, 1.25, 1.5, 2, 3]) {
    const ctx = /** @type {CanvasRenderingContext2D} */ (
      /** @type {unknown} */ ({ getTransform: () => ({ a: ratio, d: ratio, e: 0, f: 0 }) })
    )
    const grid = pixelGrid(ctx)
    for (let x = 0; x < 50; x += 0.37) {
      const device = grid.x(x) * ratio
      assert.ok(Math.abs(device - Math.round(device)) < 1e-9)
      assert.ok(Math.abs(grid.x(x) - x) <= 0.52 / ratio)
      for (const width of [1, 1.5, 2]) {
        const edge = crisp(x, ratio, width) * ratio - Math.max(1, Math.round(width * ratio)) / 2
        assert.ok(Math.abs(edge - Math.round(edge)) < 1e-9)
      }
    }
    assert.ok(grid.line(0.1) * ratio === 1)
  }
})

test('a series is read at the nearest point, and nowhere outside', () => {
  const y = [5, 6, NaN, 8]
  const series = { y, colour: '#000' }
  assert.equal(valueAt(series, 0.4), 5)
  assert.equal(valueAt(series, 1), 6)
  assert.ok(Number.isNaN(valueAt(series, 2)))
  assert.ok(Number.isNaN(valueAt(series, 4)))
  assert.equal(valueAt({ ...series, x: [0, 10, 20, 30] }, 28), 8)
  assert.ok(Number.isNaN(valueAt({ y: [], colour: '#000' }, 0)))
})

test('clock hands get equal circles inside their rectangle; ribbons end where they should', () => {
  const rect = { x: 10, y: 20, width: 300, height: 90 }
  const theme = /** @type {import('../../../web/src/charts/core/theme.js').Theme} */ (
    /** @type {unknown} */ ({ typeScale: 1 })
  )
  for (const count of [1, 3, 8, 64]) {
    const places = phasorPlaces({ rect, theme, label: true }, count)
    assert.equal(places.length, count)
    for (const { x, y, radius } of places) {
      assert.ok(x - radius >= rect.x && x + radius <= rect.x + rect.width)
      assert.ok(y - radius >= rect.y && y + radius <= rect.y + rect.height)
    }
  }
  assert.deepEqual(ribbonPoint({ from: 3, to: 9 }, 0, 40, 0), { x: 3, y: 0 })
  assert.deepEqual(ribbonPoint({ from: 3, to: 9 }, 0, 40, 1), { x: 9, y: 40 })
  assert.deepEqual(ribbonPoint({ from: 3, to: 9 }, 0, 40, 0.5), { x: 6, y: 20 })
})
