import { AuthenticationError, ConnectionError, RecollectError } from '../../client/client-errors.ts'
import { ApiError } from '../../errors.ts'

/** What went wrong and what to do about it, for a person at a terminal. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConnectionError) {
    return `${error.message} Start it with: recollect serve. Where it runs elsewhere, set RECOLLECT_URL.`
  }
  if (error instanceof AuthenticationError) {
    return `${error.message} Set RECOLLECT_API_KEY to a key of the service; recollect keys create makes one.`
  }
  if (error instanceof RecollectError) {
    const details = error.details.map(({ param, message }) => `${param} ${message}`)
    const further = details.filter((detail) => detail !== error.message).map((detail) => `\n  ${detail}`)
    return `${asSentence(error.message)} ${error.remedy}${further.join('')}`.trim()
  }
  if (error instanceof ApiError) return `${error.message} ${error.remedy}`
  return error instanceof Error ? error.message : String(error)
}

/** The message that names a field ends without a full stop, and the remedy follows it. */
function asSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`
}
