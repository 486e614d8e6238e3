import { CommanderError } from 'commander'
import { AuthenticationError, ConnectionError, RecollectError } from '../client/client-errors.ts'
import { CONFIG_EXIT_STATUS, ConfigError } from '../config.ts'
import { ApiError } from '../errors.ts'

/** An error with its remedy, for a user at a terminal. */
export function describeFailure(error: unknown): string {
  if (error instanceof ConnectionError && error.code !== 'unsendable') {
    return `${error.message} Start it with: recollect serve. Where it runs elsewhere, set RECOLLECT_URL.`
  }
  if (error instanceof AuthenticationError) {
    return (
      `${error.message} Set RECOLLECT_API_KEY to a key of the service. On its machine, without RECOLLECT_URL, ` +
      'recollect keys create makes one.'
    )
  }
  if (error instanceof RecollectError) {
    const details = error.details.map(({ param, message }) => `${param} ${message}`)
    const further = details.filter((detail) => detail !== error.message).map((detail) => `\n  ${detail}`)
    return `${asSentence(error.message)} ${REMEDIES[error.code] ?? error.remedy}${further.join('')}`.trim()
  }
  if (error instanceof ApiError) return `${asSentence(error.message)} ${REMEDIES[error.code] ?? error.remedy}`
  return error instanceof Error ? error.message : String(error)
}

/**
 * Remedies for terminal users, where the service's remedy speaks of endpoints, headers and fields.
 */
const REMEDIES: Readonly<Record<string, string>> = {
  memory_not_found: 'List the memories with: recollect memories list.',
  document_not_found: 'List the documents with: recollect documents list.',
  job_not_found: 'List the jobs with: recollect jobs list.',
  webhook_not_found: 'List the webhooks with: recollect webhooks list.',
  key_not_found: 'List the keys with: recollect keys list.',
  validation_failed: 'Correct it and try again.',
  query_quota_exceeded: 'Wait for the next month, or choose a plan with more queries.',
  rate_limited: 'Try again in a while.',
  queue_full: 'Try again in a while.',
  service_unavailable: 'Try again in a while.',
  webhook_limit_reached: 'Remove one with: recollect webhooks remove.',
}

/** An error as an object for scripts, with the fields of the API's errors. */
export function toErrorBody(error: unknown, exitStatus: number): object {
  const message = describeFailure(error).replace(/^error: /, '')
  if (!(error instanceof RecollectError)) return { error: { code: codeOf(error), message, exitStatus } }
  const { code, status, param, details, remedy, requestId } = error
  return { error: { code, message: error.message, param, details, remedy, requestId, status, exitStatus } }
}

function codeOf(error: unknown): string {
  if (error instanceof ApiError) return error.code
  if (error instanceof ConfigError) return 'invalid_settings'
  return error instanceof UsageError || error instanceof CommanderError ? 'wrong_usage' : 'failed'
}

/** A message that names a field has no full stop, and the remedy follows. */
function asSentence(message: string): string {
  return /[.!?…]$/.test(message) ? message : `${message}.`
}

/**
 * Exit statuses. 69 and 78 are `EX_UNAVAILABLE` and `EX_CONFIG` of BSD's sysexits.h; 130 is the
 * shells' status after ^C.
 */
export const EXIT = {
  failed: 1,
  wrongUsage: 2,
  unanswered: 3,
  unreachable: 69,
  wrongSettings: CONFIG_EXIT_STATUS,
  interrupted: 130,
} as const

/** No answer was found. The output says so; only the exit status is missing. */
export class Unanswered extends Error {}

/** Invalid or conflicting arguments; the message says what to write instead. */
export class UsageError extends Error {}
