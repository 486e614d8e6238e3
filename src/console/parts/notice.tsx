import { RecollectError } from '../../client/client-errors.ts'

/** What went wrong and what to do about it; nothing where nothing did. */
export function Notice({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  if (error === null || error === undefined) return null
  const { message, remedy } = describe(error)
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

/** The sentence of an error and its remedy. */
export function describe(error: unknown): { message: string; remedy: string } {
  if (error instanceof RecollectError) {
    const named = error.details.length > 1 ? ` (${error.details.map(({ param }) => param).join(', ')})` : ''
    if (error.status === 0) {
      return { message: 'The service does not answer.', remedy: 'Check that it runs; then try again.' }
    }
    // That of the table speaks to programs.
    const remedy = error.code === 'validation_failed' ? 'Correct it and try again.' : error.remedy
    return { message: `${error.message}${named}${/[.!?]$/.test(error.message + named) ? '' : '.'}`, remedy }
  }
  return { message: error instanceof Error ? error.message : String(error), remedy: '' }
}
