// Small reductions over the kernel's numbers, for scales of pictures.

/**
 * @param {ArrayLike<number>} data
 * @param {number} [least]
 * @returns {number} the largest absolute value, or `least` where that is larger; NaN is passed over
 */
export function largestAbsolute(data, least = 0) {
  let most = least
  for (let i = 0; i < data.length; i += 1) {
    const size = Math.abs(data[i])
    if (size > most) most = size
  }
  return most
}
