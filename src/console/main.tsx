/** The start of the console in a browser. */
import { render } from 'preact'
import { App } from './app.tsx'
import { keepScroll } from './keep-scroll.ts'
import { signInAgain } from './session.ts'

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
