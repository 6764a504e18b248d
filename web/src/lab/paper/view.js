// Paper says, your run says: published figures beside the reader's own, and whether they agree.
import { rankLines } from '../../charts/ranks.js'
import { MODES } from '../../state/modes.js'
import { withPatch } from '../../state/state.js'
import { formatCount } from '../../kit/format.js'
import { ORDERS, SCALINGS, lastWithAll, orderOf } from './published.js'
import { matchingLength } from './verdict.js'
import { percent, taskName } from '../words.js'
import { cardFacts, gainSentence, gapFacts, quarrel, seedFacts, verdictSentence } from './words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {{ state: State, settings: import('../run/plan.js').PlanOptions, race?: import('../run/race.js').Race,
 *   verdicts: import('./verdict.js').Verdicts }} Model what is read
 * @typedef {import('./published.js').Published} Published
 * @typedef {import('./verdict.js').Run} Run
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
 * @param {import('../../kit/host.js').SceneHost} host
 * @param {HTMLElement} place
 * @returns {{ draw: (model: Model) => void, destroy: () => void }}
 */
export function mountPaper(host, place) {
  const { el, setText } = host
  const t = (
    /** @type {string} */ key,
    /** @type {Record<string, string | number>} */ values = {},
  ) => host.t(key, values)
  const code = (/** @type {string} */ name) => t(`mode.${name}`)

  const task = taskBlock()
  const orders = ORDERS.map((paper) => ({ paper, ...orderCard(paper) }))
  const gain = card('randomized')
  const scalings = card('yarn', scalingTable())
  fill(scalings, 'not', t('paper.yarn.task'), [])
  const gaps = el('ul')
  const note = el('p', { class: 'source' })
  const setUp = el(
    'button',
    {
      type: 'button',
      class: 'quiet',
      onclick: () => host.accept(withPatch(host.state(), SORTING), 'preset'),
    },
    t('paper.setUp'),
  )
  orders[1].element.append(setUp)
  const title = el('h2', {}, t('paper.title'))
  // A figure in a text is long enough without it: there it opens at a press.
  const shell =
    host.state().controls === 'full'
      ? el('section', {}, title)
      : el('details', {}, el('summary', {}, title))
  shell.append(
    note,
    el(
      'div',
      { class: 'papers' },
      ...[...orders, gain, scalings].map(({ element }) => element),
      el(
        'section',
        { class: 'paper' },
        el('h3', {}, t('paper.quarrel')),
        ...quarrel(t).map((text) => el('p', {}, text)),
      ),
      el('section', { class: 'paper' }, el('h3', {}, t('paper.gap')), gaps),
    ),
  )
  place.replaceChildren(task.element, shell)

  /**
   * @param {string} id
   * @param {HTMLElement} [content]
   */
  function card(id, content) {
    const chip = el('strong')
    const why = el('span')
    const facts = el('ul')
    const element = el(
      'section',
      { class: 'paper', 'data-paper': id },
      el('h3', {}, t(`paper.${id}.title`)),
      el('p', { class: 'source' }, t(`paper.${id}.source`)),
      content,
      el('p', { class: 'verdict' }, chip, ' ', why),
      facts,
    )
    return { element, chip, why, facts }
  }

  /**
   * @param {{ element: HTMLElement, chip: Element, why: Element, facts: HTMLElement }} parts
   * @param {string} verdict
   * @param {string} sentence
   * @param {string[]} facts
   */
  function fill({ element, chip, why, facts: list }, verdict, sentence, facts) {
    element.dataset.verdict = verdict
    setText(chip, t(`paper.${verdict}`))
    setText(why, sentence)
    list.replaceChildren(...facts.map((text) => el('li', {}, text)))
  }

  /**
   * @param {string} caption
   * @param {string[]} columns
   * @param {{ head: string, cells: string[], hue?: string }[]} rows
   */
  function table(caption, columns, rows) {
    return el(
      'table',
      {},
      el('caption', { class: 'visually-hidden' }, caption),
      el(
        'thead',
        {},
        el('tr', {}, el('td'), ...columns.map((text) => el('th', { scope: 'col' }, text))),
      ),
      el(
        'tbody',
        {},
        ...rows.map(({ head, cells }) =>
          el(
            'tr',
            {},
            el('th', { scope: 'row' }, head),
            ...cells.map((text) => el('td', {}, text)),
          ),
        ),
      ),
    )
  }

  /** @param {Published} paper */
  function orderCard(paper) {
    const { id, points, trained, places } = paper
    const codes = orderOf(paper, lastWithAll(paper))
    const columns = points.map(({ length }) =>
      t('paper.column', { length, times: Math.round(length / trained) }),
    )
    const rows = codes.map((name) => ({
      head: code(name),
      cells: points.map(({ values }) => values[name]?.toFixed(places) ?? '–'),
    }))
    const whole = points.length > 1 && table(t(`paper.${id}.title`), columns, rows)
    const ranks = el('div', { class: 'ranks' })
    return { ...card(id, el('div', {}, whole, ranks)), ranks }
  }

  /**
   * Both orders, the paper's and the run's, at the length at which they are held together.
   * @param {{ paper: Published, ranks: HTMLElement }} one
   * @param {Run} run
   * @param {import('./verdict.js').Verdict} found
   */
  function drawRanks({ paper, ranks }, run, { point = paper.points[0], order, untrained }) {
    const theirs = orderOf(paper, point)
    const at = matchingLength(paper, point.length, run.length)
    /** @param {string} name @param {readonly string[][]} lines a code, and how well */
    const list = (name, lines) =>
      el(
        'div',
        {},
        el('p', { class: 'source' }, name),
        el(
          'ol',
          { 'aria-label': name },
          ...lines.map(([one, value]) => el('li', {}, el('span', {}, one), ' ', value)),
        ),
      )
    ranks.replaceChildren(
      list(
        t('paper.theirs', { times: Math.round(point.length / paper.trained) }),
        theirs.map((name) => [code(name), point.values[name]?.toFixed(paper.places) ?? '']),
      ),
      rankLines(theirs, order, (name) => `hue-${name}`),
      list(t('paper.yours', { length: at }), [
        ...order.map((name) => [code(name), percent(t, run.codes.get(name)?.about[at - 1] ?? NaN)]),
        ...untrained.map((name) => [code(name), t('paper.raw')]),
      ]),
    )
  }

  function scalingTable() {
    const rows = Object.entries(SCALINGS.values).map(([name, values]) => ({
      head: t(`ropeType.${name}`),
      cells: values.map((value) => value.toFixed(2)),
    }))
    return table(t('paper.yarn.title'), SCALINGS.lengths.map(String), rows)
  }

  /** What the task asks for, and what theory says of each code. */
  function taskBlock() {
    const name = el('h2')
    const what = el('p')
    const theory = el('p', { class: 'source' }, t('task.theory'))
    const codes = el('ul')
    const element = el('section', { class: 'theory' }, name, what, theory, codes)
    return { element, name, what, theory, codes }
  }

  /** @param {Model} model @returns {string} what the task is called */
  function drawTask({ state: { labShown }, settings, race }) {
    const values = { shift: settings.taskShift, modulo: settings.taskModulo }
    const name = taskName(host.t, labShown, values)
    setText(task.name, name)
    setText(task.what, t(`task.${labShown}.what`, values))
    const known = new Map(
      (race?.entries ?? [])
        .filter((entry) => entry.task === labShown && entry.info)
        .map((entry) => [entry.code, entry.info]),
    )
    const lines = [...known].map(([id, info]) =>
      el(
        'li',
        { class: `hue-${id}` },
        el('i', { class: 'dot' }),
        ` ${code(id)} `,
        el('strong', {}, t(`solvable.${info?.solvable}`)),
        ` ${t(`reason.${info?.reason}`)}`,
      ),
    )
    task.codes.replaceChildren(...lines)
    task.theory.hidden = lines.length === 0
    return name
  }

  /** @param {Model} model @param {string} name of the task */
  function drawVerdicts({ verdicts, settings, race }, name) {
    const { run, gain: judged } = verdicts
    for (const [i, one] of orders.entries()) {
      const verdict = verdicts.orders[i]
      const facts = cardFacts(t, run, verdict)
      if (one.paper.id === 'ranking') facts.push(...seedFacts(t, run))
      drawRanks(one, run, verdict)
      fill(one, verdict.verdict, verdictSentence(t, one.paper, run, verdict, name), facts)
    }
    fill(gain, judged.verdict, gainSentence(t, run, judged, name), [])
    gaps.replaceChildren(...gapFacts(t, run, settings).map((text) => el('li', {}, text)))
    const most = Math.max(0, ...(race?.entries ?? []).map(({ info }) => info?.parameters ?? 0))
    const key = most > 0 ? 'paper.note' : 'paper.note.none'
    setText(note, t(key, { parameters: formatCount(most) }))
  }

  /** @type {unknown[]} what was drawn last */
  let drawn = []
  return {
    draw(model) {
      const { state, race, verdicts, settings } = model
      const begun = race?.entries.filter(({ info }) => info).length
      // Nothing is said of a code before all of its seeds have ended.
      const ended = [...verdicts.run.codes.values()].map(({ finished }) => finished)
      const now = [settings, state.labShown, begun, ...ended]
      if (now.length === drawn.length && now.every((value, i) => value === drawn[i])) return
      drawn = now
      drawVerdicts(model, drawTask(model))
    },
    destroy: () => place.replaceChildren(),
  }
}
