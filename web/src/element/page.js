// The page around the stage: language and theme of all its figures; the address follows the stage.
import './index.js'

/** @param {string} key @param {string} value */
function keep(key, value) {
  try {
    localStorage.setItem(`posenc-lab.${key}`, value)
  } catch {
    // A sandboxed frame has no storage: the choice lasts as long as the page.
  }
}

/** Makes the switches work, and keeps page and stage together. */
export function startPage() {
  const root = document.documentElement
  /** The stage, and below it the figures of the lesson. */
  const labs = /** @type {NodeListOf<import('./index.js').PosencLab>} */ (
    document.querySelectorAll('posenc-lab')
  )
  const [stage] = labs

  /** @param {string} language */
  function showLanguage(language) {
    root.dataset.lang = language
    root.lang = language === 'zh' ? 'zh-CN' : 'en'
    document.title = document.querySelector(`.lab :lang(${language})`)?.textContent ?? ''
    check('language', language)
    for (const lab of labs) lab.setAttribute('lang', root.lang)
  }

  /** @param {string} theme */
  function showTheme(theme) {
    if (theme === 'auto') delete root.dataset.theme
    else root.dataset.theme = theme
    check('theme', theme)
    for (const lab of labs) lab.setAttribute('theme', theme)
  }

  /** @param {string} group @param {string} value */
  function check(group, value) {
    for (const input of radios(group)) input.checked = input.value === value
  }

  /** @param {string} group */
  function radios(group) {
    return [...document.querySelectorAll(`#${group} input`)].filter(
      (input) => input instanceof HTMLInputElement,
    )
  }

  /** A link brings its language and theme with it: the page around the stage follows. */
  function followStage() {
    const { lang, theme } = stage.state
    if (lang !== 'auto' && lang !== root.dataset.lang) showLanguage(lang)
    if (theme !== (root.dataset.theme ?? 'auto')) showTheme(theme)
  }

  showLanguage(root.dataset.lang ?? 'en')
  showTheme(root.dataset.theme ?? 'auto')
  stage.addEventListener('posenc-change', followStage)
  // In a frame of somebody else's page "back" belongs to that page: the address is only read.
  stage.setAttribute('sync-url', root.classList.contains('framed') ? 'read' : '')
  followStage()
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
  // Without the page's script it is a link like any other; with it the address belongs to the stage.
  document.querySelector('.skip')?.addEventListener('click', (event) => {
    event.preventDefault()
    const target = document.querySelector('main')
    target?.focus()
    target?.scrollIntoView()
  })
  // On paper the ground is white, whatever the screen shows. Before any figure hears of it.
  let shown = 'auto'
  addEventListener(
    'beforeprint',
    () => {
      shown = root.dataset.theme ?? 'auto'
      showTheme('light')
    },
    true,
  )
  addEventListener('afterprint', () => showTheme(shown))
}
