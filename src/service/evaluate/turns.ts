import { ApiError } from '../../errors.ts'

/** Takes one step when its turn has come; it ends as the step does. */
export type TakeTurn = <Value>(step: () => Promise<Value>) => Promise<Value>

/** Some long works that go on in turns, so that all of them together take no more of the process than one. */
export type Turns = {
  /** Lets a work in. Rejects as it does, and with `rate_limited` where as many as may are at it. */
  join<Value>(work: (takeTurn: TakeTurn) => Promise<Value>): Promise<Value>
}

/** A client that waits this long will mostly find a place. In seconds. */
const COME_BACK_SECONDS = 10

/** Turns for at most `most` works; steps are done one at a time, in the order in which they were asked for. */
export function createTurns(most: number): Turns {
  let joined = 0
  let last: Promise<unknown> = Promise.resolve()

  const takeTurn: TakeTurn = (step) => {
    const own = last.then(step)
    last = own.catch(() => undefined)
    return own
  }

  return {
    async join(work) {
      if (joined >= most) {
        const message = `${most} evaluations are running already.`
        throw new ApiError('rate_limited', { message, retryAfterSeconds: COME_BACK_SECONDS })
      }
      joined += 1
      try {
        return await work(takeTurn)
      } finally {
        joined -= 1
      }
    },
  }
}
