import { ExternalLink, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { formatPages } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Icon } from '../parts/icon.tsx'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { Stepper } from '../parts/stepper.tsx'
import { client } from '../session.ts'
import { PassageText, type Range } from './marked-text.tsx'
import { PagePicture } from './page-picture.tsx'

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
  /** Headings above the passage. */
  section?: string | null
  /** Words of the passage to mark; all of it by default. */
  marks?: readonly Range[]
  /** The passage around the cited words. */
  around?: Range
}

type Offsets = Pick<Place, 'documentId' | 'startOffset' | 'endOffset'>

/** Name of a place in the address, for views whose places have no other. */
export function nameOfPlace({ documentId, startOffset, endOffset }: Offsets): string {
  return `${documentId}.${startOffset}.${endOffset}`
}

type PassageProps = {
  place: Place
  onClose: () => void
  /** Buttons of the view in the header, such as those for the next hit. */
  children?: ComponentChildren
}

/**
 * Pane with a passage: its words marked in the text, and the picture of its page if the original is
 * stored. Escape closes it. In `.with-pane` it is beside the list, elsewhere over the view.
 */
export function Passage({ place, onClose, children }: PassageProps) {
  const { memoryId, documentId, startOffset, endOffset, page } = place
  const [shown, setShown] = useState<'text' | 'page'>('text')
  const own = { start: startOffset, end: endOffset }
  const marks = place.marks ?? [own]
  const [current, setCurrent] = useState(() => findDensest(marks))
  const pane = usePane(onClose)
  const loaded = useLoad(
    async (signal) => {
      const [text, document] = await Promise.all([
        client.value.documents.readText(memoryId, documentId, { signal }),
        client.value.documents.get(memoryId, documentId, { signal }),
      ])
      const isDrawn = document.hasSource && /^(?:image\/|application\/pdf)/.test(document.mimeType)
      return { documentId, text, isDrawn }
    },
    [memoryId, documentId],
  )
  useEffect(() => setCurrent(findDensest(marks)), [documentId, startOffset])
  const passage = place.around ?? (place.marks === undefined ? { start: startOffset, end: startOffset } : own)
  // The document before this one is not shown with the offsets of this one.
  const document = loaded.value?.documentId === documentId ? loaded.value : null
  const hasPicture = page !== null && document?.isDrawn === true
  return (
    <aside ref={pane} class="pane" aria-label={`Passage of ${place.title}`} tabIndex={-1}>
      <Header place={place} onClose={onClose} />
      <div class="bar">
        {marks.length > 1 && (
          <Stepper
            what="match"
            label={`${current + 1} of ${marks.length} matches`}
            at={current}
            count={marks.length}
            onMove={setCurrent}
          />
        )}
        {children}
        {hasPicture && <Switch shown={shown} onShow={setShown} />}
      </div>
      <Notice error={loaded.error} onRetry={loaded.reload} />
      <div class={hasPicture ? `place drawn shows-${shown}` : 'place'}>
        {document === null && loaded.error === null && <Skeleton rows={8} />}
        {document !== null && (
          <PassageText text={document.text} passage={passage} marks={marks} current={Math.min(current, marks.length)} />
        )}
        {hasPicture && <PagePicture key={`${documentId} ${page} ${startOffset}`} place={{ ...place, page }} />}
      </div>
    </aside>
  )
}

/** Characters of a snippet. */
const NEAR = 250

/** Index of the mark with the most marks close behind it: that of the snippet of a hit. */
function findDensest(marks: readonly Range[]): number {
  const counts = marks.map(
    ({ start }) => marks.filter((other) => other.start >= start && other.start < start + NEAR).length,
  )
  return Math.max(0, counts.indexOf(Math.max(...counts)))
}

/** Closes the pane on Escape. Where it covers the view, the focus moves into it and comes back. */
function usePane(onClose: () => void) {
  const pane = useRef<HTMLElement>(null)
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const before = document.activeElement
    const element = pane.current
    if (element !== null && getComputedStyle(element).position === 'fixed') element.focus()
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      if (document.querySelector('dialog[open], .menu') !== null) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', close)
    return () => {
      removeEventListener('keydown', close)
      const { activeElement } = document
      const isLost = activeElement === document.body || element?.contains(activeElement) === true
      if (isLost && before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return pane
}

function Header({ place, onClose }: { place: Place; onClose: () => void }) {
  const { memoryId, documentId, title, section = null, startOffset, endOffset } = place
  const at = [formatPages(place), section].filter((part) => part !== null)
  return (
    <header>
      <div>
        <h2 class="one-line" dir="auto" title={title}>
          {title}
        </h2>
        {at.length > 0 && (
          <p class="faint one-line">
            <bdi>{at.join(' · ')}</bdi>
          </p>
        )}
      </div>
      <a
        class="button quiet small"
        href={`#/memories/${memoryId}/documents/${documentId}?start=${startOffset}&end=${endOffset}`}
      >
        <Icon of={ExternalLink} /> Open the document
      </a>
      <button type="button" class="plain square small" aria-label="Close" title="Close (Esc)" onClick={onClose}>
        <Icon of={X} />
      </button>
    </header>
  )
}

/** Choice between text and page, where both have no room. */
function Switch({ shown, onShow }: { shown: string; onShow: (shown: 'text' | 'page') => void }) {
  return (
    <div class="segmented switch">
      {(['text', 'page'] as const).map((one) => (
        <button key={one} type="button" aria-pressed={shown === one} onClick={() => onShow(one)}>
          {one === 'text' ? 'Text' : 'Page'}
        </button>
      ))}
    </div>
  )
}
