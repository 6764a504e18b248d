// What every figure on the kit does: hands, fingers and arrow keys; one axis for many figures.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { framePlot, linearAxis, logAxis, positionAxis, stepped } from '../../../web/src/kit/plot.js'
import { inBrowsers } from '../harness.mjs'
import { openLab, stateOf } from '../stage.mjs'

/** @typedef {import('playwright-core').Page} Page */

/** Letters are 7 px wide here, whatever the font. */
const ctx = /** @type {any} */ (
  new Proxy(
    {
      font: '',
      measureText: (/** @type {string} */ text) => ({ width: 7 * text.length }),
      getTransform: () => ({ a: 1, b: 0, c: 0, d: 1, e: 0, f: 0 }),
    },
    { get: (own, name) => Reflect.get(own, name) ?? (() => undefined), set: () => true },
  )
)
const theme = /** @type {any} */ ({ typeScale: 1, lineWeight: 1, font: 'x', mono: 'x' })
const frame = (/** @type {number} */ width) => ({ ctx, width, height: 200, ratio: 1, theme })
const cache = {}

test('figures on one row of positions begin and end at the same x', () => {
  const bare = framePlot(frame(400), { x: positionAxis(100), cache })
  const cells = framePlot(frame(400), { x: positionAxis(100), y: positionAxis(16, 'dim'), cache })
  const curves = framePlot(frame(400), { x: positionAxis(100, 'seat'), y: linearAxis(0, 1), cache })
  for (const { x } of [bare, cells, curves]) assert.deepEqual([x.x0, x.x1], [46, 386])
  // Cells leave 4 px for the frames that stand out of them.
  assert.deepEqual([cells.rect.y, cells.rect.height], [4, 192])
  assert.equal(cells.y.invert(5), 0)
  assert.equal(cells.y.invert(195), 15)
  // Numbers run upwards.
  assert.equal(curves.y(0), curves.rect.y + curves.rect.height)
  assert.ok(curves.y(1) < curves.y(0))
})

test('a figure with an axis of its own leaves as much room as its numbers need', () => {
  const short = framePlot(frame(400), { x: linearAxis(0, 9), y: linearAxis(0, 1), cache })
  const format = () => '1,000,000'
  const long = framePlot(frame(400), {
    x: linearAxis(0, 9),
    y: linearAxis(0, 1, '', { format }),
    cache,
  })
  assert.ok(long.rect.x >= 9 * 7, String(long.rect.x))
  assert.ok(short.rect.x < long.rect.x)
  assert.equal(framePlot(frame(400), { cache }).rect.width, 400)
})

test('an arrow key goes a position, a hundredth of an axis, or a hundredth of its powers', () => {
  assert.equal(stepped(positionAxis(8), 3, 2), 5)
  assert.equal(stepped(positionAxis(8), 7, 1), 7)
  assert.equal(stepped(linearAxis(0, 200), 10, -1), 8)
  assert.equal(stepped(linearAxis(0, 200, '', { step: 5 }), 10, 1), 15)
  assert.ok(Math.abs(Number(stepped(logAxis(1, 1e4), 1, 50)) - 100) < 1e-9)
  assert.equal(stepped(positionAxis(8), undefined, 1), undefined)
})

/**
 * Where a position of the strips is on the screen: the plot begins 46 px from the left and ends 14 px
 * from the right.
 * @param {Page} page
 * @param {number} position of 100
 */
async function strip(page, position) {
  const picture = page.locator('#lab .strips .picture')
  await picture.scrollIntoViewIfNeeded()
  const box = await picture.boundingBox()
  assert.ok(box)
  const scale = box.width / (await picture.evaluate((node) => node.clientWidth))
  const room = box.width - 60 * scale
  return {
    x: box.x + 46 * scale + (room * (position + 0.5)) / 100,
    y: box.y + box.height / 2,
  }
}

inBrowsers('after a drag the arrow keys move what was dragged', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=10&dim=3')
  const { x, y } = await strip(page, 40)
  await page.mouse.click(x, y)
  assert.equal((await stateOf(page)).position, 40)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  assert.equal((await stateOf(page)).position, 51)
  // The strips have no axis upright: the key is the page's.
  await page.keyboard.press('ArrowDown')
  assert.equal((await stateOf(page)).dimension, 3)
  const map = await page.locator('#lab .wave-map .picture').boundingBox()
  assert.ok(map)
  await page.mouse.click(x, map.y + 6)
  assert.equal((await stateOf(page)).dimension, 0)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowLeft')
  const { position, dimension } = await stateOf(page)
  assert.deepEqual([position, dimension], [39, 1])
})

inBrowsers('a drag keeps to a page that scales its figures', async ({ visit }) => {
  const { page } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=10')
  await page.locator('#lab').evaluate((lab) => {
    lab.style.transform = 'scale(0.6)'
    lab.style.transformOrigin = '0 0'
  })
  for (const position of [72, 20]) {
    const { x, y } = await strip(page, position)
    await page.mouse.click(x, y)
    assert.equal((await stateOf(page)).position, position)
  }
})

// Chromium alone: Firefox as it is driven here has no fingers.
inBrowsers(
  'a finger that moves up scrolls and moves nothing; sideways it drags; a tap sets',
  async ({ visit }) => {
    const { page, context } = await openLab(visit, 'scene=waves&mode=sinusoidal&pos=10', {
      viewport: { width: 390, height: 700 },
      hasTouch: true,
    })
    const driver = await context.newCDPSession(page)
    /** @param {{ x: number, y: number }} from @param {number} dx @param {number} dy */
    const swipe = async ({ x, y }, dx, dy) => {
      const send = (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, at = 0) =>
        driver.send('Input.dispatchTouchEvent', {
          type,
          touchPoints: type === 'touchEnd' ? [] : [{ x: x + dx * at, y: y + dy * at }],
        })
      await send('touchStart')
      for (let i = 1; i <= 8; i += 1) await send('touchMove', i / 8)
      await send('touchEnd')
    }
    const start = await strip(page, 30)
    const before = await page.evaluate(() => scrollY)
    await swipe(start, 6, -160)
    await page.waitForFunction((top) => scrollY > top + 60, before)
    assert.equal((await stateOf(page)).position, 10)
    const again = await strip(page, 30)
    const there = await strip(page, 60)
    await swipe(again, there.x - again.x, 10)
    assert.equal((await stateOf(page)).position, 60)
    const tapped = await strip(page, 45)
    await page.touchscreen.tap(tapped.x, tapped.y)
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('#lab')).state.position === 45,
    )
  },
  { only: 'chromium' },
)
