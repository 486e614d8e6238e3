import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiError } from '../../errors.ts'
import type { Log } from '../../observability/log.ts'
import type { Deadline } from './deadline.ts'
import { type Confidential, describeFailure, ModelFailure, modelFailed } from './model-failure.ts'

/** What is known of a call while it runs. */
export type CallContext = {
  deadline: Deadline
  /** For log and error: `openai:gpt-4.1-mini`. */
  who: string
  confidential: Confidential
}

/** What a call needs to be tried again. */
type TryAgainOptions = CallContext & {
  /** How long a try may be silent; `null`: as long as the deadline allows. In milliseconds. */
  silenceMs: number | null
  log: Pick<Log, 'warn'>
  /** The pause before the first repeat, doubled before the second; 500 when absent. */
  pauseMs?: number | undefined
}

/** Two repeats: of what passes at all, most has passed after two pauses. */
const MAX_TRIES = 3
const PAUSE_MS = 500

/**
 * Does the work, up to three times where the failure is a passing one (no connection, 429, 5xx), pausing for what `Retry-After` says or for a
 * growing while; a pause that the deadline does not allow ends it at once. Rejects with `model_failed`, or with the reason of the caller's signal.
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

/** The error of a call that cannot be repeated, having handed out a part. Throws the reason of the caller's signal where that ended it. */
export function toModelError(error: unknown, context: CallContext): ApiError {
  return modelFailed(requireFailure(error, context), { who: context.who, tries: 1 })
}

function requireFailure(error: unknown, { deadline, confidential }: CallContext): ModelFailure {
  if (!deadline.signal.aborted) return describeFailure(error, confidential)
  // The SDK wraps what an abort throws; the reason tells who ended the call.
  const { reason } = deadline.signal
  if (reason instanceof ModelFailure) return reason
  throw reason
}

function pauseAfter(failure: ModelFailure, tries: number, { deadline, pauseMs }: TryAgainOptions): number | null {
  // Half of it by chance: callers that failed together do not come back together.
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
