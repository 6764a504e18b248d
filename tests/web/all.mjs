// All tests below this folder in one process, so that they share one Chromium and one Firefox.
import { readdir } from 'node:fs/promises'

const files = await readdir(new URL('.', import.meta.url), { recursive: true })
for (const file of files.filter((name) => name.endsWith('.test.mjs')).sort()) {
  await import(`./${file}`)
}
