// A picture that everybody can read: caption, canvas, text summary and a table of its numbers.
import { html, nothing, render } from 'lit-html'
import { Surface, readTheme } from '../charts/core/canvas.js'
import { el, uniqueId } from './dom.js'
import { listenToPointer } from './pointer.js'
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
 * @property {(frame: import('../charts/core/canvas.js').Frame) => void} draw
 * @property {import('./pointer.js').Report} [onPointer]
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
 * @property {(words: FigureWords, more?: { classes?: string, above?: unknown, below?: unknown }) => void} say
 * @property {() => void} invalidate draws again in the next frame
 * @property {() => void} drawNow
 * @property {() => void} destroy
 */

/** @param {import('./types').SceneHost} host @param {FigureOptions} options @returns {Figure} */
export function createFigure(host, { className, hue, draw, onPointer, table, matrix: own }) {
  const { t } = host
  const [nameId, summaryId, numbersId] = ['name', 'summary', 'numbers'].map(uniqueId)
  const controller = new AbortController()
  const element = el('figure')
  const picture = el('div', {
    class: onPointer ? 'picture draggable' : 'picture',
    'aria-labelledby': nameId,
    'aria-describedby': summaryId,
  })
  /** @type {FigureWords} */
  let said = { name: '', summary: '' }
  /** @type {NonNullable<Parameters<Figure['say']>[1]>} */
  let around = {}
  let open = false
  const { scene } = host.state()
  const menu = createSaveMenu(host, {
    fileName: () => `posenc-${scene}-${className.split(' ').at(-1)}`,
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
    matrix: own ?? (() => tableMatrix(table(true))),
  })
  menu.name(t(`scene.${scene}`))
  const surface = new Surface(picture, draw)
  if (onPointer) listenToPointer(picture, onPointer, controller.signal)
  // An element of its own: a scene may take it elsewhere.
  const tools = el('span', { class: 'tools' })
  show()

  function show() {
    const { name, note = '', readout = '', limit, summary } = said
    const { low, high } = keyOf(limit ?? 0)
    element.className = ['figure', className, hue, around.classes].join(' ')
    render(
      html`<button
          type="button"
          class="numbers-button"
          aria-expanded=${open}
          aria-controls=${numbersId}
          aria-label=${name ? `${t('numbers.show')}: ${name}` : nothing}
          @click=${toggle}
          .textContent=${t('numbers.show')}
        ></button
        >${menu.element}`,
      tools,
    )
    render(
      html`<figcaption>
          ${hue ? html`<i class="dot"></i>` : nothing}<span class="name" id=${nameId}>${name}</span>
          <span class="note" .textContent=${note}></span>
          <span class="key" ?hidden=${limit === undefined}
            ><span>${low}</span><i class="ramp"></i><span>${high}</span></span
          >
          <span class="readout" .textContent=${readout}></span>${tools}
        </figcaption>
        ${around.above}${picture}
        <p class="visually-hidden" id=${summaryId}>${summary}</p>
        <div
          class="numbers"
          id=${numbersId}
          ?hidden=${!open}
          tabindex="0"
          role="region"
          aria-labelledby=${nameId}
        >
          ${open ? tableTemplate(table()) : nothing}
        </div>
        ${around.below}`,
      element,
    )
  }

  function toggle() {
    open = !open
    show()
  }

  return {
    element,
    picture,
    button: tools,
    say(words, more = {}) {
      said = words
      around = more
      menu.name(words.name)
      // Before it has a name there is nothing to see either.
      picture.setAttribute('role', 'img')
      show()
    },
    invalidate: () => surface.invalidate(),
    drawNow: () => surface.drawNow(),
    destroy() {
      controller.abort()
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

/** @param {NumberTable} table */
export function tableTemplate({ caption, columns, rows }) {
  return html`<table>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map((text) => (text ? html`<th scope="col">${text}</th>` : html`<td></td>`))}
      </tr>
    </thead>
    <tbody>
      ${Array.from(
        rows,
        ([first, ...cells]) =>
          html`<tr>
            <th scope="row">${cellText(first)}</th>
            ${cells.map((cell) => html`<td>${cellText(cell)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** @param {import('../exports/csv.js').Cell} cell */
function cellText(cell) {
  return typeof cell === 'object' ? cell.text : String(cell)
}
