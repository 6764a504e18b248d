// Links that were shared open what they showed: the states are those of an earlier release.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { initialState } from '../../../web/src/state/state.js'
import { decodeState } from '../../../web/src/state/url_state.js'

const golden = new URL('../../golden/links.json', import.meta.url)
/** @type {{ links: { link: string, version?: string, shows: object }[] }} */
const { links } = JSON.parse(await readFile(golden, 'utf8'))

for (const { link, version, shows } of links) {
  test(`an old link: #${link.slice(0, 60)}`, () => {
    const opened = decodeState(link)
    assert.deepEqual({ ...opened.state }, { ...initialState(), ...shows })
    assert.equal(opened.version, version)
  })
}
