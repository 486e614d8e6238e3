/**
 * The client of the HTTP API, for Node and browsers, without a dependency.
 *
 *     const recollect = createClient({ baseUrl: 'http://127.0.0.1:8080', apiKey })
 *     const { id } = await recollect.memories.create({ name: 'Handbook' })
 *     await recollect.documents.addFile(id, { path: './handbook.pdf' })
 *     const { hits } = await recollect.find(id, 'Who approves travel?')
 *
 * Every method rejects with a `RecollectError` (`client-errors.ts`). Requests that fail with 429, 5xx or without an answer are
 * repeated twice; a POST carries an `Idempotency-Key` of its own, so that no repeat does anything twice, and waits for an attempt that is still at work.
 */
import type { AskAnswer, AskOnceAnswer } from './answers.ts'
import { type BodyOf, bindOperations, type Call, type CallOptions, type Input, type Send } from './call-operation.ts'
import { evaluateInParts } from './evaluate-in-parts.ts'
import type { KnownQuestion } from './findings.ts'
import type { Upload } from './make-upload.ts'
import type { Operations } from './operations.ts'
import {
  correctionsOf,
  documentsOf,
  jobsOf,
  keysOf,
  memoriesOf,
  organizationsOf,
  projectsOf,
  sendFile,
  webhooksOf,
} from './resource-methods.ts'
import type { ImageOptions } from './resources.ts'
import { type AnswerEvent, streamAnswer } from './stream-answer.ts'

export type * from './accounts.ts'
// All that a program needs comes from `recollect/client`.
export type * from './answers.ts'
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidRequestError,
  LimitError,
  NotFoundError,
  RecollectError,
  ServiceError,
  TooLargeError,
  UnprocessableError,
  UnsupportedTypeError,
} from './client-errors.ts'
export type * from './findings.ts'
export type { Upload } from './make-upload.ts'
export { readQuestions } from './read-questions.ts'
export type { ArchiveOptions, PageRequest } from './resource-methods.ts'
export type * from './resources.ts'

/** What a client is made of. */
export type ClientOptions = {
  /** Where the service is; `http://127.0.0.1:8080` when absent. */
  baseUrl?: string | undefined
  /** A key of the service; none where keys are switched off. */
  apiKey?: string | null | undefined
  /** Another `fetch` than that of the platform. */
  fetch?: typeof fetch
  /** Repeats of a request that may well succeed the next time; 2 when absent. */
  retries?: number
  /** Time to wait for an answer; ten minutes when absent, the longest that the service takes. */
  timeoutMs?: number
}

/** What a streaming answer over a memory tells; its last event holds the answer that counts. */
export type AskEvent = AnswerEvent<AskAnswer>

/** How many documents of each answer count, and which modes are compared. */
export type EvaluateOptions = Pick<BodyOf<'evaluate'>, 'topK' | 'modes'> & { onProgress?: (done: number) => void }

/** The client of a service. It keeps no connection and no state of its own. */
export function createClient(options: ClientOptions = {}) {
  const { call, send } = bindOperations({
    baseUrl: (options.baseUrl ?? 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    apiKey: options.apiKey ?? null,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 600_000,
  })
  return {
    /** Any operation by its identifier in the OpenAPI document. */
    call: <Name extends keyof Operations>(name: Name, input: Input<Name>, more: CallOptions = {}) =>
      call(name, input, more),
    memories: memoriesOf(call),
    documents: documentsOf(call),
    corrections: correctionsOf(call),
    jobs: jobsOf(call),
    projects: projectsOf(call),
    keys: keysOf(call),
    organizations: organizationsOf(call),
    webhooks: webhooksOf(call),
    account: (more?: CallOptions) => call('getAccount', {}, more),
    ...queriesOf(call),
    ...answersOf(call, send),
    /** Reads the text off a picture, and adds it. */
    recognize: async (memoryId: string, image: Upload, { signal, ...asked }: ImageOptions & CallOptions = {}) =>
      sendFile(call, { name: 'recognizeImage', memoryId, upload: image, options: asked, signal }),
  }
}

/** What {@link createClient} gives. */
export type Client = ReturnType<typeof createClient>

function queriesOf(call: Call) {
  return {
    /** Finds passages. */
    find: (memoryId: string, query: string, { signal, ...asked }: BodyOf<'find'>['options'] & CallOptions = {}) =>
      call('find', { path: { id: memoryId }, body: { query, options: asked } }, { signal }),
    /** Finds passages with the defaults of the service. */
    search: (memoryId: string, query: string, { limit, signal }: { limit?: number } & CallOptions = {}) =>
      call(
        'search',
        { path: { id: memoryId }, body: { query, ...(limit === undefined ? {} : { limit }) } },
        { signal },
      ),
    /** Fills a schema. */
    extract: (memoryId: string, schema: BodyOf<'extract'>, more?: CallOptions) =>
      call('extract', { path: { id: memoryId }, body: schema }, more),
    /** Asks questions whose answers are known, and measures how well each mode finds them; any number, in several requests. `onProgress` hears how many are done. */
    evaluate: (
      memoryId: string,
      questions: readonly KnownQuestion[],
      { signal, onProgress, ...asked }: EvaluateOptions & CallOptions = {},
    ) =>
      evaluateInParts(
        questions,
        (part) => call('evaluate', { path: { id: memoryId }, body: { questions: part, ...asked } }, { signal }),
        onProgress,
      ),
  }
}

function answersOf(call: Call, send: Send) {
  return {
    /** Answers a question with citations. */
    ask: (memoryId: string, question: string, { signal, ...asked }: BodyOf<'ask'>['options'] & CallOptions = {}) =>
      call('ask', { path: { id: memoryId }, body: { question, options: asked } }, { signal }),
    /** The same as it is written. The last event holds the answer that counts. */
    askStream: (
      memoryId: string,
      question: string,
      { signal, ...asked }: BodyOf<'ask'>['options'] & CallOptions = {},
    ) =>
      streamAnswer<'ask', AskAnswer>(send, 'ask', {
        path: { id: memoryId },
        body: { question, options: asked },
        signal,
      }),
    /** Answers a question over a text; nothing of it is kept. */
    askOnce: (body: BodyOf<'askOnce'>, more?: CallOptions) => call('askOnce', { body }, more),
    /** The same as it is written. */
    askOnceStream: (body: BodyOf<'askOnce'>, more: CallOptions = {}) =>
      streamAnswer<'askOnce', AskOnceAnswer>(send, 'askOnce', { body, ...more }),
  }
}
