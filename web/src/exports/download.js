/** The browser needs the address for a moment after the click, in ms. */
const KEPT_FOR = 10000

/** Hands a file to the reader. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const href = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(href), KEPT_FOR)
}
