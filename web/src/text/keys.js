/**
 * @param {string} tree of keys, in which what they begin with alike stands once: 'a(b!(c))d' is a.b,
 *   a.b.c, d
 */
export function keysOf(tree) {
  const keys = []
  const beginning = []
  for (const [, part, end] of tree.matchAll(/([^ ()!]*)(!?\(|\)| |$)/g)) {
    if (part && end !== '(') keys.push([...beginning, part].join('.'))
    if (end.endsWith('(')) beginning.push(part)
    else if (end === ')') beginning.pop()
  }
  return keys
}
