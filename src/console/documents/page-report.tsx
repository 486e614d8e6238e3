import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { DocumentWithPages, MemoryDocument } from '../../client/resources.ts'
import { isRunning } from '../follow-job.ts'
import { formatCount, pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { Notice } from '../parts/notice.tsx'
import { linkTo } from '../route.ts'
import { apiKey, client } from '../session.ts'

/** Maximum number of rows. Browsers become slow with more. */
const MAX_ROWS = 500

type Page = DocumentWithPages['pages'][number]

/** Receipts of the pages: how each was read. In long documents, failed pages come first. */
export function PageReport({ document: { pages } }: { document: DocumentWithPages }) {
  const rows = pages.length > MAX_ROWS ? failedFirst(pages).slice(0, MAX_ROWS) : pages
  if (pages.length === 0) return null
  return (
    <section aria-label="Page processing">
      <h3>{pages.length > 1 ? `Processing of ${pluralize(pages.length, 'page')}` : 'Processing'}</h3>
      <PageChart counts={countByMethod(pages)} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and has to be reached by keyboard */}
      <ol class="receipts" tabIndex={0} aria-label="Receipts of the pages">
        {rows.map(({ page, method, characters, confidence, message }) => (
          <li key={page}>
            <span class="number">{page}</span>
            <span class={`state ${method}`}>{METHODS[method]}</span>
            <span class="faint number">
              {confidence !== null && <span title="Confidence">{Math.round(confidence * 100)} % · </span>}
              {formatCount(characters)} characters
            </span>
            {message !== null && <p class="faint">{message}</p>}
          </li>
        ))}
      </ol>
      {rows.length < pages.length && (
        <p class="quiet">
          Showing {formatCount(rows.length)} of {pluralize(pages.length, 'page')}, failed ones first.
        </p>
      )}
    </section>
  )
}

type Counts = Readonly<Record<Page['method'], number>>

/** Receipts of documents that were shown, by document and its last change. */
const counted = signal<ReadonlyMap<string, Counts>>(new Map())

/** Number of empty pages by memory. Without any, the list says how the pages were read. */
const emptyPages = signal<ReadonlyMap<string, number>>(new Map())

// The next user must not see what this one read.
effect(() => {
  if (apiKey.value !== null) return
  counted.value = new Map()
  emptyPages.value = new Map()
})

/** Time for which a row has to stay in view before its receipts are read. */
const REST_MS = 300

/** Pages of a document in a list: their number, and a bar of how they were read. */
export function PageCell({ document }: { document: MemoryDocument }) {
  const { memoryId, id, pageCount, updatedAt } = document
  const key = `${id} ${updatedAt}`
  const counts = countsOf(document) ?? counted.value.get(key) ?? null
  const isWanted = counts === null && (pageCount ?? 0) > 0 && !isRunning(document)
  useEffect(() => {
    if (!isWanted) return
    const leaving = new AbortController()
    const timer = setTimeout(async () => {
      const found = await client.value.documents.get(memoryId, id, { signal: leaving.signal }).catch(() => null)
      if (found !== null) counted.value = new Map([...counted.peek(), [key, countByMethod(found.pages)]])
    }, REST_MS)
    return () => {
      leaving.abort()
      clearTimeout(timer)
    }
  }, [key, isWanted])
  if (pageCount === null) {
    return (
      <div class="page-cell faint">
        <span class="number">–</span>
      </div>
    )
  }
  return (
    <div class="page-cell" title={counts === null ? '' : describeCounts(counts)}>
      <span class="number">{formatCount(pageCount)}</span>
      {counts === null ? <span class="no-bar" /> : <PageBar counts={counts} />}
    </div>
  )
}

/** Counts that follow from the list; `null` if pages may be empty or failed. */
function countsOf({ memoryId, status, pageCount, ocrPages }: MemoryDocument): Counts | null {
  const hasNoEmpty = pageCount === 1 || emptyPages.value.get(memoryId) === 0
  if (pageCount === null || status !== 'ready' || !hasNoEmpty) return null
  return { text: pageCount - ocrPages, ocr: ocrPages, empty: 0, failed: 0 }
}

function countByMethod(pages: readonly Page[]): Counts {
  const counts = { text: 0, ocr: 0, empty: 0, failed: 0 }
  for (const { method } of pages) counts[method] += 1
  return counts
}

function failedFirst(pages: readonly Page[]): Page[] {
  return pages.toSorted((a, b) => Number(b.method === 'failed') - Number(a.method === 'failed'))
}

/** Labels of the page processing results. */
export const METHODS = { text: 'text', ocr: 'recognised', empty: 'empty', failed: 'failed' } as const

function partsOf(counts: Counts) {
  return Object.entries(METHODS)
    .map(([method, label]) => ({ method, label, count: counts[method as keyof typeof METHODS] }))
    .filter(({ count }) => count > 0)
}

function describeCounts(counts: Counts): string {
  return partsOf(counts)
    .map(({ label, count }) => `${count} ${label}`)
    .join(', ')
}

/** Bar with the shares of the processing results. */
function PageBar({ counts }: { counts: Counts }) {
  const parts = partsOf(counts)
  const total = sumOf(parts)
  return (
    <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={describeCounts(counts)}>
      {parts.map(({ method, count }, index) => {
        const x = (sumOf(parts.slice(0, index)) / total) * 100
        return <rect key={method} class={method} x={x} width={(count / total) * 100} y="0" height="6" />
      })}
    </svg>
  )
}

/** Bar with the shares of the processing results, and a legend. Empty without pages. */
function PageChart({ counts }: { counts: Counts }) {
  const parts = partsOf(counts)
  if (parts.length === 0) return null
  return (
    <figure class="chart">
      <PageBar counts={counts} />
      <figcaption>
        {parts.map(({ method, label, count }) => (
          <span key={method}>
            <i class={method} aria-hidden="true" /> {formatCount(count)} {label}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function sumOf(parts: readonly { count: number }[]): number {
  return parts.reduce((sum, { count }) => sum + count, 0)
}

/**
 * Page processing totals of a memory, and the documents with failed pages. Reloads when `of`
 * changes.
 */
export function PageTotals({ memoryId, of }: { memoryId: string; of: string }) {
  const { value, error, reload } = useLoad(
    async (signal) => {
      const totals = await client.value.memories.countPages(memoryId, { signal })
      emptyPages.value = new Map([...emptyPages.peek(), [memoryId, totals.empty]])
      return totals
    },
    [memoryId, of],
  )
  if (value === null) return <Notice error={error} onRetry={reload} />
  // Without scans and failures, there is nothing to look at.
  if (value.pages === value.text) return null
  const { documents, ...counts } = value
  return (
    <section class="totals" aria-label="Pages of all documents">
      <h2>Processing of {pluralize(counts.pages, 'page')}</h2>
      <PageChart counts={counts} />
      {documents.length > 0 && (
        <p>
          Failed pages in{' '}
          {documents.map(({ documentId, title, failed }, index) => (
            <span key={documentId}>
              {index > 0 && ', '}
              <a dir="auto" href={linkTo('memories', memoryId, 'documents', documentId)}>
                {title}
              </a>{' '}
              <span class="quiet">({formatCount(failed)})</span>
            </span>
          ))}
        </p>
      )}
    </section>
  )
}
