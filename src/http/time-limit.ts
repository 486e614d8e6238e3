import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError } from '../errors.ts'
import { CONNECTIONS } from '../limits.ts'

/** The time a request has. `signal` goes to the services, `race` stops waiting for them, `release` ends the limit but not the watch for a sender who leaves; `closed` resolves when the answer has gone out or its reader has left. */
export type TimeLimit = {
  signal: AbortSignal
  race<Value>(work: Promise<Value>): Promise<Value>
  release(): void
  closed: Promise<void>
}

/**
 * Starts the time of a request. The signal fires with `request_timeout` when `timeoutMs` have passed, or when its body
 * is slower than the least rate of the limits over `idleMs`; with the reason of `late` where its body has not come by then; and when its sender leaves. A body that comes too slowly gets the 504 of
 * every other time-out and not a 408: the error table is the contract's, and what the sender can do is the same.
 */
export function startTimeLimit(
  request: IncomingMessage,
  response: ServerResponse,
  { timeoutMs, idleMs, late }: { timeoutMs: number; idleMs: number; late: AbortSignal },
): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new ApiError('request_timeout')), timeoutMs)
  const idle = watchBody(request, idleMs, () =>
    controller.abort(
      new ApiError('request_timeout', { message: 'The request body stopped coming, or came too slowly.' }),
    ),
  )
  const giveUp = () => {
    if (!request.complete) controller.abort(late.reason)
  }
  late.addEventListener('abort', giveUp)
  const release = () => {
    clearTimeout(timer)
    clearInterval(idle)
    late.removeEventListener('abort', giveUp)
  }
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  response.once('close', () => {
    release()
    close()
    // After a whole answer nothing listens any more; before it, the sender is gone and all work for him is in vain.
    if (!response.writableFinished) controller.abort(new ApiError('request_timeout', { message: 'The sender left.' }))
  })
  return { signal: controller.signal, race: (work) => raceAbort(work, controller.signal), release, closed }
}

/** A body has to bring so much in every `idleMs`: one that drips would hold its memory and its connection for as long as the plan lets a request last. */
function watchBody(request: IncomingMessage, idleMs: number, stopped: () => void): NodeJS.Timeout {
  const minBytes = Math.max(1, (CONNECTIONS.minBodyBytesPerSecond * idleMs) / 1000)
  let seenBytes = request.socket.bytesRead
  const timer = setInterval(() => {
    if (request.complete) return clearInterval(timer)
    if (request.socket.bytesRead - seenBytes < minBytes) stopped()
    seenBytes = request.socket.bytesRead
  }, idleMs)
  return timer
}

function raceAbort<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    // The work goes on after the race is lost; how it ends then is of no interest here, but it must not go unhandled.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
