import { render } from 'preact'
import { App } from './app.tsx'
import { signInAgain } from './session.ts'

/** The start of the console in a browser. */
const place = document.getElementById('console')
if (place === null) throw new Error('the page has no place for the console')

await signInAgain()
render(<App />, place)
keepScroll()

// A file that misses its place would be opened instead of the console, and everything typed be gone.
for (const type of ['dragover', 'drop'] as const) window.addEventListener(type, refuseFiles)

function refuseFiles(event: DragEvent): void {
  const isTaken = event.defaultPrevented || (event.target instanceof HTMLInputElement && event.target.type === 'file')
  if (isTaken || event.dataTransfer?.types.includes('Files') !== true) return
  event.preventDefault()
  event.dataTransfer.dropEffect = 'none'
}

/** How long a view has to show as much as it did when it was left. */
const PATIENCE_MS = 3000

/** Who comes back to a view finds it scrolled as it was left: the browser looks for the place before its list is there again. */
function keepScroll(): void {
  history.scrollRestoration = 'manual'
  /** Where each view was left, by the part of its address behind `#`. */
  const left = new Map<string, number>()
  /** Where the page stood when it last said so: by the time a turn is heard of, another view may stand in its place. */
  let last = 0
  /** Where a view that was come back to is to stand; `null` when it does. */
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

  addEventListener('hashchange', ({ oldURL }) => {
    if (wanted === null) left.set(new URL(oldURL).hash, last)
    release()
    wanted = left.get(location.hash) ?? 0
    timer = setTimeout(release, PATIENCE_MS)
    reach()
  })
  addEventListener('scroll', () => {
    last = scrollY
  })
  // Who scrolls by himself is not moved any more.
  for (const act of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(act, release, { passive: true })
  new ResizeObserver(reach).observe(document.body)
}
