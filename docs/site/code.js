// Tools of the code: tabs of the languages, copying, the address of this service and the own key.
// Without this script every sample is shown, and reads its variables.
import { announce, make, makeButton, makeIcon, nameButton, readStored, store } from './elements.js'

const STORED_LANGUAGE = 'recollect-docs-language'
const STORED_USE = 'recollect-docs-use-key'
/** Key of the console, for this tab; other tabs are asked in a channel. */
const STORED_KEY = 'recollect-key'
const COPIED_MS = 2000
/** Other characters have a meaning in a shell or in a string. */
const PLAIN_KEY = /^[\w.~+/=-]+$/
const session = () => sessionStorage

/** The key of the signed-in console, in the memory of this page alone. */
let key = null
let usesKey = readStored(STORED_USE, session) === 'yes'

/** Groups of samples with their tabs. */
const groups = [...document.querySelectorAll('.samples')].map(addTabs)

function addTabs(group, number) {
  const list = make('div', { className: 'languages' })
  list.setAttribute('role', 'tablist')
  list.setAttribute('aria-label', 'Language')
  const tabs = [...group.querySelectorAll('.sample')].map((panel, index) => {
    panel.id = `sample-${number}-${index}`
    panel.setAttribute('role', 'tabpanel')
    const tab = make('button', { type: 'button', id: `${panel.id}-tab` }, panel.dataset.name)
    tab.setAttribute('role', 'tab')
    tab.setAttribute('aria-controls', panel.id)
    panel.setAttribute('aria-labelledby', tab.id)
    tab.addEventListener('click', () => choose(panel.dataset.name, tab))
    return { name: panel.dataset.name, tab, panel }
  })
  list.append(...tabs.map(({ tab }) => tab))
  list.addEventListener('keydown', (event) => moveByKey(event, tabs))
  group.querySelector('.code-bar').prepend(list)
  return tabs
}

function moveByKey(event, tabs) {
  const at = tabs.findIndex(({ tab }) => tab === document.activeElement)
  const last = tabs.length - 1
  const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
    event.key
  ]
  if (to === undefined || at === -1) return
  event.preventDefault()
  tabs[to].tab.focus()
  choose(tabs[to].name, tabs[to].tab)
}

/** Shows a language in all samples that have it. The chosen tab keeps its place on the screen. */
function choose(language, tab) {
  const before = tab.getBoundingClientRect().top
  store(STORED_LANGUAGE, language)
  showLanguage(language)
  scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' })
}

function showLanguage(language) {
  for (const tabs of groups) {
    const chosen = tabs.find(({ name }) => name === language) ?? tabs[0]
    for (const { tab, panel } of tabs) {
      const isChosen = tab === chosen.tab
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      panel.hidden = !isChosen
    }
  }
}

/** Places in the code for the address or the key, with the variable that the server wrote. */
const fills = [...document.querySelectorAll('[data-fill]')].map((place) => {
  const variable = place.textContent
  // A variable of a program is replaced by a string, and one of a shell by its text.
  const quote = variable.startsWith('process.') ? "'" : (/["']/.exec(variable)?.[0] ?? '')
  return { place, variable, quote, isKey: place.dataset.fill === 'key' }
})

function showFills() {
  for (const { place, variable, quote, isKey } of fills) {
    const value = isKey ? (isUsed() ? maskKey() : null) : location.origin
    place.textContent = value === null ? variable : `${quote}${value}${quote}`
    place.classList.toggle('filled', isKey && value !== null)
  }
}

function isUsed() {
  return key !== null && usesKey
}

/** The ends of the key: enough to know which it is. */
function maskKey() {
  return `${key.slice(0, 4)}••••••••${key.slice(-4)}`
}

/** The text of a code as it is copied: the key is whole. */
function textToCopy(code) {
  const whole = fills.filter(({ place, isKey }) => isKey && isUsed() && code.contains(place))
  if (whole.length === 0) return code.textContent
  const copy = code.cloneNode(true)
  const places = copy.querySelectorAll('[data-fill=key]')
  for (const [index, { quote }] of whole.entries()) places[index].textContent = `${quote}${key}${quote}`
  return copy.textContent
}

async function copyText(text) {
  // Browsers offer the clipboard on localhost and HTTPS only; elsewhere a selection is copied.
  try {
    return await navigator.clipboard.writeText(text)
  } catch {
    copySelection(text)
  }
}

function copySelection(text) {
  const field = make('textarea', { value: text, className: 'hidden' })
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (!isCopied) throw new Error('not copied')
}

function makeCopyButton(block) {
  const button = makeButton('copy', 'Copy')
  button.addEventListener('click', async () => {
    const code = [...block.querySelectorAll('pre')].find((one) => one.closest('[hidden]') === null)
    const isCopied = await copyText(textToCopy(code)).then(
      () => true,
      () => false,
    )
    button.focus()
    announce(isCopied ? 'Copied.' : 'The browser did not allow to copy.')
    button.replaceChildren(makeIcon(isCopied ? 'check' : 'x'))
    nameButton(button, isCopied ? 'Copied' : 'Not copied')
    setTimeout(() => {
      button.replaceChildren(makeIcon('copy'))
      nameButton(button, 'Copy')
    }, COPIED_MS)
  })
  return button
}

/** Switches between the own key and the variable, in all samples of the page. */
function makeKeyButton() {
  const button = make('button', { type: 'button', className: 'quiet small use-key', hidden: true })
  button.append(makeIcon('key'), make('span', {}, 'Use my key'))
  button.title = 'Fills in the key of the signed-in console. It stays in this browser.'
  button.addEventListener('click', () => {
    usesKey = !usesKey
    store(STORED_USE, usesKey ? 'yes' : null, session)
    showKey()
    announce(usesKey ? 'The samples have your key.' : 'The samples read the key from a variable.')
  })
  return button
}

const keyButtons = []
for (const block of document.querySelectorAll('.code')) {
  const tools = make('div', { className: 'code-tools' })
  if (block.querySelector('[data-fill=key]') !== null) {
    const button = makeKeyButton()
    keyButtons.push(button)
    tools.append(button)
  }
  tools.append(makeCopyButton(block))
  ;(block.querySelector('.code-bar') ?? block).append(tools)
}

function showKey() {
  for (const button of keyButtons) {
    button.hidden = key === null
    button.setAttribute('aria-pressed', String(usesKey))
  }
  showFills()
}

function takeKey(given) {
  key = typeof given === 'string' && PLAIN_KEY.test(given) ? given : null
  showKey()
}

/** Takes the key of this tab, or that of another one. A sign-in or sign-out there counts here, too. */
function findKey() {
  takeKey(readStored(STORED_KEY, session))
  const tabs = new BroadcastChannel('recollect')
  tabs.addEventListener('message', ({ data }) => {
    if (data.signedOut === true) {
      store(STORED_KEY, null, session)
      takeKey(null)
    } else if (typeof data.key === 'string' && (key === null || data.signedIn === true)) takeKey(data.key)
  })
  if (key === null && keyButtons.length > 0) tabs.postMessage({ ask: true })
}

showLanguage(readStored(STORED_LANGUAGE))
findKey()
