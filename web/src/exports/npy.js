// NumPy's .npy format, version 1.0: what numpy.load reads as a float64 array in C order.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

/** The magic string, two bytes of version, two of the header's length. */
const PREFIX = 10
/** The data begins at a multiple of this. */
const ALIGNMENT = 64

/**
 * @param {ArrayLike<number>} data row-major
 * @param {readonly number[]} shape
 */
export function npyBytes(data, shape) {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const description = `{'descr': '<f8', 'fortran_order': False, 'shape': (${sizes}), }`
  const start = Math.ceil((PREFIX + description.length + 1) / ALIGNMENT) * ALIGNMENT
  const header = `${description.padEnd(start - PREFIX - 1)}\n`
  const bytes = new Uint8Array(start + 8 * data.length)
  const view = new DataView(bytes.buffer)
  bytes.set([0x93, ...[...'NUMPY'].map((letter) => letter.charCodeAt(0)), 1, 0])
  view.setUint16(8, header.length, true)
  for (let i = 0; i < header.length; i += 1) bytes[PREFIX + i] = header.charCodeAt(i)
  for (let i = 0; i < data.length; i += 1) view.setFloat64(start + 8 * i, data[i], true)
  return bytes
}
