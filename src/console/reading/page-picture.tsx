import { useEffect, useRef, useState } from 'preact/hooks'
import { formatPages } from '../format.ts'
import { Stepper } from '../parts/stepper.tsx'
import { client } from '../session.ts'

/** A passage on a page, and the last page if it spans several. */
type DrawnPlace = {
  memoryId: string
  documentId: string
  page: number
  pageEnd?: number | null
  startOffset: number
  endOffset: number
}

/** Yellow of the marks, as the service draws them on white paper. */
const MARK = [255, 238, 107] as const
/** Size of the copy of the picture in which the mark is looked for, in pixels. */
const COPY_PX = 500

/**
 * Picture of the page with the passage marked, scrolled to the mark. Keeps its room while it loads.
 */
export function PagePicture({ place }: { place: DrawnPlace }) {
  const { page, pageEnd = null } = place
  const [at, setAt] = useState(page)
  const scroller = useRef<HTMLElement>(null)
  const picture = usePicture(place, at)
  const last = pageEnd ?? page
  function scrollToMark(image: HTMLImageElement) {
    const box = scroller.current
    if (box === null) return
    const part = findMark(image)
    box.scrollTop = part === null ? 0 : part * image.clientHeight - box.clientHeight / 3
  }
  return (
    <div class="page-picture">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard */}
      <section ref={scroller} class="paper" tabIndex={0} aria-label="Picture of the page">
        {picture === 'none' ? (
          <p class="quiet">This page has no picture.</p>
        ) : picture === null ? (
          <span class="skeleton sheet" />
        ) : (
          <img
            class="page"
            src={picture.address}
            alt={`Page ${picture.page} with the passage highlighted`}
            onLoad={(event) => scrollToMark(event.currentTarget)}
          />
        )}
      </section>
      {last > page && (
        <nav class="bar" aria-label="Pages of the passage">
          <Stepper
            what="page"
            label={`page ${at} of ${formatPages({ page, pageEnd })}`}
            at={at - page}
            count={last - page + 1}
            onMove={(step) => setAt(page + step)}
          />
        </nav>
      )}
    </div>
  )
}

/** Height of the first mark in a picture as a part of it, from 0 to 1; `null` without a mark. */
function findMark(image: HTMLImageElement): number | null {
  const canvas = document.createElement('canvas')
  const scale = Math.min(1, COPY_PX / image.naturalWidth)
  canvas.width = Math.round(image.naturalWidth * scale)
  canvas.height = Math.round(image.naturalHeight * scale)
  const drawing = canvas.getContext('2d', { willReadFrequently: true })
  if (drawing === null || canvas.width === 0) return null
  // Smoothing would mix the mark with the letters on it.
  drawing.imageSmoothingEnabled = false
  drawing.drawImage(image, 0, 0, canvas.width, canvas.height)
  const { data } = drawing.getImageData(0, 0, canvas.width, canvas.height)
  for (let at = 0; at < data.length; at += 4) {
    if (data[at] === MARK[0] && data[at + 1] === MARK[1] && data[at + 2] === MARK[2]) {
      return Math.floor(at / 4 / canvas.width) / canvas.height
    }
  }
  return null
}

/**
 * Picture of the page. The previous picture remains until the next one has loaded; `none` if the
 * page has none.
 */
function usePicture({ memoryId, documentId, startOffset, endOffset }: DrawnPlace, page: number) {
  const [picture, setPicture] = useState<{ address: string; page: number } | 'none' | null>(null)
  useEffect(() => {
    const leaving = new AbortController()
    let made: string | null = null
    const highlight = { start: startOffset, end: endOffset }
    client.value.documents.readPage(memoryId, documentId, { page, highlight, signal: leaving.signal }).then(
      (blob) => {
        if (leaving.signal.aborted) return
        made = URL.createObjectURL(blob)
        setPicture({ address: made, page })
      },
      () => {
        // The passage is shown as text.
        if (!leaving.signal.aborted) setPicture('none')
      },
    )
    return () => {
      leaving.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [memoryId, documentId, page, startOffset, endOffset])
  return picture
}
