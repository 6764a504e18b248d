// The distribution's own browsers, for the page's tests and its bench.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @typedef {'chromium' | 'firefox'} BrowserName */

/** @type {Record<BrowserName, string[]>} */
const programs = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  firefox: ['firefox-esr', 'firefox'],
}
/** @type {Record<BrowserName, string>} */
const macPrograms = {
  chromium: '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  firefox: '/Applications/Firefox.app/Contents/MacOS/firefox',
}

/**
 * @param {BrowserName} name
 * @returns {string | undefined}
 */
export function programOf(name) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const paths = programs[name].flatMap((file) => folders.map((folder) => join(folder, file)))
  return [...paths, macPrograms[name]].find((path) => existsSync(path))
}
