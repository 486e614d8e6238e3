import type { ComponentChildren } from 'preact'
import { SAMPLE_QUERIES } from '../sample.ts'

/** Empty state with an explanation and the first step. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Link to a guide of the documentation. */
export function Guide({ name, of }: { name: string; of: string }) {
  return <a href={`/docs/guides/${name}`}>Learn about {of}</a>
}

/** Empty state of a search or question, with example queries in the sample memory. */
export function FirstQuestions({
  title,
  hint,
  isSample,
  onAsk,
}: {
  title: string
  hint: string
  isSample: boolean
  onAsk: (question: string) => void
}) {
  return (
    <Empty title={title}>
      <p>{hint}</p>
      {isSample && (
        <ul aria-label="Example questions">
          {SAMPLE_QUERIES.map((query) => (
            <li key={query}>
              <button type="button" class="link" onClick={() => onAsk(query)}>
                {query}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  )
}
