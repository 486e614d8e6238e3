import { useEffect, useRef, useState } from 'preact/hooks'
import type { Verification } from '../../client/answers.ts'
import { pluralize } from '../format.ts'
import { Guide } from '../parts/empty.tsx'
import { Form } from '../parts/form.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** Integrity check of a memory, with the problems found and their remedies. */
export function Verify({ memoryId }: { memoryId: string }) {
  const [found, setFound] = useState<Verification | null>(null)
  const leaving = useRef(new AbortController())
  // The check reads every passage, so leaving the view stops it.
  useEffect(() => () => leaving.current.abort(), [])
  async function verify() {
    setFound(null)
    setFound(await client.value.memories.verify(memoryId, { signal: leaving.current.signal }))
  }
  return (
    <li>
      <div>
        <h2>Verify</h2>
        <p>
          Checks the stored data of this memory for corruption. <Guide name="integrity-checks" of="verifying" />
        </p>
        <div role="status">{found && <Outcome memoryId={memoryId} found={found} />}</div>
      </div>
      <Form label="Verify" look="quiet" action={verify} />
    </li>
  )
}

function Outcome({ memoryId, found }: { memoryId: string; found: Verification }) {
  const { ok, documents, chunks, problemsFound, problems } = found
  if (ok) {
    return (
      <p>
        <span class="state ready">ok</span> {pluralize(documents, 'document')} and {pluralize(chunks, 'passage')}{' '}
        verified.
      </p>
    )
  }
  return (
    <>
      <p>
        <span class="state failed">{pluralize(problemsFound, 'problem')}</span>{' '}
        {problems.length < problemsFound && `Showing the first ${problems.length}.`}
      </p>
      <ul>
        {problems.map(({ code, message, documentId, remedy }) => (
          <li key={`${code} ${documentId}`}>
            <strong dir="auto">{message}</strong> {remedy}{' '}
            {documentId !== null && (
              <a href={linkTo('memories', memoryId, 'documents', documentId)}>Open the document</a>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
