import type { IncomingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import { type FastifyInstance, type FastifyRequest, fastify } from 'fastify'
import { ApiError, invalid, isOutOfFiles } from '../errors.ts'
import { readFreeBytes } from '../files/read-free-bytes.ts'
import { newId } from '../ids.ts'
import { CONNECTIONS, PLANS } from '../limits.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import type { Services } from '../services/services.ts'
import type { ConsoleFiles } from '../web/console-files.ts'
import type { DocsFiles } from '../web/docs-files.ts'
import {
  answerExpectation,
  type ClientErrorHandler,
  createClientErrorHandler,
  endUnread,
} from './answers/client-error.ts'
import { errorAnswer, toApiError } from './answers/error-answer.ts'
import { sendAnswer } from './answers/send-answer.ts'
import { type BodyBudgetSizes, createBodyBudget, createDiskBudget, sizeBodyBudget } from './body/budgets.ts'
import type { JsonParser } from './body/json-parser.ts'
import { admitCallers, type Operator } from './callers/admit-caller.ts'
import type { CountRequest } from './callers/rate-limiter.ts'
import { limitConnections } from './limit-connections.ts'
import { mountRoute } from './mount-route.ts'
import { openapiDocument } from './openapi-document.ts'
import { createQueryBudget, createRequestBudget, sizeQueryBudget } from './request-budgets.ts'
import type { Answer, Route } from './route.ts'
import { ROUTES } from './routes/routes.ts'
import { createUnknownPathHandler, reserveLiteralPaths, type UnknownPathHandler } from './unknown-paths.ts'

/** What a server is made of; everything it touches is handed in. */
export type ServerOptions = {
  services: Services
  log: Log
  version: string
  now: () => Date
  console: ConsoleFiles
  docs: DocsFiles
  /** Who may make organizations; nobody when absent. */
  operator?: Operator
  /** The caller of every request where keys are switched off; `null` where a key is needed. */
  anonymous: Caller | null
  /** A folder of our own for uploads on their way; it exists. */
  temporaryDirectory: string
  /** Parses large bodies of JSON beside the event loop; they are parsed like any other when absent or `null`. */
  jsonParser?: Pick<JsonParser, 'parse'> | null
  /** The memory for request bodies under way; as much as with any amount of memory when absent. */
  bodyBudget?: BodyBudgetSizes
  /** What is free on the disk of a folder; as the system says when absent. */
  freeBytes?: (directory: string) => Promise<number>
  /** Most connections; that of the limits when absent. */
  maxConnections?: number
  /** Hears of each request that failed as the process could open no more files. */
  onOutOfFiles?: () => void
  /** How many bytes queries and answers under way may hold together; as much as with any amount of memory when absent. */
  queryBudgetBytes?: number
  /** Requests a key and minute; 0 is without limit. */
  rateLimitPerMinute: number
  /** Counts requests for the limit; in this process alone when absent. */
  countRequest?: CountRequest
  /** Fires when the process is about to stop: answers then end their connections, so that clients open others elsewhere. */
  draining?: AbortSignal
  /** Runs what a request with these headers calls, so that the log knows for which request it is; just runs it when absent. */
  within?: (facts: { requestId: string }, work: () => void, headers: IncomingHttpHeaders) => void
  /** Hears of every request when it has ended. */
  requestEnded?: (request: EndedRequest) => void
  /** What is served; everything when absent. */
  routes?: readonly Route[]
  /** Time of a whole request; the `requestTimeoutSeconds` of the caller's plan when absent. */
  requestTimeoutMs?: number
  /** A body that brings no byte for so long is given up; that of the limits when absent. */
  bodyIdleTimeoutMs?: number
  /** Time for the head of a request; that of the limits when absent. */
  headersTimeoutMs?: number
  /** An answer of which no byte goes out for so long is given up; that of the limits when absent. */
  readerIdleTimeoutMs?: number
  /** What has not come in whole so long after `close()` is given up, as is an answer that nobody reads; that of the limits when absent. */
  stopTimeoutMs?: number
}

const LONGEST_REQUEST_MS = 1000 * Math.max(...Object.values(PLANS).map(({ limits }) => limits.requestTimeoutSeconds))

/**
 * The HTTP server, not yet listening. `close()` takes no new connection, ends held answers and event streams, gives up what does not come
 * in whole and what is not read, and resolves when the running answers are out. There is no CORS: browsers of other origins are not let in, a key has no place there.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { services, log, version, now, routes = ROUTES } = options
  const clientErrors = createClientErrorHandler()
  const app = createFastify(options, clientErrors)
  const { closing, late } = registerShutdown(app, options, clientErrors)
  const toAnswer = (error: ApiError, request: FastifyRequest) => {
    if (isOutOfFiles(error)) options.onOutOfFiles?.()
    return reportError(error, request, log)
  }
  const answerUnknownPath = createUnknownPathHandler(routes, toAnswer)
  registerRequestHooks(app, options, answerUnknownPath)
  disableBodyParsing(app)
  app.setNotFoundHandler(answerUnknownPath)
  app.setErrorHandler((error, request, reply) => {
    const refused = toApiError(error)
    // What the framework dislikes about a request that no route takes is beside the point.
    if (request.is404 && refused.cause !== undefined) return answerUnknownPath(request, reply)
    return sendAnswer(request, reply, toAnswer(refused, request))
  })
  const deps = {
    services,
    log,
    toAnswer,
    about: describeService(version, now),
    console: options.console,
    docs: options.docs,
    temporaryDirectory: options.temporaryDirectory,
    jsonParser: options.jsonParser ?? null,
    ...createBudgets(options),
    requestTimeoutMs: options.requestTimeoutMs ?? null,
    bodyIdleTimeoutMs: options.bodyIdleTimeoutMs ?? CONNECTIONS.idleMs,
    closing,
    late,
  }
  app.register(async (scope) => {
    for (const route of routes) mountRoute(scope, route, deps)
  })
  return app
}

/** Ends what would delay `close()`. `closing` fires when it begins, `late` when its time for unfinished bodies and unread answers is over. */
function registerShutdown(app: FastifyInstance, options: ServerOptions, clientErrors: ClientErrorHandler) {
  const [closing, late] = [new AbortController(), new AbortController()]
  app.decorate('closing', closing.signal)
  app.decorate('readerIdleMs', options.readerIdleTimeoutMs ?? CONNECTIONS.idleMs)
  const stopTimeoutMs = options.stopTimeoutMs ?? CONNECTIONS.stopMs
  endUnread(app, late.signal, stopTimeoutMs)
  app.addHook('preClose', async () => {
    const reason = new ApiError('service_unavailable', { message: 'The server stops.' })
    closing.abort(reason)
    const giveUp = () => {
      late.abort(reason)
      clientErrors.endUnasked()
    }
    setTimeout(giveUp, stopTimeoutMs).unref()
  })
  app.addHook('onResponse', async () => {
    // A connection that becomes idle only now was not among those that close() ended, and would hold it up for its keep-alive.
    if (closing.signal.aborted) setImmediate(() => app.server.closeIdleConnections())
  })
  return { closing: closing.signal, late: late.signal }
}

/** Everything that runs before a handler, in this order. */
function registerRequestHooks(
  app: FastifyInstance,
  options: ServerOptions,
  answerUnknownPath: UnknownPathHandler,
): void {
  const { within } = options
  if (within !== undefined) {
    // First of all hooks: what follows is called by `done`, the others and the handler as well.
    app.addHook('onRequest', (request, _reply, done) => within({ requestId: request.id }, done, request.headers))
  }
  setHeaders(app)
  endConnections(app, options.draining)
  logAccess(app, options.log, options.requestEnded ?? (() => undefined))
  requireHost(app)
  reserveLiteralPaths(app, options.routes ?? ROUTES, answerUnknownPath)
  admitCallers(app, {
    keys: options.services.keys,
    now: options.now,
    operator: options.operator,
    anonymous: options.anonymous,
    rateLimitPerMinute: options.rateLimitPerMinute,
    countRequest: options.countRequest,
  })
}

function describeService(version: string, now: () => Date) {
  const document = openapiDocument({ version })
  return { version, now, document, documentText: Buffer.from(JSON.stringify(document)) }
}

function createBudgets(options: ServerOptions) {
  const { temporaryDirectory, freeBytes = readFreeBytes } = options
  return {
    diskBudget: createDiskBudget(() => freeBytes(temporaryDirectory)),
    bodyBudget: createBodyBudget(options.bodyBudget ?? sizeBodyBudget(Infinity)),
    queryBudget: createQueryBudget(options.queryBudgetBytes ?? sizeQueryBudget(Infinity)),
    requestBudget: createRequestBudget(options.maxConnections ?? CONNECTIONS.max),
  }
}

function createFastify(options: ServerOptions, clientErrors: ClientErrorHandler): FastifyInstance {
  const { requestTimeoutMs = LONGEST_REQUEST_MS, headersTimeoutMs = CONNECTIONS.headMs } = options
  const { maxConnections = CONNECTIONS.max, log } = options
  const app = fastify({
    logger: false,
    genReqId: () => newId('req'),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Node's own limit for the whole of a request; ours answers first, this one catches what never reached a route.
    requestTimeout: requestTimeoutMs + 5000,
    keepAliveTimeout: CONNECTIONS.keptMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
      // Node would refuse it without a body; see requireHost.
      requireHostHeader: false,
    },
    // Node refuses heads over 16 KB, so that no path gets past this: a long identifier is a 404 like any other wrong one.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_000 },
    clientErrorHandler: clientErrors.handle,
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      sendAnswer(request, reply, reportError(toApiError(error), request, log))
    },
  })
  app.server.on('checkExpectation', answerExpectation)
  clientErrors.watch(app.server)
  limitConnections(app.server, { maxConnections, isBusy: clientErrors.isAnswering, log })
  return app
}

function setHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
  })
  app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // TLS ends at a proxy, whose business this is; on plain HTTP browsers ignore it.
    strictTransportSecurity: false,
  })
}

function endConnections(app: FastifyInstance, draining: AbortSignal | undefined): void {
  app.addHook('onSend', async (_request, reply) => {
    if (draining?.aborted) reply.header('connection', 'close')
  })
}

/** RFC 9112, section 3.2: a request of HTTP/1.1 without Host is a 400, and one that names two. */
function requireHost(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const named = raw.headersDistinct['host']?.length ?? 0
    if (named > 1) throw invalid('Host', 'must stand once')
    if (named === 0 && raw.httpVersion !== '1.0') throw invalid('Host', 'is required')
  })
}

/** Routes read their bodies themselves, by their own limits; the framework only hands the streams over. */
function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.register(multipart, {
    throwFileSizeLimit: false,
    // A part named `file` is one even where a client sends no file name with it.
    isPartAFile: (name, type, filename) =>
      name === 'file' || filename !== undefined || type === 'application/octet-stream',
  })
}

function reportError(error: ApiError, request: FastifyRequest, log: Log): Answer {
  const facts = { requestId: request.id, route: request.routeOptions.config.route?.url ?? null, code: error.code }
  if (error.code === 'internal_error') log.error({ ...facts, err: error.cause }, 'a request failed unexpectedly')
  else if (error.status >= 500) log.warn({ ...facts, err: error.cause ?? null }, error.message)
  return errorAnswer(error, request.id)
}

/** A request that has ended; `route` is the template of its path, `null` where no route took it. */
type EndedRequest = {
  requestId: string
  method: string
  route: string | null
  status: number
  isAborted: boolean
  seconds: number
}

/**
 * Writes one line for every answered or abandoned request: what was asked and how it went, never a body, a query or a key. `ended` hears
 * of each as well.
 */
function logAccess(app: FastifyInstance, log: Log, ended: (request: EndedRequest) => void): void {
  app.addHook('onRequest', async (request, reply) => {
    const startedMs = performance.now()
    reply.raw.once('close', () => {
      const finished = reply.raw.writableFinished
      const description = describeRequest(request)
      const ms = performance.now() - startedMs
      const status = reply.raw.statusCode
      const facts = { ...description, status, ms: Math.round(ms) }
      ended({ ...description, status, isAborted: !finished, seconds: ms / 1000 })
      if (finished) log.info(facts, 'request')
      else log.info({ ...facts, aborted: true }, 'request ended by its sender')
    })
  })
}

function describeRequest(request: FastifyRequest) {
  return {
    requestId: request.id,
    method: request.method,
    route: request.routeOptions.config.route?.url ?? null,
    keyId: request.caller?.keyId ?? null,
    organizationId: request.caller?.organizationId ?? null,
  }
}
