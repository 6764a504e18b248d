// What the one-file page is packed with, against the packer of the build. Runs in Node.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import fc from 'fast-check'
import { lettersOf } from '../../../web/build/one_file.mjs'
import { bytesOf } from '../../../web/src/element/letters.js'
import { unlzma } from '../../../web/src/element/unlzma.js'
import { times } from '../../sampling.mjs'

const { LZMA } = createRequire(import.meta.url)('lzma/src/lzma_worker.js')

/** @param {Uint8Array} bytes @returns {Uint8Array} */
const packed = (bytes) => Uint8Array.from(LZMA.compress(new Int8Array(bytes), 9))

/** Texts with repetitions near and far, as programs have them. */
const repetitive = fc
  .array(fc.oneof(fc.string({ maxLength: 40 }), fc.constant('function position(row) { return ')), {
    maxLength: 200,
  })
  .map((parts) => new TextEncoder().encode([...parts, ...parts.slice(0, 20)].join('')))

test('what was packed comes out again, byte by byte', async () => {
  const contents = fc.oneof(fc.uint8Array({ minLength: 1, maxLength: 3000 }), repetitive)
  await fc.assert(
    fc.asyncProperty(contents, async (bytes) => {
      fc.pre(bytes.length > 0)
      assert.deepEqual(await unlzma(packed(bytes), bytes.length), new Uint8Array(bytes))
    }),
    { numRuns: times(60) },
  )
})

test('distances of more than a hundred thousand bytes', async () => {
  const block = Uint8Array.from({ length: 150000 }, (_, index) => (index * index * 31) >>> 7)
  const bytes = Uint8Array.from([...block, ...block.slice(0, 5000)])
  assert.deepEqual(await unlzma(packed(bytes), bytes.length), bytes)
})

test('a stream that ends too early is refused, an altered one comes to an end', async () => {
  const bytes = new TextEncoder().encode('a table of name plates '.repeat(50) + Math.PI)
  const stream = packed(bytes)
  await assert.rejects(unlzma(stream.slice(0, 24), bytes.length), RangeError)
  for (let index = 14; index < stream.length; index += 1) {
    const altered = Uint8Array.from(stream)
    altered[index] ^= 0x55
    const result = await unlzma(altered, bytes.length).catch((error) => error)
    assert.ok(result instanceof RangeError || result.length === bytes.length)
  }
})

test('bytes written as letters come back, and no letter is markup or space', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const text = lettersOf(bytes)
      assert.match(text, /^[!-;=-~]*$/)
      assert.deepEqual(bytesOf(text), new Uint8Array(bytes))
    }),
  )
})
