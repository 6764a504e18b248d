// A real model: the table of its resolved fields, and its way to a spreadsheet.
import { tableTemplate } from '../../kit/figure.js'
import { formatCount } from '../../kit/format.js'
import { html } from '../../kit/scene.js'

/**
 * @typedef {import('./shown.js').Shown} Shown
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../kit/figure.js').NumberTable} NumberTable
 */

/** How long "copied" is said, in ms. */
const SAID_FOR = 2500

/** Fields with a word of their own; others show the key of the file. */
const WORDED = new Set(
  (
    'family width heads positions promised window rows offset buckets distance every headDim theta ' +
    'partial type original factor mrope'
  ).split(' '),
)
/** What goes without saying. */
const UNSAID = new Set(['encoding', 'declared', 'ropes', 'layers', 'name', 'bidirectional'])

/**
 * Every resolved field, its value, and where it comes from.
 * @param {Translate} t
 * @param {Shown} shown
 * @returns {NumberTable}
 */
export function fieldsTable(t, { reading: { fields, resolved } }) {
  const listed = fields.length > 0 ? fields : linkedFields(resolved)
  return {
    caption: t('model.fields'),
    columns: [t('model.column.field'), t('model.column.value'), t('model.column.from')],
    rows: listed.map(({ name, layers, value, from }) => {
      const called = WORDED.has(name) ? t(`model.field.${name}`) : name
      return [layers ? `${called} (${layers})` : called, valueText(value), originText(t, from)]
    }),
  }
}

/**
 * Of a link, which does not say where they come from.
 * @param {import('../../state/resolved.js').Resolved} resolved
 * @returns {{ name: string, layers?: string, value: any, from?: undefined }[]}
 */
function linkedFields(resolved) {
  return [resolved, ...resolved.ropes].flatMap((/** @type {any} */ part) =>
    Object.entries(part)
      .filter(([key]) => !UNSAID.has(key))
      .map(([key, value]) => ({
        name: key === 'mrope_section' ? 'mrope' : key,
        layers: part === resolved ? undefined : part.layers,
        value,
      })),
  )
}

/** @param {string | number | number[]} value */
function valueText(value) {
  if (Array.isArray(value)) {
    const few = value.slice(0, 6).join(', ')
    return value.length > 6 ? `${few}, … (${value.length})` : few
  }
  const large = typeof value === 'number' && value >= 10000 && value < 1e15
  return large ? formatCount(value) : String(value)
}

/** @param {Translate} t @param {import('../../config/source.js').Origin | undefined} from */
function originText(t, from) {
  if (from === undefined) return t('model.from.link')
  if ('assumed' in from) return t('model.from.assumed')
  if ('computed' in from) return from.computed
  const { key, line } = from
  return line === undefined ? key : t('model.from.line', { key, line })
}

/**
 * @param {import('../../kit/types').ViewScope<any, any>} scope
 * @param {() => NumberTable | undefined} numbers of the figure, which follow the fields in a spreadsheet
 */
export function createFields({ t, signal, refresh }, numbers) {
  let said = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let saying

  const say = (/** @type {string} */ text) => {
    said = text
    clearTimeout(saying)
    if (!signal.aborted) refresh()
  }

  /**
   * A frame may forbid the clipboard: then the older command, then the reader's own hand.
   * @param {HTMLElement} button
   * @param {string} text
   */
  async function copy(button, text) {
    const byHand = /** @type {HTMLTextAreaElement} */ (button.parentElement?.nextElementSibling)
    let done = true
    byHand.hidden = true
    try {
      await navigator.clipboard.writeText(text)
    } catch {
      byHand.value = text
      byHand.hidden = false
      byHand.focus()
      byHand.select()
      done = document.execCommand('copy')
      byHand.hidden = done
      if (done) button.focus()
    }
    say(t(done ? 'share.copied' : 'model.copy.hand'))
    if (done) saying = setTimeout(() => say(''), SAID_FOR)
  }

  /** @param {Shown} shown */
  return (shown) => {
    const fields = fieldsTable(t, shown)
    const all = () => [fields, numbers()].flatMap((table) => (table ? tabbed(table) : []))
    return html`<section class="card resolved">
      <h2>${t('model.fields')}</h2>
      <div class="numbers" tabindex="0" role="region" aria-label=${t('model.fields')}>
        ${tableTemplate(fields)}
      </div>
      <div class="row">
        <button
          type="button"
          class="quiet"
          data-copy
          @click=${(/** @type {any} */ { currentTarget }) => copy(currentTarget, all().join('\n\n'))}
        >
          ${t('model.copy')}
        </button>
        <span class="muted" role="status">${said}</span>
      </div>
      <textarea
        class="by-hand"
        hidden
        readonly
        rows="4"
        aria-label=${t('model.copy.hand')}
      ></textarea>
    </section>`
  }
}

/** Tab-separated, for a spreadsheet. @param {NumberTable} table */
function tabbed({ columns, rows }) {
  const cell = (/** @type {import('../../exports/csv.js').Cell} */ value) =>
    String(typeof value === 'object' ? value.value : value).replace(/[\t\r\n]/g, ' ')
  return [columns, ...rows].map((row) => row.map(cell).join('\t')).join('\n')
}
