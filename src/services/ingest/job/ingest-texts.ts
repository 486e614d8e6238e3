import type { Warning } from '../../../api/values.ts'
import { runCooperatively } from '../../../concurrency/event-loop-yield.ts'
import { mapConcurrent } from '../../../concurrency/map-concurrent.ts'
import { listDocumentsOfJob, type PublishedDocument } from '../../../database/memories/document-writes.ts'
import { getInlineText, listMissingDocuments } from '../../../database/memories/documents-table.ts'
import type { Document } from '../../../database/schema.ts'
import { readFingerprint } from '../../../engine/similarity/fingerprint.ts'
import { ApiError } from '../../../errors.ts'
import type { ChunkRow } from '../../../memory-file/memory-file.ts'
import { failpoint } from '../../../observability/failpoints.ts'
import { pluralize } from '../../../text/pluralize.ts'
import { decodePieces, documentObject, encodeText, keepOriginal } from '../../document-objects.ts'
import { type JobWork, requireWorking } from '../../jobs/job-handler.ts'
import { textEvents } from '../../reading/read-event.ts'
import { textsAtOnce } from '../indexing/choose-indexing.ts'
import { indexDocument } from '../indexing/index-document.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { listReplaced, sumLiveBytes } from '../storing/commit-documents.ts'
import { factsOf, indexingOf, readyDocument } from '../storing/document-row.ts'
import { createEarlierTexts, findDuplicate } from '../storing/duplicates.ts'
import { getRemainingStorage } from '../storing/storage-quota.ts'
import { finishIngestion } from './finish-ingestion.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/** Chunks of several small documents that are written together. */
const CHUNKS_A_WRITE = 256

/** Of the texts that are held together. */
const MAX_BYTES_AT_ONCE = 4 * 1024 * 1024

/** The texts of such documents, in the database or the object store, are what was sent. */
const AS_IT_STANDS = { inlineText: null, keepsText: true } as const

/**
 * The work of a job whose documents' texts are stored already: all of them show in the transaction
 * that ends the job.
 */
export async function ingestTexts(deps: JobDeps, work: JobWork, payload: IngestionPayload): Promise<void> {
  const started = performance.now()
  const waiting = await listDocumentsOfJob(deps.db, work.job.id)
  const [first] = waiting
  if (!first) throw new ApiError('document_not_found', { message: 'The documents were deleted.' })
  const left = await getRemainingStorage(deps.db, first.organization_id, payload.planId)
  const replaced = await findReplaced(deps, first.memory_id, waiting)
  // What a text is compared with is known when those that replace something were admitted, or had
  // no room.
  const rows = payload.deduplicate ? putFirst(waiting, ({ external_id }) => replaced.has(external_id)) : waiting
  const batch = createBatch(deps, work, { payload, found: { left, replaced } })
  let done = 0
  const sizes = rows.map((row) => row.size_bytes)
  for (const together of sliceRows(rows, textsAtOnce(deps.indexing, sizes))) {
    requireWorking(work)
    await batch.add(together)
    done += together.length
    work.report(Math.floor((99 * (done - 1)) / rows.length), `indexed ${done} of ${pluralize(rows.length, 'document')}`)
  }
  await batch.flush(work.job.memory_id)
  failpoint('add:chunks-stored')
  requireWorking(work)
  await finishIngestion(deps, work, {
    payload,
    outcome: { ...batch.outcome(), elapsedMs: performance.now() - started },
  })
}

async function findReplaced(
  { db }: Pick<JobDeps, 'db'>,
  memoryId: string,
  rows: readonly Document[],
): Promise<Replaced> {
  const documents = rows.map(({ id, external_id: externalId }) => ({ id, externalId }))
  const replaced = await listReplaced(db, { memoryId, documents, waited: true })
  const byName = Map.groupBy(replaced, ({ external_id }) => external_id)
  return new Map(
    [...byName].map(([name, documents]) => [
      name,
      { ids: documents.map(({ id }) => id), bytes: sumLiveBytes(documents) },
    ]),
  )
}

/**
 * What the documents of a job are to replace, by external id, and the bytes that the plan gets back
 * for it.
 */
type Replaced = ReadonlyMap<string | null, { ids: readonly string[]; bytes: number }>

/** Bytes that the plan has left, `null` without a limit; and what is to be replaced. */
type Found = { left: number | null; replaced: Replaced }

function createBatch(deps: JobDeps, work: JobWork, { payload, found }: { payload: IngestionPayload; found: Found }) {
  const published: PublishedDocument[] = []
  const warnings: Warning[] = []
  const buffer = createChunkBuffer(deps)
  const { admit, duplicates, tooLarge } = createAdmission(deps, payload, found)

  async function add(rows: readonly Document[]): Promise<void> {
    const admitted: { row: Document; text: readonly string[] }[] = []
    for (const row of rows) {
      const text = await admit(row)
      if (text !== null) admitted.push({ row, text })
    }
    published.push(...(await mapConcurrent(admitted, admitted.length, index)))
  }

  async function index({ row, text }: { row: Document; text: readonly string[] }): Promise<PublishedDocument> {
    const indexed = await indexDocument(deps.indexing, indexingOf(row, payload, null), {
      events: textEvents(text),
      sink: {
        text: async () => requireWorking(work),
        chunks: (rows) => buffer.write(row.memory_id, rows),
      },
    })
    const source = documentObject(row.memory_id, row.id, 'source')
    const originalHash = payload.storeSource ? await keepOriginal(deps.blobs, source, encodeText(text)) : null
    warnings.push(...indexed.warnings)
    const at = deps.now().toISOString()
    const stored = { ...AS_IT_STANDS, originalHash, createdAt: row.created_at, at }
    return readyDocument(factsOf(row, payload), indexed, stored)
  }

  return {
    add,
    flush: buffer.flush,
    outcome: () => ({ published, duplicates, withoutText: [], leftOutPages: 0, tooLarge, missing: [], warnings }),
  }
}

/**
 * Decides of each text whether it is kept: there is room for it, and the memory does not have it
 * yet.
 */
function createAdmission(
  { db, blobs, shareLoop }: Pick<JobDeps, 'db' | 'blobs' | 'shareLoop'>,
  payload: IngestionPayload,
  { left: initiallyLeft, replaced }: Found,
) {
  const duplicates: { row: Document; duplicateOf: string }[] = []
  const tooLarge: Document[] = []
  const earlier = createEarlierTexts()
  /** What goes when this shows: that for which a replacement was admitted. */
  const goingIds: string[] = []
  let left = initiallyLeft

  /**
   * The text, in pieces, of a document that is to be kept; `null` where there is no room for it, it
   * is there already, or was deleted.
   */
  async function admit(row: Document): Promise<readonly string[] | null> {
    const goes = replaced.get(row.external_id)
    const bytes = row.size_bytes * (payload.storeSource ? 2 : 1) - (goes?.bytes ?? 0)
    if (left !== null && bytes > left) {
      tooLarge.push(row)
      return null
    }
    const text = await getText({ db, blobs }, row)
    if (text === null) return null
    const duplicateOf = payload.deduplicate ? await findRepeated(row, text) : null
    if (duplicateOf !== null) {
      duplicates.push({ row, duplicateOf })
      return null
    }
    if (left !== null) left -= bytes
    goingIds.push(...(goes?.ids ?? []))
    return text
  }

  async function findRepeated(row: Document, text: readonly string[]): Promise<string | null> {
    const fingerprint = await runCooperatively(readFingerprint(text), shareLoop)
    // What takes the place of a document is kept whatever it repeats.
    const duplicateOf = replaced.has(row.external_id)
      ? null
      : (earlier.find(fingerprint) ?? (await findDuplicate(db, row.memory_id, { fingerprint, replaced: goingIds })))
    if (duplicateOf === null) earlier.add(row.id, fingerprint)
    return duplicateOf
  }

  return { admit, duplicates, tooLarge }
}

/** Gathers the chunks of several small documents, so that they are written together. */
function createChunkBuffer({ memoryFile }: Pick<JobDeps, 'memoryFile'>) {
  let waiting: ChunkRow[] = []

  async function write(memoryId: string, rows: readonly ChunkRow[]): Promise<void> {
    waiting.push(...rows)
    if (waiting.length >= CHUNKS_A_WRITE) await flush(memoryId)
  }

  async function flush(memoryId: string): Promise<void> {
    const rows = waiting
    waiting = []
    if (rows.length > 0) await memoryFile.add(memoryId, rows)
  }

  return { write, flush }
}

function putFirst(rows: readonly Document[], isFirst: (row: Document) => boolean): Document[] {
  return [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))]
}

function* sliceRows(rows: readonly Document[], atOnce: number): Generator<Document[]> {
  let together: Document[] = []
  let bytes = 0
  for (const row of rows) {
    if (together.length === atOnce || (together.length > 0 && bytes + row.size_bytes > MAX_BYTES_AT_ONCE)) {
      yield together
      together = []
      bytes = 0
    }
    together.push(row)
    bytes += row.size_bytes
  }
  if (together.length > 0) yield together
}

/**
 * The text of a document that waits, in pieces; `null` where it was deleted or replaced since the
 * job began.
 */
async function getText({ db, blobs }: Pick<JobDeps, 'db' | 'blobs'>, row: Document): Promise<readonly string[] | null> {
  const inline = await getInlineText(db, row.id)
  if (inline !== null) return [inline]
  const content = await blobs.get(documentObject(row.memory_id, row.id, 'text'))
  if (content !== null) return decodePieces(content)
  if ((await listMissingDocuments(db, [row.id])).length > 0) return null
  throw new ApiError('unprocessable_document', { message: 'The stored text is gone; add it again.' })
}
