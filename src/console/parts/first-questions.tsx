import { SAMPLE_QUERIES } from '../sample-questions.ts'
import { Empty } from './empty.tsx'

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
