import type { DocumentWithPages } from '../../client/resources.ts'
import { formatCount, pluralize } from '../format.ts'
import { useLoad } from '../hooks.ts'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'
import { Notice } from './notice.tsx'

/** Maximum number of rows. Browsers become slow with more. */
const MAX_ROWS = 500

type Page = DocumentWithPages['pages'][number]

/**
 * Page processing results: a bar with totals, and a row per page. In long documents, failed pages
 * come first.
 */
export function PageReport({ document: { pages } }: { document: DocumentWithPages }) {
  const rows = pages.length > MAX_ROWS ? failedFirst(pages).slice(0, MAX_ROWS) : pages
  if (pages.length === 0) return null
  return (
    <section aria-label="Page processing">
      <h3>{pages.length > 1 ? `Processing of ${pluralize(pages.length, 'page')}` : 'Processing'}</h3>
      <PageChart counts={countByMethod(pages)} />
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Source</th>
              <th scope="col">Characters</th>
              <th scope="col">Confidence</th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ page, method, characters, confidence, message }) => (
              <tr key={page}>
                <td data-label="Page">{page}</td>
                <td data-label="Source">
                  <span class={`state ${method}`}>{METHODS[method]}</span>
                </td>
                <td data-label="Characters">{formatCount(characters)}</td>
                <td data-label="Confidence">{confidence === null ? '–' : `${Math.round(confidence * 100)} %`}</td>
                <td data-label="Note">{message ?? ''}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length < pages.length && (
        <p class="quiet">
          Showing {formatCount(rows.length)} of {pluralize(pages.length, 'page')}, failed ones first.
        </p>
      )}
    </section>
  )
}

function countByMethod(pages: readonly Page[]): Record<Page['method'], number> {
  const counts = { text: 0, ocr: 0, empty: 0, failed: 0 }
  for (const { method } of pages) counts[method] += 1
  return counts
}

function failedFirst(pages: readonly Page[]): Page[] {
  return pages.toSorted((a, b) => Number(b.method === 'failed') - Number(a.method === 'failed'))
}

/** Labels of the page processing results. */
const METHODS = { text: 'text', ocr: 'recognised', empty: 'empty', failed: 'failed' } as const

/** Bar with the shares of the processing results, and a legend. Empty without pages. */
function PageChart({ counts }: { counts: Readonly<Record<keyof typeof METHODS, number>> }) {
  const parts = Object.entries(METHODS)
    .map(([method, label]) => ({ method, label, count: counts[method as keyof typeof METHODS] }))
    .filter(({ count }) => count > 0)
  const total = sumOf(parts)
  if (total === 0) return null
  const summary = parts.map(({ label, count }) => `${count} ${label}`).join(', ')
  return (
    <figure class="chart">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={summary}>
        {parts.map(({ method, count }, index) => {
          const x = (sumOf(parts.slice(0, index)) / total) * 100
          return <rect key={method} class={method} x={x} width={(count / total) * 100} y="0" height="6" />
        })}
      </svg>
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
    (signal) => client.value.memories.countPages(memoryId, { signal }),
    [memoryId, of],
  )
  if (value === null) return <Notice error={error} onRetry={reload} />
  if (value.pages === 0) return null
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
