/**
 * How to write a scene. `scenes/<x>/index.js` exports one `defineScene({ … })`:
 *
 * - `id`, and `fields`: the controls of the panel.
 * - `compute({ engine, codes, state, memory })` asks the kernel; what it answers is `model`, with
 *   `model.state` beside it. No number that a sentence or a curve shows is computed in the page.
 * - `values(scope)`: the parameters of the scene's words, computed once a change.
 * - `say(scope)`: the sentence.
 * - `figures`: each a declaration. `x` and `y` name axes (`positionAxis`, `linearAxis`, `logAxis`),
 *   `marks` list what the charts draw (`mark(drawLines, { series })`, or a function of the plot),
 *   `cursor` and `onDrag` are hand and arrow keys in numbers of the axes, `table` the numbers in full.
 *   Words come from the keys `scene.figure`, `.note`, `.readout` and `scene.summary.figure`.
 * - `view(scope)`: one lit-html template with `figure(name)`, `field(name)`, `choice(name, …)` and
 *   `sentence` in their places. It is rendered on every change; there is nothing to update or free.
 *
 * The kit owns gutters, scales, axes, pointer, keyboard, tables, saving, redrawing and disposal.
 * No `style` attribute and no `styleMap` in a template: the page's policy refuses both.
 */
import { nothing, render } from 'lit-html'
import { invalidateTheme } from '../charts/core/canvas.js'
import { flagControl, numberControl, textControl } from './controls.js'
import { uniqueId } from './dom.js'
import { createFigure } from './figure.js'
import { createGlide } from './glide.js'
import { FIELDS } from '../state/fields.js'
import { boundsOf, withPatch } from '../state/state.js'
import { listenToArrows } from './pointer.js'
import { framePlot, stepped } from './plot.js'
import { radioGroup } from './radio.js'

export { html, nothing } from 'lit-html'
export { subscripts } from './dom.js'
export { GUTTER, OVERHANG, linearAxis, logAxis, mark, positionAxis } from './plot.js'

/** So near to one of several cursors a press takes hold of it, in px; else of the first. */
export const GRIP = 16

/**
 * @template {object} M what `compute` answers
 * @template {object} V
 * @param {import('./types').SceneDefinition<M, V>} definition
 * @returns {import('./types').Scene}
 */
export function defineScene(definition) {
  const { id, fields = [] } = definition
  /** @type {import('./types').Scene} */
  const scene = {
    id,
    fields,
    async compute(codes, state, memory, t) {
      const { engine } = codes
      const found = await definition.compute?.({ codes, engine, state, memory: memory ?? {}, t })
      return { state, ...found, scene: id }
    },
    say(t, state, model, memory) {
      const told = definition.say(withValues(definition, { t, state, model, memory }))
      return told && { failing: false, ...told }
    },
    mount: (host) => mountScene(definition, host),
  }
  return Object.freeze(scene)
}

/**
 * @param {import('./types').SceneDefinition<any, any>} definition
 * @param {any} scope gets the values of the scene, computed when they are asked for; none before the
 *   first answer
 */
function withValues(definition, scope) {
  /** @type {any} */
  let known
  scope.text = scope.t
  return Object.defineProperty(scope, 'values', {
    get: () => (scope.model ? (known ??= definition.values?.(scope) ?? {}) : {}),
    configurable: true,
  })
}

/**
 * @param {import('./types').SceneDefinition<any, any>} definition
 * @param {import('./types').SceneHost} host
 */
function mountScene(definition, host) {
  const all =
    typeof definition.figures === 'function' ? definition.figures(each) : (definition.figures ?? {})
  const { t, language, sentence, panel, recompute } = host
  const controller = new AbortController()
  /** @type {Map<string, ReturnType<typeof bindFigure>>} */
  const figures = new Map()
  /** Of the figures, those that the view shows now. @type {Set<ReturnType<typeof bindFigure>>} */
  let shown = new Set()
  /** @type {Map<string, any>} */
  const controls = new Map()
  /** @type {Set<ReturnType<typeof bindFigure>>} */
  const gliders = new Set()
  const glide = createGlide(() => {
    for (const figure of gliders) figure.invalidate()
  })

  /** @param {string} name @param {() => any} make */
  function control(name, make) {
    if (!controls.has(name)) controls.set(name, make())
    const found = controls.get(name)
    found.sync(scope.state)
    return found.element
  }

  /** @param {string} name */
  function figureOf(name) {
    let figure = figures.get(name)
    if (!figure) {
      figure = bindFigure(name, all[name], host, scope, controller.signal)
      figures.set(name, figure)
    }
    shown.add(figure)
    return figure
  }

  /** @type {any} */
  const scope = {
    t,
    text: t,
    root: host.root,
    language,
    state: host.state(),
    model: undefined,
    memory: {},
    hover: undefined,
    dragging: undefined,
    sentence,
    panel,
    recompute,
    signal: controller.signal,
    gliders,
    glide,
    refresh,
    renew: () => withValues(definition, scope),
    set: (/** @type {object} */ patch, /** @type {any} */ cause) =>
      host.accept(withPatch(host.state(), withinBounds(host.state(), patch)), cause),
    figure: (/** @type {string} */ name) => figureOf(name).element,
    tools: (/** @type {string} */ name) => figureOf(name).tools,
    field(/** @type {string} */ name, /** @type {HTMLElement | undefined} */ extra) {
      return control(name, () => {
        const made = numberControl(name, host)
        if (extra) made.element.append(extra)
        return made
      })
    },
    flagField: (/** @type {string} */ name) => control(name, () => flagControl(name, host)),
    textField: (/** @type {string} */ name, /** @type {any} */ is) =>
      control(name, () => textControl(name, host, is)),
    choice(/** @type {string} */ name, /** @type {import('./types').Choice} */ options) {
      const key = `${name} ${options.values ?? ''}`
      const element = control(key, () => choiceControl(name, options, host, scope))
      controls.get(key).renew(options)
      return element
    },
  }
  scope.own = definition.own?.(scope)

  function refresh() {
    scope.renew()
    shown = new Set()
    host.root.dataset.focus = scope.state.mode
    render(definition.view(scope), host.root)
    if (!scope.model) return
    const goal = definition.glide?.(scope)
    if (goal) glide.send(goal.to, goal.atOnce || scope.dragging !== undefined)
    for (const figure of shown) figure.update()
  }

  return {
    memory: scope.memory,
    /** @param {any} state @param {import('./types').Cause} [cause] */
    sync(state, cause) {
      scope.state = state
      definition.onState?.(scope, cause)
      refresh()
    },
    /** @param {any} state @param {any} model */
    draw(state, model) {
      Object.assign(scope, { state, model })
      scope.renew()
      definition.onModel?.(scope)
      refresh()
    },
    restyle() {
      // Every surface hears of it and draws again.
      invalidateTheme()
    },
    destroy() {
      controller.abort()
      glide.stop()
      for (const figure of figures.values()) figure.destroy()
      render(nothing, host.root)
    },
  }
}

/** @param {readonly string[]} names @param {(name: any) => any} make @returns {any} */
const each = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]))

/** @param {any} state @param {object} patch */
function withinBounds(state, patch) {
  return Object.fromEntries(
    Object.entries(patch).map(([name, value]) => {
      const bounds = typeof value === 'number' && boundsOf({ ...state, ...patch }, name)
      if (!bounds) return [name, value]
      const whole = FIELDS[name].rule.type === 'integer' ? Math.round(value) : value
      return [name, Math.min(bounds.max, Math.max(bounds.min, whole))]
    }),
  )
}

/**
 * @param {any} scale
 * @param {number} px
 * @returns {number | undefined} the number there, on the axis
 */
function inverted(scale, px) {
  if (!scale || scale.kind === 'position') return scale?.invert(px)
  const [from, to] = scale.domain
  return Math.min(Math.max(from, to), Math.max(Math.min(from, to), scale.invert(px)))
}

/**
 * @param {string} name
 * @param {import('./types').Choice} options
 * @param {import('./types').SceneHost} host
 * @param {any} scope
 */
function choiceControl(name, { values, label, describe, choose }, host, scope) {
  const { rule, initial } = FIELDS[name]
  const number = typeof initial === 'number'
  const group = radioGroup({
    label: host.t(label ?? /** @type {any} */ (`field.${name}`)),
    className: 'chips',
    name: uniqueId(name),
    values: values ?? (rule.type === 'choice' ? rule.values : []),
    describe,
    onChange: choose ?? ((value) => scope.set({ [name]: number ? Number(value) : value })),
  })
  return {
    element: group.element,
    sync() {},
    /** @param {import('./types').Choice} next */
    renew(next) {
      group.relabel(next.describe)
      group.select(next.now ?? String(scope.state[name]))
    },
  }
}

/**
 * One figure of a scene: its declaration, asked whenever something has changed.
 * @param {string} name
 * @param {import('./types').Figure<any, any>} declared
 * @param {import('./types').SceneHost} host
 * @param {any} scope
 * @param {AbortSignal} signal
 */
function bindFigure(name, declared, host, scope, signal) {
  /** As it was drawn last: what the pointer is over. @type {import('./types').Plot | undefined} */
  let plot
  /** @type {{ x?: import('./types').Axis, y?: import('./types').Axis }} */
  let axes = {}
  let handle = 0

  /** @param {import('../charts/core/canvas.js').Frame} frame */
  function draw(frame) {
    if (!scope.model) return
    const seen = Object.create(scope, {
      theme: { value: frame.theme },
      frame: { value: frame },
      gliding: {
        get() {
          scope.gliders.add(self)
          return scope.glide.at()
        },
      },
    })
    // During a drag the axis stays; otherwise the cursor would run away from the hand.
    const x = scope.dragging === name ? axes.x : declared.x?.(seen)
    axes = { x, y: declared.y?.(seen, /** @type {any} */ (x)) }
    const drawn = framePlot(frame, {
      ...axes,
      legend: declared.legend?.(seen),
      headroom:
        typeof declared.headroom === 'function' ? declared.headroom(seen) : declared.headroom,
      cache: figure,
    })
    // A picture that is being saved has the same size.
    plot = drawn
    seen.plot = drawn
    for (const one of declared.marks(seen)) if (one) one(drawn)
  }

  const cursors = () => [declared.cursor?.(scope) ?? []].flat()

  /** @param {PointerEvent} event @param {{ x: number, y: number }} point @param {boolean} dragging */
  function point(event, { x, y }, dragging) {
    // A hand may be quicker than the first frame.
    if (!plot) figure.drawNow()
    if (!scope.model || !plot) return
    const at = { x: inverted(plot.x, x), y: inverted(plot.y, y), handle, point: { x, y }, plot }
    const released = scope.dragging === name && !dragging
    if (event.type === 'pointerdown' && dragging) {
      at.handle = handle = declared.grip?.(scope, at) ?? nearest(x)
    }
    scope.hover = !dragging && event.type !== 'pointerleave' ? { ...at, figure: name } : undefined
    scope.dragging = dragging ? name : undefined
    if (dragging) declared.onDrag?.(scope, at)
    else if (scope.hover && event.pointerType !== 'touch') declared.onHover?.(scope, at)
    scope.renew()
    self.update(released || declared.hovers)
  }

  /** @param {number} x px @returns {number} which of the cursors is meant */
  function nearest(x) {
    const scale = plot?.x
    const place = scale?.centre ?? scale
    const away = cursors().map((one) => Math.abs(place?.(one.x) - x))
    const best = away.indexOf(Math.min(...away))
    return best > 0 && away[best] <= GRIP ? best : 0
  }

  const figure = createFigure(host, {
    className: declared.className ?? name,
    hue: declared.hue,
    draw,
    onPointer: declared.onDrag || declared.hovers ? point : undefined,
    table: (whole = false) =>
      scope.model ? declared.table(scope, whole) : { caption: '', columns: [], rows: [] },
    matrix: declared.matrix && (() => scope.model && declared.matrix?.(scope)),
  })
  if (declared.cursor && declared.onDrag) {
    const step = (/** @type {number} */ right, /** @type {number} */ up) => {
      const from = scope.model && cursors()[handle]
      if (!from || !plot) return false
      const x = stepped(axes.x, from.x, right)
      // Numbers run upwards, rows of cells downwards.
      const y = stepped(axes.y, from.y, (axes.y?.kind ?? 'position') === 'position' ? -up : up)
      if (x === from.x && y === from.y) return false
      declared.onDrag?.(scope, { x, y, handle, point: { x: NaN, y: NaN }, plot })
      return true
    }
    listenToArrows(figure.picture, step, signal)
  }

  /** @param {string} key */
  const optional = (key) => {
    const text = scope.t(key, scope.values)
    return text === key ? undefined : text
  }

  const self = {
    element: figure.element,
    tools: figure.button,
    invalidate: figure.invalidate,
    destroy: figure.destroy,
    /** @param {boolean} [redraw] */
    update(redraw = true) {
      const { scene } = scope.model
      const key = `${scene}.${name}`
      figure.say(
        {
          name: optional(key) ?? '',
          note: optional(`${key}.note`),
          readout: optional(`${key}.readout`),
          summary: optional(`${scene}.summary.${name}`) ?? '',
          ...declared.words?.(scope),
        },
        {
          classes: declared.classes?.(scope) || '',
          above: declared.above?.(scope) || nothing,
          below: declared.below?.(scope) || nothing,
        },
      )
      if (redraw) figure.invalidate()
    },
  }
  return self
}
