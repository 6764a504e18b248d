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
    const matrix = await (mode === 'sinusoidal'
      ? codes.sinusoidal(state)
      : codes.learned(state).then(({ values }) => values))
    const row = rowOf(matrix, position)
    const code = row.length > 0 ? Float64Array.from(row) : undefined
    const {
      root,
      codeNorm,
      word,
      sum: total,
      wordNorm,
      sumNorm,
      ratio,
    } = await engine.numbers.codeAddition({ dModel, seed, code })
    const partOf = (/** @type {Float64Array} */ rows, /** @type {number} */ way) =>
      rows.subarray(way * dModel, (way + 1) * dModel)
    const parts = WAYS.map((name, way) => ({
      word: { data: partOf(word, way), size: wordNorm[way] },
      code: code && { data: code, size: codeNorm },
      sum: code && { data: partOf(total, way), size: sumNorm[way] },
      ratio: ratio[way],
    }))
    const found = { plain: parts[0], scaled: parts[1], root }
    const all = WAYS.flatMap((way) => PARTS.flatMap((part) => found[way][part] ?? []))
    // One scale for both figures: equal colours and bars are equal numbers.
    const limit = all.reduce((most, { data }) => largestAbsolute(data, most), 0) || 1
    return { ...found, limit, longest: Math.max(1e-9, ...all.map(({ size }) => size)) }
  },

  say({ t, model: { state, plain, scaled, root } }) {
    const { dModel: d, position, tMax, grown } = state
    const lead = t('sum.say.lead', { d })
    if (!plain.code) {
      return { lead, body: t('sum.say.none', { position, last: tMax + grown - 1 }), failing: true }
    }
    const one = (/** @type {number} */ value) => formatNumber(value, 1)
    const body = t('sum.say', {
      word: one(plain.word.size),
      code: one(plain.code.size),
      ratio: one(plain.ratio),
      root: one(root),
      scaled: one(scaled.word.size),
      after: one(scaled.ratio),
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
