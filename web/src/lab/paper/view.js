// Paper says, your run says: published figures beside the reader's own, and whether they agree.
import { rankLines } from '../../charts/ranks.js'
import { formatCount } from '../../kit/format.js'
import { marked } from '../../kit/dom.js'
import { html, nothing } from '../../kit/scene.js'
import { MODES } from '../../state/modes.js'
import { percent, taskName } from '../words.js'
import { ORDERS, SCALINGS, lastWithAll, orderOf } from './published.js'
import { matchingLength } from './verdict.js'
import { cardFacts, gainSentence, gapFacts, quarrel, seedFacts, verdictSentence } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {object} Model what is read
 * @property {State} state
 * @property {import('../run/plan.js').PlanOptions} settings
 * @property {Pick<import('../run/race.js').Race, 'entries'>} race
 * @property {import('./verdict.js').Verdicts} verdicts
 * @typedef {{ text: (key: string, values?: object) => string,
 *   set: (patch: object, cause?: 'preset') => void }} Scope
 */

/**
 * A task of Kazemnejad's ten that small models learn with nearly every code, at the paper's length and
 * trained as there, on all lengths up to it.
 * @type {Partial<State>}
 */
const SORTING = {
  labTasks: 'sort',
  labShown: 'sort',
  labCodes: MODES.join('.'),
  labSeeds: 3,
  labLength: 20,
  labUpTo: true,
  labLayers: 2,
  labSteps: 1000,
  labRate: 0.005,
  labCausal: true,
  labRandomized: false,
}

/**
 * Nothing is said of a code before all of its seeds have ended: what the panel depends on.
 * @param {Model} model
 * @param {unknown} t the language
 */
export function paperKey({ state, race, verdicts, settings }, t) {
  const begun = race.entries.filter(({ info }) => info).length
  const ended = [...verdicts.run.codes.values()].map(({ finished }) => finished)
  return [t, JSON.stringify(settings), state.labShown, begun, ended.join()]
}

/** @param {Scope} scope @param {Model} model */
export function papers({ text: t, set }, model) {
  const { state, settings, race, verdicts } = model
  const { run, gain } = verdicts
  const code = (/** @type {string} */ name) => t(`mode.${name}`)
  const parameters = { shift: settings.taskShift, modulo: settings.taskModulo }
  const task = taskName(/** @type {any} */ (t), state.labShown, parameters)
  const most = Math.max(0, ...race.entries.map(({ info }) => info?.parameters ?? 0))
  const title = html`<h2>${t('paper.title')}</h2>`
  const inner = html`<p class="source">
      ${t(most > 0 ? 'paper.note' : 'paper.note.none', { parameters: formatCount(most) })}
    </p>
    <div class="papers">
      ${ORDERS.map(orderCard)}
      ${card('randomized', gain.verdict, gainSentence(t, run, gain, task), [])}
      ${card('yarn', 'not', t('paper.yarn.task'), [], scalingTable())}
      <section class="paper">
        <h3>${t('paper.quarrel')}</h3>
        ${quarrel(t).map((text) => html`<p>${marked(text)}</p>`)}
      </section>
      <section class="paper">
        <h3>${t('paper.gap')}</h3>
        ${list(gapFacts(t, run, settings))}
      </section>
    </div>`
  // A figure in a text is long enough without it: there it opens at a press.
  return html`${theory()}${
    state.controls === 'full'
      ? html`<section>${title}${inner}</section>`
      : html`<details>
          <summary>${title}</summary>
          ${inner}
        </details>`
  }`

  /** What the task asks for, and what theory says of each code. */
  function theory() {
    const known = new Map(
      race.entries
        .filter((entry) => entry.task === state.labShown && entry.info)
        .map((entry) => [entry.code, entry.info]),
    )
    return html`<section class="theory">
      <h2>${task}</h2>
      <p>${marked(t(`task.${state.labShown}.what`, parameters))}</p>
      <p class="source" ?hidden=${known.size === 0}>${t('task.theory')}</p>
      <ul>
        ${[...known].map(
          ([id, info]) =>
            html`<li class="hue-${id}">
              <i class="dot"></i> ${code(id)} <strong>${t(`solvable.${info?.solvable}`)}</strong>
              ${t(`reason.${info?.reason}`)}
            </li>`,
        )}
      </ul>
    </section>`
  }

  /**
   * @param {string} id
   * @param {string} verdict
   * @param {string} why
   * @param {string[]} facts
   * @param {unknown} [content]
   * @param {unknown} [more]
   */
  function card(id, verdict, why, facts, content = nothing, more = nothing) {
    return html`<section class="paper" data-paper=${id} data-verdict=${verdict}>
      <h3>${t(`paper.${id}.title`)}</h3>
      <p class="source">${marked(t(`paper.${id}.source`))}</p>
      ${content}
      <p class="verdict"><strong>${t(`paper.${verdict}`)}</strong> <span>${marked(why)}</span></p>
      ${list(facts)}${more}
    </section>`
  }

  /** @param {import('./published.js').Published} paper @param {number} i */
  function orderCard(paper, i) {
    const { id, points, trained, places } = paper
    const found = verdicts.orders[i]
    const facts = cardFacts(t, run, found)
    const ranking = id === 'ranking'
    if (ranking) facts.push(...seedFacts(t, run))
    const columns = points.map(({ length }) =>
      t('paper.column', { length, times: Math.round(length / trained) }),
    )
    const rows = orderOf(paper, lastWithAll(paper)).map((name) => [
      code(name),
      ...points.map(({ values }) => values[name]?.toFixed(places) ?? '–'),
    ])
    const content = html`<div>
      ${points.length > 1 ? table(t(`paper.${id}.title`), columns, rows) : nothing}
      ${ranks(paper, found)}
    </div>`
    const setUp = html`<button type="button" class="quiet" @click=${() => set(SORTING, 'preset')}>
      ${t('paper.setUp')}
    </button>`
    const why = verdictSentence(t, paper, run, found, task)
    return card(id, found.verdict, why, facts, content, ranking ? setUp : nothing)
  }

  /**
   * Both orders, the paper's and the run's, at the length at which they are held together.
   * @param {import('./published.js').Published} paper
   * @param {import('./verdict.js').Verdict} found
   */
  function ranks(paper, { point = paper.points[0], order, untrained }) {
    const theirs = orderOf(paper, point)
    const at = matchingLength(paper, point.length, run.length)
    /** @param {string} name @param {readonly string[][]} lines a code, and how well */
    const ranked = (name, lines) =>
      html`<div>
        <p class="source">${name}</p>
        <ol aria-label=${name}>
          ${lines.map(([one, value]) => html`<li><span>${one}</span> ${value}</li>`)}
        </ol>
      </div>`
    return html`<div class="ranks">
      ${ranked(
        t('paper.theirs', { times: Math.round(point.length / paper.trained) }),
        theirs.map((name) => [code(name), point.values[name]?.toFixed(paper.places) ?? '']),
      )}
      ${rankLines(theirs, order, (name) => `hue-${name}`)}
      ${ranked(t('paper.yours', { length: at }), [
        ...order.map((name) => [
          code(name),
          percent(/** @type {any} */ (t), run.codes.get(name)?.about[at - 1] ?? NaN),
        ]),
        ...untrained.map((name) => [code(name), t('paper.raw')]),
      ])}
    </div>`
  }

  function scalingTable() {
    const rows = Object.entries(SCALINGS.values).map(([name, values]) => [
      t(`ropeType.${name}`),
      ...values.map((value) => value.toFixed(2)),
    ])
    return table(t('paper.yarn.title'), SCALINGS.lengths.map(String), rows)
  }
}

/** @param {string[]} lines */
const list = (lines) =>
  html`<ul>
    ${lines.map((line) => html`<li>${marked(line)}</li>`)}
  </ul>`

/**
 * @param {string} caption
 * @param {string[]} columns
 * @param {string[][]} rows heading first
 */
const table = (caption, columns, rows) =>
  html`<table>
    <caption class="visually-hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${columns.map((text) => html`<th scope="col">${text}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([head, ...cells]) =>
          html`<tr>
            <th scope="row">${head}</th>
            ${cells.map((text) => html`<td>${text}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
