import { useState } from 'preact/hooks'
import type { HitExplanation } from '../../client/findings.ts'
import { useLoad } from '../use-load.ts'
import { Notice } from './notice.tsx'

/** A line that opens, and only then reads why a hit has its score. */
export function Why({ score, read }: { score: number; read: (signal: AbortSignal) => Promise<HitExplanation | null> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Score {score.toFixed(2)}. Why?</summary>
      {isOpen && <Reasons read={read} />}
    </details>
  )
}

function Reasons({ read }: { read: (signal: AbortSignal) => Promise<HitExplanation | null> }) {
  const { value, error, reload, isLoading } = useLoad(read, [])
  return (
    <>
      <Notice error={error} onRetry={reload} />
      {value === null && error === null && !isLoading && <p class="quiet">It is no hit any more.</p>}
      {value && <Explanation explanation={value} />}
    </>
  )
}

/** The parts of a score and the terms behind them. */
export function Explanation({ explanation: { parts, terms } }: { explanation: HitExplanation }) {
  return (
    <>
      <dl class="reasons">
        {parts.map(({ name, points, message }) => (
          <div key={name}>
            <dt>{points.toFixed(3)}</dt>
            <dd>{message}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {terms.map(({ term, words, count }) => (
          <span class={count > 0 ? 'tag strong' : 'tag'} key={term} dir="auto">
            {term}
            {count > 0 ? `: ${words.join(', ')}` : ' is not there'}
          </span>
        ))}
      </p>
    </>
  )
}
