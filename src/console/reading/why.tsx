import { useState } from 'preact/hooks'
import type { FindAnswer } from '../../client/answers.ts'
import type { HitExplanation } from '../../client/findings.ts'
import { useLoad } from '../hooks.ts'
import { Notice, Skeleton } from '../parts/notice.tsx'
import { client } from '../session.ts'

/** Explanation of a hit's score, loaded when opened. */
export function Why({ score, read }: { score: number; read: (signal: AbortSignal) => Promise<HitExplanation | null> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="plain small why" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="number">{score.toFixed(2)}</span>
        <meter value={score} min={0} max={1} aria-label="Score" />
        Why?
      </button>
      {isOpen && (
        <div class="because stack">
          <Reasons read={read} />
        </div>
      )}
    </>
  )
}

function Reasons({ read }: { read: (signal: AbortSignal) => Promise<HitExplanation | null> }) {
  const { value, error, reload, isLoading } = useLoad(read, [])
  return (
    <>
      <Notice error={error} onRetry={reload} />
      {value === null && isLoading && <Skeleton rows={3} />}
      {value === null && error === null && !isLoading && <p class="quiet">This passage is no longer among the hits.</p>}
      {value && <Explanation explanation={value} />}
    </>
  )
}

/** Names of the parts of a score, for people. */
const PARTS: Readonly<Record<string, string>> = {
  words: 'Words',
  meaning: 'Meaning',
  runs: 'Runs of letters',
  pairs: 'Neighbouring words',
  nearlyWords: 'Similar words',
  title: 'Title',
  inText: 'Word in the text',
  speaker: 'Speaker',
  phrase: 'Quoted phrase',
  period: 'Dates',
  neighbours: 'Passages beside it',
  alike: 'Similar passages',
  model: 'Reranking model',
  correction: 'Correction',
  place: 'Order of corrections',
}

/** Parts of a score as bars, with the matching words. */
function Explanation({ explanation: { parts, top, terms } }: { explanation: HitExplanation }) {
  const missing = terms.filter(({ count }) => count === 0)
  const longest = Math.max(...parts.map(({ points }) => Math.abs(points)), Number.EPSILON)
  const sorted = parts.toSorted((a, b) => b.points - a.points)
  return (
    <>
      <dl class="reasons">
        {sorted.map(({ name, points, message }) => (
          <div key={name} title={message}>
            <dt>{PARTS[name] ?? name}</dt>
            <dd>
              <span class={points < 0 ? 'bar-of less' : 'bar-of'} style={{ width: `${share(points, longest)}%` }} />
            </dd>
            <dd class="number">{points.toFixed(3)}</dd>
            <dd class="message">{message}</dd>
          </div>
        ))}
      </dl>
      <Words label="Matching" words={terms.flatMap(({ words, count }) => (count > 0 ? words : []))} isStrong />
      <Words label="Missing" words={missing.flatMap(({ term, asked }) => (asked.length > 0 ? asked : [term]))} />
      {top && <p class="faint">{top.message}</p>}
    </>
  )
}

function share(points: number, longest: number): number {
  return Math.round((Math.abs(points) / longest) * 100)
}

function Words({ label, words, isStrong = false }: { label: string; words: readonly string[]; isStrong?: boolean }) {
  if (words.length === 0) return null
  return (
    <p class="tags">
      <span class="faint">{label}</span>
      {[...new Set(words)].map((word) => (
        <span class={isStrong ? 'tag strong' : 'tag'} key={word} dir="auto">
          {word}
        </span>
      ))}
    </p>
  )
}

type DocumentExplanation = NonNullable<FindAnswer['explainedDocument']>

/** Explains the rank of a document, or why it is not among the hits. */
export function WhyNot({
  memoryId,
  ask,
  of,
}: {
  memoryId: string
  ask: (documentId: string, signal: AbortSignal) => Promise<DocumentExplanation | null>
  /** Search to explain. A change reloads the explanation. */
  of: readonly unknown[]
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details class="why-not" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Why is a document missing?</summary>
      {isOpen && <Choice memoryId={memoryId} ask={ask} of={of} />}
    </details>
  )
}

function Choice({ memoryId, ask, of }: Parameters<typeof WhyNot>[0]) {
  const [documentId, setDocumentId] = useState('')
  const listed = useLoad((signal) => client.value.documents.listPage(memoryId, { limit: 100 }, { signal }), [memoryId])
  const toId = (named: string) => listed.value?.documents.find(({ title }) => title === named)?.id ?? named
  const told = useLoad(
    (signal) => (documentId === '' ? Promise.resolve(null) : ask(documentId, signal)),
    [documentId, ...of],
  )
  return (
    <>
      <label>
        <span>
          Document <span class="hint">a recent title, or any document ID</span>
        </span>
        <input
          list="missed"
          dir="auto"
          autocomplete="off"
          onChange={(event) => setDocumentId(toId(event.currentTarget.value.trim()))}
        />
      </label>
      <datalist id="missed">
        {listed.value?.documents.map(({ id, title }) => (
          <option key={id} value={title} />
        ))}
      </datalist>
      <Notice error={listed.error ?? told.error} onRetry={told.reload} />
      <div role="status">
        {told.value && (
          <p dir="auto">
            {told.value.title !== null && <strong>{told.value.title}. </strong>}
            {told.value.message}
          </p>
        )}
        {told.value?.explanation && <Explanation explanation={told.value.explanation} />}
      </div>
    </>
  )
}
