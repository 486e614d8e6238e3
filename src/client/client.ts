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
import { type Answer, type CallOptions, callOperation, type Input } from './call-operation.ts'
import { eachOf } from './each-of.ts'
import { evaluateInParts } from './evaluate-in-parts.ts'
import type { KnownQuestion } from './findings.ts'
import { makeUpload, type Upload } from './make-upload.ts'
import type { Operations } from './operations.ts'
import type { ImageOptions, IngestOptions, Job } from './resources.ts'
import { type ArchiveOptions, sendArchive } from './send-archive.ts'
import type { Transport } from './send-request.ts'
import { type AnswerEvent, streamAnswer } from './stream-answer.ts'
import { webhooksOf } from './webhooks-of.ts'

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
export type * from './resources.ts'
export type { ArchiveOptions } from './send-archive.ts'

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

type Body<Name extends keyof Operations> = Operations[Name] extends { body: infer Given } ? Given : never
type Query<Name extends keyof Operations> = Operations[Name] extends { query: infer Given } ? Given : never

/** What a streaming answer over a memory tells; its last event holds the answer that counts. */
export type AskEvent = AnswerEvent<AskAnswer>

/** How many documents of each answer count, and which modes are compared. */
export type EvaluateOptions = Pick<Body<'evaluate'>, 'topK' | 'modes'> & { onProgress?: (done: number) => void }

/** Which page is drawn; offsets in UTF-16 code units. */
export type PageRequest = { page: number; highlight?: { start: number; end: number } } & CallOptions

const LONGEST_WAIT_SECONDS = 30

/** The client of a service. It keeps no connection and no state of its own. */
export function createClient(options: ClientOptions = {}) {
  const transport: Transport = {
    baseUrl: (options.baseUrl ?? 'http://127.0.0.1:8080').replace(/\/+$/, ''),
    apiKey: options.apiKey ?? null,
    fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
    retries: options.retries ?? 2,
    timeoutMs: options.timeoutMs ?? 600_000,
  }
  const call = <Name extends keyof Operations>(name: Name, input: Input<Name>, more: CallOptions = {}) =>
    callOperation(transport, name, input, more)

  return {
    /** Any operation by its identifier in the OpenAPI document. */
    call,
    memories: memoriesOf(transport),
    documents: documentsOf(transport),
    corrections: correctionsOf(transport),
    jobs: jobsOf(transport),
    projects: projectsOf(transport),
    keys: keysOf(transport),
    organizations: organizationsOf(transport),
    webhooks: webhooksOf(transport),
    account: (more?: CallOptions) => call('getAccount', {}, more),
    /** Finds passages. */
    find: (memoryId: string, query: string, { signal, ...asked }: Body<'find'>['options'] & CallOptions = {}) =>
      call('find', { path: { id: memoryId }, body: { query, options: asked } }, { signal }),
    /** Finds passages with the defaults of the service. */
    search: (memoryId: string, query: string, { limit, signal }: { limit?: number } & CallOptions = {}) =>
      call(
        'search',
        { path: { id: memoryId }, body: { query, ...(limit === undefined ? {} : { limit }) } },
        { signal },
      ),
    /** Answers a question with citations. */
    ask: (memoryId: string, question: string, { signal, ...asked }: Body<'ask'>['options'] & CallOptions = {}) =>
      call('ask', { path: { id: memoryId }, body: { question, options: asked } }, { signal }),
    /** The same as it is written. The last event holds the answer that counts. */
    askStream: (
      memoryId: string,
      question: string,
      { signal, ...asked }: Body<'ask'>['options'] & CallOptions = {},
    ) => {
      const input = { path: { id: memoryId }, body: { question, options: asked } }
      return streamAnswer<'ask', AskAnswer>(transport, 'ask', input, { signal })
    },
    /** Answers a question over a text; nothing of it is kept. */
    askOnce: (body: Body<'askOnce'>, more?: CallOptions) => call('askOnce', { body }, more),
    /** The same as it is written. */
    askOnceStream: (body: Body<'askOnce'>, more: CallOptions = {}) =>
      streamAnswer<'askOnce', AskOnceAnswer>(transport, 'askOnce', { body }, more),
    /** Fills a schema. */
    extract: (memoryId: string, schema: Body<'extract'>, more?: CallOptions) =>
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
    /** Reads the text off a picture, and adds it. */
    recognize: async (memoryId: string, image: Upload, { signal, ...asked }: ImageOptions & CallOptions = {}) =>
      sendFile(transport, { name: 'recognizeImage', memoryId, upload: image, options: asked, signal }),
  }
}

/** What {@link createClient} gives. */
export type Client = ReturnType<typeof createClient>

function memoriesOf(transport: Transport) {
  return {
    create: (body: Body<'createMemory'>, more?: CallOptions) =>
      callOperation(transport, 'createMemory', { body }, more),
    get: (id: string, more?: CallOptions) => callOperation(transport, 'getMemory', { path: { id } }, more),
    delete: (id: string, more?: CallOptions) => callOperation(transport, 'deleteMemory', { path: { id } }, more),
    /** Whether all of it is there and agrees. It reads every chunk. */
    verify: (id: string, more?: CallOptions) => callOperation(transport, 'verifyMemory', { path: { id } }, more),
    /** What became of the pages of all its documents, and those of which most failed. */
    countPages: (id: string, more?: CallOptions) => callOperation(transport, 'countPages', { path: { id } }, more),
    /** All of a memory as one archive, as a response to be read as a stream. */
    export: (id: string, more?: CallOptions) => callOperation(transport, 'exportMemory', { path: { id } }, more),
    /** A new memory out of an archive. A large one is answered with a job; see `jobs.wait`, whose job names the memory. */
    import: (archive: Upload, given: ArchiveOptions & CallOptions = {}) => sendArchive(transport, archive, given),
    /** Makes all vectors anew with another embedding model, by a job; see `jobs.wait`. The old ones answer until it ends. */
    reembed: (id: string, embeddingModel: string, more?: CallOptions) =>
      callOperation(transport, 'reembedMemory', { path: { id }, body: { embeddingModel } }, more),
    /** One page, newest first. */
    listPage: (query: Query<'listMemories'> = {}, more?: CallOptions) =>
      callOperation(transport, 'listMemories', { query }, more),
    /** Every memory, page by page as the loop goes on. */
    list: (query: Query<'listMemories'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await callOperation(transport, 'listMemories', { query: { ...query, ...cursor } }, more)
        return { items: page.memories, nextCursor: page.nextCursor }
      }),
  }
}

function documentsOf(transport: Transport) {
  const at = (id: string, documentId: string) => ({ path: { id, documentId } })
  return {
    /** Adds a file. What takes long is answered with a job; see `jobs.wait`. */
    addFile: (memoryId: string, upload: Upload, { signal, ...options }: IngestOptions & CallOptions = {}) =>
      sendFile(transport, { name: 'addDocuments', memoryId, upload, options, signal }),
    addTexts: (
      memoryId: string,
      documents: NonNullable<Body<'addDocuments'>['documents']>,
      { signal, ...options }: IngestOptions & CallOptions = {},
    ) => callOperation(transport, 'addDocuments', { path: { id: memoryId }, body: { documents, options } }, { signal }),
    addUrl: (memoryId: string, url: string, { signal, ...options }: IngestOptions & CallOptions = {}) =>
      callOperation(transport, 'addDocuments', { path: { id: memoryId }, body: { url, options } }, { signal }),
    /** With the receipt of its pages. */
    get: (memoryId: string, documentId: string, more?: CallOptions) =>
      callOperation(transport, 'getDocument', at(memoryId, documentId), more),
    delete: (memoryId: string, documentId: string, more?: CallOptions) =>
      callOperation(transport, 'deleteDocument', at(memoryId, documentId), more),
    /** The extracted text, which all offsets count in. */
    readText: async (memoryId: string, documentId: string, more?: CallOptions) =>
      (await callOperation(transport, 'getDocumentText', at(memoryId, documentId), more)).text(),
    /** A page of a stored PDF or picture as PNG, from page 1, with a span of the extracted text marked. */
    readPage: async (memoryId: string, documentId: string, { page, highlight, signal }: PageRequest) => {
      const path = { id: memoryId, documentId, page: `${page}` }
      const query = highlight === undefined ? {} : { highlight: `${highlight.start}-${highlight.end}` }
      return (await callOperation(transport, 'getDocumentPage', { path, query }, { signal })).blob()
    },
    /** The original, where it was stored, as a response to be read as a stream. */
    readSource: (memoryId: string, documentId: string, more?: CallOptions) =>
      callOperation(transport, 'getDocumentSource', at(memoryId, documentId), more),
    listPage: (memoryId: string, query: Query<'listDocuments'> = {}, more?: CallOptions) =>
      callOperation(transport, 'listDocuments', { path: { id: memoryId }, query }, more),
    /** Every document, newest first, page by page as the loop goes on. */
    list: (memoryId: string, query: Query<'listDocuments'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const input = { path: { id: memoryId }, query: { ...query, ...cursor } }
        const page = await callOperation(transport, 'listDocuments', input, more)
        return { items: page.documents, nextCursor: page.nextCursor }
      }),
  }
}

function correctionsOf(transport: Transport) {
  return {
    add: (memoryId: string, body: Body<'correct'>, more?: CallOptions) =>
      callOperation(transport, 'correct', { path: { id: memoryId }, body }, more),
    /** All of them or none. */
    addMany: (memoryId: string, corrections: Body<'addCorrections'>['corrections'], more?: CallOptions) =>
      callOperation(transport, 'addCorrections', { path: { id: memoryId }, body: { corrections } }, more),
    /** One page, newest first, with those that have expired. */
    listPage: (memoryId: string, query: Query<'listCorrections'> = {}, more?: CallOptions) =>
      callOperation(transport, 'listCorrections', { path: { id: memoryId }, query }, more),
    /** Every correction, page by page as the loop goes on. */
    list: (memoryId: string, query: Query<'listCorrections'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const input = { path: { id: memoryId }, query: { ...query, ...cursor } }
        const page = await callOperation(transport, 'listCorrections', input, more)
        return { items: page.corrections, nextCursor: page.nextCursor }
      }),
  }
}

function jobsOf(transport: Transport) {
  const get = (id: string, more: CallOptions & { waitSeconds?: number } = {}) => {
    const { waitSeconds, ...rest } = more
    const query = waitSeconds === undefined ? {} : { wait: waitSeconds }
    return callOperation(transport, 'getJob', { path: { id }, query }, rest)
  }
  return {
    get,
    /** The job when it has ended, however it ended: `completed`, `partial` or `failed`. `onProgress` is told of each look at it. */
    async wait(
      id: string,
      { onProgress, signal }: { onProgress?: (job: Job) => void } & CallOptions = {},
    ): Promise<Job> {
      for (;;) {
        const job = await get(id, { waitSeconds: onProgress === undefined ? LONGEST_WAIT_SECONDS : 1, signal })
        onProgress?.(job)
        if (job.status !== 'pending' && job.status !== 'processing') return job
      }
    },
    cancel: (id: string, more?: CallOptions) => callOperation(transport, 'cancelJob', { path: { id } }, more),
    /** Does what a failed or partial job is missing. */
    retry: (id: string, more?: CallOptions) => callOperation(transport, 'retryJob', { path: { id } }, more),
    listPage: (query: Query<'listJobs'> = {}, more?: CallOptions) =>
      callOperation(transport, 'listJobs', { query }, more),
    /** Every job, newest first, page by page as the loop goes on. */
    list: (query: Query<'listJobs'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await callOperation(transport, 'listJobs', { query: { ...query, ...cursor } }, more)
        return { items: page.jobs, nextCursor: page.nextCursor }
      }),
  }
}

function projectsOf(transport: Transport) {
  return {
    create: (name: string, more?: CallOptions) => callOperation(transport, 'createProject', { body: { name } }, more),
    get: (id: string, more?: CallOptions) => callOperation(transport, 'getProject', { path: { id } }, more),
    rename: (id: string, name: string, more?: CallOptions) =>
      callOperation(transport, 'updateProject', { path: { id }, body: { name } }, more),
    /** Its memories stay. */
    delete: (id: string, more?: CallOptions) => callOperation(transport, 'deleteProject', { path: { id } }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await callOperation(transport, 'listProjects', { query: cursor }, more)
        return { items: page.projects, nextCursor: page.nextCursor }
      }),
  }
}

function keysOf(transport: Transport) {
  return {
    /** The key itself stands in this answer only. */
    create: (body: Body<'createKey'>, more?: CallOptions) => callOperation(transport, 'createKey', { body }, more),
    revoke: (id: string, more?: CallOptions) => callOperation(transport, 'revokeKey', { path: { id } }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await callOperation(transport, 'listKeys', { query: cursor }, more)
        return { items: page.keys, nextCursor: page.nextCursor }
      }),
  }
}

/** For the operator alone: the client needs the admin key of the installation. */
function organizationsOf(transport: Transport) {
  return {
    /** Its first key stands in this answer only. */
    create: (body: Body<'createOrganization'>, more?: CallOptions) =>
      callOperation(transport, 'createOrganization', { body }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await callOperation(transport, 'listOrganizations', { query: cursor }, more)
        return { items: page.organizations, nextCursor: page.nextCursor }
      }),
  }
}

type FileRequest<Name extends keyof Operations> = {
  name: Name
  memoryId: string
  upload: Upload
  options: object
  signal: AbortSignal | undefined
}

async function sendFile<Name extends 'addDocuments' | 'recognizeImage'>(
  transport: Transport,
  { name, memoryId, upload, options, signal }: FileRequest<Name>,
): Promise<Answer<Name>> {
  const fields: Record<string, string> = Object.keys(options).length > 0 ? { options: JSON.stringify(options) } : {}
  const body = await makeUpload(upload, fields)
  return callOperation(transport, name, { path: { id: memoryId } } as unknown as Input<Name>, { ...body, signal })
}
