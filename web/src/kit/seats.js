// The row of seats: which of them have a row in the table, and the cursor. Several scenes stand on it.
import { drawSeats, seatsHeight } from '../charts/seats.js'
import { mark, positionAxis } from './plot.js'

/**
 * A figure of a scene whose model has `learned.rows`; what differs is spread over it.
 * @param {(scope: any) => object} more options of the seats
 * @returns {import('./types').Figure<any, any>}
 */
export const seatStrip = (more) => ({
  x: ({ t, model }) => positionAxis(model.state.length, t('beyond.axis.position')),
  marks: (scope) => {
    const { model, gliding, theme, plot } = scope
    return [
      mark(drawSeats, {
        rect: { ...plot.rect, height: seatsHeight(theme) },
        tMax: model.learned.rows,
        trainedRows: model.state.tMax,
        cursor: gliding,
        wall: model.state.tMax,
        bounds: { x0: 0, x1: plot.width },
        ...more(scope),
      }),
    ]
  },
  cursor: ({ state }) => ({ x: state.position }),
  onDrag: ({ set }, { x }) => set({ position: x }),
  words({ t, state, model }) {
    const { tMax, length, grown } = model.state
    const { position } = state
    const values = { position, length, grown, last: tMax - 1 }
    return { name: t('beyond.seats'), summary: t('beyond.summary.seats', values) }
  },
  // Which seats have a row, and of what kind.
  table({ t, model: { state, learned } }) {
    const { tMax, length } = state
    const spans = /** @type {const} */ ([
      [0, tMax, 'beyond.seats.trained'],
      [tMax, learned.rows, 'beyond.seats.grown'],
      [learned.rows, length, 'beyond.seats.none'],
    ])
    return {
      caption: t('beyond.seats.caption'),
      columns: [t('beyond.seats'), t('beyond.seats.count'), t('beyond.seats.plate')],
      rows: spans
        .filter(([from, to]) => to > from)
        .map(([from, to, key]) => [`${from}–${to - 1}`, to - from, t(key)]),
    }
  },
  // A number a seat: 2 where training wrote the plate, 1 where it was added later, 0 where there is none.
  matrix({ model: { state, learned } }) {
    const { tMax, length } = state
    const data = Array.from({ length }, (_, seat) =>
      seat < tMax ? 2 : seat < learned.rows ? 1 : 0,
    )
    return { data, shape: [length] }
  },
})
