// How a code enters the model: added to the word's vector.
import { drawVectors } from '../../charts/vectors.js'
import { defineScene, html, mark } from '../../kit/scene.js'
import { formatNumber } from '../../text/text.js'
import { largestAbsolute, numberCell, rowOf } from '../../kit/numbers.js'

/** The word's vector as it comes, or times the square root of d. */
const WAYS = /** @type {const} */ (['plain', 'scaled'])
const PARTS = /** @type {const} */ (['word', 'code', 'sum'])

export const sum = defineScene({
  id: 'sum',
  fields: ['seed', 'base', 'tMax', 'grown', 'steps', 'rate'],

  async compute({ engine, codes, state }) {
    const { mode, dModel, seed, position } = state
    // Drawn from N(0, 1/d), about 1 long whatever d is, as the authors of the Transformer start it
    // (tensor2tensor, layers/modalities.py); torch.nn.Embedding starts from N(0, 1), √d long. That the
    // word is then multiplied by √d stands in Vaswani et al. 2017, section 3.4, without a reason.
    const root = Math.sqrt(dModel)
    const table = await engine.createTable({ tMax: 1, dModel, seed, scale: 1 / root })
    const [{ data: word }, matrix] = await Promise.all([
      table.values(),
      mode === 'sinusoidal' ? codes.sinusoidal(state) : codes.learned(state).then((l) => l.values),
    ])
    await table.dispose()
    const code = Float64Array.from(rowOf(matrix, position))
    const addition = async (/** @type {Float64Array} */ start) => {
      const end = start.map((value, i) => value + code[i])
      const [one, two, three] = await lengths(engine, code.length ? [start, code, end] : [start])
      const given = code.length > 0
      return {
        word: { data: start, size: one },
        code: given ? { data: code, size: two } : undefined,
        sum: given ? { data: end, size: three } : undefined,
      }
    }
    const scaled = word.map((/** @type {number} */ value) => value * root)
    const found = { plain: await addition(word), scaled: await addition(scaled) }
    const all = WAYS.flatMap((way) => Object.values(found[way]).flatMap((part) => part ?? []))
    // One scale for both figures: equal colours and bars are equal numbers.
    const limit = all.reduce((most, { data }) => largestAbsolute(data, most), 0) || 1
    return { ...found, limit, longest: Math.max(1e-9, ...all.map(({ size }) => size)) }
  },

  say({ t, model: { state, plain, scaled } }) {
    const { dModel: d, position, tMax, grown } = state
    const lead = t('sum.say.lead', { d })
    if (!plain.code) {
      return { lead, body: t('sum.say.none', { position, last: tMax + grown - 1 }), failing: true }
    }
    const one = (/** @type {number} */ value) => formatNumber(value, 1)
    const body = t('sum.say', {
      word: one(plain.word.size),
      code: one(plain.code.size),
      ratio: one(plain.code.size / plain.word.size),
      root: one(Math.sqrt(d)),
      scaled: one(scaled.word.size),
      after: one(plain.code.size / scaled.word.size),
    })
    return { lead, body }
  },

  figures: (each) =>
    each(WAYS, (way) => ({
      className: `sum sum-${way}`,
      classes: ({ model }) => !model[way].code && 'failing',
      marks: ({ t, model, theme }) => [
        mark(drawVectors, {
          vectors: PARTS.map((name) => ({
            ...model[way][name],
            label: {
              word: t(`sum.${way}.word`),
              code: `+ ${t('sum.code')}`,
              sum: `= ${t('sum.sum')}`,
            }[name],
            colour: { word: theme.nope, code: theme[model.state.mode], sum: theme.ink }[name],
            strong: name === 'sum',
          })),
          labels: [t('sum.scaled.word')],
          limit: model.limit,
          longest: model.longest,
          format: (size) => formatNumber(size, 2),
        }),
      ],
      words({ t, model }) {
        const sizes = PARTS.map((name) => [name, show(model[way][name]?.size)])
        const { dModel: d, position } = model.state
        const title = t(`sum.${way}.title`)
        const summary = t('sum.summary', { title, d, position, ...Object.fromEntries(sizes) })
        return { name: title, summary, limit: model.limit }
      },
      table: ({ t, model }) => ({
        caption: t('sum.table'),
        columns: [t('beyond.axis.dimension'), ...PARTS.map((name) => t(`sum.${name}`))],
        rows: [
          [t('sum.size'), ...PARTS.map((name) => numberCell(model[way][name]?.size))],
          ...Array.from({ length: model.state.dModel }, (_, i) => [
            i,
            ...PARTS.map((name) => numberCell(model[way][name]?.data[i])),
          ]),
        ],
      }),
      // Word, code and sum as three rows.
      matrix({ model }) {
        const rows = PARTS.flatMap((name) => Array.from(model[way][name]?.data ?? []))
        const shape = [3, model.state.dModel]
        return rows.length < 3 * shape[1] ? undefined : { data: rows, shape }
      },
    })),

  view: ({ figure, field, sentence }) =>
    html`<div class="main">
      ${WAYS.map(figure)}
      <div class="fields">${field('dModel')}${field('position')}</div>
      ${sentence}
    </div>`,
})

const show = (/** @type {number | undefined} */ size) =>
  size === undefined ? '–' : formatNumber(size)

/**
 * @param {any} engine
 * @param {Float64Array[]} rows
 * @returns {Promise<number[]>} the kernel's dot product of each row with itself, and its root
 */
async function lengths(engine, rows) {
  const shape = [rows.length, rows[0].length]
  const data = Float64Array.from(rows.flatMap((row) => Array.from(row)))
  const asked = rows.map((_, row) => engine.similarity({ data, shape, row, measure: 'dot' }))
  return (await Promise.all(asked)).map((products, row) => Math.sqrt(products[row]))
}
