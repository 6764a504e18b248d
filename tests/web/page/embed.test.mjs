// <posenc-lab> in somebody else's page: several of them, coming and going, and what they leave.
import assert from 'node:assert/strict'
import { inBrowsers, siteOrigin, steady } from '../harness.mjs'

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../harness.mjs').Visitor} Visitor */

/**
 * A page of the site's origin with elements of its own and no content policy.
 * @param {Visitor['visit']} visit
 * @param {string} body
 * @param {(page: Page) => Promise<unknown>} [prepare]
 */
async function openHost(visit, body, prepare) {
  const html = `<!doctype html><html lang="en"><title>host</title><body>
    <script type="module" src="/posenc-lab.js"></script>${body}`
  const opened = await visit(`${await siteOrigin()}/host-page`, {
    before: async (page) => {
      await page.route('**/host-page*', (route) =>
        route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
      )
      await prepare?.(page)
    },
  })
  return opened
}

/** Waits until so many elements have a figure. @param {Page} page @param {number} count */
const standing = (page, count) =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('posenc-lab')].filter(
        (lab) => lab.shadowRoot?.querySelector('.sentence strong')?.textContent,
      ).length === wanted,
    count,
    { timeout: 60000 },
  )

/** Counts what a page holds that nobody collects: workers, observers, listeners, frames, tables. */
const keepBooks = (/** @type {Page} */ page) =>
  page.addInitScript(() => {
    const books = { workers: 0, observers: 0, listeners: 0, frames: 0, tables: 0, started: 0 }
    Object.assign(window, { books_: books })
    window.Worker = class extends Worker {
      #ended = false
      /** @param {string | URL} url @param {WorkerOptions} [options] */
      constructor(url, options) {
        super(url, options)
        books.workers += 1
        books.started += 1
      }

      /** @override @param {any} message @param {any} [transfer] */
      postMessage(message, transfer) {
        if (message?.method === 'createTable' || message?.method === 'restoreTable')
          books.tables += 1
        if (message?.method === 'dispose') books.tables -= 1
        super.postMessage(message, transfer)
      }

      /** @override */
      terminate() {
        if (!this.#ended) books.workers -= 1
        this.#ended = true
        super.terminate()
      }
    }
    for (const name of /** @type {const} */ (['ResizeObserver', 'IntersectionObserver'])) {
      const Original = /** @type {any} */ (window[name])
      Object.assign(window, {
        [name]: class extends Original {
          watching = new Set()
          /** @param {Element} target @param {any} options */
          observe(target, options) {
            super.observe(target, options)
            if (!this.watching.has(target)) books.observers += 1
            this.watching.add(target)
          }

          disconnect() {
            super.disconnect()
            books.observers -= this.watching.size
            this.watching.clear()
          }
        },
      })
    }
    const { addEventListener, removeEventListener } = EventTarget.prototype
    const lasting = (/** @type {any} */ target) =>
      target === window || target === document || target instanceof MediaQueryList
    /** @type {Map<any, Set<string>>} */
    const heard = new Map()
    /** @type {Map<any, number>} */
    const names = new Map()
    const keyOf = (/** @type {string} */ type, /** @type {any} */ listener) => {
      if (!names.has(listener)) names.set(listener, names.size)
      return `${type} ${names.get(listener)}`
    }
    const forget = (/** @type {any} */ target, /** @type {string} */ key) => {
      if (heard.get(target)?.delete(key)) books.listeners -= 1
    }
    EventTarget.prototype.addEventListener = function add(
      /** @type {string} */ type,
      /** @type {any} */ listener,
      /** @type {any} */ options,
    ) {
      if (listener && lasting(this) && !options?.once) {
        const key = keyOf(type, listener)
        const known = heard.get(this) ?? new Set()
        heard.set(this, known)
        if (!known.has(key)) books.listeners += 1
        known.add(key)
        if (options?.signal) {
          addEventListener.call(options.signal, 'abort', () => forget(this, key))
        }
      }
      addEventListener.call(this, type, listener, options)
    }
    EventTarget.prototype.removeEventListener = function remove(
      /** @type {string} */ type,
      /** @type {any} */ listener,
      /** @type {any} */ options,
    ) {
      if (listener && lasting(this)) forget(this, keyOf(type, listener))
      removeEventListener.call(this, type, listener, options)
    }
    const original = window.requestAnimationFrame
    window.requestAnimationFrame = (callback) => {
      books.frames += 1
      return original.call(window, callback)
    }
  })

/** @param {Page} page @returns {Promise<Record<string, number>>} */
const booksOf = (page) => page.evaluate(() => ({ .../** @type {any} */ (window).books_ }))

inBrowsers(
  'twenty elements on one page: one worker, and each keeps its own state',
  async ({ visit }) => {
    const scenes = ['beyond', 'order']
    const body = Array.from(
      { length: 20 },
      (_, i) => `<posenc-lab scene="${scenes[i % 2]}" position="${i}" seed="${i}"></posenc-lab>`,
    ).join('')
    const { page, problems } = await openHost(visit, body, keepBooks)
    await standing(page, 20)
    assert.equal((await booksOf(page)).started, 1)
    const found = await page.evaluate(() => {
      const labs = /** @type {any[]} */ ([...document.querySelectorAll('posenc-lab')])
      const inputs = labs.flatMap((lab) => [...lab.shadowRoot.querySelectorAll('[id]')])
      const groups = labs.map((lab) => [
        ...new Set(
          [...lab.shadowRoot.querySelectorAll('input[type=radio]')].map((input) => input.name),
        ),
      ])
      return {
        positions: labs.map((lab) => lab.state.position),
        ids: inputs.map(({ id }) => id),
        groups: groups.flat(),
        checked: labs.map((lab) => lab.shadowRoot.querySelectorAll('.tabs input:checked').length),
      }
    })
    assert.deepEqual(
      found.positions,
      Array.from({ length: 20 }, (_, i) => i),
    )
    assert.equal(new Set(found.ids).size, found.ids.length, 'no id twice')
    assert.equal(new Set(found.groups).size, found.groups.length, 'no radio group shared')
    assert.deepEqual(new Set(found.checked), new Set([1]))
    // One element moves; the others, and the focus in one of them, stay.
    const number = page.locator('posenc-lab').nth(4).locator('.field-position .number')
    await number.focus()
    await page.evaluate(() => {
      const labs = /** @type {any[]} */ ([...document.querySelectorAll('posenc-lab')])
      labs[0].set('position', 77)
      labs[1].set('scene', 'beyond')
    })
    await page.waitForTimeout(500)
    const after = await page.evaluate(() => {
      const labs = /** @type {any[]} */ ([...document.querySelectorAll('posenc-lab')])
      return {
        positions: labs.map((lab) => lab.state.position),
        focus: labs.indexOf(document.activeElement),
        inner: document.activeElement?.shadowRoot?.activeElement?.className,
        hash: location.hash,
      }
    })
    assert.deepEqual(after.positions.slice(1), found.positions.slice(1))
    assert.equal(after.positions[0], 77)
    assert.deepEqual([after.focus, after.inner, after.hash], [4, 'number', ''])
    assert.deepEqual(problems, [])
  },
  { timeout: 180000 },
)

inBrowsers(
  'a hundred removals leave no worker, table, observer, listener or animation frame',
  async ({ visit }) => {
    const { page, problems } = await openHost(visit, '<div id="place"></div>', keepBooks)
    /** Puts elements in and takes them out again, some before they have begun. */
    const comeAndGo = (/** @type {number} */ times) =>
      page.evaluate(async (count) => {
        const place = /** @type {HTMLElement} */ (document.querySelector('#place'))
        for (let i = 0; i < count; i += 1) {
          const lab = document.createElement('posenc-lab')
          lab.setAttribute('scene', i % 2 ? 'order' : 'beyond')
          lab.setAttribute('controls', ['none', 'minimal', 'full'][i % 3])
          if (i % 5 === 0) lab.setAttribute('sync-url', '')
          if (i % 7 === 0) lab.setAttribute('loading', 'lazy')
          const ready = new Promise((done) => lab.addEventListener('posenc-ready', done))
          place.append(lab)
          if (i % 4 === 0) await ready
          else await new Promise((done) => setTimeout(done, (i % 3) * 10))
          lab.remove()
          await null
        }
      }, times)
    await comeAndGo(4)
    const before = await steady(
      () => booksOf(page),
      ({ workers }) => workers === 0,
    )
    await comeAndGo(100)
    await steady(
      () => booksOf(page),
      ({ workers, observers, listeners }) =>
        workers === 0 && observers === before.observers && listeners === before.listeners,
    )

    // With one that stays, the engine lives on: the tables of the others are given back to it.
    await page.evaluate(() => document.body.append(document.createElement('posenc-lab')))
    await standing(page, 1)
    const { tables } = await booksOf(page)
    await comeAndGo(40)
    await steady(
      () => booksOf(page),
      (last) => last.workers === 1 && last.tables === tables,
    )
    assert.deepEqual(problems, [])
  },
  { timeout: 240000 },
)

inBrowsers('removed and put back it shows what it showed, and works', async ({ visit }) => {
  const { page, problems } = await openHost(visit, '<posenc-lab position="12"></posenc-lab>')
  await standing(page, 1)
  const lab = page.locator('posenc-lab')
  await lab.locator('.field-position .number').fill('34')
  await lab.locator('.field-position .number').press('Enter')
  const again = await page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('posenc-lab'))
    element.remove()
    await new Promise((done) => setTimeout(done, 100))
    const empty = element.shadowRoot.childElementCount
    const ready = new Promise((done) => element.addEventListener('posenc-ready', done))
    document.body.append(element)
    await ready
    return { empty, position: element.state.position }
  })
  assert.deepEqual(again, { empty: 0, position: 34 })
  await lab.locator('.field-position .number').fill('60')
  await lab.locator('.field-position .number').press('Enter')
  await lab.locator('.sentence', { hasText: 'Position 60.' }).waitFor()
  // Moved within one task it keeps its stage.
  const moved = await page.evaluate(async () => {
    const element = /** @type {any} */ (document.querySelector('posenc-lab'))
    const stage = element.shadowRoot.firstElementChild
    const place = document.createElement('div')
    document.body.append(place)
    place.append(element)
    await new Promise((done) => setTimeout(done, 50))
    return element.shadowRoot.firstElementChild === stage
  })
  assert.equal(moved, true)
  assert.deepEqual(problems, [])
})

inBrowsers('controls: full, minimal, none', async ({ visit }) => {
  const body = ['full', 'minimal', 'none']
    .flatMap((controls) => ['beyond', 'order'].map((scene) => [controls, scene]))
    .map(([controls, scene]) => `<posenc-lab controls="${controls}" scene="${scene}"></posenc-lab>`)
    .join('')
  const { page } = await openHost(visit, body)
  await standing(page, 6)
  const seen = await page.evaluate(() =>
    [...document.querySelectorAll('posenc-lab')].map((lab) => {
      const root = /** @type {ShadowRoot} */ (lab.shadowRoot)
      const visible = (/** @type {string} */ selector) =>
        [...root.querySelectorAll(selector)].filter(
          (node) => node.getBoundingClientRect().width > 0,
        ).length
      return {
        controls: lab.getAttribute('controls'),
        toggle: visible('.toggle'),
        tabs: visible('.tabs'),
        sheet: visible('.sheet'),
        numbers: visible('.numbers-button') > 0,
        any: visible('button, input, select, summary'),
        pictures: visible('.picture') > 0,
        sentence: visible('.sentence'),
      }
    }),
  )
  for (const one of seen) {
    const { controls, toggle, tabs, sheet, numbers, any, pictures, sentence } = one
    assert.deepEqual([pictures, sentence], [true, 1])
    if (controls === 'full') assert.deepEqual([toggle, tabs, sheet, numbers], [1, 1, 1, true])
    if (controls === 'minimal') assert.deepEqual([toggle, tabs, sheet, numbers], [1, 0, 0, true])
    if (controls === 'none') assert.equal(any, 0)
  }
})

inBrowsers(
  'without sync-url an element leaves the address alone; one owner only',
  async ({ visit }) => {
    const { page } = await openHost(
      visit,
      '<posenc-lab id="a"></posenc-lab><posenc-lab id="b" sync-url></posenc-lab><posenc-lab id="c" sync-url></posenc-lab>',
    )
    await standing(page, 3)
    const set = (/** @type {string} */ id, /** @type {number} */ position) =>
      page.evaluate(
        ([selector, value]) =>
          /** @type {any} */ (document.querySelector(/** @type {string} */ (selector))).set(
            'position',
            value,
          ),
        /** @type {const} */ ([`#${id}`, position]),
      )
    await set('a', 11)
    await set('c', 13)
    await page.waitForTimeout(500)
    assert.equal(await page.evaluate(() => location.hash), '')
    await set('b', 12)
    await page.waitForFunction(() => /pos=12/.test(location.hash))
    assert.equal(await page.locator('#a .copy-link').isVisible(), false)
    assert.equal(await page.locator('#b .copy-link').isVisible(), true)
    await page.evaluate(() => (location.hash = '#pos=20'))
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('#b')).state.position === 20,
    )
    const others = await page.evaluate(() =>
      ['#a', '#c'].map((id) => /** @type {any} */ (document.querySelector(id)).state.position),
    )
    assert.deepEqual(others, [11, 13])
    // The owner goes: the next one takes over with its own view.
    await page.evaluate(() => document.querySelector('#b')?.remove())
    await set('c', 14)
    await page.waitForFunction(() => /pos=14/.test(location.hash))
  },
)

inBrowsers('events: ready, change, error, seen from the document', async ({ visit }) => {
  const { page } = await openHost(visit, '', (fresh) =>
    fresh.addInitScript(() => {
      /** @type {any[]} */
      const heard = []
      Object.assign(window, { heard_: heard })
      for (const type of ['posenc-ready', 'posenc-change', 'posenc-error']) {
        addEventListener(type, (event) => {
          const { detail } = /** @type {CustomEvent} */ (event)
          heard.push([type, detail.state?.position ?? detail.code])
        })
      }
    }),
  )
  await page.evaluate(() => {
    const lab = document.createElement('posenc-lab')
    lab.setAttribute('position', '5')
    document.body.append(lab)
  })
  await standing(page, 1)
  await page.evaluate(() => {
    const lab = /** @type {any} */ (document.querySelector('posenc-lab'))
    lab.setAttribute('position', '6')
    lab.setAttribute('position', 'six')
    lab.set('nothing', 1)
  })
  assert.deepEqual(await page.evaluate(() => /** @type {any} */ (window).heard_), [
    ['posenc-ready', 5],
    ['posenc-change', 6],
    ['posenc-error', 'invalid-argument'],
    ['posenc-error', 'invalid-argument'],
  ])
})

inBrowsers(
  'loading="lazy": nothing is computed before it is near the screen',
  async ({ visit }) => {
    const html = '<div style="height: 4000px"></div><posenc-lab loading="lazy"></posenc-lab>'
    const { page } = await openHost(visit, html, keepBooks)
    await page.waitForTimeout(800)
    assert.equal((await booksOf(page)).started, 0)
    await page.evaluate(() => scrollTo(0, 4000))
    await standing(page, 1)
    assert.equal((await booksOf(page)).started, 1)
  },
)
