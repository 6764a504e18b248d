// The engine against reference values, in both builds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builds, golden, grouped, loadEngine } from './support.mjs'

for (const [name, simd] of builds) {
  const engine = await loadEngine({ simd })

  test(`${name}: sinusoidal codes at every reference position`, async () => {
    const rows = await golden('sinusoidal.csv')
    let compared = 0
    for (const group of grouped(rows, (row) => `${row.d_model} ${row.base} ${row.position}`)) {
      const [first] = group
      const options = {
        length: 1,
        dModel: Number(first?.d_model),
        base: Number(first?.base),
        start: Number(first?.position),
      }
      const { data, shape } = engine.sinusoidal(options)
      assert.deepEqual(shape, [1, options.dModel])
      assert.ok(data instanceof Float32Array)
      for (const { dim, value } of group) {
        const error = Math.abs(Number(data[Number(dim)]) - Number(value))
        assert.ok(error <= 6.1e-8, `${JSON.stringify(options)} dimension ${dim}: off by ${error}`)
        compared += 1
      }
    }
    assert.equal(compared, rows.length)
  })

  test(`${name}: dot products of rows at a distance`, async () => {
    for (const row of await golden('sinusoidal_pairs.csv')) {
      const [dModel, position, offset] = [row.d_model, row.position, row.offset].map(Number)
      const [dot] = engine.offsetProfile({
        dModel: dModel ?? 0,
        position: position ?? 0,
        offsets: [offset ?? 0],
      })
      const error = Math.abs(Number(dot) - Number(row.dot))
      assert.ok(error <= 1e-11 * Number(dModel), `${JSON.stringify(row)}: off by ${error}`)
    }
  })

  test(`${name}: cosines of rows at a distance`, async () => {
    for (const row of await golden('sinusoidal_pairs.csv')) {
      const [dModel, position, offset] = [row.d_model, row.position, row.offset].map(Number)
      const [a, b] = [Number(position), Number(position) + Number(offset)].map((start) =>
        engine.sinusoidal({ length: 1, dModel: dModel ?? 0, start }),
      )
      const data = [...(a?.data ?? []), ...(b?.data ?? [])]
      const cosines = engine.similarity({ data, shape: [2, dModel ?? 0], row: 0 })
      assert.equal(cosines[0], 1)
      // Rows in float32 are right to 6e-8 an entry, and so are their cosines.
      assert.ok(Math.abs(Number(cosines[1]) - Number(row.cosine)) <= 2e-7, JSON.stringify(row))
    }
  })

  test(`${name}: the learned table at every reference step`, async () => {
    const rows = await golden('numpy_learned_table.csv')
    const table = engine.createTable({ tMax: 50, dModel: 16 })
    let compared = 0
    for (const group of grouped(rows, (row) => row.steps ?? '')) {
      const steps = Number(group[0]?.steps)
      const before = table.info().steps
      const report = table.trainTowardSinusoid({ steps: steps - before })
      assert.equal(report.steps, steps)
      const { data, shape } = table.values()
      assert.deepEqual(shape, [50, 16])
      assert.ok(data instanceof Float64Array)
      for (const { position, dim, value } of group) {
        const [at, column] = [Number(position), Number(dim)]
        const actual = at < 0 ? report.meanSquaredError : Number(data[at * 16 + column])
        const error = Math.abs(actual - Number(value))
        // The start equals NumPy's to the last digit that is printed.
        const allowed = steps === 0 && at >= 0 ? 1e-15 : 1e-12
        assert.ok(
          error <= allowed,
          `step ${steps}, row ${position}, column ${dim}: off by ${error}`,
        )
        compared += 1
      }
    }
    assert.equal(compared, rows.length)
    table.dispose()
  })

  test(`${name}: the rotation carries a row to the one behind it`, () => {
    const { data, shape, error, rotatedDims } = engine.blockRotation({ dModel: 6, offset: 5 })
    assert.deepEqual(shape, [6, 6])
    assert.equal(rotatedDims, 6)
    assert.ok(error < 1e-14)
    const from = engine.sinusoidal({ length: 1, dModel: 6, start: 40 }).data
    const to = engine.sinusoidal({ length: 1, dModel: 6, start: 45 }).data
    for (let row = 0; row < 6; ++row) {
      const sum = from.reduce((total, x, i) => total + x * Number(data[row * 6 + i]), 0)
      assert.ok(Math.abs(sum - Number(to[row])) <= 3e-7)
    }
  })

  test(`${name}: phasors are the entries of the code, and the closest rows are found`, () => {
    const { sine, cosine, wavelength, hasLoneSine } = engine.pairPhasors({ dModel: 7, position: 9 })
    assert.equal(hasLoneSine, true)
    assert.ok(Math.abs(Number(wavelength[0]) - 2 * Math.PI) < 1e-14)
    const row = engine.sinusoidal({ length: 1, dModel: 7, start: 9 }).data
    for (let i = 0; i < 7; ++i) {
      const value = (i % 2 ? cosine : sine)[i >> 1]
      assert.ok(Math.abs(Number(value) - Number(row[i])) <= 6.1e-8)
    }
    const rows = engine.sinusoidal({ length: 50, dModel: 16 })
    const measured = engine.rowSpread(rows)
    const known = engine.sinusoidalSpread({ length: 50, dModel: 16 })
    assert.ok(Math.abs(Number(measured.closest?.distance) - Number(known.closest?.distance)) < 1e-6)
    assert.ok(measured.maximum <= 1 && measured.minimum >= -1)
  })

  test(`${name}: without codes a word's output is the same in any order, with codes it is not`, () => {
    const [dog, bites, man] = [11, 22, 33]
    const one = engine.attention({ tokens: [dog, bites, man] })
    const other = engine.attention({ tokens: [man, bites, dog] })
    assert.deepEqual(one.output.shape, [3, 16])
    assert.deepEqual(one.weights.shape, [2, 3, 3])
    assert.deepEqual(one.output.data.slice(0, 16), other.output.data.slice(32))
    const codes = engine.sinusoidal({ length: 3, dModel: 16 })
    const coded = engine.attention({ tokens: [dog, bites, man], codes })
    const turned = engine.attention({ tokens: [man, bites, dog], codes })
    assert.notDeepEqual(coded.output.data.slice(0, 16), turned.output.data.slice(32))
    assert.notDeepEqual(coded.input.data, one.input.data)
  })

  test(`${name}: symmetric ALiBi cannot tell left from right, RoPE can`, () => {
    const { data: bias } = engine.alibiBias({ heads: 2, queries: 3, keys: 3, causal: false })
    const { inverseFrequencies } = engine.ropeFrequencies({ headDim: 8 })
    /** @param {object} beside */
    const dogs = (beside) => {
      const one = engine.attention({ tokens: [11, 22, 33], ...beside })
      const mirror = engine.attention({ tokens: [33, 22, 11], ...beside })
      return [one.output.data.slice(0, 16), mirror.output.data.slice(32)]
    }
    const [left, right] = dogs({ bias })
    assert.deepEqual(left, right)
    assert.notDeepEqual(left, dogs({})[0])
    const [before, after] = dogs({ inverseFrequencies })
    assert.notDeepEqual(before, after)
  })
}
