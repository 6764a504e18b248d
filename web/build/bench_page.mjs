// How smooth the page is in Chromium: script time of a frame while a table of 512 rows of 128 is being
// trained, tasks of more than 50 ms, and the time from navigation to the first figure.
import { programOf } from './browsers.mjs'
import { dist, median, say } from './common.mjs'
import { serveFolder } from './serve.mjs'

const scenes = ['training', 'waves', 'beyond', 'similarity']
const frames = 120
const categories = [
  'devtools.timeline',
  'devtools.timeline.frame',
  'disabled-by-default-devtools.timeline',
]
/** What counts as script on the main thread; events within one another are counted once. */
const scriptEvents = new Set([
  'FunctionCall',
  'EvaluateScript',
  'RunMicrotasks',
  'FireAnimationFrame',
])

/** @typedef {{ name: string, ph: string, ts: number, dur?: number, tid: number, pid: number }} TraceEvent */

/**
 * @param {TraceEvent[]} events
 * @returns {{ frames: number[], longest: number }} script time of each frame and the longest task, in ms
 */
function readTrace(events) {
  const frameStarts = events.filter(({ name }) => name === 'Commit')
  const [first] = frameStarts
  if (!first) return { frames: [], longest: NaN }
  const ofPage = events.filter(({ pid, tid }) => pid === first.pid && tid === first.tid)
  const outermost = []
  let end = -Infinity
  for (const event of ofPage
    .filter(({ name }) => scriptEvents.has(name))
    .sort((a, b) => a.ts - b.ts)) {
    const stop = event.ts + (event.dur ?? 0)
    if (stop <= end) continue
    outermost.push({ ts: event.ts, ms: (stop - Math.max(end, event.ts)) / 1000 })
    end = stop
  }
  const times = frameStarts.map(() => 0)
  let frame = 0
  for (const { ts, ms } of outermost) {
    while (frame + 1 < frameStarts.length && frameStarts[frame + 1].ts <= ts) frame += 1
    times[frame] += ms
  }
  const tasks = ofPage.filter(({ name }) => name === 'RunTask').map(({ dur = 0 }) => dur / 1000)
  return { frames: times.slice(1, -1), longest: Math.max(0, ...tasks) }
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').Page} page
 * @param {string} scene
 */
async function measureScene(browser, page, scene) {
  await page.evaluate((name) => {
    const lab = /** @type {any} */ (document.querySelector('#lab'))
    for (const [field, value] of Object.entries({
      scene: name,
      tMax: 512,
      dModel: 128,
      length: 600,
      position: 300,
      steps: 100,
    }))
      lab.set(field, value)
  }, scene)
  await page.waitForTimeout(1500)
  await browser.startTracing(page, { categories })
  // The training scene plays by itself, as a reader lets it; elsewhere the steps move once a frame.
  await page.evaluate(async (count) => {
    const lab = /** @type {any} */ (document.querySelector('#lab'))
    const play = lab.shadowRoot.querySelector('.press-play')
    play?.click()
    for (let step = 0; step < count; step += 1) {
      if (!play) lab.set('steps', 101 + step)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    play?.click()
  }, frames)
  const trace = JSON.parse((await browser.stopTracing()).toString())
  return readTrace(trace.traceEvents)
}

export async function benchPage() {
  const executablePath = programOf('chromium')
  if (!executablePath) {
    say('page: Chromium was not found, nothing measured')
    return
  }
  const { chromium } = await import('playwright-core')
  const { origin, close } = await serveFolder(dist)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.addInitScript(() => {
      /** @type {number[]} */
      const tasks = []
      Object.assign(window, { tasks_: tasks })
      const note = (/** @type {PerformanceEntry} */ { duration }) => tasks.push(duration)
      // The browser names tasks of over 50 ms alone.
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({
        type: 'longtask',
        buffered: true,
      })
      addEventListener('posenc-ready', () => Object.assign(window, { ready_: performance.now() }), {
        once: true,
        capture: true,
      })
    })
    const starts = []
    /** @type {number[]} */
    const tasks = []
    for (let visit = 0; visit < 5; visit += 1) {
      await page.goto('about:blank')
      await page.goto(`${origin}/#scene=beyond`)
      starts.push(
        Number(
          await (await page.waitForFunction(() => /** @type {any} */ (window).ready_)).jsonValue(),
        ),
      )
      await page.waitForTimeout(500)
      tasks.push(...(await page.evaluate(() => /** @type {any} */ (window).tasks_)))
    }
    say('')
    say('the page in Chromium, 1280 x 900, a table of 512 x 128 in training')
    say(
      `  ${median(starts).toFixed(0)} ms from navigation to the first figure (median of ${starts.length})`,
    )
    say(
      `  ${tasks.length} tasks of over 50 ms in these starts (aim: none), the longest ${Math.max(0, ...tasks).toFixed(0)} ms`,
    )
    for (const scene of scenes) {
      const { frames: times, longest } = await measureScene(browser, page, scene)
      say(
        `  ${scene.padEnd(11)} ${median(times).toFixed(1).padStart(5)} ms of script a frame (median of ${times.length}; aim: 4), longest task ${longest.toFixed(0)} ms (aim: 50)`,
      )
    }
  } finally {
    await browser.close()
    await close()
  }
}
