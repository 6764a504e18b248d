// Runs before the first paint, so that the page never shows the wrong language or theme first.
// A classic script of its own: modules run too late for that.
;(() => {
  const root = document.documentElement
  const asked = new URLSearchParams(location.hash.slice(1))
  /** @param {string} key */
  const kept = (key) => {
    try {
      return localStorage.getItem(`posenc-lab.${key}`)
    } catch {
      return null // a sandboxed frame has no storage
    }
  }
  const language = [asked.get('lang'), kept('lang')].find((tag) => tag === 'zh' || tag === 'en')
  const preferred = navigator.languages.find((tag) => /^(zh|en)\b/i.test(tag)) ?? 'en'
  root.dataset.lang = language ?? (/^zh/i.test(preferred) ? 'zh' : 'en')
  root.lang = root.dataset.lang === 'zh' ? 'zh-CN' : 'en'
  const theme = [asked.get('theme'), kept('theme')].find((name) =>
    /^(light|dark|projector)$/.test(name ?? ''),
  )
  if (theme) root.dataset.theme = theme
  let framed = true
  try {
    framed = window.top !== window
  } catch {
    // Another origin around us: framed.
  }
  root.classList.toggle('framed', framed)
  root.classList.add('scripted')
  // A program that does not arrive, or not whole: the page says so beside the still picture.
  const check = () => root.classList.toggle('damaged', !customElements.get('posenc-lab'))
  addEventListener('error', check, true)
  addEventListener('load', () => setTimeout(check, 4000))
})()
