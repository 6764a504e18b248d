// Similarity: why the offset decides. Each pair turns by the same angle, wherever it starts.
import { fillNumber, setFont } from '../../charts/core/canvas.js'
import { drawTurn } from '../../charts/turn.js'
import { showAngle, turnAngles } from './words.js'

const MOST = 4

/**
 * The pairs whose turns are drawn: the slow half hardly turns, the fast one is where there is
 * something to see.
 * @param {number} dModel
 * @returns {number[]}
 */
export function pairsThatTurn(dModel) {
  const count = Math.floor(dModel / 2)
  const shown = Math.min(count, MOST)
  const last = Math.min(count - 1, Math.max(shown - 1, Math.round(count / 2) - 1))
  return Array.from({ length: shown }, (_, i) =>
    shown === 1 ? 0 : Math.round((i * last) / (shown - 1)),
  )
}

/**
 * A row of clocks for each cursor, a column for each pair, its angle on top.
 * @param {import('../../charts/core/canvas.js').Frame} frame
 * @param {import('./index.js').SimilarityModel} model
 * @param {number[]} pairs
 * @param {import('../../text/text.js').Translate} t
 */
export function drawTurnRows({ ctx, width, height, theme }, model, pairs, t) {
  if (pairs.length === 0) return
  const { position, position2, offset } = model.state
  const angles = turnAngles(model)
  const px = setFont(ctx, theme)
  const labels = [position, position2].map((from) =>
    t('similarity.step', { from, to: from + offset }),
  )
  const left = Math.max(...labels.map((text) => ctx.measureText(text).width)) + 8
  const column = (width - left) / MOST
  const head = px * 1.6
  const line = (height - head) / 2
  const radius = Math.max(4, Math.min(column, line) / 2 - 6 * theme.lineWeight)
  labels.forEach((text, which) => {
    const y = head + (which + 0.5) * line
    setFont(ctx, theme)
    ctx.fillStyle = theme.muted
    ctx.textBaseline = 'middle'
    fillNumber(ctx, text, 0, y)
    const { from, to } = model.turns[which]
    pairs.forEach((pair, i) => {
      drawTurn(ctx, {
        x: left + (i + 0.5) * column,
        y,
        radius,
        from: { sine: from.sine[pair], cosine: from.cosine[pair] },
        to: { sine: to.sine[pair], cosine: to.cosine[pair] },
        angle: angles[pair],
        colour: theme.sinusoidal,
        theme,
      })
    })
  })
  setFont(ctx, theme, { weight: 600 })
  ctx.fillStyle = theme.ink
  ctx.textBaseline = 'middle'
  pairs.forEach((pair, i) => {
    fillNumber(ctx, showAngle(angles[pair]), left + (i + 0.5) * column, px * 0.8, 'center')
  })
}
