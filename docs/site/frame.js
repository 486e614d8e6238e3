// The frame of the pages: the choice of the theme, and contents that follow the scroll. Without
// this script the pages have the theme of the system, and all links work.
import { make, makeIcon, readStored, store } from './elements.js'

const STORED_THEME = 'recollect-theme'
const THEMES = { system: 'monitor', light: 'sun', dark: 'moon' }

function readTheme() {
  const stored = readStored(STORED_THEME) ?? ''
  return Object.hasOwn(THEMES, stored) ? stored : 'system'
}

const themeButton = make('button', { type: 'button', className: 'quiet square' })

function applyTheme(theme) {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset.theme
  else root.dataset.theme = theme
  themeButton.replaceChildren(makeIcon(THEMES[theme]))
  themeButton.setAttribute('aria-label', `Theme: ${theme}`)
  themeButton.title = `Theme: ${theme}. Change to ${nextOf(theme)}`
}

function nextOf(theme) {
  const names = Object.keys(THEMES)
  return names[(names.indexOf(theme) + 1) % names.length]
}

themeButton.addEventListener('click', () => {
  const theme = nextOf(readTheme())
  store(STORED_THEME, theme)
  applyTheme(theme)
})
// The console and other pages change the theme, too.
addEventListener('storage', ({ key }) => key === STORED_THEME && applyTheme(readTheme()))
applyTheme(readTheme())
document.querySelector('.bar-end').append(themeButton)

/** Links of the contents with the headings that they lead to, in order. */
const places = [...document.querySelectorAll('.on-page a, .endpoints a')].flatMap((link) => {
  const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)))
  return heading === null ? [] : [{ link, heading }]
})

/** Distance from the top at which a section counts as read. */
const READING_LINE = 120

/**
 * Returns the last heading above the reading line. The line moves down near the end of the page,
 * so that the last sections are reached.
 */
function findCurrent() {
  const most = document.documentElement.scrollHeight - innerHeight
  const ending = Math.min(innerHeight / 2, most)
  const share = ending <= 0 ? 0 : Math.max(0, 1 - (most - scrollY) / ending)
  const line = READING_LINE + (innerHeight - READING_LINE) * share
  return places.findLast(({ heading }) => heading.getBoundingClientRect().top <= line) ?? places[0]
}

let current = null
function markCurrent() {
  const found = findCurrent()
  if (found === undefined || found === current) return
  current?.link.removeAttribute('aria-current')
  current = found
  const { link } = found
  link.setAttribute('aria-current', 'location')
  const group = link.closest('details')
  if (group !== null) {
    for (const other of document.querySelectorAll('.endpoints details')) other.open = other === group
  }
  showInside(link, link.closest('nav'))
}

/** Scrolls a list, not the page, until the link is visible. */
function showInside(link, list) {
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()]
  if (inner.top < outer.top || inner.bottom > outer.bottom)
    list.scrollTop += inner.top - outer.top - list.clientHeight / 3
}

let isWaiting = false
function follow() {
  if (isWaiting) return
  isWaiting = true
  requestAnimationFrame(() => {
    isWaiting = false
    markCurrent()
  })
}
addEventListener('scroll', follow, { passive: true })
addEventListener('resize', follow)
markCurrent()

const pages = document.getElementById('all-pages')
if (places.length === 0 || current.link.closest('nav') !== pages)
  showInside(pages.querySelector('[aria-current]') ?? pages, pages)

// A link on the same page leaves the list open otherwise.
for (const list of document.querySelectorAll('[popover]'))
  list.addEventListener('click', ({ target }) => {
    if (target.closest('a') !== null && list.matches(':popover-open')) list.hidePopover()
  })
