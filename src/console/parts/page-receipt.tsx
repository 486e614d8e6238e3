import type { DocumentWithPages } from '../../client/resources.ts'
import { countOf, formatCount } from '../format.ts'
import { METHODS, PageChart } from './page-chart.tsx'

/** A browser is slow with more rows. */
const MOST_ROWS = 500

type Page = DocumentWithPages['pages'][number]

/** What became of every page: a bar of them all, then each in a row; of very many the failed ones first. */
export function PageReceipt({ document: { pages } }: { document: DocumentWithPages }) {
  const rows = pages.length > MOST_ROWS ? failedFirst(pages).slice(0, MOST_ROWS) : pages
  if (pages.length === 0) return null
  return (
    <section aria-label="Receipt of the pages">
      <h3>{pages.length > 1 ? `What became of ${countOf(pages.length, 'page')}` : 'What became of it'}</h3>
      <PageChart counts={countByMethod(pages)} />
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">Page</th>
              <th scope="col">Read as</th>
              <th scope="col">Characters</th>
              <th scope="col">Confidence</th>
              <th scope="col">Note</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ page, method, characters, confidence, message }) => (
              <tr key={page}>
                <td data-label="Page">{page}</td>
                <td data-label="Read as">
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
          These are {formatCount(rows.length)} of {countOf(pages.length, 'page')}, what failed first.
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
