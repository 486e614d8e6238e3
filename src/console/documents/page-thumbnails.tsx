import { useEffect, useRef, useState } from 'preact/hooks'
import type { DocumentWithPages } from '../../client/resources.ts'
import { useMedia, useVisibleRows } from '../hooks.ts'
import { client } from '../session.ts'
import { METHODS } from './page-report.tsx'

/** Heights in pixels, as in `documents.css`: with a picture, and with a number alone. */
const WITH_PICTURE = 176
const ALONE = 36

/** Time for which a page has to stay in view before it is drawn. */
const REST_MS = 150

/** Pictures that are drawn at a time: each takes a process of the service. */
const AT_ONCE = 2
let drawing = 0
const waiting: (() => void)[] = []

async function takeTurn(): Promise<void> {
  if (drawing >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  drawing += 1
}

function giveTurn(): void {
  drawing -= 1
  waiting.shift()?.()
}

type ThumbnailsProps = { document: DocumentWithPages; page: number; onJump: (page: number) => void }

/** Pages of a document beside its text. Those in view have a picture if there is one. */
export function PageThumbnails({ document, page, onJump }: ThumbnailsProps) {
  const { pages, hasSource, mimeType } = document
  const isDrawn = hasSource && /pdf|^image\//.test(mimeType)
  const isNarrow = useMedia('(max-width: 1080px)')
  const height = isDrawn ? WITH_PICTURE : ALONE
  const [scroller, list] = [useRef<HTMLElement>(null), useRef<HTMLOListElement>(null)]
  const seen = useVisibleRows(list, { count: pages.length, height, scroller })
  // Beside each other, the few that have room are drawn; the field of the page leads to the others.
  const { first, end } = isNarrow ? { first: 0, end: 0 } : seen
  useEffect(() => {
    const box = scroller.current
    if (box === null) return
    const top = (page - 1) * height
    if (top < box.scrollTop || top + height > box.scrollTop + box.clientHeight) box.scrollTop = top - height
  }, [page, height])
  return (
    <nav class="thumbnails" aria-label="Pages" ref={scroller}>
      <PageField page={page} count={pages.length} onJump={onJump} />
      <ol ref={list} style={{ height: isNarrow ? '' : `${pages.length * height}px` }}>
        {pages.slice(first, end).map((one, at) => (
          <li key={one.page} style={{ top: `${(first + at) * height}px`, height: `${height}px` }}>
            <button
              type="button"
              class="plain"
              aria-label={`Page ${one.page}, ${METHODS[one.method]}`}
              aria-current={one.page === page ? 'page' : undefined}
              onClick={() => onJump(one.page)}
            >
              {isDrawn && <Picture document={document} page={one.page} />}
              <span class="of-page">
                <i class={one.method} aria-hidden="true" /> {one.page}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function PageField({ page, count, onJump }: { page: number; count: number; onJump: (page: number) => void }) {
  return (
    <label class="page-field">
      <span>Page</span>
      <input
        type="number"
        min={1}
        max={count}
        value={page}
        aria-label="Page"
        onChange={(event) => {
          const wanted = event.currentTarget.valueAsNumber
          if (wanted >= 1 && wanted <= count) onJump(Math.floor(wanted))
        }}
      />
      <span class="faint">of {count.toLocaleString()}</span>
    </label>
  )
}

/** Picture of a page, in a frame that is there before it, and stays empty without one. */
function Picture({ document: { memoryId, id }, page }: { document: DocumentWithPages; page: number }) {
  const [address, setAddress] = useState<string | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    let made: string | null = null
    const timer = setTimeout(async () => {
      await takeTurn()
      try {
        if (leaving.signal.aborted) return
        const blob = await client.peek().documents.readPage(memoryId, id, { page, signal: leaving.signal })
        if (leaving.signal.aborted) return
        made = URL.createObjectURL(blob)
        setAddress(made)
      } catch {
        // The number of the page remains.
      } finally {
        giveTurn()
      }
    }, REST_MS)
    return () => {
      clearTimeout(timer)
      leaving.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [memoryId, id, page])
  return <span class="paper">{address !== null && <img src={address} alt="" />}</span>
}
