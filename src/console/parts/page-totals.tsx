import { countOf, formatCount } from '../format.ts'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { Notice } from './notice.tsx'
import { PageChart } from './page-chart.tsx'

/** What became of the pages of all documents of a memory, and the documents to look into. Counted anew when `of` changes. */
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
      <h2>What became of {countOf(counts.pages, 'page')}</h2>
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
