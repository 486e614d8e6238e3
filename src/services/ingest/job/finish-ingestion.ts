import type { Transaction } from 'kysely'
import type { JobResult } from '../../../api/job.ts'
import type { Warning } from '../../../api/values.ts'
import { enqueueDeletions } from '../../../database/deletion/removals-table.ts'
import { finalizeJob } from '../../../database/jobs/jobs-table.ts'
import { type PublishedDocument, setDocumentStatus } from '../../../database/memories/document-writes.ts'
import { deleteDocumentRows } from '../../../database/memories/documents-table.ts'
import type { Document, Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import type { PageReport } from '../../../parsers/parse-event.ts'
import { pluralize } from '../../../text/pluralize.ts'
import type { JobWork } from '../../jobs/job-handler.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { commitDocuments } from '../storing/commit-documents.ts'
import { describeMissing, describePages, type MissingPart } from '../storing/missing-part.ts'
import { QuotaConflict } from '../storing/storage-quota.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/** Result of a job for its documents. */
export type IngestionOutcome = {
  published: readonly PublishedDocument[]
  /** Duplicates of stored documents, not added. */
  duplicates: readonly { row: Document; duplicateOf: string }[]
  /** Images without text, not added. */
  withoutText: readonly { row: Document; pages: readonly PageReport[] }[]
  /** Scanned pages of published documents that the caller excluded. */
  leftOutPages: number
  /** Documents not read because the plan has no storage left. */
  tooLarge: readonly Document[]
  /** Missing parts of the published documents. */
  missing: readonly MissingPart[]
  warnings: readonly Warning[]
  elapsedMs: number
}

type FinishDeps = Pick<JobDeps, 'db' | 'removals' | 'owner' | 'now' | 'file'>

/**
 * Publishes the documents of a job and ends the job (`partial` when parts are missing) in one
 * transaction. Rejects with {@link QuotaConflict}, and as {@link commitDocuments} does.
 */
export async function finishIngestion(
  deps: FinishDeps,
  work: JobWork,
  { payload, outcome }: { payload: IngestionPayload; outcome: IngestionOutcome },
): Promise<void> {
  const { published, duplicates, withoutText } = outcome
  if (published.length + duplicates.length + withoutText.length === 0) throw nothingAddedError(outcome)
  const { organization_id: organizationId, memory_id: memoryId } = work.job
  const finish = async (transaction: Transaction<Tables>) => {
    const removalIds = await cleanUpUnpublished(deps, transaction, { payload, outcome })
    await endJob(deps, transaction, { work, outcome })
    return removalIds
  }
  await commitDocuments(deps, {
    organizationId,
    planId: payload.planId,
    memoryId,
    file: deps.file,
    documents: published,
    waited: true,
    deduplicate: payload.deduplicate,
    finish,
  }).catch((error) => {
    throw error instanceof ApiError && error.code === 'storage_quota_exceeded' ? new QuotaConflict(error) : error
  })
}

function nothingAddedError({ tooLarge }: IngestionOutcome): ApiError {
  if (tooLarge.length > 0) return new ApiError('storage_quota_exceeded')
  return new ApiError('document_not_found', { message: 'The documents were deleted.' })
}

/**
 * Deletes duplicates and images without text, marks documents over quota as failed, and deletes
 * temporary objects (upload, recognised pages) of complete documents.
 */
async function cleanUpUnpublished(
  deps: FinishDeps,
  transaction: Transaction<Tables>,
  {
    payload,
    outcome: { published, duplicates, withoutText, tooLarge },
  }: { payload: IngestionPayload; outcome: IngestionOutcome },
): Promise<string[]> {
  const at = deps.now().toISOString()
  const unwanted = [...duplicates, ...withoutText].map(({ row }) => row)
  const removalIds = await deleteDocumentRows(transaction, unwanted, deps.now())
  for (const row of tooLarge) {
    await setDocumentStatus(transaction, {
      id: row.id,
      to: 'failed',
      at,
      error: 'The storage quota of the plan is exceeded.',
    })
  }
  const whole = payload.file === null ? [] : published.filter(({ row }) => row.status !== 'partial')
  const uploads = whole.map(({ row: { memory_id: memoryId, id: documentId } }) => {
    return { kind: 'upload', memoryId, documentId, now: deps.now() } as const
  })
  return [...removalIds, ...(await enqueueDeletions(transaction, uploads))]
}

async function endJob(
  deps: FinishDeps,
  transaction: Transaction<Tables>,
  { work: { job, leaseToken }, outcome }: { work: JobWork; outcome: IngestionOutcome },
): Promise<void> {
  const result = toJobResult(outcome, job.result === null ? null : (JSON.parse(job.result) as JobResult))
  const missing = [...outcome.missing, ...missingForQuota(outcome, result)]
  const isPartial = missing.length > 0
  await finalizeJob(transaction, {
    jobId: job.id,
    leaseToken,
    status: isPartial ? 'partial' : 'completed',
    message: isPartial ? describeMissing(missing, 'message') : doneMessage(outcome, result),
    result,
    error: null,
    errorCode: missing.find(({ code }) => code !== null)?.code ?? null,
    now: deps.now(),
  })
}

/** Final message over all runs of the job. */
function doneMessage(
  { duplicates, withoutText, leftOutPages }: IngestionOutcome,
  { documentsAdded, documentsSkipped, chunksCreated }: JobResult,
): string {
  const [first] = duplicates
  const [silent] = withoutText
  if (silent) return ['Nothing added: the image contains no text.', ...describePages(silent.pages)].join(' ')
  if (documentsAdded === 0 && first)
    return `Nothing added: the memory already contains the document as ${first.duplicateOf}.`
  const all = pluralize(documentsAdded + documentsSkipped, 'document')
  const added = `Added ${documentsAdded} of ${all}, ${pluralize(chunksCreated, 'chunk')}`
  return leftOutPages === 0 ? `${added}.` : `${added}; ${describeLeftOut(leftOutPages)}: enableOcr is false.`
}

function describeLeftOut(pages: number): string {
  return pages === 1 ? '1 scanned page was left out' : `${pages} scanned pages were left out`
}

/** Parts missing because of the storage quota. */
function missingForQuota(
  { tooLarge }: IngestionOutcome,
  { documentsAdded, documentsSkipped }: JobResult,
): MissingPart[] {
  if (tooLarge.length === 0) return []
  const all = documentsAdded + documentsSkipped + tooLarge.length
  const message = `Kept ${documentsAdded} of ${pluralize(all, 'document')}: the plan's storage quota was reached.`
  return [{ error: message, message, code: 'storage_quota_exceeded' }]
}

/** Result including an earlier partial run of the same job. */
function toJobResult(
  { published, duplicates, warnings, elapsedMs }: IngestionOutcome,
  earlier: JobResult | null,
): JobResult {
  const rows = published.map(({ row }) => row)
  const before = earlier?.documentIds ?? []
  const documentIds = [...new Set([...before, ...rows.map(({ id }) => id)])]
  const again = rows.some(({ id }) => before.includes(id))
  const sum = (value: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + value(row), 0)
  return {
    documentsAdded: documentIds.length,
    documentsSkipped: duplicates.length + (earlier?.documentsSkipped ?? 0),
    chunksCreated: sum((row) => row.chunk_count) + (again ? 0 : (earlier?.chunksCreated ?? 0)),
    documentIds,
    totalBytes: sum((row) => row.size_bytes) + (again ? 0 : (earlier?.totalBytes ?? 0)),
    processingMs: Math.round(elapsedMs) + (earlier?.processingMs ?? 0),
    warnings: [...(again ? [] : (earlier?.warnings ?? [])), ...warnings],
  }
}
