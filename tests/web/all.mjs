// All tests below this folder that open pages, in one process a browser, because a browser takes
// seconds to start. POSENC_BROWSERS says which; without it, one of each.
import { readFile, readdir } from 'node:fs/promises'

/**
 * What Firefox runs: all that stands on the browser itself. What a scene computes, says and draws is
 * the same code on the same numbers, which Chromium checks; in Firefox the smoke test opens every scene,
 * kit.test drags, beyond.test goes by keyboard, training.test plays. Of the lab, its workers and files.
 */
const inFirefox = /^(page\/|lab\/(length|race)\.|scenes\/(kit|compare|beyond|training)\.)/

const here = new URL('.', import.meta.url)
const firefoxAlone = process.env.POSENC_BROWSERS === 'firefox'
for (const file of (await readdir(here, { recursive: true })).sort()) {
  if (!file.endsWith('.test.mjs') || (firefoxAlone && !inFirefox.test(file))) continue
  const text = await readFile(new URL(file, here), 'utf8')
  if (text.includes('inBrowsers(')) await import(`./${file}`)
}
