import { countOf } from '../format.ts'
import { Notice } from '../parts/notice.tsx'
import { client } from '../session.ts'
import { useLoad } from '../use-load.ts'

/** Whether a memory is whole: what was compared, or what is wrong and what to do about it. */
export function Verify({ memoryId }: { memoryId: string }) {
  const { value, error, isLoading, reload } = useLoad(
    (signal) => client.value.memories.verify(memoryId, { signal }),
    [memoryId],
  )
  if (error !== null) return <Notice error={error} onRetry={reload} />
  if (value === null || isLoading) return <p role="status">Comparing every passage with its text …</p>
  const { ok, documents, chunks, problemsFound, problems } = value
  if (ok)
    return (
      <p role="status">
        It is whole: {countOf(documents, 'document')} and {countOf(chunks, 'passage')} are where they belong.
      </p>
    )
  return (
    <>
      <p role="status">{countOf(problemsFound, 'problem')} found.</p>
      <ul>
        {problems.map(({ code, message, documentId, remedy }) => (
          <li key={`${code} ${documentId}`}>
            <strong dir="auto">{message}</strong> {remedy}
          </li>
        ))}
      </ul>
    </>
  )
}
