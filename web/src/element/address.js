// The page's address follows one element: a change of scene or preset is a step that "back" undoes,
// anything else rewrites the entry that stands.

/**
 * @typedef {object} Linked what an element offers to be followed
 * @property {() => string} link the fragment that shows its view, without '#'
 * @property {(hash: string, ownEntry: boolean) => void} show `ownEntry`: reached by back or forward,
 *   not by a link
 */

/** How long the state rests before it is written, in ms: browsers count the writes. */
const WRITE_AFTER = 250

/** A page has one fragment: the first that asks owns it, the next takes over when that one goes. */
/** @type {Address[]} */
const askers = []

export class Address {
  #linked
  #writes
  /** The fragment of the view that stands, whether or not it has been written. */
  #current = ''
  /** The fragment last read or written. */
  #known = ''
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #waiting
  /** @type {AbortController | undefined} */
  #listening

  /**
   * @param {Linked} linked
   * @param {boolean} writes false where the address is only read
   */
  constructor(linked, writes) {
    this.#linked = linked
    this.#writes = writes
    askers.push(this)
    if (askers[0] !== this) return
    this.#begin()
    this.#read()
    this.#current = `#${linked.link()}`
  }

  release() {
    const first = askers[0] === this
    askers.splice(askers.indexOf(this), 1)
    if (!first) return
    this.#flush()
    this.#listening?.abort()
    const next = askers[0]
    if (!next) return
    // What the address shows now is the view of the one that goes: the next does not read it.
    next.#known = location.hash
    next.#begin()
  }

  /** @param {boolean} step whether "back" should lead to the view before this change */
  changed(step) {
    if (askers[0] !== this || !this.#writes) return
    const before = this.#current
    this.#current = `#${this.#linked.link()}`
    if (step && before !== this.#current) {
      this.#write('replaceState', before)
      this.#write('pushState', this.#current)
    } else {
      clearTimeout(this.#waiting)
      this.#waiting = setTimeout(() => this.#flush(), WRITE_AFTER)
    }
  }

  #begin() {
    this.#current = `#${this.#linked.link()}`
    this.#listening = new AbortController()
    const { signal } = this.#listening
    // Browsers differ in which of the two comes for which change of the fragment.
    window.addEventListener('popstate', () => this.#read(), { signal })
    window.addEventListener('hashchange', () => this.#read(), { signal })
    window.addEventListener('pagehide', () => this.#flush(), { signal })
  }

  #read() {
    const { hash } = location
    if (hash === this.#known || hash === '') return
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    this.#known = hash
    this.#linked.show(hash, history.state?.posencLab === true)
    // What was clamped, dropped or never was a link is written as the view that stands.
    this.changed(false)
  }

  #flush() {
    if (this.#waiting !== undefined) this.#write('replaceState', this.#current)
  }

  /** @param {'pushState' | 'replaceState'} how @param {string} hash */
  #write(how, hash) {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    try {
      const kept = how === 'replaceState' && typeof history.state === 'object' ? history.state : {}
      history[how]({ ...kept, posencLab: true }, '', hash)
      this.#known = location.hash
    } catch {
      // about:srcdoc and some sandboxes have no address to write.
    }
  }
}
