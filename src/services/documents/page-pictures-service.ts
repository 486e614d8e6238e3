import { createHash, randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PageReceiptResource } from '../../api/document.ts'
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

/** What the pictures are drawn with. */
type PagePicturesDeps = {
  documents: Pick<DocumentsService, 'get' | 'source' | 'text'>
  reader: Pick<DocumentReader, 'draw'>
  temporaryDirectory: string
  /** Hears of each picture that is asked for, and whether it was kept. */
  pictureAsked?: (isKept: boolean) => void
  /** Pages whose drawing took too long or too much lately; its own where absent. */
  failures?: RecentFailures
}

/**
 * Pictures that are kept, in bytes: those of a hundred pages, so that leafing and scrolling back
 * cost nothing.
 */
const MOST_KEPT_BYTES = 32 * 1024 * 1024
/** Pictures of documents that were deleted are given to nobody, and stay in memory no longer. */
const KEPT_MS = 10 * 60_000
/** Words before the passage that tell it from others like it. */
const CONTEXT_CHARACTERS = 60
/** More than a page holds. */
const MOST_CHARACTERS = 20_000

/** The pictures, with what the process does around requests. */
export type PicturesKeeper = PagePicturesService & {
  /** Lets go of pictures drawn some minutes ago; to be called now and then. */
  forgetOld(): void
}

/**
 * Draws pages of stored originals in a child, and keeps the last ones; a page that took too long or
 * too much memory is not tried again for a while. A document that is gone has no picture, kept or
 * not.
 */
export function createPagePicturesService(deps: PagePicturesDeps): PicturesKeeper {
  const { documents, failures = createRecentFailures() } = deps
  const kept = createPictureShelf()
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
        throw noPicture(`${type.mimeType} has no pages that can be drawn`)
      const options = { owner: caller, signal }
      return deps.reader.draw({ source: file, type, page, passage, isRecognized }, options)
    })
  }

  return {
    forgetOld: () => kept.forgetBefore(performance.now() - KEPT_MS),
    async draw(caller, wanted, signal) {
      const { memoryId, documentId, page, span } = wanted
      const document = await documents.get(caller, memoryId, documentId)
      const name = [documentId, page, span?.start, span?.end].join(':')
      const known = kept.get(name)
      deps.pictureAsked?.(known !== null)
      if (known !== null) return known
      // One at a time, so that requests which wait for the same page learn of its failure instead
      // of repeating it.
      return pages.run(`${documentId}:${page}`, async () => {
        signal.throwIfAborted()
        const drawn = kept.get(name)
        if (drawn !== null) return drawn
        // To mark words that were recognised takes more, and may fail where the page alone can be
        // drawn.
        const kind = `${documentId}:${page}:${span === null ? 'plain' : 'marked'}`
        requireNoFailure(failures, kind)
        try {
          const png = await drawNew(caller, document, { wanted, signal })
          if (png === null) throw noPicture(`it has no page ${page}`)
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

/** A page that is damaged costs little, and is drawn again whenever it is asked for. */
function exceededLimit(error: unknown): error is ApiError {
  const cause = error instanceof ApiError ? error.facts.cause : null
  return cause instanceof ChildStopped && isTooMuch(cause.reason)
}

/** Throws `unprocessable_document` for what failed lately. */
function requireNoFailure(failures: RecentFailures, name: string): void {
  const failure = failures.find(name)
  if (failure === null) return
  const message = `${failure.message} The page is not drawn again for ${pluralize(failure.minutes, 'minute')}.`
  throw new ApiError('unprocessable_document', { message })
}

type PagedDocument = Awaited<ReturnType<DocumentsService['get']>>
type WantedPicture = Parameters<PagePicturesService['draw']>[1]

type Span = { start: number; end: number }

/** The part of a span that stands on a page, and the words before it; `null` where none does. */
async function readPassage(
  pages: readonly PageReceiptResource[],
  { page, span, read }: { page: number; span: Span; read: () => Promise<string> },
): Promise<{ before: string; wanted: string } | null> {
  const inOrder = pages.toSorted((a, b) => a.page - b.page)
  const from = inOrder.filter((one) => one.page < page).reduce((sum, { characters }) => sum + characters, 0)
  const to = from + (inOrder.find((one) => one.page === page)?.characters ?? 0)
  const start = Math.max(from, span.start)
  const end = Math.min(to, span.end, start + MOST_CHARACTERS)
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

function noPicture(why: string): ApiError {
  return new ApiError('source_not_stored', {
    message: `There is no picture of this page: ${why}.`,
    remedy: 'Ask for a page of a PDF or a picture that was added with storeSource.',
  })
}

type Picture = { png: Buffer; etag: string; drawnMs: number }

/** The pictures asked for last, as many as fit. */
function createPictureShelf() {
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
        if (bytes <= MOST_KEPT_BYTES) break
        forget(oldest)
      }
      return picture
    },
    forgetBefore(timeMs: number): void {
      for (const [name, { drawnMs }] of pictures) if (drawnMs < timeMs) forget(name)
    },
  }
}

/** Pages of stored originals as pictures. */
export type PagePicturesService = {
  /**
   * A PNG of a page, from 1, with a span of the extracted text marked on it (UTF-16 offsets), and a
   * tag that changes with it. Rejects with `source_not_stored` where there is no original, no such
   * page, or none that can be drawn.
   */
  draw(
    caller: Caller,
    wanted: { memoryId: string; documentId: string; page: number; span: { start: number; end: number } | null },
    signal: AbortSignal,
  ): Promise<{ png: Buffer; etag: string }>
}
