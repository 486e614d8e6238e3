import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { listDocumentsOfJob, type PublishedDocument } from '../../../database/memories/document-writes.ts'
import type { Document } from '../../../database/schema.ts'
import { createFingerprint, type Fingerprint } from '../../../engine/similarity/fingerprint.ts'
import { ApiError } from '../../../errors.ts'
import { writeNewFile } from '../../../files/write-new-file.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Blobs } from '../../../objects/blobs.ts'
import { failpoint } from '../../../observability/failpoints.ts'
import type { SourceFile } from '../../../parsers/parse-event.ts'
import { pluralize } from '../../../text/pluralize.ts'
import { type DocumentObject, documentObject, encodeText, keepOriginal } from '../../document-objects.ts'
import { type JobWork, removeChunksOfJob, requireWorking } from '../../jobs/job-handler.ts'
import type { ReadOptions } from '../../reading/document-reader.ts'
import type { RecognizedPage, RecognizedPages } from '../../reading/recognition.ts'
import { type IndexedDocument, indexDocument, type ReadingProgress } from '../indexing/index-document.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { factsOf, INLINE_TEXT_CHARACTERS, indexingOf, readyDocument } from '../storing/document-row.ts'
import { findDuplicate } from '../storing/duplicates.ts'
import { canRepeat, listMissing, listPageWarnings, requireText } from '../storing/missing-part.ts'
import { getRemainingStorage } from '../storing/storage-quota.ts'
import { createWriteAtEnd, createWriteBehind, type WriteBehind } from './chunk-writers.ts'
import { finishIngestion, type IngestionOutcome } from './finish-ingestion.ts'
import type { FileToIngest, IngestionPayload } from './ingestion-payload.ts'

type Reading = { row: Document; payload: IngestionPayload; file: FileToIngest; source: SourceFile; spool: TextSpool }

/**
 * The work of a job that has a file: reads it in one pass of flat memory, and publishes the
 * document in the transaction that ends the job. Where something is missing of it (no room in the
 * plan, pages not recognised), the job ends `partial`.
 */
export async function ingestFile(
  deps: JobDeps,
  work: JobWork,
  payload: IngestionPayload & { file: FileToIngest },
): Promise<void> {
  const started = performance.now()
  const [row] = await listDocumentsOfJob(deps.db, work.job.id)
  if (!row) throw new ApiError('document_not_found', { message: 'The document was deleted.' })
  const source = await fetchUpload(deps, row, payload.file)
  const reading: Reading = {
    row,
    payload,
    file: payload.file,
    source,
    spool: createTextSpool(deps.temporaryDirectory),
  }
  try {
    // A partial document that is taken up again goes on where it was left.
    if (row.status !== 'partial') await deps.reader.requireReadable(source, readFor(work, reading).owner)
    const outcome = await readOrSkip(deps, work, reading)
    requireWorking(work)
    await finishIngestion(deps, work, {
      payload,
      outcome: { ...outcome, tooLarge: [], elapsedMs: performance.now() - started },
    })
  } finally {
    await reading.spool.remove()
    await rm(source.path, { force: true })
  }
}

/** The staged upload as a local file, as the parsers need it. */
async function fetchUpload(deps: JobDeps, row: Document, file: FileToIngest): Promise<SourceFile> {
  const content = await deps.blobs.get(documentObject(row.memory_id, row.id, 'upload'))
  if (content === null) {
    throw new ApiError('unprocessable_document', { message: 'The uploaded file is gone; add it again.' })
  }
  const path = join(deps.temporaryDirectory, `job-${randomUUID()}`)
  await writeNewFile(path, content)
  return { path, bytes: file.bytes, filename: file.filename, declaredType: file.declaredType }
}

type FileOutcome = Pick<
  IngestionOutcome,
  'published' | 'duplicates' | 'withoutText' | 'leftOutPages' | 'missing' | 'warnings'
>

async function readOrSkip(deps: JobDeps, work: JobWork, reading: Reading): Promise<FileOutcome> {
  const { row, payload } = reading
  const nothing = { published: [], duplicates: [], withoutText: [], leftOutPages: 0, missing: [], warnings: [] }
  const skipped = (duplicateOf: string) => ({ ...nothing, duplicates: [{ row, duplicateOf }] })
  // A partial document shows already, and is as like itself as can be.
  const deduplicates = payload.deduplicate && row.status !== 'partial'
  const early = deduplicates ? await fingerprintFile(deps, work, reading) : null
  const known = early === null ? null : await findDuplicate(deps.db, row.memory_id, { fingerprint: early })
  if (known !== null) return skipped(known)
  const read = await readFile(deps, work, reading)
  const warnings = [...read.warnings, ...listPageWarnings(read, 'job')]
  if (isSilentPicture(row, read)) return { ...nothing, withoutText: [{ row, pages: read.pages }], warnings }
  const isLate = deduplicates && early === null && canRepeat(read)
  const late = isLate ? await findDuplicate(deps.db, row.memory_id, { fingerprint: read.fingerprint }) : null
  if (late !== null) return skipped(late)
  const published = [await storeFile(deps, reading, read)]
  return { ...nothing, published, leftOutPages: read.scans.off, missing: listMissing(read), warnings }
}

/**
 * True for a picture that was looked at and shows no text: as within a request, nothing of it is
 * added, and that is no failure.
 */
function isSilentPicture(row: Document, { hasText, scans, cut }: IndexedDocument): boolean {
  const wasSeen = scans.recognized > 0 && scans['over-limit'] === 0 && cut === null
  return row.source_type === 'ocr' && row.status !== 'partial' && !hasText && wasSeen
}

/**
 * Throws `image_unreadable` for a picture of which no page could be looked at to the end, as a
 * request does.
 */
function requireReadable(row: Document, { scans, failedPages: [first] }: IndexedDocument): void {
  if (row.source_type !== 'ocr' || first === undefined || scans.recognized > 0 || scans['over-limit'] > 0) return
  throw new ApiError('image_unreadable', first.message === null ? {} : { message: first.message })
}

/**
 * The fingerprint of a file that has its text at hand; `null` where pages have to be recognised
 * first, which is not done twice, or its end cannot be read.
 */
async function fingerprintFile(
  { reader }: Pick<JobDeps, 'reader'>,
  work: JobWork,
  reading: Reading,
): Promise<Fingerprint | null> {
  const { file, source } = reading
  const fingerprint = createFingerprint()
  work.report(0, 'comparing with the documents of the memory')
  for await (const event of reader.parse(source, file.type, readFor(work, reading))) {
    requireWorking(work)
    if ('scan' in event || 'cut' in event) return null
    if ('block' in event) fingerprint.add(event.block.text)
  }
  return fingerprint.digest()
}

function readFor({ signal }: JobWork, { row, payload }: Reading): ReadOptions {
  const owner = { organizationId: row.organization_id, keyId: payload.keyId ?? null }
  return { owner, isBackground: true, signal }
}

async function readFile(deps: JobDeps, work: JobWork, reading: Reading): Promise<IndexedDocument> {
  const { row, payload, file, source, spool } = reading
  const left = await getRemainingStorage(deps.db, row.organization_id, payload.planId)
  // What a partial document has counts against the plan already.
  const room = left === null ? null : left + row.storage_bytes - (payload.storeSource ? file.bytes : 0)
  if (room !== null && room <= 0) throw new ApiError('storage_quota_exceeded')
  const writer = openWriter(deps, work, row)
  const recognized = createRecognizedPages(deps.blobs, { memoryId: row.memory_id, documentId: row.id })
  const { recognition } = file
  const events = deps.reader.read(source, file.type, { recognition, ...readFor(work, reading), recognized })
  const indexed = await indexDocument(deps.indexing, indexingOf(row, payload, room), {
    events,
    sink: {
      text: async (piece) => {
        requireWorking(work)
        await spool.write(piece)
      },
      chunks: async (rows) => {
        requireWorking(work)
        await writer.add(rows)
      },
      progress: (done) => {
        const { percent, message } = describeReading(done, file.bytes)
        work.report(percent, message)
      },
    },
  })
  if (indexed.truncated && indexed.chunkCount === 0) throw new ApiError('storage_quota_exceeded')
  requireReadable(row, indexed)
  if (!isSilentPicture(row, indexed)) requireText(indexed)
  requireWorking(work)
  await writer.finish()
  failpoint('add:chunks-stored')
  return indexed
}

/**
 * Rows of a document that does not show yet go as they come; and so do those of one that was cut
 * short by its plan, which the new ones begin with.
 */
function openWriter(
  deps: JobDeps,
  work: JobWork,
  { id, memory_id: memoryId, status, page_count, chunk_count }: Document,
): WriteBehind {
  const write = (rows: readonly ChunkRow[]) => deps.memoryFile.add(memoryId, rows)
  if (status !== 'partial' || page_count === null) return createWriteBehind(write)
  return createWriteAtEnd({ count: chunk_count, remove: () => removeChunksOfJob(deps, work, [id]), write })
}

async function storeFile(deps: JobDeps, reading: Reading, indexed: IndexedDocument): Promise<PublishedDocument> {
  const { row, payload, source, spool } = reading
  const keyOf = (name: DocumentObject) => documentObject(row.memory_id, row.id, name)
  const written = await spool.finish()
  const inlineText = 'text' in written && written.text.length <= INLINE_TEXT_CHARACTERS ? written.text : null
  if ('path' in written) await deps.blobs.putFile(keyOf('text'), written.path)
  else if (inlineText === null) await deps.blobs.put(keyOf('text'), encodeText(written.text))
  const originalHash = payload.storeSource ? await keepOriginal(deps.blobs, keyOf('source'), source) : null
  failpoint('add:objects-stored')
  const at = deps.now().toISOString()
  return readyDocument(factsOf(row, payload), indexed, { inlineText, originalHash, createdAt: row.created_at, at })
}

/** Characters of extracted text that are held in memory before they go to a file. */
const HELD_CHARACTERS = 4 * 1024 * 1024

/**
 * Takes extracted text piece by piece and holds it until the document is whole, large ones in a
 * temporary file.
 */
type TextSpool = {
  write(piece: string): Promise<void>
  /**
   * Everything written: a string, or the file that holds it as UTF-8. Nothing can be written
   * afterwards.
   */
  finish(): Promise<{ text: string } | { path: string }>
  /** Removes the file, if one was made and is still there. */
  remove(): Promise<void>
}

/** A spool whose file, if it needs one, stands in `directory`. */
function createTextSpool(directory: string): TextSpool {
  const path = join(directory, `text-${randomUUID()}`)
  let pieces: string[] = []
  let held = 0
  let file: FileHandle | null = null

  async function spill(): Promise<FileHandle> {
    file ??= await open(path, 'wx', 0o600)
    await file.writeFile(pieces.join(''))
    pieces = []
    held = 0
    return file
  }

  return {
    async write(piece) {
      pieces.push(piece)
      held += piece.length
      if (held > HELD_CHARACTERS) await spill()
    },
    async finish() {
      if (file === null) return { text: pieces.join('') }
      await (await spill()).close()
      file = null
      return { path }
    },
    async remove() {
      await file?.close()
      file = null
      await rm(path, { force: true })
    },
  }
}

/**
 * How far the reading of a file is, in percent up to 99 and in words: by pages where their number
 * is known, by characters of the file's `bytes` otherwise. A sheet of a million rows is one page,
 * so what of it is indexed is told as well.
 */
export function describeReading(
  { characters, chunks, pageCount, pages, recognized }: Omit<ReadingProgress, 'pages'> & { pages: readonly unknown[] },
  bytes: number,
): { percent: number; message: string } {
  const indexed = `indexed ${pluralize(chunks, 'chunk')}`
  if (pageCount === null || pageCount === 0)
    return { percent: Math.floor((99 * characters) / Math.max(1, bytes)), message: indexed }
  const further = recognized === 0 ? indexed : `recognised ${recognized}`
  const percent = Math.floor((99 * pages.length) / pageCount)
  return { percent, message: `read ${pages.length} of ${pluralize(pageCount, 'page')}, ${further}` }
}

/**
 * Recognised pages of a document as objects `…/recognized/<page>`, so that a job that was
 * interrupted, or is taken up again, recognises only what it has not. They are removed with the
 * document, and when it is whole.
 */
function createRecognizedPages(
  blobs: Pick<Blobs, 'get' | 'put'>,
  { memoryId, documentId }: { memoryId: string; documentId: string },
): RecognizedPages {
  const keyOf = (page: number) => documentObject(memoryId, documentId, `recognized/${page}`)
  return {
    async get(page) {
      const content = await blobs.get(keyOf(page))
      return content === null ? null : (JSON.parse((await buffer(content)).toString()) as RecognizedPage)
    },
    async put(page, recognized) {
      await blobs.put(keyOf(page), Buffer.from(JSON.stringify(recognized)))
    },
  }
}
