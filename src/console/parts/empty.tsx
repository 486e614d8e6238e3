import type { ComponentChildren } from 'preact'
import { SAMPLE_QUERIES } from '../sample.ts'

/** What stands where nothing is yet: what it is for, and the first step. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** A link to a guide of the documentation; `of` says what more there is. */
export function Guide({ name, of }: { name: string; of: string }) {
  return <a href={`/docs/guides/${name}`}>More on {of}</a>
}

/** What can be done here, as long as nothing was asked; in the sample with questions that a click asks. */
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
        <ul aria-label="Questions to try">
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
