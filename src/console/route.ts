/**
 * Location of the console: the part of the URL after `#`, which survives reloads and shared links.
 */
import { computed, signal } from '@preact/signals'

const hash = signal({ text: location.hash })
/** Query of each view by path, so that links return to the same state. */
const kept = signal<ReadonlyMap<string, string>>(new Map())
window.addEventListener('hashchange', ({ oldURL, newURL }) => {
  hash.value = { text: location.hash }
  if (!isSameView(oldURL, newURL)) document.querySelector('main')?.focus({ preventScroll: true })
})

/** Parameter of what is open beside the content of a view, such as a passage. */
const OPEN = /[?&]open=[^&]*/

/** True if two URLs differ at most in what is open beside the content. */
export function isSameView(one: string, other: string): boolean {
  return withoutOpen(one) === withoutOpen(other)
}

function withoutOpen(url: string): string {
  return url.replace(OPEN, '')
}

/** Path segments and query. Changes with every navigation, even to the same place. */
export const route = computed(() => {
  const [path = '', query = ''] = hash.value.text.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
})

/** A truncated escape sequence is kept as is. The view then reports an unknown place. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Returns the URL of a place. */
export function linkTo(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

/** Returns the URL of a place with its last state. */
export function linkBackTo(...parts: readonly string[]): string {
  const path = linkTo(...parts)
  return path + (kept.value.get(path) ?? '')
}

/** Navigates to a URL. */
export function goTo(...parts: readonly string[]): void {
  location.hash = linkTo(...parts)
}

/**
 * Stores parameters of a view in the URL, without a history entry, so that reloads and links
 * restore them.
 */
export function keepQuery(view: string, query: Readonly<Record<string, string>>): void {
  const [path = '', before = ''] = location.hash.split('?')
  const open = new URLSearchParams(before).get('open') ?? ''
  replace(path || '#/', { ...query, open })
  kept.value = new Map([...kept.value, [view, toText(query)]])
}

/** Like {@link keepQuery}, for a view that reads its state from the address. */
export function setQuery(query: Readonly<Record<string, string>>): void {
  keepQuery(linkTo(...route.peek().parts), query)
  hash.value = { text: location.hash }
}

function toText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  return text === '' ? '' : `?${text}`
}

function replace(path: string, query: Readonly<Record<string, string>>): void {
  history.replaceState(history.state, '', path + toText(query))
}

/** What is open beside the content of the view; `null` if nothing is. */
export const opened = computed(() => route.value.query.get('open'))

/**
 * Opens something beside the content of the view. The first adds a history entry, so that back
 * closes it; the next ones take its place.
 */
export function openBeside(id: string): void {
  const [path = '', before = ''] = location.hash.split('?')
  const query = Object.fromEntries(new URLSearchParams(before))
  if ('open' in query) replace(path, { ...query, open: id })
  else history.pushState({ isOpened: true }, '', path + toText({ ...query, open: id }))
  hash.value = { text: location.hash }
}

/** Closes what {@link openBeside} opened. A link that opened it leads to the view without it. */
export function closeBeside(): void {
  if ((history.state as { isOpened?: boolean } | null)?.isOpened === true) {
    history.back()
    return
  }
  const [path = '', before = ''] = location.hash.split('?')
  replace(path, { ...Object.fromEntries(new URLSearchParams(before)), open: '' })
  hash.value = { text: location.hash }
}

/** Clears the stored view states. */
export function forgetQueries(): void {
  kept.value = new Map()
}
