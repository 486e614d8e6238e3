import type { Warning } from '../../../api/values.ts'
import { runCooperatively } from '../../../concurrency/event-loop-yield.ts'
import { mapConcurrent } from '../../../concurrency/map-concurrent.ts'
import { listDocumentsOfJob, type PublishedDocument } from '../../../database/memories/document-writes.ts'
import { getInlineText, listMissingDocuments } from '../../../database/memories/documents-table.ts'
import type { Document } from '../../../database/schema.ts'
import { computeFingerprint } from '../../../engine/similarity/fingerprint.ts'
import { ApiError } from '../../../errors.ts'
import { failpoint } from '../../../observability/failpoints.ts'
import { pluralize } from '../../../text/pluralize.ts'
import { decodePieces, documentObject, encodeText, keepOriginal } from '../../document-objects.ts'
import { type JobWork, requireWorking } from '../../jobs/job-handler.ts'
import { textEvents } from '../../reading/read-event.ts'
import { maxConcurrentTexts } from '../indexing/choose-indexing.ts'
import { indexDocument } from '../indexing/index-document.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { listReplaced, sumLiveBytes } from '../storing/commit-documents.ts'
import { toDocumentFacts, toDocumentToIndex, toPublishedDocument } from '../storing/document-row.ts'
import { createEarlierTexts, findDuplicate } from '../storing/duplicates.ts'
import { getRemainingStorage } from '../storing/storage-quota.ts'
import { createChunkBuffer } from './chunk-writers.ts'
import { finishIngestion } from './finish-ingestion.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/** Size of texts held in memory together. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024

/** The stored text is the original. */
const TEXT_ALREADY_STORED = { inlineText: null, keepsText: true } as const

/**
 * Ingests documents whose texts are already stored, and publishes all of them in the transaction
 * that ends the job.
 */
export async function ingestTexts(deps: JobDeps, work: JobWork, payload: IngestionPayload): Promise<void> {
  const started = performance.now()
  const waiting = await listDocumentsOfJob(deps.db, work.job.id)
  const [first] = waiting
  if (!first) throw new ApiError('document_not_found', { message: 'The documents were deleted.' })
  const left = await getRemainingStorage(deps.db, first.organization_id, payload.planId)
  const replaced = await findReplaced(deps, first.memory_id, waiting)
  // Replacing documents are admitted first, so that the stored documents for comparison are known.
  const rows = payload.deduplicate ? partition(waiting, ({ external_id }) => replaced.has(external_id)) : waiting
  const batch = createBatch(deps, work, { payload, found: { left, replaced } })
  let done = 0
  const sizes = rows.map((row) => row.size_bytes)
  for (const together of batchRows(rows, maxConcurrentTexts(deps.indexing, sizes))) {
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
): Promise<ReplacedDocuments> {
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

/** Documents to replace by external id, and the storage that the plan regains. */
type ReplacedDocuments = ReadonlyMap<string | null, { ids: readonly string[]; bytes: number }>

/** Remaining bytes of the plan, `null` without a limit; and the documents to replace. */
type QuotaState = { left: number | null; replaced: ReplacedDocuments }

function createBatch(
  deps: JobDeps,
  work: JobWork,
  { payload, found }: { payload: IngestionPayload; found: QuotaState },
) {
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
    const indexed = await indexDocument(deps.indexing, toDocumentToIndex(row, payload, null), {
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
    const stored = { ...TEXT_ALREADY_STORED, originalHash, createdAt: row.created_at, at }
    return toPublishedDocument(toDocumentFacts(row, payload), indexed, stored)
  }

  return {
    add,
    flush: buffer.flush,
    outcome: () => {
      const nothing = { readAgain: [], withoutText: [], leftOutPages: 0, missing: [] }
      return { ...nothing, published, duplicates, tooLarge, warnings }
    },
  }
}

/** Decides for each text whether to keep the document: within the quota and not a duplicate. */
function createAdmission(
  { db, blobs, yieldToEventLoop }: Pick<JobDeps, 'db' | 'blobs' | 'yieldToEventLoop'>,
  payload: IngestionPayload,
  { left: initiallyLeft, replaced }: QuotaState,
) {
  const duplicates: { row: Document; duplicateOf: string }[] = []
  const tooLarge: Document[] = []
  const earlier = createEarlierTexts()
  /** Documents replaced by admitted ones. */
  const goingIds: string[] = []
  let left = initiallyLeft

  /**
   * The text of an admitted document, in pieces; `null` when over quota, a duplicate, or deleted.
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
    const fingerprint = await runCooperatively(computeFingerprint(text), yieldToEventLoop)
    // A replacing document is never a duplicate.
    const duplicateOf = replaced.has(row.external_id)
      ? null
      : (earlier.find(fingerprint) ?? (await findDuplicate(db, row.memory_id, { fingerprint, replaced: goingIds })))
    if (duplicateOf === null) earlier.add(row.id, fingerprint)
    return duplicateOf
  }

  return { admit, duplicates, tooLarge }
}

function partition(rows: readonly Document[], isFirst: (row: Document) => boolean): Document[] {
  return [...rows.filter(isFirst), ...rows.filter((row) => !isFirst(row))]
}

function* batchRows(rows: readonly Document[], atOnce: number): Generator<Document[]> {
  let together: Document[] = []
  let bytes = 0
  for (const row of rows) {
    if (together.length === atOnce || (together.length > 0 && bytes + row.size_bytes > MAX_BATCH_BYTES)) {
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
 * The text of a pending document, in pieces; `null` when the document was deleted or replaced
 * meanwhile.
 */
async function getText({ db, blobs }: Pick<JobDeps, 'db' | 'blobs'>, row: Document): Promise<readonly string[] | null> {
  const inline = await getInlineText(db, row.id)
  if (inline !== null) return [inline]
  const content = await blobs.get(documentObject(row.memory_id, row.id, 'text'))
  if (content !== null) return decodePieces(content)
  if ((await listMissingDocuments(db, [row.id])).length > 0) return null
  throw new ApiError('unprocessable_document', { message: 'The stored text was deleted. Add the document again.' })
}
