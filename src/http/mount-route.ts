import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { CONNECTIONS, PLANS } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import { keepNothing } from '../services/request-work.ts'
import type { Services } from '../services/services.ts'
import { toApiError } from './answers/error-answer.ts'
import { prefersEvents } from './answers/event-stream.ts'
import { closeUnsent, sendAnswer } from './answers/send-answer.ts'
import type { BodyBudget, DiskBudget } from './body/budgets.ts'
import type { JsonParser } from './body/json-parser.ts'
import { type ReceivedBody, receiveBody } from './body/receive-body.ts'
import { answerOnce, readIdempotencyKey } from './idempotency.ts'
import { answerBytes, type QueryBudget, type QueryShare, type RequestBudget } from './request-budgets.ts'
import { type Answer, type Incoming, isRepeatable, type KeepAs, type Route } from './route.ts'

/** What the server hands to every route it mounts. */
type RouteDeps = {
  services: Services
  log: Log
  about: Incoming['about']
  console: Incoming['console']
  docs: Incoming['docs']
  temporaryDirectory: string
  /** For large bodies of JSON; `null`: they are parsed like any other. */
  jsonParser: Pick<JsonParser, 'parse'> | null
  bodyBudget: BodyBudget
  diskBudget: DiskBudget
  queryBudget: QueryBudget
  requestBudget: RequestBudget
  /** `null`: the time of the caller's plan. */
  requestTimeoutMs: number | null
  bodyIdleTimeoutMs: number
  /** Fires when the server begins to close: held answers and event streams end then. */
  closing: AbortSignal
  /** Fires when a closing server waits no longer for bodies. */
  late: AbortSignal
  /** The answer for an error of this request; logs what is ours. */
  toAnswer(error: ApiError, request: FastifyRequest): Answer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The endpoint; absent on what no route takes. */
    route?: Route
  }
  interface FastifyInstance {
    /** Fires when the server begins to close. */
    closing: AbortSignal
    /** How long an answer may stand still. */
    readerIdleMs: number
  }
  interface FastifyRequest {
    /** Who calls, once that is known. */
    caller: Caller | null
  }
}

/** One request on its way through a route. */
type Exchange = { request: FastifyRequest; reply: FastifyReply; route: Route; deps: RouteDeps }

/** Puts a route on the server: time limit, body, idempotency and handler in this order. Who may call was asked before. */
export function mountRoute(app: FastifyInstance, route: Route, deps: RouteDeps): void {
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.url,
    exposeHeadRoute: false,
    config: { route },
    handler: (request, reply) => answerRequest({ request, reply, route, deps }),
  })
}

async function answerRequest(exchange: Exchange): Promise<FastifyReply> {
  const { request, reply, deps } = exchange
  if (request.caller !== null) reply.raw.once('close', deps.requestBudget.begin(request.caller))
  const limit = startTimeLimit(request.raw, reply.raw, {
    timeoutMs: deps.requestTimeoutMs ?? planTimeoutMs(request.caller),
    idleMs: deps.bodyIdleTimeoutMs,
    late: deps.late,
  })
  const share = request.caller === null ? NO_SHARE : deps.queryBudget.open(request.caller)
  const work = runToEnd(exchange, { signal: limit.signal, reserveMemory: share.take })
  // Work goes on when its time is up, and an answer is held until it has been read.
  void Promise.allSettled([work, limit.closed]).then(share.release)
  try {
    const answer = withText(await limit.race(work))
    share.settle(answerBytes(answer))
    return sendAnswer(request, reply, answer)
  } catch (error) {
    // The work goes on, and an answer that comes too late may hold a file open.
    void work.then(closeUnsent, () => undefined)
    throw error
  } finally {
    limit.release()
  }
}

/** A request without a key asks for nothing that is large. */
const NO_SHARE: QueryShare = { take: () => undefined, settle: () => undefined, release: () => undefined }

/** The answer as it is held while it goes out. */
function withText(answer: Answer): Answer {
  const { body } = answer
  const isObject = typeof body === 'object' && body !== null && !(body instanceof Readable) && !Buffer.isBuffer(body)
  return isObject ? { ...answer, body: JSON.stringify(body) } : answer
}

/** Where the path names a memory. */
const OF_MEMORY = '/v1/memories/:id/'

/** The request time-out of the caller's plan; who needs no key gets that of the self-hoster's. */
function planTimeoutMs(caller: Caller | null): number {
  return PLANS[caller?.planId ?? 'unlimited'].limits.requestTimeoutSeconds * 1000
}

type RequestResources = Pick<Incoming, 'signal' | 'reserveMemory'>

/** All of a request's work. It goes on when its time is up, and what it put on disk is gone when it ends. */
async function runToEnd(exchange: Exchange, resources: RequestResources): Promise<Answer> {
  const { request, route, deps } = exchange
  const { temporaryDirectory: directory, jsonParser, bodyBudget, diskBudget } = deps
  const { signal } = resources
  const received = await receiveBody(request, route, { directory, jsonParser, bodyBudget, diskBudget, signal })
  // What a stream still has to tell is made of the body.
  let end: Promise<unknown> | undefined
  try {
    const answer = await handle(exchange, toIncoming(exchange, received, resources), received.fingerprint)
    end = answer.whole
    return answer
  } finally {
    if (end === undefined) await received.discard()
    else void end.then(received.discard)
  }
}

function toIncoming(
  { request, deps }: Exchange,
  received: ReceivedBody,
  resources: RequestResources,
): Omit<Incoming, 'keepAs'> {
  return {
    services: deps.services,
    about: deps.about,
    console: deps.console,
    docs: deps.docs,
    requestId: request.id,
    caller: request.caller,
    params: request.params as Readonly<Record<string, string>>,
    headers: request.headers,
    query: request.query,
    body: received.json,
    upload: received.upload,
    ...resources,
    describeError: (error) => deps.toAnswer(toApiError(error), request).body as object,
    closing: deps.closing,
  }
}

function handle(
  { request, route, deps }: Exchange,
  incoming: Omit<Incoming, 'keepAs'>,
  fingerprint: string,
): Promise<Answer> {
  // A schema that refuses throws at once; as a rejection it is kept for replay like every answer under 500.
  const work = async (keepAs: KeepAs) => route.handle({ ...incoming, keepAs })
  const { caller } = incoming
  const idempotencyKey = isRepeatable(route) ? readIdempotencyKey(request.headers['idempotency-key']) : null
  if (idempotencyKey === null || caller === null) return work(() => keepNothing)
  const { log, toAnswer } = deps
  const { idempotency } = deps.services
  const memoryId = route.url.startsWith(OF_MEMORY) ? (incoming.params['id'] ?? null) : null
  return answerOnce(
    { idempotency, log, toAnswer: (error) => toAnswer(toApiError(error), request) },
    {
      caller,
      idempotencyKey,
      fingerprint,
      memoryId,
      requestId: incoming.requestId,
      mayBeUnkept: route.mayBeUnkept === true,
      wantsEvents: route.answers[200]?.events !== undefined && prefersEvents(request.headers.accept),
    },
    work,
  )
}

/** The time a request has. `signal` goes to the services, `race` stops waiting for them, `release` ends the limit but not the watch for a sender who leaves; `closed` resolves when the answer has gone out or its reader has left. */
type TimeLimit = {
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
function startTimeLimit(
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
