/** What an endpoint is: a value that says everything about it, so that the server and the OpenAPI document are made from the same list. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Warning } from '../api/values.ts'
import { ApiError, type ErrorCode } from '../errors.ts'
import type { Caller } from '../services/caller.ts'
import type { Keep } from '../services/request-work.ts'
import type { Services } from '../services/services.ts'
import type { ConsoleFiles } from '../web/console-files.ts'
import type { DocsFiles } from '../web/docs-files.ts'
import type { Upload, UploadForm } from './body/upload.ts'
import { readBody, readQuery } from './read-value.ts'

/**
 * Who may call: `public` needs no key, `installation` takes the admin key of the installation alone, `organization` refuses memory-scoped keys, `memory`
 * takes those too (their own memory only, where the path has one).
 */
export type Access = 'public' | 'installation' | 'organization' | 'memory'

/** What an answer carries: an object is sent as JSON, a string as it is, a stream piece by piece, `null` without a body. */
type Payload = object | string | Readable | null

/** An answer as a value. */
export type Answer<Status extends number = number, Body = Payload> = {
  status: Status
  headers: Record<string, string>
  body: Body
  /** A field of the body that is never stored: a replay of the answer has `null` there. */
  shownOnce?: string
  /** Of server-sent events: the answer that is kept in their place when they have ended, `null` where they broke off. Never rejects. */
  whole?: Promise<Answer | null>
}

/** One status a route answers with, for the OpenAPI document. `contentType` is JSON when absent. */
type AnswerSchema = {
  description: string
  schema?: TSchema
  contentType?: string
  /** What the same answer is as server-sent events, where `Accept: text/event-stream` asks for them. */
  events?: string
  /** True: who accepts HTML gets a page in place of it. */
  page?: true
}

/** What a route answers with, by status. */
export type AnswerSchemas = Readonly<Record<number, AnswerSchema>>

/** The body that a schema allows: one of JSON, a text or a stream where it names another type, or none. */
type BodyOf<Schema extends AnswerSchema> = Schema extends { schema: infer Shape extends TSchema }
  ?
      | Static<Shape>
      | (Schema extends { events: string } ? Readable : never)
      | (Schema extends { page: true } ? Buffer : never)
  : Schema extends { contentType: string }
    ? string | Buffer | Readable
    : null

/** What the handler of a route may answer: each status with the body of its schema. Errors are thrown. */
export type AnswerOf<Answers extends AnswerSchemas> = {
  [Status in keyof Answers & number]: Answer<Status, BodyOf<Answers[Status]>>
}[keyof Answers & number]

/**
 * What a handler hands to the service that commits its work: the answer that `toAnswer` makes of the result is kept with it for
 * a request that comes again. Without an Idempotency-Key nothing is.
 */
export type KeepAs<Given = Answer> = <Result>(toAnswer: (result: Result) => Given) => Keep<Result>

/** What every handler gets, whatever it reads. */
type Surroundings = {
  services: Services
  /** The version of the service, the OpenAPI document it serves, as an object and as bytes that all answers share, and its clock. */
  about: { version: string; document: object; documentText: Buffer; now: () => Date }
  /** The files of the console. */
  console: ConsoleFiles
  /** The pages of the documentation. */
  docs: DocsFiles
  requestId: string
  /** Takes memory for a query that is about to begin; it is given back when the answer has gone out. Throws where there is none (`request-budgets.ts`). */
  reserveMemory(bytes: number): void
  params: Readonly<Record<string, string>>
  headers: IncomingHttpHeaders
  /** Fires when the request's time is up or its sender has left. */
  signal: AbortSignal
  /** The body of the answer for an error that came when the answer had begun; logs it as every error is. */
  describeError(error: unknown): object
  /** Fires when the server begins to close: answers that only wait or watch end then, all others are finished. */
  closing: AbortSignal
}

/** A request as it came: nothing of query and body is checked yet. */
export type Incoming = Surroundings & {
  keepAs: KeepAs
  caller: Caller | null
  query: unknown
  body: unknown
  upload: Upload | null
}

/** A request whose query and body fit the route's schemas. */
export type PublicContext<
  Body extends TSchema,
  Query extends TSchema,
  Answers extends AnswerSchemas = AnswerSchemas,
> = Surroundings & {
  keepAs: KeepAs<AnswerOf<Answers>>
  query: Static<Query>
  body: Static<Body>
  upload: Upload | null
  /** The fields that no one asked for; answers that have `warnings` carry them. */
  warnings: Warning[]
}

/** The same with the caller, of whom it is known that the route's access lets him in. */
export type Context<
  Body extends TSchema,
  Query extends TSchema,
  Answers extends AnswerSchemas = AnswerSchemas,
> = PublicContext<Body, Query, Answers> & { caller: Caller }

type Description = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:name` for the identifiers. */
  url: string
  operationId: string
  /** What it does, in a few words, and what else a caller should know of it. */
  summary: string
  description: string
  tag: string
  /** Most bytes of the body; without it the route reads none. */
  maxBodyBytes?: number
  /** True: no answer is kept for a request that comes again, so an Idempotency-Key has no effect. */
  keepsNothing?: true
  /** True: a POST that may come twice, as it only asks or takes away. Where a disk that is full or fails takes no answer to keep, it is answered all the same. */
  mayBeUnkept?: true
  /** True: for people with a browser or another protocol, and not in the OpenAPI document. */
  isPage?: true
  /** The form in which a file may come in place of JSON. */
  form?: UploadForm
  /** The field of the JSON body that holds the form's file as base64; it reaches the handler as an upload. */
  encodedField?: string
  answers: AnswerSchemas
  /** The codes beside those that every route of its kind has. */
  errors: readonly ErrorCode[]
}

/** An endpoint. `handle` checks query and body itself and rejects with `ApiError`. */
export type Route = Description & {
  access: Access
  body: TObject | null
  query: TObject | null
  handle(incoming: Incoming): Promise<Answer>
}

/** True where the first answer to an Idempotency-Key comes again. */
export function isRepeatable({ method, keepsNothing }: Pick<Route, 'method' | 'keepsNothing'>): boolean {
  return method === 'POST' && keepsNothing !== true
}

const NOTHING = Type.Object({})

type Typed<Body extends TObject, Query extends TObject, Answers extends AnswerSchemas> = Description & {
  body?: Body
  query?: Query
  answers: Answers
}

/**
 * A route that needs a key. Its handler gets query and body in the types of their schemas, and the caller. What it answers
 * has to fit the schemas of the answers: a wrong field does not compile.
 */
export function defineRoute<
  const Answers extends AnswerSchemas,
  Body extends TObject = typeof NOTHING,
  Query extends TObject = typeof NOTHING,
>(
  definition: Typed<Body, Query, Answers> & {
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
      return handle({ ...incoming, ...read(body, query, incoming), caller: incoming.caller }) as Promise<Answer>
    },
  }
}

/** A route that anyone may call. */
export function definePublicRoute<
  const Answers extends AnswerSchemas,
  Body extends TObject = typeof NOTHING,
  Query extends TObject = typeof NOTHING,
>(
  definition: Typed<Body, Query, Answers> & {
    handle(context: PublicContext<Body, Query, Answers>): Promise<AnswerOf<Answers>>
  },
): Route {
  const { body, query, handle, ...description } = definition
  return {
    ...description,
    access: 'public',
    body: body ?? null,
    query: query ?? null,
    handle: (incoming) => handle({ ...incoming, ...read(body, query, incoming) }) as Promise<Answer>,
  }
}

function read<Body extends TObject, Query extends TObject>(
  body: Body | undefined,
  query: Query | undefined,
  incoming: Incoming,
) {
  const asked = readQuery(query ?? (NOTHING as unknown as Query), incoming.query)
  const sent = readBody(body ?? (NOTHING as unknown as Body), body === undefined ? undefined : incoming.body)
  return { query: asked, body: sent.value, warnings: sent.warnings }
}
