import { ArrowRight, type IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { SAMPLE_QUERIES } from '../sample.ts'
import { Icon } from './icon.tsx'

/** Empty state with an explanation and the first step. */
export function Empty({ title, icon, children }: { title: string; icon?: IconNode; children: ComponentChildren }) {
  return (
    <section class="empty">
      {icon !== undefined && <Icon of={icon} />}
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
  icon,
  hint,
  isSample,
  onAsk,
}: {
  title: string
  icon: IconNode
  hint: string
  isSample: boolean
  onAsk: (question: string) => void
}) {
  return (
    <Empty title={title} icon={icon}>
      <p>{hint}</p>
      {isSample && (
        <ul class="examples" aria-label="Example questions">
          {SAMPLE_QUERIES.map((query) => (
            <li key={query}>
              <button type="button" onClick={() => onAsk(query)}>
                {query} <Icon of={ArrowRight} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Empty>
  )
}
