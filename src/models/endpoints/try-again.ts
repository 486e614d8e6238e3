import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { Deadline } from './deadline.ts'
import { type CallSecrets, describeFailure, ModelFailure, modelFailed } from './model-failure.ts'

/** State of a running call. */
export type CallContext = {
  deadline: Deadline
  /** For log and error: `openai:gpt-4.1-mini`. */
  who: string
  confidential: CallSecrets
}

/** Options for retrying a call. */
type TryAgainOptions = CallContext & {
  /** Maximum silence of an attempt, in milliseconds; `null`: as long as the deadline allows. */
  silenceMs: number | null
  log: Pick<Log, 'warn'>
  /** Pause before the first retry, doubled before the second. Default: 500. */
  pauseMs?: number | undefined
}

/** Two retries: most transient failures have passed after two pauses. */
const MAX_TRIES = 3
const PAUSE_MS = 500

/**
 * Runs the work up to three times while failures are transient (no connection, 429, 5xx). Pauses as
 * `Retry-After` says, or with growing pauses. Gives up early if the deadline does not allow a
 * pause. Rejects with `model_failed`, or with the reason of the caller's signal.
 */
export async function tryAgain<Result>(work: () => Promise<Result>, options: TryAgainOptions): Promise<Result> {
  const { deadline, log, who, silenceMs } = options
  for (let tries = 1; ; tries += 1) {
    try {
      deadline.signal.throwIfAborted()
      deadline.expectWithin(silenceMs)
      return await work()
    } catch (error) {
      const failure = requireFailure(error, options)
      const pauseMs = tries < MAX_TRIES && failure.isPassing ? pauseAfter(failure, tries, options) : null
      if (pauseMs === null) throw modelFailed(failure, { who, tries })
      log.warn({ model: who, problem: failure.message, pauseMs: Math.round(pauseMs) }, 'a model is asked again')
      await pause(pauseMs, options)
    }
  }
}

/**
 * The error of a call that cannot be retried after returning a part. Throws the reason of the
 * caller's signal if that ended the call.
 */
export function toModelError(error: unknown, context: CallContext): ApiError {
  return modelFailed(requireFailure(error, context), { who: context.who, tries: 1 })
}

function requireFailure(error: unknown, { deadline, confidential }: CallContext): ModelFailure {
  if (!deadline.signal.aborted) return describeFailure(error, confidential)
  // The SDK wraps the abort error; the signal's reason says who ended the call.
  const { reason } = deadline.signal
  if (reason instanceof ModelFailure) return reason
  throw reason
}

function pauseAfter(failure: ModelFailure, tries: number, { deadline, pauseMs }: TryAgainOptions): number | null {
  // Half of the pause is random, so that callers that failed together do not retry together.
  const growing = (pauseMs ?? PAUSE_MS) * 2 ** (tries - 1) * (0.5 + Math.random() / 2)
  const wanted = failure.retryAfterMs ?? growing
  return wanted < deadline.leftMs() ? wanted : null
}

async function pause(pauseMs: number, context: CallContext): Promise<void> {
  context.deadline.expectWithin(null)
  try {
    await sleep(pauseMs, undefined, { signal: context.deadline.signal })
  } catch (error) {
    throw toModelError(error, context)
  }
}
