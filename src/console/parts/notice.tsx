import { describeError } from '../describe-error.ts'
import { useTabTitle } from '../use-tab-title.ts'

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
