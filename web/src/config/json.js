// JSON with line numbers: of every key, and of the first mistake. What JSON.parse says of a mistake
// differs from browser to browser, and some name no place. Objects have no prototype, so that no key
// of a file can stand for anything but itself.

/** Deeper nesting is refused. */
const DEEPEST = 32

/**
 * @typedef {object} Read
 * @property {unknown} value
 * @property {Map<string, number>} lines of every key, by its path, as in `rope_scaling.factor`
 * @property {string[]} twice paths of keys that stand there twice; the last counts
 */

/** @typedef {{ error: 'end' | 'found' | 'deep' | 'comma', line: number, found: string }} Mistake */

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const WORD = /(?:true|false|null)(?!\w)/y
const SHOWN = /[\w.+-]+|./suy

/** @param {string} text @returns {Read | Mistake} */
export function parseJson(text) {
  /** @type {Map<string, number>} */
  const lines = new Map()
  /** @type {string[]} */
  const twice = []
  let at = 0
  let counted = 0
  let line = 1

  /** The line of the present place: counted on from the last time. */
  function lineHere() {
    for (; counted < at; counted += 1) if (text[counted] === '\n') line += 1
    return line
  }

  /** @param {RegExp} pattern sticky */
  function take(pattern) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }

  /** @param {Mistake['error']} [error] @returns {never} */
  function fail(error = 'found') {
    const ended = at >= text.length
    SHOWN.lastIndex = at
    const found = (SHOWN.exec(text)?.[0] ?? '').slice(0, 24)
    const mistake = { error: ended ? 'end' : error, line: lineHere(), found }
    throw Object.assign(new SyntaxError(), { mistake })
  }

  /** @param {string} path @param {number} depth @returns {unknown} */
  function value(path, depth) {
    if (depth > DEEPEST) fail('deep')
    take(SPACE)
    const first = text[at]
    if (first === '{') return object(path, depth)
    if (first === '[') return list(path, depth)
    const simple = take(STRING) ?? take(NUMBER) ?? take(WORD)
    return simple === undefined ? fail() : JSON.parse(simple)
  }

  /** @param {string} close @param {() => void} item */
  function items(close, item) {
    at += 1
    take(SPACE)
    for (let more = text[at] !== close; more;) {
      item()
      take(SPACE)
      more = text[at] === ','
      if (!more) break
      const comma = at
      at += 1
      take(SPACE)
      if (text[at] === close) {
        at = comma
        fail('comma')
      }
    }
    if (text[at] !== close) fail()
    at += 1
  }

  /** @param {string} path @param {number} depth */
  function object(path, depth) {
    const result = Object.create(null)
    items('}', () => {
      const quoted = take(STRING)
      if (quoted === undefined) fail()
      const key = JSON.parse(/** @type {string} */ (quoted))
      const inner = path ? `${path}.${key}` : key
      if (key in result) twice.push(inner)
      lines.set(inner, lineHere())
      take(SPACE)
      if (text[at] !== ':') fail()
      at += 1
      result[key] = value(inner, depth + 1)
    })
    return result
  }

  /** @param {string} path @param {number} depth */
  function list(path, depth) {
    /** @type {unknown[]} */
    const result = []
    items(']', () => result.push(value(`${path}[]`, depth + 1)))
    return result
  }

  try {
    if (text[0] === '\ufeff') at = 1
    const result = value('', 0)
    take(SPACE)
    if (at < text.length) fail()
    return { value: result, lines, twice }
  } catch (error) {
    const mistake = /** @type {{ mistake?: Mistake }} */ (error).mistake
    if (mistake) return mistake
    throw error
  }
}
