import { signal } from '@preact/signals'
import { ChevronRight, Menu as MenuIcon } from 'lucide'
import { useEffect } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { isSideBarOpen } from './side-bar.tsx'

/** Name of a place and its address, from the general to the specific; the last one is the view. */
export type Crumb = readonly [name: string, href: string]

const crumbs = signal<readonly Crumb[]>([])

/**
 * Sets the breadcrumbs and the title of the tab, most specific part first: `Search · Harbour ·
 * Recollect`. With `null`, another view sets them, or the name is not known yet.
 */
export function useCrumbs(path: readonly Crumb[] | null): void {
  const key = JSON.stringify(path)
  useEffect(() => {
    if (path === null) return
    crumbs.value = path
    const names = path.map(([name]) => name)
    const specific = names.length > 1 ? names.slice(1) : names
    document.title = [...specific.reverse(), 'Recollect'].join(' · ')
  }, [key])
}

/** Bar above the content: where one is, and the way up. */
export function TopBar() {
  const path = crumbs.value
  return (
    <header class="top">
      <button
        type="button"
        class="plain square only-narrow"
        aria-label="Menu"
        aria-expanded={isSideBarOpen.value}
        onClick={() => (isSideBarOpen.value = !isSideBarOpen.value)}
      >
        <Icon of={MenuIcon} />
      </button>
      <nav class="crumbs" aria-label="Breadcrumbs">
        {path.map(([name, href], index) => (
          <>
            {index > 0 && <Icon of={ChevronRight} />}
            {index < path.length - 1 ? (
              <a class="one-line" href={href} title={name}>
                <bdi>{name}</bdi>
              </a>
            ) : (
              <span class="one-line" aria-current="page" title={name}>
                <bdi>{name}</bdi>
              </span>
            )}
          </>
        ))}
      </nav>
    </header>
  )
}
