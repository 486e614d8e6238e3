import type { Transaction } from 'kysely'
import type { JobResult } from '../../../api/job.ts'
import type { Warning } from '../../../api/values.ts'
import { enqueueDeletions } from '../../../database/deletion/removals-table.ts'
import { finalizeJob } from '../../../database/jobs/jobs-table.ts'
import { type PublishedDocument, setDocumentStatus } from '../../../database/memories/document-writes.ts'
import { deleteDocumentRows } from '../../../database/memories/documents-table.ts'
import type { Document, Tables } from '../../../database/schema.ts'
import { ApiError } from '../../../errors.ts'
import type { PageReceipt } from '../../../parsers/parse-event.ts'
import { pluralize } from '../../../text/pluralize.ts'
import type { JobWork } from '../../jobs/job-handler.ts'
import type { JobDeps } from '../ingest-deps.ts'
import { commitDocuments } from '../storing/commit-documents.ts'
import { describeMissing, describePages, type MissingPart } from '../storing/missing-part.ts'
import { QuotaConflict } from '../storing/storage-quota.ts'
import type { IngestionPayload } from './ingestion-payload.ts'

/** What became of the documents of a job. */
export type IngestionOutcome = {
  published: readonly PublishedDocument[]
  /** Not kept, since the memory has them already. */
  duplicates: readonly { row: Document; duplicateOf: string }[]
  /** Not kept, since they are pictures that show no text. */
  withoutText: readonly { row: Document; pages: readonly PageReceipt[] }[]
  /**
   * Pages of the published documents that are pictures and were left out, since the caller wanted
   * it so.
   */
  leftOutPages: number
  /** Not read, since the plan has no room for them. */
  tooLarge: readonly Document[]
  /** What the published documents lack. */
  missing: readonly MissingPart[]
  warnings: readonly Warning[]
  elapsedMs: number
}

type FinishDeps = Pick<JobDeps, 'db' | 'removals' | 'owner' | 'now' | 'file'>

/**
 * Publishes what a job read and ends it, `partial` when something is missing, in one transaction.
 * Rejects with {@link QuotaConflict}, and as {@link commitDocuments} does.
 */
export async function finishIngestion(
  deps: FinishDeps,
  work: JobWork,
  { payload, outcome }: { payload: IngestionPayload; outcome: IngestionOutcome },
): Promise<void> {
  const { published, duplicates, withoutText } = outcome
  if (published.length + duplicates.length + withoutText.length === 0) throw nothingKept(outcome)
  const { organization_id: organizationId, memory_id: memoryId } = work.job
  const finish = async (transaction: Transaction<Tables>) => {
    const removalIds = await settleOthers(deps, transaction, { payload, outcome })
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

function nothingKept({ tooLarge }: IngestionOutcome): ApiError {
  if (tooLarge.length > 0) return new ApiError('storage_quota_exceeded')
  return new ApiError('document_not_found', { message: 'The documents were deleted.' })
}

/**
 * Duplicates and pictures without text go, what had no room is said to have failed, and what a
 * whole document needs no longer (the staged upload, recognised pages) is removed.
 */
async function settleOthers(
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
      error: 'The plan has no storage left for this.',
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
  const result = resultOf(outcome, job.result === null ? null : (JSON.parse(job.result) as JobResult))
  const missing = [...outcome.missing, ...withoutRoom(outcome, result)]
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

/** What the job came to in all its runs. */
function doneMessage(
  { duplicates, withoutText, leftOutPages }: IngestionOutcome,
  { documentsAdded, documentsSkipped, chunksCreated }: JobResult,
): string {
  const [first] = duplicates
  const [silent] = withoutText
  if (silent) return ['Nothing added: no text was found in the picture.', ...describePages(silent.pages)].join(' ')
  if (documentsAdded === 0 && first) return `Nothing added: the memory has it already as ${first.duplicateOf}.`
  const all = pluralize(documentsAdded + documentsSkipped, 'document')
  const added = `Added ${documentsAdded} of ${all}, ${pluralize(chunksCreated, 'chunk')}`
  return leftOutPages === 0 ? `${added}.` : `${added}; ${describeLeftOut(leftOutPages)}: enableOcr is false.`
}

function describeLeftOut(pages: number): string {
  return pages === 1 ? '1 page is a picture and was left out' : `${pages} pages are pictures and were left out`
}

/** What the plan had no room for. */
function withoutRoom({ tooLarge }: IngestionOutcome, { documentsAdded, documentsSkipped }: JobResult): MissingPart[] {
  if (tooLarge.length === 0) return []
  const all = documentsAdded + documentsSkipped + tooLarge.length
  const message = `Kept ${documentsAdded} of ${pluralize(all, 'document')}: the plan's storage quota was reached.`
  return [{ error: message, message, code: 'storage_quota_exceeded' }]
}

/** The result, together with that of an earlier, partial run of the same job. */
function resultOf(
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
