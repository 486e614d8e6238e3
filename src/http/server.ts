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
import { createTransientIdempotency } from '../services/nodes/idempotency-service.ts'
import type { Services } from '../services/services.ts'
import type { SignInService } from '../services/sign-in/sign-in-service.ts'
import type { ConsoleFiles } from '../web/console-files.ts'
import type { DocsFiles } from '../web/docs-files.ts'
import {
  answerExpectation,
  type ClientErrorHandler,
  closeSlowReaders,
  createClientErrorHandler,
} from './answers/client-error.ts'
import { errorAnswer, toApiError } from './answers/error-answer.ts'
import { sendAnswer } from './answers/send-answer.ts'
import { type BodyBudgetSizes, createBodyBudget, createDiskBudget, sizeBodyBudget } from './body/budgets.ts'
import type { JsonParser } from './body/json-parser.ts'
import { type Operator, registerAccessControl } from './callers/admit-caller.ts'
import type { CountRequest } from './callers/rate-limiter.ts'
import { allowOrigins } from './callers/require-same-origin.ts'
import { limitConnections } from './limit-connections.ts'
import { mountRoute } from './mount-route.ts'
import { openapiDocument } from './openapi-document.ts'
import { createQueryBudget, createRequestBudget, sizeQueryBudget } from './request-budgets.ts'
import type { Answer, Route } from './route.ts'
import { ROUTES } from './routes/routes.ts'
import { createUnknownPathHandler, reserveLiteralPaths, type UnknownPathHandler } from './unknown-paths.ts'

/** Dependencies and options of the server. */
export type ServerOptions = {
  services: Services
  log: Log
  version: string
  now: () => Date
  console: ConsoleFiles
  docs: DocsFiles
  /** Operator of the installation; without it, organizations cannot be managed. */
  operator?: Operator
  /** Sign-in of people; `null` or absent without a provider. */
  signIn?: SignInService | null
  /** Caller of every request if authentication is disabled, otherwise `null`. */
  anonymous: Caller | null
  /** Existing directory for uploads in progress. */
  temporaryDirectory: string
  /** Parser for large JSON bodies. Without it, the event loop parses them. */
  jsonParser?: Pick<JsonParser, 'parse'> | null
  /** Memory budget for request bodies; defaults to the maximum. */
  bodyBudget?: BodyBudgetSizes
  /** Returns the free bytes of a disk; defaults to the operating system's value. */
  freeBytes?: (directory: string) => Promise<number>
  /** Maximum number of connections; defaults to the constant in `limits.ts`. */
  maxConnections?: number
  /** Called for each request that failed because the process had no free file descriptors. */
  onOutOfFiles?: () => void
  /** Memory budget for queries and responses in bytes; defaults to the maximum. */
  queryBudgetBytes?: number
  /** Requests per key and minute; 0 means unlimited. */
  rateLimitPerMinute: number
  /** Origins of web pages that may call the API; none by default. */
  corsOrigins?: readonly string[]
  /** Counts requests for the rate limit; defaults to a counter in this process. */
  countRequest?: CountRequest
  /**
   * Fires when the process is about to stop. Responses then close their connections, so that
   * clients reconnect elsewhere.
   */
  draining?: AbortSignal
  /** Runs a request within a log context; defaults to running it directly. */
  runInContext?: (facts: { requestId: string }, work: () => void, headers: IncomingHttpHeaders) => void
  /** Called when a request has ended. */
  onRequestEnd?: (request: EndedRequest) => void
  /** Routes to serve; defaults to all. */
  routes?: readonly Route[]
  /** Timeout of a request; defaults to the timeout of the caller's plan. */
  requestTimeoutMs?: number
  /** Maximum time without body bytes; defaults to the constant in `limits.ts`. */
  bodyIdleTimeoutMs?: number
  /** Timeout for request headers; defaults to the constant in `limits.ts`. */
  headersTimeoutMs?: number
  /** Maximum time without progress of a response; defaults to the constant in `limits.ts`. */
  readerIdleTimeoutMs?: number
  /**
   * Time after `close()` for incomplete bodies and unread responses; defaults to the constant in
   * `limits.ts`.
   */
  stopTimeoutMs?: number
}

const MAX_REQUEST_MS = 1000 * Math.max(...Object.values(PLANS).map(({ limits }) => limits.requestTimeoutSeconds))

/**
 * Creates the HTTP server, not yet listening. `close()` accepts no new connections, and ends long
 * polls and event streams. It drops incomplete bodies and unread responses, and resolves when
 * running requests are answered. Web pages may call the API from `corsOrigins` only, because API
 * keys must not be exposed in web pages.
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
    // Framework errors of unknown paths are irrelevant: 404 takes precedence.
    if (request.is404 && refused.cause !== undefined) return answerUnknownPath(request, reply)
    return sendAnswer(request, reply, toAnswer(refused, request))
  })
  const deps = {
    transientIdempotency: createTransientIdempotency(now),
    services,
    log,
    toAnswer,
    serviceInfo: createServiceInfo(version, now),
    signIn: options.signIn ?? null,
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

/**
 * Bounds the duration of `close()`. `closing` fires at its start, `late` after the time for
 * incomplete bodies and unread responses.
 */
function registerShutdown(app: FastifyInstance, options: ServerOptions, clientErrors: ClientErrorHandler) {
  const [closing, late] = [new AbortController(), new AbortController()]
  app.decorate('closing', closing.signal)
  app.decorate('readerIdleMs', options.readerIdleTimeoutMs ?? CONNECTIONS.idleMs)
  const stopTimeoutMs = options.stopTimeoutMs ?? CONNECTIONS.stopMs
  closeSlowReaders(app, late.signal, stopTimeoutMs)
  app.addHook('preClose', async () => {
    const reason = new ApiError('service_unavailable', { message: 'The server is shutting down.' })
    closing.abort(reason)
    const giveUp = () => {
      late.abort(reason)
      clientErrors.closeWithoutRequest()
    }
    setTimeout(giveUp, stopTimeoutMs).unref()
  })
  app.addHook('onResponse', async () => {
    // This connection became idle after `close()` ended the idle ones. It would delay the shutdown
    // by its keep-alive time.
    if (closing.signal.aborted) setImmediate(() => app.server.closeIdleConnections())
  })
  return { closing: closing.signal, late: late.signal }
}

/** Registers the hooks that run before a handler, in order. */
function registerRequestHooks(
  app: FastifyInstance,
  options: ServerOptions,
  answerUnknownPath: UnknownPathHandler,
): void {
  const { runInContext } = options
  if (runInContext !== undefined) {
    // Must be the first hook: `done` runs all later hooks and the handler.
    app.addHook('onRequest', (request, _reply, done) => runInContext({ requestId: request.id }, done, request.headers))
  }
  setHeaders(app)
  closeConnectionsWhileDraining(app, options.draining)
  logAccess(app, options.log, options.onRequestEnd ?? (() => undefined))
  requireHostHeader(app)
  allowOrigins(app, options.corsOrigins ?? [])
  reserveLiteralPaths(app, options.routes ?? ROUTES, answerUnknownPath)
  registerAccessControl(app, {
    keys: options.services.keys,
    now: options.now,
    operator: options.operator,
    signIn: options.signIn ?? null,
    anonymous: options.anonymous,
    rateLimitPerMinute: options.rateLimitPerMinute,
    countRequest: options.countRequest,
  })
}

/** The OpenAPI document is made for the first reader, and would take a thirtieth of a start. */
function createServiceInfo(version: string, now: () => Date) {
  let made: { document: object; documentText: Buffer } | null = null
  function describe() {
    if (made !== null) return made
    const document = openapiDocument({ version })
    made = { document, documentText: Buffer.from(JSON.stringify(document)) }
    return made
  }
  return {
    version,
    now,
    get document() {
      return describe().document
    },
    get documentText() {
      return describe().documentText
    },
  }
}

function refuseSchemas(): never {
  throw new Error('Routes have no schemas of Fastify.')
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
  const { requestTimeoutMs = MAX_REQUEST_MS, headersTimeoutMs = CONNECTIONS.headMs } = options
  const { maxConnections = CONNECTIONS.max, log } = options
  const app = fastify({
    logger: false,
    genReqId: () => newId('req'),
    requestIdHeader: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // Node's own request timeout, for requests that reach no route. The service's timeout fires
    // first.
    requestTimeout: requestTimeoutMs + 5000,
    keepAliveTimeout: CONNECTIONS.keptMs,
    http: {
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: Math.min(5000, headersTimeoutMs),
      // Node's check would respond without a body; see `requireHost`.
      requireHostHeader: false,
    },
    // Higher than Node's header limit of 16 KB, so that long identifiers return 404.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 20_000 },
    // Routes validate and serialize themselves. Loading Fastify's compilers takes 15 ms of a start.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
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
    // A proxy in front of the service terminates TLS and sets this header. Browsers ignore it on
    // plain HTTP.
    strictTransportSecurity: false,
  })
}

function closeConnectionsWhileDraining(app: FastifyInstance, draining: AbortSignal | undefined): void {
  app.addHook('onSend', async (_request, reply) => {
    if (draining?.aborted) reply.header('connection', 'close')
  })
}

/** RFC 9112, section 3.2: HTTP/1.1 requires exactly one Host header, otherwise 400. */
function requireHostHeader(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    const named = raw.headersDistinct['host']?.length ?? 0
    if (named > 1) throw invalid('Host', 'must be given only once')
    if (named === 0 && raw.httpVersion !== '1.0') throw invalid('Host', 'is required')
  })
}

/** Routes read their bodies themselves, within their own limits. */
function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.register(multipart, {
    throwFileSizeLimit: false,
    // A part named `file` is a file even if the client sends no file name.
    isPartAFile: (name, type, filename) =>
      name === 'file' || filename !== undefined || type === 'application/octet-stream',
  })
}

function reportError(error: ApiError, request: FastifyRequest, log: Log): Answer {
  const facts = { requestId: request.id, route: request.routeOptions.config.route?.url ?? null, code: error.code }
  if (error.code === 'internal_error') log.error({ ...facts, err: error.cause }, 'unexpected error in a request')
  else if (error.status >= 500) log.warn({ ...facts, err: error.cause ?? null }, error.message)
  return errorAnswer(error, request.id)
}

/** A finished request. `route` is the URL template, `null` for unknown paths. */
type EndedRequest = {
  requestId: string
  method: string
  route: string | null
  status: number
  isAborted: boolean
  seconds: number
  keyId: string | null
  organizationId: string | null
  /** Memory in the path, which need not exist. */
  memoryId: string | null
}

/**
 * Logs one line per answered or aborted request, without body, query or key. Calls `ended` for
 * each.
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
      const memoryId = readMemoryId(request)
      ended({ ...description, memoryId, status, isAborted: !finished, seconds: ms / 1000 })
      if (finished) log.info(facts, 'request')
      else log.info({ ...facts, aborted: true }, 'client disconnected')
    })
  })
}

function readMemoryId({ routeOptions, params }: FastifyRequest): string | null {
  const isUnderMemory = routeOptions.config.route?.url.startsWith('/v1/memories/:id') === true
  return isUnderMemory ? ((params as Record<string, string>)['id'] ?? null) : null
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
