import { RecollectError } from '../../client/client-errors.ts'
import { useTabTitle } from '../hooks.ts'

/** Error message with a remedy. Empty without an error. */
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

/** Replaces a view whose data could not be loaded. Empty while loading. */
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

/** Remedies for people, in place of the API's remedies. */
const FOR_PEOPLE: Readonly<Record<string, string>> = {
  validation_failed: 'Correct the input and try again.',
  reembedding_in_progress: 'Wait until it ends, or cancel it under Jobs.',
  job_not_cancellable: 'The job may have ended in the meantime.',
  query_quota_exceeded: 'Wait until next month, or upgrade your plan.',
  rate_limited: 'Try again in a few minutes.',
  queue_full: 'Try again in a few minutes.',
  service_unavailable: 'Try again in a few minutes.',
}

/** Error message and remedy; `remedy` is empty if none is known. */
export function describeError(error: unknown): { message: string; remedy: string } {
  if (!(error instanceof RecollectError)) {
    return { message: error instanceof Error ? error.message : String(error), remedy: '' }
  }
  if (error.status === 0) {
    return { message: 'The service is not responding.', remedy: 'Check that it is running, then try again.' }
  }
  const named = error.details.length > 1 ? ` (${error.details.map(({ param }) => param).join(', ')})` : ''
  const message = error.message + named
  return { message: /[.!?]$/.test(message) ? message : `${message}.`, remedy: remedyOf(error) }
}

function remedyOf({ code, status, remedy }: RecollectError): string {
  if (status === 404 && code !== 'source_not_stored') return 'It may have been deleted.'
  return FOR_PEOPLE[code] ?? remedy
}
