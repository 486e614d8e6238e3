import { createSemaphore } from '../concurrency/semaphore.ts'
import { ApiError } from '../errors.ts'

/**
 * Runs one step in turn. If the caller leaves first, rejects immediately with the signal's reason
 * and skips the step.
 */
export type RunStep = <Value>(step: () => Promise<Value>) => Promise<Value>

/**
 * Limits long operations and interleaves their steps, so that all together use the capacity of a
 * single one.
 */
type FairLimiter = {
  /**
   * Runs an operation of an organization; `signal` fires when the caller leaves. Rejects as the
   * operation does, and with `rate_limited` at the limit.
   */
  run<Value>(organizationId: string, signal: AbortSignal, work: (takeTurn: RunStep) => Promise<Value>): Promise<Value>
}

/** In seconds. Most clients find a free place after this time. */
const RETRY_AFTER_SECONDS = 10

/** Limits for all organizations and for each; `works` names the operations in errors. */
type FairLimits = { max: number; maxPerOrganization: number; works: string }

/** Steps of all operations run sequentially, first come, first served. */
export function createFairLimiter({ max, maxPerOrganization, works }: FairLimits): FairLimiter {
  let joined = 0
  const joinedOf = new Map<string, number>()
  const steps = createSemaphore(1)

  return {
    async run(organizationId, signal, work) {
      const ofSame = joinedOf.get(organizationId) ?? 0
      if (ofSame >= maxPerOrganization) throw tooMany(`${maxPerOrganization} ${works} per organization`)
      if (joined >= max) throw tooMany(`${max} ${works}`)
      joined += 1
      joinedOf.set(organizationId, ofSame + 1)
      try {
        return await work((step) => steps.run(step, { signal }))
      } finally {
        joined -= 1
        leave(organizationId)
      }
    },
  }

  function leave(organizationId: string): void {
    const left = (joinedOf.get(organizationId) ?? 0) - 1
    if (left > 0) joinedOf.set(organizationId, left)
    else joinedOf.delete(organizationId)
  }
}

function tooMany(those: string): ApiError {
  const message = `At most ${those} can run or wait at a time.`
  return new ApiError('rate_limited', { message, retryAfterSeconds: RETRY_AFTER_SECONDS })
}
