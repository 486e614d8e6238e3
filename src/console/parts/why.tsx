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

/** The parts of a score, and which words are behind them. */
export function Explanation({ explanation: { parts, top, terms } }: { explanation: HitExplanation }) {
  const found = terms.filter(({ count }) => count > 0)
  const missing = terms.filter(({ count }) => count === 0)
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
      <Words label="Found in it" words={found.flatMap(({ words }) => words)} isStrong />
      <Words label="Not in it" words={missing.flatMap(({ term, asked }) => (asked.length > 0 ? asked : [term]))} />
      {top && <p class="quiet">{top.message}</p>}
    </>
  )
}

function Words({ label, words, isStrong = false }: { label: string; words: readonly string[]; isStrong?: boolean }) {
  if (words.length === 0) return null
  return (
    <p class="quiet">
      {label}:{' '}
      {[...new Set(words)].map((word) => (
        <span class={isStrong ? 'tag strong' : 'tag'} key={word} dir="auto">
          {word}
        </span>
      ))}
    </p>
  )
}
