import type { Answer, BodyOf, Call, CallOptions, Input, QueryOf } from './call-operation.ts'
import { makeUpload, type Upload } from './make-upload.ts'
import type { Operations } from './operations.ts'
import type { ImportOptions, IngestOptions } from './requests.ts'
import type { Job } from './resources.ts'

/** Page to render, and a range to highlight in UTF-16 code units. */
export type PageRequest = { page: number; highlight?: { start: number; end: number } } & CallOptions

/** Name and project of the imported memory. The name defaults to the name in the archive. */
export type ArchiveOptions = ImportOptions & { name?: string; projectId?: string }

const MAX_WAIT_SECONDS = 30

/** Methods of `memories`. */
export function memoriesOf(call: Call) {
  return {
    create: (body: BodyOf<'createMemory'>, more?: CallOptions) => call('createMemory', { body }, more),
    get: (id: string, more?: CallOptions) => call('getMemory', { path: { id } }, more),
    /** Changes the given fields and keeps the rest. */
    change: (id: string, body: BodyOf<'changeMemory'>, more?: CallOptions) =>
      call('changeMemory', { path: { id }, body }, more),
    delete: (id: string, more?: CallOptions) => call('deleteMemory', { path: { id } }, more),
    /** Checks the integrity of a memory by reading every chunk. */
    verify: (id: string, more?: CallOptions) => call('verifyMemory', { path: { id } }, more),
    /** Page processing totals, and the documents with the most failed pages. */
    countPages: (id: string, more?: CallOptions) => call('countPages', { path: { id } }, more),
    /** Exports a memory as an archive; the response is a stream. */
    export: (id: string, more?: CallOptions) => call('exportMemory', { path: { id } }, more),
    /**
     * Imports an archive as a new memory. Large archives return a job; see `jobs.wait`. The job
     * then has the memory's ID.
     */
    import: (archive: Upload, given: ArchiveOptions & CallOptions = {}) => sendArchive(call, archive, given),
    /**
     * Re-embeds a memory with another embedding model in a job; see `jobs.wait`. Searches use the
     * old vectors until the job ends.
     */
    reembed: (id: string, embeddingModel: string, more?: CallOptions) =>
      call('reembedMemory', { path: { id }, body: { embeddingModel } }, more),
    /** Lists one page, newest first. */
    listPage: (query: QueryOf<'listMemories'> = {}, more?: CallOptions) => call('listMemories', { query }, more),
    /** Iterates over all memories, loading pages as needed. */
    list: (query: QueryOf<'listMemories'> = {}, more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listMemories', { query: { ...query, ...cursor } }, more)
        return { items: page.memories, nextCursor: page.nextCursor }
      }),
  }
}

/** Methods of `documents`. */
export function documentsOf(call: Call) {
  const at = (id: string, documentId: string) => ({ path: { id, documentId } })
  return {
    /** Adds a file. Large files return a job; see `jobs.wait`. */
    addFile: (memoryId: string, upload: Upload, { signal, ...options }: IngestOptions & CallOptions = {}) =>
      sendFile(call, { name: 'addDocuments', memoryId, upload, options, signal }),
    addTexts: (
      memoryId: string,
      documents: NonNullable<BodyOf<'addDocuments'>['documents']>,
      { signal, ...options }: IngestOptions & CallOptions = {},
    ) => call('addDocuments', { path: { id: memoryId }, body: { documents, options } }, { signal }),
    addUrl: (memoryId: string, url: string, { signal, ...options }: IngestOptions & CallOptions = {}) =>
      call('addDocuments', { path: { id: memoryId }, body: { url, options } }, { signal }),
    /** Gets a document with its page processing results. */
    get: (memoryId: string, documentId: string, more?: CallOptions) =>
      call('getDocument', at(memoryId, documentId), more),
    /** Changes the given fields, without reading the file again. */
    change: (memoryId: string, documentId: string, { signal, ...body }: BodyOf<'changeDocument'> & CallOptions) =>
      call('changeDocument', { ...at(memoryId, documentId), body }, { signal }),
    /** Deletes documents by `ids` or by `filter`; with `dryRun`, only counts them. */
    deleteMany: (memoryId: string, { signal, ...body }: BodyOf<'deleteDocuments'> & CallOptions) =>
      call('deleteDocuments', { path: { id: memoryId }, body }, { signal }),
    delete: (memoryId: string, documentId: string, more?: CallOptions) =>
      call('deleteDocument', at(memoryId, documentId), more),
    /** Gets the extracted text. All offsets refer to this text. */
    readText: async (memoryId: string, documentId: string, more?: CallOptions) =>
      (await call('getDocumentText', at(memoryId, documentId), more)).text(),
    /**
     * Renders a page of a stored PDF or image as PNG, starting at page 1, with an optional
     * highlight.
     */
    readPage: async (memoryId: string, documentId: string, { page, highlight, signal }: PageRequest) => {
      const path = { id: memoryId, documentId, page: `${page}` }
      const query = highlight === undefined ? {} : { highlight: `${highlight.start}-${highlight.end}` }
      return (await call('getDocumentPage', { path, query }, { signal })).blob()
    },
    /** Downloads the stored original; the response is a stream. */
    readSource: (memoryId: string, documentId: string, more?: CallOptions) =>
      call('getDocumentSource', at(memoryId, documentId), more),
    /** Iterates over the chunks of a document in order, loading pages as needed. */
    listChunks: (memoryId: string, documentId: string, more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listChunks', { ...at(memoryId, documentId), query: { limit: 100, ...cursor } }, more)
        return { items: page.chunks, nextCursor: page.nextCursor }
      }),
    listPage: (memoryId: string, query: QueryOf<'listDocuments'> = {}, more?: CallOptions) =>
      call('listDocuments', { path: { id: memoryId }, query }, more),
    /** Iterates over all documents, newest first, loading pages as needed. */
    list: (memoryId: string, query: QueryOf<'listDocuments'> = {}, more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const input = { path: { id: memoryId }, query: { ...query, ...cursor } }
        const page = await call('listDocuments', input, more)
        return { items: page.documents, nextCursor: page.nextCursor }
      }),
  }
}

/** Methods of `corrections`. */
export function correctionsOf(call: Call) {
  return {
    add: (memoryId: string, body: BodyOf<'correct'>, more?: CallOptions) =>
      call('correct', { path: { id: memoryId }, body }, more),
    /** Changes the given fields; the correction keeps its identifier. */
    change: (memoryId: string, id: string, { signal, ...body }: BodyOf<'changeCorrection'> & CallOptions) =>
      call('changeCorrection', { path: { id: memoryId, documentId: id }, body }, { signal }),
    /** Adds all corrections or none. */
    addMany: (memoryId: string, corrections: BodyOf<'addCorrections'>['corrections'], more?: CallOptions) =>
      call('addCorrections', { path: { id: memoryId }, body: { corrections } }, more),
    /** Lists one page, newest first, including expired corrections. */
    listPage: (memoryId: string, query: QueryOf<'listCorrections'> = {}, more?: CallOptions) =>
      call('listCorrections', { path: { id: memoryId }, query }, more),
    /** Iterates over all corrections, loading pages as needed. */
    list: (memoryId: string, query: QueryOf<'listCorrections'> = {}, more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const input = { path: { id: memoryId }, query: { ...query, ...cursor } }
        const page = await call('listCorrections', input, more)
        return { items: page.corrections, nextCursor: page.nextCursor }
      }),
  }
}

/** Methods of `jobs`. */
export function jobsOf(call: Call) {
  const get = (id: string, more: CallOptions & { waitSeconds?: number } = {}) => {
    const { waitSeconds, ...rest } = more
    const query = waitSeconds === undefined ? {} : { wait: waitSeconds }
    return call('getJob', { path: { id }, query }, rest)
  }
  return {
    get,
    /**
     * Waits for the end of a job: `completed`, `partial` or `failed`. `onProgress` receives every
     * state.
     */
    async wait(
      id: string,
      { onProgress, signal }: { onProgress?: (job: Job) => void } & CallOptions = {},
    ): Promise<Job> {
      for (;;) {
        const job = await get(id, { waitSeconds: onProgress === undefined ? MAX_WAIT_SECONDS : 1, signal })
        onProgress?.(job)
        if (job.status !== 'pending' && job.status !== 'processing') return job
      }
    },
    cancel: (id: string, more?: CallOptions) => call('cancelJob', { path: { id } }, more),
    /** Processes the missing parts of a failed or partial job. */
    retry: (id: string, more?: CallOptions) => call('retryJob', { path: { id } }, more),
    listPage: (query: QueryOf<'listJobs'> = {}, more?: CallOptions) => call('listJobs', { query }, more),
    /** Iterates over all jobs, newest first, loading pages as needed. */
    list: (query: QueryOf<'listJobs'> = {}, more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listJobs', { query: { ...query, ...cursor } }, more)
        return { items: page.jobs, nextCursor: page.nextCursor }
      }),
  }
}

/** Methods of `keys`. */
export function keysOf(call: Call) {
  return {
    /** Creates a key. Only this response has the secret. */
    create: (body: BodyOf<'createKey'>, more?: CallOptions) => call('createKey', { body }, more),
    /** Reads the key of this client: its scope and role. Every key may do this. */
    getOwn: (more?: CallOptions) => call('getOwnKey', {}, more),
    rename: (id: string, name: string, more?: CallOptions) => call('renameKey', { path: { id }, body: { name } }, more),
    revoke: (id: string, more?: CallOptions) => call('revokeKey', { path: { id } }, more),
    list: (more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listKeys', { query: cursor }, more)
        return { items: page.keys, nextCursor: page.nextCursor }
      }),
  }
}

/** Methods of `organizations`. They require the admin key of the installation. */
export function organizationsOf(call: Call) {
  return {
    /** Creates an organization. Only this response has its first key. */
    create: (body: BodyOf<'createOrganization'>, more?: CallOptions) => call('createOrganization', { body }, more),
    list: (more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listOrganizations', { query: cursor }, more)
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

/** Uploads a file. */
export async function sendFile<Name extends 'addDocuments' | 'recognizeImage'>(
  call: Call,
  { name, memoryId, upload, options, signal }: FileRequest<Name>,
): Promise<Answer<Name>> {
  const fields: Record<string, string> = Object.keys(options).length > 0 ? { options: JSON.stringify(options) } : {}
  const body = await makeUpload(upload, fields)
  return call(name, { path: { id: memoryId } } as unknown as Input<Name>, { ...body, signal })
}

/** Uploads an archive to import. */
async function sendArchive(
  call: Call,
  archive: Upload,
  { signal, async, ...named }: ArchiveOptions & CallOptions,
): Promise<Answer<'importMemory'>> {
  const options = async === undefined ? {} : { options: JSON.stringify({ async }) }
  const body = await makeUpload(archive, { ...named, ...options })
  return call('importMemory', {}, { ...body, signal })
}

/** Items of a page, and the cursor of the next page; `null` on the last page. */
type ListPart<Item> = { items: readonly Item[]; nextCursor: string | null }

/** Iterates over all items of a list, loading pages as needed. */
export async function* iteratePages<Item>(
  read: (cursor: { cursor?: string }) => Promise<ListPart<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: ListPart<Item> = await read(cursor === null ? {} : { cursor })
    yield* page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}
