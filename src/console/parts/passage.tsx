import { useEffect, useState } from 'preact/hooks'
import { formatPages } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { client } from '../session.ts'
import { Modal } from './modal.tsx'
import { Notice } from './notice.tsx'

/**
 * Location of a passage, as in hits, sources and citations: UTF-16 offsets in the extracted text.
 */
export type Place = {
  memoryId: string
  documentId: string
  title: string
  page: number | null
  /** Last page of a passage that spans several pages. */
  pageEnd?: number | null
  startOffset: number
  endOffset: number
}

/** Characters shown around the passage. */
const AROUND = 1200

/**
 * Opens a passage: highlighted in the text, and in the image of the page if the original is stored.
 */
export function Passage({ place, onClose }: { place: Place; onClose: () => void }) {
  const { memoryId, documentId, title, startOffset: start, endOffset: end } = place
  const text = useLoad(
    (signal) => client.value.documents.readText(memoryId, documentId, { signal }),
    [memoryId, documentId],
  )
  useEffect(() => document.querySelector('dialog mark')?.scrollIntoView({ block: 'center' }), [text.value, start])
  const before = text.value?.slice(Math.max(0, start - AROUND), start) ?? ''
  const behind = text.value?.slice(end, end + AROUND) ?? ''
  return (
    <Modal title={[title, formatPages(place)].filter(Boolean).join(', ')} onClose={onClose} wide>
      <Notice error={text.error} onRetry={text.reload} />
      <div class="passage">
        {text.value !== null && (
          // A scrolling region is reached by keyboard.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
          <section class="text" dir="auto" aria-label="Text of the document" tabIndex={0}>
            {start > AROUND && '… '}
            {before}
            <mark>{text.value.slice(start, end)}</mark>
            {behind}
            {end + AROUND < text.value.length && ' …'}
          </section>
        )}
        <PagePicture place={place} />
      </div>
      <p>
        <a href={`#/memories/${memoryId}/documents/${documentId}?start=${start}&end=${end}`} onClick={onClose}>
          Open the document
        </a>
      </p>
    </Modal>
  )
}

/**
 * Image of the page, with buttons if the passage spans several pages. Empty if no page can be
 * rendered.
 */
function PagePicture({ place: { page, pageEnd = null, ...place } }: { place: Place }) {
  const [at, setAt] = useState(page)
  const picture = usePicture({ ...place, start: place.startOffset, end: place.endOffset, page: at })
  if (page === null || at === null || (picture === null && at === page)) return null
  const last = pageEnd ?? page
  return (
    <div class="drawn">
      {picture && <img class="page" src={picture.address} alt={`Page ${picture.page} with the passage highlighted`} />}
      {last > page && (
        <nav class="row" aria-label="Pages of the passage">
          <button type="button" disabled={at <= page} onClick={() => setAt(at - 1)}>
            Previous page
          </button>
          <button type="button" disabled={at >= last} onClick={() => setAt(at + 1)}>
            Next page
          </button>
          <span class="quiet" role="status">
            page {at} of {formatPages({ page, pageEnd })}
          </span>
        </nav>
      )}
    </div>
  )
}

/**
 * Image of the page. The previous image remains until the next one has loaded. `null` without an
 * image.
 */
function usePicture({
  memoryId,
  documentId,
  page,
  start,
  end,
}: Omit<PassagePicture, 'page'> & { page: number | null }) {
  const [picture, setPicture] = useState<{ address: string; page: number } | null>(null)
  useEffect(() => {
    if (page === null) return
    const leaving = new AbortController()
    let made: string | null = null
    readPagePicture({ memoryId, documentId, page, start, end }, leaving.signal).then(
      (blob) => {
        if (leaving.signal.aborted) return
        made = blob === null ? null : URL.createObjectURL(blob)
        setPicture(made === null ? null : { address: made, page })
      },
      () => undefined,
    )
    return () => {
      leaving.abort()
      if (made !== null) URL.revokeObjectURL(made)
    }
  }, [memoryId, documentId, page, start, end])
  return picture
}

type PassagePicture = { memoryId: string; documentId: string; page: number; start: number; end: number }

async function readPagePicture(wanted: PassagePicture, signal: AbortSignal): Promise<Blob | null> {
  const { memoryId, documentId, page, start, end } = wanted
  try {
    return await client.value.documents.readPage(memoryId, documentId, { page, highlight: { start, end }, signal })
  } catch {
    // The passage is shown as text. Most documents are stored without their original.
    return null
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}

/** Renders a snippet. Its only tags are marks; they are parsed and never inserted as HTML. */
export function MarkedSnippet({ snippet }: { snippet: string }) {
  const parts = snippet.split(/<mark>([\s\S]*?)<\/mark>/)
  return (
    <p class="snippet" dir="auto">
      {parts.map((part, index) => (index % 2 === 1 ? <mark>{plain(part)}</mark> : plain(part)))}
    </p>
  )
}

function plain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity)
}
