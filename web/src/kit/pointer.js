// A hand or arrow keys over a picture, in CSS px of the picture.

/** A finger that moves so far to the side drags, in px; one that moves up or down scrolls the page. */
const SLOP = 6

/** @type {Record<string, [right: number, up: number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }

/**
 * @typedef {(event: PointerEvent, point: { x: number, y: number }, dragging: boolean) => void} Report
 */

/**
 * Reports every press, move and end; a drag goes on outside of the picture.
 * @param {HTMLElement} picture
 * @param {Report} report
 * @param {AbortSignal} signal
 */
export function listenToPointer(picture, report, signal) {
  /** @type {number | undefined} */
  let drag
  /** A finger's press that may still become a scroll. @type {PointerEvent | undefined} */
  let waiting
  /** @param {PointerEvent} event */
  const tell = (event) => {
    const box = picture.getBoundingClientRect()
    // Where a page scales its figures by CSS transforms, a px of the screen is not one of the picture.
    const scale = picture.offsetWidth / box.width || 1
    const point = { x: (event.clientX - box.left) * scale, y: (event.clientY - box.top) * scale }
    report(event, point, drag === event.pointerId)
  }
  /** @param {PointerEvent} press */
  const begin = (press) => {
    waiting = undefined
    drag = press.pointerId
    picture.focus({ preventScroll: true })
    tell(press)
  }
  /** @param {string} type @param {(event: PointerEvent) => void} react */
  const on = (type, react) =>
    picture.addEventListener(type, /** @type {EventListener} */ (react), { signal })
  on('pointerdown', (event) => {
    if (event.button !== 0) return
    if (event.pointerType === 'touch') {
      waiting = event
      return
    }
    picture.setPointerCapture(event.pointerId)
    begin(event)
  })
  on('pointermove', (event) => {
    if (waiting?.pointerId === event.pointerId) {
      const across = Math.abs(event.clientX - waiting.clientX)
      if (across < SLOP || across < Math.abs(event.clientY - waiting.clientY)) return
      begin(waiting)
    }
    tell(event)
  })
  on('pointerup', (event) => {
    // A tap.
    if (waiting?.pointerId === event.pointerId) begin(waiting)
    drag = undefined
    tell(event)
  })
  on('pointercancel', (event) => {
    drag = waiting = undefined
    tell(event)
  })
  on('pointerleave', tell)
}

/**
 * @param {HTMLElement} picture
 * @param {(right: number, up: number) => boolean} step in steps of a cursor; whether there was one
 * @param {AbortSignal} signal
 */
export function listenToArrows(picture, step, signal) {
  // The sliders are what the Tab key reaches: a picture takes the focus when it is pressed.
  picture.tabIndex = -1
  picture.addEventListener(
    'keydown',
    (event) => {
      const way = ARROWS[event.key]
      if (!way || event.altKey || event.ctrlKey || event.metaKey) return
      const times = event.shiftKey ? 10 : 1
      if (step(way[0] * times, way[1] * times)) event.preventDefault()
    },
    { signal },
  )
}
