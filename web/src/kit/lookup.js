// Looking up rows of a learned table: which positions have one, and what NumPy says where there is none.

/**
 * NumPy's own words for a row that is not there.
 * @param {{ position: number, tMax: number }} error
 */
export function numpyMessage({ position, tMax }) {
  return `index ${position} is out of bounds for axis 0 with size ${tMax}`
}
