import { createSemaphore } from '../concurrency/semaphore.ts'
import { ApiError } from '../errors.ts'

/**
 * Takes one step when its turn has come; it ends as the step does. Whose caller leaves before has
 * no turn: it rejects at once, with the signal's reason.
 */
export type TakeTurn = <Value>(step: () => Promise<Value>) => Promise<Value>

/**
 * Some long works that go on in turns, so that all of them together take no more of the process
 * than one.
 */
type FairLimiter = {
  /**
   * Lets a work of an organization in, whose caller leaves by `signal`. Rejects as the work does,
   * and with `rate_limited` where as many as may are at it.
   */
  join<Value>(organizationId: string, signal: AbortSignal, work: (takeTurn: TakeTurn) => Promise<Value>): Promise<Value>
}

/** A client that waits this long will mostly find a place. In seconds. */
const COME_BACK_SECONDS = 10

/** How many works may be at it, of all and of one organization, and what they are called. */
type FairLimits = { most: number; mostOfOrganization: number; works: string }

/**
 * A limiter for some works; their steps are done one at a time, in the order in which they were
 * asked for.
 */
export function createFairLimiter({ most, mostOfOrganization, works }: FairLimits): FairLimiter {
  let joined = 0
  const joinedOf = new Map<string, number>()
  const steps = createSemaphore(1)

  return {
    async join(organizationId, signal, work) {
      const ofSame = joinedOf.get(organizationId) ?? 0
      if (ofSame >= mostOfOrganization) throw tooMany(`${mostOfOrganization} of the ${works} of an organization`)
      if (joined >= most) throw tooMany(`${most} ${works}`)
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
  const message = `No more than ${those} may run or wait at a time.`
  return new ApiError('rate_limited', { message, retryAfterSeconds: COME_BACK_SECONDS })
}
