import { ApiError } from '../../errors.ts'

/** What kind of failure it was: no connection, an answer of 400 and more, no answer in time, or an answer that cannot be used. */
export type FailureKind = 'unreachable' | 'status' | 'timeout' | 'garbage'

/** Facts of a failure. */
export type FailureFacts = {
  status?: number
  /** What the endpoint asked to be left alone for. */
  retryAfterMs?: number | null
}

/**
 * What went wrong with one call of a model, told for the log: never a key, never a prompt, nor the error of the SDK, whose fields hold both.
 */
export class ModelFailure extends Error {
  readonly kind: FailureKind
  readonly status: number | null
  readonly retryAfterMs: number | null

  constructor(kind: FailureKind, message: string, { status, retryAfterMs }: FailureFacts = {}) {
    super(message)
    this.name = 'ModelFailure'
    this.kind = kind
    this.status = status ?? null
    this.retryAfterMs = retryAfterMs ?? null
  }

  /** True where the same call may well succeed a moment later: no connection, 429, 5xx. */
  get isPassing(): boolean {
    return this.kind === 'unreachable' || (this.status !== null && (this.status === 429 || this.status >= 500))
  }
}

/** The error for the caller, with the failure as its cause; `who` is for the log, such as `openai:gpt-4.1-mini`. */
export function modelFailed(failure: ModelFailure, { who, tries }: { who: string; tries: number }): ApiError {
  const cause = new ModelFailure(
    failure.kind,
    `${who} ${failure.message}${tries > 1 ? ` (tried ${tries} times)` : ''}`,
    {
      ...(failure.status === null ? {} : { status: failure.status }),
    },
  )
  return failure.kind === 'timeout'
    ? new ApiError('model_failed', { message: 'The model did not answer in time.', cause })
    : new ApiError('model_failed', { cause })
}
