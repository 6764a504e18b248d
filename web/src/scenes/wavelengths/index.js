// Wavelengths: which pairs of RoPE have turned at least once in training, and what each scaling makes of
// them. What is computed and what is said.
import { formatCount } from '../../kit/format.js'
import { compute } from './model.js'
import { mountWavelengths } from './view.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../../text/text.js').Translate} Translate
 * @typedef {import('../../text/text.js').TextKey} TextKey
 * @typedef {import('./model.js').WavelengthsModel} WavelengthsModel
 */

/**
 * The one sentence under the figure.
 * @param {Translate} t
 * @param {State} _state
 * @param {WavelengthsModel} model
 * @returns {{ lead: string, body: string, failing: boolean }}
 */
function say(t, _state, { state, plain: { turned }, types, length }) {
  const { ropeType, ropeFactor, trainedLength, ropePairs } = state
  const { unseen } = types[ropeType]
  const name = t(`ropeType.${ropeType}`)
  const values = {
    name,
    factor: ropeFactor,
    turned,
    rest: ropePairs - turned,
    pairs: ropePairs,
    trained: formatCount(trainedLength),
    length: formatCount(length),
    unseen,
  }
  const lead = t(ropeType === 'default' ? 'wavelengths.lead' : 'wavelengths.lead.factor', values)
  /** @type {TextKey} */
  let key = 'wavelengths.say.none'
  if (values.rest === 0) key = 'wavelengths.say.all'
  else if (length <= trainedLength) key = 'wavelengths.say.within'
  else if (unseen === values.rest) key = 'wavelengths.say.unseen.all'
  else if (unseen > 0) key = 'wavelengths.say.unseen'
  return { lead, body: t(key, values), failing: unseen > 0 }
}

export const wavelengths = Object.freeze({
  id: 'wavelengths',
  /** Factor, reach and the pair have their own places under the figure. */
  fields: ['trainedLength', 'ropePairs', 'ropeBase'],
  compute,
  say,
  mount: mountWavelengths,
})
