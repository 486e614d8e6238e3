import { useEffect, useRef, useState } from 'preact/hooks'
import type { Verification } from '../../client/resources.ts'
import { pluralize } from '../format.ts'
import { Guide } from '../parts/empty.tsx'
import { Form } from '../parts/form.tsx'
import { linkTo } from '../route.ts'
import { client } from '../session.ts'

/** Whether a memory is whole: what was compared, or what is wrong and what to do about it. */
export function Verify({ memoryId }: { memoryId: string }) {
  const [found, setFound] = useState<Verification | null>(null)
  const leaving = useRef(new AbortController())
  // It reads every passage: for nobody it need not go on.
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
          Compares every passage with its text, and everything else with what is written down of it.{' '}
          <Guide name="integrity-checks" of="verifying" />
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
        <span class="state ready">whole</span> {pluralize(documents, 'document')} and {pluralize(chunks, 'passage')} are
        where they belong.
      </p>
    )
  }
  return (
    <>
      <p>
        <span class="state failed">{pluralize(problemsFound, 'problem')}</span>{' '}
        {problems.length < problemsFound && `These are the first ${problems.length}.`}
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
