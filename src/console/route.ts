/** Where the console is: the part of the address behind `#`, so that a reload and a shared link come back to it. */
import { computed, signal } from '@preact/signals'

const hash = signal({ text: location.hash })
/** What each view keeps behind `?`, by the path before it: its links lead back to that. */
const kept = signal<ReadonlyMap<string, string>>(new Map())
window.addEventListener('hashchange', () => {
  hash.value = { text: location.hash }
  document.querySelector('main')?.focus({ preventScroll: true })
})

/** The path in its parts, and what stands behind `?`; another one whenever one goes somewhere, also to where one is. */
export const route = computed(() => {
  const [path = '', query = ''] = hash.value.text.replace(/^#\/?/, '').split('?')
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

/** The same as {@link linkTo}, to what the view there was left with. */
export function linkBackTo(...parts: readonly string[]): string {
  const path = linkTo(...parts)
  return path + (kept.value.get(path) ?? '')
}

/** Goes there. */
export function goTo(...parts: readonly string[]): void {
  location.hash = linkTo(...parts)
}

/** Puts words of the view at `view` behind `?`, so that a reload, a shared link and the links to it find them; no step for "back". */
export function keepQuery(view: string, query: Readonly<Record<string, string>>): void {
  const [path = ''] = location.hash.split('?')
  const text = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()
  const behind = text === '' ? '' : `?${text}`
  history.replaceState(null, '', `${path || '#/'}${behind}`)
  kept.value = new Map([...kept.value, [view, behind]])
}

/** Forgets what the views keep. */
export function forgetQueries(): void {
  kept.value = new Map()
}
