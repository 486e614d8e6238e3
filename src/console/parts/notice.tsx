import { RecollectError } from '../../client/client-errors.ts'
import { linkTo } from '../route.ts'
import { isLost } from '../session.ts'
import { useCrumbs } from '../shell/top-bar.tsx'

/** Error message with a remedy. Empty without an error. */
export function Notice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null
  const status = error instanceof RecollectError ? error.status : null
  // The banner of the console says so already, and loads again when the service is back.
  if (status === 0 && onRetry !== undefined && isLost.value) return null
  const { message, remedy } = describeError(error)
  return (
    <div class="notice" role="alert">
      <p>
        <strong>{message}</strong> {remedy}
      </p>
      {onRetry && status !== 404 && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** Replaces a view whose data could not be loaded; a skeleton while it loads. */
export function NotRead({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  useCrumbs(
    error === null
      ? null
      : [
          ['Memories', linkTo('memories')],
          [what, ''],
        ],
  )
  if (error === null) return <Skeleton rows={6} />
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

/** Lines in the place of loading content, after 150 ms, so that fast answers do not flicker. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="stack" aria-hidden="true">
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} class="skeleton" />
      ))}
    </div>
  )
}
