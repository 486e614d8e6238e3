// Adds a search field to the page. The index is fetched at the first use. The pages work without
// this script.
import { make, makeIcon } from './elements.js'
import { findPlaces, loadPlaces } from './find-places.js'

const MOST_SHOWN = 12

const field = make('input', {
  type: 'search',
  id: 'search',
  autocomplete: 'off',
  spellcheck: false,
  placeholder: 'Search the documentation',
})
field.setAttribute('aria-keyshortcuts', 'Control+K Meta+K')
field.setAttribute('aria-label', 'Search the documentation')
const told = make('p', { className: 'quiet' })
told.setAttribute('role', 'status')
const list = make('ol')
const panel = make('div', { className: 'found', hidden: true }, told, list)
const box = make('div', { className: 'with-icon' }, makeIcon('search'), field, make('kbd', {}, 'Ctrl K'))
const search = make('search', {}, box, panel)
document.querySelector('.bar-search').append(search)

async function show() {
  const query = field.value.trim()
  panel.hidden = query === ''
  if (query === '') return
  try {
    const found = findPlaces(await loadPlaces(), query, MOST_SHOWN)
    // Another letter came meanwhile.
    if (query !== field.value.trim()) return
    told.textContent =
      found.length === 0
        ? 'No results. Try other words.'
        : `${found.length === 1 ? '1 place' : `The best ${found.length} places`}; arrow keys go through them`
    list.replaceChildren(...found.map(makeItem))
  } catch {
    told.textContent = 'The search does not answer. Check that the service runs; then try again.'
    list.replaceChildren()
  }
}

function makeItem({ href, title, heading, excerpt }) {
  const name = heading === title ? [] : [make('span', { className: 'quiet' }, title), ' › ']
  const link = make('a', { href }, ...name, make('strong', {}, heading))
  const words = excerpt.map((piece, index) => (index % 2 === 1 ? make('mark', {}, piece) : piece))
  return make('li', {}, link, make('p', { className: 'quiet' }, ...words))
}

function close() {
  field.value = ''
  panel.hidden = true
}

field.addEventListener('focus', () => loadPlaces().catch(() => undefined))
field.addEventListener('input', show)

search.addEventListener('keydown', (event) => {
  const links = [...list.querySelectorAll('a')]
  const at = links.indexOf(document.activeElement)
  if (event.key === 'Escape') {
    close()
    field.focus()
  } else if (event.key === 'ArrowDown') (links[at + 1] ?? links[at])?.focus()
  else if (event.key === 'ArrowUp') (links[at - 1] ?? field).focus()
  else if (event.key === 'Enter' && at === -1) links[0]?.click()
  else return
  event.preventDefault()
})
// A link on the same page leaves the panel open otherwise.
list.addEventListener('click', (event) => event.target.closest('a') && close())

document.addEventListener('click', (event) => {
  if (!search.contains(event.target)) panel.hidden = true
})
field.addEventListener('click', show)
document.addEventListener('keydown', (event) => {
  if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return
  event.preventDefault()
  field.focus()
  field.select()
})
