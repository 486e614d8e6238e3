import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../errors.ts'
import { PLANS } from '../limits.ts'
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
import { answerBytes, type QueryBudget, type QueryShare } from './query-budget.ts'
import type { RequestBudget } from './request-budget.ts'
import { type Answer, type Incoming, isRepeatable, type KeepAs, type Route } from './route.ts'
import { startTimeLimit } from './time-limit.ts'

/** What the server hands to every route it mounts. */
type ServerParts = {
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

/** Puts a route on the server: time limit, body, idempotency and handler in this order. Who may call was asked before. */
export function mountRoute(app: FastifyInstance, route: Route, parts: ServerParts): void {
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.url,
    exposeHeadRoute: false,
    config: { route },
    handler: (request, reply) => handleRequest(request, reply, route, parts),
  })
}

async function handleRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  parts: ServerParts,
): Promise<FastifyReply> {
  if (request.caller !== null) reply.raw.once('close', parts.requestBudget.begin(request.caller))
  const limit = startTimeLimit(request.raw, reply.raw, {
    timeoutMs: parts.requestTimeoutMs ?? planTimeoutMs(request.caller),
    idleMs: parts.bodyIdleTimeoutMs,
    late: parts.late,
  })
  const share = request.caller === null ? NO_SHARE : parts.queryBudget.open(request.caller)
  const work = carryOut(request, route, parts, { signal: limit.signal, reserveMemory: share.take })
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

type Given = Pick<Incoming, 'signal' | 'reserveMemory'>

/** All of a request's work. It goes on when its time is up, and what it put on disk is gone when it ends. */
async function carryOut(request: FastifyRequest, route: Route, parts: ServerParts, given: Given): Promise<Answer> {
  const { signal } = given
  const { temporaryDirectory: directory, jsonParser, bodyBudget, diskBudget } = parts
  const received = await receiveBody(request, route, { directory, jsonParser, bodyBudget, diskBudget, signal })
  // What a stream still has to tell is made of the body.
  let end: Promise<unknown> | undefined
  try {
    const incoming = toIncoming(request, received, parts, given)
    const answer = await handle(request, route, parts, incoming, received.fingerprint)
    end = answer.whole
    return answer
  } finally {
    if (end === undefined) await received.discard()
    else void end.then(received.discard)
  }
}

function toIncoming(
  request: FastifyRequest,
  received: ReceivedBody,
  { services, about, console, docs, closing, toAnswer }: ServerParts,
  given: Given,
): Omit<Incoming, 'keepAs'> {
  return {
    services,
    about,
    console,
    docs,
    requestId: request.id,
    caller: request.caller,
    params: request.params as Readonly<Record<string, string>>,
    headers: request.headers,
    query: request.query,
    body: received.json,
    upload: received.upload,
    ...given,
    describeError: (error) => toAnswer(toApiError(error), request).body as object,
    closing,
  }
}

function handle(
  request: FastifyRequest,
  route: Route,
  { services, log, toAnswer }: ServerParts,
  incoming: Omit<Incoming, 'keepAs'>,
  fingerprint: string,
): Promise<Answer> {
  // A schema that refuses throws at once; as a rejection it is kept for replay like every answer under 500.
  const work = async (keepAs: KeepAs) => route.handle({ ...incoming, keepAs })
  const { caller } = incoming
  const idempotencyKey = isRepeatable(route) ? readIdempotencyKey(request.headers['idempotency-key']) : null
  if (idempotencyKey === null || caller === null) return work(() => keepNothing)
  const { idempotency } = services
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
