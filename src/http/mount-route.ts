import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { CONNECTIONS, PLANS } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import type { IdempotencyService } from '../services/nodes/idempotency-service.ts'
import { storeNoResponse } from '../services/request-work.ts'
import type { Services } from '../services/services.ts'
import { toApiError } from './answers/error-answer.ts'
import { prefersEvents } from './answers/event-stream.ts'
import { closeUnsentBody, sendAnswer } from './answers/send-answer.ts'
import type { BodyBudget, DiskBudget } from './body/budgets.ts'
import type { JsonParser } from './body/json-parser.ts'
import { type ReceivedBody, receiveBody } from './body/receive-body.ts'
import { answerIdempotently, readIdempotencyKey } from './idempotency.ts'
import { type QueryBudget, type QueryShare, type RequestBudget, responseBytes } from './request-budgets.ts'
import { type Answer, type IncomingRequest, isReplayable, type Route, type StoreResponseAs } from './route.ts'

/** Dependencies of a mounted route. */
type RouteDeps = {
  services: Services
  /** Keeps responses of which nothing may be stored. */
  transientIdempotency: IdempotencyService
  log: Log
  serviceInfo: IncomingRequest['serviceInfo']
  signIn: IncomingRequest['signIn']
  console: IncomingRequest['console']
  docs: IncomingRequest['docs']
  temporaryDirectory: string
  /** Parser for large JSON bodies. With `null`, the event loop parses them. */
  jsonParser: Pick<JsonParser, 'parse'> | null
  bodyBudget: BodyBudget
  diskBudget: DiskBudget
  queryBudget: QueryBudget
  requestBudget: RequestBudget
  /** `null` means the timeout of the caller's plan. */
  requestTimeoutMs: number | null
  bodyIdleTimeoutMs: number
  /** Fires when the server starts to close. Long polls and event streams end then. */
  closing: AbortSignal
  /** Fires when a closing server stops waiting for bodies. */
  late: AbortSignal
  /** Maps an error to a response, and logs server errors. */
  toAnswer(error: ApiError, request: FastifyRequest): Answer
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Matched route; absent for unknown paths. */
    route?: Route
  }
  interface FastifyInstance {
    /** Fires when the server starts to close. */
    closing: AbortSignal
    /** Maximum time without progress while a response is sent. */
    readerIdleMs: number
  }
  interface FastifyRequest {
    /** Authenticated caller, once known. */
    caller: Caller | null
  }
}

/** A request with its route. */
type Exchange = { request: FastifyRequest; reply: FastifyReply; route: Route; deps: RouteDeps }

/**
 * Mounts a route: time limit, body, idempotency and handler, in this order. Authentication runs
 * earlier.
 */
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
  const share = request.caller === null ? NO_QUERY_SHARE : deps.queryBudget.open(request.caller)
  const work = runToEnd(exchange, { signal: limit.signal, reserveMemory: share.reserve })
  // The work continues after a timeout, and a response is held until the client has read it.
  void Promise.allSettled([work, limit.closed]).then(share.release)
  try {
    const answer = serializeBody(await limit.race(work))
    share.holdResponse(responseBytes(answer))
    return sendAnswer(request, reply, answer)
  } catch (error) {
    // The work continues, and a late response may hold an open file.
    void work.then(closeUnsentBody, () => undefined)
    throw error
  } finally {
    limit.release()
  }
}

/** Requests without a key return nothing large. */
const NO_QUERY_SHARE: QueryShare = { reserve: () => undefined, holdResponse: () => undefined, release: () => undefined }

/** Serializes the body, so that its size in memory is known. */
function serializeBody(answer: Answer): Answer {
  const { body } = answer
  const isObject = typeof body === 'object' && body !== null && !(body instanceof Readable) && !Buffer.isBuffer(body)
  return isObject ? { ...answer, body: JSON.stringify(body) } : answer
}

/** URL prefix of routes within a memory. */
const MEMORY_URL_PREFIX = '/v1/memories/:id/'

/** Returns the request timeout of the caller's plan. Public routes get the self-hosted timeout. */
function planTimeoutMs(caller: Caller | null): number {
  return PLANS[caller?.planId ?? 'unlimited'].limits.requestTimeoutSeconds * 1000
}

type RequestResources = Pick<IncomingRequest, 'signal' | 'reserveMemory'>

/** Runs a request to completion, even past its time limit, and then deletes its temporary files. */
async function runToEnd(exchange: Exchange, resources: RequestResources): Promise<Answer> {
  const { request, route, deps } = exchange
  const { temporaryDirectory: directory, jsonParser, bodyBudget, diskBudget } = deps
  const { signal } = resources
  const received = await receiveBody(request, route, { directory, jsonParser, bodyBudget, diskBudget, signal })
  // A running stream still reads the body.
  let end: Promise<unknown> | undefined
  try {
    const answer = await runHandler(exchange, toIncoming(exchange, received, resources), received.fingerprint)
    end = answer.finalAnswer
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
): Omit<IncomingRequest, 'storeResponseAs'> {
  return {
    services: deps.services,
    serviceInfo: deps.serviceInfo,
    signIn: deps.signIn,
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

function runHandler(
  { request, route, deps }: Exchange,
  incoming: Omit<IncomingRequest, 'storeResponseAs'>,
  fingerprint: string,
): Promise<Answer> {
  // Wraps synchronous schema errors in a rejection, so that they are stored for replay like every
  // response below 500.
  const work = async (storeResponseAs: StoreResponseAs) => route.handle({ ...incoming, storeResponseAs })
  const { caller } = incoming
  const idempotencyKey = isReplayable(route) ? readIdempotencyKey(request.headers['idempotency-key']) : null
  if (idempotencyKey === null || caller === null) return work(() => storeNoResponse)
  const { log, toAnswer } = deps
  const idempotency = route.replayable === 'in-process' ? deps.transientIdempotency : deps.services.idempotency
  const memoryId = route.url.startsWith(MEMORY_URL_PREFIX) ? (incoming.params['id'] ?? null) : null
  return answerIdempotently(
    { idempotency, log, toAnswer: (error) => toAnswer(toApiError(error), request) },
    {
      caller,
      idempotencyKey,
      fingerprint,
      memoryId,
      requestId: incoming.requestId,
      isSafeToRepeat: route.isSafeToRepeat === true,
      wantsEvents: route.answers[200]?.events !== undefined && prefersEvents(request.headers.accept),
    },
    work,
  )
}

/**
 * Time limit of a request. `signal` is for services; `race` stops waiting for them. `release` ends
 * the limit, but still watches for a disconnect. `closed` resolves when the response was sent or
 * the client disconnected.
 */
type TimeLimit = {
  signal: AbortSignal
  race<Value>(work: Promise<Value>): Promise<Value>
  release(): void
  closed: Promise<void>
}

/**
 * Starts the time limit of a request. The signal fires after `timeoutMs`, and when the body is
 * slower than the minimum rate over `idleMs`. It also fires when the client disconnects, and with
 * the reason of `late` if the body is still incomplete then. A slow body gets 504 like every
 * timeout, not 408, because the contract's error table has no 408.
 */
function startTimeLimit(
  request: IncomingMessage,
  response: ServerResponse,
  { timeoutMs, idleMs, late }: { timeoutMs: number; idleMs: number; late: AbortSignal },
): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new ApiError('request_timeout')), timeoutMs)
  const idle = watchBodyRate(request, idleMs, () =>
    controller.abort(
      new ApiError('request_timeout', { message: 'The request body stopped arriving, or arrived too slowly.' }),
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
    // After a complete response nothing listens any more. Before that, the client is gone and its
    // work is useless.
    if (!response.writableFinished)
      controller.abort(new ApiError('request_timeout', { message: 'The client disconnected.' }))
  })
  return { signal: controller.signal, race: (work) => raceAbort(work, controller.signal), release, closed }
}

/**
 * Requires a minimum number of body bytes per `idleMs`. A slow body would otherwise hold memory and
 * a connection for the whole request timeout.
 */
function watchBodyRate(request: IncomingMessage, idleMs: number, stopped: () => void): NodeJS.Timeout {
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
    // The work continues after the race is lost. This handler prevents an unhandled rejection.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
