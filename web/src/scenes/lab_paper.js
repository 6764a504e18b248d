// Paper says, your run says: published figures beside the reader's own, and whether they agree.
import { withPatch } from '../state/state.js'
import { formatCount } from './amounts.js'
import { FLIPPING_SEEDS, ORDERS, RANDOMIZED, SCALINGS } from './lab_published.js'
import {
  cardFacts,
  gapFacts,
  gainSentence,
  percent,
  quarrel,
  verdictSentence,
} from './lab_paper_words.js'
import { accuraciesAt, judge, judgeGain, matchingLength, meanOf, runOf } from './lab_verdict.js'

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../text/text.js').TextKey} TextKey
 * @typedef {import('./lab_race.js').Race} Race
 * @typedef {import('./lab_published.js').Published} Published
 * @typedef {import('./lab_verdict.js').Run} Run
 */

/**
 * The last complete run of each task and settings, with and without randomized positions: what the two
 * together show. Outlives the panel, which is built anew for another language.
 * @type {WeakMap<Race, Map<string, Run>>}
 */
const remembered = new WeakMap()

/** The tasks of the lab that are in Kazemnejad's ranking, trained as there: on all lengths up to L. */
const RANKED = {
  labTasks: 'copy.reverse.sort.addition',
  labShown: 'copy',
  labCausal: true,
  labUpTo: true,
  labRandomized: false,
}

/**
 * @param {import('../stage.js').SceneHost} host
 * @param {HTMLElement} place
 * @returns {{ sync: (state: State) => void, draw: (state: State, race: Race) => void,
 *   destroy: () => void }}
 */
export function mountPaper(host, place) {
  const { el, setText } = host
  const t = (
    /** @type {string} */ key,
    /** @type {Record<string, string | number>} */ values = {},
  ) => host.t(/** @type {TextKey} */ (key), values)
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
      onclick: () => host.accept(withPatch(host.state(), RANKED), 'preset'),
    },
    t('paper.setUp'),
  )
  orders[1].element.append(setUp)
  place.replaceChildren(
    task.element,
    el('h2', {}, t('paper.title')),
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

  /** @param {Published} paper */
  function orderCard(paper) {
    const { points, trained } = paper
    const codes = /** @type {import('./lab_published.js').Code[]} */ (Object.keys(points[0].values))
    /** @type {{ code: typeof codes[number], length: number, cell: HTMLElement }[]} */
    const cells = []
    const rows = codes.map((name) => {
      const own = points.map(({ length, values }) => {
        const cell = el('span', { class: 'own' })
        if (length > trained || points.length > 1) cells.push({ code: name, length, cell })
        return el(
          'td',
          {},
          el('span', { class: 'visually-hidden' }, t('paper.theirs')),
          values[name] === undefined ? t('paper.memory') : String(values[name]),
          cell,
        )
      })
      return el('tr', { class: `hue-${name}` }, codeHead(name), ...own)
    })
    const heads = points.map(({ length }) =>
      el('th', { scope: 'col' }, t('paper.column', { length, times: timesOf(length / trained) })),
    )
    const table = el(
      'table',
      {},
      el('caption', { class: 'visually-hidden' }, t(`paper.${paper.id}.title`)),
      el('thead', {}, el('tr', {}, el('td'), ...heads)),
      el('tbody', {}, ...rows),
    )
    return { ...card(paper.id, table), cells }
  }

  /** @param {string} name */
  function codeHead(name) {
    return el('th', { scope: 'row' }, el('i', { class: 'dot' }), ' ', code(name))
  }

  function scalingTable() {
    const heads = SCALINGS.lengths.map((length) => el('th', { scope: 'col' }, String(length)))
    const rows = Object.entries(SCALINGS.values).map(([name, values]) =>
      el(
        'tr',
        {},
        el('th', { scope: 'row' }, t(`ropeType.${name}`)),
        ...values.map((value) => el('td', {}, value.toFixed(2))),
      ),
    )
    return el(
      'table',
      {},
      el('caption', { class: 'visually-hidden' }, t('paper.yarn.title')),
      el('thead', {}, el('tr', {}, el('td'), ...heads)),
      el('tbody', {}, ...rows),
    )
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

  /**
   * @param {State} state
   * @param {Race} race
   * @returns {string} what the task is called
   */
  function drawTask({ labShown, labShift, labModulo }, { entries, plan }) {
    const values = {
      shift: plan?.options.taskShift ?? labShift,
      modulo: plan?.options.taskModulo ?? labModulo,
    }
    const name = t(`task.${labShown}`, values)
    setText(task.name, name)
    setText(task.what, t(`task.${labShown}.what`, values))
    const known = new Map(
      entries
        .filter((entry) => entry.task === labShown && entry.info)
        .map((entry) => [entry.code, entry.info]),
    )
    const lines = [...known].map(([id, info]) =>
      el(
        'li',
        { class: `hue-${id}` },
        el('i', { class: 'dot' }),
        ` ${code(id)}: `,
        el('strong', {}, t(`solvable.${info?.solvable}`)),
        ` ${t(`reason.${info?.reason}`)}`,
      ),
    )
    task.codes.replaceChildren(...lines)
    task.theory.hidden = lines.length === 0
    return name
  }

  /** @param {Run} run */
  function drawCells(run) {
    for (const { paper, cells } of orders) {
      for (const { code: name, length, cell } of cells) {
        const known = run.codes.get(name)
        const at = matchingLength(paper, length, run.length)
        const accuracies = known?.finished ? accuraciesAt(known, at, run.length) : new Map()
        cell.replaceChildren(
          ...(accuracies.size === 0
            ? []
            : [
                el('span', { class: 'visually-hidden' }, t('paper.yours')),
                percent(t, meanOf(accuracies.values())),
              ]),
        )
      }
    }
  }

  /** @param {Run} run @param {Race} race @param {string} name of the task */
  function drawVerdicts(run, race, name) {
    for (const one of orders) {
      const verdict = judge(one.paper, run)
      const facts = cardFacts(t, one.paper, run, verdict)
      if (one.paper.id === 'twice') {
        facts.unshift(t('paper.seeds', { seeds: FLIPPING_SEEDS.join(', ') }))
      }
      fill(one, verdict.verdict, verdictSentence(t, one.paper, run, verdict, name), facts)
    }
    const judged = judgeGain(RANDOMIZED, run, counterpart(race, run))
    fill(gain, judged.verdict, gainSentence(t, run, judged, name), [])
    gaps.replaceChildren(...gapFacts(t, run, race.plan?.options).map((text) => el('li', {}, text)))
    const most = Math.max(0, ...race.entries.map(({ info }) => info?.parameters ?? 0))
    const key = most > 0 ? 'paper.note' : 'paper.note.none'
    setText(note, t(key, { parameters: formatCount(most) }))
  }

  /** @type {unknown[]} what was drawn last */
  let drawn = []
  return {
    sync() {},
    draw(state, race) {
      const { plan, entries } = race
      const ended = entries.filter(({ status }) => status === 'done' || status === 'failed').length
      const begun = entries.filter(({ info }) => info).length
      const now = [race, plan, state.labShown, state.labShift, state.labModulo, ended, begun]
      if (now.every((value, i) => value === drawn[i])) return
      drawn = now
      const options = plan?.options ?? {
        length: state.labLength,
        reach: Number(state.labReach),
        causal: state.labCausal,
        randomized: state.labRandomized,
      }
      const run = runOf(/** @type {any} */ (entries), options, state.labShown)
      drawCells(run)
      drawVerdicts(run, race, drawTask(state, race))
    },
    destroy: () => place.replaceChildren(),
  }
}

/**
 * Keeps a run that is complete, and finds the one that differs from it in randomized positions alone.
 * @param {Race} race
 * @param {Run} run
 * @returns {Run | undefined}
 */
function counterpart(race, run) {
  if (!race.plan) return undefined
  const { codes, options } = race.plan
  const settings = JSON.stringify([run.task, codes, { ...options, randomized: undefined }])
  const runs = remembered.get(race) ?? new Map()
  remembered.set(race, runs)
  const complete = [...run.codes.values()].every(({ finished }) => finished)
  if (complete && run.codes.size > 0) runs.set(`${run.randomized} ${settings}`, run)
  return runs.get(`${!run.randomized} ${settings}`)
}

/** @param {number} ratio */
const timesOf = (ratio) => String(Math.round(ratio))
