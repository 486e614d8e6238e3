import { createHash, randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PageReportResource } from '../../api/document.ts'
import { createKeyedMutex } from '../../concurrency/keyed-mutex.ts'
import { ApiError } from '../../errors.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { ChildStopped, exceededLimit as isTooMuch } from '../../parsers/child/child.ts'
import { sniff } from '../../parsers/sniff.ts'
import { pluralize } from '../../text/pluralize.ts'
import type { Caller } from '../caller.ts'
import type { DocumentReader } from '../reading/document-reader.ts'
import { createRecentFailures, type RecentFailures } from '../reading/given-up-files.ts'
import type { DocumentsService, StoredSource } from './documents-service.ts'

type PagePicturesDeps = {
  documents: Pick<DocumentsService, 'get' | 'source' | 'text'>
  reader: Pick<DocumentReader, 'draw'>
  temporaryDirectory: string
  /** Called for each requested picture with whether the cache had the picture. */
  pictureAsked?: (isKept: boolean) => void
  /** Pages whose rendering recently exceeded time or memory; created when absent. */
  failures?: RecentFailures
}

/** Cache size in bytes: about a hundred pages, so that paging back and forth is free. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024
/** Pictures of deleted documents are never served, and leave the memory after this time. */
const CACHE_TTL_MS = 10 * 60_000
/** Text before the passage that distinguishes the passage from equal ones. */
const CONTEXT_CHARACTERS = 60
/** More than a page contains. */
const MAX_PASSAGE_CHARACTERS = 20_000

/** The service with its cache eviction. */
export type PagePicturesCache = PagePicturesService & {
  /** Evicts pictures older than some minutes; call periodically. */
  evictExpired(): void
}

/**
 * Renders pages of stored originals in a child process and caches the latest. A page that exceeded
 * time or memory is not retried for a while. Pictures of deleted documents are not served, cached
 * or not.
 */
export function createPagePicturesService(deps: PagePicturesDeps): PagePicturesCache {
  const { documents, failures = createRecentFailures() } = deps
  const kept = createPictureCache()
  const pages = createKeyedMutex()

  async function drawNew(
    caller: Caller,
    document: PagedDocument,
    { wanted, signal }: { wanted: WantedPicture; signal: AbortSignal },
  ) {
    const { memoryId, documentId, page, span } = wanted
    const source = await documents.source(caller, memoryId, { documentId, range: null })
    if (source.content === null) throw new ApiError('source_not_stored')
    const readText = async () => text((await documents.text(caller, memoryId, documentId)).content)
    const passage = span === null ? null : await readPassage(document.pages, { page, span, read: readText })
    const isRecognized = document.pages.find((one) => one.page === page)?.method === 'ocr'
    return withFile(deps.temporaryDirectory, source, async (file) => {
      const type = await sniff(file, document.sourceType === 'ocr' ? 'images' : 'documents')
      if (type.format !== 'pdf' && document.sourceType !== 'ocr')
        throw noPictureError(`${type.mimeType} has no pages that can be rendered`)
      const options = { owner: caller, signal }
      return deps.reader.draw({ source: file, type, page, passage, isRecognized }, options)
    })
  }

  return {
    evictExpired: () => kept.forgetBefore(performance.now() - CACHE_TTL_MS),
    async draw(caller, wanted, signal) {
      const { memoryId, documentId, page, span } = wanted
      const document = await documents.get(caller, memoryId, documentId)
      const name = [documentId, page, span?.start, span?.end].join(':')
      const known = kept.get(name)
      deps.pictureAsked?.(known !== null)
      if (known !== null) return known
      // Rendered sequentially per page: requests that wait for the same page share its failure
      // instead of repeating the work.
      return pages.run(`${documentId}:${page}`, async () => {
        signal.throwIfAborted()
        const drawn = kept.get(name)
        if (drawn !== null) return drawn
        // Marking recognised words costs more, and may fail where plain rendering succeeds.
        const kind = `${documentId}:${page}:${span === null ? 'plain' : 'marked'}`
        requireNoFailure(failures, kind)
        try {
          const png = await drawNew(caller, document, { wanted, signal })
          if (png === null) throw noPictureError(`the document has no page ${page}`)
          return kept.put(name, png)
        } catch (error) {
          if (exceededLimit(error)) {
            failures.remember({ organizationId: caller.organizationId, name: kind, message: error.message })
          }
          throw error
        }
      })
    },
  }
}

/** A damaged page costs little, and is rendered again on each request. */
function exceededLimit(error: unknown): error is ApiError {
  const cause = error instanceof ApiError ? error.facts.cause : null
  return cause instanceof ChildStopped && isTooMuch(cause.reason)
}

/** Throws `unprocessable_document` for a page that failed recently. */
function requireNoFailure(failures: RecentFailures, name: string): void {
  const failure = failures.find(name)
  if (failure === null) return
  const message = `${failure.message} The page is not rendered again for ${pluralize(failure.minutes, 'minute')}.`
  throw new ApiError('unprocessable_document', { message })
}

type PagedDocument = Awaited<ReturnType<DocumentsService['get']>>
type WantedPicture = Parameters<PagePicturesService['draw']>[1]

type Span = { start: number; end: number }

/** Part of a span on a page, and the text before; `null` when no part is on the page. */
async function readPassage(
  pages: readonly PageReportResource[],
  { page, span, read }: { page: number; span: Span; read: () => Promise<string> },
): Promise<{ before: string; wanted: string } | null> {
  const inOrder = pages.toSorted((a, b) => a.page - b.page)
  const from = inOrder.filter((one) => one.page < page).reduce((sum, { characters }) => sum + characters, 0)
  const to = from + (inOrder.find((one) => one.page === page)?.characters ?? 0)
  const start = Math.max(from, span.start)
  const end = Math.min(to, span.end, start + MAX_PASSAGE_CHARACTERS)
  if (end <= start) return null
  const whole = await read()
  return { before: whole.slice(Math.max(from, start - CONTEXT_CHARACTERS), start), wanted: whole.slice(start, end) }
}

async function withFile<Value>(
  directory: string,
  { content, bytes, filename, mimeType }: StoredSource,
  use: (file: { path: string; bytes: number; filename: string | null; declaredType: string }) => Promise<Value>,
): Promise<Value> {
  const path = join(directory, `picture-${randomUUID()}`)
  try {
    await writeNewFile(path, content)
    return await use({ path, bytes: (await stat(path)).size || bytes, filename, declaredType: mimeType })
  } finally {
    await rm(path, { force: true })
  }
}

function noPictureError(why: string): ApiError {
  return new ApiError('source_not_stored', {
    message: `The page cannot be rendered: ${why}.`,
    remedy: 'Request a page of a PDF or an image that was added with storeSource.',
  })
}

type Picture = { png: Buffer; etag: string; drawnMs: number }

/** LRU cache of pictures, limited by size. */
function createPictureCache() {
  const pictures = new Map<string, Picture>()
  let bytes = 0

  function forget(name: string): void {
    bytes -= pictures.get(name)?.png.length ?? 0
    pictures.delete(name)
  }

  return {
    get(name: string): Picture | null {
      const picture = pictures.get(name)
      if (picture === undefined) return null
      pictures.delete(name)
      pictures.set(name, picture)
      return picture
    },
    put(name: string, png: Buffer): Picture {
      const etag = `"${createHash('sha256').update(png).digest('base64url').slice(0, 22)}"`
      const picture = { png, etag, drawnMs: performance.now() }
      bytes += png.length - (pictures.get(name)?.png.length ?? 0)
      pictures.set(name, picture)
      for (const oldest of pictures.keys()) {
        if (bytes <= MAX_CACHED_BYTES) break
        forget(oldest)
      }
      return picture
    },
    forgetBefore(timeMs: number): void {
      for (const [name, { drawnMs }] of pictures) if (drawnMs < timeMs) forget(name)
    },
  }
}

/** Renders pages of stored originals. */
export type PagePicturesService = {
  /**
   * A PNG of a page (from 1) with a marked span of the extracted text (UTF-16 offsets), and an
   * ETag. Rejects with `source_not_stored` when no original, no such page, or no renderable page
   * exists.
   */
  draw(
    caller: Caller,
    wanted: { memoryId: string; documentId: string; page: number; span: { start: number; end: number } | null },
    signal: AbortSignal,
  ): Promise<{ png: Buffer; etag: string }>
}
