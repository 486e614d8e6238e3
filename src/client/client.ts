/**
 * Client for the HTTP API, for Node and browsers, without dependencies.
 *
 *     const recollect = createClient({ apiKey })
 *     const { id } = await recollect.memories.create({ name: 'Handbook' })
 *     await recollect.documents.addFile(id, { path: './handbook.pdf' })
 *     const { hits } = await recollect.find(id, 'Who approves travel?')
 *
 * Every method rejects with a `RecollectError` (`client-errors.ts`). Requests that fail with 429,
 * 5xx or without a response are retried twice. Each POST has a separate `Idempotency-Key`, so that
 * a retry repeats nothing. A retry waits for an earlier attempt that is still in progress.
 */
import type { AskAnswer, AskOnceAnswer } from './answers.ts'
import {
  type Answer,
  type BodyOf,
  bindOperations,
  type Call,
  type CallOptions,
  type Input,
  type QueryOf,
  type Send,
} from './call-operation.ts'
import type { Evaluation, KnownQuestion } from './findings.ts'
import type { Upload } from './make-upload.ts'
import { projectsOf, sourcesOf, webhooksOf } from './management-methods.ts'
import type { Operations } from './operations.ts'
import type { ImageOptions } from './requests.ts'
import {
  correctionsOf,
  documentsOf,
  jobsOf,
  keysOf,
  memoriesOf,
  organizationsOf,
  sendFile,
} from './resource-methods.ts'
import { type AnswerEvent, streamAnswer } from './stream-answer.ts'

export type * from './accounts.ts'
// The package exports everything that a program needs.
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
export type * from './requests.ts'
export type { ArchiveOptions, PageRequest } from './resource-methods.ts'
export type * from './resources.ts'
export type * from './sources.ts'

/** Options of a client. */
export type ClientOptions = {
  /** URL of the service; defaults to `http://127.0.0.1:8080`. */
  baseUrl?: string | undefined
  /** API key; not required if authentication is disabled. */
  apiKey?: string | null | undefined
  /** Replacement for the platform's `fetch`. */
  fetch?: typeof fetch
  /** Number of retries after a transient error; defaults to 2. */
  retries?: number
  /** Timeout of a response; defaults to ten minutes, the maximum of the service. */
  timeoutMs?: number
}

/** Event of a streamed answer over a memory. The last event has the final answer. */
export type AskEvent = AnswerEvent<AskAnswer>

/**
 * Number of documents to evaluate, modes to compare, and a progress callback. A smaller
 * `batchSize`, in questions per request, reports progress more often.
 */
export type EvaluateOptions = Pick<BodyOf<'evaluate'>, 'topK' | 'modes'> & BatchOptions

type BatchOptions = { onProgress?: ((done: number) => void) | undefined; batchSize?: number | undefined }

/**
 * Result of {@link createClient}. Written out, since the declarations would otherwise contain every
 * method twice.
 */
export type Client = ReturnType<typeof queriesOf> &
  ReturnType<typeof answersOf> & {
    /** Calls any operation by its operation ID. */
    call: <Name extends keyof Operations>(name: Name, input: Input<Name>, more?: CallOptions) => Promise<Answer<Name>>
    memories: ReturnType<typeof memoriesOf>
    documents: ReturnType<typeof documentsOf>
    corrections: ReturnType<typeof correctionsOf>
    jobs: ReturnType<typeof jobsOf>
    projects: ReturnType<typeof projectsOf>
    keys: ReturnType<typeof keysOf>
    organizations: ReturnType<typeof organizationsOf>
    sources: ReturnType<typeof sourcesOf>
    webhooks: ReturnType<typeof webhooksOf>
    account: (more?: CallOptions) => Promise<Answer<'getAccount'>>
    /** Reads the usage by day, of the last 30 days by default. */
    usage: (query?: QueryOf<'getUsage'> & CallOptions) => Promise<Answer<'getUsage'>>
    /** Recognizes the text of an image and adds it. */
    recognize: (
      memoryId: string,
      image: Upload,
      options?: ImageOptions & CallOptions,
    ) => Promise<Answer<'recognizeImage'>>
  }

/** Creates a client. It holds no connection and no state. */
export function createClient(options: ClientOptions = {}): Client {
  const { call, send } = bindOperations({
    baseUrl: (options.baseUrl ?? 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    apiKey: options.apiKey ?? null,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 600_000,
  })
  return {
    call: (name, input, more = {}) => call(name, input, more),
    memories: memoriesOf(call),
    documents: documentsOf(call),
    corrections: correctionsOf(call),
    jobs: jobsOf(call),
    projects: projectsOf(call),
    keys: keysOf(call),
    organizations: organizationsOf(call),
    sources: sourcesOf(call),
    webhooks: webhooksOf(call),
    account: (more) => call('getAccount', {}, more),
    usage: ({ signal, ...query } = {}) => call('getUsage', { query }, { signal }),
    ...queriesOf(call),
    ...answersOf(call, send),
    recognize: async (memoryId, image, { signal, ...asked } = {}) =>
      sendFile(call, { name: 'recognizeImage', memoryId, upload: image, options: asked, signal }),
  }
}

/** Memories to search: at most 20, or those of a project. */
type MemorySelection = Pick<BodyOf<'findAcross'>, 'memoryIds' | 'projectId'>

function queriesOf(call: Call) {
  return {
    /** Finds passages. */
    find: (memoryId: string, query: string, { signal, ...asked }: BodyOf<'find'>['options'] & CallOptions = {}) =>
      call('find', { path: { id: memoryId }, body: { query, options: asked } }, { signal }),
    /** Finds passages in several memories; each hit has its memory. */
    findAcross: (
      memories: MemorySelection,
      query: string,
      { signal, ...asked }: BodyOf<'findAcross'>['options'] & CallOptions = {},
    ) => call('findAcross', { body: { query, ...memories, options: asked } }, { signal }),
    /** Finds passages with default options. */
    search: (memoryId: string, query: string, { limit, signal }: { limit?: number } & CallOptions = {}) =>
      call(
        'search',
        { path: { id: memoryId }, body: { query, ...(limit === undefined ? {} : { limit }) } },
        { signal },
      ),
    /** Extracts values for a schema. */
    extract: (memoryId: string, schema: BodyOf<'extract'>, more?: CallOptions) =>
      call('extract', { path: { id: memoryId }, body: schema }, more),
    /**
     * Measures search quality with known questions. Any number of questions is split into several
     * requests; `onProgress` receives the number of finished ones.
     */
    evaluate: (
      memoryId: string,
      questions: readonly KnownQuestion[],
      { signal, onProgress, batchSize, ...asked }: EvaluateOptions & CallOptions = {},
    ) =>
      evaluateInBatches(
        questions,
        (part) => call('evaluate', { path: { id: memoryId }, body: { questions: part, ...asked } }, { signal }),
        { onProgress, batchSize },
      ),
  }
}

/** A question, or a conversation that ends with the question, oldest message first. */
type Question = string | NonNullable<BodyOf<'ask'>['messages']>

function toAsked(question: Question) {
  return typeof question === 'string' ? { question } : { messages: question }
}

function answersOf(call: Call, send: Send) {
  return {
    /** Answers a question, or the last question of a conversation, with citations. */
    ask: (memoryId: string, question: Question, { signal, ...asked }: BodyOf<'ask'>['options'] & CallOptions = {}) =>
      call('ask', { path: { id: memoryId }, body: { ...toAsked(question), options: asked } }, { signal }),
    /** Answers a question from several memories; citations name their memory. */
    askAcross: (
      memories: MemorySelection,
      question: string,
      { signal, ...asked }: BodyOf<'askAcross'>['options'] & CallOptions = {},
    ) => call('askAcross', { body: { question, ...memories, options: asked } }, { signal }),
    /**
     * Streams the answer to a question, or to the last question of a conversation. The last event
     * has the final answer.
     */
    askStream: (
      memoryId: string,
      question: Question,
      { signal, ...asked }: BodyOf<'ask'>['options'] & CallOptions = {},
    ) =>
      streamAnswer<'ask', AskAnswer>(send, 'ask', {
        path: { id: memoryId },
        body: { ...toAsked(question), options: asked },
        signal,
      }),
    /** Answers a question about a text, which is not stored. */
    askOnce: (body: BodyOf<'askOnce'>, more?: CallOptions) => call('askOnce', { body }, more),
    /** Streams the answer to a question about a text. */
    askOnceStream: (body: BodyOf<'askOnce'>, more: CallOptions = {}) =>
      streamAnswer<'askOnce', AskOnceAnswer>(send, 'askOnce', { body, ...more }),
  }
}

/** Maximum number of questions per request, as in the service. */
const MAX_QUESTIONS_PER_REQUEST = 500

/**
 * Evaluates any number of questions in sequential requests and merges the results. `onProgress`
 * receives the number of finished questions. Rejects like the requests, and with `RangeError`
 * without questions.
 */
export async function evaluateInBatches(
  questions: readonly KnownQuestion[],
  evaluate: (part: KnownQuestion[]) => Promise<Evaluation>,
  { onProgress, batchSize = MAX_QUESTIONS_PER_REQUEST }: BatchOptions = {},
): Promise<Evaluation> {
  let whole: Evaluation | null = null
  for (let start = 0; start < questions.length; start += batchSize) {
    const part = await evaluate(questions.slice(start, start + batchSize))
    whole = whole === null ? part : joinEvaluations(whole, part)
    onProgress?.(whole.questions)
  }
  if (whole === null) throw new RangeError('No questions to evaluate.')
  return whole
}

function joinEvaluations(one: Evaluation, other: Evaluation): Evaluation {
  const questions = one.questions + other.questions
  const share = other.questions / questions
  const mean = (a: number, b: number) => a + (b - a) * share
  return {
    questions,
    topK: one.topK,
    results: one.results.map((result, index) => {
      const { ndcg, recall, mrr, precision, meanMs } = other.results[index] ?? result
      return {
        mode: result.mode,
        ndcg: mean(result.ndcg, ndcg),
        recall: mean(result.recall, recall),
        mrr: mean(result.mrr, mrr),
        precision: mean(result.precision, precision),
        meanMs: mean(result.meanMs, meanMs),
      }
    }),
    perQuestion: [
      ...one.perQuestion,
      ...other.perQuestion.map((question) => ({ ...question, index: question.index + one.questions })),
    ],
    warnings: [...one.warnings, ...other.warnings],
  }
}
