import { render } from 'preact'
import { App } from './app.tsx'
import { isSameView } from './route.ts'
import { signInAgain } from './session.ts'
import { applyTheme } from './shell/side-bar.tsx'

/** Entry point of the console. */
const place = document.getElementById('console')
if (place === null) throw new Error('missing root element of the console')

applyTheme()
await signInAgain()
// Until here, the page shows skeletons.
place.replaceChildren()
render(<App />, place)
keepScroll()

// A file dropped elsewhere would replace the page, and lose all input.
for (const type of ['dragover', 'drop'] as const) window.addEventListener(type, refuseFiles)

function refuseFiles(event: DragEvent): void {
  const isTaken = event.defaultPrevented || (event.target instanceof HTMLInputElement && event.target.type === 'file')
  if (isTaken || event.dataTransfer?.types.includes('Files') !== true) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

/** Maximum time for a view to restore its height. */
const PATIENCE_MS = 3000

/**
 * Restores the scroll position of a view. The browser restores it too early, before lists have
 * loaded.
 */
function keepScroll(): void {
  history.scrollRestoration = 'manual'
  /** Scroll position of each view by URL fragment. */
  const left = new Map<string, number>()
  /**
   * Last known scroll position. When a navigation is reported, the new view may already be shown.
   */
  let last = 0
  /** Position to restore; `null` when restored. */
  let wanted: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function reach(): void {
    if (wanted === null) return
    scrollTo(0, wanted)
    last = scrollY
    if (scrollY >= wanted - 1) release()
  }

  function release(): void {
    wanted = null
    clearTimeout(timer)
  }

  addEventListener('hashchange', ({ oldURL, newURL }) => {
    if (isSameView(oldURL, newURL)) return
    if (wanted === null) left.set(new URL(oldURL).hash, last)
    release()
    wanted = left.get(location.hash) ?? 0
    timer = setTimeout(release, PATIENCE_MS)
    reach()
  })
  addEventListener('scroll', () => {
    last = scrollY
  })
  // Stop restoring when the user scrolls.
  for (const act of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(act, release, { passive: true })
  new ResizeObserver(reach).observe(document.body)
}
