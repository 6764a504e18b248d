// Rotation: q and k turn by their own positions, pair by pair; their score knows m - n alone. The same
// planes show the sinusoidal code, whose rows a block rotation carries into one another.
import { drawArrow } from '../../charts/core/arrow.js'
import { fillNumber, numberWidth, roundRect, setFont } from '../../charts/core/canvas.js'
import { drawHeatmap } from '../../charts/heatmap.js'
import { drawPermutation } from '../../charts/permutation.js'
import { drawPlanes } from '../../charts/planes.js'
import { drawSeats } from '../../charts/seats.js'
import { formatError } from '../../kit/format.js'
import { numberCell } from '../../kit/numbers.js'
import { GRIP, defineScene, html, mark, positionAxis } from '../../kit/scene.js'
import { MAX_SEATS } from '../../state/fields.js'
import { formatNumber } from '../../text/text.js'
import { computeCode, computeRope, pairsOf } from './score.js'

const STEPS = [-10, -1, 1, 10]
const LAYOUTS = ['interleaved', 'half-split']
/** So many decimals of a score lie above the float32 of turned vectors. */
const PLACES = 3

export const rotation = defineScene({
  id: 'rotation',
  fields: ['pairs', 'base', 'length', 'seed'],
  compute: async ({ engine, state, memory }) =>
    state.mode === 'sinusoidal'
      ? computeCode(engine, state, memory)
      : computeRope(engine, state, memory),

  values({ t, model: { state, shown, frequencies } }) {
    const { position: m, position2: n, mode } = state
    const code = mode === 'sinusoidal'
    const back = signed(n - m)
    return {
      ...{ m, n, code, back },
      hue: /** @type {'sinusoidal' | 'rope'} */ (code ? 'sinusoidal' : 'rope'),
      /** Of the two arrows. */
      names: code ? ['m', 'n'] : ['q', 'k'],
      offset: signed(m - n),
      score: show(shown.score),
      speeds: Array.from(frequencies, speedOf).join(', '),
      parts: Array.from(shown.parts, show).join(', '),
      block: t('rotation.block', { offset: back }),
    }
  },

  say({ t, values }) {
    let key = 'rotation.say'
    if (values.m === values.n) key = 'rotation.say.same'
    if (values.code) key = 'rotation.say.code'
    return { lead: t('rotation.lead', values), body: t(key, values) }
  },

  /** Where the hand was that has taken hold of both cursors. */
  own: () => ({ at: 0 }),

  figures: {
    planes: {
      marks: ({ t, model: { pairs, shown, still, frequencies }, values, theme }) => {
        const { code, m, n, names } = values
        // A row of the code is (sine, cosine): sine to the right. RoPE's first entry points upwards.
        const place = (
          /** @type {ArrayLike<number>} */ v,
          /** @type {[number, number]} */ [a, b],
        ) => (code ? { x: v[a], y: v[b] } : { x: v[b], y: v[a] })
        return [
          mark(drawPlanes, {
            names,
            colour: theme[values.hue],
            planes: pairs.map((pair, j) => ({
              arrows: [place(shown.q, pair), place(shown.k, pair)],
              ghosts: still ? [place(still.q, pair), place(still.k, pair)] : [],
              turns: [frequencies[j] * m, frequencies[j] * n],
              axes: code ? [`${pair[0]}`, `${pair[1]}`] : [`${pair[1]}`, `${pair[0]}`],
              head: t('rotation.speed', { degrees: speedOf(frequencies[j]) }),
              foot: `${shown.parts[j] < 0 ? '' : '+'}${show(shown.parts[j])}`,
            })),
          }),
        ]
      },
      words({ t, text, values }) {
        const key = values.code ? 'rotation.planes.code' : 'rotation.planes'
        return {
          name: t(key),
          note: text(`${key}.note`),
          summary: t('rotation.summary', values),
        }
      },
      table: planesTable,
      // Both vectors as they are drawn.
      matrix: ({ model: { shown } }) => ({
        data: [...Array.from(shown.q), ...Array.from(shown.k)],
        shape: [2, shown.q.length],
      }),
    },
    seats: {
      x: ({ t, state }) => positionAxis(state.length, t('beyond.axis.position')),
      marks: ({ state, values, theme }) => [
        mark(drawSeats, { tMax: 0, plates: false, least: 9, cursor: null }),
        (plot) => {
          const [query, key] = values.names
          drawCursors(plot, theme[values.hue], [
            { at: state.position2, name: `${key} ${state.position2}`, filled: false },
            { at: state.position, name: `${query} ${state.position}`, filled: true },
          ])
        },
      ],
      cursor: ({ state: { position, position2 } }) =>
        [position, position2, position].map((x) => ({ x })),
      // Between the two a hand has both.
      grip({ state, own }, { x, point, plot }) {
        own.at = x
        const [m, n] = [state.position, state.position2].map(plot.x.centre)
        const [toM, toN] = [Math.abs(m - point.x), Math.abs(n - point.x)]
        if ((point.x - m) * (point.x - n) < 0 && Math.min(toM, toN) > GRIP) return 2
        return toN < toM ? 1 : 0
      },
      onDrag(scope, { x, handle, point }) {
        const { state, set, own } = scope
        const { position, position2, length } = state
        if (handle < 2) {
          set({ [handle === 0 ? 'position' : 'position2']: x })
          return
        }
        const from = Number.isNaN(point.x) ? position : own.at
        const low = -Math.min(position, position2)
        const high = length - 1 - Math.max(position, position2)
        own.at = x
        shift(scope, Math.min(high, Math.max(low, x - from)))
      },
      words: ({ t, values }) => ({
        name: t('rotation.strip'),
        summary: t('rotation.summary.strip', values),
      }),
      table: planesTable,
    },
    order: {
      className: 'card permutation',
      marks: ({ t, model, theme }) => [
        mark(drawPermutation, {
          pairs: LAYOUTS.map((name) => pairsOf(model.state.pairs, name)),
          chosen: LAYOUTS.indexOf(model.state.layout),
          labels: LAYOUTS.map((name) => t(`rotation.layout.${name}`)),
          colour: theme.rope,
        }),
      ],
      words: ({ t }) => ({ name: t('rotation.order'), summary: t('rotation.summary.order') }),
      table({ t, state }) {
        const [one, other] = LAYOUTS.map((name) => pairsOf(state.pairs, name))
        return {
          caption: t('rotation.order'),
          columns: [
            t('rotation.column.pair'),
            ...LAYOUTS.map((name) => t(`rotation.layout.${name}`)),
          ],
          rows: one.map((pair, j) => [j, pair.join(', '), other[j].join(', ')]),
        }
      },
      above: ({ t, choice }) =>
        choice('layout', { describe: (name) => t(`rotation.layout.${name}`) }),
      below: ({ t, model: { scores } }) =>
        scores &&
        html`<table class="scores" aria-label=${t('rotation.scores')}>
          <tbody>
            ${Object.entries(scores).map(
              ([name, score]) =>
                html`<tr>
                  <th scope="row">${t(`rotation.${name}`)}</th>
                  <td>${show(score)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
    },
    block: {
      className: 'card block',
      marks: ({ model, theme }) => [
        ({ ctx, width, height, cache }) => {
          if (!model.rotation) return
          const { data, shape } = model.rotation
          const [rows, columns] = shape
          const edge = Math.min(width, height)
          const rect = { x: (width - edge) / 2, y: 0, width: edge, height: edge }
          // Columns of the matrix run along x here: it is drawn transposed.
          const turned = data.map((_, i) => data[(i % columns) * columns + Math.floor(i / columns)])
          drawHeatmap(ctx, { rect, data: turned, rows, columns, limit: 1, theme, cache })
          ctx.strokeStyle = theme.rule
          ctx.strokeRect(rect.x, rect.y, rect.width, rect.height)
        },
      ],
      words: ({ t, values: { block: name } }) => ({
        name,
        limit: 1,
        summary: t('rotation.summary.block', { name }),
      }),
      table({ t, model, values }) {
        const { data, shape } = model.rotation ?? { data: new Float64Array(), shape: [0, 0] }
        const [rows, columns] = shape
        return {
          caption: values.block,
          columns: [
            t('beyond.axis.dimension'),
            ...Array.from({ length: columns }, (_, i) => String(i)),
          ],
          rows: Array.from({ length: rows }, (_, row) => [
            row,
            ...Array.from(data.subarray(row * columns, (row + 1) * columns), (value) =>
              numberCell(value),
            ),
          ]),
        }
      },
      matrix: ({ model }) => model.rotation,
      below({ t, model, values: { m, n, back } }) {
        if (!model.rotation) return undefined
        const error = formatError(model.rotation.error)
        return html`<p class="rest">${t('rotation.rest', { offset: back, m, n, error })}</p>`
      },
    },
  },

  view(scope) {
    const { t, state, model, values, figure, tools, field, sentence } = scope
    figure('planes').style.setProperty('--pairs', String(state.pairs))
    const score = values.code ? 'rotation.score.code' : 'rotation.score'
    return html`<div class="main">
        ${figure('planes')}${figure('seats')}${named('m', field('position', tools('seats')))}
        <div class="moves">
          ${named('n', field('position2'))}
          <div class="shift" role="group" aria-label=${t('rotation.shift')}>
            <span class="label">${t('rotation.shift')}</span>
            ${STEPS.map(
              (step) =>
                html`<button
                  type="button"
                  class="quiet"
                  data-step=${step}
                  ?disabled=${!mayShift(state, step)}
                  @click=${() => shift(scope, step)}
                >
                  ${step > 0 ? `+${step}` : signed(step)}
                </button>`,
            )}
          </div>
        </div>
        ${sentence}
      </div>
      <div class="side">
        <section class="card numbers-two">
          <p>
            <span class="muted">${model && t(score, values)}</span>
            <b class="amount-score">${values.score}</b>
          </p>
          <p>
            <span class="muted">${t('rotation.offset')}</span>
            <b class="amount-offset">${values.offset}</b>
          </p>
          <p class="muted">${t('rotation.note')}</p>
        </section>
        ${model && figure(model.scores ? 'order' : 'block')}
      </div>`
  },
})

/** @param {number} value */
const show = (value) => formatNumber(value, PLACES)

/** @param {number} value a whole number, with a real minus sign */
const signed = (value) => formatNumber(value, 0)

/** Degrees a seat. @param {number} radians */
const speedOf = (radians) => `${Number(((radians * 180) / Math.PI).toPrecision(3))}°`

/** @param {{ position: number, position2: number }} state @param {number} step */
const mayShift = ({ position, position2 }, step) =>
  Math.min(position, position2) + step >= 0 && Math.max(position, position2) + step < MAX_SEATS

/**
 * Both cursors by the same step, which leaves the offset.
 * @param {any} scope
 * @param {number} step
 */
function shift({ state, set }, step) {
  const [m, n] = [state.position + step, state.position2 + step]
  if (!mayShift(state, step)) return
  set({ position: m, position2: n, length: Math.max(state.length, m + 1, n + 1) })
}

/**
 * A field whose label begins with the letter of the formulas.
 * @param {string} letter
 * @param {HTMLElement} field
 */
function named(letter, field) {
  const label = field.querySelector('.label')
  if (!label?.textContent?.startsWith(`${letter} · `)) label?.prepend(`${letter} · `)
  return field
}

/** @type {import('../../kit/types').Figure<any, any>['table']} */
function planesTable({ t, state, model: { pairs, shown, frequencies }, values }) {
  const [a, b] = values.names
  return {
    caption: t('rotation.table', { m: state.position, n: state.position2 }),
    columns: [
      t('rotation.column.pair'),
      t('rotation.column.speed'),
      ...[`${a}₀`, `${a}₁`, `${b}₀`, `${b}₁`],
      t('rotation.column.part'),
    ],
    rows: pairs.map((/** @type {[number, number]} */ pair, /** @type {number} */ j) => [
      pair.join(', '),
      numberCell(frequencies[j], speedOf(frequencies[j])),
      ...[...pair.map((i) => shown.q[i]), ...pair.map((i) => shown.k[i]), shown.parts[j]].map(
        (value) => numberCell(value, show(value)),
      ),
    ]),
  }
}

/**
 * An arrow from the key to the query, each a badge with its seat.
 * @param {import('../../kit/types').Plot} plot
 * @param {string} hue
 * @param {{ at: number, name: string, filled: boolean }[]} cursors
 */
function drawCursors({ ctx, width, theme, rect, x: scale }, hue, cursors) {
  const middle = rect.height - 13 * theme.typeScale
  const px = setFont(ctx, theme, { weight: 700 })
  const size = px * 1.9
  const spots = cursors.map((one) => ({
    ...one,
    x: scale.centre(one.at),
    wide: numberWidth(ctx, one.name) + px,
  }))
  const [from, to] = spots
  const apart = Math.abs(from.x - to.x) > (from.wide + to.wide) / 2
  if (apart) {
    const end = to.x - Math.sign(to.x - from.x) * to.wide * 0.5
    drawArrow(ctx, { from: from.x, to: end, y: middle, colour: theme.ink, theme })
  }
  for (const { x, name, wide, filled } of spots) {
    const low = Math.min(width - wide / 2 - 1, Math.max(wide / 2 + 1, x))
    // Where both are near, the key stands above the query.
    const top = middle - size / 2 - (!apart && !filled ? size + 2 : 0)
    ctx.fillStyle = filled ? hue : theme.panel
    ctx.strokeStyle = filled ? hue : theme.ink
    ctx.lineWidth = 2 * theme.lineWeight
    ctx.beginPath()
    roundRect(ctx, low - wide / 2, top, wide, size, size / 2)
    ctx.fill()
    ctx.stroke()
    setFont(ctx, theme, { weight: 700 })
    ctx.fillStyle = filled ? theme.panel : theme.ink
    ctx.textBaseline = 'middle'
    fillNumber(ctx, name, low, top + size / 2, 'center')
  }
}
