// The page around the stage: language, theme, and a link that always shows what the reader sees.
import './index.js'

const root = document.documentElement
const lab = /** @type {import('./index.js').PosencLab} */ (document.querySelector('posenc-lab'))

/** How long the state rests before it is written into the address, in ms. */
const WRITE_AFTER = 250

/** @param {string} key @param {string} value */
function keep(key, value) {
  try {
    localStorage.setItem(`posenc-lab.${key}`, value)
  } catch {
    // A sandboxed frame has no storage: the choice lasts as long as the page.
  }
}

/** @param {string} language */
function showLanguage(language) {
  root.dataset.lang = language
  root.lang = language === 'zh' ? 'zh-CN' : 'en'
  document.title = language === 'zh' ? '位置编码实验室' : 'Positional Encoding Lab'
  check('language', language)
  lab.setAttribute('lang', root.lang)
}

/** @param {string} theme */
function showTheme(theme) {
  if (theme === 'auto') delete root.dataset.theme
  else root.dataset.theme = theme
  const dark = matchMedia('(prefers-color-scheme: dark)').matches
  check('theme', theme === 'auto' ? (dark ? 'dark' : 'light') : theme)
  lab.setAttribute('theme', theme)
}

/** @param {string} group @param {string} value */
function check(group, value) {
  for (const input of radios(group)) input.checked = input.value === value
}

/** @param {string} group @returns {HTMLInputElement[]} */
function radios(group) {
  return [...document.querySelectorAll(`#${group} input`)].filter(
    (input) => input instanceof HTMLInputElement,
  )
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let writing

function writeLink() {
  clearTimeout(writing)
  writing = setTimeout(() => {
    try {
      history.replaceState(null, '', `#${lab.link}`)
    } catch {
      // about:srcdoc and some sandboxes have no address to write.
    }
  }, WRITE_AFTER)
}

function readLink() {
  if (location.hash.length > 1) lab.restore(location.hash)
  if (lab.state.lang !== 'auto') showLanguage(lab.state.lang)
  if (lab.state.theme !== 'auto') showTheme(lab.state.theme)
}

function start() {
  showLanguage(root.dataset.lang ?? 'en')
  showTheme(root.dataset.theme ?? 'auto')
  readLink()
  for (const input of radios('language')) {
    input.addEventListener('change', () => {
      keep('lang', input.value)
      showLanguage(input.value)
    })
  }
  for (const input of radios('theme')) {
    input.addEventListener('change', () => {
      keep('theme', input.value)
      showTheme(input.value)
    })
  }
  lab.addEventListener('posenc-change', writeLink)
  window.addEventListener('hashchange', readLink)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () =>
    showTheme(root.dataset.theme ?? 'auto'),
  )
}

start()
