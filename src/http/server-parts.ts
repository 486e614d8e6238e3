import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../errors.ts'
import type { Log } from '../observability/log.ts'
import type { Caller } from '../services/caller.ts'
import type { Services } from '../services/services.ts'
import type { BodyBudget } from './body/body-budget.ts'
import type { DiskBudget } from './body/disk-budget.ts'
import type { JsonParser } from './body/json-parser.ts'
import type { QueryBudget } from './query-budget.ts'
import type { RequestBudget } from './request-budget.ts'
import type { Answer, Incoming, Route } from './route.ts'

/** What the server hands to every route it mounts. */
export type ServerParts = {
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
