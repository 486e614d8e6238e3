/** Where the console is: the part of the address behind `#`, so that a reload and a shared link come back to it. */
import { computed, signal } from '@preact/signals'

const hash = signal(location.hash)
window.addEventListener('hashchange', () => {
  hash.value = location.hash
  document.querySelector('main')?.focus()
})

/** The path in its parts, and what stands behind `?`. */
export const route = computed(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?')
  return { parts: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
})

/** A part that was cut off in an escape is taken as it is: it names nothing, which its view says. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The address of a place, for links. */
export function linkTo(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`
}

/** Goes there. */
export function goTo(...parts: readonly string[]): void {
  location.hash = linkTo(...parts)
}

/** Puts words of a view behind `?`, so that a reload and a shared link find them; no step for "back". */
export function keepQuery(query: Readonly<Record<string, string>>): void {
  const [path = ''] = location.hash.split('?')
  const kept = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  history.replaceState(null, '', kept === '' ? path || '#/' : `${path}?${kept}`)
}
