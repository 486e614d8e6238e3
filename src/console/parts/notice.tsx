import { RecollectError } from '../../client/client-errors.ts'
import { useTabTitle } from '../hooks.ts'

/** What went wrong and what to do about it; nothing where nothing did. */
export function Notice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null
  const { message, remedy } = describeError(error)
  return (
    <div class="notice" role="alert">
      <p>
        <strong>{message}</strong> {remedy}
      </p>
      {onRetry && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** In place of a view whose subject could not be read: what it is, and why not. Nothing while it is being read. */
export function NotRead({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  useTabTitle(error === null ? null : [what])
  if (error === null) return null
  return (
    <>
      <h1>{what}</h1>
      <Notice error={error} onRetry={onRetry} />
    </>
  )
}

/** In place of remedies that speak to programs. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  validation_failed: 'Correct it and try again.',
  reembedding_in_progress: 'Wait for its end, or cancel it under Jobs.',
  job_not_cancellable: 'It may have ended meanwhile.',
  query_quota_exceeded: 'Wait for the next month, or choose a plan with more queries.',
  rate_limited: 'Try again in a while.',
  queue_full: 'Try again in a while.',
  service_unavailable: 'Try again in a while.',
}

/** What went wrong, a sentence, and what to do about it; `remedy` is empty where nothing is known to help. */
export function describeError(error: unknown): { message: string; remedy: string } {
  if (!(error instanceof RecollectError)) {
    return { message: error instanceof Error ? error.message : String(error), remedy: '' }
  }
  if (error.status === 0) {
    return { message: 'The service does not answer.', remedy: 'Check that it runs; then try again.' }
  }
  const named = error.details.length > 1 ? ` (${error.details.map(({ param }) => param).join(', ')})` : ''
  const message = error.message + named
  return { message: /[.!?]$/.test(message) ? message : `${message}.`, remedy: remedyOf(error) }
}

function remedyOf({ code, status, remedy }: RecollectError): string {
  if (status === 404 && code !== 'source_not_stored') return 'It may have been deleted; the lists show what there is.'
  return FOR_PEOPLE[code] ?? remedy
}
