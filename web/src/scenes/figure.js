// A picture that everybody can read: caption, canvas, text summary and a table of its numbers.
import { Surface, readTheme } from '../charts/canvas.js'
import { formatNumber } from '../text/text.js'
import { tableMatrix } from './numbers.js'
import { createSaveMenu } from './save_menu.js'

/**
 * @typedef {object} NumberTable
 * @property {string} caption
 * @property {string[]} columns heading of each column, the row headings' first
 * @property {Iterable<import('../exports/csv.js').Cell[]>} rows the first cell of each is its heading; a
 *   computed number is `{ value, text }`, shown short and saved in full
 */

/**
 * @typedef {object} FigureWords
 * @property {string} name
 * @property {string} [note]
 * @property {number} [limit] of the value colours: a key says what they mean
 * @property {string} [readout] what lies under the pointer or the cursor
 * @property {string} summary
 */

/**
 * @typedef {object} FigureOptions
 * @property {string} className
 * @property {string} [hue] class with the identity colour
 * @property {(frame: import('../charts/canvas.js').Frame) => void} draw
 * @property {(event: PointerEvent, point: { x: number, y: number }, dragging: boolean) => void} [onPointer]
 * @property {(whole?: boolean) => NumberTable} table called only while the table is open, which may show
 *   a part, and to save it: then it is `whole`
 * @property {() => import('./save_menu.js').NumberMatrix | undefined} [matrix] the numbers of the picture,
 *   to be saved for NumPy, undefined while there are none; without it, those of the table
 */

/**
 * @typedef {object} Figure
 * @property {HTMLElement} element
 * @property {HTMLElement} picture
 * @property {HTMLElement} button the tools: opens the table, saves; a scene may put them elsewhere
 * @property {(words: FigureWords) => void} say
 * @property {() => void} invalidate draws again in the next frame
 * @property {() => void} destroy
 */

/**
 * @param {import('../stage.js').SceneHost} host
 * @param {FigureOptions} options
 * @returns {Figure}
 */
export function createFigure(host, { className, hue, draw, onPointer, table, matrix: own }) {
  const { el, setText, uniqueId } = host
  const nameId = uniqueId('name')
  const summaryId = uniqueId('summary')
  const numbersId = uniqueId('numbers')
  const name = el('span', { class: 'name', id: nameId })
  const note = el('span', { class: 'note' })
  const readout = el('span', { class: 'readout' })
  const low = el('span', {})
  const high = el('span', {})
  const key = el('span', { class: 'key', hidden: true }, low, el('i', { class: 'ramp' }), high)
  const summary = el('p', { class: 'visually-hidden', id: summaryId })
  const picture = el('div', {
    class: onPointer ? 'picture draggable' : 'picture',
    'aria-labelledby': nameId,
    'aria-describedby': summaryId,
  })
  const numbers = el('div', {
    class: 'numbers',
    id: numbersId,
    hidden: true,
    tabIndex: 0,
    role: 'region',
    'aria-labelledby': nameId,
  })
  const button = el(
    'button',
    {
      type: 'button',
      class: 'numbers-button',
      'aria-expanded': 'false',
      'aria-controls': numbersId,
      onclick: () => {
        numbers.hidden = !numbers.hidden
        button.setAttribute('aria-expanded', String(!numbers.hidden))
        fillTable()
      },
    },
    host.t('numbers.show'),
  )
  /** @type {FigureWords} */
  let said = { name: '', summary: '' }
  const matrix = own ?? (() => tableMatrix(table(true)))
  const menu = createSaveMenu(host, {
    fileName: () => `posenc-${host.state().scene}-${className.split(' ').at(-1)}`,
    sheet: () => ({
      width: picture.clientWidth,
      height: picture.clientHeight,
      theme: readTheme(picture),
      language: host.language === 'zh' ? 'zh-CN' : 'en',
      draw,
      ...said,
      key: said.limit === undefined ? undefined : keyOf(said.limit),
    }),
    table,
    matrix,
  })
  const tools = el('span', { class: 'tools' }, button, menu.element)
  menu.name(
    host.t(/** @type {import('../text/text.js').TextKey} */ (`scene.${host.state().scene}`)),
  )
  const element = el(
    'figure',
    { class: `figure ${className} ${hue ?? ''}` },
    el('figcaption', {}, hue ? el('i', { class: 'dot' }) : null, name, note, key, readout, tools),
    picture,
    summary,
    numbers,
  )
  const surface = new Surface(picture, draw)
  const release = onPointer ? listen(picture, onPointer) : () => {}

  function fillTable() {
    if (!numbers.hidden) numbers.replaceChildren(tableElement(el, table()))
  }

  return {
    element,
    picture,
    button: tools,
    say(words) {
      said = words
      menu.name(words.name)
      setText(name, words.name)
      // Before it has a name there is nothing to see either.
      picture.setAttribute('role', 'img')
      // All buttons say the same; a list of them tells whose numbers each one shows.
      button.setAttribute('aria-label', `${host.t('numbers.show')}: ${words.name}`)
      setText(note, words.note ?? '')
      setText(readout, words.readout ?? '')
      setText(summary, words.summary)
      key.hidden = words.limit === undefined
      if (words.limit !== undefined) {
        const ends = keyOf(words.limit)
        setText(low, ends.low)
        setText(high, ends.high)
      }
      fillTable()
    },
    invalidate: () => surface.invalidate(),
    destroy() {
      release()
      menu.destroy()
      surface.destroy()
    },
  }
}

/** @param {number} limit of the value colours */
function keyOf(limit) {
  const places = Number.isInteger(limit) ? 0 : 2
  return { low: formatNumber(-limit, places), high: `+${formatNumber(limit, places)}` }
}

/**
 * Pointer positions in CSS pixels of the picture; a drag goes on outside of it.
 * @param {HTMLElement} picture
 * @param {NonNullable<FigureOptions['onPointer']>} onPointer
 * @returns {() => void}
 */
function listen(picture, onPointer) {
  const controller = new AbortController()
  const { signal } = controller
  /** @type {number | undefined} */
  let drag
  /** @param {PointerEvent} event */
  const report = (event) => {
    const box = picture.getBoundingClientRect()
    const point = { x: event.clientX - box.left, y: event.clientY - box.top }
    onPointer(event, point, drag === event.pointerId)
  }
  picture.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return
      drag = event.pointerId
      picture.setPointerCapture(event.pointerId)
      report(event)
    },
    { signal },
  )
  picture.addEventListener('pointermove', report, { signal })
  picture.addEventListener('pointerleave', report, { signal })
  const end = () => (drag = undefined)
  picture.addEventListener('pointerup', end, { signal })
  picture.addEventListener('pointercancel', end, { signal })
  return () => controller.abort()
}

/**
 * @param {import('../stage.js').SceneHost['el']} el
 * @param {NumberTable} table
 * @returns {HTMLTableElement}
 */
function tableElement(el, { caption, columns, rows }) {
  const heading = columns.map((text) => (text ? el('th', { scope: 'col' }, text) : el('td')))
  const body = Array.from(rows, ([first, ...cells]) =>
    el(
      'tr',
      {},
      el('th', { scope: 'row' }, cellText(first)),
      ...cells.map((cell) => el('td', {}, cellText(cell))),
    ),
  )
  return el(
    'table',
    {},
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...heading)),
    el('tbody', {}, ...body),
  )
}

/** @param {import('../exports/csv.js').Cell} cell */
function cellText(cell) {
  return typeof cell === 'object' ? cell.text : String(cell)
}
