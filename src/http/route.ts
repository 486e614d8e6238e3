/** Routes are values. The server and the OpenAPI document are built from the same list. */

import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { KeyRole } from '../api/key.ts'
import type { Warning } from '../api/values.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Caller } from '../services/caller.ts'
import type { StoreResponse } from '../services/request-work.ts'
import type { Services } from '../services/services.ts'
import type { SignInService } from '../services/sign-in/sign-in-service.ts'
import type { ConsoleFiles } from '../web/console-files.ts'
import type { DocsFiles } from '../web/docs-files.ts'
import type { Upload, UploadForm } from './body/upload.ts'
import { readBody, readQuery } from './read-value.ts'

/**
 * Required authentication. `public` needs no key. `installation` needs the admin key.
 * `organization` rejects memory-scoped keys. `memory` accepts them for their own memories.
 */
export type Access = 'public' | 'installation' | 'organization' | 'memory'

/**
 * Response body: objects are sent as JSON, strings unchanged, streams piece by piece; `null` means
 * no body.
 */
type Payload = object | string | Readable | null

/** Response of a handler. */
export type Answer<Status extends number = number, Body = Payload> = {
  status: Status
  headers: Record<string, string>
  body: Body
  /** `Set-Cookie` headers. */
  cookies?: readonly string[]
  /** Body field that is never stored: a replay has `null` there. */
  shownOnce?: string
  /**
   * For event streams: the response to store when the stream ends, `null` if it broke off. Never
   * rejects.
   */
  finalAnswer?: Promise<Answer | null>
}

/** Response of a status, for the OpenAPI document. `contentType` defaults to JSON. */
type AnswerSchema = {
  description: string
  schema?: TSchema
  contentType?: string
  /** Description of the same response as server-sent events (`Accept: text/event-stream`). */
  events?: string
  /** True if browsers (`Accept: text/html`) get a page instead. */
  page?: true
}

/** Responses of a route by status. */
export type AnswerSchemas = Readonly<Record<number, AnswerSchema>>

/** Body type of a schema: JSON, text or stream for another content type, or none. */
type BodyOf<Schema extends AnswerSchema> = Schema extends { schema: infer Shape extends TSchema }
  ?
      | Static<Shape>
      | (Schema extends { events: string } ? Readable : never)
      | (Schema extends { page: true } ? Buffer : never)
  : Schema extends { contentType: string }
    ? string | Buffer | Readable
    : null

/** Valid responses of a handler: each status with the body of its schema. Errors are thrown. */
export type AnswerOf<Answers extends AnswerSchemas> = {
  [Status in keyof Answers & number]: Answer<Status, BodyOf<Answers[Status]>>
}[keyof Answers & number]

/**
 * Creates the function that a service calls in its transaction to store the response for replay.
 * Without an Idempotency-Key, nothing is stored.
 */
export type StoreResponseAs<Given = Answer> = <Result>(toAnswer: (result: Result) => Given) => StoreResponse<Result>

/** Context of every handler. */
type HandlerContext = {
  services: Services
  /** Version, OpenAPI document (as an object and as shared bytes) and clock of the service. */
  serviceInfo: { version: string; document: object; documentText: Buffer; now: () => Date }
  /** Sign-in of people; `null` without a provider. */
  signIn: SignInService | null
  /** Files of the console. */
  console: ConsoleFiles
  /** Pages of the documentation. */
  docs: DocsFiles
  requestId: string
  /**
   * Reserves memory for a query until the response is sent. Throws if none is left
   * (`request-budgets.ts`).
   */
  reserveMemory(bytes: number): void
  params: Readonly<Record<string, string>>
  headers: IncomingHttpHeaders
  /** Fires on timeout or when the client disconnects. */
  signal: AbortSignal
  /** Returns and logs the error body for an error after the response has started. */
  describeError(error: unknown): object
  /**
   * Fires when the server starts to close. Handlers that only wait or watch end then; others
   * finish.
   */
  closing: AbortSignal
}

/** Incoming request, before query and body are validated. */
export type IncomingRequest = HandlerContext & {
  storeResponseAs: StoreResponseAs
  caller: Caller | null
  query: unknown
  body: unknown
  upload: Upload | null
}

/** Request with a valid query and body. */
export type PublicContext<
  Body extends TSchema,
  Query extends TSchema,
  Answers extends AnswerSchemas = AnswerSchemas,
> = HandlerContext & {
  storeResponseAs: StoreResponseAs<AnswerOf<Answers>>
  query: Static<Query>
  body: Static<Body>
  upload: Upload | null
  /** Unknown fields of the request. Responses with `warnings` include them. */
  warnings: Warning[]
}

/** Request context with an authorized caller. */
export type Context<
  Body extends TSchema,
  Query extends TSchema,
  Answers extends AnswerSchemas = AnswerSchemas,
> = PublicContext<Body, Query, Answers> & { caller: Caller }

type Description = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with `:name` for identifiers. */
  url: string
  operationId: string
  /** Short title and a longer description. */
  summary: string
  description: string
  tag: string
  /** Maximum size of the body in bytes. Without it, the route reads no body. */
  maxBodyBytes?: number
  /**
   * False if an Idempotency-Key has no effect. `in-process`: responses are kept in memory for
   * replay, because nothing of them may be stored.
   */
  replayable?: false | 'in-process'
  /**
   * True for a POST that is safe to repeat, because it only reads or deletes. If the response
   * cannot be stored (disk full or failing), it is sent anyway.
   */
  isSafeToRepeat?: true
  /**
   * Least role of the key. Defaults to `reader` for GET, and to `writer` otherwise, also for POST
   * routes without changes.
   */
  role?: KeyRole
  /** True for pages and other protocols, which are not part of the OpenAPI document. */
  isPage?: true
  /** Form for uploads, as the alternative to JSON. */
  form?: UploadForm
  /** JSON field with the file as base64. The handler receives it as an upload. */
  encodedField?: string
  answers: AnswerSchemas
  /** Error codes besides the common ones of all routes. */
  errors: readonly ErrorCode[]
}

/** An endpoint. `handle` validates query and body, and rejects with `ApiError`. */
export type Route = Description & {
  access: Access
  body: TObject | null
  query: TObject | null
  handle(incoming: IncomingRequest): Promise<Answer>
}

/** Returns the least role of a key that may call a route. */
export function neededRole({ method, role }: Pick<Route, 'method' | 'role'>): KeyRole {
  return role ?? (method === 'GET' ? 'reader' : 'writer')
}

/** Returns whether the first response to an Idempotency-Key is replayed. */
export function isReplayable({ method, replayable }: Pick<Route, 'method' | 'replayable'>): boolean {
  return method === 'POST' && replayable !== false
}

const NOTHING = Type.Object({})

type TypedRoute<Body extends TObject, Query extends TObject, Answers extends AnswerSchemas> = Description & {
  body?: Body
  query?: Query
  answers: Answers
}

/**
 * Defines a route that requires a key. The handler receives validated query, body and caller. A
 * response that does not match the declared schemas is a compile error.
 */
export function defineRoute<
  const Answers extends AnswerSchemas,
  Body extends TObject = typeof NOTHING,
  Query extends TObject = typeof NOTHING,
>(
  definition: TypedRoute<Body, Query, Answers> & {
    access: Exclude<Access, 'public'>
    handle(context: Context<Body, Query, Answers>): Promise<AnswerOf<Answers>>
  },
): Route {
  const { body, query, handle, ...description } = definition
  return {
    ...description,
    body: body ?? null,
    query: query ?? null,
    handle: (incoming) => {
      if (incoming.caller === null) throw new ApiError('missing_api_key')
      const { caller } = incoming
      const { queryWarnings, ...given } = read(body, query, incoming)
      const warn = createWarner(description.answers, [...given.warnings, ...queryWarnings])
      const storeResponseAs: StoreResponseAs = (toAnswer) =>
        incoming.storeResponseAs((result) => warn(toAnswer(result)))
      const context = { ...incoming, ...given, caller, storeResponseAs }
      return (handle(context as Context<Body, Query, Answers>) as Promise<Answer>).then(warn)
    },
  }
}

/** Defines a route without authentication. */
export function definePublicRoute<
  const Answers extends AnswerSchemas,
  Body extends TObject = typeof NOTHING,
  Query extends TObject = typeof NOTHING,
>(
  definition: TypedRoute<Body, Query, Answers> & {
    handle(context: PublicContext<Body, Query, Answers>): Promise<AnswerOf<Answers>>
  },
): Route {
  const { body, query, handle, ...description } = definition
  return {
    ...description,
    access: 'public',
    body: body ?? null,
    query: query ?? null,
    handle: (incoming) => {
      const { queryWarnings: _, ...given } = read(body, query, incoming)
      return handle({ ...incoming, ...given }) as Promise<Answer>
    },
  }
}

function read<Body extends TObject, Query extends TObject>(
  body: Body | undefined,
  query: Query | undefined,
  incoming: IncomingRequest,
) {
  const asked = readQuery(query ?? (NOTHING as unknown as Query), incoming.query)
  const sent = readBody(body ?? (NOTHING as unknown as Body), body === undefined ? undefined : incoming.body)
  return { query: asked.value, body: sent.value, warnings: sent.warnings, queryWarnings: asked.warnings }
}

/** Adds the warnings to responses whose schema has them, unless the handler did. */
function createWarner(answers: AnswerSchemas, warnings: readonly Warning[]): (answer: Answer) => Answer {
  return (answer) => {
    const { status, body } = answer
    if (warnings.length === 0 || typeof body !== 'object' || body === null) return answer
    const schema: { properties?: object } = answers[status]?.schema ?? {}
    const hasOwn = body instanceof Readable || 'warnings' in body
    return hasOwn || !('warnings' in (schema.properties ?? {})) ? answer : { ...answer, body: { ...body, warnings } }
  }
}
