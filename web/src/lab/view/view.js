// The length lab: the curve and what stands around it.
import { invalidateTheme } from '../../charts/core/canvas.js'
import { withPatch } from '../../state/state.js'
import { mountCard } from './card.js'
import { mountSettings } from './controls.js'
import { createCurves } from './curves.js'
import { estimate } from '../run/estimate.js'
import { mountSaving } from './saving.js'
import { createSteps } from './losses.js'
import { mountInside } from './inside.js'
import { mountPaper } from '../paper/view.js'
import { planOf } from '../run/plan.js'
import { onTested } from '../run/tested.js'
import { mountTransport, quickText } from './transport.js'
import { firstVerdicts, runOf } from '../paper/verdict.js'
import { duration, failureText, taskName, trainedOn } from '../words.js'

/**
 * @typedef {import('../../state/state.js').State} State
 * @typedef {import('../scene.js').LengthModel} LengthModel
 */

/** @param {import('../../kit/host.js').SceneHost} host */
export function mountLength(host) {
  const { el, t, setText } = host
  /** @type {LengthModel | undefined} */
  let model
  /** Ends the listening to the race; the race itself goes on. @type {(() => void) | undefined} */
  let leave
  /** A link may ask for a run before there is anything to run it. @type {'' | 'open' | 'link'} */
  let wished = ''

  const curves = createCurves(host, (length) => {
    if (!model) return
    model.session.cursor = length
    redraw()
  })
  const losses = createSteps(host, 'losses')
  const accuracies = createSteps(host, 'accuracies')
  const figures = [curves, losses, accuracies]
  const card = mountCard(host)
  const transport = mountTransport(host, start)
  const saving = mountSaving(host)
  const settings = mountSettings(host)

  const tabs = el('div', { class: 'length-tasks' })
  const what = el('p', {})
  const quick = el('button', {
    type: 'button',
    class: 'press press-glance',
    onclick: () => start('quick'),
  })
  const begin = el(
    'div',
    { class: 'length-begin' },
    what,
    el(
      'div',
      { class: 'row' },
      el(
        'button',
        { type: 'button', class: 'press press-play press-begin', onclick: () => start('full') },
        t('length.press.run'),
      ),
      quick,
    ),
  )
  const stale = el('p', { class: 'notice length-stale', role: 'status', hidden: true })
  const failure = el('p', { class: 'problem', role: 'alert', hidden: true })
  const notice = el('p', { class: 'notice', role: 'status', hidden: true })
  const place = el('div', { class: 'length-place' }, curves.figure.element, begin)
  const main = el(
    'div',
    { class: 'main' },
    tabs,
    place,
    curves.slider,
    transport.element,
    stale,
    failure,
    notice,
    host.sentence,
    saving.element,
  )
  host.root.append(
    main,
    el('div', { class: 'side' }, card.element, losses.figure.element, accuracies.figure.element),
  )
  if (host.panel) {
    host.panel.append(settings.element)
    host.root.append(host.panel)
  }
  const insidePlace = el('div', { class: 'lab-inside' })
  const paperPlace = el('div', { class: 'lab-paper' })
  host.root.append(insidePlace, paperPlace)
  const paper = mountPaper(host, paperPlace)
  /** Looks into the models of a race, which comes with the first model. @type {any} */
  let inside

  /** @type {ReturnType<typeof host.radioGroup> | undefined} */
  let group
  let listed = ''

  /** @param {LengthModel} now */
  function drawTabs({ tasks, drawn, state }) {
    const names = tasks.map(({ task }) => task)
    if (listed !== names.join()) {
      listed = names.join()
      group = host.radioGroup({
        label: t('field.labShown'),
        className: 'chips',
        name: host.uniqueId('task'),
        values: names,
        describe: (task) => taskName(t, task, drawn),
        onChange: (task) =>
          host.accept(withPatch(host.state(), /** @type {any} */ ({ labShown: task }))),
      })
      tabs.replaceChildren(group.element)
      tabs.hidden = names.length < 2
    }
    group?.select(state.labShown)
    group?.relabel((task) => {
      const { share = 0 } = tasks.find((one) => one.task === task) ?? {}
      const name = taskName(t, task, drawn)
      if (share === 0) return name
      return share === 1 ? `${name} ✓` : t('length.tab', { name, share: Math.floor(100 * share) })
    })
    tasks.forEach(({ share }, i) => {
      const choice = /** @type {HTMLElement | undefined} */ (group?.element.children[i])
      choice?.style.setProperty('--done', `${100 * share}%`)
    })
  }

  let drawing = false
  let changed = false
  /**
   * One at a time: a newer computation takes the place of one under way, and on a slow machine a race that
   * changes faster than the kernel answers was not drawn before its end.
   */
  async function redraw() {
    changed = true
    if (drawing) return
    drawing = true
    while (changed) {
      changed = false
      await host.recompute()
    }
    drawing = false
  }

  /** @param {'quick' | 'full'} extent */
  function start(extent) {
    if (!model) return
    model.session.start(host.state(), extent)
    // The link now says what stands here. Where it said so before, nothing else would draw.
    const next = withPatch(host.state(), { labRun: extent })
    if (next === host.state()) host.recompute()
    else host.accept(next)
  }

  /** @param {LengthModel} now */
  function drawWords(now) {
    const { state, race, session } = now
    const plan = planOf(state, 'full')
    const full = {
      tasks: plan.tasks.length,
      codes: plan.codes.length,
      seeds: plan.seeds.length,
      models: plan.tasks.length * plan.codes.length * plan.seeds.length,
      trained: trainedOn(t, { length: state.labLength, upTo: state.labUpTo }),
      last: state.labLength * Number(state.labReach),
      time: duration(t, estimate(plan, session)),
    }
    const focused = begin.matches(':focus-within')
    begin.hidden = now.lines.length > 0
    setText(what, t('length.what', full))
    setText(quick, quickText(t, state, session))
    // Where the box stands it has the same buttons, but for those of a run that is on its way.
    transport.element.hidden =
      !begin.hidden && race.status !== 'running' && race.status !== 'paused'
    if (focused && begin.hidden) transport.focus()
    stale.hidden = !now.stale || now.lines.length === 0
    setText(stale, t('length.stale'))
    const failed = race.entries.filter(({ error }) => error)
    failure.hidden = failed.length === 0
    if (failed.length > 0) setText(failure, failureText(t, failed))
    notice.hidden = session.notice === ''
    if (session.notice) setText(notice, t(/** @type {any} */ (`notice.${session.notice}`)))
  }

  /** What can be said before the kernel has come. @param {State} state */
  function drawFirst(state) {
    const length = state.labLength
    card.draw({ lines: [], length, last: length * Number(state.labReach), state })
    setText(quick, quickText(t, state, {}))
    const { options, seeds } = planOf(state, 'full')
    const run = runOf([], { ...options, seeds }, state.labShown)
    paper.draw({ state, settings: options, verdicts: firstVerdicts(run) })
  }

  return {
    memory: undefined,
    /** @param {State} state @param {import('../../kit/host.js').Cause} [cause] */
    sync(state, cause) {
      settings.sync(state)
      inside?.sync(state)
      if (!model) drawFirst(state)
      if (state.labRun === 'no') wished = ''
      else if (cause === 'link') wished = 'link'
      else if (cause === undefined) wished ||= 'open'
    },
    /** @param {State} state @param {LengthModel} computed */
    draw(state, computed) {
      model = computed
      const { session, race } = computed
      if (!leave) {
        const leaves = [session.listen(redraw), onTested(race, redraw)]
        leave = () => leaves.forEach((one) => one())
        inside = mountInside(host, insidePlace, race)
        main.append(inside.besides)
        inside.sync(state)
      }
      // Whoever only comes back, or changes the language, finds what stands.
      const missing = race.entries.length === 0 || (wished === 'link' && !session.isOf(state))
      if (wished && missing && state.labRun !== 'no') start(state.labRun)
      wished = ''
      host.root.dataset.focus = state.mode
      drawTabs(computed)
      drawWords(computed)
      card.draw(computed)
      transport.draw(computed)
      saving.draw(computed)
      for (const figure of figures) figure.draw(computed)
      inside.draw(computed)
      paper.draw(computed)
    },
    restyle() {
      invalidateTheme()
      for (const figure of figures) figure.invalidate()
      inside?.restyle()
    },
    destroy() {
      leave?.()
      inside?.destroy()
      paper.destroy()
      for (const figure of figures) figure.destroy()
      host.root.replaceChildren()
    },
  }
}
