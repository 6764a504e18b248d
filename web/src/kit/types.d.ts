// What a scene says of itself. Callbacks of `defineScene` are typed from here by context.
import type { Frame, Rect, Theme } from '../charts/core/canvas.js'
import type { Codes } from './codes.js'
import type { NumberTable, FigureWords } from './figure.js'
import type { NumberMatrix } from './save_menu.js'
import type { Refusal } from '../state/fields.js'
import type { State } from '../state/state.js'
import type { Language, Parameters, TextKey, Translate } from '../text/text.js'

/** Why the state changed: a control of one field, another scene, a preset, or a link. */
export type Cause = 'field' | 'scene' | 'preset' | 'link'

/** What the stage offers a control. */
export interface ControlHost {
  t: Translate
  state: () => State
  accept: (next: State, cause?: Cause) => void
  refuse: (refused: Refusal) => void
}

/** What it offers a scene. Nothing in it knows one scene from another. */
export interface SceneHost extends ControlHost {
  root: HTMLElement
  /** The scene decides where it stands. */
  sentence: HTMLElement
  language: Language
  recompute: () => Promise<void>
  /** Of the scene's controls, where there are any: under the scene, unless that puts it into its own root. */
  panel?: HTMLElement
}

export type Patch = Partial<Record<keyof State, string | number | boolean>>

/** What every callback of a scene is given. */
export interface Scope<M, V = Parameters> extends Parts {
  t: (key: TextKey, parameters?: object) => string
  /** The same for keys that are put together. */
  text: (key: string, parameters?: object) => string
  language: Language
  /** Where the view stands. */
  root: HTMLElement
  /** What the reader has set; `model.state` is what was computed. */
  state: State
  model: M & { state: State }
  /** Of the scene, computed once a change. */
  values: V
  own: any
  /** Renders the view and draws again, where something but the state has changed. */
  refresh: () => void
  /** Outlives a change of the state, not the view: compute keeps answers here. */
  memory: Record<string, any>
  /** A patch of the state; numbers are rounded and kept within their bounds. */
  set: (patch: Patch, cause?: Cause) => void
  /** Where the pointer is, while it is over a figure and does not drag. */
  hover: (Place & { figure: string }) | undefined
  /** The figure under a drag. */
  dragging: string | undefined
  /** Where `glide` is on its way now. Who draws by it is drawn again until it arrives. */
  readonly gliding: number
}

/** Of numbers on the axes of a figure; undefined without such an axis. */
export interface Place {
  x: any
  y: any
  /** Which of several cursors was taken hold of. */
  handle: number
  /** CSS px of the picture, for figures whose geometry is their own. */
  point: { x: number; y: number }
  plot: Plot
}

export interface Axis {
  kind: 'position' | 'linear' | 'log'
  domain: [number, number]
  label?: string
  /** Whether its numbers stand in the picture. */
  written: boolean
  format?: (value: number) => string
  ticks?: readonly number[]
  line?: boolean
  /** Upright, beside positions: as wide as its own numbers need, not as the common gutter. */
  own?: boolean
  /** Right of the plot, in px, for what marks write there: at least the common gutter. */
  room?: number
  /** Of an arrow key; by default a position, or a hundredth of the axis. */
  step?: number
}

/** Where a figure draws. `x` and `y` are scales of the charts, by its axes. */
export interface Plot extends Frame {
  rect: Rect
  x: any
  y: any
  /** Of pixels of a heatmap. */
  cache: object
}

export type Mark = (plot: Plot) => unknown
type Given = 'rect' | 'theme' | 'scale' | 'xScale' | 'yScale' | 'cache'
export type MarkOf = <O>(
  draw: (ctx: CanvasRenderingContext2D, options: O) => unknown,
  options: Omit<O, Given> & Partial<Pick<O, keyof O & Given>>,
) => Mark

export interface Figure<M, V = Parameters> {
  /** By default the figure's name. The last class names its files. */
  className?: string
  /** Class with the identity colour. */
  hue?: string
  /** Classes that come and go, e.g. `failing`. */
  classes?: (scope: Scope<M, V>) => string | false
  x?: (scope: Scope<M, V> & { frame: Frame }) => Axis | undefined
  /** `x` is the axis in force, which stays as it is during a drag. */
  y?: (scope: Scope<M, V> & { frame: Frame }, x: Axis) => Axis | undefined
  legend?: (scope: Scope<M, V> & { theme: Theme; frame: Frame }) => readonly object[] | undefined
  /** Over the plot, for what a mark writes there, in px at type scale 1. */
  headroom?: number | ((scope: Scope<M, V> & { frame: Frame }) => number)
  marks: (
    scope: Scope<M, V> & { theme: Theme; plot: Plot },
  ) => readonly (Mark | false | undefined)[]
  /** Where the cursors are now, on the axes: what arrow keys move and a hand takes hold of. */
  cursor?: (
    scope: Scope<M, V>,
  ) => { x?: number; y?: number } | readonly { x?: number; y?: number }[]
  /** Which cursor a press takes hold of; by default one that is near, else the first. */
  grip?: (scope: Scope<M, V>, at: Place) => number
  /** A press, a drag or an arrow key at a place. */
  onDrag?: (scope: Scope<M, V>, at: Place) => void
  /** The pointer passes over it. */
  onHover?: (scope: Scope<M, V>, at: Place) => void
  /** Its marks and words follow the pointer, without a press. */
  hovers?: boolean
  /**
   * What differs from the words that the keys give: `scene.figure`, `scene.figure.note`,
   * `scene.figure.readout` and `scene.summary.figure`, with `values`.
   */
  words?: (scope: Scope<M, V>) => Partial<FigureWords>
  /** Called only while the table is open, which may show a part, and to save it: then it is `whole`. */
  table: (scope: Scope<M, V>, whole: boolean) => NumberTable
  /** For NumPy; undefined while there is none. By default the numbers of the table. */
  matrix?: (scope: Scope<M, V>) => NumberMatrix | undefined
  /** What stands between caption and picture. */
  above?: (scope: Scope<M, V>) => unknown
  /** What stands under the picture. */
  below?: (scope: Scope<M, V>) => unknown
}

/** What stands in a template. */
export interface Parts {
  /** A figure, drawn only while the view shows it. */
  figure: (name: string) => HTMLElement
  /** Its table and its saving, which then stand here instead of in its caption. */
  tools: (name: string) => HTMLElement
  /** Slider, number and unit of a field. @param extra stands in the same line */
  field: (name: keyof State, extra?: HTMLElement) => HTMLElement
  /** A choice of few. By default those of the field. */
  choice: (name: keyof State, options: Choice) => HTMLElement
  flagField: (name: keyof State) => HTMLElement
  textField: (name: keyof State, shown: (state: State) => string) => HTMLElement
  sentence: HTMLElement
  /** Presets and fields, where the scene places them itself. */
  panel: HTMLElement | undefined
  /** Aborted when the view goes. */
  signal: AbortSignal
  recompute: () => void
}

/** What `view` is given. Before the first answer there is no model, and no `values` of one. */
export type ViewScope<M, V> = Omit<Scope<M, V>, 'model'> & {
  model: (M & { state: State }) | undefined
}

export interface Choice {
  values?: readonly string[]
  label?: TextKey
  describe: (value: string) => string
  /** The choice that stands; by default the value of the field. */
  now?: string
  /** By default the field is set. */
  choose?: (value: string) => void
}

export interface Said {
  lead: string
  body: string
  failing?: boolean
}

type Each<M, V> = <N extends string>(
  names: readonly N[],
  make: (name: N) => Figure<M, V>,
) => Record<N, Figure<M, V>>

export interface SceneDefinition<M extends object, V extends object> {
  id: string
  /** Under the figure; those with a place in the view are left out here. */
  fields?: readonly (keyof State)[]
  compute?: (asked: {
    codes: Codes
    engine: Codes['engine']
    state: State
    memory: Record<string, any>
    t: Translate
  }) => Promise<M>
  /** Words and numbers that the callbacks share. */
  values?: (scope: Scope<M, {}>) => V
  /** The sentence; undefined while the kernel has not answered for this state: the one before stays. */
  say: (scope: Scope<M, V>) => Said | undefined
  /** What a view has of its own beside the state, e.g. a player. Ended by `signal`. */
  own?: (scope: ViewScope<any, any>) => any
  /** The reader has changed something; without a cause the view is new. */
  onState?: (scope: ViewScope<any, any>, cause?: Cause) => void
  /** Before each drawing of a model. */
  onModel?: (scope: Scope<any, any>) => void
  /** A position that the eye follows: see `gliding`. */
  glide?: (scope: Scope<M, V>) => { to: number; atOnce?: boolean }
  /** By name; by `each`, where figures differ by a name alone. */
  figures?: Record<string, Figure<M, V>> | ((each: Each<M, V>) => Record<string, Figure<M, V>>)
  view: (scope: ViewScope<M, V>) => unknown
}

export interface Scene {
  id: string
  fields: readonly string[]
  compute: (codes: any, state: State, memory: any, t: Translate) => Promise<any>
  say: (t: Translate, state: State, model: any, memory?: any) => any
  mount: (host: any) => any
}
