// The curve and what stands around it.
import { render } from 'lit-html'
import { guard } from 'lit-html/directives/guard.js'
import { live } from 'lit-html/directives/live.js'
import { el } from '../../kit/dom.js'
import { html, nothing } from '../../kit/scene.js'
import { paperKey, papers } from '../paper/view.js'
import { firstVerdicts, runOf } from '../paper/verdict.js'
import { estimate } from '../run/estimate.js'
import { planOf } from '../run/plan.js'
import { duration, failureText, taskName, trainedOn } from '../words.js'
import { afterTraining } from './after.js'
import { card } from './card.js'
import { settings } from './controls.js'
import { inside } from './inside.js'
import { saving } from './saving.js'
import { quickText, transport } from './transport.js'

/** What can be said before the kernel has come. @param {import('../../state/state.js').State} state @returns {any} */
function firstModel(state) {
  const length = state.labLength
  const { options, seeds } = planOf(state, 'full')
  const progress = () => ({ done: 0, total: 0 })
  return {
    ...{ state, length, tasks: [], lines: [], stale: false, settings: options, session: {} },
    last: length * Number(state.labReach),
    drawn: { shift: state.labShift, modulo: state.labModulo },
    race: { status: 'idle', entries: [], speed: 'full', progress },
    verdicts: firstVerdicts(runOf([], { ...options, seeds }, state.labShown)),
  }
}

/** @param {import('../scene.js').LabScope} scope */
export function view(scope) {
  const { t, state, figure, sentence, panel, own } = scope
  /** @type {import('../scene.js').LengthModel} */
  const model = scope.model ?? firstModel(state)
  own.keepFocus()
  if (panel) {
    own.settings ??= panel.appendChild(el('div'))
    render(settings(scope), own.settings)
  }
  return html`<div class="main">
      ${tabs(scope, model)}
      <div class="length-place">
        ${guard([scope.model, model.cursor], () => figure('curves'))}${begin(scope, model)}
      </div>
      ${cursor(scope, model)} ${transport(scope, model)} ${notices(scope, model)} ${sentence}
      ${saving(scope, model)} ${scope.model ? afterTraining(scope, model) : nothing}
    </div>
    <div class="side">
      ${card(scope, model)}
      ${['losses', 'accuracies'].map((name) => guard(pointsOf(scope), () => figure(name)))}
    </div>
    ${panel} ${scope.model ? inside(scope, model) : nothing}
    <div class="lab-paper">${guard(paperKey(model, t), () => papers(scope, model))}</div>`
}

/**
 * What the figures over the steps depend on. A figure that is not asked for is not drawn again.
 * @param {import('../scene.js').LabScope} scope
 */
function pointsOf({ model }) {
  if (!model) return []
  const { lines, race, task, drawn, state } = model
  const points = lines.map(({ code, trained, final, entries }) => [
    ...[code, trained, final],
    ...entries.map(({ losses }) => losses.length),
  ])
  const { mode, labSteps, labVocabulary } = state
  return [race.plan, JSON.stringify([task, drawn, mode, labSteps, labVocabulary, points])]
}

/** How far each task is: filled from the left. @type {import('../scene.js').Part} */
function tabs({ t, choice }, { tasks, drawn }) {
  if (tasks.length === 0) return nothing
  const element = choice('labShown', {
    values: tasks.map(({ task }) => task),
    describe(task) {
      const { share = 0 } = tasks.find((one) => one.task === task) ?? {}
      const name = taskName(t, task, drawn)
      if (share === 0) return name
      return share === 1 ? `${name} ✓` : t('length.tab', { name, share: Math.floor(100 * share) })
    },
  })
  tasks.forEach(({ share }, i) => {
    const one = /** @type {HTMLElement} */ (element.children[i])
    one.style.setProperty('--done', `${100 * share}%`)
  })
  return html`<div class="length-tasks" ?hidden=${tasks.length < 2}>${element}</div>`
}

/** What a run would do, and the buttons that begin it. @type {import('../scene.js').Part} */
function begin({ t, own }, { state, session, lines }) {
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
  return html`<div class="length-begin" ?hidden=${lines.length > 0}>
    <p>${t('length.what', full)}</p>
    <div class="row">
      <button type="button" class="press press-play press-begin" @click=${() => own.start('full')}>
        ${t('length.press.run')}
      </button>
      <button type="button" class="press press-glance" @click=${() => own.start('quick')}>
        ${quickText(t, state, session)}
      </button>
    </div>
  </div>`
}

/** The length that is read. @type {import('../scene.js').Part} */
const cursor = ({ t, own }, { last, length, cursor: at = length }) =>
  html`<div class="length-cursor">
    <input
      type="range"
      min="1"
      step="1"
      aria-label=${t('length.cursor')}
      aria-valuetext=${t('length.cursor.value', { length: at })}
      .max=${String(last)}
      .value=${live(String(at))}
      @input=${(/** @type {any} */ { target }) => own.read(Number(target.value))}
    />
  </div>`

/** @type {import('../scene.js').Part} */
function notices({ t, text }, { stale, lines, race, session: { notice } }) {
  const failed = race.entries.filter(({ error }) => error)
  return html`<p class="notice length-stale" role="status" ?hidden=${!stale || lines.length === 0}>
      ${t('length.stale')}
    </p>
    <p class="problem" role="alert" ?hidden=${failed.length === 0}>
      ${failed.length > 0 ? failureText(t, failed) : nothing}
    </p>
    <p class="notice" role="status" ?hidden=${!notice}>
      ${notice ? text(`notice.${notice}`) : nothing}
    </p>`
}
