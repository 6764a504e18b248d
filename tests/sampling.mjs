// How often a property is tried: `npm run check` samples, `npm test` tries all.
const sampled = process.env.POSENC_SAMPLED === '1'

/** @param {number} all @param {number} [few] */
export const times = (all, few = Math.ceil(all / 20)) => (sampled ? few : all)
