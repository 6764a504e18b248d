// The menu that saves a figure: its picture, the numbers of its table, its matrix.
import { csvParts } from '../exports/csv.js'
import { download } from '../exports/download.js'
import { npyBytes } from '../exports/npy.js'
import { pngBlob, svgText } from '../exports/picture.js'
import { el, setText } from './dom.js'

/** Bytes of a text that a reader may still copy by hand. */
export const MOST_COPIED = 1e6

/** @typedef {{ data: ArrayLike<number>, shape: readonly number[] }} NumberMatrix */

/**
 * @typedef {object} Saved
 * @property {() => string} fileName without its ending
 * @property {() => import('../exports/picture.js').Sheet} sheet
 * @property {(whole: boolean) => import('./figure.js').NumberTable} table
 * @property {() => NumberMatrix | undefined} matrix undefined while there is none
 */

/** @param {import('./figure.js').NumberTable} table */
function* linesOf({ columns, rows }) {
  yield columns
  yield* rows
}

/**
 * @param {import('./types').SceneHost} host
 * @param {Saved} saved
 * @returns {{ element: HTMLElement, name: (name: string) => void, destroy: () => void }}
 */
export function createSaveMenu(host, { fileName, sheet, table, matrix }) {
  const { t } = host
  /** @type {Record<string, () => Blob | Promise<Blob>>} */
  const makers = {
    png: () => pngBlob(sheet()),
    svg: () => new Blob([svgText(sheet())], { type: 'image/svg+xml' }),
    csv: async () => {
      return new Blob(await csvParts(linesOf(table(true))), { type: 'text/csv' })
    },
    npy: () => {
      const found = matrix()
      if (!found) throw new Error('no matrix')
      const { data, shape } = found
      return new Blob([npyBytes(data, shape)], { type: 'application/octet-stream' })
    },
  }
  const failure = el('p', { role: 'alert', hidden: true })
  const field = el('textarea', { readOnly: true, hidden: true, 'aria-label': t('share.field') })
  const buttons = Object.keys(makers).map((kind) =>
    el(
      'button',
      { type: 'button', 'data-save': kind, onclick: () => save(kind) },
      t(`save.${kind}`),
    ),
  )
  const summary = el('summary', {}, arrow())
  const element = el(
    'details',
    { class: 'save', ontoggle: listen, onkeydown: leave },
    summary,
    el('div', { class: 'menu' }, ...buttons, failure, field),
  )
  /** @type {AbortController | undefined} */
  let outside

  /** @param {string} kind */
  async function save(kind) {
    failure.hidden = true
    field.hidden = true
    try {
      const file = await makers[kind]()
      download(file, `${fileName()}.${kind}`)
      // A sandboxed frame drops downloads without a word, and cannot see whether it may save: what
      // it can see is that it has no origin.
      if (self === top || origin !== 'null') return close()
      setText(failure, t('save.framed'))
      if (/csv|svg/.test(kind) && file.size < MOST_COPIED) {
        field.value = await file.text()
        field.hidden = false
        field.focus()
        field.select()
      }
    } catch {
      setText(failure, t('save.failed'))
    }
    failure.hidden = false
  }

  function close() {
    if (element.contains(/** @type {ShadowRoot} */ (element.getRootNode()).activeElement)) {
      summary.focus()
    }
    element.open = false
  }

  /** @param {KeyboardEvent} event */
  function leave(event) {
    if (event.key !== 'Escape' || !element.open) return
    event.stopPropagation()
    close()
  }

  function listen() {
    outside?.abort()
    outside = undefined
    if (!element.open) return
    failure.hidden = true
    field.hidden = true
    // What failed to compute cannot be saved.
    for (const button of buttons) {
      if (button.dataset.save === 'npy') button.disabled = matrix() === undefined
    }
    outside = new AbortController()
    const { signal } = outside
    const closeOutside = (/** @type {Event} */ event) => {
      if (!event.composedPath().includes(element)) element.open = false
    }
    document.addEventListener('pointerdown', closeOutside, { signal })
    document.addEventListener('focusin', closeOutside, { signal })
  }

  return {
    element,
    name(name) {
      const label = t('save.open', { name })
      summary.setAttribute('aria-label', label)
      summary.title = label
    },
    destroy: () => outside?.abort(),
  }
}

/** An arrow into a tray. */
function arrow() {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11')
  svg.append(path)
  return svg
}
