// Figures as files: PNG, SVG, CSV and .npy, read back.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { csvParts } from '../../../web/src/exports/csv.js'
import { npyBytes } from '../../../web/src/exports/npy.js'
import { hostPage, inBrowsers, siteOrigin } from '../harness.mjs'
import { SCENES, exampleTable, kernel, openLab, ready, sentenceBecomes } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

test('.npy: the bytes that the format asks for', () => {
  // By hand from the format: magic, version 1.0, the header's length 118 = 128 - 10, the header
  // padded with spaces to a multiple of 64 and ended by a line break, then little-endian doubles.
  const bytes = npyBytes([1, -0.5], [2])
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }"
  assert.deepEqual([...bytes.subarray(0, 10)], [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0])
  assert.equal(Buffer.from(bytes.subarray(10, 128)).toString('latin1'), `${header.padEnd(117)}\n`)
  assert.deepEqual(
    [...bytes.subarray(128)],
    [0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0, 0, 0, 0, 0, 0, 0xe0, 0xbf],
  )
  for (const shape of [
    [0, 16],
    [2048, 128],
    [1, 2, 3, 4],
  ]) {
    const size = shape.reduce((product, n) => product * n)
    const file = npyBytes(new Float64Array(size), shape)
    assert.equal((file.length - 8 * size) % 64, 0)
    const text = Buffer.from(file.subarray(10, file.length - 8 * size)).toString('latin1')
    assert.ok(text.includes(`'shape': (${shape.join(', ')}), }`))
  }
})

const python = ['python3', '/usr/bin/python3', 'python'].find((program) => {
  try {
    execFileSync(program, ['-c', 'import numpy'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

test(
  '.npy: NumPy reads it back',
  { skip: python ? false : 'no Python with NumPy was found (Debian: python3-numpy)' },
  () => {
    const data = [0.1, -1e300, 5e-324, NaN, Infinity, -0]
    const script = `
import io, sys, numpy as np
a = np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False)
print(a.dtype, a.flags["C_CONTIGUOUS"], a.shape, [float(x).hex() for x in a.ravel()])`
    const output = execFileSync(/** @type {string} */ (python), ['-c', script], {
      input: npyBytes(data, [2, 3]),
      encoding: 'utf8',
    })
    assert.equal(
      output.trim(),
      "float64 True (2, 3) ['0x1.999999999999ap-4', '-0x1.7e43c8800759cp+996', " +
        "'0x0.0000000000001p-1022', 'nan', 'inf', '-0x0.0p+0']",
    )
  },
)

test('CSV: full precision, quotes, no formulas', async () => {
  const parts = await csvParts([
    ['a, b', 'say "1"', '=1+1'],
    [3, { value: 0.1 + 0.2, text: '0.3000' }, '\u22120.5'],
    ['–', '-x', { value: NaN, text: 'NaN' }],
  ])
  assert.equal(
    parts.join(''),
    '\ufeff"a, b","say ""1""",\'=1+1\r\n3,0.30000000000000004,-0.5\r\n,\'-x,NaN\r\n',
  )
})

/**
 * Keeps what the page hands to the browser: drivers of Firefox report no downloads.
 * @param {Page} page
 */
const keepFiles = (page) =>
  page.addInitScript(() => {
    /** @type {Map<string, Blob>} */
    const blobs = new Map()
    /** @type {{ name: string, blob: Blob | undefined }[]} */
    const files = []
    Object.assign(window, { files_: files })
    const { createObjectURL } = URL
    URL.createObjectURL = (/** @type {any} */ blob) => {
      const address = createObjectURL.call(URL, blob)
      blobs.set(address, blob)
      return address
    }
    const { click } = HTMLAnchorElement.prototype
    HTMLAnchorElement.prototype.click = function keep() {
      files.push({ name: this.download, blob: blobs.get(this.href) })
      click.call(this)
    }
  })

/**
 * The last file that the page saved after `action`.
 * @param {Page} page
 * @param {() => Promise<unknown>} action
 */
async function fileAfter(page, action) {
  await page.evaluate(() => {
    ;/** @type {any} */ (window).files_.length = 0
  })
  await action()
  await page.waitForFunction(() => /** @type {any} */ (window).files_.length > 0)
  const { name, bytes } = await page.evaluate(async () => {
    const [file] = /** @type {any} */ (window).files_
    return { name: file.name, bytes: [...new Uint8Array(await file.blob.arrayBuffer())] }
  })
  return { name, content: Buffer.from(bytes) }
}

/**
 * @param {Page} page
 * @param {string} figure a class of the figure
 * @param {string} kind
 */
async function saved(page, figure, kind) {
  await page.locator(`#lab .${figure} .save summary`).click()
  const button = page.locator(`#lab .${figure} .save [data-save=${kind}]`)
  const { name, content } = await fileAfter(page, () => button.click())
  assert.equal(name, `posenc-beyond-${figure}.${kind}`)
  return content
}

inBrowsers(
  'the browser really downloads',
  async ({ visit }) => {
    const { page } = await openLab(visit, '', { acceptDownloads: true })
    await page.locator('#lab .map-learned .save summary').click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#lab .map-learned .save [data-save=csv]').click(),
    ])
    assert.equal(file.suggestedFilename(), 'posenc-beyond-map-learned.csv')
    assert.match(await readFile(await file.path(), 'utf8'), /^\ufeffposition,dimension 0,/)
  },
  { only: 'chromium' },
)

inBrowsers('the matrix and the numbers of a figure are the kernel’s', async ({ visit }) => {
  const { page, problems } = await openLab(visit, 'pos=10&len=80', { before: keepFiles })
  const engine = await kernel()
  const learned = exampleTable(engine)
  const bytes = await saved(page, 'map-learned', 'npy')
  assert.deepEqual(
    new Float64Array(bytes.buffer.slice(bytes.byteOffset + 128, bytes.byteOffset + bytes.length)),
    learned.values().data,
  )
  const csv = (await saved(page, 'map-sinusoidal', 'csv')).toString('utf8')
  const rows = csv
    .slice(1)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','))
  assert.equal(rows[0].length, 17)
  assert.equal(rows.length, 81)
  const code = engine.sinusoidal({ length: 80, dModel: 16 })
  rows.slice(1).forEach(([position, ...cells], i) => {
    assert.equal(position, String(i))
    cells.forEach((cell, dimension) => assert.equal(Number(cell), code.data[i * 16 + dimension]))
  })
  learned.dispose()
  assert.deepEqual(problems, [])
})

inBrowsers(
  'a saved table is whole and in full where the shown one is a part',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=10&len=80', {
      before: keepFiles,
    })
    /** @type {Record<string, [number, number]>} lines and cells a line, heads included */
    const sizes = {
      'scene-waves .strips': [81, 17],
      'scene-waves .wave-map': [81, 17],
      'scene-waves .counter': [81, 8],
      'scene-training .map-training': [51, 17],
      'scene-similarity .curves-sinusoidal': [1 + 80, 5],
    }
    for (const [figure, [lines, cells]] of Object.entries(sizes)) {
      const scene = /scene-(\w+)/.exec(figure)?.[1]
      await page.locator(`#lab .tabs input[value=${scene}]`).check()
      const menu = page.locator(`#lab .${figure} .save`)
      await menu.waitFor()
      await ready(page)
      await menu.locator('summary').click()
      const { content } = await fileAfter(page, () => menu.locator('[data-save=csv]').click())
      const rows = content.toString('utf8').trim().split('\r\n')
      assert.equal(rows.length, lines, figure)
      assert.ok(
        rows.slice(1).every((row) => row.split(',').length === cells),
        figure,
      )
      if (!figure.includes('counter')) assert.match(rows[2], /\d\.\d{9}/, figure)
    }
    assert.deepEqual(problems, [])
  },
)

inBrowsers(
  'a frame that may not save says so and offers the numbers as text',
  async ({ visit }) => {
    const host = await hostPage(
      `<iframe sandbox="allow-scripts" src="${await siteOrigin()}/posenc-lab.html" width="1000" height="900"></iframe>`,
    )
    const { page } = await visit(host)
    const frame = page.frameLocator('iframe')
    const menu = frame.locator('.map-learned .save')
    await menu.waitFor()
    await frame.locator('.sentence strong').filter({ hasText: /./ }).waitFor()
    await menu.locator('summary').click()
    await menu.locator('[data-save=csv]').click()
    const field = menu.locator('textarea')
    await field.waitFor()
    assert.match(await field.inputValue(), /^\ufeff?position,dimension 0,/)
    assert.match(await menu.locator('[role=alert]').innerText(), /may not save/)
  },
)

inBrowsers('pictures: PNG at twice the size, SVG that a browser draws', async ({ visit }) => {
  const { page } = await openLab(visit, '', { before: keepFiles })
  const png = await saved(page, 'map-learned', 'png')
  assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG')
  const box = await page.locator('#lab .map-learned .picture').boundingBox()
  assert.ok(Math.abs(png.readUInt32BE(16) - 2 * ((box?.width ?? 0) + 32)) <= 2)

  const svg = (await saved(page, 'map-learned', 'svg')).toString('utf8')
  const found = await page.evaluate(async (text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
    const image = new Image()
    image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }))
    await image.decode()
    return {
      broken: parsed.querySelector('parsererror')?.textContent ?? '',
      title: parsed.querySelector('title')?.textContent,
      texts: [...parsed.querySelectorAll('text')].map((node) => node.textContent),
      pictures: parsed.querySelectorAll('image').length,
      foreign: text.match(/https?:\/\/(?!www\.w3\.org)/g),
      width: image.naturalWidth,
    }
  }, svg)
  assert.equal(found.broken, '')
  assert.equal(found.title, 'Learned')
  assert.ok(found.texts.includes('no plate here'))
  assert.ok(found.pictures >= 1)
  assert.equal(found.foreign, null)
  assert.ok(found.width > 300)
})

inBrowsers('the menu by keyboard, and closed by Escape or a click elsewhere', async ({ visit }) => {
  const { page } = await openLab(visit, '', { before: keepFiles })
  const menu = page.locator('#lab .map-learned .save')
  const isOpen = () => menu.evaluate((node) => /** @type {HTMLDetailsElement} */ (node).open)
  await menu.locator('summary').focus()
  await page.keyboard.press('Enter')
  assert.equal(await isOpen(), true)
  await page.keyboard.press('Escape')
  assert.equal(await isOpen(), false)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const { name } = await fileAfter(page, () => page.keyboard.press('Enter'))
  assert.match(name, /\.png$/)
  assert.match((await menu.locator('summary').getAttribute('aria-label')) ?? '', /^Save: Learned$/)
  await menu.locator('summary').click()
  await page.locator('h1').click()
  assert.equal(await isOpen(), false)
})

inBrowsers(
  'every figure of every scene can be saved in every way',
  async ({ visit }) => {
    const { page, problems } = await openLab(visit, '', { acceptDownloads: true })
    // The comparison is a table and has no picture.
    for (const scene of SCENES.filter((name) => name !== 'compare')) {
      // Before a run the length lab has no numbers.
      const run = scene === 'length' ? '&lt=seen&ls=seen&lc=learned&ln=1&ll=8&lst=100&lgo=full' : ''
      await page.evaluate((hash) => (location.hash = hash), `scene=${scene}${run}`)
      if (run) await sentenceBecomes(page, /trained up to 8\.$|trained up to 8\. /)
      await page.locator(`#lab .scene-${scene} .save`).first().waitFor()
      await ready(page)
      for (const menu of await page.locator(`#lab .scene-${scene} .save:visible`).all()) {
        assert.equal(await menu.locator('[data-save=npy]').count(), 1, scene)
        for (const kind of ['svg', 'csv', 'png', 'npy']) {
          await menu.evaluate((node) => node.setAttribute('open', ''))
          const button = menu.locator(`[data-save=${kind}]`)
          // Past T_max the learned row has no numbers.
          if (kind === 'npy' && (await button.isDisabled())) continue
          // No hand is as quick as this: Chromium drops what a page saves beyond ten files a second
          // (kBurstDownloadLimit in Blink's LocalFrame).
          await page.waitForTimeout(120)
          const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
          const bytes = await readFile(await file.path())
          const text = bytes.toString(kind === 'npy' ? 'latin1' : 'utf8')
          assert.ok(text.length > 20, file.suggestedFilename())
          assert.doesNotMatch(
            text.slice(0, 200000),
            /NaN (?:NaN|\d)|undefined/,
            file.suggestedFilename(),
          )
          if (kind !== 'npy') continue
          // numpy.lib.format: the header names the type and the shape of what follows it.
          const [, size, shape] = /'descr': '<[fiu](\d)'.*'shape': \(([\d, ]+)\)/.exec(text) ?? []
          const count = (shape ?? '').split(',').reduce((all, n) => all * (Number(n) || 1), 1)
          const start = text.indexOf('\n') + 1
          assert.equal(bytes.length - start, count * Number(size), file.suggestedFilename())
        }
      }
    }
    assert.deepEqual(problems, [])
  },
  { only: 'chromium', timeout: 400000 },
)
