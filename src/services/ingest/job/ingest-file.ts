import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { confirmLease } from '../../../database/jobs/job-leases-table.ts'
import { LeaseLostError, savePayload } from '../../../database/jobs/jobs-table.ts'
import {
  listDocumentsOfJob,
  type PublishedDocument,
  setDownloadedFile,
} from '../../../database/memories/document-writes.ts'
import type { Document } from '../../../database/schema.ts'
import { createFingerprint, type Fingerprint } from '../../../engine/similarity/fingerprint.ts'
import { ApiError } from '../../../errors.ts'
import { writeNewFile } from '../../../files/write-new-file.ts'
import { PICTURE_TEXT_CHARACTERS } from '../../../limits.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import type { Blobs } from '../../../objects/blobs.ts'
import { failpoint } from '../../../observability/failpoints.ts'
import { ZIP } from '../../../parsers/formats.ts'
import type { SourceFile } from '../../../parsers/parse-event.ts'
import { pluralize } from '../../../text/pluralize.ts'
import { type DocumentObject, documentObject, encodeText, keepOriginal } from '../../document-objects.ts'
import { type JobWork, removeChunksOfJob, requireWorking } from '../../jobs/job-handler.ts'
import type { ReadOptions } from '../../reading/document-reader.ts'
import type { RecognizedPage, RecognizedPages } from '../../reading/recognition.ts'
import { titleFromName, withDownload } from '../add-file.ts'
import { type IndexedDocument, indexDocument, type ReadingProgress } from '../indexing/index-document.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { listReplaced, sumLiveBytes } from '../storing/commit-documents.ts'
import {
  INLINE_TEXT_CHARACTERS,
  toDocumentFacts,
  toDocumentToIndex,
  toPublishedDocument,
} from '../storing/document-row.ts'
import { createEarlierTexts, type EarlierTexts, findDuplicate } from '../storing/duplicates.ts'
import { listMissing, listPageWarnings, mayBeDuplicate, requireText } from '../storing/missing-part.ts'
import { getRemainingStorage } from '../storing/storage-quota.ts'
import { createBufferedReplace, createWriteBehind, type WriteBehind } from './chunk-writers.ts'
import { finishIngestion, type IngestionOutcome } from './finish-ingestion.ts'
import type { FileToIngest, IngestionPayload } from './ingestion-payload.ts'

/** A pending or partial document of a job, with the facts of its uploaded file. */
export type UploadToRead = {
  row: Document
  payload: IngestionPayload
  file: FileToIngest
  /** Storage that earlier files of the job take, which is not yet published. */
  takenBytes: number
  /** Earlier files of the same job, to find duplicates among them. */
  earlier: EarlierTexts
}

/** `replaced`: documents with the same external id. */
type FileIngest = UploadToRead & { source: SourceFile; spool: TextSpool; replaced: readonly Document[] }

/**
 * Ingests the file of a job in one pass with constant memory, and publishes the document in the
 * transaction that ends the job. The job ends `partial` when parts are missing (no storage left,
 * pages not recognised).
 */
export async function ingestFile(
  deps: JobDeps,
  work: JobWork,
  payload: IngestionPayload & { file: FileToIngest },
): Promise<void> {
  const started = performance.now()
  const [row] = await listDocumentsOfJob(deps.db, work.job.id)
  if (!row) throw new ApiError('document_not_found', { message: 'The document was deleted.' })
  const upload = { row, payload, file: payload.file, takenBytes: 0, earlier: createEarlierTexts() }
  const outcome = await readUpload(deps, work, upload)
  requireWorking(work)
  await finishIngestion(deps, work, {
    payload,
    outcome: { ...outcome, tooLarge: [], elapsedMs: performance.now() - started },
  })
}

/**
 * Reads the uploaded file of a document and stores chunks, text and original. Publishes nothing.
 * Rejects with errors of the file and of the storage; its chunks may remain then.
 */
export async function readUpload(deps: JobDeps, work: JobWork, upload: UploadToRead): Promise<FileOutcome> {
  const { row } = upload
  const source = await fetchUpload(deps, row, upload.file)
  const documents = [{ id: row.id, externalId: row.external_id }]
  const replaced = await listReplaced(deps.db, { memoryId: row.memory_id, documents, waited: true })
  const reading: FileIngest = { ...upload, source, spool: createTextSpool(deps.temporaryDirectory), replaced }
  try {
    // Retrying a partial document resumes with the remaining pages.
    if (row.status !== 'partial') await deps.reader.requireReadable(source, readOptionsOf(work, reading).owner)
    return await readUnlessDuplicate(deps, work, reading)
  } finally {
    await reading.spool.remove()
    await rm(source.path, { force: true })
  }
}

/**
 * Downloads the URL of a job and stores the file as the upload of its document. Returns the payload
 * with the file. An attempt after a kill continues with the stored file. Rejects with errors of the
 * URL, the download and the type of the file.
 */
export async function downloadUpload(
  deps: Pick<JobDeps, 'db' | 'blobs' | 'fetcher' | 'temporaryDirectory'>,
  work: JobWork,
  payload: IngestionPayload,
): Promise<IngestionPayload> {
  const { download } = payload
  if (download === undefined || payload.file !== null) return payload
  const [row] = await listDocumentsOfJob(deps.db, work.job.id)
  if (!row) throw new ApiError('document_not_found', { message: 'The document was deleted.' })
  const { id, memory_id: memoryId, url } = row
  if (url === null) throw new Error(`the document ${id} to download has no URL`)
  work.report(0, 'downloading')
  return withDownload(deps, { url, signal: work.signal }, async ({ file, type }) => {
    if (type.format === ZIP) throw archiveError()
    requireWorking(work)
    const { path, bytes, filename, declaredType } = file
    await deps.blobs.requireRoom(bytes)
    await deps.blobs.putFile(documentObject(memoryId, id, 'upload'), path)
    const stored = { ...payload, file: { bytes, filename, declaredType, type, ...download } }
    const lease = { jobId: work.job.id, leaseToken: work.leaseToken }
    await deps.db.transaction().execute(async (transaction) => {
      if (!(await confirmLease(transaction, lease))) throw new LeaseLostError(work.job.id)
      const title = titleFromName(filename) || new URL(url).hostname
      await setDownloadedFile(transaction, id, { filename, mimeType: type.mimeType, sizeBytes: bytes, title })
      await savePayload(transaction, lease, stored)
    })
    return stored
  })
}

/** The response has named one document already, and each member would need one. */
function archiveError(): ApiError {
  const message = 'The URL leads to a ZIP archive. Add it without options.async: each member becomes a document.'
  return new ApiError('unprocessable_document', { message })
}

/** Copies the staged upload to a local file for the parsers. */
async function fetchUpload(deps: JobDeps, row: Document, file: FileToIngest): Promise<SourceFile> {
  const content = await deps.blobs.get(documentObject(row.memory_id, row.id, 'upload'))
  if (content === null) {
    throw new ApiError('unprocessable_document', { message: 'The uploaded file was deleted. Add the document again.' })
  }
  const path = join(deps.temporaryDirectory, `job-${randomUUID()}`)
  await writeNewFile(path, content)
  return { path, bytes: file.bytes, filename: file.filename, declaredType: file.declaredType }
}

/** Outcome of one uploaded file. */
export type FileOutcome = Pick<
  IngestionOutcome,
  'published' | 'readAgain' | 'duplicates' | 'withoutText' | 'leftOutPages' | 'missing' | 'warnings' | 'text'
>

async function readUnlessDuplicate(deps: JobDeps, work: JobWork, reading: FileIngest): Promise<FileOutcome> {
  const { row, payload, earlier, replaced } = reading
  const nothing = {
    published: [],
    readAgain: [],
    duplicates: [],
    withoutText: [],
    leftOutPages: 0,
    missing: [],
    warnings: [],
  }
  const skipped = (duplicateOf: string) => ({ ...nothing, duplicates: [{ row, duplicateOf }] })
  // A partial document is already live and would match itself. Replacements are no duplicates.
  const deduplicates = payload.deduplicate && row.status !== 'partial' && replaced.length === 0
  const early = deduplicates ? await fingerprintFile(deps, work, reading) : null
  const find = async (fingerprint: Fingerprint) =>
    earlier.find(fingerprint) ?? (await findDuplicate(deps.db, row.memory_id, { fingerprint }))
  const known = early === null ? null : await find(early)
  if (known !== null) return skipped(known)
  const read = await readFile(deps, work, reading)
  const warnings = [...read.warnings, ...listPageWarnings(read, 'job')]
  if (isImageWithoutText(row, read))
    return { ...nothing, withoutText: [{ row, pages: read.pages }], text: '', warnings }
  const isLate = deduplicates && early === null && mayBeDuplicate(read)
  const late = isLate ? await find(read.fingerprint) : null
  if (late !== null) return skipped(late)
  if (mayBeDuplicate(read)) earlier.add(row.id, read.fingerprint)
  const { document, text } = await storeFile(deps, reading, read)
  const readAgain = row.status === 'partial' ? [row] : []
  const found = { published: [document], readAgain, leftOutPages: read.scans.off, missing: listMissing(read), warnings }
  return { ...nothing, ...found, ...(row.source_type === 'ocr' && { text: text.slice(0, PICTURE_TEXT_CHARACTERS) }) }
}

/**
 * True when recognition found no text in an image. As within a request, nothing is added and the
 * job succeeds.
 */
function isImageWithoutText(row: Document, { hasText, scans, cut }: IndexedDocument): boolean {
  const wasSeen = scans.recognized > 0 && scans['over-limit'] === 0 && cut === null
  return row.source_type === 'ocr' && row.status !== 'partial' && !hasText && wasSeen
}

/**
 * Throws `image_unreadable` when recognition failed for every page of an image, as a request does.
 */
function requireReadable(row: Document, { scans, failedPages: [first] }: IndexedDocument): void {
  if (row.source_type !== 'ocr' || first === undefined || scans.recognized > 0 || scans['over-limit'] > 0) return
  throw new ApiError('image_unreadable', first.message === null ? {} : { message: first.message })
}

/**
 * Fingerprint of a file with extractable text; `null` when pages need recognition, which must not
 * run twice, or when the file is cut.
 */
async function fingerprintFile(
  { reader }: Pick<JobDeps, 'reader'>,
  work: JobWork,
  reading: FileIngest,
): Promise<Fingerprint | null> {
  const { file, source } = reading
  const fingerprint = createFingerprint()
  work.report(0, 'comparing with the documents of the memory')
  for await (const event of reader.parse(source, file.type, readOptionsOf(work, reading))) {
    requireWorking(work)
    if ('scan' in event || 'cut' in event) return null
    if ('block' in event) fingerprint.add(event.block.text)
  }
  return fingerprint.digest()
}

function readOptionsOf({ signal }: JobWork, { row, payload }: FileIngest): ReadOptions {
  const owner = { organizationId: row.organization_id, keyId: payload.keyId ?? null }
  return { owner, isBackground: true, signal }
}

async function readFile(deps: JobDeps, work: JobWork, reading: FileIngest): Promise<IndexedDocument> {
  const { row, payload, file, source, spool } = reading
  const left = await getRemainingStorage(deps.db, row.organization_id, payload.planId)
  // The storage of partial and of replaced documents already counts against the plan.
  const regained = row.storage_bytes + sumLiveBytes(reading.replaced)
  const room = left === null ? null : left - reading.takenBytes + regained - (payload.storeSource ? file.bytes : 0)
  if (room !== null && room <= 0) throw new ApiError('storage_quota_exceeded')
  const writer = openWriter(deps, work, row)
  const recognized = createPageStore(deps.blobs, { memoryId: row.memory_id, documentId: row.id })
  const { recognition } = file
  const events = deps.reader.read(source, file.type, { recognition, ...readOptionsOf(work, reading), recognized })
  const indexed = await indexDocument(deps.indexing, toDocumentToIndex(row, payload, room), {
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
        const { percent, message } = describeProgress(done, file.bytes)
        work.report(percent, message)
      },
    },
  })
  if (indexed.truncated && indexed.chunkCount === 0) throw new ApiError('storage_quota_exceeded')
  requireReadable(row, indexed)
  if (!isImageWithoutText(row, indexed)) requireText(indexed)
  requireWorking(work)
  await writer.finish()
  failpoint('add:chunks-stored')
  return indexed
}

/**
 * New documents are written directly, and so are documents cut by the quota, since the new rows
 * start with the old ones.
 */
function openWriter(
  deps: JobDeps,
  work: JobWork,
  { id, memory_id: memoryId, status, page_count, chunk_count }: Document,
): WriteBehind {
  const write = (rows: readonly ChunkRow[]) => deps.memoryFile.add(memoryId, rows)
  if (status !== 'partial' || page_count === null) return createWriteBehind(write)
  return createBufferedReplace({ count: chunk_count, remove: () => removeChunksOfJob(deps, work, [id]), write })
}

/** Returns the document with the text, if held in memory. */
async function storeFile(
  deps: JobDeps,
  reading: FileIngest,
  indexed: IndexedDocument,
): Promise<{ document: PublishedDocument; text: string }> {
  const { row, payload, source, spool } = reading
  const keyOf = (name: DocumentObject) => documentObject(row.memory_id, row.id, name)
  const written = await spool.finish()
  const inlineText = 'text' in written && written.text.length <= INLINE_TEXT_CHARACTERS ? written.text : null
  if ('path' in written) await deps.blobs.putFile(keyOf('text'), written.path)
  else if (inlineText === null) await deps.blobs.put(keyOf('text'), encodeText(written.text))
  const originalHash = payload.storeSource ? await keepOriginal(deps.blobs, keyOf('source'), source) : null
  failpoint('add:objects-stored')
  const at = deps.now().toISOString()
  const stored = { inlineText, originalHash, createdAt: row.created_at, at }
  const document = toPublishedDocument(toDocumentFacts(row, payload), indexed, stored)
  return { document, text: 'text' in written ? written.text : '' }
}

/** Extracted characters held in memory before spooling to a file. */
const MAX_HELD_CHARACTERS = 4 * 1024 * 1024

/**
 * Collects the extracted text until the document is complete; large texts go to a temporary file.
 */
type TextSpool = {
  write(piece: string): Promise<void>
  /** The complete text, as a string or a UTF-8 file. No writes are allowed afterwards. */
  finish(): Promise<{ text: string } | { path: string }>
  /** Removes the file, if one still exists. */
  remove(): Promise<void>
}

/** Creates a spool with its file, if needed, in `directory`. */
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
      if (held > MAX_HELD_CHARACTERS) await spill()
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
 * Progress of reading a file in percent (at most 99) and as a message. By pages when their number
 * is known, otherwise by characters relative to `bytes`. Includes the chunks, since a sheet of a
 * million rows is a single page.
 */
export function describeProgress(
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
 * Stores recognised pages as objects `…/recognized/<page>`, so that an interrupted or retried job
 * recognises only missing pages. Deleted with the document, and once the document is complete.
 */
function createPageStore(
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
