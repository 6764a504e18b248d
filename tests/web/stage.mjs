// What the page tests share: opening the lab, reading what a reader sees.
import assert from 'node:assert/strict'
import { FIELDS } from '../../web/src/state/fields.js'
import { siteOrigin } from './harness.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('./harness.mjs').Visitor} Visitor */

/**
 * Opens the site and waits for the first figure.
 * @param {Visitor['visit']} visit
 * @param {string} [hash] of the link, without '#'
 * @param {import('./harness.mjs').VisitOptions} [options]
 */
export async function openLab(visit, hash = '', options) {
  const opened = await visit(`${await siteOrigin()}/${hash && `#${hash}`}`, options)
  await ready(opened.page)
  return opened
}

/** @param {import('playwright-core').Page | import('playwright-core').Frame} page */
export async function ready(page) {
  await page.waitForFunction(() => {
    const root = document.querySelector('#lab')?.shadowRoot
    return (root?.querySelector('.sentence strong')?.textContent ?? '') !== ''
  })
}

/**
 * @param {Page} page
 * @returns {Promise<any>} the element's state
 */
export const stateOf = (page) =>
  page.evaluate(() => /** @type {any} */ (document.querySelector('#lab')).state)

/** @param {Page} page */
export const sentenceOf = (page) => page.locator('#lab .sentence').innerText()

/**
 * Waits until the sentence matches.
 * @param {Page} page
 * @param {RegExp} pattern
 */
export async function sentenceBecomes(page, pattern) {
  await page.waitForFunction(
    ([source, flags]) => {
      const root = document.querySelector('#lab')?.shadowRoot
      const text = root?.querySelector('.sentence')?.textContent ?? ''
      return new RegExp(source, flags).test(text)
    },
    [pattern.source, pattern.flags],
  )
}

/**
 * @param {Page} page
 * @param {string} figure a class of the figure
 * @returns {Promise<string[][]>} the table of its numbers, opened if it was not
 */
export async function tableOf(page, figure) {
  const region = page.locator(`#lab .${figure} .numbers`)
  const id = await region.getAttribute('id')
  const button = page.locator(`#lab [aria-controls="${id}"]`)
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return region
    .locator('tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('th, td')].map((cell) => cell.textContent ?? '')),
    )
}

/** Every scene of the stage, in the order of the tabs. */
export const SCENES = /** @type {string[]} */ (/** @type {any} */ (FIELDS.scene.rule).values)

/**
 * Follows a link to a scene in a page that is open, and waits for its figure.
 * @param {Page} page
 * @param {string} scene
 * @param {string} [more] of the link
 */
export async function showScene(page, scene, more = '') {
  await page.evaluate((hash) => (location.hash = hash), `scene=${scene}${more}`)
  await page.locator(`#lab .scene-${scene}`).waitFor()
  await ready(page)
}

/** Two codes of the length lab, trained at once: a part of its link. */
export const SMALL_RUN =
  '&lt=seen&ls=seen&lc=learned.rope&ln=1&ll=8&lst=100&lw=16&lh=2&lgo=full&mode=learned'

/** A number as the page writes it. */
export function written(/** @type {number} */ value, places = 4) {
  return Number.isNaN(value) ? 'NaN' : value.toFixed(places).replace('-', '−')
}

// Not a plain import: linters and tsc run before the first build, when there is no dist/ yet.
/** @type {typeof import('../../web/src/element/index.js')} */
const { loadEngine } = await import(new URL('../../dist/posenc-lab.js', import.meta.url).href)

/** The kernel under Node: what the page must agree with. */
export const kernel = () => loadEngine()

/**
 * The NumPy example's table: 50 rows, 16 dimensions, 500 steps.
 * @param {any} engine
 */
export function exampleTable(engine) {
  const table = engine.createTable({ tMax: 50, dModel: 16 })
  table.trainTowardSinusoid({ steps: 500 })
  return table
}

/**
 * Every canvas that is not hidden has a name, a summary and a table that can be opened.
 * @param {Page} page
 */
export async function assertCanvasesReadable(page) {
  const pictures = await page.locator('#lab .picture').evaluateAll((all) =>
    all
      .filter((picture) => !picture.closest('[hidden]'))
      .map((picture) => {
        const root = /** @type {ShadowRoot} */ (picture.getRootNode())
        /** @param {string} attribute */
        const text = (attribute) =>
          root.getElementById(picture.getAttribute(attribute) ?? '')?.textContent ?? ''
        const region = picture.closest('figure')?.querySelector('.numbers')
        const button = root.querySelector(`[aria-controls="${region?.id}"]`)
        const canvas = picture.querySelector('canvas')
        return {
          name: text('aria-labelledby'),
          summary: text('aria-describedby'),
          hasTable: button instanceof HTMLButtonElement,
          drawn: (canvas?.width ?? 0) > 0 && (canvas?.height ?? 0) > 0,
        }
      }),
  )
  assert.ok(pictures.length > 0)
  for (const { name, summary, hasTable, drawn } of pictures) {
    assert.ok(name.length > 1, 'a picture has a name')
    assert.ok(summary.length > 10, `${name} has a summary`)
    assert.ok(hasTable, `${name} has a table`)
    assert.ok(drawn, `${name} is drawn`)
  }
}

/** Records every worker that the page starts, so that a test can kill it as a browser would. */
export const recordWorkers = (/** @type {Page} */ page) =>
  page.addInitScript(() => {
    /** @type {Worker[]} */
    const workers = []
    Object.assign(window, { workers_: workers })
    window.Worker = class extends Worker {
      /** @param {string | URL} url @param {WorkerOptions} [options] */
      constructor(url, options) {
        super(url, options)
        workers.push(this)
      }
    }
  })
