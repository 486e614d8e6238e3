import type { Answer, BodyOf, Call, CallOptions, Input, QueryOf } from './call-operation.ts'
import { makeUpload, type Upload } from './make-upload.ts'
import type { Operations } from './operations.ts'
import type { ImportOptions, IngestOptions, Job } from './resources.ts'

/** Which page is drawn; offsets in UTF-16 code units. */
export type PageRequest = { page: number; highlight?: { start: number; end: number } } & CallOptions

/** What the new memory is called, where the archive's name is not to be its, and the project it goes to. */
export type ArchiveOptions = ImportOptions & { name?: string; projectId?: string }

const LONGEST_WAIT_SECONDS = 30

/** The methods of `memories`. */
export function memoriesOf(call: Call) {
  return {
    create: (body: BodyOf<'createMemory'>, more?: CallOptions) => call('createMemory', { body }, more),
    get: (id: string, more?: CallOptions) => call('getMemory', { path: { id } }, more),
    delete: (id: string, more?: CallOptions) => call('deleteMemory', { path: { id } }, more),
    /** Whether all of it is there and agrees. It reads every chunk. */
    verify: (id: string, more?: CallOptions) => call('verifyMemory', { path: { id } }, more),
    /** What became of the pages of all its documents, and those of which most failed. */
    countPages: (id: string, more?: CallOptions) => call('countPages', { path: { id } }, more),
    /** All of a memory as one archive, as a response to be read as a stream. */
    export: (id: string, more?: CallOptions) => call('exportMemory', { path: { id } }, more),
    /** A new memory out of an archive. A large one is answered with a job; see `jobs.wait`, whose job names the memory. */
    import: (archive: Upload, given: ArchiveOptions & CallOptions = {}) => sendArchive(call, archive, given),
    /** Makes all vectors anew with another embedding model, by a job; see `jobs.wait`. The old ones answer until it ends. */
    reembed: (id: string, embeddingModel: string, more?: CallOptions) =>
      call('reembedMemory', { path: { id }, body: { embeddingModel } }, more),
    /** One page, newest first. */
    listPage: (query: QueryOf<'listMemories'> = {}, more?: CallOptions) => call('listMemories', { query }, more),
    /** Every memory, page by page as the loop goes on. */
    list: (query: QueryOf<'listMemories'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await call('listMemories', { query: { ...query, ...cursor } }, more)
        return { items: page.memories, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `documents`. */
export function documentsOf(call: Call) {
  const at = (id: string, documentId: string) => ({ path: { id, documentId } })
  return {
    /** Adds a file. What takes long is answered with a job; see `jobs.wait`. */
    addFile: (memoryId: string, upload: Upload, { signal, ...options }: IngestOptions & CallOptions = {}) =>
      sendFile(call, { name: 'addDocuments', memoryId, upload, options, signal }),
    addTexts: (
      memoryId: string,
      documents: NonNullable<BodyOf<'addDocuments'>['documents']>,
      { signal, ...options }: IngestOptions & CallOptions = {},
    ) => call('addDocuments', { path: { id: memoryId }, body: { documents, options } }, { signal }),
    addUrl: (memoryId: string, url: string, { signal, ...options }: IngestOptions & CallOptions = {}) =>
      call('addDocuments', { path: { id: memoryId }, body: { url, options } }, { signal }),
    /** With the receipt of its pages. */
    get: (memoryId: string, documentId: string, more?: CallOptions) =>
      call('getDocument', at(memoryId, documentId), more),
    delete: (memoryId: string, documentId: string, more?: CallOptions) =>
      call('deleteDocument', at(memoryId, documentId), more),
    /** The extracted text, which all offsets count in. */
    readText: async (memoryId: string, documentId: string, more?: CallOptions) =>
      (await call('getDocumentText', at(memoryId, documentId), more)).text(),
    /** A page of a stored PDF or picture as PNG, from page 1, with a span of the extracted text marked. */
    readPage: async (memoryId: string, documentId: string, { page, highlight, signal }: PageRequest) => {
      const path = { id: memoryId, documentId, page: `${page}` }
      const query = highlight === undefined ? {} : { highlight: `${highlight.start}-${highlight.end}` }
      return (await call('getDocumentPage', { path, query }, { signal })).blob()
    },
    /** The original, where it was stored, as a response to be read as a stream. */
    readSource: (memoryId: string, documentId: string, more?: CallOptions) =>
      call('getDocumentSource', at(memoryId, documentId), more),
    listPage: (memoryId: string, query: QueryOf<'listDocuments'> = {}, more?: CallOptions) =>
      call('listDocuments', { path: { id: memoryId }, query }, more),
    /** Every document, newest first, page by page as the loop goes on. */
    list: (memoryId: string, query: QueryOf<'listDocuments'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const input = { path: { id: memoryId }, query: { ...query, ...cursor } }
        const page = await call('listDocuments', input, more)
        return { items: page.documents, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `corrections`. */
export function correctionsOf(call: Call) {
  return {
    add: (memoryId: string, body: BodyOf<'correct'>, more?: CallOptions) =>
      call('correct', { path: { id: memoryId }, body }, more),
    /** All of them or none. */
    addMany: (memoryId: string, corrections: BodyOf<'addCorrections'>['corrections'], more?: CallOptions) =>
      call('addCorrections', { path: { id: memoryId }, body: { corrections } }, more),
    /** One page, newest first, with those that have expired. */
    listPage: (memoryId: string, query: QueryOf<'listCorrections'> = {}, more?: CallOptions) =>
      call('listCorrections', { path: { id: memoryId }, query }, more),
    /** Every correction, page by page as the loop goes on. */
    list: (memoryId: string, query: QueryOf<'listCorrections'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const input = { path: { id: memoryId }, query: { ...query, ...cursor } }
        const page = await call('listCorrections', input, more)
        return { items: page.corrections, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `jobs`. */
export function jobsOf(call: Call) {
  const get = (id: string, more: CallOptions & { waitSeconds?: number } = {}) => {
    const { waitSeconds, ...rest } = more
    const query = waitSeconds === undefined ? {} : { wait: waitSeconds }
    return call('getJob', { path: { id }, query }, rest)
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
    cancel: (id: string, more?: CallOptions) => call('cancelJob', { path: { id } }, more),
    /** Does what a failed or partial job is missing. */
    retry: (id: string, more?: CallOptions) => call('retryJob', { path: { id } }, more),
    listPage: (query: QueryOf<'listJobs'> = {}, more?: CallOptions) => call('listJobs', { query }, more),
    /** Every job, newest first, page by page as the loop goes on. */
    list: (query: QueryOf<'listJobs'> = {}, more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await call('listJobs', { query: { ...query, ...cursor } }, more)
        return { items: page.jobs, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `projects`. */
export function projectsOf(call: Call) {
  return {
    create: (name: string, more?: CallOptions) => call('createProject', { body: { name } }, more),
    get: (id: string, more?: CallOptions) => call('getProject', { path: { id } }, more),
    rename: (id: string, name: string, more?: CallOptions) =>
      call('updateProject', { path: { id }, body: { name } }, more),
    /** Its memories stay. */
    delete: (id: string, more?: CallOptions) => call('deleteProject', { path: { id } }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await call('listProjects', { query: cursor }, more)
        return { items: page.projects, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `keys`. */
export function keysOf(call: Call) {
  return {
    /** The key itself stands in this answer only. */
    create: (body: BodyOf<'createKey'>, more?: CallOptions) => call('createKey', { body }, more),
    revoke: (id: string, more?: CallOptions) => call('revokeKey', { path: { id } }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await call('listKeys', { query: cursor }, more)
        return { items: page.keys, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `organizations`: the client needs the admin key of the installation. */
export function organizationsOf(call: Call) {
  return {
    /** Its first key stands in this answer only. */
    create: (body: BodyOf<'createOrganization'>, more?: CallOptions) => call('createOrganization', { body }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await call('listOrganizations', { query: cursor }, more)
        return { items: page.organizations, nextCursor: page.nextCursor }
      }),
  }
}

/** The methods of `webhooks`. */
export function webhooksOf(call: Call) {
  return {
    /** The secret stands in this answer only. */
    create: (body: BodyOf<'createWebhook'>, more?: CallOptions) => call('createWebhook', { body }, more),
    get: (id: string, more?: CallOptions) => call('getWebhook', { path: { id } }, more),
    /** What waits for it is dropped. */
    delete: (id: string, more?: CallOptions) => call('deleteWebhook', { path: { id } }, more),
    /** Sends a test message now, and tells how it went; one that arrives enables a disabled webhook. */
    test: (id: string, more?: CallOptions) => call('testWebhook', { path: { id } }, more),
    list: (more?: CallOptions) =>
      eachOf(async (cursor) => {
        const page = await call('listWebhooks', { query: cursor }, more)
        return { items: page.webhooks, nextCursor: page.nextCursor }
      }),
    /** One page of the attempts to deliver, newest first. */
    listDeliveriesPage: (id: string, query: QueryOf<'listWebhookDeliveries'> = {}, more?: CallOptions) =>
      call('listWebhookDeliveries', { path: { id }, query }, more),
  }
}

type FileRequest<Name extends keyof Operations> = {
  name: Name
  memoryId: string
  upload: Upload
  options: object
  signal: AbortSignal | undefined
}

/** Sends a file to be added. */
export async function sendFile<Name extends 'addDocuments' | 'recognizeImage'>(
  call: Call,
  { name, memoryId, upload, options, signal }: FileRequest<Name>,
): Promise<Answer<Name>> {
  const fields: Record<string, string> = Object.keys(options).length > 0 ? { options: JSON.stringify(options) } : {}
  const body = await makeUpload(upload, fields)
  return call(name, { path: { id: memoryId } } as unknown as Input<Name>, { ...body, signal })
}

/** Sends an archive to be imported; rejects as `sendRequest` does. */
async function sendArchive(
  call: Call,
  archive: Upload,
  { signal, async, ...named }: ArchiveOptions & CallOptions,
): Promise<Answer<'importMemory'>> {
  const options = async === undefined ? {} : { options: JSON.stringify({ async }) }
  const body = await makeUpload(archive, { ...named, ...options })
  return call('importMemory', {}, { ...body, signal })
}

/** Items of a list, and where it goes on; `null` at its end. */
type ListPart<Item> = { items: readonly Item[]; nextCursor: string | null }

/** Every item of a list, page by page as the loop goes on. */
async function* eachOf<Item>(read: (cursor: { cursor?: string }) => Promise<ListPart<Item>>): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: ListPart<Item> = await read(cursor === null ? {} : { cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
