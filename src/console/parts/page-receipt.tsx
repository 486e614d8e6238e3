import type { DocumentWithPages } from '../../client/resources.ts'
import { countOf, formatCount } from '../format.ts'

const METHODS = { text: 'text', ocr: 'recognised', empty: 'empty', failed: 'failed' } as const

/** What became of every page: a bar of them all, then each in a row. */
export function PageReceipt({ document }: { document: DocumentWithPages }) {
  const { pages } = document
  return (
    <section aria-label="Receipt of the pages">
      <h3>{pages.length > 1 ? `What became of ${countOf(pages.length, 'page')}` : 'What became of it'}</h3>
      <PageChart pages={pages} />
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
            {pages.map(({ page, method, characters, confidence, message }) => (
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
    </section>
  )
}

/** Pages by what became of them, as one bar in shares with a legend in words. */
export function PageChart({ pages }: { pages: DocumentWithPages['pages'] }) {
  const counts = Object.entries(METHODS)
    .map(([method, label]) => ({ method, label, count: pages.filter((page) => page.method === method).length }))
    .filter(({ count }) => count > 0)
  if (counts.length === 0) return null
  const summary = counts.map(({ label, count }) => `${count} ${label}`).join(', ')
  return (
    <figure class="chart">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={summary}>
        {counts.map(({ method, count }, index) => {
          const before = counts.slice(0, index).reduce((sum, other) => sum + other.count, 0)
          const x = (before / pages.length) * 100
          return <rect key={method} class={method} x={x} width={(count / pages.length) * 100} y="0" height="6" />
        })}
      </svg>
      <figcaption>
        {counts.map(({ method, label, count }) => (
          <span key={method}>
            <i class={method} aria-hidden="true" /> {formatCount(count)} {label}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
