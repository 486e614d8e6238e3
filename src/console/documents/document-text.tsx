import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Chunk, DocumentWithPages } from '../../client/resources.ts'
import { formatCount, pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { client } from '../session.ts'

/** Maximum number of characters to show. Browsers become slow with more. */
const MAX_CHARACTERS = 1_000_000

/** Characters of a block. Blocks out of view are not laid out. */
const BLOCK = 4000

type Range = { start: number; end: number }

type TextProps = {
  document: DocumentWithPages
  /** Offsets at which the pages begin; empty if they are not known. */
  starts: readonly number[]
  marked: Range | null
  /** Page to scroll to. */
  page: number | null
  /** Called with the page that is read. */
  onPage: (page: number) => void
}

/** Extracted text of a document by page, with the borders of its passages on demand. */
export function DocumentText({ document, starts, marked, page, onPage }: TextProps) {
  const { memoryId, id, status } = document
  const [hasBorders, setBorders] = useState(false)
  const text = useLoad(
    (signal) => client.value.documents.readText(memoryId, id, { signal }),
    // The text does not exist until the document is processed.
    [memoryId, id, status],
  )
  const chunks = useLoad(
    async (signal) => (hasBorders ? readChunks(memoryId, id, signal) : []),
    [memoryId, id, status, hasBorders],
  )
  return (
    <section class="document-text" aria-label="Text">
      <header>
        <h2>Text</h2>
        <label class="choice">
          <input type="checkbox" checked={hasBorders} onChange={() => setBorders(!hasBorders)} /> Show passages
        </label>
      </header>
      <Notice error={text.error ?? chunks.error} onRetry={text.error ? text.reload : chunks.reload} />
      {text.value === null && text.error === null && <Skeleton rows={12} />}
      {text.value !== null && (
        <Blocks
          text={text.value}
          starts={starts}
          marked={marked}
          chunks={hasBorders ? (chunks.value ?? []) : []}
          page={page}
          onPage={onPage}
        />
      )}
    </section>
  )
}

async function readChunks(memoryId: string, documentId: string, signal: AbortSignal): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of client.value.documents.listChunks(memoryId, documentId, { signal })) chunks.push(chunk)
  return chunks
}

type BlocksProps = Omit<TextProps, 'document'> & { text: string; chunks: readonly Chunk[] }

function Blocks({ text, starts, marked, chunks, page, onPage }: BlocksProps) {
  const box = useRef<HTMLElement>(null)
  const from = marked === null ? 0 : Math.max(0, marked.start - MAX_CHARACTERS / 2)
  const to = Math.min(text.length, from + MAX_CHARACTERS)
  const blocks = useMemo(() => cutBlocks(text, starts, { start: from, end: to }), [text, starts, from, to])
  useEffect(() => box.current?.querySelector('mark')?.scrollIntoView({ block: 'center' }), [text, marked?.start])
  useEffect(() => {
    if (page !== null) box.current?.querySelector(`[data-page="${page}"]`)?.scrollIntoView()
  }, [page, blocks])
  usePageInView(box, blocks, onPage)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reads and scrolls it */}
      <section class="text tall" aria-label="Extracted text" tabIndex={0} ref={box}>
        {blocks.map(({ start, end, page: begun }) => (
          <>
            {begun !== null && starts.length > 1 && (
              <p key={`page ${begun}`} class="page-border" data-page={begun}>
                Page {begun}
              </p>
            )}
            <div key={start} class="block" dir="auto">
              {cutPieces({ start, end }, chunks, marked).map((piece) => (
                <Piece key={piece.start} text={text.slice(piece.start, piece.end)} {...piece} />
              ))}
            </div>
          </>
        ))}
      </section>
      {to - from < text.length && (
        <p class="quiet">
          Showing {formatCount(to - from)} of {pluralize(text.length, 'character')}
          {from > 0 && ', around the highlighted passage'}. All of the text is searchable.
        </p>
      )}
    </>
  )
}

/** Reports the page whose text is at the top of the window. */
function usePageInView(box: { current: HTMLElement | null }, blocks: readonly Block[], onPage: (page: number) => void) {
  const latest = useRef(onPage)
  latest.current = onPage
  useEffect(() => {
    const pages = [...(box.current?.querySelectorAll<HTMLElement>('[data-page]') ?? [])]
    if (pages.length < 2) return
    let frame = 0
    function look() {
      // The last page that begins above the middle; a search halves the pages at each step.
      let [low, high] = [0, pages.length - 1]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if ((pages[middle]?.getBoundingClientRect().top ?? 0) < innerHeight / 3) low = middle
        else high = middle - 1
      }
      latest.current(Number(pages[low]?.dataset['page']))
    }
    function scrolled() {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    addEventListener('scroll', scrolled, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', scrolled)
    }
  }, [blocks])
}

type PieceOfText = Range & { chunk: Chunk | null; isMarked: boolean }

function Piece({ text, start, chunk, isMarked }: PieceOfText & { text: string }) {
  const inner = isMarked ? <mark>{text}</mark> : text
  if (chunk === null) return <>{inner}</>
  const place = [`Passage ${chunk.index + 1}`, chunk.section].filter(Boolean).join(' · ')
  return (
    <span class={chunk.index % 2 === 0 ? 'chunk' : 'chunk odd'} title={place}>
      {start === chunk.startOffset && <b class="chunk-number" data-number={chunk.index + 1} />}
      {inner}
    </span>
  )
}

/** Part of the text that is laid out together; `page` if a page begins with it. */
type Block = Range & { page: number | null }

/** Cuts the text at the borders of pages, and long pages at the end of a line. */
function cutBlocks(text: string, starts: readonly number[], { start: from, end: to }: Range): Block[] {
  const blocks: Block[] = []
  const borders = starts.length > 0 ? starts : [0]
  for (const [index, begin] of borders.entries()) {
    const last = Math.min(to, borders[index + 1] ?? text.length)
    let start = Math.max(from, begin)
    if (begin < from && last <= from) continue
    if (begin > to || (begin === to && begin < text.length)) break
    do {
      const end = last - start <= BLOCK ? last : endOfLine(text, start + BLOCK, last)
      blocks.push({ start, end, page: start === begin ? index + 1 : null })
      start = end
    } while (start < last)
  }
  return blocks
}

function endOfLine(text: string, at: number, last: number): number {
  const line = text.indexOf('\n', at) + 1
  if (line > 0 && line < at + BLOCK) return Math.min(line, last)
  const space = text.indexOf(' ', at) + 1
  return space > 0 && space < at + BLOCK ? Math.min(space, last) : Math.min(at, last)
}

/** Cuts a block at the borders of passages and of the marked range. */
function cutPieces(block: Range, chunks: readonly Chunk[], marked: Range | null): PieceOfText[] {
  const inside = chunks.slice(firstBehind(chunks, block.start), firstBehind(chunks, block.end) + 1)
  const borders = [...inside.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset])]
  if (marked !== null) borders.push(marked.start, marked.end)
  const cuts = [...new Set([block.start, ...borders, block.end])]
    .filter((at) => at >= block.start && at <= block.end)
    .sort((a, b) => a - b)
  return cuts.slice(0, -1).map((start, index) => ({
    start,
    end: cuts[index + 1] ?? block.end,
    chunk: inside.find(({ startOffset, endOffset }) => startOffset <= start && start < endOffset) ?? null,
    isMarked: marked !== null && marked.start <= start && start < marked.end,
  }))
}

/** Index of the first passage that ends behind an offset. */
function firstBehind(chunks: readonly Chunk[], offset: number): number {
  let [low, high] = [0, chunks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chunks[middle]?.endOffset ?? 0) > offset) high = middle
    else low = middle + 1
  }
  return low
}
