import { useState } from 'preact/hooks'
import type { FindAnswer } from '../../client/answers.ts'
import { client } from '../session.ts'
import { useLoad } from '../use-load.ts'
import { Notice } from './notice.tsx'
import { Explanation } from './why.tsx'

type Missed = NonNullable<FindAnswer['explainedDocument']>

/** Says of a document that someone misses among the hits where it stands, or why it does not. */
export function WhyNot({
  memoryId,
  ask,
  of,
}: {
  memoryId: string
  ask: (documentId: string, signal: AbortSignal) => Promise<Missed | null>
  /** What the search was; another one is asked about anew. */
  of: readonly unknown[]
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Why not this document?</summary>
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
        Document <span class="quiet">(a title of one of the newest, or the id of any)</span>
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
