/**
 * Location of the console: the part of the URL after `#`, which survives reloads and shared links.
 */
import { computed, signal } from '@preact/signals'

const hash = signal({ text: location.hash })
/** Query of each view by path, so that links return to the same state. */
const kept = signal<ReadonlyMap<string, string>>(new Map())
window.addEventListener('hashchange', () => {
  hash.value = { text: location.hash }
  document.querySelector('main')?.focus({ preventScroll: true })
})

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
  const [path = ''] = location.hash.split('?')
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  const behind = text === '' ? '' : `?${text}`
  history.replaceState(null, '', `${path || '#/'}${behind}`)
  kept.value = new Map([...kept.value, [view, behind]])
}

/** Clears the stored view states. */
export function forgetQueries(): void {
  kept.value = new Map()
}
